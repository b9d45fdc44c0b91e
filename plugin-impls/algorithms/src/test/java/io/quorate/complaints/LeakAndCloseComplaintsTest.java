package io.quorate.complaints;

import static io.quorate.complaints.Contenders.PATH;
import static io.quorate.complaints.Contenders.SUPPORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderSelector;
import io.quorate.LeaderSelectorListenerAdapter;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.ManualExecutor;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What users of Curator's recipes reported of closing: what is left behind, and what it says. */
class LeakAndCloseComplaintsTest {

    private static final String CLOSED_ALREADY = "Already closed or has not been started";

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    private static ElectionAlgorithm anyAlgorithm() {
        return Contenders.algorithms().findFirst().orElseThrow();
    }

    // At each moment of the joining and of the election: messages are slow, and every fifth is lost.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-3, #524, Netflix #265, CURATOR-18, #539, Netflix #257, Netflix #274: close() that races the "
            + "joining or the election leaves nothing behind")
    void closeThatRacesTheJoiningLeavesNothing(ElectionAlgorithm algorithm) throws Exception {
        try (Contenders contenders = new Contenders(ClusterSettings.ofVoters(3).algorithm(algorithm))) {
            contenders.cluster().delay(millis(2), millis(10));
            contenders.cluster().loss(20);
            for (int age = 0; age < 60; age += 2) {
                LeaderLatch passing = new LeaderLatch(contenders.cluster().client("n1"), PATH, "passing");
                passing.start();
                contenders.cluster().advance(millis(age));
                passing.close();
                assertThat(passing.hasLeadership()).isFalse();
            }
            contenders.join("n2");
            contenders.cluster().heal();
            contenders.watch(SUPPORT.multipliedBy(2));
            assertThat(contenders.leader()).contains("n2");
            assertThat(contenders.queue("n2")).containsExactly("n2");
            long grants = contenders.grants();
            contenders.watch(SUPPORT.multipliedBy(10));
            assertThat(contenders.grants())
                    .as("no late grant for a closed latch")
                    .isEqualTo(grants);
        }
    }

    @Test
    @DisplayName("CURATOR-521, #1041: close(null) changes nothing")
    void closeNullDoesNotHalfClose() throws Exception {
        try (Contenders contenders = Contenders.three(anyAlgorithm())) {
            LeaderLatch leader = contenders.latch("n1");
            assertThatNullPointerException()
                    .isThrownBy(() -> leader.close(null))
                    .withMessage("closeMode cannot be null");
            contenders.watch(SUPPORT);
            assertThat(leader.getState()).isEqualTo(LeaderLatch.State.STARTED);
            assertThat(leader.hasLeadership()).isTrue();
            assertThat(contenders.told("n1")).containsExactly("isLeader");
            leader.close();
            contenders.watch(millis(50));
            assertThat(contenders.told("n1")).containsExactly("isLeader", "notLeader");
            assertThat(contenders.leader()).contains("n2");
        }
    }

    private enum Order {
        LATCH_FIRST,
        CLIENT_FIRST
    }

    // A leader and one that waits, with and without a connection, the latch or the client first.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-467, #987, CURATOR-466, #986, CURATOR-468, #988, CURATOR-337, #857: an ordinary close logs "
            + "no error and no stack trace")
    void anOrdinaryCloseIsQuiet(ElectionAlgorithm algorithm) throws Exception {
        for (Order order : Order.values()) {
            for (String closed : List.of("n1", "n3")) {
                for (boolean isConnected : List.of(true, false)) {
                    assertThat(linesOfClosing(algorithm, order, closed, isConnected))
                            .as("%s %s connected=%s", order, closed, isConnected)
                            .isEmpty();
                }
            }
        }
    }

    private static List<String> linesOfClosing(
            ElectionAlgorithm algorithm, Order order, String node, boolean isConnected) throws Exception {
        try (Contenders contenders = Contenders.three(algorithm);
                CapturedLog log = new CapturedLog()) {
            if (!isConnected) {
                contenders.cluster().isolate(node);
                contenders.watch(SUPPORT.multipliedBy(2));
            }
            ElectionClient client = contenders.cluster().client(node);
            if (order == Order.CLIENT_FIRST) {
                client.close();
            }
            contenders.latch(node).close();
            client.close();
            contenders.watch(SUPPORT.multipliedBy(2));
            return log.text().lines().filter(line -> !line.contains(" INFO ")).toList();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("AMORO #3132: a latch whose client was closed first can be closed, and the next leads")
    void aClientClosedBeforeItsLatch(ElectionAlgorithm algorithm) throws Exception {
        try (Contenders contenders = Contenders.three(algorithm)) {
            contenders.cluster().client("n1").close();
            LeaderLatch latch = contenders.latch("n1");
            assertThat(latch.hasLeadership()).isFalse();
            latch.close();
            assertThatIllegalStateException().isThrownBy(latch::close).withMessage(CLOSED_ALREADY);
            contenders.watch(millis(50));
            assertThat(contenders.leader()).contains("n2");
            assertThat(contenders.queue("n2")).containsExactly("n2", "n3");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("Netflix #205: close() and start() to hand over are refused in clear words; resign() does it")
    void handingOverIsResigning(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            for (String expected : List.of("n2", "n3", "n1", "n2")) {
                LeaderLatch leader = contenders.latch(contenders.leader().orElseThrow());
                assertThat(leader.resign()).isTrue();
                contenders.watch(millis(100));
                assertThat(contenders.leader()).contains(expected);
                assertThat(leader.getState()).isEqualTo(LeaderLatch.State.STARTED);
            }
            contenders.leave("n2");
            assertThatIllegalStateException()
                    .isThrownBy(() -> contenders.latch("n2").start())
                    .withMessage("Cannot be started more than once");
            assertThatIllegalStateException()
                    .isThrownBy(() -> contenders.leave("n2"))
                    .withMessage(CLOSED_ALREADY);
        }
    }

    // The selector's thread has not begun, or is about to take leadership.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-3, CURATOR-18: a selector that is closed before its thread runs leaves no contender")
    void aSelectorClosedBeforeItsThreadRuns(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            ManualExecutor attempts = new ManualExecutor();
            LeaderSelector selector = new LeaderSelector(
                    contenders.cluster().client("n1"), PATH, attempts, new LeaderSelectorListenerAdapter() {
                        @Override
                        public void takeLeadership(ElectionClient client) {
                            throw new AssertionError("it is closed");
                        }
                    });
            selector.autoRequeue();
            selector.start();
            selector.close();
            attempts.runNext();
            assertThat(attempts.waiting()).isZero();
            contenders.watch(SUPPORT);
            assertThat(contenders.queue("n3")).containsExactly("n1", "n2", "n3");
        }
    }
}
