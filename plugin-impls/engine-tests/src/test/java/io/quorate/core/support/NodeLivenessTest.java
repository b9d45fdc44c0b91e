package io.quorate.core.support;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.step.StepContext;
import io.quorate.core.voters.VoterList;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** ADR-0013 and ADR-0015: who is up. The heartbeat is 100, so silence of 300 is suspicious. */
class NodeLivenessTest {

    private static final NodeId OBSERVER = new NodeId("o1");

    private final List<NodeId> changes = new ArrayList<>();

    private static Heartbeat heartbeat(boolean isConnected) {
        return new Heartbeat(1, 0, 1, Optional.empty(), isConnected, false, 0, 0, true, -1);
    }

    @Test
    void nodeWithoutAMajorityIsNotUpAlthoughItIsHeard() {
        NodeLiveness liveness = new NodeLiveness(Contexts.of(N1), changes::add);
        liveness.onHeartbeat(N2, heartbeat(false));
        assertThat(liveness.isUp(N2)).isFalse();
        liveness.onHeartbeat(N2, heartbeat(true));
        assertThat(liveness.isUp(N2)).isTrue();
        liveness.onHeartbeat(N2, heartbeat(false));
        assertThat(liveness.isUp(N2)).isFalse();
        assertThat(changes).containsExactly(N2, N2);
    }

    @Test
    void silenceOfThreeHeartbeatsIsSuspicious() {
        StepContext context = Contexts.of(N1);
        NodeLiveness liveness = new NodeLiveness(context, changes::add);
        liveness.onHeartbeat(N2, heartbeat(true));
        context.setNow(200);
        liveness.onHeartbeat(N2, heartbeat(true));
        context.setNow(499);
        context.timers().run(499);
        assertThat(liveness.isUp(N2)).isTrue();
        context.setNow(500);
        context.timers().run(500);
        assertThat(liveness.isUp(N2)).isFalse();
    }

    // A node that hears voters only believes the majority of those that it hears.
    @Test
    void observerBelievesTheMajorityOfTheVotersThatItHears() {
        StepContext context = Contexts.of(OBSERVER);
        NodeLiveness liveness = new NodeLiveness(context, changes::add);
        liveness.onAck(0, 1, 5, Optional.of(List.of(N1, N2, N3)));
        liveness.onAck(1, 1, 5, Optional.of(List.of(N1, N2)));
        assertThat(liveness.isUp(N2)).isTrue();
        assertThat(liveness.isUp(N3)).as("one of two").isFalse();
        liveness.onAck(2, 1, 5, Optional.of(List.of(N1, N2, N3)));
        assertThat(liveness.isUp(N3)).as("two of three").isTrue();
        context.setNow(400);
        liveness.onAck(1, 2, 5, Optional.empty());
        assertThat(liveness.isUp(N3))
                .as("only n2 is heard, and it does not say so")
                .isFalse();
    }

    @Test
    void lateAcknowledgementBringsNoOlderList() {
        NodeLiveness liveness = new NodeLiveness(Contexts.of(OBSERVER), changes::add);
        liveness.onAck(0, 2, 6, Optional.of(List.of(N1, N2, N3)));
        liveness.onAck(0, 1, 5, Optional.of(List.of(N1, N2)));
        assertThat(liveness.isUp(N3)).isTrue();
        assertThat(liveness.reportVersion(0)).isEqualTo(6);
        // The next life of the voter counts anew.
        liveness.onAck(0, 3, 1, Optional.of(List.of(N1, N2)));
        assertThat(liveness.isUp(N3)).isFalse();
        assertThat(liveness.reportVersion(0)).isEqualTo(1);
    }

    // One voter's word counted before and after the change, and it is another one.
    @Test
    void aWordIsCountedAgainAfterAChangeOfTheVoters() {
        StepContext context = Contexts.of(OBSERVER);
        NodeLiveness liveness = new NodeLiveness(context, changes::add);
        liveness.onAck(0, 1, 5, Optional.of(List.of(N1, N2, N3)));
        liveness.onAck(1, 1, 5, Optional.of(List.of(N1, N2)));
        context.setNow(400);
        liveness.onAck(0, 2, 5, Optional.empty());
        assertThat(liveness.isUp(N3)).as("n1 says so").isTrue();
        liveness.freeze();
        context.setVoters(
                new VoterList(
                        2,
                        0,
                        context.voters().members().stream()
                                .filter(voter -> !voter.id().equals(N1))
                                .toList()),
                0);
        liveness.onVoters(false);
        liveness.onAck(0, 3, 5, Optional.empty());
        assertThat(liveness.isUp(N3)).as("n2 does not").isFalse();
    }

    private static void change(StepContext context, NodeLiveness liveness, long number) {
        liveness.freeze();
        context.setVoters(Contexts.list(number, N1, N2, N3, new NodeId("n4"), new NodeId("n5")), 7);
        liveness.onVoters(true);
    }

    // A new voter cannot have been heard yet. A second change does not prolong that.
    @Test
    void aMajorityOfTheFormerVotersCountsAsHeardUntilItsSilenceWouldBeNoticed() {
        StepContext context = Contexts.of(N1);
        NodeLiveness liveness = new NodeLiveness(context, changes::add);
        assertThat(liveness.hearsMajority()).isFalse();
        liveness.onAck(2, 1, 0, Optional.empty());
        context.setNow(50);
        liveness.onAck(1, 1, 0, Optional.empty());
        context.setNow(100);
        assertThat(liveness.hearsMajority()).isTrue();
        assertThat(liveness.majorityHeardUntil()).isEqualTo(350);
        change(context, liveness, 2);
        context.setNow(200);
        change(context, liveness, 3);
        assertThat(liveness.majorityHeardUntil()).isEqualTo(350);
        context.setNow(349);
        assertThat(liveness.hearsMajority()).isTrue();
        context.setNow(350);
        assertThat(liveness.hearsMajority()).isFalse();
        context.setNow(1000);
        change(context, liveness, 4);
        assertThat(liveness.hearsMajority()).isFalse();
    }

    @Test
    void theVotersThatAreHeardAreThisNodeAndThoseThatAnsweredInTime() {
        StepContext context = Contexts.of(N1);
        NodeLiveness liveness = new NodeLiveness(context, changes::add);
        assertThat(liveness.isAckOverdue(1)).as("it has answered nothing").isTrue();
        liveness.onAck(1, 1, 0, Optional.empty());
        assertThat(liveness.heardVoters()).containsExactly(N1, N2);
        context.setNow(250);
        assertThat(liveness.isAckOverdue(1)).isFalse();
        context.setNow(251);
        assertThat(liveness.isAckOverdue(1)).isTrue();
        context.setNow(301);
        assertThat(liveness.heardVoters()).containsExactly(N1);
    }

    @Test
    void theListOfLiveNodesHasAVersionAndIsToldOnce() {
        StepContext context = Contexts.of(N1);
        context.setNow(50);
        NodeLiveness liveness = new NodeLiveness(context, changes::add);
        liveness.onHeartbeat(N2, heartbeat(true));
        assertThat(liveness.upVersion()).isEqualTo(2);
        assertThat(liveness.reportFor(1)).contains(List.of(N2));
        liveness.setSelfUp(true);
        assertThat(liveness.upVersion()).isEqualTo(3);
        assertThat(liveness.reportFor(2)).contains(List.of(N2, N1));
        assertThat(liveness.reportFor(3)).as("it has that").isEmpty();
        assertThat(liveness.reportFor(-1)).as("it wants none").isEmpty();
        context.setNow(250);
        assertThat(liveness.upFor(N2)).isEqualTo(200);
        liveness.onGoodbye(N2);
        assertThat(liveness.isUp(N2)).isFalse();
        assertThat(liveness.upFor(N2)).isZero();
        assertThat(changes).containsExactly(N2, N2);
    }
}
