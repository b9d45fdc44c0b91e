package io.quorate.tandem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** docs/migration.md#the-guard: what leads by Quorate alone makes way for what does not. */
class TandemGuardTest {

    private static final String PATH = "/app/leader";
    private static final Duration SOON = Duration.ofMillis(1500);
    private static final Duration STEP = Duration.ofMillis(5);
    /** More than 25 heartbeats of the default profile, and an election. */
    private static final Duration PATIENCE = Duration.ofMillis(7000);

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).moving().algorithm(new HighestUp()));
    private final OldSideFake old = new OldSideFake();
    private final CapturedLog log = new CapturedLog();
    private final RecordingListener listener = new RecordingListener();

    @AfterEach
    void close() {
        cluster.close();
        log.close();
    }

    private LeaderLatch plain(String node) throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client(node), PATH, node);
        latch.addListener(listener);
        latch.start();
        cluster.advance(SOON);
        return latch;
    }

    private TandemLatch shadow(String node) throws Exception {
        TandemLatch latch = TandemLatch.shadow(old.member(node), cluster.client(node), PATH, node);
        latch.start();
        return latch;
    }

    /** Time passes, and never do both lead. */
    private void pass(Duration time, LeaderLatch plain, TandemLatch other) {
        for (Duration end = cluster.now().plus(time); cluster.now().compareTo(end) < 0; ) {
            cluster.advance(STEP);
            assertThat(plain.hasLeadership() && other.hasLeadership())
                    .as("two leaders: " + cluster.describe())
                    .isFalse();
        }
    }

    @Test
    void plainLatchesLeadWhereNobodyMoves() throws Exception {
        LeaderLatch first = plain("n1");
        LeaderLatch second = plain("n2");
        assertThat(first.hasLeadership()).isTrue();
        first.close();
        cluster.advance(SOON);
        assertThat(second.hasLeadership()).isTrue();
        assertThat(cluster.client("n2").clusterId()).isEqualTo("simulated");
    }

    @Test
    void aPlainLatchWaitsForAShadowAndAfterThatLeads() throws Exception {
        TandemLatch first = shadow("n1");
        cluster.advance(SOON);
        LeaderLatch second = plain("n2");
        pass(PATIENCE, second, first);
        assertThat(first.hasLeadership()).isTrue();
        assertThat(second.explain().toString())
                .contains("these run as tandems or shadows, and lead by the old side too: n1 at n1");
        first.close();
        cluster.advance(SOON);
        assertThat(second.hasLeadership()).isTrue();
        assertThat(listener.events).containsExactly("isLeader");
    }

    @Test
    void aPlainLeaderMakesWayForAShadow() throws Exception {
        LeaderLatch first = plain("n1");
        long token = first.fencingToken();
        TandemLatch second = shadow("n2");
        pass(PATIENCE, first, second);
        assertThat(first.hasLeadership()).isFalse();
        assertThat(second.hasLeadership()).isTrue();
        assertThat(log.lines("its companion waits, because these contend by Quorate alone: [n1]"))
                .hasSizeLessThanOrEqualTo(1);
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
        second.close();
        cluster.advance(SOON);
        assertThat(first.fencingToken()).isGreaterThan(token);
        assertThat(listener.events).containsExactly("isLeader", "notLeader", "isLeader");
    }

    @Test
    void aShadowDoesNotBeginBesideOneThatHasNotMadeWay() throws Exception {
        LeaderLatch first = plain("n1");
        cluster.pause("n1");
        TandemLatch second = shadow("n2");
        pass(Duration.ofMillis(300), first, second);
        assertThat(second.hasLeadership()).isFalse();
        cluster.resume("n1");
        pass(PATIENCE, first, second);
        assertThat(second.hasLeadership()).isTrue();
    }

    @Test
    void aPlainLatchFollowsATandemThatDied() throws Exception {
        TandemLatch first = new TandemLatch(old.member("n1"), cluster.client("n1"), PATH, "n1");
        first.start();
        cluster.advance(SOON);
        long token = first.fencingToken();
        LeaderLatch second = plain("n2");
        assertThat(second.hasLeadership()).isFalse();
        cluster.crash("n1");
        cluster.awaitUntil("the plain latch leads", second::hasLeadership);
        assertThat(second.fencingToken()).isGreaterThan(token);
    }

    @Test
    void aPlainLeaderMakesWayForATandem() throws Exception {
        LeaderLatch first = plain("n1");
        long token = first.fencingToken();
        TandemLatch second = new TandemLatch(old.member("n2"), cluster.client("n2"), PATH, "n2");
        second.start();
        pass(SOON, first, second);
        assertThat(second.fencingToken()).isGreaterThan(token);
    }

    @Test
    void aPlainLatchThatIsClosedStaysClosed() throws Exception {
        TandemLatch first = shadow("n1");
        cluster.advance(SOON);
        LeaderLatch second = plain("n2");
        second.close();
        first.close();
        cluster.advance(SOON);
        assertThat(second.hasLeadership()).isFalse();
        assertThat(cluster.leader(PATH)).isEmpty();
    }

    @Test
    void aClientWithoutTheSettingTakesNoTandem() {
        try (SimulatedCluster other =
                new SimulatedCluster(ClusterSettings.ofVoters(1).algorithm(new HighestUp()))) {
            ElectionClient client = other.client("n1");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new TandemLatch(old.member("n1"), client, PATH, "n1"))
                    .withMessage(
                            "the client of node 'n1' has no migration=tandem: set it on all nodes, so that no plain"
                                    + " latch leads beside a tandem");
        }
    }

    // docs/migration.md says so in its first paragraph.
    @Test
    void unseenQuorateLeaderDoesNotStopTheShadow() throws Exception {
        LeaderLatch first = plain("n1");
        cluster.isolate("n3");
        TandemLatch unseen = shadow("n3");
        cluster.advance(PATIENCE);
        assertThat(first.hasLeadership()).isTrue();
        assertThat(unseen.hasLeadership()).isTrue();
        assertThat(log.lines("no voter has told who contends by Quorate alone; its companion starts anyway"))
                .hasSize(1);
    }

    @Test
    void aShadowThatIsStartedBeforeItsClientWaitsToo() throws Exception {
        ClusterSettings settings =
                ClusterSettings.ofVoters(3).moving().algorithm(new HighestUp()).clientsAreStartedByTheTest();
        try (SimulatedCluster latent = new SimulatedCluster(settings)) {
            for (String node : List.of("n1", "n3")) {
                latent.client(node).start();
            }
            LeaderLatch first = new LeaderLatch(latent.client("n1"), PATH, "n1");
            first.start();
            latent.awaitUntil("it leads", first::hasLeadership);
            TandemLatch second = TandemLatch.shadow(old.member("n2"), latent.client("n2"), PATH, "n2");
            second.start();
            latent.advance(STEP);
            assertThat(first.hasLeadership() && second.hasLeadership()).isFalse();
            latent.client("n2").start();
            for (int step = 0; step < 1400; step++) {
                latent.advance(STEP);
                assertThat(first.hasLeadership() && second.hasLeadership()).isFalse();
            }
            assertThat(second.hasLeadership()).isTrue();
        }
    }

    @Test
    void aShadowWaitsForAPlainLatchOfItsOwnClient() throws Exception {
        LeaderLatch first = plain("n1");
        TandemLatch second = shadow("n1");
        for (int step = 0; step < 1400; step++) {
            assertThat(first.hasLeadership() && second.hasLeadership())
                    .as("after " + step)
                    .isFalse();
            cluster.advance(STEP);
        }
        assertThat(second.hasLeadership()).isTrue();
    }
}
