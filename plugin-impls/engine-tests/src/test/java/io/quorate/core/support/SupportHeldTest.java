package io.quorate.core.support;

import static io.quorate.core.Contexts.N1;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.step.StepContext;
import io.quorate.engine.Epoch;
import io.quorate.engine.Lease;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** docs/protocol.md#support, the holder's half, at n1 of three voters. Support lasts 1100, so belief 900. */
class SupportHeldTest {

    private static final int SELF = 0;
    private static final int N2 = 1;
    private static final int N3 = 2;
    private static final NodeId N4 = new NodeId("n4");
    private static final Epoch E1 = new Epoch(5, 1);
    private static final Epoch E2 = new Epoch(5, 2);

    private final StepContext context = Contexts.of(N1);
    private final SupportHeld supportHeld = new SupportHeld(context);
    private final Epoch own = new Epoch(1, 0);

    private long heartbeatAt(long time) {
        context.setNow(time);
        return supportHeld.nextHeartbeat();
    }

    // Two clocks may each be 10 % off, in opposite directions: 1100 * 0.9 / 1.1.
    @Test
    void beliefIsShorterThanSupportByTwiceTheDrift() {
        assertThat(context.settings().lease().belief()).isEqualTo(900);
    }

    @Test
    void beliefCountsFromSendingNotFromReceiving() {
        long sequence = heartbeatAt(0);
        context.setNow(500);
        supportHeld.onAck(N2, sequence, E1);
        context.setNow(899);
        assertThat(supportHeld.believes(N2)).isTrue();
        context.setNow(900);
        assertThat(supportHeld.believes(N2)).isFalse();
    }

    @Test
    void acknowledgementThatIsTooLateCountsForNothing() {
        long sequence = heartbeatAt(0);
        context.setNow(900);
        assertThat(supportHeld.onAck(N2, sequence, E1)).isFalse();
        assertThat(supportHeld.believes(N2)).isFalse();
    }

    @Test
    void olderAcknowledgementDoesNotShortenBelief() {
        long first = heartbeatAt(0);
        long second = heartbeatAt(100);
        supportHeld.onAck(N2, second, E1);
        supportHeld.onAck(N2, first, E1);
        context.setNow(999);
        assertThat(supportHeld.believes(N2)).isTrue();
    }

    @Test
    void acknowledgementOfNoHeartbeatOfOursIsIgnored() {
        heartbeatAt(0);
        supportHeld.onAck(N2, 2, E1);
        supportHeld.onAck(N2, 0, E1);
        supportHeld.onAck(N2, -3, E1);
        assertThat(supportHeld.believes(N2)).isFalse();
    }

    // A renounced epoch is dead: a late acknowledgement must not bring its votes back.
    @Test
    void renouncedEpochNeverCountsAgain() {
        long sequence = heartbeatAt(0);
        supportHeld.onAck(N2, sequence, E1);
        supportHeld.renounce();
        long later = heartbeatAt(10);
        assertThat(supportHeld.onAck(N2, later, E1)).isFalse();
        assertThat(supportHeld.believes(N2)).isFalse();
        assertThat(supportHeld.renounced(N2)).contains(E1);
        assertThat(supportHeld.onAck(N2, later, E2)).isTrue();
        assertThat(supportHeld.renounced(N2))
                .as("no longer said, once a new epoch is there")
                .isEmpty();
    }

    // The voter may hear this node, and keep votes for it, although it is not heard. A support lasts 1100, a belief
    // 900.
    @Test
    void epochThatWasNotBelievedForASupportTimeIsRenounced() {
        supportHeld.onAck(N2, heartbeatAt(0), E1);
        heartbeatAt(1999);
        assertThat(supportHeld.renounced(N2)).isEmpty();
        heartbeatAt(2000);
        assertThat(supportHeld.renounced(N2)).contains(E1);
        assertThat(supportHeld.onAck(N2, heartbeatAt(2100), E1)).isFalse();
        assertThat(supportHeld.onAck(N2, heartbeatAt(2100), E2)).isTrue();
    }

    @Test
    void majorityCountsThisNodeOnlyWhenItVotes() {
        long sequence = heartbeatAt(0);
        supportHeld.onAck(N2, sequence, E1);
        assertThat(supportHeld.isConnected()).as("in quarantine").isFalse();
        supportHeld.believeSelf(own);
        assertThat(supportHeld.isConnected()).isTrue();
    }

    @Test
    void voteInAnotherEpochDoesNotBack() {
        long sequence = heartbeatAt(0);
        supportHeld.believeSelf(own);
        supportHeld.onAck(N2, sequence, E2);
        assertThat(supportHeld.isMajority(new Epoch[] {own, E1, null})).isFalse();
        assertThat(supportHeld.isMajority(new Epoch[] {own, E2, null})).isTrue();
    }

    // The k-th latest deadline: with own vote and two others, the later of the two.
    @Test
    void leaseEndsWhenTheMajorityOfItsVotersDoes() {
        long first = heartbeatAt(0);
        long second = heartbeatAt(100);
        supportHeld.believeSelf(own);
        supportHeld.onAck(N2, first, E1);
        supportHeld.onAck(N3, second, E1);
        assertThat(supportHeld.leaseOf(new Epoch[] {own, E1, E1}).until()).isEqualTo(1000);
        assertThat(supportHeld.leaseOf(new Epoch[] {own, E1, null}).until()).isEqualTo(900);
        assertThat(supportHeld.leaseOf(new Epoch[] {null, E1, E1}).until()).isEqualTo(900);
    }

    @Test
    void oneRenewalServesAllTenuresWithTheSameVotes() {
        long first = heartbeatAt(0);
        supportHeld.believeSelf(own);
        supportHeld.onAck(N2, first, E1);
        Lease one = supportHeld.leaseOf(new Epoch[] {own, E1, null});
        Lease other = supportHeld.leaseOf(new Epoch[] {own, E1, null});
        assertThat(one).isSameAs(other);
        supportHeld.onAck(N2, heartbeatAt(100), E1);
        assertThat(one.until()).isEqualTo(1000);
    }

    // ADR-0010: what has run out is not renewed, even if the acknowledgement was under way.
    @Test
    void leaseThatIsOverIsNotRenewed() {
        long first = heartbeatAt(0);
        long second = heartbeatAt(500);
        supportHeld.believeSelf(own);
        supportHeld.onAck(N2, first, E1);
        Lease lease = supportHeld.leaseOf(new Epoch[] {own, E1, null});
        context.setNow(900);
        supportHeld.onAck(N2, second, E1);
        assertThat(lease.until()).isEqualTo(900);
        assertThat(supportHeld.hasOverdueLease()).isTrue();
        supportHeld.retainLeases(Set.of());
        assertThat(supportHeld.hasOverdueLease()).isFalse();
    }

    // The tenure that rests on the former lease has not come to its end yet.
    @Test
    void newTenureWithTheVotesOfALeaseThatIsOverGetsAnother() {
        long first = heartbeatAt(0);
        long second = heartbeatAt(500);
        supportHeld.believeSelf(own);
        supportHeld.onAck(N2, first, E1);
        Epoch[] votes = {own, E1, null};
        Lease over = supportHeld.leaseOf(votes);
        context.setNow(900);
        supportHeld.onAck(N2, second, E1);
        Lease next = supportHeld.leaseOf(votes);
        assertThat(next).isNotSameAs(over).isSameAs(supportHeld.leaseOf(votes));
        supportHeld.onAck(N2, heartbeatAt(900), E1);
        assertThat(over.until()).isEqualTo(900);
        assertThat(next.until()).isEqualTo(1800);
        assertThat(supportHeld.nextLeaseEnd(5000)).isEqualTo(900);
        supportHeld.retainLeases(Set.of(over, next));
        assertThat(supportHeld.leaseCount()).isEqualTo(2);
        supportHeld.retainLeases(Set.of(next));
        assertThat(supportHeld.leaseCount()).isEqualTo(1);
        assertThat(supportHeld.hasOverdueLease()).isFalse();
        assertThat(supportHeld.leaseOf(votes)).isSameAs(next);
    }

    /** Vote and support of a voter other than this node, which is the first one. At 900 some beliefs end. */
    private enum Given {
        NO_VOTE,
        VOTE_IN_ANOTHER_EPOCH,
        VOTE_WITHOUT_SUPPORT,
        VOTE_WHOSE_SUPPORT_ENDS_NOW,
        VOTE;

        private @Nullable Epoch vote(int voter) {
            Epoch epoch = new Epoch(voter, 1);
            return this == NO_VOTE ? null : this == VOTE_IN_ANOTHER_EPOCH ? new Epoch(voter, 2) : epoch;
        }
    }

    private static boolean isMajority(int voters, boolean votesItself, List<Given> given) {
        List<NodeId> ids = IntStream.rangeClosed(1, voters)
                .mapToObj(i -> new NodeId("n" + i))
                .toList();
        StepContext context = Contexts.of(N1, ids);
        SupportHeld held = new SupportHeld(context);
        Epoch own = new Epoch(1, 0);
        held.believeSelf(own);
        long first = held.nextHeartbeat();
        context.setNow(1);
        long second = held.nextHeartbeat();
        Epoch[] votes = new Epoch[voters];
        votes[0] = votesItself ? own : null;
        for (int voter = 1; voter < voters; voter++) {
            Given has = given.get(voter - 1);
            votes[voter] = has.vote(voter);
            if (has != Given.VOTE_WITHOUT_SUPPORT) {
                held.onAck(voter, has == Given.VOTE_WHOSE_SUPPORT_ENDS_NOW ? first : second, new Epoch(voter, 1));
            }
        }
        context.setNow(900);
        return held.isMajority(votes);
    }

    @Test
    void onlyVotesInEpochsThatAreBelievedInNowAreCounted() {
        Given[] kinds = Given.values();
        for (int voters = 1; voters <= 5; voters++) {
            int cases = (int) Math.pow(kinds.length, voters - 1);
            for (int number = 0; number < 2 * cases; number++) {
                boolean votesItself = number % 2 == 1;
                List<Given> given = new ArrayList<>();
                for (int rest = number / 2; given.size() < voters - 1; rest /= kinds.length) {
                    given.add(kinds[rest % kinds.length]);
                }
                int count = (votesItself ? 1 : 0) + Collections.frequency(given, Given.VOTE);
                assertThat(isMajority(voters, votesItself, given))
                        .as(
                                "of %d voters, of which this one votes for itself: %s, and others: %s",
                                voters, votesItself, given)
                        .isEqualTo(count > voters / 2);
            }
        }
    }

    @Test
    void newEpochIsToldSoThatVotesAreWonAgain() {
        supportHeld.onAck(N2, heartbeatAt(0), E1);
        assertThat(supportHeld.onAck(N2, heartbeatAt(100), E1)).isFalse();
        assertThat(supportHeld.onAck(N2, heartbeatAt(200), E2)).isTrue();
    }

    @Test
    void acknowledgementCountsOnlyWhileTheSendingIsRemembered() {
        for (int i = 0; i < 257; i++) {
            heartbeatAt(i);
        }
        assertThat(supportHeld.onAck(N2, 1, E1)).isFalse();
        assertThat(supportHeld.onAck(N2, 2, E1)).isTrue();
    }

    // The next heartbeat is answered after a period of 100 at the soonest.
    @Test
    void beliefBeginsWithMoreThanAPeriodLeftAndGoesOnWithLess() {
        long first = heartbeatAt(0);
        long second = heartbeatAt(10);
        long third = heartbeatAt(20);
        context.setNow(800);
        assertThat(supportHeld.onAck(N2, first, E1)).as("100 are left").isFalse();
        assertThat(supportHeld.onAck(N2, second, E1)).as("110 are left").isTrue();
        context.setNow(850);
        assertThat(supportHeld.onAck(N3, third, E1)).as("70 are left").isFalse();
        supportHeld.onAck(N2, third, E1);
        context.setNow(919);
        assertThat(supportHeld.supporters()).containsExactly(Contexts.N2);
    }

    @Test
    void marginIsTheLeastThatWasLeftWhenTheMajorityWasRenewed() {
        long first = heartbeatAt(0);
        supportHeld.believeSelf(own);
        supportHeld.onAck(N2, first, E1);
        assertThat(supportHeld.takeMargin()).as("the beginning").isEmpty();
        long second = heartbeatAt(400);
        context.setNow(700);
        supportHeld.onAck(N3, first, E1);
        assertThat(supportHeld.takeMargin()).as("the majority lasts no longer").isEmpty();
        context.setNow(760);
        supportHeld.onAck(N2, second, E1);
        supportHeld.onAck(N3, heartbeatAt(800), E1);
        assertThat(supportHeld.takeMargin()).hasValue(140);
        assertThat(supportHeld.takeMargin()).as("since the last question").isEmpty();
    }

    @Test
    void supportersAreBitsByPlace() {
        supportHeld.onAck(N3, heartbeatAt(0), E1);
        assertThat(supportHeld.supporterBits()).isEqualTo(0b100);
        supportHeld.believeSelf(own);
        assertThat(supportHeld.supporterBits()).isEqualTo(0b101);
    }

    @Test
    void equalEpochsAreKeptOnce() {
        supportHeld.onAck(N2, heartbeatAt(0), E1);
        assertThat(supportHeld.shared(N2, new Epoch(5, 1))).isSameAs(E1);
        assertThat(supportHeld.shared(N2, E2)).isSameAs(E2);
        assertThat(supportHeld.shared(N3, E2)).isSameAs(E2);
    }

    @Test
    void leaseThatNeedsTheOwnVoteIsRenewedWithIt() {
        long first = heartbeatAt(0);
        supportHeld.onAck(N3, heartbeatAt(100), E1);
        supportHeld.onAck(N2, first, E1);
        Lease lease = supportHeld.leaseOf(new Epoch[] {own, E1, E1});
        assertThat(lease.until()).isEqualTo(900);
        supportHeld.believeSelf(own);
        assertThat(lease.until()).isEqualTo(1000);
    }

    private static void change(StepContext context, SupportHeld held, NodeId... voters) {
        held.freeze();
        held.onVoters(context.setVoters(Contexts.list(2, voters), 7));
    }

    // docs/reconfiguration.md, R2.
    @Test
    void supportOfTheFormerVotersLastsUntilItsEnd() {
        long first = heartbeatAt(0);
        supportHeld.believeSelf(own);
        supportHeld.onAck(N2, first, E1);
        Lease lease = supportHeld.leaseOf(new Epoch[] {own, E1, null});
        context.setNow(100);
        change(context, supportHeld, N1, Contexts.N2, Contexts.N3, N4);
        assertThat(supportHeld.majorityUntil()).isEqualTo(900);
        assertThat(lease.until()).isEqualTo(900);
        assertThat(supportHeld.nextLeaseEnd(5000)).isEqualTo(900);
        assertThat(supportHeld.nextLeaseEnd(500)).isEqualTo(500);
        supportHeld.retainLeases(Set.of(lease));
        assertThat(supportHeld.leaseCount()).isEqualTo(1);
        context.setNow(899);
        assertThat(supportHeld.isConnected()).isTrue();
        context.setNow(900);
        assertThat(supportHeld.isConnected()).isFalse();
    }

    // R2. Places and votes are the same, because the voter that is replaced had not voted.
    @Test
    void noTenureBeginsWithALeaseOfTheFormerVoters() {
        supportHeld.believeSelf(own);
        supportHeld.onAck(N2, heartbeatAt(0), E1);
        Epoch[] votes = {own, E1, null};
        Lease former = supportHeld.leaseOf(votes);
        change(context, supportHeld, N1, Contexts.N2, N4);
        Lease present = supportHeld.leaseOf(votes);
        assertThat(present).isNotSameAs(former);
        supportHeld.onAck(N2, heartbeatAt(100), E1);
        assertThat(former.until()).isEqualTo(1000);
        assertThat(present.until()).isEqualTo(1000);
        assertThat(supportHeld.leaseCount()).isEqualTo(2);
    }

    @Test
    void leaseAndMajorityGoOnUnderTheNewVoters() {
        StepContext four = Contexts.of(N1, List.of(N1, Contexts.N2, Contexts.N3, N4));
        SupportHeld held = new SupportHeld(four);
        held.believeSelf(own);
        held.onAck(N2, held.nextHeartbeat(), E1);
        four.setNow(100);
        held.onAck(N3, held.nextHeartbeat(), E1);
        Lease lease = held.leaseOf(new Epoch[] {own, E1, E1, null});
        assertThat(lease.until()).as("of three").isEqualTo(900);
        change(four, held, N1, Contexts.N2, Contexts.N3);
        assertThat(lease.until()).as("of two").isEqualTo(1000);
        four.setNow(300);
        held.onAck(N2, held.nextHeartbeat(), E1);
        assertThat(lease.until()).isEqualTo(1200);
        assertThat(held.majorityUntil()).isEqualTo(1200);
    }

    // Its own support never ends, so the belief of 900 bounds it.
    @Test
    void leaseOfASoleVoterEndsAfterABelief() {
        StepContext sole = Contexts.of(N1, List.of(N1));
        SupportHeld held = new SupportHeld(sole);
        held.believeSelf(own);
        Lease lease = held.leaseOf(new Epoch[] {own});
        sole.setNow(100);
        change(sole, held, N1, Contexts.N2);
        assertThat(lease.until()).isEqualTo(1000);
        sole.setNow(1000);
        assertThat(held.isConnected()).isFalse();
    }
}
