package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.ClientMonitor.DrainOutcome;
import io.quorate.runtime.ElectionDriver;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a leader finishes before its leadership ends on purpose, on the production driver in virtual time; n1 leads. */
class LeaderLatchDrainTest {

    private static final String PATH = "/app/leader";
    private static final Duration BOUND = Duration.ofSeconds(40);
    private static final Duration A_WHILE = Duration.ofSeconds(5);

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));
    private final CapturedLog log = CapturedLog.atInfo(ElectionDriver.class);
    private final CompletableFuture<Void> report = new CompletableFuture<>();
    private final List<Leadership> asked = new ArrayList<>();
    private final List<DrainOutcome> outcomes = new ArrayList<>();
    private final RecordingListener listener = new RecordingListener();
    private LeaderLatch first;
    private LeaderLatch second;
    private LeaderLatch third;
    private long token;

    private LeaderLatch latch(String node) throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client(node), PATH, node);
        latch.start();
        cluster.advance(Duration.ofMillis(1500));
        return latch;
    }

    @BeforeEach
    void n1Leads() throws Exception {
        first = latch("n1");
        second = latch("n2");
        third = latch("n3");
        first.addListener(listener);
        first.drain(
                leadership -> {
                    asked.add(leadership);
                    return report;
                },
                BOUND);
        cluster.client("n1").addMonitor(new ClientMonitor() {
            @Override
            public void drained(String path, DrainOutcome outcome, Duration took) {
                assertThat(path).isEqualTo(PATH);
                assertThat(took).isBetween(Duration.ZERO, BOUND.plusSeconds(1));
                outcomes.add(outcome);
            }
        });
        cluster.advance(Duration.ofMillis(100));
        assertThat(cluster.leader(PATH)).contains("n1");
        token = first.fencingToken();
    }

    @AfterEach
    void close() {
        report.complete(null);
        cluster.close();
        log.close();
    }

    /** Time passes, and the first latch leads all the same. */
    private void leadsOnFor(Duration time) {
        cluster.advance(time);
        assertThat(first.hasLeadership()).as(cluster::describe).isTrue();
        assertThat(first.fencingToken()).isEqualTo(token);
        assertThat(cluster.leader(PATH)).contains("n1");
    }

    private void leavesFor(Duration time) {
        leadsOnFor(time);
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0).fencingToken()).isEqualTo(token);
        assertThat(asked.get(0).isLeaving()).isTrue();
        assertThat(first.leadership().orElseThrow().isLeaving()).isTrue();
        assertThat(outcomes).isEmpty();
    }

    private void hasGoneTo(String node, DrainOutcome outcome) {
        assertThat(cluster.leader(PATH)).as(cluster::describe).contains(node);
        assertThat(first.hasLeadership()).isFalse();
        assertThat(outcomes).containsExactly(outcome);
    }

    @Test
    void latchThatStaysIsNotLeaving() {
        assertThat(first.leadership().orElseThrow().isLeaving()).isFalse();
        assertThat(asked).isEmpty();
    }

    @Test
    void aTransferWaitsForTheWork() throws Exception {
        CompletableFuture<Void> transfer = first.transferTo("n3").toCompletableFuture();
        leavesFor(A_WHILE);
        assertThat(transfer).isNotDone();
        assertThat(first.explain().toString())
                .contains(
                        "it leads with token " + token + ", and leaves when its work is done: it was transferred to n3")
                .contains("its work is being finished, for PT40S at most");
        assertThat(log.lines("n1 leaves with token " + token, "transferred to n3"))
                .hasSize(1);
        report.complete(null);
        cluster.advance(A_WHILE);
        hasGoneTo("n3", DrainOutcome.DONE);
        assertThat(transfer).isCompleted();
        assertThat(listener.events).containsExactly("notLeader");
        assertThat(first.getParticipants()).extracting(Participant::getId).containsExactly("n3", "n1", "n2");
    }

    @Test
    void theNextTenureOfTheSameLatchDrainsAsWell() throws Exception {
        first.transferTo("n3");
        report.complete(null);
        cluster.advance(A_WHILE);
        third.transferTo("n1", 10, TimeUnit.SECONDS);
        first.transferTo("n2", 10, TimeUnit.SECONDS);
        assertThat(asked).hasSize(2);
        assertThat(outcomes).containsExactly(DrainOutcome.DONE, DrainOutcome.DONE);
    }

    @Test
    void theBoundEndsTheWait() {
        first.transferTo("n3");
        leavesFor(BOUND.minusMillis(100));
        cluster.advance(Duration.ofSeconds(1));
        hasGoneTo("n3", DrainOutcome.TIMED_OUT);
        assertThat(report).isCancelled();
        assertThat(log.lines("WARN", "its drain has not completed for PT40S", "it was transferred to n3"))
                .hasSize(1);
    }

    @Test
    void resigningLeaderFinishesItsWork() throws Exception {
        assertThat(first.resign()).isTrue();
        leavesFor(A_WHILE);
        assertThat(first.resign()).as("again").isTrue();
        assertThat(first.explain().reason()).contains("it resigns");
        report.complete(null);
        cluster.advance(A_WHILE);
        hasGoneTo("n2", DrainOutcome.DONE);
        assertThat(first.getParticipants()).extracting(Participant::getId).containsExactly("n2", "n3", "n1");
    }

    @Test
    void closedLeaderFinishesItsWork() {
        CompletableFuture<Void> closed = first.closeAsync().toCompletableFuture();
        leavesFor(A_WHILE);
        assertThat(first.getState()).isEqualTo(LeaderLatch.State.STARTED);
        report.complete(null);
        cluster.advance(A_WHILE);
        hasGoneTo("n2", DrainOutcome.DONE);
        assertThat(closed).isCompleted();
        assertThat(first.getState()).isEqualTo(LeaderLatch.State.CLOSED);
        assertThat(listener.events).as("a silent close").isEmpty();
    }

    @Test
    void aSecondCloseEndsTheWait() {
        CompletableFuture<Void> closed = first.closeAsync().toCompletableFuture();
        leavesFor(A_WHILE);
        CompletableFuture<Void> again = first.closeAsync().toCompletableFuture();
        assertThat(first.hasLeadership()).isFalse();
        cluster.advance(Duration.ofSeconds(1));
        assertThat(report).isCancelled();
        hasGoneTo("n2", DrainOutcome.CUT);
        assertThat(closed).isCompleted();
        assertThat(again).isCompleted();
    }

    @Test
    void aClientThatIsClosedFinishesTheWorkOfItsLeaders() {
        CompletableFuture<Void> closed = cluster.client("n1").closeAsync().toCompletableFuture();
        leavesFor(A_WHILE);
        report.complete(null);
        cluster.advance(A_WHILE);
        hasGoneTo("n2", DrainOutcome.DONE);
        assertThat(closed).isCompleted();
        assertThat(first.getState()).isEqualTo(LeaderLatch.State.CLOSED);
    }

    @Test
    void closingBlocksUntilTheWorkIsFinished() throws Exception {
        cluster.client("n2").addMonitor(new ClientMonitor() {
            @Override
            public void supportRenewed(Duration left) {
                if (cluster.now().compareTo(Duration.ofSeconds(12)) > 0) {
                    report.complete(null);
                }
            }
        });
        first.close();
        assertThat(cluster.now()).isBetween(Duration.ofSeconds(12), Duration.ofSeconds(13));
        assertThat(first.hasLeadership()).isFalse();
        cluster.advance(Duration.ofSeconds(1));
        hasGoneTo("n2", DrainOutcome.DONE);
    }

    @Test
    void aTransferWhileItClosesSaysWhoFollows() {
        first.closeAsync();
        leavesFor(A_WHILE);
        first.transferTo("n3");
        leavesFor(A_WHILE);
        report.complete(null);
        cluster.advance(A_WHILE);
        hasGoneTo("n3", DrainOutcome.DONE);
    }

    @Test
    void leaderBackFromStandbyInTimeStays() {
        cluster.client("n1").standby(true);
        leavesFor(A_WHILE);
        cluster.client("n1").standby(false);
        cluster.advance(A_WHILE);
        assertThat(report).isCancelled();
        assertThat(outcomes).containsExactly(DrainOutcome.CUT);
        leadsOnFor(BOUND);
        assertThat(first.leadership().orElseThrow().isLeaving()).isFalse();
        assertThat(listener.events).isEmpty();
        assertThat(log.lines("n1 leads on with token " + token)).hasSize(1);
    }

    @Test
    void leaderOnStandbyFinishesItsWork() {
        cluster.client("n1").standby(true);
        leavesFor(A_WHILE);
        report.complete(null);
        cluster.advance(A_WHILE);
        hasGoneTo("n2", DrainOutcome.DONE);
    }

    @Test
    void leaderBackFromStandbyAfterItsWorkStays() {
        cluster.client("n1").standby(true);
        leavesFor(A_WHILE);
        // All before the next heartbeat.
        report.complete(null);
        cluster.client("n1").standby(false);
        leadsOnFor(BOUND);
        assertThat(outcomes).containsExactly(DrainOutcome.DONE);
        assertThat(log.lines("n1 leads on with token " + token, "it need not make way any more"))
                .hasSize(1);
    }

    @Test
    void aTransferHoldsAlsoForWhoIsBackFromStandby() {
        cluster.client("n1").standby(true);
        leavesFor(A_WHILE);
        first.transferTo("n3");
        cluster.client("n1").standby(false);
        leavesFor(A_WHILE);
        report.complete(null);
        cluster.advance(A_WHILE);
        hasGoneTo("n3", DrainOutcome.DONE);
    }

    @Test
    void transferToTheLeaderItselfKeepsIt() {
        first.transferTo("n3");
        leavesFor(A_WHILE);
        CompletableFuture<Void> back = first.transferTo("n1").toCompletableFuture();
        cluster.advance(A_WHILE);
        assertThat(back).isCompleted();
        assertThat(outcomes).containsExactly(DrainOutcome.CUT);
        leadsOnFor(BOUND);
    }

    @Test
    void aLostLeaseIsNotHeldUp() {
        CompletableFuture<Void> transfer = first.transferTo("n3").toCompletableFuture();
        leavesFor(A_WHILE);
        cluster.isolate("n1");
        cluster.advance(A_WHILE);
        assertThat(first.hasLeadership()).isFalse();
        assertThat(report).isCancelled();
        assertThat(outcomes).containsExactly(DrainOutcome.CUT);
        assertThat(listener.events).containsExactly("notLeader");
        assertThat(transfer).isCompletedExceptionally();
        assertThat(cluster.leader(PATH)).isPresent();
    }

    @Test
    void aSuccessorThatIsGoneIsReplaced() {
        CompletableFuture<Void> transfer = first.transferTo("n3").toCompletableFuture();
        leavesFor(A_WHILE);
        cluster.crash("n3");
        leavesFor(A_WHILE);
        report.complete(null);
        cluster.advance(Duration.ofMillis(100));
        hasGoneTo("n2", DrainOutcome.DONE);
        assertThat(transfer)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("was not transferred to n3")
                .withMessageContaining("n2");
    }

    @Test
    void leaderWithoutASuccessorStays() {
        CompletableFuture<Void> transfer = first.transferTo("n3").toCompletableFuture();
        leavesFor(A_WHILE);
        second.closeAsync();
        third.closeAsync();
        leavesFor(A_WHILE);
        report.complete(null);
        leadsOnFor(A_WHILE);
        assertThat(first.leadership().orElseThrow().isLeaving()).isFalse();
        assertThat(transfer).isCompletedExceptionally();
    }

    // ---------------------------------------------------------------- others that are asked for meanwhile

    /** Another path on which n1 leads, and n2 follows. */
    private LeaderLatch other() throws Exception {
        LeaderLatch other = new LeaderLatch(cluster.client("n1"), "/app/other", "n1");
        other.start();
        cluster.advance(Duration.ofMillis(1500));
        new LeaderLatch(cluster.client("n2"), "/app/other", "n2").start();
        cluster.advance(Duration.ofMillis(1500));
        assertThat(other.hasLeadership()).isTrue();
        return other;
    }

    // The caller may bound its wait: that bounds nothing else.
    @Test
    void aClientWhoseCallerWaitsNoLongerIsClosedAllTheSame() {
        CompletableFuture<Void> closed = cluster.client("n1").closeAsync().toCompletableFuture();
        leavesFor(A_WHILE);
        closed.cancel(true);
        cluster.advance(BOUND);
        hasGoneTo("n2", DrainOutcome.TIMED_OUT);
        assertThat(cluster.client("n1").getState()).isEqualTo(ElectionClient.State.STOPPED);
    }

    @Test
    void nobodyComesToLeadWhileItsClientIsClosing() throws Exception {
        LeaderLatch others = new LeaderLatch(cluster.client("n2"), "/app/other", "n2");
        others.start();
        cluster.advance(A_WHILE);
        LeaderLatch other = new LeaderLatch(cluster.client("n1"), "/app/other", "n1");
        other.start();
        cluster.advance(A_WHILE);
        cluster.client("n1").closeAsync();
        LeaderLatch late = new LeaderLatch(cluster.client("n1"), "/app/late", "n1");
        late.start();
        others.close();
        leavesFor(A_WHILE);
        assertThat(other.hasLeadership()).isFalse();
        assertThat(late.getState()).isEqualTo(LeaderLatch.State.CLOSED);
    }

    @Test
    void aLeaderOfAClientThatIsClosedWaitsForItsOwnWorkAlone() throws Exception {
        LeaderLatch other = other();
        cluster.client("n1").closeAsync();
        leavesFor(A_WHILE);
        assertThat(other.hasLeadership()).as("it has no work").isFalse();
        assertThat(cluster.leader("/app/other")).contains("n2");
    }

    // The node's thread comes to it late, and finds that the leader leaves anew, for work that has not begun.
    @Test
    void drainOfAFormerDepartureDoesNotEndThisOne() {
        List<CompletableFuture<Void>> works = new ArrayList<>();
        first.drain(
                leadership -> {
                    CompletableFuture<Void> work = new CompletableFuture<>();
                    works.add(work);
                    return work;
                },
                BOUND);
        first.transferTo("n3");
        cluster.advance(A_WHILE);
        cluster.pause("n1");
        first.transferTo("n1");
        first.transferTo("n3");
        works.get(0).complete(null);
        cluster.resume("n1");
        leadsOnFor(A_WHILE);
        assertThat(works).hasSize(2);
        works.get(1).complete(null);
        cluster.advance(A_WHILE);
        assertThat(cluster.leader(PATH)).contains("n3");
    }

    @Test
    void aTransferThatIsTakenBackIsOver() {
        CompletableFuture<Void> transfer = first.transferTo("n3").toCompletableFuture();
        leavesFor(A_WHILE);
        CompletableFuture<Void> back = first.transferTo("n1").toCompletableFuture();
        leadsOnFor(A_WHILE);
        assertThat(transfer).isCompletedExceptionally();
        assertThat(back).isCompletedWithValue(null);
    }

    @Test
    void aTransferThatAnotherOneReplacesIsOver() {
        CompletableFuture<Void> transfer = first.transferTo("n3").toCompletableFuture();
        leavesFor(A_WHILE);
        CompletableFuture<Void> other = first.transferTo("n2").toCompletableFuture();
        leavesFor(A_WHILE);
        assertThat(transfer).isCompletedExceptionally();
        report.complete(null);
        cluster.advance(A_WHILE);
        hasGoneTo("n2", DrainOutcome.DONE);
        assertThat(other).isCompletedWithValue(null);
    }

    @Test
    void aTransferToItselfDoesNotTakeStandbyBack() {
        cluster.client("n1").standby(true);
        leavesFor(A_WHILE);
        first.transferTo("n1");
        leavesFor(A_WHILE);
        cluster.advance(BOUND);
        hasGoneTo("n2", DrainOutcome.TIMED_OUT);
    }

    @Test
    void aTransferToItselfDoesNotTakeAResignationBack() {
        first.resign();
        leavesFor(A_WHILE);
        first.transferTo("n1");
        leavesFor(A_WHILE);
        assertThat(first.explain().reason()).contains("leaves when its work is done: it resigns");
        report.complete(null);
        cluster.advance(A_WHILE);
        hasGoneTo("n2", DrainOutcome.DONE);
    }

    @Test
    void theNodeKnowsThatALatchIsBeingClosed() {
        first.closeAsync();
        leavesFor(A_WHILE);
        assertThat(first.explain().reason()).contains("and leaves when its work is done: it is being closed;");
    }

    // The hand-over of standby waits for a heartbeat.
    @Test
    void aTransferOfWhoHasFinishedItsWorkIsAtOnce() {
        cluster.client("n1").standby(true);
        leavesFor(A_WHILE);
        report.complete(null);
        CompletableFuture<Void> transfer = first.transferTo("n3").toCompletableFuture();
        cluster.advance(A_WHILE);
        hasGoneTo("n3", DrainOutcome.DONE);
        assertThat(transfer).isCompletedWithValue(null);
    }

    @Test
    void endsOfStandbyArePacedWithWorkAsWithout() throws Exception {
        List<LeaderLatch> many = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            LeaderLatch latch = new LeaderLatch(cluster.client("n1"), "/many/" + i, "n1");
            latch.drain(leadership -> CompletableFuture.completedFuture(null), BOUND);
            latch.start();
            many.add(latch);
        }
        cluster.advance(A_WHILE);
        for (int i = 0; i < 100; i++) {
            new LeaderLatch(cluster.client("n2"), "/many/" + i, "n2").start();
        }
        cluster.advance(A_WHILE);
        assertThat(many).allMatch(LeaderLatch::hasLeadership);
        cluster.client("n1").standby(true);
        int most = 0;
        int before = many.size();
        for (int i = 0; i < 400; i++) {
            cluster.advance(Duration.ofMillis(5));
            int now = (int) many.stream().filter(LeaderLatch::hasLeadership).count();
            most = Math.max(most, before - now);
            before = now;
        }
        assertThat(most).isBetween(1, 17);
    }

    // ---------------------------------------------------------------- work that is not as it should be

    private void drainsBy(Function<Leadership, CompletionStage<?>> work) {
        first.drain(work, BOUND);
        first.transferTo("n3");
        cluster.advance(A_WHILE);
        hasGoneTo("n3", DrainOutcome.DONE);
    }

    @Test
    void workThatThrowsIsFinished() {
        drainsBy(leadership -> {
            throw new NoClassDefFoundError("Report");
        });
        assertThat(log.lines("WARN", "its drain failed", "it was transferred to n3"))
                .hasSize(1);
    }

    @Test
    @SuppressWarnings("NullAway")
    void workThatAnswersNullIsFinished() {
        drainsBy(leadership -> null);
        assertThat(log.lines("WARN", "its drain answered null")).hasSize(1);
    }

    @Test
    void workThatFailsIsFinished() {
        drainsBy(leadership -> CompletableFuture.failedStage(new IllegalStateException("no disk")));
        assertThat(log.lines("WARN", "its drain failed", "no disk")).hasSize(1);
    }

    // A minimal stage cannot be cancelled, which is no fault, so what it waits for goes on.
    @Test
    void workThatFailsAfterItsBoundIsNoNews() {
        first.drain(leadership -> report.minimalCompletionStage(), BOUND);
        first.transferTo("n3");
        cluster.advance(BOUND.plusSeconds(1));
        hasGoneTo("n3", DrainOutcome.TIMED_OUT);
        report.completeExceptionally(new IllegalStateException("no disk"));
        cluster.advance(A_WHILE);
        assertThat(log.lines("WARN", "its drain")).hasSize(1).allMatch(line -> line.contains("has not completed"));
    }

    @Test
    void workMayTransfer() {
        drainsBy(leadership -> {
            first.transferTo("n3");
            return CompletableFuture.completedStage(null);
        });
    }

    @Test
    void workThatResignsIsFinishedAndQueuesAtTheTail() throws Exception {
        drainsBy(leadership -> {
            first.resign();
            return CompletableFuture.completedStage(null);
        });
        assertThat(first.getParticipants()).extracting(Participant::getId).containsExactly("n3", "n2", "n1");
    }

    @Test
    void workThatClosesItsLatchIsCut() {
        first.drain(
                leadership -> {
                    try {
                        first.close();
                    } catch (java.io.IOException e) {
                        throw new AssertionError(e);
                    }
                    return report;
                },
                BOUND);
        first.transferTo("n3");
        cluster.advance(A_WHILE);
        hasGoneTo("n3", DrainOutcome.CUT);
        assertThat(first.getState()).isEqualTo(LeaderLatch.State.CLOSED);
        assertThat(report).isCancelled();
    }

    @Test
    void workThatClosesItsClientIsCut() {
        first.drain(
                leadership -> {
                    cluster.client("n1").closeAsync();
                    return report;
                },
                BOUND);
        first.transferTo("n3");
        cluster.advance(A_WHILE);
        hasGoneTo("n3", DrainOutcome.CUT);
        assertThat(report).isCancelled();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT24H0.000000001S"})
    void aBoundThatIsNotLegalIsRefused(Duration bound) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> first.drain(leadership -> report, bound))
                .withMessage("drain bound " + bound + ": must be more than zero and at most one day");
        first.transferTo("n3");
        leavesFor(A_WHILE);
    }
}
