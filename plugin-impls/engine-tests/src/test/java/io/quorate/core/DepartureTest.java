package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.HighestUp;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ADR-0096: n1 leads, has work to finish before that ends on purpose, and is followed by n2 and then n3. */
class DepartureTest {

    private static final String PATH = "/app/leader";
    private static final String NOT_TO_N3 = "n3#1: leadership of /app/leader was not transferred to n3#1: ";
    private static final long LONG_MILLIS = 5_000;

    private final LoneNode lone = new LoneNode(new HighestUp(), RankOrder.JOIN_ORDER, 0);

    @BeforeEach
    void leads() {
        lone.contend(1, PATH);
        lone.step(new NodeEvent.Drains(1, true));
        lone.list(PATH, N2, 8, 0, 0);
        lone.list(PATH, N3, 9, 0, 0);
        lone.advance(LONG_MILLIS);
        lone.forget();
    }

    private void transferTo(NodeId node) {
        lone.step(new NodeEvent.TransferTo(1, node.value()));
    }

    private void drained(long departure) {
        lone.step(new NodeEvent.Drained(1, lone.tenure(1), departure));
    }

    private List<String> refused() {
        return lone.seen(NodeEffect.TransferRefused.class).stream()
                .map(refused -> refused.successor().map(to -> to + ": ").orElse("")
                        + refused.cause().getMessage())
                .toList();
    }

    private List<String> leaving() {
        return lone.seen(NodeEffect.Leaving.class).stream()
                .map(leaving -> leaving.departure() + " " + leaving.reason())
                .toList();
    }

    private void isHandedTo(NodeId successor, String reason) {
        assertThat(lone.sent(successor, Handover.class)).containsExactly(new Handover(PATH, 1, 1, 2));
        assertThat(lone.seen(NodeEffect.Revoked.class))
                .containsExactly(new NodeEffect.Revoked(1, lone.tenure(1), reason));
        assertThat(lone.tenure(1).isEnded()).isTrue();
    }

    private void goesOn() {
        lone.advance(LONG_MILLIS);
        assertThat(lone.seen(NodeEffect.Revoked.class)).isEmpty();
        assertThat(lone.tenure(1).isEnded()).isFalse();
    }

    @Test
    void aTransferWaitsForTheWorkAndGoesToTheOneThatItNames() {
        transferTo(N3);
        assertThat(leaving()).containsExactly("1 it was transferred to n3#1");
        assertThat(lone.seen(NodeEffect.TransferBegun.class))
                .containsExactly(new NodeEffect.TransferBegun(1, LoneNode.other(N3), 1));
        goesOn();
        assertThat(lone.node().explain(1).reason())
                .isEqualTo("it leads with token 1, and leaves when its work is done: it was transferred to n3#1");
        drained(7);
        assertThat(lone.seen(NodeEffect.Revoked.class)).as("another departure").isEmpty();
        drained(1);
        isHandedTo(N3, "it was transferred to n3#1");
        assertThat(refused()).isEmpty();
    }

    @Test
    void aTransferToAnotherOneTakesThePlaceOfTheFormer() {
        transferTo(N3);
        transferTo(N3);
        assertThat(refused()).isEmpty();
        transferTo(N2);
        assertThat(refused()).containsExactly(NOT_TO_N3 + "it was transferred to n2#1");
        assertThat(leaving()).as("the work is asked for once").hasSize(1);
        drained(1);
        isHandedTo(N2, "it was transferred to n2#1");
        assertThat(refused()).hasSize(1);
    }

    @Test
    void ifWhoIsNamedIsNotUpWhenTheWorkIsDoneTheBestFollows() {
        transferTo(N3);
        lone.areUp(N1, N2);
        drained(1);
        String reason = "it was transferred to n3#1, which is not up any more: n2#1 follows";
        isHandedTo(N2, reason);
        assertThat(refused()).containsExactly(NOT_TO_N3 + reason);
    }

    @Test
    void ifNobodyIsUpWhenTheWorkIsDoneTheLeaderStays() {
        transferTo(N3);
        lone.areUp(N1);
        drained(1);
        goesOn();
        assertThat(lone.seen(NodeEffect.Stays.class))
                .containsExactly(new NodeEffect.Stays(1, lone.tenure(1), "no other contender is up any more"));
        assertThat(refused()).containsExactly(NOT_TO_N3 + "no other contender is up any more");
        lone.areUp(N1, N2, N3);
        transferTo(N2);
        assertThat(leaving()).last().isEqualTo("2 it was transferred to n2#1");
        drained(2);
        isHandedTo(N2, "it was transferred to n2#1");
    }

    @Test
    void aTransferToItselfTakesTheTransferBack() {
        transferTo(N3);
        lone.forget();
        lone.step(new NodeEvent.TransferTo(1, "p1"));
        assertThat(lone.seen(NodeEffect.Stays.class))
                .containsExactly(new NodeEffect.Stays(1, lone.tenure(1), "it was transferred to itself"));
        assertThat(refused()).containsExactly(NOT_TO_N3 + "it was transferred to itself");
        assertThat(lone.seen(NodeEffect.ViewChanged.class)).containsExactly(new NodeEffect.ViewChanged(PATH));
        drained(1);
        goesOn();
    }

    @Test
    void aLeaseThatRunsOutEndsTheTenureAndTheTransfer() {
        transferTo(N3);
        lone.unanswered(send -> true);
        lone.advance(LONG_MILLIS);
        assertThat(lone.seen(NodeEffect.Revoked.class))
                .extracting(NodeEffect.Revoked::reason)
                .containsExactly("its lease has run out");
        assertThat(refused()).containsExactly(NOT_TO_N3 + "its lease has run out");
        drained(1);
        assertThat(lone.sent(N3, Handover.class)).isEmpty();
    }

    // It ends the tenure itself.
    @Test
    void anApplicationThatLeavesIsNotAskedToFinishItsWork() {
        lone.step(new NodeEvent.Leave(1, lone.tenure(1), "it is being closed"));
        assertThat(lone.states()).containsExactly("5000 ms 1 Leaving: it is being closed");
        assertThat(leaving()).isEmpty();
        drained(1);
        goesOn();
        lone.step(new NodeEvent.Withdraw(1));
        isHandedTo(N2, "it was closed");
        assertThat(refused()).isEmpty();
    }

    @Test
    void aTransferGoesOnThoughTheApplicationLeavesToo() {
        transferTo(N3);
        lone.step(new NodeEvent.Leave(1, lone.tenure(1), "it is being closed"));
        assertThat(lone.node().explain(1).reason()).endsWith("when its work is done: it is being closed");
        assertThat(refused()).isEmpty();
        lone.step(new NodeEvent.Withdraw(1));
        isHandedTo(N3, "it was closed");
        assertThat(refused()).isEmpty();
    }

    // The node of the first one may have joined after the voters last said who is up.
    @Test
    void leaderThatResignsAndKnowsOfNoneThatIsUpNamesTheFirst() {
        lone.areUp(N1);
        lone.step(new NodeEvent.Resign(1, lone.tenure(1)));
        isHandedTo(N2, "it resigned");
    }

    @Test
    void leaderThatClosesAndKnowsOfNoneThatIsUpNamesTheFirst() {
        lone.areUp(N1);
        lone.step(new NodeEvent.Withdraw(1));
        isHandedTo(N2, "it was closed");
    }

    @Test
    void leaderThatResignsRefusesTheTransferToOneThatHasGoneDown() {
        transferTo(N3);
        lone.areUp(N1);
        lone.step(new NodeEvent.Resign(1, lone.tenure(1)));
        assertThat(refused()).containsExactly(NOT_TO_N3 + "it resigned");
        assertThat(lone.sent(N3, Handover.class)).isEmpty();
        assertThat(lone.sent(N2, Handover.class)).isEmpty();
    }

    // It would have to make way at its next heartbeat.
    @Test
    void lastRankedSuccessorNeedsAllOthersToRankLast() {
        lone.list(PATH, N3, 9, ContenderRecord.LAST, 0);
        transferTo(N3);
        assertThat(refused())
                .containsExactly("leadership of /app/leader cannot be transferred to 'n3': it ranks last, on standby or"
                        + " after failures, while others do not");
        lone.step(new NodeEvent.StandBy(Optional.of("test")));
        lone.list(PATH, N2, 8, ContenderRecord.LAST, 0);
        transferTo(N3);
        drained(1);
        isHandedTo(N3, "it was transferred to n3#1");
        assertThat(refused()).hasSize(1);
    }
}
