package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderObserver;
import io.quorate.core.settings.NodeSettings;
import io.quorate.engine.PathView;
import io.quorate.runtime.TermStore;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Membership;
import io.quorate.spi.NodeId;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.VirtualNetwork.Trouble;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever is cut, and for however long: no collection of a node grows with the number of contenders, paths, watches and
 * elections that have come and gone. Three voters and a node that only contends, in virtual time.
 */
class LeftoversTest {

    private static final List<NodeId> VOTERS = List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3"));
    private static final NodeId VOTER = VOTERS.get(2);
    private static final NodeId CONTENDER = new NodeId("c4");
    private static final List<NodeId> NODES = List.of(VOTERS.get(0), VOTERS.get(1), VOTER, CONTENDER);
    private static final String SHARED = "/shared";

    /**
     * So often everything is opened and closed between two counts. The sample has 64, because a list keeps up to 64
     * empty places, and another number counts them at another height of its saw.
     */
    private static final int ROUNDS = Effort.of(400, 64);

    /** With the driver and clients, as often as is quick. */
    private static final int ROUNDS_OF_CLIENTS = Effort.of(150, 64);

    /** Places that are kept until half of them are empty, and what happens to be under way. */
    private static final int SLACK = Effort.of(100, 50);

    /** Longer than anything is kept of the silent: ten support times. */
    private static final long REST_MILLIS = 12_000;

    /** What does not work while things come and go. */
    enum Cut {
        NOTHING,
        LOSSY,
        VOTER_DEAD,
        VOTER_PAUSED,
        VOTER_WITH_A_FULL_DISK,
        VOTER_MUTE,
        VOTER_DEAF,
        VOTER_CUT_OFF,
        LINK_FROM_A_VOTER,
        LINK_TO_A_VOTER,
        LINK_BOTH_WAYS,
        CONTENDER_CUT_OFF,
        ALL_LINKS
    }

    /** Of one node, over all its lives. */
    private static final class Disk implements TermStore {
        private final LastingTerms terms = new LastingTerms();
        private boolean isFull;

        @Override
        public boolean isDurable() {
            return true;
        }

        @Override
        public Stored open() {
            return terms.open();
        }

        @Override
        public void store(Stored stored) throws IOException {
            if (isFull) {
                throw new IOException("no space left on device");
            }
            terms.store(stored);
        }

        @Override
        public void close() {
            terms.close();
        }
    }

    private interface Contention {
        void close() throws IOException;
    }

    /** The applications of a cluster: of nodes of the core alone, or of clients over the driver. */
    private abstract static class Applications {
        final VirtualCluster cluster;
        final Map<NodeId, Disk> disks = new LinkedHashMap<>();
        private final List<Runnable> cures = new ArrayList<>();

        Applications(ElectionAlgorithm algorithm) {
            cluster = new VirtualCluster(5, algorithm);
            for (NodeId node : NODES) {
                add(VirtualCluster.settings(node, VOTERS));
            }
        }

        abstract void add(NodeSettings settings);

        abstract Contention open(NodeId node, String path) throws Exception;

        abstract Contention watch(NodeId node, String path);

        abstract void restart(NodeId node);

        abstract void diskIsFull(boolean isFull);

        abstract void advance(long millis);

        abstract Collection<?> roots();

        abstract List<NodeId> seenOnShared(NodeId node);

        void begin(Cut cut) {
            switch (cut) {
                case NOTHING -> {}
                case LOSSY -> trouble(NODES, NODES, Trouble.LOSS, 20);
                case VOTER_DEAD -> cluster.crash(VOTER);
                case VOTER_PAUSED -> cluster.pause(VOTER);
                case VOTER_WITH_A_FULL_DISK -> diskIsFull(true);
                case VOTER_MUTE -> trouble(List.of(VOTER), NODES, Trouble.CUT, 1);
                case VOTER_DEAF -> trouble(NODES, List.of(VOTER), Trouble.CUT, 1);
                case VOTER_CUT_OFF -> {
                    trouble(List.of(VOTER), NODES, Trouble.CUT, 1);
                    trouble(NODES, List.of(VOTER), Trouble.CUT, 1);
                }
                case LINK_FROM_A_VOTER -> trouble(List.of(VOTER), List.of(CONTENDER), Trouble.CUT, 1);
                case LINK_TO_A_VOTER -> trouble(List.of(CONTENDER), List.of(VOTER), Trouble.CUT, 1);
                case LINK_BOTH_WAYS -> {
                    trouble(List.of(VOTER), List.of(CONTENDER), Trouble.CUT, 1);
                    trouble(List.of(CONTENDER), List.of(VOTER), Trouble.CUT, 1);
                }
                case CONTENDER_CUT_OFF -> {
                    trouble(List.of(CONTENDER), NODES, Trouble.CUT, 1);
                    trouble(NODES, List.of(CONTENDER), Trouble.CUT, 1);
                }
                case ALL_LINKS -> trouble(NODES, NODES, Trouble.CUT, 1);
            }
        }

        private void trouble(List<NodeId> froms, List<NodeId> tos, Trouble trouble, int amount) {
            for (NodeId from : froms) {
                for (NodeId to : tos) {
                    if (!from.equals(to)) {
                        cluster.network().trouble(from, to, trouble, amount);
                        cures.add(() -> cluster.network().trouble(from, to, trouble, -amount));
                    }
                }
            }
        }

        void end(Cut cut) {
            cures.forEach(Runnable::run);
            diskIsFull(false);
            if (cut == Cut.VOTER_PAUSED) {
                cluster.resume(VOTER);
            } else if (cut == Cut.VOTER_DEAD) {
                restart(VOTER);
            }
        }

        static List<NodeId> nodes(PathView view) {
            return view.contenders().stream().map(PathView.Entry::node).sorted().toList();
        }

        boolean isRunning(NodeId node) {
            return cluster.process(node).isRunning() && !cluster.process(node).isPaused();
        }
    }

    private static final class Cores extends Applications {

        Cores(ElectionAlgorithm algorithm) {
            super(algorithm);
            NODES.forEach(cluster::start);
        }

        @Override
        void add(NodeSettings settings) {
            cluster.add(settings);
        }

        @Override
        void diskIsFull(boolean isFull) {
            cluster.diskIsFull(VOTER, isFull);
        }

        @Override
        Contention open(NodeId node, String path) {
            int number = cluster.contend(node, path);
            return () -> cluster.withdraw(node, number);
        }

        @Override
        Contention watch(NodeId node, String path) {
            cluster.process(node).watch(path, true);
            return () -> cluster.process(node).watch(path, false);
        }

        @Override
        void restart(NodeId node) {
            cluster.start(node);
        }

        @Override
        void advance(long millis) {
            cluster.advance(millis);
        }

        @Override
        Collection<?> roots() {
            return NODES.stream().filter(this::isRunning).map(cluster::node).toList();
        }

        @Override
        List<NodeId> seenOnShared(NodeId node) {
            return nodes(cluster.view(node, SHARED).orElse(PathView.EMPTY));
        }
    }

    private static final class ClientsOverDrivers extends Applications {
        private final SimulatedWorld world = new SimulatedWorld(cluster);
        private final Map<NodeId, SimulatedEngine> engines = new LinkedHashMap<>();
        private final Map<NodeId, ElectionClient> clients = new LinkedHashMap<>();

        ClientsOverDrivers(ElectionAlgorithm algorithm) {
            super(algorithm);
            NODES.forEach(this::restart);
        }

        // Called by the constructor of the superclass, before the fields of this one are there.
        @Override
        void add(NodeSettings settings) {
            Disk own = new Disk();
            disks.put(settings.self(), own);
            cluster.addDriver(settings, () -> own);
        }

        @Override
        void diskIsFull(boolean isFull) {
            disks.get(VOTER).isFull = isFull;
        }

        @Override
        void begin(Cut cut) {
            if (cut == Cut.VOTER_DEAD) {
                engines.get(VOTER).crash();
                clients.get(VOTER).close();
            } else {
                super.begin(cut);
            }
        }

        @Override
        void restart(NodeId node) {
            SimulatedEngine engine = new SimulatedEngine(world, cluster.process(node), (DriverHost)
                    cluster.process(node).host());
            engines.put(node, engine);
            clients.put(node, Clients.over(engine));
            clients.get(node).start();
        }

        @Override
        Contention open(NodeId node, String path) throws Exception {
            LeaderLatch latch = new LeaderLatch(clients.get(node), path, node.value());
            latch.start();
            return latch::close;
        }

        @Override
        Contention watch(NodeId node, String path) {
            LeaderObserver observer = new LeaderObserver(clients.get(node), path);
            observer.start();
            return observer::close;
        }

        @Override
        void advance(long millis) {
            world.advanceTo(world.now() + millis * VirtualTime.MILLI);
        }

        @Override
        Collection<?> roots() {
            return NODES.stream().filter(this::isRunning).map(clients::get).toList();
        }

        @Override
        List<NodeId> seenOnShared(NodeId node) {
            CompletableFuture<PathView> view = engines.get(node).view(SHARED).toCompletableFuture();
            advance(100);
            return nodes(view.getNow(PathView.EMPTY));
        }
    }

    // ---------------------------------------------------------------- what comes and goes

    private int opened;

    /** Contenders on a path that stays and on new ones, watches, and paths on which those who are left elect. */
    private void openAndClose(Applications applications, int rounds) throws Exception {
        Deque<Contention> open = new ArrayDeque<>();
        for (int round = 0; round < rounds; round++) {
            String path = "/round/" + opened++;
            for (NodeId node : NODES) {
                if (applications.isRunning(node)) {
                    open.add(applications.open(node, SHARED));
                    open.add(applications.open(node, path + "/of/" + node));
                    open.add(applications.open(node, path));
                    open.add(applications.watch(node, path + "/watched"));
                }
            }
            applications.advance(50);
            // In the order in which they came, so that leaders go before those who wait.
            while (open.size() > 4 * 3 * NODES.size()) {
                open.remove().close();
            }
        }
        for (Contention last : open) {
            last.close();
        }
        applications.advance(REST_MILLIS);
    }

    private static String name(String grown) {
        return grown.substring(0, grown.indexOf(": "));
    }

    private List<String> grown(Applications applications, int rounds) throws Exception {
        Holdings before = Holdings.of(applications.roots());
        openAndClose(applications, rounds);
        return Holdings.of(applications.roots()).grownSince(before, SLACK);
    }

    private void assertNothingGrows(Applications applications, Cut cut, int rounds) throws Exception {
        applications.advance(1500);
        List<Contention> staying = new ArrayList<>();
        for (NodeId node : NODES) {
            staying.add(applications.open(node, SHARED));
        }
        staying.add(applications.watch(NODES.get(1), "/shared/watched"));
        openAndClose(applications, 20);
        applications.begin(cut);
        openAndClose(applications, rounds);
        List<String> grown = grown(applications, rounds);
        if (!grown.isEmpty()) {
            // If messages are lost, a saw is counted at another height each time. A leak grows in these rounds too.
            List<String> again = grown(applications, rounds);
            grown.removeIf(
                    field -> again.stream().noneMatch(other -> name(other).equals(name(field))));
        }
        assertThat(grown).as("%s, %d rounds, twice", cut, rounds).isEmpty();
        applications.end(cut);
        applications.advance(REST_MILLIS);
        List<NodeId> contending = cut == Cut.VOTER_DEAD
                ? NODES.stream().filter(n -> !n.equals(VOTER)).sorted().toList()
                : NODES.stream().sorted().toList();
        for (NodeId node : contending) {
            assertThat(applications.seenOnShared(node))
                    .as("seen by %s after %s", node, cut)
                    .isEqualTo(contending);
        }
    }

    /** A sample has few, because clients run the others, and have the same cores inside. */
    static Set<Cut> cutsOfCores() {
        return Effort.isWhole()
                ? EnumSet.allOf(Cut.class)
                : EnumSet.of(Cut.NOTHING, Cut.LOSSY, Cut.VOTER_WITH_A_FULL_DISK, Cut.CONTENDER_CUT_OFF);
    }

    @ParameterizedTest
    @MethodSource("cutsOfCores")
    void noCollectionOfANodeGrows(Cut cut) throws Exception {
        assertNothingGrows(new Cores(new HighestUp()), cut, ROUNDS);
    }

    /** A sample leaves out some that the cores of a sample have, but not the most common ones. */
    static Set<Cut> cutsOfClients() {
        return Effort.isWhole()
                ? EnumSet.allOf(Cut.class)
                : EnumSet.complementOf(EnumSet.of(Cut.VOTER_WITH_A_FULL_DISK, Cut.CONTENDER_CUT_OFF));
    }

    @ParameterizedTest
    @MethodSource("cutsOfClients")
    void noCollectionOfAClientGrows(Cut cut) throws Exception {
        assertNothingGrows(new ClientsOverDrivers(new HighestUp()), cut, ROUNDS_OF_CLIENTS);
    }

    // ---------------------------------------------------------------- that it can fail

    /** Keeps something of each election. */
    private static final class Hoarder extends HighestUp {
        private final List<Timing> elections = new ArrayList<>();

        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            elections.add(timing);
            return super.create(membership, timing, options);
        }
    }

    @Test
    void leftoversOfElectionsAreFound() {
        assertThatThrownBy(() -> assertNothingGrows(new Cores(new Hoarder()), Cut.NOTHING, ROUNDS))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("LeftoversTest$Hoarder.elections: ");
    }
}
