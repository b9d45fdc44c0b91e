package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.ManualExecutor;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One tandem or shadow per node, on the production driver in virtual time; the old side is the test's. */
@Timeout(60)
class TandemLatchTest {

    private static final String PATH = "/app/leader";
    private static final Duration SOON = Duration.ofMillis(1500);
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

    private TandemLatch tandem(String node) {
        return started(new TandemLatch(old.member(node), cluster.client(node), PATH, node));
    }

    private TandemLatch shadow(String node) {
        return started(TandemLatch.shadow(old.member(node), cluster.client(node), PATH, node));
    }

    private TandemLatch started(TandemLatch latch) {
        if (latch.getId().equals("n1")) {
            latch.addListener(listener);
        }
        latch.start();
        cluster.advance(SOON);
        return latch;
    }

    @Test
    void itLeadsWhenBothDo() {
        TandemLatch first = tandem("n1");
        assertThat(first.hasLeadership()).isTrue();
        assertThat(first.getState()).isEqualTo(LeaderLatch.State.STARTED);
        assertThat(first.isShadow()).isFalse();
        assertThat(cluster.leader(PATH)).contains("n1");
        assertThat(first.leadership().orElseThrow().fencingToken()).isEqualTo(first.fencingToken());
        assertThat(listener.events).containsExactly("isLeader");
    }

    @Test
    void itHasNotLedBeforeBothDo() {
        cluster.isolate("n1");
        TandemLatch first = tandem("n1");
        assertThat(old.holder()).contains("n1");
        assertThat(first.hasLeadership()).isFalse();
        assertThat(first.leadership()).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(first::fencingToken)
                .withMessage("Not leading /app/leader: there is no fencing token");
        assertThat(listener.events).isEmpty();
    }

    @Test
    void onlyTheLeaderOfTheOldSideJoinsQuorate() throws Exception {
        tandem("n1");
        TandemLatch second = tandem("n2");
        assertThat(second.hasLeadership()).isFalse();
        try (LeaderLatch looks = new LeaderLatch(cluster.client("n3"), PATH)) {
            assertThat(looks.getParticipants()).extracting(Participant::getId).containsExactly("n1");
            looks.start();
        }
    }

    @Test
    void theOldSidesLossEndsItAtOnceAndFreesThePath() {
        TandemLatch first = tandem("n1");
        TandemLatch second = tandem("n2");
        long token = first.fencingToken();
        old.member("n1").cut();
        assertThat(first.hasLeadership()).isFalse();
        assertThat(first.leadership()).isEmpty();
        cluster.advance(SOON);
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
        assertThat(second.hasLeadership()).isTrue();
        assertThat(second.fencingToken()).isGreaterThan(token);
    }

    @Test
    void quoratesLossEndsItAtOnce() {
        TandemLatch first = tandem("n1");
        cluster.isolate("n1");
        cluster.awaitUntil("its lease is over", () -> !first.hasLeadership());
        assertThat(old.holder()).contains("n1");
        cluster.advance(Duration.ofMillis(500));
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void whoCannotLeadQuorateGivesTheOldSideUp() {
        TandemLatch first = tandem("n1");
        TandemLatch second = tandem("n2");
        cluster.isolate("n1");
        cluster.advance(PATIENCE);
        assertThat(old.holder()).contains("n2");
        assertThat(second.hasLeadership()).isTrue();
        assertThat(old.member("n1").calls()).containsExactly("start", "close", "start");
        assertThat(log.lines("the companion has led for PT5S, and Quorate does not follow"))
                .hasSize(1);
        cluster.heal();
        old.member("n2").cut();
        cluster.advance(PATIENCE);
        assertThat(first.hasLeadership()).isTrue();
    }

    @Test
    void whatWasSeenAsLostStaysLost() {
        TandemLatch first = tandem("n1");
        long token = first.fencingToken();
        old.member("n1").flapUnseen(() -> assertThat(first.hasLeadership()).isFalse());
        assertThat(first.hasLeadership()).isFalse();
        cluster.advance(SOON);
        assertThat(first.fencingToken()).isGreaterThan(token);
        assertThat(listener.events).containsExactly("isLeader", "notLeader", "isLeader");
    }

    @Test
    void whatNobodySawIsNoLoss() {
        TandemLatch first = tandem("n1");
        old.member("n1").flapUnseen(() -> {});
        cluster.advance(SOON);
        assertThat(first.hasLeadership()).isTrue();
        assertThat(listener.events).containsExactly("isLeader");
    }

    @Test
    void aFlapThatItIsToldOfIsALoss() {
        TandemLatch first = tandem("n1");
        old.member("n1").flap();
        assertThat(first.hasLeadership()).isFalse();
        cluster.advance(SOON);
        assertThat(first.hasLeadership()).isTrue();
        assertThat(listener.events).containsExactly("isLeader", "notLeader", "isLeader");
    }

    @Test
    void itDoesNotLeadBeforeNotLeaderHasReturned() {
        TandemLatch first = tandem("n1");
        ManualExecutor slow = new ManualExecutor();
        first.addListener(new RecordingListener(), slow);
        old.member("n1").flap();
        cluster.advance(PATIENCE);
        assertThat(first.hasLeadership()).isFalse();
        assertThat(cluster.leader(PATH)).isEmpty();
        slow.runNext();
        cluster.advance(SOON);
        assertThat(first.hasLeadership()).isTrue();
    }

    @Test
    void aNotLeaderThatHangsDoesNotKeepItOut() {
        TandemLatch first = tandem("n1");
        first.addListener(new RecordingListener(), new ManualExecutor());
        old.member("n1").flap();
        cluster.advance(Duration.ofSeconds(32));
        assertThat(first.hasLeadership()).isTrue();
        assertThat(log.lines("a notLeader callback has not returned for PT30S")).hasSize(1);
    }

    @Test
    void closingLeavesBothSidesAndTellsOnce() {
        TandemLatch first = tandem("n1");
        TandemLatch second = tandem("n2");
        first.close();
        assertThat(first.hasLeadership()).isFalse();
        assertThat(first.getState()).isEqualTo(LeaderLatch.State.CLOSED);
        assertThat(old.member("n1").calls()).containsExactly("start", "close");
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
        first.close();
        cluster.advance(SOON);
        assertThat(second.hasLeadership()).isTrue();
        assertThatIllegalStateException().isThrownBy(first::start).withMessage("Cannot be started more than once");
    }

    @Test
    void whatIsClosedBeforeItsStartNeverStarts() {
        TandemLatch latch = new TandemLatch(old.member("n1"), cluster.client("n1"), PATH, "n1");
        assertThat(latch.getState()).isEqualTo(LeaderLatch.State.LATENT);
        latch.close();
        assertThatIllegalStateException().isThrownBy(latch::start);
        assertThat(old.member("n1").calls()).isEmpty();
    }

    @Test
    void aCallbackMayCloseIt() {
        TandemLatch first = new TandemLatch(old.member("n1"), cluster.client("n1"), PATH, "n1");
        first.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                first.close();
            }

            @Override
            public void notLeader() {
                listener.notLeader();
            }
        });
        started(first);
        assertThat(old.member("n1").calls()).containsExactly("start", "close");
        assertThat(listener.events).containsExactly("isLeader", "notLeader", "notLeader");
    }

    @Test
    void theClientClosesIt() {
        TandemLatch first = tandem("n1");
        TandemLatch second = tandem("n2");
        cluster.client("n1").close();
        assertThat(first.hasLeadership()).isFalse();
        assertThat(old.member("n1").calls()).containsExactly("start", "close");
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
        first.close();
        cluster.advance(SOON);
        assertThat(second.hasLeadership()).isTrue();
        TandemLatch late = new TandemLatch(old.restarted("n1"), cluster.client("n1"), PATH, "n1");
        late.start();
        cluster.advance(SOON);
        assertThat(late.getState()).isEqualTo(LeaderLatch.State.CLOSED);
        assertThat(old.holder()).contains("n2");
    }

    @Test
    void theWorkOfALeaderIsFinishedBeforeItLeaves() {
        TandemLatch first = tandem("n1");
        CompletableFuture<Void> report = new CompletableFuture<>();
        first.drain(leadership -> report, Duration.ofSeconds(40));
        CompletableFuture<Void> closed = first.closeAsync().toCompletableFuture();
        cluster.advance(Duration.ofSeconds(5));
        assertThat(first.hasLeadership()).isTrue();
        assertThat(first.leadership().orElseThrow().isLeaving()).isTrue();
        assertThat(cluster.client("n1").leaving()).containsKey(PATH);
        assertThat(old.holder()).contains("n1");
        report.complete(null);
        cluster.advance(SOON);
        assertThat(closed).isCompleted();
        assertThat(first.hasLeadership()).isFalse();
        assertThat(old.holder()).isEmpty();
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void theOldSidesLossCutsTheWork() {
        TandemLatch first = tandem("n1");
        CompletableFuture<Void> report = new CompletableFuture<>();
        first.drain(leadership -> report, Duration.ofSeconds(40));
        CompletableFuture<Void> closed = first.closeAsync().toCompletableFuture();
        cluster.advance(Duration.ofSeconds(1));
        old.member("n1").cut();
        assertThat(first.hasLeadership()).isFalse();
        cluster.advance(SOON);
        assertThat(report).isCancelled();
        assertThat(closed).isCompleted();
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void theClientWaitsForTheWork() {
        TandemLatch first = tandem("n1");
        CompletableFuture<Void> report = new CompletableFuture<>();
        first.drain(leadership -> report, Duration.ofSeconds(40));
        CompletableFuture<Void> closed = cluster.client("n1").closeAsync().toCompletableFuture();
        cluster.advance(Duration.ofSeconds(5));
        assertThat(first.hasLeadership()).isTrue();
        report.complete(null);
        cluster.advance(SOON);
        assertThat(closed).isCompleted();
        assertThat(old.member("n1").calls()).containsExactly("start", "close");
    }

    @Test
    void aCompanionThatDoesNotStartIsStartedAgain() {
        old.member("n1").failsWith(new IllegalStateException("no session"));
        TandemLatch first = tandem("n1");
        assertThat(first.hasLeadership()).isFalse();
        assertThat(old.member("n1").calls()).containsExactly("start", "close");
        assertThat(log.lines("its companion did not start")).hasSize(1);
        old.member("n1").failsNoMore();
        cluster.advance(PATIENCE);
        assertThat(first.hasLeadership()).isTrue();
    }

    @Test
    void aShadowLeadsIfTheCompanionDoes() {
        TandemLatch first = shadow("n1");
        assertThat(first.isShadow()).isTrue();
        assertThat(first.hasLeadership()).isTrue();
        assertThat(cluster.leader(PATH)).contains("n1");
        assertThat(first.leadership()).isEmpty();
        assertThat(cluster.client("n1").health().leads()).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(first::fencingToken)
                .withMessage("A shadow of /app/leader has no fencing token");
        old.member("n1").cut();
        assertThat(first.hasLeadership()).isFalse();
        cluster.advance(SOON);
        assertThat(cluster.leader(PATH)).isEmpty();
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
        assertThat(first.differences()).isZero();
    }

    @Test
    void aShadowCountsWhatDiffersAndLeadsOn() {
        TandemLatch first = shadow("n1");
        cluster.isolate("n1");
        cluster.advance(PATIENCE);
        assertThat(first.hasLeadership()).isTrue();
        assertThat(first.differences()).isEqualTo(1);
        assertThat(log.lines("difference 1: Quorate's leadership has ended, and the companion leads on"))
                .hasSize(1);
        assertThat(old.member("n1").calls()).containsExactly("start");
        assertThat(listener.events).containsExactly("isLeader");
    }

    @Test
    void aShadowThatQuorateDoesNotFollowSaysSo() {
        cluster.isolate("n1");
        TandemLatch first = shadow("n1");
        cluster.advance(PATIENCE);
        assertThat(first.hasLeadership()).isTrue();
        assertThat(first.differences()).isZero();
        cluster.advance(PATIENCE);
        assertThat(first.differences()).isEqualTo(1);
        assertThat(log.lines("difference 1: the companion has led for PT5S, and Quorate does not follow"))
                .hasSize(1);
    }

    @Test
    void aShadowLeadsWithoutAnyClient() {
        ClusterSettings settings =
                ClusterSettings.ofVoters(3).moving().algorithm(new HighestUp()).clientsAreStartedByTheTest();
        try (SimulatedCluster latent = new SimulatedCluster(settings)) {
            TandemLatch first = TandemLatch.shadow(old.member("n1"), latent.client("n1"), PATH, "n1");
            first.addListener(listener);
            first.start();
            latent.advance(SOON);
            assertThat(first.hasLeadership()).isTrue();
            latent.nodes().forEach(node -> latent.client(node).start());
            latent.advance(SOON);
            assertThat(latent.leader(PATH)).contains("n1");
            first.close();
            assertThat(listener.events).containsExactly("isLeader", "notLeader");
        }
    }

    @Test
    void aShadowHasNoTokenToTell() {
        TandemLatch first = shadow("n1");
        FencedLeaderLatchListener fenced = token -> {};
        assertThatIllegalArgumentException()
                .isThrownBy(() -> first.addListener(fenced))
                .withMessageContaining("a shadow has no fencing token");
        assertThatIllegalArgumentException().isThrownBy(() -> first.addListener(fenced, new ManualExecutor()));
    }

    @Test
    void aTandemTellsItsToken() {
        CompletableFuture<Long> told = new CompletableFuture<>();
        TandemLatch first = new TandemLatch(old.member("n1"), cluster.client("n1"), PATH, "n1");
        first.addListener((FencedLeaderLatchListener) told::complete);
        started(first);
        assertThat(told).isCompletedWithValue(first.fencingToken());
    }

    @Test
    void theStageSaysWhetherOneOfTwoLeads() {
        TandemLatch first = tandem("n1");
        assertThat(first.hasLeadership()).isTrue();
        assertThat(cluster.client("n1").stages()).hasToString("{/app/leader=tandem}");
        cluster.isolate("n1");
        cluster.awaitUntil("its lease is over", () -> !first.hasLeadership());
        cluster.advance(Duration.ofMillis(100));
        assertThat(cluster.client("n1").stages().get(PATH).isOneOfTwo()).isTrue();
        assertThat(cluster.client("n1").stages()).hasToString("{/app/leader=tandem; one of its two sides leads}");
        shadow("n2");
        assertThat(cluster.client("n2").stages().get(PATH)).isEqualTo(new Stage("shadow", false, 0));
        assertThat(new Stage("shadow", false, 2)).hasToString("shadow; its sides have differed 2 times");
    }

    @Test
    void oneThatIsRemovedHearsNoMore() {
        TandemLatch first = tandem("n1");
        first.removeListener(listener);
        first.close();
        assertThat(listener.events).containsExactly("isLeader");
    }
}
