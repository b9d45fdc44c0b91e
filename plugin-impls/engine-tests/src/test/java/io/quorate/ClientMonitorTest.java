package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.quorate.engine.Connection;
import io.quorate.spi.NodeId;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.DriverHost;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.SimulatedEngine;
import io.quorate.testkit.simulation.SimulatedWorld;
import io.quorate.testkit.simulation.VirtualCluster;
import io.quorate.testkit.simulation.VirtualProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a monitor hears of a client. */
class ClientMonitorTest {

    private static final String PATH = "/app/leader";
    private static final Duration LEASE = Profile.DEFAULT.supportDuration();
    private static final Duration HEARTBEAT = Profile.DEFAULT.heartbeat();

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));

    private final List<Recorder> recorders = new ArrayList<>();

    @AfterEach
    void close() {
        cluster.close();
        assertThat(recorders).allSatisfy(recorder -> assertThat(recorder.wrong).isEmpty());
    }

    /** Keeps what it hears. */
    private static final class Recorder implements ClientMonitor {
        private final List<String> events = new CopyOnWriteArrayList<>();
        private final List<Duration> renewals = new CopyOnWriteArrayList<>();
        private final List<Duration> stalls = new CopyOnWriteArrayList<>();
        private final Map<String, Long> dropped = new TreeMap<>();
        /** What it was told last of each path. */
        private final Map<String, Optional<Leader>> told = new TreeMap<>();
        /** Where a former leader was not the one that it was told last. */
        private final List<String> wrong = new CopyOnWriteArrayList<>();

        @Override
        public void connectionChanged(ConnectionState state, String reason) {
            assertThat(reason).isNotEmpty();
            events.add(state.name());
        }

        @Override
        public void leaderChanged(String path, Optional<Leader> former, Optional<Leader> leader) {
            Optional<Leader> last = told.put(path, leader);
            checkFormer(path, former, last == null ? Optional.empty() : last);
            events.add(path + " "
                    + leader.map(known -> known.id() + "@" + known.node() + ":" + known.token())
                            .orElse("nobody"));
        }

        @Override
        public void forgotten(String path, Optional<Leader> former) {
            checkFormer(path, former, told.getOrDefault(path, Optional.empty()));
            told.remove(path);
            events.add("forgotten " + path);
        }

        private void checkFormer(String path, Optional<Leader> former, Optional<Leader> last) {
            if (!former.equals(last)) {
                wrong.add(path + ": " + former + " in place of " + last);
            }
        }

        @Override
        public void leads(String path, long token) {
            events.add("leads " + path + ":" + token);
        }

        @Override
        public void leadsNoMore(String path, long token, String reason) {
            events.add("leads no more " + path + ":" + token + ", " + reason);
        }

        @Override
        public void supportersChanged(List<String> supporters) {
            events.add("supporters " + supporters);
        }

        @Override
        public void voterHeard(String voter, boolean isHeard) {
            events.add((isHeard ? "hears " : "does not hear ") + voter);
        }

        @Override
        public void voterLeft(String voter) {
            events.add("left: " + voter);
        }

        @Override
        public void supportRenewed(Duration left) {
            renewals.add(left);
        }

        @Override
        public void stalled(Duration late) {
            stalls.add(late);
        }

        @Override
        public void framesDropped(String reason, long count) {
            dropped.put(reason, count);
        }

        @Override
        public void callbackReturned(String path, String callback, Duration took, boolean hasThrown) {
            events.add(path + " " + callback + " " + took.toMillis() + (hasThrown ? " thrown" : ""));
        }

        @Override
        public void stopped(String reason) {
            events.add("stopped: " + reason);
        }

        /** What was heard since the last time. */
        private List<String> take() {
            List<String> taken = new ArrayList<>(events);
            events.clear();
            return taken;
        }
    }

    private Recorder monitor(String node) {
        Recorder recorder = new Recorder();
        cluster.client(node).addMonitor(recorder);
        recorders.add(recorder);
        return recorder;
    }

    private LeaderLatch latch(String node, String path) throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client(node), path, "on " + node);
        latch.start();
        return latch;
    }

    private long token() {
        return cluster.client(cluster.leader(PATH).orElseThrow())
                .health()
                .leads()
                .get(PATH);
    }

    private void awaitEvent(Recorder recorder, String event) {
        cluster.awaitUntil(event, () -> recorder.events.contains(event));
    }

    @Test
    void aMonitorFollowsTheLeadersOfAPath() throws Exception {
        Recorder follower = monitor("n2");
        Recorder first = monitor("n1");
        latch("n2", PATH);
        cluster.awaitLeader(PATH);
        assertThat(follower.events)
                .containsSubsequence(
                        PATH + " nobody", "CONNECTED", "leads " + PATH + ":" + token(), PATH + " on n2@n2:" + token());
        latch("n1", PATH);
        cluster.advance(LEASE);
        long before = token();
        first.take();
        cluster.crash("n2");
        cluster.awaitLeader(PATH);
        assertThat(token()).isGreaterThan(before);
        assertThat(first.take())
                // That nobody leads it may hear in between, or not at all: the successor may lead before it is told.
                .containsSubsequence("does not hear n2", "leads " + PATH + ":" + token())
                .contains(PATH + " on n1@n1:" + token(), "supporters [n1, n3]")
                .noneMatch(event -> event.startsWith("stopped"));
    }

    @Test
    void aLateMonitorHearsHowThingsAre() throws Exception {
        latch("n1", PATH);
        cluster.awaitLeader(PATH);
        latch("n1", "/other");
        cluster.awaitLeader("/other");
        cluster.advance(LEASE);
        Recorder early = monitor("n1");
        early.take();
        Recorder late = monitor("n1");
        String led = PATH + ":" + token();
        assertThat(late.take())
                .containsExactlyInAnyOrder(
                        "CONNECTED",
                        "supporters [n1, n2, n3]",
                        "leads " + led,
                        PATH + " on n1@n1:" + token(),
                        "leads /other:" + cluster.client("n1").health().leads().get("/other"),
                        "/other on n1@n1:"
                                + cluster.client("n1").health().leads().get("/other"),
                        "hears n1",
                        "hears n2",
                        "hears n3");
        assertThat(late.dropped).containsEntry("other-secret", 0L).containsEntry("unread", 0L);
        assertThat(late.dropped.values()).allMatch(count -> count == 0);
        assertThat(early.take()).as("of what is no news").isEmpty();
        cluster.crash("n3");
        awaitEvent(late, "supporters [n1, n2]");
        assertThat(early.take()).isEqualTo(late.take()).contains("does not hear n3");
    }

    @Test
    void anEndHasItsReason() throws Exception {
        LeaderLatch latch = latch("n1", PATH);
        cluster.awaitLeader(PATH);
        latch("n2", PATH);
        cluster.advance(LEASE);
        Recorder recorder = monitor("n1");
        long token = token();
        recorder.take();
        latch.resign();
        cluster.awaitLeaderOtherThan("n1", PATH);
        cluster.advance(LEASE);
        assertThat(recorder.take())
                .contains("leads no more " + PATH + ":" + token + ", it resigned", PATH + " on n2@n2:" + token());
        cluster.isolate("n1");
        awaitEvent(recorder, "LOST");
        assertThat(recorder.take())
                .containsSubsequence("SUSPENDED", "LOST")
                .contains("supporters [n1]", "does not hear n2", "does not hear n3");
        cluster.heal();
        awaitEvent(recorder, "RECONNECTED");
        awaitEvent(recorder, "hears n2");
        awaitEvent(recorder, "hears n3");
    }

    private void changeVoters(long number, String... voters) {
        CompletableFuture<Voters> change =
                cluster.client("n1").changeVoters(number, voters).toCompletableFuture();
        cluster.awaitUntil("the voters are " + List.of(voters), change::isDone);
        assertThat(change).isCompleted();
    }

    @Test
    void votersComeAndGo() {
        Recorder recorder = monitor("n1");
        awaitEvent(recorder, "hears n3");
        recorder.take();
        changeVoters(1, "n1", "n2");
        cluster.advance(LEASE);
        assertThat(recorder.take())
                .containsSubsequence("does not hear n3", "left: n3")
                .doesNotContain("hears n3", "left: n1", "left: n2");
        Recorder late = monitor("n1");
        assertThat(late.take()).contains("hears n2").noneMatch(event -> event.endsWith("n3"));
        changeVoters(2, "n1", "n2", "n3");
        awaitEvent(recorder, "hears n3");
        cluster.crash("n3");
        awaitEvent(recorder, "does not hear n3");
        recorder.take();
        changeVoters(3, "n1", "n2");
        assertThat(recorder.take()).contains("left: n3").doesNotContain("does not hear n3");
    }

    @Test
    void anObservedPathIsFollowedTooUntilNobodyUsesIt() throws Exception {
        latch("n1", PATH);
        cluster.awaitLeader(PATH);
        Recorder recorder = monitor("n2");
        LeaderObserver observer = new LeaderObserver(cluster.client("n2"), PATH);
        observer.start();
        awaitEvent(recorder, PATH + " on n1@n1:" + token());
        LeaderLatch latch = latch("n2", PATH);
        cluster.advance(LEASE);
        observer.close();
        cluster.advance(LEASE);
        assertThat(recorder.events).doesNotContain("forgotten " + PATH);
        latch.close();
        awaitEvent(recorder, "forgotten " + PATH);
        recorder.take();
        cluster.crash("n1");
        cluster.advance(LEASE.multipliedBy(3));
        assertThat(recorder.events).noneMatch(event -> event.startsWith(PATH));
    }

    // So a monitor of very many paths need not remember who led each of them.
    @Test
    void aChangeNamesTheFormerLeader() throws Exception {
        LeaderLatch latch = latch("n1", PATH);
        cluster.awaitLeader(PATH);
        latch("n2", PATH);
        cluster.advance(LEASE);
        List<String> formers = new ArrayList<>();
        cluster.client("n1").addMonitor(new ClientMonitor() {
            @Override
            public void leaderChanged(String path, Optional<Leader> former, Optional<Leader> leader) {
                formers.add(former.map(Leader::node).orElse("nobody") + " to "
                        + leader.map(Leader::node).orElse("nobody"));
            }

            @Override
            public void forgotten(String path, Optional<Leader> former) {
                formers.add(former.map(Leader::node).orElse("nobody") + " to oblivion");
            }
        });
        monitor("n1");
        latch.resign();
        cluster.awaitLeaderOtherThan("n1", PATH);
        cluster.advance(LEASE);
        latch.close();
        cluster.advance(LEASE);
        assertThat(formers).startsWith("nobody to n1").endsWith("n2 to oblivion");
        for (int i = 1; i < formers.size(); i++) {
            assertThat(formers.get(i)).startsWith(formers.get(i - 1).replaceAll(".* to ", "") + " to ");
        }
    }

    @Test
    void renewalsTellHowNearTheLossWas() throws Exception {
        latch("n1", PATH);
        cluster.awaitLeader(PATH);
        cluster.advance(LEASE);
        Recorder recorder = monitor("n1");
        cluster.advance(LEASE.multipliedBy(4));
        assertThat(recorder.renewals).hasSizeBetween(15, 25);
        // Each heartbeat renews it: nearly the whole support less one heartbeat is left.
        assertThat(recorder.renewals).allMatch(left -> left.compareTo(LEASE.dividedBy(2)) > 0);
        recorder.renewals.clear();
        cluster.pause("n1");
        cluster.advance(HEARTBEAT.multipliedBy(2));
        cluster.resume("n1");
        cluster.advance(HEARTBEAT.multipliedBy(2));
        assertThat(recorder.renewals).anyMatch(left -> left.compareTo(LEASE.dividedBy(2)) < 0);
        assertThat(recorder.stalls).singleElement().satisfies(late -> assertThat(late)
                .isBetween(HEARTBEAT, HEARTBEAT.multipliedBy(2)));
    }

    @Test
    void callbacksAreTimed() throws Exception {
        FakeEngine engine = new FakeEngine();
        engine.callbacksOn(Runnable::run);
        ElectionClient client = Clients.over(engine);
        Recorder recorder = new Recorder();
        client.addMonitor(recorder);
        client.start();
        client.getConnectionStateListenable()
                .addListener((source, state) -> engine.clock().advance(Duration.ofMillis(3)));
        engine.connect(Connection.CONNECTED);
        LeaderLatch latch = new LeaderLatch(client, PATH);
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                engine.clock().advance(Duration.ofMillis(20));
            }

            @Override
            public void notLeader() {
                throw new IllegalStateException("as the test wants");
            }
        });
        latch.start();
        engine.last().grant(1);
        engine.last().end();
        client.close();
        assertThat(recorder.events)
                .containsExactly(" stateChanged 3", PATH + " isLeader 20", PATH + " notLeader 0 thrown");
    }

    @Test
    void aMonitorThatThrowsHearsNothingMoreAndHarmsNobody() throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        cluster.client("n1").addMonitor(new ClientMonitor() {
            @Override
            public void leads(String path, long token) {
                heard.add(path);
                throw new IllegalStateException("as the test wants");
            }

            @Override
            public void leaderChanged(String path, Optional<Leader> former, Optional<Leader> leader) {
                heard.add("changed");
            }
        });
        Recorder other = monitor("n1");
        latch("n1", PATH);
        cluster.awaitLeader(PATH);
        latch("n1", "/other");
        cluster.awaitLeader("/other");
        assertThat(heard).containsExactly("changed", PATH);
        assertThat(other.events).anyMatch(event -> event.startsWith("leads /other:"));
    }

    // Neither what it is told first nor what follows costs others anything.
    @Test
    void aMonitorThatThrowsAtOnceLeavesTheOthersAsTheyWere() throws Exception {
        latch("n1", PATH);
        cluster.awaitLeader(PATH);
        latch("n1", "/other");
        cluster.awaitLeader("/other");
        cluster.advance(LEASE);
        Recorder other = monitor("n1");
        other.take();
        cluster.client("n1").addMonitor(new ClientMonitor() {
            @Override
            public void leaderChanged(String path, Optional<Leader> former, Optional<Leader> leader) {
                throw new IllegalStateException("as the test wants");
            }
        });
        cluster.client("n1").addMonitor(new ClientMonitor() {
            @Override
            public void connectionChanged(ConnectionState state, String reason) {
                throw new IllegalStateException("as the test wants");
            }
        });
        cluster.advance(LEASE);
        assertThat(other.take()).isEmpty();
        assertThat(cluster.client("n1").failure()).isEmpty();
        cluster.crash("n3");
        awaitEvent(other, "supporters [n1, n2]");
        assertThat(other.take()).noneMatch(event -> event.contains("/"));
    }

    @Test
    void aMonitorThatHasThrownCanBeRemoved() throws Exception {
        FakeEngine engine = new FakeEngine();
        engine.callbacksOn(Runnable::run);
        ElectionClient client = Clients.over(engine);
        List<String> heard = new ArrayList<>();
        ClientMonitor throwing = new ClientMonitor() {
            @Override
            public void callbackReturned(String path, String callback, Duration took, boolean hasThrown) {
                heard.add(callback);
                throw new IllegalStateException("as the test wants");
            }
        };
        client.addMonitor(throwing);
        client.start();
        client.getConnectionStateListenable().addListener((source, state) -> {});
        engine.connect(Connection.CONNECTED);
        engine.connect(Connection.SUSPENDED);
        assertThat(heard).containsExactly("stateChanged");
        client.removeMonitor(throwing);
        assertThat(engine.monitors()).isEmpty();
        client.close();
    }

    @Test
    void removedMonitorIsNotCalledAgain() throws Exception {
        Recorder removed = monitor("n1");
        Recorder stays = monitor("n1");
        cluster.client("n1").addMonitor(stays);
        cluster.client("n1").removeMonitor(removed);
        cluster.client("n1").removeMonitor(new Recorder());
        removed.take();
        latch("n1", PATH);
        cluster.awaitLeader(PATH);
        assertThat(removed.events).isEmpty();
        assertThat(stays.events)
                .filteredOn(event -> event.equals("leads " + PATH + ":" + token()))
                .hasSize(1);
        ElectionClient client = cluster.client("n1");
        assertThatNullPointerException().isThrownBy(() -> client.addMonitor(null));
        assertThatNullPointerException().isThrownBy(() -> client.removeMonitor(null));
    }

    @Test
    void theEndIsTheLastThatIsHeard() throws Exception {
        latch("n1", PATH);
        cluster.awaitLeader(PATH);
        Recorder recorder = monitor("n1");
        long token = token();
        cluster.client("n1").close();
        assertThat(recorder.events).contains("leads no more " + PATH + ":" + token + ", its client was closed");
        assertThat(recorder.events).endsWith("stopped: it is closed");
        recorder.take();
        cluster.client("n1").addMonitor(recorder);
        cluster.advance(LEASE);
        assertThat(recorder.events).isEmpty();
    }

    @Test
    void pathsAreThoseOfTheNamespace() throws Exception {
        NodeId node = new NodeId("n1");
        VirtualCluster nodes = new VirtualCluster(5, new HighestUp());
        nodes.addDriver(VirtualCluster.settings(node, List.of(node)), Optional.empty());
        VirtualProcess process = nodes.process(node);
        SimulatedWorld world = new SimulatedWorld(nodes);
        SimulatedEngine engine = new SimulatedEngine(world, process, (DriverHost) process.host());
        ElectionClient client = Clients.over(
                engine,
                Clients.config().namespace("space").connectionTimeout(LEASE).build());
        client.start();
        Recorder early = new Recorder();
        client.addMonitor(early);
        LeaderLatch latch = new LeaderLatch(client, "/a", "the id");
        LeaderLatch root = new LeaderLatch(client, "/", "of all");
        latch.start();
        root.start();
        world.advanceTo(10 * LEASE.toNanos());
        Recorder late = new Recorder();
        client.addMonitor(late);
        world.advanceTo(11 * LEASE.toNanos());
        for (Recorder each : List.of(early, late)) {
            assertThat(each.take())
                    .contains("/a the id@n1:" + latch.fencingToken(), "/ of all@n1:" + root.fencingToken())
                    .contains("leads /a:" + latch.fencingToken(), "leads /:" + root.fencingToken())
                    .noneMatch(event -> event.contains("space"));
        }
        latch.close();
        root.close();
        world.advanceTo(20 * LEASE.toNanos());
        for (Recorder each : List.of(early, late)) {
            assertThat(each.events)
                    .contains("forgotten /a", "forgotten /")
                    .anyMatch(event -> event.startsWith("leads no more /a:"))
                    .noneMatch(event -> event.contains("space"));
            assertThat(each.wrong).isEmpty();
        }
        client.close();
    }

    @Test
    void aCallbackThatAnExecutorRefusesCountsAsThrown() throws Exception {
        FakeEngine engine = new FakeEngine();
        engine.callbacksOn(Runnable::run);
        ElectionClient client = Clients.over(engine);
        client.start();
        LeaderLatch latch = new LeaderLatch(client, PATH);
        latch.addListener(
                new LeaderLatchListener() {
                    @Override
                    public void isLeader() {}

                    @Override
                    public void notLeader() {}
                },
                refused -> {
                    throw new RejectedExecutionException("as the test wants");
                });
        latch.start();
        for (int tenure = 1; tenure <= 3; tenure++) {
            assertThat(engine.last().lastRanks()).isEmpty();
            engine.last().grant(tenure);
            engine.last().end();
        }
        assertThat(engine.last().lastRanks()).containsExactly("its isLeader callback threw in 3 tenures in a row");
        client.close();
    }
}
