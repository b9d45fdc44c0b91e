package io.quorate.testkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ClientClosedException;
import io.quorate.ConnectionLossException;
import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatch.State;
import io.quorate.Participant;
import io.quorate.Profile;
import io.quorate.StandardConnectionStateErrorPolicy;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.HighestUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an author of an application can do to a simulated cluster, and what the latches answer then. */
class SimulatedClusterTest {

    private static final String PATH = "/app/leader";
    private static final Duration LEASE = Profile.DEFAULT.supportDuration();

    private SimulatedCluster cluster = new SimulatedCluster(settings());
    private final Map<String, LeaderLatch> latches = new LinkedHashMap<>();

    private static ClusterSettings settings() {
        return ClusterSettings.ofVoters(3).algorithm(new HighestUp());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private LeaderLatch latch(String node) throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client(node), PATH, node, CloseMode.NOTIFY_LEADER);
        latch.start();
        latches.put(node, latch);
        return latch;
    }

    private void latchesEverywhere() throws Exception {
        for (String node : cluster.nodes()) {
            latch(node);
        }
    }

    private List<String> leaders() {
        return latches.entrySet().stream()
                .filter(latch -> latch.getValue().hasLeadership())
                .map(Map.Entry::getKey)
                .toList();
    }

    private Duration until(String what, BooleanSupplier condition) {
        Duration begin = cluster.now();
        cluster.awaitUntil(what, condition);
        return cluster.now().minus(begin);
    }

    // ---------------------------------------------------------------- an election

    @Test
    void oneLeadsAndAllKnowIt() throws Exception {
        latchesEverywhere();
        assertThat(cluster.leader(PATH)).isEmpty();
        String leader = cluster.awaitLeader(PATH);
        assertThat(leaders()).containsExactly(leader);
        cluster.advance(LEASE);
        for (LeaderLatch latch : latches.values()) {
            assertThat(latch.getLeader()).isEqualTo(new Participant(leader, true));
            assertThat(latch.getParticipants())
                    .extracting(Participant::getId)
                    .containsExactlyInAnyOrder("n1", "n2", "n3")
                    .startsWith(leader);
        }
        assertThat(cluster.log()).containsExactly(cluster.log().get(0)).allMatch(line -> line.contains(leader + " "));
    }

    // A leader that was seen is answered, also if it has resigned since.
    @Test
    void aLeaderMayResignOnAnotherThreadAsItIsSeen() throws Exception {
        cluster = new SimulatedCluster(settings());
        LeaderLatch latch = latch("n2");
        AtomicBoolean isDone = new AtomicBoolean();
        Thread resigning = new Thread(() -> {
            while (!isDone.get()) {
                latch.resign();
                // Justification: a busy machine runs this thread alone for long, and the test has to see a leader.
                LockSupport.parkNanos(20_000);
            }
        });
        resigning.start();
        try {
            for (int i = 0; i < 1_000; i++) {
                assertThat(cluster.awaitLeader(PATH)).isEqualTo("n2");
                assertThat(cluster.awaitLeaderOtherThan("n1", PATH)).isEqualTo("n2");
            }
        } finally {
            isDone.set(true);
            resigning.join();
        }
    }

    @Test
    void aNodeThatDoesNotVoteCanLead() throws Exception {
        cluster = new SimulatedCluster(
                settings().contenders(2).profile(Profile.FAST).rankOrder(RankOrder.NODE_ID));
        assertThat(cluster.nodes()).containsExactly("n1", "n2", "n3", "c1", "c2");
        latch("c2");
        assertThat(cluster.awaitLeader(PATH)).isEqualTo("c2");
        assertThat(cluster.now()).isLessThan(LEASE);
        // It does not count for the majority either.
        cluster.crash("n1");
        cluster.crash("n2");
        cluster.awaitUntil("nobody leads", () -> leaders().isEmpty());
    }

    // How long ago the node had its turn is read from its clock, by the thread that asks.
    @Test
    void threadsMayAskWhileTimePasses() throws Exception {
        cluster = new SimulatedCluster(settings());
        AtomicBoolean isOver = new AtomicBoolean();
        List<Thread> asking = new ArrayList<>();
        for (String node : List.of("n1", "n2", "n3")) {
            ElectionClient client = cluster.client(node);
            Thread thread = new Thread(() -> {
                while (!isOver.get()) {
                    client.health();
                }
            });
            thread.start();
            asking.add(thread);
        }
        try {
            cluster.advance(Duration.ofSeconds(300));
        } finally {
            isOver.set(true);
            for (Thread thread : asking) {
                thread.join();
            }
        }
        assertThat(cluster.client("n1").connectionState()).contains(ConnectionState.CONNECTED);
    }

    // The test's thread is the only one here: it would wait for ever if no time passed meanwhile.
    @Test
    void timePassesWhileTheTestWaits() throws Exception {
        cluster = new SimulatedCluster(settings().contenders(1));
        // Justification: virtual time, which passes while the test waits.
        assertThat(cluster.client("n1").blockUntilConnected(10, SECONDS)).isTrue();
        assertThat(cluster.now()).isLessThan(Duration.ofSeconds(3));
        LeaderLatch first = latch("n1");
        first.await();
        assertThat(first.hasLeadership()).isTrue();
        LeaderLatch second = latch("n2");
        Duration begin = cluster.now();
        // Justification: virtual time, which passes while the test waits.
        assertThat(second.await(7, SECONDS)).isFalse();
        assertThat(cluster.now().minus(begin)).isEqualTo(Duration.ofSeconds(7));
        // A node that does not vote has to ask for a path that it has never heard of.
        assertThat(new LeaderLatch(cluster.client("c1"), PATH).getLeader().getId())
                .isEqualTo("n1");
        cluster.client("c1").blockUntilConnected();
    }

    @Test
    void anInterruptedTestDoesNotWait() throws Exception {
        LeaderLatch latch = latch("n1");
        Thread.currentThread().interrupt();
        assertThatThrownBy(latch::await).isInstanceOf(InterruptedException.class);
        assertThat(cluster.now()).isZero();
    }

    @Test
    void withoutAMajorityCallsEndAfterTheirTimeOut() throws Exception {
        cluster = new SimulatedCluster(settings().contenders(1));
        cluster.isolate("c1");
        ElectionClient client = cluster.client("c1");
        // Justification: virtual time, which passes while the test waits.
        assertThat(client.blockUntilConnected(4, SECONDS)).isFalse();
        assertThat(cluster.now()).isEqualTo(Duration.ofSeconds(4));
        LeaderLatch latch = new LeaderLatch(client, PATH);
        assertThatThrownBy(latch::getLeader)
                .isInstanceOf(ConnectionLossException.class)
                .hasMessageContaining(PATH);
        assertThat(cluster.now()).isEqualTo(Duration.ofSeconds(19));
        latch.start();
        assertThatThrownBy(latch::await)
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("waits for ever", "seed=");
    }

    // ---------------------------------------------------------------- the network

    // Every millisecond: the minority's latch is false before the majority's is true, and no later than its lease ends.
    @Test
    void aLeaderInTheMinorityEndsWithItsLeaseAndTheMajorityElects() throws Exception {
        latchesEverywhere();
        String old = cluster.awaitLeader(PATH);
        cluster.advance(LEASE);
        cluster.isolate(old);
        Duration ended =
                until("the lease of " + old + " ends", () -> !latches.get(old).hasLeadership());
        assertThat(leaders()).isEmpty();
        assertThat(ended).isBetween(LEASE.dividedBy(2), LEASE);
        long oldToken = Long.parseLong(latches.get(old).getLastPathIsLeader().replaceAll(".*-", ""));
        String next = cluster.awaitLeaderOtherThan(old, PATH);
        assertThat(leaders()).containsExactly(next);
        assertThat(latches.get(next).fencingToken()).isGreaterThan(oldToken);
        cluster.heal();
        cluster.advance(LEASE.multipliedBy(3));
        assertThat(leaders()).containsExactly(next);
        assertThat(latches.get(old).getLeader().getId()).isEqualTo(next);
    }

    @Test
    void groupsReachThemselvesAndTheUnnamedAreOne() throws Exception {
        cluster = new SimulatedCluster(ClusterSettings.ofVoters(5).algorithm(new HighestUp()));
        latchesEverywhere();
        cluster.partition("n1, n2", "n3");
        cluster.advance(Duration.ofSeconds(10));
        assertThat(leaders()).isEmpty();
        cluster.heal();
        cluster.awaitLeader(PATH);
        cluster.partition("n1,n2");
        cluster.advance(Duration.ofSeconds(10));
        assertThat(leaders()).hasSize(1).doesNotContain("n1", "n2");
    }

    @Test
    void lossAndDelaysAreWhatTheTestSays() throws Exception {
        ElectionClient client = cluster.client("n1");
        List<ConnectionState> states = new ArrayList<>();
        Thread test = Thread.currentThread();
        client.getConnectionStateListenable().addListener((c, state) -> {
            assertThat(Thread.currentThread()).isSameAs(test);
            states.add(state);
        });
        client.blockUntilConnected();
        cluster.loss(100);
        cluster.advance(LEASE.multipliedBy(3));
        assertThat(states).containsExactly(ConnectionState.CONNECTED, ConnectionState.SUSPENDED, ConnectionState.LOST);
        cluster.loss(30);
        cluster.awaitUntil("n1 is back in spite of losses", () -> states.size() > 3);
        cluster.heal();
        cluster.delay(Duration.ofSeconds(2), Duration.ofSeconds(2));
        cluster.advance(LEASE.multipliedBy(4));
        assertThat(states).last().isEqualTo(ConnectionState.LOST);
    }

    @Test
    void theErrorPolicyIsThatOfTheSettings() throws Exception {
        cluster = new SimulatedCluster(settings().connectionStateErrorPolicy(new StandardConnectionStateErrorPolicy()));
        latch("n1").await();
        cluster.advance(LEASE);
        cluster.isolate("n1");
        Duration ended = until("n1 is suspended", () -> leaders().isEmpty());
        assertThat(ended).isLessThan(Duration.ofMillis(700));
    }

    // ---------------------------------------------------------------- processes

    @Test
    void afterAPauseNoAnswerIsTrue() throws Exception {
        latchesEverywhere();
        String old = cluster.awaitLeader(PATH);
        RecordingListener notes = new RecordingListener();
        latches.get(old).addListener(notes);
        cluster.pause(old);
        assertThat(cluster.describe()).contains(old + " is paused");
        cluster.advance(LEASE.multipliedBy(3));
        assertThat(notes.events).isEmpty();
        String next = cluster.awaitLeaderOtherThan(old, PATH);
        cluster.resume(old);
        assertThat(latches.get(old).hasLeadership()).isFalse();
        cluster.advance(Duration.ZERO);
        assertThat(notes.events).containsExactly("notLeader");
        until("a second has passed without a true answer of " + old, () -> {
            assertThat(leaders()).containsExactly(next);
            return cluster.now().toMillis() % 1000 == 0;
        });
    }

    @Test
    void aCrashedNodesObjectsAreDeadAndItsRestartIsAnother() throws Exception {
        latchesEverywhere();
        String old = cluster.awaitLeader(PATH);
        RecordingListener notes = new RecordingListener();
        LeaderLatch dead = latches.get(old);
        ElectionClient deadClient = cluster.client(old);
        dead.addListener(notes);
        long token = dead.fencingToken();
        cluster.crash(old);
        assertThat(dead.hasLeadership()).isFalse();
        assertThat(dead.getState()).isEqualTo(State.CLOSED);
        assertThat(cluster.leader(PATH)).isEmpty();
        assertThatThrownBy(dead::getLeader).isInstanceOf(ClientClosedException.class);
        assertThatIllegalStateException().isThrownBy(dead::fencingToken);
        assertThat(deadClient.getState()).isEqualTo(ElectionClient.State.STOPPED);
        // Nobody was told: the others wait for the lease.
        Duration failover =
                until("somebody else leads", () -> cluster.leader(PATH).isPresent());
        assertThat(failover).isBetween(LEASE.dividedBy(2), LEASE.multipliedBy(2));
        assertThat(latches.get(cluster.awaitLeader(PATH)).fencingToken()).isGreaterThan(token);

        ElectionClient client = cluster.restart(old);
        assertThat(client).isSameAs(cluster.client(old)).isNotSameAs(deadClient);
        latch(old);
        Stream.of("n1", "n2", "n3").filter(node -> !node.equals(old)).forEach(cluster::crash);
        cluster.advance(LEASE.multipliedBy(2));
        Stream.of("n1", "n2", "n3").filter(node -> !node.equals(old)).forEach(cluster::restart);
        latches.get(old).await();
        assertThat(latches.get(old).fencingToken()).isGreaterThan(token + 1);
        assertThat(dead.hasLeadership()).isFalse();
        dead.close();
        assertThat(notes.events).isEmpty();
    }

    @Test
    void aMajorityThatRestartsRemembersItsTerms() throws Exception {
        latchesEverywhere();
        cluster.awaitLeader(PATH);
        cluster.nodes().forEach(cluster::crash);
        cluster.nodes().forEach(cluster::restart);
        latchesEverywhere();
        assertThat(latches.get(cluster.awaitLeader(PATH)).fencingToken()).isGreaterThan(1);
    }

    @Test
    void aClosedClientHandsOverAtOnceAndItsCallbacksAreCalled() throws Exception {
        latchesEverywhere();
        String old = cluster.awaitLeader(PATH);
        cluster.advance(LEASE);
        RecordingListener notes = new RecordingListener();
        latches.get(old).addListener(notes);
        cluster.client(old).close();
        Duration handover =
                until("somebody else leads", () -> cluster.leader(PATH).isPresent());
        assertThat(handover).isLessThan(Duration.ofMillis(100));
        assertThat(notes.events).containsExactly("notLeader");
        cluster.restart(old);
        // Justification: virtual time, which passes while the test waits.
        assertThat(cluster.client(old).blockUntilConnected(5, SECONDS)).isTrue();
        assertThatIllegalStateException().isThrownBy(() -> cluster.restart(old)).withMessageContaining(old + " runs");
    }

    // A process that is stopped cannot close anything, so it goes on for that.
    @Test
    void aPausedNodesClientCanBeClosed() throws Exception {
        latchesEverywhere();
        String old = cluster.awaitLeader(PATH);
        cluster.advance(LEASE);
        cluster.pause(old);
        cluster.client(old).close();
        Duration handover =
                until("somebody else leads", () -> cluster.leader(PATH).isPresent());
        assertThat(handover).isLessThan(Duration.ofMillis(100));
        assertThatIllegalStateException().isThrownBy(() -> cluster.pause(old)).withMessageContaining("does not run");
    }

    // ---------------------------------------------------------------- clocks, and the rules

    @Test
    void withinTheDriftThatIsPromisedNobodyLeadsTwice() throws Exception {
        latchesEverywhere();
        String old = cluster.awaitLeader(PATH);
        cluster.clockRate(old, 91);
        Stream.of("n1", "n2", "n3").filter(node -> !node.equals(old)).forEach(node -> cluster.clockRate(node, 109));
        cluster.advance(LEASE);
        cluster.isolate(old);
        assertThat(cluster.awaitLeaderOtherThan(old, PATH)).isNotEqualTo(old);
    }

    // Beyond it two lead, and that is noticed: the rules are checked.
    @Test
    void twoLeadersFailTheTest() throws Exception {
        twoLeadersOn(() -> cluster.advance(LEASE.multipliedBy(3)));
    }

    private void twoLeadersOn(Runnable advance) throws Exception {
        latchesEverywhere();
        String old = cluster.awaitLeader(PATH);
        cluster.clockRate(old, 50);
        cluster.advance(LEASE);
        cluster.isolate(old);
        assertThatThrownBy(advance::run)
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("ONE_LEADER", "seed=1");
        assertThatThrownBy(() -> cluster.advance(Duration.ZERO)).hasMessageContaining("ONE_LEADER");
        assertThatThrownBy(cluster::close).hasMessageContaining("ONE_LEADER");
    }

    // The library catches what a callback throws; a broken rule is remembered.
    @Test
    void twoLeadersFailTheTestAlsoIfACallbackSwallowsIt() throws Exception {
        LeaderLatch other = new LeaderLatch(cluster.client("n1"), "/other");
        List<String> reached = new ArrayList<>();
        other.addListener(new RecordingListener() {
            @Override
            public void isLeader() {
                reached.add("callback");
                cluster.advance(LEASE.multipliedBy(3));
                reached.add("not thrown");
            }
        });
        twoLeadersOn(() -> {
            try {
                other.start();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            cluster.advance(LEASE.multipliedBy(4));
        });
        assertThat(reached).doesNotContain("not thrown");
    }

    // ---------------------------------------------------------------- mistakes

    @Test
    void mistakesAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cluster.client("n4"))
                .withMessage("node 'n4': must be one of [n1, n2, n3]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cluster.partition("n1,n2", "n2"))
                .withMessageContaining("two groups");
        assertThatIllegalArgumentException().isThrownBy(() -> cluster.loss(101)).withMessageContaining("0 to 100");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cluster.clockRate("n1", 0))
                .withMessageContaining("50 to 200");
        assertThatIllegalArgumentException().isThrownBy(() -> cluster.advance(Duration.ofMillis(-1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cluster.delay(Duration.ofMillis(2), Duration.ofMillis(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SimulatedCluster.ofVoters(0))
                .withMessageContaining("1 to 15");
        // The default algorithm is not on the class path of this module.
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SimulatedCluster.ofVoters(3).client("n1"))
                .withMessageContaining("algorithm 'ballot'");
        cluster.crash("n1");
        assertThatIllegalStateException().isThrownBy(() -> cluster.resume("n1")).withMessage("n1 does not run");
    }

    @Test
    void aFailureSaysWhereEveryNodeStands() {
        cluster.crash("n2");
        assertThatThrownBy(() -> cluster.awaitLeader(PATH))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(
                        "60000 ms",
                        "somebody leads " + PATH,
                        "seed=1",
                        "n1",
                        "n2 does not run",
                        "n3",
                        "rerun: mvn test -Dseed=1");
        assertThatThrownBy(() -> cluster.awaitUntil("never", Duration.ofSeconds(2), () -> false))
                .hasMessageContaining("not within 2000 ms of virtual time: never");
    }
}
