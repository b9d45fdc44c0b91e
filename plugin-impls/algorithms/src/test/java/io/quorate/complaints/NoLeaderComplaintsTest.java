package io.quorate.complaints;

import static io.quorate.complaints.Contenders.PATH;
import static io.quorate.complaints.Contenders.SUPPORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.engine.Connection;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What users of Curator's latch reported of nobody leading: each situation, and that somebody does in time. */
class NoLeaderComplaintsTest {

    /** The lease of a crashed leader, a claim, and what goes wrong with the first of them. */
    private static final Duration FAILOVER = SUPPORT.plusMillis(100);

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    /** Without the digits, which change with every tenure. */
    private static String identity(LeaderLatch latch) {
        String path = latch.getOurPath();
        return path.substring(0, path.lastIndexOf('-'));
    }

    // Curator's latches deleted and created their nodes at each reconnection, and so did all of them at once.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-504, #1024, CURATOR-644, #1160, CURATOR-645, #1161, PR #430, FLINK-28078, "
            + "PR #20709: no reset loop")
    void reconnectingIsNoResetLoop(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            List<String> identities = contenders.cluster().nodes().stream()
                    .map(node -> identity(contenders.latch(node)))
                    .toList();
            for (int outage = 0; outage < 10; outage++) {
                contenders.cluster().partition("n1", "n2", "n3");
                contenders.watch(millis(500));
                contenders.cluster().heal();
                contenders.watch(SUPPORT);
            }
            assertThat(contenders.grants())
                    .as("shorter than the lease: nothing is given up")
                    .isEqualTo(1);
            assertThat(contenders.queue("n3")).containsExactly("n1", "n2", "n3");
            contenders.cluster().partition("n1", "n2", "n3");
            contenders.watch(SUPPORT.multipliedBy(3));
            contenders.cluster().heal();
            contenders.watch(FAILOVER);
            String leader = contenders.leader().orElseThrow();
            contenders.watch(MINUTE);
            assertThat(contenders.leader()).contains(leader);
            assertThat(contenders.grants()).as("one election for one outage").isEqualTo(2);
            assertThat(contenders.cluster().nodes().stream().map(node -> identity(contenders.latch(node))))
                    .containsExactlyElementsOf(identities);
        }
    }

    // The voters come back with nothing; those who contend have never stopped.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-724, #1239, PR #515: contenders rejoin after the state of all voters was wiped")
    void wipedStateIsJoinedAnew(ElectionAlgorithm algorithm) {
        List<String> voters = List.of("n1", "n2", "n3");
        try (Contenders contenders = new Contenders(
                ClusterSettings.ofVoters(3).contenders(3).diskless().algorithm(algorithm))) {
            List.of("c1", "c2", "c3").forEach(contenders::join);
            long token =
                    contenders.latch(contenders.cluster().awaitLeader(PATH)).fencingToken();
            voters.forEach(contenders.cluster()::crash);
            contenders.watch(SUPPORT.multipliedBy(2));
            assertThat(contenders.leader()).isEmpty();
            voters.forEach(contenders.cluster()::restart);
            contenders.watch(SUPPORT.plus(FAILOVER));
            String leader = contenders.leader().orElseThrow();
            assertThat(contenders.latch(leader).fencingToken()).isGreaterThan(token);
            assertThat(contenders.queue("c1")).containsExactlyInAnyOrder("c1", "c2", "c3");
            contenders.leave(leader);
            contenders.watch(millis(50));
            assertThat(contenders.leader()).isPresent();
        }
    }

    private static final class Thrower extends LeaderLatch implements LeaderLatchListener {
        private int thrown;

        Thrower(ElectionClient client) {
            super(client, PATH);
            addListener(this);
            client.getConnectionStateListenable().addListener((source, state) -> fail("stateChanged"));
        }

        private void fail(String where) {
            thrown++;
            throw new IllegalStateException("the application's failure in " + where);
        }

        @Override
        public void isLeader() {
            fail("isLeader");
        }

        @Override
        public void notLeader() {
            fail("notLeader");
        }

        @Override
        protected void handleStateChange(ConnectionState newState) {
            fail("handleStateChange");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-165, #686: an exception in a callback after a reconnection does not end the election")
    void anExceptionAfterAReconnectionEndsNothing(ElectionAlgorithm algorithm) throws Exception {
        try (Contenders contenders = new Contenders(ClusterSettings.ofVoters(3).algorithm(algorithm))) {
            try (CapturedLog log = new CapturedLog();
                    Thrower thrower = new Thrower(contenders.cluster().client("n1"))) {
                thrower.start();
                for (int outage = 1; outage <= 3; outage++) {
                    contenders.cluster().awaitLeader(PATH);
                    contenders.cluster().isolate("n1");
                    contenders.watch(SUPPORT.multipliedBy(2));
                    assertThat(thrower.hasLeadership()).isFalse();
                    contenders.cluster().heal();
                    contenders.watch(FAILOVER);
                    assertThat(thrower.hasLeadership()).isTrue();
                    // SUSPENDED, LOST and RECONNECTED to both kinds of listeners; notLeader and isLeader.
                    assertThat(thrower.thrown).isGreaterThanOrEqualTo(8 * outage);
                }
                assertThat(log.lines("ERROR", "threw")).hasSize(thrower.thrown);
            }
        }
    }

    @Test
    @DisplayName("CURATOR-110, #631: latches that start before there is a client or a connection elect later")
    void startedWithoutAConnection() throws Exception {
        FakeEngine engine = new FakeEngine();
        try (ElectionClient client = Clients.over(engine)) {
            LeaderLatch early = new LeaderLatch(client, PATH);
            early.start();
            assertThat(engine.candidacies()).isEmpty();
            client.start();
            engine.connect(Connection.CONNECTED);
            engine.last().grant(1);
            assertThat(early.hasLeadership()).isTrue();
            early.close();
        }
        try (Contenders contenders = new Contenders(ClusterSettings.ofVoters(3))) {
            contenders.cluster().partition("n1", "n2", "n3");
            contenders.watch(SUPPORT.multipliedBy(2));
            contenders.cluster().nodes().forEach(contenders::join);
            contenders.watch(MINUTE);
            assertThat(contenders.leader()).isEmpty();
            contenders.cluster().heal();
            contenders.watch(FAILOVER);
            assertThat(contenders.leader()).isPresent();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-87, #608: a latch that is opened after an outage does not jitter")
    void aNewLatchAfterAnOutageDoesNotJitter(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            contenders.cluster().partition("n1", "n2", "n3");
            contenders.watch(SUPPORT.multipliedBy(2));
            contenders.leave("n2");
            contenders.join("n2");
            contenders.cluster().heal();
            contenders.join("n3");
            contenders.watch(MINUTE);
            String leader = contenders.leader().orElseThrow();
            for (String node : List.of("n2", "n3")) {
                assertThat(contenders.told(node))
                        .as(node)
                        .isEqualTo(node.equals(leader) ? List.of("isLeader") : List.of());
            }
            assertThat(contenders.grants()).isEqualTo(2);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-396, #916: a killed process leads no longer than its lease, and the next follows at once")
    void aKilledProcessIsReplacedInTime(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            for (String killed : List.of("n1", "n2", "n3")) {
                contenders.cluster().crash(killed);
                contenders.watch(FAILOVER);
                String next = contenders.leader().orElseThrow();
                assertThat(next).isNotEqualTo(killed);
                assertThat(contenders.queue(next)).doesNotContain(killed);
                contenders.join(killed, contenders.cluster().restart(killed));
                contenders.watch(SUPPORT.multipliedBy(3));
            }
        }
    }

    // The leader loses its lease and is back before, at and after the moment at which the voters let it go.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-202, #723, STORM-1115: a leader that is back in the session that it lost blocks nobody")
    void aLeaderThatIsBackBlocksNobody(ElectionAlgorithm algorithm) {
        for (int outage = 600; outage <= 1200; outage += 30) {
            try (Contenders contenders = Contenders.three(algorithm)) {
                contenders.cluster().isolate("n1");
                contenders.watch(millis(outage));
                contenders.cluster().heal();
                contenders.watch(FAILOVER);
                assertThat(contenders.leader()).as("cut for %d ms", outage).isPresent();
                assertThat(contenders.queue("n2")).containsExactlyInAnyOrder("n1", "n2", "n3");
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-205, #726, CURATOR-62, #583: an interrupt while joining or leaving leaks no contender")
    void anInterruptLeaksNoContender(ElectionAlgorithm algorithm) throws Exception {
        try (Contenders contenders = Contenders.three(algorithm)) {
            LeaderLatch interrupted = new LeaderLatch(contenders.cluster().client("n1"), PATH, "interrupted");
            Thread.currentThread().interrupt();
            interrupted.start();
            assertThatThrownBy(interrupted::await).isInstanceOf(InterruptedException.class);
            contenders.watch(millis(50));
            assertThat(contenders.queue("n3")).containsExactly("n1", "n2", "n3", "interrupted");
            Thread.currentThread().interrupt();
            interrupted.close();
            contenders.leave("n1");
            assertThat(Thread.interrupted())
                    .as("the application's interrupt is still there")
                    .isTrue();
            contenders.watch(millis(50));
            assertThat(contenders.leader()).contains("n2");
            assertThat(contenders.queue("n2")).containsExactly("n2", "n3");
        }
    }

    @Test
    @DisplayName("vipshop/Saturn #168: whoever waits is told why nobody leads, or who does")
    void explanationTellsWhyAContenderWaits() throws Exception {
        try (Contenders contenders =
                Contenders.three(Contenders.algorithms().findFirst().orElseThrow())) {
            LeaderLatch latent = new LeaderLatch(contenders.cluster().client("n2"), PATH);
            assertThat(latent.explain().reason()).isEqualTo("it is LATENT");
            assertThat(contenders.latch("n3").explain().reason())
                    .contains("n1", "leads with token " + contenders.latch("n1").fencingToken(), "number 3 of 3");
            contenders.cluster().isolate("n3");
            contenders.watch(SUPPORT.multipliedBy(2));
            assertThat(contenders.latch("n3").explain().reason()).contains("supported by 1 of 3 voters", "no majority");
            contenders.leave("n3");
            assertThat(contenders.latch("n3").explain().reason()).isEqualTo("it is CLOSED");
        }
        try (ElectionClient never = Clients.over(new FakeEngine())) {
            LeaderLatch waiting = new LeaderLatch(never, PATH);
            waiting.start();
            assertThat(waiting.explain().reason()).isEqualTo("its client is not running");
        }
    }
}
