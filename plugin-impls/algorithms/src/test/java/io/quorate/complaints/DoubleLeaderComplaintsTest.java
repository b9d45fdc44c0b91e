package io.quorate.complaints;

import static io.quorate.complaints.Contenders.PATH;
import static io.quorate.complaints.Contenders.SUPPORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.engine.Connection;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.FakeEngine.FakeCandidacy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What users of Curator's recipes reported of two leaders at once: each situation, and that one leads at most. */
class DoubleLeaderComplaintsTest {

    private static final Duration LONG = SUPPORT.multipliedBy(15);
    private static final Duration FLAP_PERIOD = Duration.ofMillis(500);

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    @Test
    @DisplayName("CURATOR-620, #1137: two RECONNECTED in a row neither end leadership nor join twice")
    void twoReconnectedInARow() throws Exception {
        FakeEngine engine = new FakeEngine();
        List<Runnable> callbacks = new ArrayList<>();
        engine.callbacksOn(callbacks::add);
        try (ElectionClient client = Clients.over(engine)) {
            client.start();
            LeaderLatch latch = new LeaderLatch(client, PATH);
            latch.start();
            FakeCandidacy candidacy = engine.last();
            candidacy.grant(1);
            String path = latch.getOurPath();
            for (Connection next : List.of(Connection.SUSPENDED, Connection.RECONNECTED, Connection.RECONNECTED)) {
                engine.connect(next);
            }
            assertThat(latch.hasLeadership()).isTrue();
            assertThat(latch.getOurPath()).isEqualTo(path);

            engine.connect(Connection.LOST);
            assertThat(latch.hasLeadership()).isFalse();
            candidacy.end();
            engine.connect(Connection.RECONNECTED);
            engine.connect(Connection.RECONNECTED);
            callbacks.forEach(Runnable::run);
            candidacy.grant(2);
            engine.connect(Connection.RECONNECTED);
            assertThat(latch.hasLeadership())
                    .as("what was computed before is not applied after")
                    .isTrue();
            assertThat(candidacy.rejoins()).isEqualTo(1);
            assertThat(candidacy.leaves()).isZero();
            assertThat(engine.candidacies()).hasSize(1);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-652, #1168, CURATOR-653, #1169, PR #398, PR #436: after an outage of the quorum one leads")
    void bothReconnectAfterAnOutageOfTheQuorum(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            for (int outage = 1; outage <= 5; outage++) {
                contenders.cluster().partition("n1", "n2", "n3");
                contenders.watch(SUPPORT.multipliedBy(2));
                assertThat(contenders.leader()).isEmpty();
                contenders.cluster().heal();
                contenders.watch(SUPPORT.multipliedBy(3));
                assertThat(contenders.leader()).isPresent();
                assertThat(contenders.grants()).isEqualTo(1 + outage);
            }
        }
    }

    // The former life's support has not run out when the next one asks who leads.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-696, #1211, PR #500, druid #16411, druid PR #16528: a former life's leadership is not ours")
    void whatIsLeftOfAFormerLifeIsNotTakenForOurs(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            String formerPath = contenders.latch("n1").getOurPath();
            long formerToken = contenders.latch("n1").fencingToken();
            contenders.cluster().crash("n1");
            contenders.cluster().advance(millis(20));
            LeaderLatch next = contenders.join("n1", contenders.cluster().restart("n1"));
            assertThat(next.hasLeadership()).isFalse();
            contenders.watch(SUPPORT.multipliedBy(5));
            assertThat(contenders.leader()).as("the next in the queue").contains("n2");
            assertThat(next.getOurPath()).isNotNull().isNotEqualTo(formerPath);
            assertThat(contenders.latch("n2").fencingToken()).isGreaterThan(formerToken);
            assertThat(contenders.queue("n1")).containsExactly("n2", "n3", "n1");
        }
    }

    // No message, timer or callback of the paused process has run when it is asked.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-696, druid #16411: a leader whose session ended while it slept knows at once")
    void aLeaderThatSleptKnowsAtOnce(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            contenders.cluster().pause("n1");
            contenders.watch(SUPPORT.multipliedBy(3));
            assertThat(contenders.leader()).contains("n2");
            assertThat(contenders.latch("n1").hasLeadership()).isFalse();
            assertThat(contenders.told("n1")).as("it still sleeps").containsExactly("isLeader");
            contenders.cluster().resume("n1");
            contenders.watch(SUPPORT.multipliedBy(3));
            assertThat(contenders.leader()).contains("n2");
            assertThat(contenders.told("n1")).containsExactly("isLeader", "notLeader");
        }
    }

    // Curator's two timers run out at the same instant then; here the leader's is the shorter one.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-444, #964, PR #243: a partition of exactly one session time")
    void aPartitionOfExactlyOneSessionTime(ElectionAlgorithm algorithm) {
        for (int offset = -300; offset <= 60; offset += 15) {
            try (Contenders contenders = Contenders.three(algorithm)) {
                contenders.cluster().isolate("n1");
                contenders.watch(SUPPORT.plusMillis(offset));
                contenders.cluster().heal();
                contenders.watch(SUPPORT.multipliedBy(3));
                assertThat(contenders.leader()).isPresent();
                assertThat(contenders.grants())
                        .as("cut for %d ms more than the session", offset)
                        .isLessThan(3);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-460, #980, CURATOR-220, #740: after a silent drop LOST comes in time, before the next leads")
    void aSilentDropIsCountedFromTheLastContact(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            List<String> states = new ArrayList<>();
            contenders
                    .cluster()
                    .client("n1")
                    .getConnectionStateListenable()
                    .addListener((client, state) -> states.add(
                            state + " leading=" + contenders.latch("n1").hasLeadership()));
            contenders.cluster().isolate("n1");
            Duration cut = contenders.cluster().now();
            contenders
                    .cluster()
                    .awaitUntil("n1 ends", () -> !contenders.latch("n1").hasLeadership());
            Duration ended = contenders.cluster().now();
            assertThat(ended.minus(cut))
                    .as("from the last contact, not from its detection")
                    .isLessThan(SUPPORT);
            contenders.cluster().awaitLeaderOtherThan("n1", PATH);
            assertThat(contenders.cluster().now()).isGreaterThan(ended);
            assertThat(states)
                    .containsExactly(
                            ConnectionState.SUSPENDED + " leading=true", ConnectionState.LOST + " leading=false");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-171, #692, PR #195: leadership can be revoked, by its holder and by loss of the grant")
    void leadershipCanBeRevoked(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            assertThat(contenders.latch("n1").resign()).isTrue();
            assertThat(contenders.latch("n1").hasLeadership()).isFalse();
            contenders.watch(SUPPORT);
            assertThat(contenders.leader()).contains("n2");
            assertThat(contenders.told("n1")).containsExactly("isLeader", "notLeader");
        }
        // Whoever granted it has lost its memory.
        try (Contenders contenders = Contenders.joined(
                ClusterSettings.ofVoters(3).contenders(1).diskless().algorithm(algorithm))) {
            List.of("n1", "n2", "n3").forEach(contenders::leave);
            contenders.watch(SUPPORT);
            assertThat(contenders.leader()).contains("c1");
            List.of("n1", "n2").forEach(contenders.cluster()::crash);
            contenders.watch(SUPPORT);
            assertThat(contenders.leader()).isEmpty();
        }
    }

    // n2 is the next in rank and hears of nobody: Netflix's neighbour of a dead candidate.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-47, #568, Netflix #115: the neighbour of a candidate that seems dead does not lead")
    void theNeighbourOfOneThatSeemsDeadDoesNotLead(ElectionAlgorithm algorithm) {
        try (Contenders contenders =
                Contenders.joined(ClusterSettings.ofVoters(5).algorithm(algorithm))) {
            contenders.cluster().partition("n2", "n1,n3,n4,n5");
            contenders.watch(LONG);
            assertThat(contenders.leader()).contains("n1");
            contenders.cluster().heal();
            contenders.cluster().partition("n1,n2", "n3,n4,n5");
            contenders.watch(LONG);
            assertThat(contenders.leader()).contains("n3");
            assertThat(contenders.told("n2")).isEmpty();
        }
    }

    // Four groups of three nodes; one of them, and then none, reaches a majority of the voters.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-47, Netflix #216: of twelve candidates in four groups not three lead")
    void ofTwelveCandidatesOneLeads(ElectionAlgorithm algorithm) {
        try (Contenders contenders =
                Contenders.joined(ClusterSettings.ofVoters(3).contenders(9).algorithm(algorithm))) {
            contenders.cluster().partition("n1,c1,c2", "n2,n3,c3", "c4,c5,c6", "c7,c8,c9");
            contenders.watch(SUPPORT.multipliedBy(10));
            assertThat(contenders.leader()).contains("n2");
            contenders.cluster().partition("n2,c4", "n3,c5");
            contenders.watch(SUPPORT.multipliedBy(10));
            assertThat(contenders.leader()).isEmpty();
            contenders.cluster().heal();
            contenders.watch(SUPPORT.multipliedBy(3));
            assertThat(contenders.leader()).isPresent();
        }
    }

    // The closing latch and the next one have the same client, path and id; messages are late and get lost.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-498, #1018, PR #298: a latch does not take the place that a closing one leaves behind")
    void aClosingLatchLeavesNothingToTheNext(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            contenders.cluster().delay(millis(1), millis(30));
            contenders.cluster().loss(20);
            long token = 0;
            for (int round = 0; round < 20; round++) {
                String leader = contenders.cluster().awaitLeader(PATH);
                LeaderLatch closing = contenders.latch(leader);
                token = closing.fencingToken();
                contenders.leave(leader);
                LeaderLatch next = contenders.join(leader);
                assertThat(closing.hasLeadership()).isFalse();
                assertThat(next.getOurPath()).isNotEqualTo(closing.getLastPathIsLeader());
                contenders.watch(millis(round * 10));
            }
            contenders.cluster().heal();
            contenders.watch(SUPPORT.multipliedBy(3));
            String last = contenders.leader().orElseThrow();
            assertThat(contenders.latch(last).fencingToken()).isGreaterThanOrEqualTo(token);
            assertThat(contenders.queue(last)).containsExactlyInAnyOrder("n1", "n2", "n3");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-505, CURATOR-533: a flapping link does not thrash, and no loss is kept back for it")
    void aFlappingLinkDoesNotThrash(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            for (int flap = 0; flap < 25; flap++) {
                contenders.cluster().isolate("n1");
                contenders.watch(FLAP_PERIOD);
                contenders.cluster().heal();
                contenders.watch(FLAP_PERIOD);
            }
            assertThat(contenders.told("n1")).as("shorter than its lease").containsExactly("isLeader");
            long before = contenders.grants();
            for (int flap = 0; flap < 8; flap++) {
                contenders.cluster().isolate("n1");
                contenders.watch(SUPPORT.multipliedBy(2));
                assertThat(contenders.latch("n1").hasLeadership()).isFalse();
                contenders.cluster().heal();
                contenders.watch(FLAP_PERIOD);
            }
            assertThat(contenders.grants() - before)
                    .as("one other leads, and n1 waits behind it")
                    .isEqualTo(1);
        }
    }

    // isLeader() lets the time pass itself: what would run after it on its thread cannot help.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("Found with Curator (1): an isLeader() that blocks does not freeze hasLeadership()")
    void aBlockedCallbackFreezesNothing(ElectionAlgorithm algorithm) {
        try (Contenders contenders = new Contenders(ClusterSettings.ofVoters(3).algorithm(algorithm))) {
            LeaderLatch blocked = new LeaderLatch(contenders.cluster().client("n1"), PATH);
            List<String> seen = new ArrayList<>();
            blocked.addListener(new RecordingListener(seen) {
                @Override
                public void isLeader() {
                    contenders.join("n2");
                    contenders.cluster().isolate("n1");
                    note("next: " + contenders.cluster().awaitLeaderOtherThan("n1", PATH));
                    note("leads: " + blocked.hasLeadership());
                }
            });
            Contenders.start(blocked);
            contenders.cluster().advance(SUPPORT.multipliedBy(5));
            assertThat(seen).containsExactly("next: n2", "leads: false", "notLeader");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("Found with Curator (2): a client closed without its latch ends the latch's leadership")
    void closingTheClientEndsLeadership(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            contenders.cluster().client("n1").close();
            assertThat(contenders.latch("n1").hasLeadership()).isFalse();
            assertThat(contenders.latch("n1").getState()).isEqualTo(LeaderLatch.State.CLOSED);
            contenders.watch(millis(50));
            assertThat(contenders.leader()).as("at once, not after the session").contains("n2");
        }
    }
}
