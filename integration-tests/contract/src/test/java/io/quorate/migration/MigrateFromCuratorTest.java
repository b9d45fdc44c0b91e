package io.quorate.migration;

import static org.openrewrite.java.Assertions.java;

import org.junit.jupiter.api.Test;
import org.openrewrite.java.JavaParser;
import org.openrewrite.test.RecipeSpec;
import org.openrewrite.test.RewriteTest;

/** The rules of the recipe, one by one; each source compiles before. */
class MigrateFromCuratorTest implements RewriteTest {

    private static final String NEEDS_ELECTION =
            "/*~~(Quorate: an ElectionClient is needed here, because this client works with data in ZooKeeper)~~>*/";

    @Override
    public void defaults(RecipeSpec spec) {
        spec.recipe(new MigrateFromCurator())
                .parser(
                        JavaParser.fromJavaVersion()
                                .classpath("curator-recipes", "curator-framework", "curator-client", "zookeeper")
                                .dependsOn(
                                        """
                                package lib;
                                public class LockProvider {
                                    public LockProvider(org.apache.curator.framework.CuratorFramework client) {}
                                    public LockProvider(Object anything) {}
                                    public LockProvider(Object anything, int number) {}
                                    public static void all(org.apache.curator.framework.CuratorFramework... clients) {}
                                }
                                """,
                                        """
                                package lib;
                                public interface Customizer {
                                    void customize(org.apache.curator.framework.CuratorFramework client);
                                }
                                """,
                                        """
                                package lib;
                                public interface Batch {
                                    void customize(java.util.List<org.apache.curator.framework.CuratorFramework> clients);
                                }
                                """));
    }

    private static String marked(String comment) {
        return "/*~~(Quorate: " + comment + ")~~>*/";
    }

    // ---------------------------------------------------------------- types of elections

    @Test
    void typesOfElectionsAreQuoratesWhereverTheyStand() {
        rewriteRun(
                java(
                        """
                        import static org.apache.curator.framework.recipes.leader.LeaderLatch.State.STARTED;

                        import java.util.List;
                        import org.apache.curator.framework.recipes.leader.*;

                        /** See {@link LeaderLatch}. */
                        class A {
                            List<? extends LeaderLatch> latches;
                            org.apache.curator.framework.recipes.leader.LeaderLatch.CloseMode mode;
                            Class<?> type = Participant.class;
                            boolean is(LeaderLatch latch) {
                                return latch.getState() == STARTED;
                            }
                        }
                        """,
                        """
                        import static io.quorate.LeaderLatch.State.STARTED;

                        import java.util.List;

                        import io.quorate.LeaderLatch;
                        import io.quorate.Participant;

                        /** See {@link LeaderLatch}. */
                        class A {
                            List<? extends LeaderLatch> latches;
                            LeaderLatch.CloseMode mode;
                            Class<?> type = Participant.class;
                            boolean is(LeaderLatch latch) {
                                return latch.getState() == STARTED;
                            }
                        }
                        """),
                java(
                        """
                        import java.util.List;
                        import org.apache.curator.framework.recipes.leader.LeaderLatch;
                        import org.apache.curator.framework.recipes.leader.LeaderLatch.CloseMode;

                        class B extends LeaderLatch {
                            CloseMode mode = LeaderLatch.CloseMode.SILENT;
                            org.apache.curator.framework.recipes.leader.Participant one;
                            B() {
                                super(null, "/b");
                            }
                        }
                        """,
                        """
                        import java.util.List;

                        import io.quorate.LeaderLatch;
                        import io.quorate.LeaderLatch.CloseMode;
                        import io.quorate.Participant;

                        class B extends LeaderLatch {
                            CloseMode mode = LeaderLatch.CloseMode.SILENT;
                            Participant one;
                            B() {
                                super(null, "/b");
                            }
                        }
                        """));
    }

    // ---------------------------------------------------------------- clients

    @Test
    void aClientIsQuoratesIfItReachesAnElectionAndNoData() {
        rewriteRun(
                java(
                        """
                        import java.util.List;
                        import java.util.Objects;
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.recipes.leader.LeaderLatch;
                        import org.apache.curator.framework.recipes.locks.InterProcessMutex;

                        class A {
                            private final CuratorFramework elects;
                            private final CuratorFramework locks;
                            private CuratorFramework unused;
                            private List<CuratorFramework> many;
                            private LeaderLatch[] latches;

                            A(CuratorFramework one, CuratorFramework other, boolean isFirst) throws Exception {
                                elects = Objects.requireNonNull(one);
                                CuratorFramework third = isFirst ? other : null;
                                locks = Objects.requireNonNull(third);
                                new InterProcessMutex(locks, "/lock").acquire();
                                unused = locks;
                                many.add(one);
                                for (CuratorFramework each : many) {
                                    new LeaderLatch(each, "/leader");
                                }
                            }
                        }
                        """,
                        """
                        import java.util.List;
                        import java.util.Objects;

                        import io.quorate.ElectionClient;
                        import io.quorate.LeaderLatch;
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.recipes.locks.InterProcessMutex;

                        class A {
                            private final ElectionClient elects;
                            private final CuratorFramework locks;
                            private CuratorFramework unused;
                            private List<ElectionClient> many;
                            private LeaderLatch[] latches;

                            A(ElectionClient one, CuratorFramework other, boolean isFirst) throws Exception {
                                elects = Objects.requireNonNull(one);
                                CuratorFramework third = isFirst ? other : null;
                                locks = Objects.requireNonNull(third);
                                new InterProcessMutex(locks, "/lock").acquire();
                                unused = locks;
                                many.add(one);
                                for (ElectionClient each : many) {
                                    new LeaderLatch(each, "/leader");
                                }
                            }
                        }
                        """));
    }

    @Test
    void aClientThatWouldHaveToBeBothStaysAndIsMarked() {
        rewriteRun(java(
                """
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.recipes.leader.LeaderLatch;

                        class A {
                            LeaderLatch latch(CuratorFramework client) throws Exception {
                                client.create().forPath("/a");
                                return new LeaderLatch(client, "/leader");
                            }
                            void keep(CuratorFramework elects, CuratorFramework stores) {
                                new LeaderLatch(elects, "/leader");
                                stores.getChildren();
                                CuratorFramework any = stores;
                                any = elects;
                            }
                        }
                        """,
                """
                        import io.quorate.ElectionClient;
                        import io.quorate.LeaderLatch;
                        import org.apache.curator.framework.CuratorFramework;

                        class A {
                            LeaderLatch latch(CuratorFramework client) throws Exception {
                                client.create().forPath("/a");
                                return new LeaderLatch(%sclient, "/leader");
                            }
                            void keep(ElectionClient elects, CuratorFramework stores) {
                                new LeaderLatch(elects, "/leader");
                                stores.getChildren();
                                CuratorFramework any = stores;
                                any = %selects;
                            }
                        }
                        """
                        .formatted(NEEDS_ELECTION, marked("a client of Curator is needed here"))));
    }

    @Test
    void aClientThatReachesNeitherStaysInAFileOfData() {
        rewriteRun(
                java(
                        """
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.state.ConnectionState;

                        class Data {
                            ConnectionState last;
                            byte[] read(CuratorFramework client) throws Exception {
                                return last == ConnectionState.LOST ? null : client.getData().forPath("/a");
                            }
                            void stop(CuratorFramework client) {
                                client.close();
                            }
                        }
                        """),
                java(
                        """
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.imps.CuratorFrameworkState;

                        class Lives {
                            boolean has(CuratorFramework client) {
                                return client.getState() == CuratorFrameworkState.STARTED;
                            }
                        }
                        """,
                        """
                        import io.quorate.ElectionClient;

                        class Lives {
                            boolean has(ElectionClient client) {
                                return client.getState() == ElectionClient.State.STARTED;
                            }
                        }
                        """));
    }

    @Test
    void clientsAreFollowedThroughTheWholeApplication() {
        rewriteRun(
                java(
                        """
                        import org.apache.curator.framework.CuratorFramework;

                        interface Clients {
                            CuratorFramework elections();
                            CuratorFramework data();
                            void use(CuratorFramework client);
                        }
                        """,
                        """
                        import io.quorate.ElectionClient;
                        import org.apache.curator.framework.CuratorFramework;

                        interface Clients {
                            ElectionClient elections();
                            CuratorFramework data();
                            void use(ElectionClient client);
                        }
                        """),
                java(
                        """
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.recipes.leader.LeaderLatch;

                        record Both(CuratorFramework elects, CuratorFramework stores) implements Clients {
                            public CuratorFramework elections() {
                                return elects;
                            }
                            public CuratorFramework data() {
                                return this.stores;
                            }
                            public void use(CuratorFramework client) {
                                new LeaderLatch(client, "/leader");
                            }
                            static CuratorFramework first(CuratorFramework one, CuratorFramework other) throws Exception {
                                other.sync("/a", null);
                                return one;
                            }
                        }
                        """,
                        """
                        import io.quorate.ElectionClient;
                        import io.quorate.LeaderLatch;
                        import org.apache.curator.framework.CuratorFramework;

                        record Both(ElectionClient elects, CuratorFramework stores) implements Clients {
                            public ElectionClient elections() {
                                return elects;
                            }
                            public CuratorFramework data() {
                                return this.stores;
                            }
                            public void use(ElectionClient client) {
                                new LeaderLatch(client, "/leader");
                            }
                            static ElectionClient first(ElectionClient one, CuratorFramework other) throws Exception {
                                other.sync("/a", null);
                                return one;
                            }
                        }
                        """),
                java(
                        """
                        import org.apache.curator.framework.CuratorFramework;

                        class User {
                            void all(CuratorFramework one, CuratorFramework other) throws Exception {
                                Clients clients = new Both(one, other);
                                clients.use(clients.elections());
                                clients.use(Both.first(one, other));
                                clients.data().delete().forPath("/a");
                            }
                        }
                        """,
                        """
                        import io.quorate.ElectionClient;
                        import org.apache.curator.framework.CuratorFramework;

                        class User {
                            void all(ElectionClient one, CuratorFramework other) throws Exception {
                                Clients clients = new Both(one, other);
                                clients.use(clients.elections());
                                clients.use(Both.first(one, other));
                                clients.data().delete().forPath("/a");
                            }
                        }
                        """));
    }

    // Each field is of one side only because of one kind of expression.
    @Test
    void clientsAreFollowedThroughEachKindOfExpression() {
        String before =
                """
                import java.util.List;
                import java.util.Optional;
                import java.util.function.Supplier;
                import org.apache.curator.framework.CuratorFramework;
                import org.apache.curator.framework.recipes.leader.LeaderLatch;
                import org.apache.curator.framework.state.ConnectionState;

                class A {
                    interface Use {
                        void with(CuratorFramework client);
                    }

                    private CuratorFramework viaInitializer;
                    private CuratorFramework viaResult;
                    private CuratorFramework[] viaArray;
                    private List<? extends CuratorFramework> viaWildcard;
                    private CuratorFramework viaCast;
                    private CuratorFramework viaTrue;
                    private CuratorFramework viaFalse;
                    private Supplier<CuratorFramework> viaSupplier;
                    private Supplier<CuratorFramework> viaBlock;
                    private CuratorFramework viaAssignment;
                    private Optional<CuratorFramework> viaOptional;
                    private CuratorFramework viaVarargs;
                    private CuratorFramework viaFunction;
                    private CuratorFramework viaReference;
                    private ConnectionState viaComparison;

                    void elect(CuratorFramework first, boolean isFirst) {
                        CuratorFramework second = viaInitializer;
                        new LeaderLatch(second, "/a");
                        Supplier<CuratorFramework> made = this::made;
                        new LeaderLatch(made.get(), "/a");
                        new LeaderLatch(viaArray[0], "/a");
                        for (CuratorFramework each : viaWildcard) {
                            new LeaderLatch(each, "/a");
                        }
                        new LeaderLatch((CuratorFramework) viaCast, "/a");
                        new LeaderLatch(isFirst ? viaTrue : viaFalse, "/a");
                        viaSupplier = () -> first;
                        viaBlock = () -> {
                            return first;
                        };
                        new LeaderLatch(second = viaAssignment, "/a");
                        viaOptional.map(each -> new LeaderLatch(each, "/a"));
                        all(viaVarargs);
                        use(client -> new LeaderLatch(client, "/a"), viaFunction);
                        use(this::elect, viaReference);
                        first.getConnectionStateListenable().addListener((client, state) -> {
                            if (viaComparison != state) {
                                client.close();
                            }
                        });
                    }

                    void elect(CuratorFramework client) {
                        new LeaderLatch(client, "/a");
                    }

                    CuratorFramework made() {
                        return viaResult;
                    }

                    void all(CuratorFramework... clients) {
                        new LeaderLatch(clients[0], "/a");
                    }

                    void use(Use use, CuratorFramework client) {
                        use.with(client);
                    }

                    static class Data {
                        byte[] read(CuratorFramework client) throws Exception {
                            return client.getData().forPath("/a");
                        }
                    }
                }
                """;
        String after = before.replace("CuratorFramework", "ElectionClient")
                .replace("read(ElectionClient", "read(CuratorFramework")
                .replace("private ConnectionState", "private io.quorate.ConnectionState")
                .replace(
                        """
                        import org.apache.curator.framework.ElectionClient;
                        import org.apache.curator.framework.recipes.leader.LeaderLatch;
                        import org.apache.curator.framework.state.ConnectionState;
                        """,
                        """

                        import io.quorate.ConnectionState;
                        import io.quorate.ElectionClient;
                        import io.quorate.LeaderLatch;
                        import org.apache.curator.framework.CuratorFramework;
                        """)
                .replace("private io.quorate.ConnectionState", "private ConnectionState");
        rewriteRun(java(before, after));
    }

    // ---------------------------------------------------------------- listeners

    @Test
    void eachOverrideHasTheSideOfWhatItOverrides() {
        rewriteRun(
                java(
                        """
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.api.BackgroundCallback;
                        import org.apache.curator.framework.api.CuratorEvent;
                        import org.apache.curator.framework.api.CuratorListener;
                        import org.apache.curator.framework.recipes.leader.LeaderSelectorListener;
                        import org.apache.curator.framework.state.ConnectionState;

                        class A implements LeaderSelectorListener, CuratorListener, BackgroundCallback {
                            public void takeLeadership(CuratorFramework client) {}
                            public void stateChanged(CuratorFramework client, ConnectionState state) {}
                            public void eventReceived(CuratorFramework client, CuratorEvent event) {}
                            public void processResult(CuratorFramework client, CuratorEvent event) {}
                        }
                        """,
                        """
                        import io.quorate.ConnectionState;
                        import io.quorate.ElectionClient;
                        import io.quorate.LeaderSelectorListener;
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.api.BackgroundCallback;
                        import org.apache.curator.framework.api.CuratorEvent;
                        import org.apache.curator.framework.api.CuratorListener;

                        class A implements LeaderSelectorListener, CuratorListener, BackgroundCallback {
                            public void takeLeadership(ElectionClient client) {}
                            public void stateChanged(ElectionClient client, ConnectionState state) {}
                            public void eventReceived(CuratorFramework client, CuratorEvent event) {}
                            public void processResult(CuratorFramework client, CuratorEvent event) {}
                        }
                        """));
    }

    @Test
    void aConnectionListenerHasTheSideOfItsClient() {
        rewriteRun(
                java(
                        """
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.recipes.leader.LeaderLatch;
                        import org.apache.curator.framework.state.ConnectionState;
                        import org.apache.curator.framework.state.ConnectionStateListener;

                        class A {
                            static class OfElections implements ConnectionStateListener {
                                public void stateChanged(CuratorFramework client, ConnectionState state) {}
                            }

                            static class Special extends OfElections {}

                            static class OfData implements ConnectionStateListener {
                                public void stateChanged(CuratorFramework client, ConnectionState state) {
                                    client.getChildren();
                                }
                            }

                            void all(CuratorFramework elects, CuratorFramework data) {
                                new LeaderLatch(elects, "/leader");
                                elects.getConnectionStateListenable().addListener(new Special());
                                elects.getConnectionStateListenable().addListener((CuratorFramework c, ConnectionState s) -> {});
                                elects.getConnectionStateListenable().addListener(this::ofElections);
                                data.getConnectionStateListenable().addListener(new OfData());
                                data.getConnectionStateListenable().addListener(this::ofData);
                            }

                            void ofElections(CuratorFramework client, ConnectionState state) {}

                            void ofData(CuratorFramework client, ConnectionState state) {}
                        }
                        """,
                        """
                        import io.quorate.ElectionClient;
                        import io.quorate.LeaderLatch;
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.state.ConnectionState;
                        import org.apache.curator.framework.state.ConnectionStateListener;

                        class A {
                            static class OfElections implements io.quorate.ConnectionStateListener {
                                public void stateChanged(ElectionClient client, io.quorate.ConnectionState state) {}
                            }

                            static class Special extends OfElections {}

                            static class OfData implements ConnectionStateListener {
                                public void stateChanged(CuratorFramework client, ConnectionState state) {
                                    client.getChildren();
                                }
                            }

                            void all(ElectionClient elects, CuratorFramework data) {
                                new LeaderLatch(elects, "/leader");
                                elects.getConnectionStateListenable().addListener(new Special());
                                elects.getConnectionStateListenable().addListener((ElectionClient c, io.quorate.ConnectionState s) -> {});
                                elects.getConnectionStateListenable().addListener(this::ofElections);
                                data.getConnectionStateListenable().addListener(new OfData());
                                data.getConnectionStateListenable().addListener(this::ofData);
                            }

                            void ofElections(ElectionClient client, io.quorate.ConnectionState state) {}

                            void ofData(CuratorFramework client, ConnectionState state) {}
                        }
                        """));
    }

    // ---------------------------------------------------------------- marks

    @Test
    void codeThatNoLongerCompilesIsMarkedOnce() {
        String marked =
                """
                import io.quorate.ElectionClient;
                import io.quorate.LeaderLatch;
                import org.apache.curator.framework.CuratorFrameworkFactory;
                import org.apache.curator.retry.RetryForever;
                import java.util.concurrent.ExecutorService;
                import java.util.concurrent.ScheduledThreadPoolExecutor;

                class A {
                    ElectionClient client = %sCuratorFrameworkFactory.newClient("a:1", new RetryForever(1));
                    LeaderLatch latch = new LeaderLatch(%sclient.usingNamespace("a"), "/leader");
                    ExecutorService threads = new ScheduledThreadPoolExecutor(1, Thread::new);
                }
                """
                        .formatted(
                                marked("write ElectionClient.builder().nodeId(...).peers(...).build() instead"),
                                marked("ElectionClient has no such method"));
        rewriteRun(java(
                """
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.CuratorFrameworkFactory;
                        import org.apache.curator.framework.recipes.leader.LeaderLatch;
                        import org.apache.curator.retry.RetryForever;
                        import java.util.concurrent.ExecutorService;
                        import java.util.concurrent.ScheduledThreadPoolExecutor;

                        class A {
                            CuratorFramework client = CuratorFrameworkFactory.newClient("a:1", new RetryForever(1));
                            LeaderLatch latch = new LeaderLatch(client.usingNamespace("a"), "/leader");
                            ExecutorService threads = new ScheduledThreadPoolExecutor(1, Thread::new);
                        }
                        """,
                marked));
    }

    // ---------------------------------------------------------------- what stays

    @Test
    void filesOfDataClientsAndCompanionsStay() {
        rewriteRun(
                java(
                        """
                        package io.quorate.tandem;

                        public interface Companion {}
                        """),
                java(
                        """
                        import io.quorate.tandem.Companion;
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.recipes.leader.LeaderLatch;

                        class Old implements Companion {
                            Old(CuratorFramework client) {
                                new LeaderLatch(client, "/leader");
                            }
                        }
                        """),
                java(
                        """
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.recipes.leader.LeaderLatch;

                        class Older extends Old {
                            Older(CuratorFramework client) {
                                super(client);
                                new LeaderLatch(client, "/other");
                            }
                        }
                        """),
                java(
                        """
                        import org.apache.curator.framework.CuratorFramework;

                        class UsesOld {
                            Old old(CuratorFramework client) {
                                return new Old(client);
                            }
                        }
                        """),
                java(
                        """
                        package org.apache.curator.framework.recipes.leader;

                        class Inside {
                            LeaderLatch latch;
                        }
                        """),
                java(
                        """
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.recipes.cache.CuratorCache;
                        import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
                        import org.apache.curator.framework.recipes.cache.PathChildrenCache;
                        import org.apache.curator.framework.recipes.cache.PathChildrenCacheListener;
                        import org.apache.zookeeper.Watcher;

                        class Data {
                            void watch(CuratorFramework client, Watcher watcher) throws Exception {
                                CuratorCache cache = CuratorCache.build(client, "/a");
                                PathChildrenCacheListener listener = (source, event) -> {};
                                cache.listenable().addListener(
                                        CuratorCacheListener.builder().forPathChildrenCache("/a", client, listener).build());
                                client.getChildren().usingWatcher(watcher).forPath("/a");
                                new Listeners().all(client.getCuratorListenable());
                                client.usingNamespace("a").delete();
                            }
                        }
                        """),
                java(
                        """
                        import org.apache.curator.framework.listen.Listenable;
                        import org.apache.curator.framework.recipes.cache.PathChildrenCache;
                        import org.apache.curator.framework.recipes.cache.PathChildrenCacheListener;

                        class Caches {
                            Listenable<PathChildrenCacheListener> of(PathChildrenCache cache) {
                                return cache.getListenable();
                            }
                        }
                        """),
                java(
                        """
                        import org.apache.curator.framework.api.CuratorListener;
                        import org.apache.curator.framework.listen.Listenable;

                        class Listeners {
                            void all(Listenable<CuratorListener> all) {}
                        }
                        """),
                java(
                        """
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.state.ConnectionState;
                        import org.apache.curator.framework.state.ConnectionStateListener;

                        class OfData implements ConnectionStateListener {
                            public void stateChanged(CuratorFramework client, ConnectionState state) {
                                client.getACL();
                            }
                            public boolean doNotProxy() {
                                return true;
                            }
                        }
                        """),
                java(
                        """
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.imps.CuratorFrameworkState;

                        abstract class Fake implements CuratorFramework {
                            public CuratorFrameworkState getState() {
                                return CuratorFrameworkState.LATENT;
                            }
                        }
                        """));
    }

    // ---------------------------------------------------------------- libraries and other packages

    // Such as the ZookeeperCuratorLockProvider of ShedLock.
    @Test
    void aClientThatALibraryTakesStays() {
        rewriteRun(
                java(
                        """
                import lib.LockProvider;
                import org.apache.curator.framework.CuratorFramework;

                class Locks {
                    LockProvider locks(CuratorFramework client) {
                        return new LockProvider(client);
                    }
                }
                """));
    }

    @Test
    void anOverrideOfALibraryStays() {
        rewriteRun(
                java(
                        """
                import lib.Customizer;
                import org.apache.curator.framework.CuratorFramework;

                class Custom implements Customizer {
                    @Override
                    public void customize(CuratorFramework client) {}
                }
                """));
    }

    @Test
    void anOverrideOfALibraryWithAListOfClientsStays() {
        rewriteRun(
                java(
                        """
                        import java.util.List;
                        import lib.Batch;
                        import org.apache.curator.framework.CuratorFramework;

                        class Custom implements Batch {
                            @Override
                            public void customize(List<CuratorFramework> clients) {}
                        }
                        """));
    }

    @Test
    void aTypeVariableMayBoundItself() {
        rewriteRun(
                java(
                        """
                        import java.util.Collections;
                        import java.util.List;
                        import org.apache.curator.framework.CuratorFramework;

                        class Sorted {
                            <T extends Comparable<T>> void sort(List<T> all, List raw, CuratorFramework client) throws Exception {
                                Collections.sort(all);
                                Collections.sort(raw);
                                client.create().forPath("/x");
                            }
                        }
                        """));
    }

    @Test
    void aSelectorThatGetsItsDataFromTheClientIsMarked() {
        rewriteRun(
                java(
                        """
                import org.apache.curator.framework.CuratorFramework;
                import org.apache.curator.framework.recipes.leader.LeaderSelectorListenerAdapter;

                class Sync extends LeaderSelectorListenerAdapter {
                    @Override
                    public void takeLeadership(CuratorFramework client) throws Exception {
                        client.setData().forPath("/leader", new byte[0]);
                    }
                }
                """,
                        """
                import io.quorate.LeaderSelectorListenerAdapter;
                import org.apache.curator.framework.CuratorFramework;

                class Sync extends LeaderSelectorListenerAdapter {
                    /*~~(Quorate: a client of Curator is needed here)~~>*/@Override
                    public void takeLeadership(CuratorFramework client) throws Exception {
                        client.setData().forPath("/leader", new byte[0]);
                    }
                }
                """));
    }

    @Test
    void aClientInAnArrayForALibraryStays() {
        rewriteRun(
                java(
                        """
                        import lib.LockProvider;
                        import org.apache.curator.framework.CuratorFramework;

                        class Locks {
                            void locks(CuratorFramework client) {
                                LockProvider.all(client);
                            }
                        }
                        """));
    }

    // An overload that takes a client says nothing about this one.
    @Test
    void aClientThatALibraryTakesAsAnObjectFollowsItsElection() {
        rewriteRun(
                java(
                        """
                        import lib.LockProvider;
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.recipes.leader.LeaderLatch;

                        class Locks {
                            Locks(CuratorFramework client) {
                                new LeaderLatch(client, "/x");
                                new LockProvider(client, 1);
                            }
                        }
                        """,
                        """
                        import io.quorate.ElectionClient;
                        import io.quorate.LeaderLatch;
                        import lib.LockProvider;

                        class Locks {
                            Locks(ElectionClient client) {
                                new LeaderLatch(client, "/x");
                                new LockProvider(client, 1);
                            }
                        }
                        """));
    }

    // Quorate has a class Profile too.
    @Test
    void importsOnDemandStayUnambiguous() {
        rewriteRun(
                java("package cfg; public class Profile {}"),
                java(
                        """
                        import cfg.*;
                        import org.apache.curator.framework.recipes.leader.*;

                        class A {
                            Profile profile;
                            LeaderLatch latch;
                        }
                        """,
                        """
                        import cfg.*;
                        import io.quorate.LeaderLatch;

                        class A {
                            Profile profile;
                            LeaderLatch latch;
                        }
                        """));
    }
}
