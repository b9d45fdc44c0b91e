package io.quorate.core.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.step.StepContext;
import io.quorate.core.voters.PerVoter;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How many votes a voter is asked for: ADR-0085. */
class VoterQueueTest {

    private static final int VOTER = 1;
    private static final long HEARTBEAT = 100;
    private static final long SUPPORT = 1100;

    private final StepContext context = Contexts.of(Contexts.N1);
    private final PerVoter<VoterQueue> queues = context.perVoter(() -> new VoterQueue(context));
    private long now;
    /** Leaders that have asked, and that were answered, are those up to these numbers. */
    private long lastAsked;

    private long lastAnswered;

    private VoterQueue queue() {
        return queues.of(VOTER);
    }

    /** Returns whether the next batch follows the vote, and leaders of the last may ask again. */
    private boolean isBegunByVote(long leader, boolean isUrgent) {
        boolean wasFull = !queue().mayBeAsked();
        queue().onVote(leader, isUrgent);
        return wasFull && queue().mayBeAsked();
    }

    private void heartbeatAfter(long time) {
        now += time;
        context.setNow(now);
        queue().beginPeriod();
    }

    /** A heartbeat later. Answers for how many votes the voter is asked. */
    private int askedAfter(long time) {
        heartbeatAfter(time);
        return askedNow();
    }

    private int askedNow() {
        int asked = 0;
        while (tryAsk()) {
            asked++;
        }
        return asked;
    }

    private boolean tryAsk() {
        boolean isAsked = queue().mayBeAsked();
        if (isAsked) {
            queue().onAsked(++lastAsked);
        }
        return isAsked;
    }

    private void answers(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(isBegunByVote(++lastAnswered, false))
                    .as("the next batch waits")
                    .isFalse();
        }
    }

    @Test
    void aVoterThatKeepsPaceIsAskedForTwiceAsManyEachTime() {
        int asked = askedAfter(HEARTBEAT);
        assertThat(asked).isEqualTo(16);
        for (int expected = 32; expected <= 2_048; expected *= 2) {
            answers(asked);
            asked = askedAfter(HEARTBEAT);
            assertThat(asked).isEqualTo(expected);
        }
        answers(asked);
        asked = askedAfter(HEARTBEAT);
        assertThat(asked).isEqualTo(4_000);
        answers(asked);
        assertThat(askedAfter(HEARTBEAT)).as("the most").isEqualTo(4_000);
    }

    @Test
    void whereItIsUrgentTheNextBatchFollowsTheVotes() {
        assertThat(askedAfter(HEARTBEAT)).isEqualTo(16);
        for (int vote = 1; vote < 14; vote++) {
            assertThat(isBegunByVote(++lastAnswered, true)).as("vote %d", vote).isFalse();
        }
        assertThat(isBegunByVote(++lastAnswered, true)).as("14 of 16").isTrue();
        assertThat(askedNow()).isEqualTo(32);
        assertThat(askedNow()).as("none of these is answered").isZero();
    }

    // A heartbeat has closed the batch: that of a voter that is slower than a heartbeat period.
    @Test
    void whereItIsUrgentLateVotesBringTheNextBatchToo() {
        assertThat(askedAfter(HEARTBEAT)).isEqualTo(16);
        assertThat(askedAfter(HEARTBEAT)).isZero();
        answers(13);
        assertThat(isBegunByVote(++lastAnswered, true)).isTrue();
        assertThat(askedNow()).isEqualTo(32);
    }

    // Who is refused asks again, so the question would go to and fro without pause.
    @Test
    void refusalsBringNoBatchButCountAtTheHeartbeat() {
        assertThat(askedAfter(HEARTBEAT)).isEqualTo(16);
        for (int i = 0; i < 15; i++) {
            queue().onAnswer(++lastAnswered);
        }
        assertThat(isBegunByVote(++lastAnswered, true)).isFalse();
        assertThat(askedNow()).isZero();
        assertThat(askedAfter(HEARTBEAT)).isEqualTo(32);
    }

    @Test
    void aNewVoterIsAskedForManyAtOnceAndIsNotSilentFromTheStart() {
        now = 5 * SUPPORT;
        context.setNow(now);
        List<Member> others = new ArrayList<>(VoterList.first(Contexts.VOTERS).members());
        others.set(VOTER, new Member(new NodeId("n11"), 7, Optional.empty()));
        context.setVoters(new VoterList(2, 0, others), 0);
        assertThat(askedAfter(0)).isEqualTo(4_000);
        assertThat(askedAfter(HEARTBEAT)).isZero();
    }

    // Those who asked would ask again.
    @Test
    void aHeartbeatClosesABatchThatIsNotAnswered() {
        assertThat(askedAfter(HEARTBEAT)).isEqualTo(16);
        answers(16);
        heartbeatAfter(HEARTBEAT);
        for (int vote = 0; vote < 20; vote++) {
            assertThat(tryAsk()).as("vote %d of 32", vote).isTrue();
        }
        assertThat(askedAfter(HEARTBEAT)).isZero();
    }

    @Test
    void aBatchThatWasNotNeededWholeIsFollowedAtTheHeartbeat() {
        heartbeatAfter(HEARTBEAT);
        assertThat(tryAsk()).isTrue();
        assertThat(isBegunByVote(++lastAnswered, true)).isFalse();
    }

    @Test
    void aVoteThatComesTwiceCountsOnce() {
        assertThat(askedAfter(HEARTBEAT)).isEqualTo(16);
        for (long leader = 1; leader <= 13; leader++) {
            assertThat(isBegunByVote(leader, true)).isFalse();
            assertThat(isBegunByVote(leader, true)).isFalse();
        }
        assertThat(isBegunByVote(14, true)).isTrue();
    }

    // Votes for leaders that have just begun to lead.
    @Test
    void aVoteThatWasNotAskedForIsNoAnswer() {
        assertThat(askedAfter(HEARTBEAT)).isEqualTo(16);
        answers(13);
        now += SUPPORT - 1;
        context.setNow(now);
        assertThat(isBegunByVote(100, true)).isFalse();
        assertThat(askedAfter(0)).isZero();
        assertThat(askedAfter(1)).as("it is silent").isEqualTo(16);
    }

    @Test
    void nobodyWaitsForTheAnswersOfLeadersThatHaveEnded() {
        assertThat(askedAfter(HEARTBEAT)).isEqualTo(16);
        for (long leader = 1; leader <= 14; leader++) {
            queue().forget(leader);
            queue().forget(leader);
        }
        queue().forget(100);
        assertThat(askedAfter(HEARTBEAT)).isEqualTo(32);
    }

    @Test
    void aVoterThatHasNotAnsweredIsAskedNoFurther() {
        assertThat(askedAfter(HEARTBEAT)).isEqualTo(16);
        answers(13);
        assertThat(askedAfter(HEARTBEAT)).as("13 of 16").isZero();
        answers(1);
        assertThat(askedAfter(HEARTBEAT))
                .as("a lost message is no reason to wait")
                .isEqualTo(32);
    }

    // A lease that needs the vote may end before a support time is over.
    @Test
    void fewAreAskedForAgainAtOnce() {
        for (int i = 0; i < 3; i++) {
            heartbeatAfter(HEARTBEAT);
            for (int vote = 0; vote < 15; vote++) {
                assertThat(tryAsk()).as("vote %d", vote).isTrue();
            }
        }
    }

    @Test
    void aVoterThatIsSilentForASupportTimeIsAskedForAQuarter() {
        int asked = askedAfter(HEARTBEAT);
        for (int i = 0; i < 3; i++) {
            answers(asked);
            asked = askedAfter(HEARTBEAT);
        }
        assertThat(asked).isEqualTo(128);
        assertThat(askedAfter(SUPPORT - 1)).isZero();
        answers(1);
        assertThat(askedAfter(SUPPORT - 1)).as("it has answered since").isZero();
        assertThat(askedAfter(1)).isEqualTo(32);
        assertThat(askedAfter(SUPPORT)).as("the least").isEqualTo(16);
        assertThat(askedAfter(SUPPORT)).isEqualTo(16);
    }

    // Few tenures lack votes, so the voter was never asked for as many as it could bear.
    @Test
    void aBatchThatWasNotUsedUpDoesNotGrow() {
        assertThat(askedAfter(HEARTBEAT)).isEqualTo(16);
        answers(16);
        heartbeatAfter(HEARTBEAT);
        for (int i = 0; i < 20; i++) {
            assertThat(tryAsk()).isTrue();
        }
        answers(20);
        assertThat(askedAfter(HEARTBEAT)).isEqualTo(32);
    }

    // Nobody can be asked before the next heartbeat otherwise, and by then leases may be over.
    @Test
    void whereItIsUrgentVotesBringTheNextBatchThoughAHeartbeatHasClosedTheLast() {
        assertThat(askedAfter(HEARTBEAT)).isEqualTo(16);
        answers(16);
        heartbeatAfter(HEARTBEAT);
        for (int vote = 0; vote < 24; vote++) {
            assertThat(tryAsk()).isTrue();
        }
        assertThat(askedAfter(HEARTBEAT)).isZero();
        answers(20);
        assertThat(isBegunByVote(++lastAnswered, true)).as("21 of 24").isTrue();
    }

    // It answers in order. An eighth of each batch would wait for ever behind the next, and that of each that follows.
    @Test
    void backlogOfABusyVoterDoesNotGrowWithEachBatch() {
        for (int batch = 0; batch < 50; batch++) {
            askedAfter(HEARTBEAT);
            assertThat(lastAsked - lastAnswered).as("batch %d", batch).isLessThanOrEqualTo(4_000 + 4_000 / 8);
            answers((int) Math.min(3_500, lastAsked - lastAnswered));
        }
    }

    // Those of a former batch that was lost may end by the thousand: nothing follows for the present one.
    @Test
    void endedLeaderThatDidNotAskIsNotAnAnswer() {
        assertThat(askedAfter(HEARTBEAT)).isEqualTo(16);
        assertThat(askedAfter(SUPPORT)).isEqualTo(16);
        for (long leader = 1; leader <= 16; leader++) {
            queue().forget(leader);
        }
        assertThat(askedAfter(HEARTBEAT)).isZero();
    }
}
