package io.quorate.complaints;

import static io.quorate.complaints.Contenders.PATH;
import static io.quorate.complaints.Contenders.SUPPORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.ElectionClient;
import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderSelector;
import io.quorate.LeaderSelectorListenerAdapter;
import io.quorate.Participant;
import io.quorate.SessionConnectionStateErrorPolicy;
import io.quorate.StandardConnectionStateErrorPolicy;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.RecordingListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users of Curator's recipes reported of callbacks, and what they missed in the interface. */
class NotificationComplaintsTest {

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    private static ElectionAlgorithm anyAlgorithm() {
        return Contenders.algorithms().findFirst().orElseThrow();
    }

    @Test
    @DisplayName("CURATOR-22, #543, CURATOR-83, #604, CURATOR-92, #613, PR #1: who is told of what, and of close() "
            + "only if asked for; a listener added late is told of the end alone")
    void whoIsToldOfWhat() throws Exception {
        try (Contenders contenders = new Contenders(ClusterSettings.ofVoters(3))) {
            for (CloseMode mode : CloseMode.values()) {
                List<String> told = new ArrayList<>();
                List<String> toldLate = new ArrayList<>();
                LeaderLatch latch = new LeaderLatch(contenders.cluster().client("n1"), PATH, "", mode);
                latch.addListener(new RecordingListener(told));
                latch.start();
                latch.await();
                contenders.cluster().advance(millis(1));
                latch.addListener(new RecordingListener(toldLate));
                contenders.cluster().advance(SUPPORT);
                assertThat(told).containsExactly("isLeader");
                assertThat(toldLate).isEmpty();
                latch.close();
                contenders.cluster().advance(SUPPORT);
                boolean isNotified = mode == CloseMode.NOTIFY_LEADER;
                assertThat(told).isEqualTo(isNotified ? List.of("isLeader", "notLeader") : List.of("isLeader"));
                assertThat(toldLate).isEqualTo(isNotified ? List.of("notLeader") : List.of());
            }
            LeaderLatch silent = new LeaderLatch(contenders.cluster().client("n1"), PATH);
            List<String> told = new ArrayList<>();
            silent.addListener(new RecordingListener(told));
            silent.start();
            silent.await();
            contenders.cluster().advance(millis(1));
            silent.close();
            contenders.cluster().advance(SUPPORT);
            assertThat(told).as("by default").containsExactly("isLeader");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-358, #878, CURATOR-436, #956, STORM-2400, CURATOR-346, #866: getLeader() never throws for "
            + "nobody, and the participants are right after SUSPENDED")
    void whoContendsIsKnownAtAnyTime(ElectionAlgorithm algorithm) throws Exception {
        try (Contenders contenders = Contenders.three(algorithm)) {
            LeaderLatch unknown = new LeaderLatch(contenders.cluster().client("n2"), "/nobody/contends");
            assertThat(unknown.getLeader()).isEqualTo(new Participant("", false));
            assertThat(unknown.getParticipants()).isEmpty();
            for (int outage = 0; outage < 3; outage++) {
                contenders.cluster().partition("n1", "n2", "n3");
                contenders.watch(SUPPORT.minusMillis(400).plusMillis(400L * outage));
                assertThat(contenders.latch("n3").getLeader())
                        .as("while it is cut off")
                        .isNotNull();
                contenders.cluster().heal();
                contenders.watch(SUPPORT.multipliedBy(2));
                String leader = contenders.leader().orElseThrow();
                for (String node : contenders.cluster().nodes()) {
                    assertThat(contenders.queue(node)).as(node).containsExactlyInAnyOrder("n1", "n2", "n3");
                    assertThat(contenders.latch(node).getLeader()).isEqualTo(new Participant(leader, true));
                }
            }
            // The leader leaves and is the last: nobody leads, and asking is no error.
            contenders.cluster().nodes().forEach(contenders::leave);
            assertThat(contenders.latch("n1").getLeader()).isEqualTo(new Participant("", false));
            contenders.watch(SUPPORT);
            assertThat(contenders.latch("n1").getParticipants()).isEmpty();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-537, #1056, PR #324, PR #414, CURATOR-637, #1153, druid PR #4699: a fencing token that "
            + "rises, from the latch and in the listener")
    void aFencingTokenThatRises(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            List<Long> tokens = new ArrayList<>();
            contenders.cluster().nodes().forEach(node -> contenders.latch(node).addListener((FencedLeaderLatchListener)
                    tokens::add));
            for (int turn = 0; turn < 6; turn++) {
                String leader = contenders.leader().orElseThrow();
                contenders.latch(leader).resign();
                contenders.watch(millis(100));
                LeaderLatch next = contenders.latch(contenders.leader().orElseThrow());
                assertThat(next.fencingToken()).isEqualTo(tokens.get(turn));
                assertThat(next.getLastPathIsLeader())
                        .startsWith(PATH + "/")
                        .endsWith(String.format("-latch-%019d", next.fencingToken()));
            }
            assertThat(tokens).hasSize(6).isSorted().doesNotHaveDuplicates();
            assertThat(contenders.latch("n1").getLastPathIsLeader())
                    .as("of the turn before its last loss")
                    .isNotNull();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("FLINK-10052, PR #9158, PR #11338, PR #15675, PR #16801: SUSPENDED ends leadership only if asked for")
    void suspendedIsTolerated(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.joined(ClusterSettings.ofVoters(3)
                .algorithm(algorithm)
                .connectionStateErrorPolicy(new SessionConnectionStateErrorPolicy()))) {
            List<String> states = suspend(contenders);
            assertThat(states).containsExactly("SUSPENDED leads=true", "RECONNECTED leads=true");
            assertThat(contenders.told("n1")).containsExactly("isLeader");
        }
        try (Contenders contenders = Contenders.joined(ClusterSettings.ofVoters(3)
                .algorithm(algorithm)
                .connectionStateErrorPolicy(new StandardConnectionStateErrorPolicy()))) {
            List<String> states = suspend(contenders);
            assertThat(states.get(0)).isEqualTo("SUSPENDED leads=false");
            assertThat(contenders.told("n1")).startsWith("isLeader", "notLeader");
        }
    }

    /** Longer than three heartbeats, shorter than the lease. */
    private static List<String> suspend(Contenders contenders) {
        List<String> states = new ArrayList<>();
        contenders
                .cluster()
                .client("n1")
                .getConnectionStateListenable()
                .addListener((client, state) ->
                        states.add(state + " leads=" + contenders.latch("n1").hasLeadership()));
        contenders.cluster().isolate("n1");
        while (states.isEmpty()) {
            contenders.watch(millis(5));
        }
        contenders.cluster().heal();
        contenders.watch(SUPPORT);
        return states;
    }

    // The node still cleans up for longer than an election takes; it is alone, so that nobody else would lead first.
    @ParameterizedTest(name = "{0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("druid PR #17546: who is slow in notLeader() does not lead again before that returns")
    void aSlowNotLeaderIsWaitedFor(boolean byResigning) {
        try (Contenders contenders = new Contenders(ClusterSettings.ofVoters(3))) {
            LeaderLatch latch = contenders.join("n1");
            List<String> seen = new ArrayList<>();
            latch.addListener(new RecordingListener(seen) {
                @Override
                public void notLeader() {
                    super.notLeader();
                    contenders.cluster().heal();
                    contenders.watch(SUPPORT.multipliedBy(10));
                    note("leads=" + latch.hasLeadership());
                }
            });
            if (byResigning) {
                latch.resign();
            } else {
                contenders.cluster().isolate("n1");
            }
            contenders.cluster().advance(SUPPORT.multipliedBy(2));
            contenders.cluster().awaitUntil("it leads again", latch::hasLeadership);
            contenders.cluster().advance(millis(1));
            assertThat(seen).containsExactly("notLeader", "leads=false", "isLeader");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("STORM-3354: who refuses leadership in its callback queues at the tail, and is asked again")
    void whoRefusesQueuesAtTheTail(ElectionAlgorithm algorithm) {
        try (Contenders contenders = new Contenders(ClusterSettings.ofVoters(3).algorithm(algorithm))) {
            List<String> asked = new ArrayList<>();
            for (String node : contenders.cluster().nodes()) {
                LeaderLatch latch = new LeaderLatch(contenders.cluster().client(node), PATH, node);
                latch.addListener(new RecordingListener() {
                    @Override
                    public void isLeader() {
                        asked.add(node);
                        boolean isAccepted = asked.size() == 8;
                        assertThat(isAccepted || latch.resign()).isTrue();
                    }
                });
                Contenders.start(latch);
                contenders.cluster().advance(millis(1));
            }
            contenders.cluster().awaitUntil("the eighth accepts", () -> asked.size() == 8);
            contenders.cluster().advance(SUPPORT.multipliedBy(10));
            assertThat(asked).hasSize(8);
            assertThat(asked.subList(2, 8))
                    .as("in turns")
                    .containsExactly(
                            asked.get(2), asked.get(3), asked.get(4), asked.get(2), asked.get(3), asked.get(4));
            assertThat(asked.subList(2, 5)).doesNotHaveDuplicates();
            assertThat(contenders.cluster().leader(PATH)).contains(asked.get(7));
        }
    }

    @ParameterizedTest(name = "[{0}]")
    @ValueSource(
            strings = {
                "app/leader",
                "leader",
                "./leader",
                "/app/../leader",
                "/app/./leader",
                "/app//leader",
                "/app/leader/",
                ""
            })
    @DisplayName("CURATOR-136, PR #39: a relative path is refused by latch and selector alike")
    void relativePathsAreRefused(String path) {
        try (Contenders contenders = new Contenders(ClusterSettings.ofVoters(1).algorithm(anyAlgorithm()))) {
            ElectionClient client = contenders.cluster().client("n1");
            assertThatIllegalArgumentException().isThrownBy(() -> new LeaderLatch(client, path));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new LeaderSelector(client, path, new LeaderSelectorListenerAdapter() {
                        @Override
                        public void takeLeadership(ElectionClient source) {
                            throw new AssertionError("there is no such path");
                        }
                    }));
        }
    }
}
