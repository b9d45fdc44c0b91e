package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.path.Preemption.Misplaced;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.HighestUp;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who leads in spite of its rank: standby, leaders that fail, and priorities (ADR-0024, ADR-0084, ADR-0096). */
class MakeWayTest {

    private static final int PER_PERIOD = 16;
    private static final long HEARTBEAT_MILLIS = 200;
    private static final long TWO_SUPPORTS_MILLIS = 2_000;
    private static final long MILLI = 1_000_000;
    private static final String BETTER = "n2#1 is ranked better";

    private LoneNode lone = ranking(RankOrder.JOIN_ORDER);

    private static LoneNode ranking(RankOrder order) {
        return new LoneNode(new HighestUp(), order, 3);
    }

    private static String path(long i) {
        return "/led/" + i;
    }

    /** The contenders of these numbers contend, each on a path of its own. */
    private void contend(int first, int last) {
        IntStream.rangeClosed(first, last).forEach(i -> lone.contend(i, path(i)));
    }

    private void follow(long i, NodeId node) {
        lone.list(path(i), node, 9, 0, 0);
    }

    private void drains(int first, int last) {
        IntStream.rangeClosed(first, last).forEach(i -> lone.step(new NodeEvent.Drains(i, true)));
    }

    private void standBy(String... reason) {
        lone.step(new NodeEvent.StandBy(List.of(reason).stream().findFirst()));
    }

    private void rankLast(int number, long millis) {
        lone.step(new NodeEvent.RankLast(number, millis * MILLI, "it threw three times"));
    }

    private void drained(int number) {
        lone.step(new NodeEvent.Drained(number, lone.tenure(number), number));
    }

    private long weight(int number) {
        return lone.registration(path(number), number).weight();
    }

    private List<Long> ended() {
        return lone.seen(NodeEffect.Revoked.class).stream()
                .map(NodeEffect.Revoked::number)
                .toList();
    }

    private List<String> stays() {
        return lone.seen(NodeEffect.Stays.class).stream()
                .map(stays -> stays.number() + " " + stays.reason())
                .toList();
    }

    // ---------------------------------------------------------------- ranks

    @Test
    void anotherPriorityIsThatOfAllContenders() {
        lone = ranking(RankOrder.PRIORITY);
        contend(1, 2);
        assertThat(weight(1)).isEqualTo(3);
        lone.step(new NodeEvent.Priority(5));
        lone.step(new NodeEvent.Priority(5));
        assertThat(List.of(weight(1), weight(2))).containsExactly(5L, 5L);
        assertThat(lone.notes()).containsExactly("has priority 5 in place of 3");
    }

    @Test
    void aPriorityThatNoRankOrderAsksForIsWarnedOf() {
        lone.step(new NodeEvent.Priority(5));
        assertThat(lone.notes())
                .containsExactly("warning: has priority 5 in place of 3,"
                        + " which has no effect under the rank order JOIN_ORDER");
    }

    @Test
    void standbyIsTheLastRankOfAllContendersUntilItEnds() {
        contend(1, 2);
        standBy("the disk is slow");
        standBy("the disk is full");
        assertThat(List.of(weight(1), weight(2))).containsOnly(ContenderRecord.LAST);
        assertThat(lone.node().explain(1).reason()).endsWith("; it ranks last: the disk is full");
        standBy();
        assertThat(List.of(weight(1), weight(2))).containsOnly(0L);
        assertThat(lone.notes()).containsExactly("ranks last: the disk is slow", "ranks as usual again");
        assertThat(ended()).as("nobody else contends").isEmpty();
    }

    @Test
    void aContenderWhoseApplicationFailsRanksLastForAWhile() {
        contend(1, 2);
        rankLast(1, 500);
        assertThat(lone.notes()).containsExactly("warning: /led/1: ranks last for 500 ms: it threw three times");
        lone.advance(499);
        assertThat(List.of(weight(1), weight(2))).containsExactly(ContenderRecord.LAST, 0L);
        lone.advance(1);
        assertThat(weight(1)).isZero();
    }

    @Test
    void leadersThatAnotherOutranksAreCounted() {
        lone = ranking(RankOrder.PRIORITY);
        contend(1, 4);
        lone.list(path(1), N2, 9, 4, 0);
        lone.list(path(2), N2, 9, 4, 0);
        lone.list(path(3), N2, 9, 2, 0);
        lone.list(path(5), N2, 1, 4, 1);
        contend(5, 5);
        assertThat(lone.node().misplaced(0)).isEqualTo(new Misplaced(2, OptionalLong.empty()));
        assertThat(lone.node().misplaced(1)).isEqualTo(new Misplaced(1, OptionalLong.empty()));
        lone.areUp(N1);
        assertThat(lone.node().misplaced(0)).isEqualTo(new Misplaced(0, OptionalLong.empty()));
    }

    @Test
    void theCountGoesOnBehindFourThousandContenders() {
        lone.unanswered(send -> true);
        contend(1, 4_096);
        assertThat(lone.node().misplaced(0)).isEqualTo(new Misplaced(0, OptionalLong.of(4_096)));
        assertThat(lone.node().misplaced(1)).isEqualTo(new Misplaced(0, OptionalLong.empty()));
    }

    // ---------------------------------------------------------------- who makes way, and when

    @Test
    void standbyHandsOverAtOnceToWhoeverIsUp() {
        lone.areUp(N1);
        contend(1, 1);
        lone.advance(TWO_SUPPORTS_MILLIS);
        follow(1, N2);
        lone.areUp(N1, N2);
        standBy("test");
        assertThat(lone.states()).last().isEqualTo("2000 ms 1 Aside: " + BETTER);
        assertThat(lone.sent(N2, Handover.class)).containsExactly(new Handover(path(1), 1, 1, 2));
    }

    // One that comes and goes would cost a change of leader each time.
    @Test
    void laterALeaderMakesWayForWhoHasBeenUpForTwoSupportTimes() {
        lone.areUp(N1);
        contend(1, 1);
        follow(1, N2);
        lone.advance(1_000);
        rankLast(1, 3_600_000);
        lone.areUp(N1, N2);
        lone.advance(10_000);
        assertThat(lone.states()).last().isEqualTo("3000 ms 1 Aside: " + BETTER);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nobodyMakesWayForWhoIsDownOrRanksLastToo(boolean isDown) {
        contend(1, 1);
        lone.list(path(1), N2, 9, isDown ? 0 : ContenderRecord.LAST, 0);
        if (isDown) {
            lone.areUp(N1, N3);
        }
        standBy("test");
        lone.advance(2 * TWO_SUPPORTS_MILLIS);
        assertThat(ended()).isEmpty();
    }

    @Test
    void anotherContenderOfThisNodeNeedNotHaveBeenUpForLong() {
        contend(1, 1);
        lone.contend(2, path(1));
        rankLast(1, 3_600_000);
        lone.advance(2 * HEARTBEAT_MILLIS);
        assertThat(lone.states())
                .contains(
                        "200 ms 1 Aside: n1#2 is ranked better",
                        "201 ms 2 Leading: a majority of voters backs its claim");
    }

    // It ranks last as well, though the path was not looked at yet.
    @Test
    void onStandbyNoOtherContenderOfThisNodeFollows() {
        contend(1, 1);
        lone.contend(2, path(1));
        follow(1, N2);
        standBy("test");
        assertThat(lone.states()).contains("0 ms 1 Aside: " + BETTER);
    }

    // ---------------------------------------------------------------- leaders that have work to finish

    @Test
    void sixteenLeadersWhoseWorkIsDoneMakeWayPerHeartbeat() {
        contend(1, 20);
        drains(1, 20);
        IntStream.rangeClosed(1, 20).forEach(i -> follow(i, N2));
        standBy("test");
        assertThat(lone.seen(NodeEffect.Leaving.class))
                .hasSize(20)
                .last()
                .isEqualTo(new NodeEffect.Leaving(20, lone.tenure(20), 20, BETTER));
        IntStream.rangeClosed(1, 20).forEach(this::drained);
        assertThat(ended()).isEmpty();
        lone.advance(HEARTBEAT_MILLIS);
        assertThat(ended()).hasSize(PER_PERIOD).endsWith(16L);
        lone.advance(HEARTBEAT_MILLIS);
        assertThat(ended()).hasSize(20);
    }

    /** The last of these could make way. */
    private void standByBehind(IntConsumer others) {
        IntStream.rangeClosed(1, PER_PERIOD).forEach(others);
        contend(17, 17);
        follow(17, N2);
        standBy("test");
    }

    @Test
    void onlyLeadersTakeATurn() {
        standByBehind(i -> {
            lone.list(path(i), N3, 1, 0, 1);
            contend(i, i);
        });
        assertThat(ended()).containsExactly(17L);
    }

    @Test
    void leaderWithoutASuccessorDoesNotTakeATurn() {
        standByBehind(i -> contend(i, i));
        assertThat(ended()).containsExactly(17L);
    }

    private void work(int i) {
        contend(i, i);
        drains(i, i);
        follow(i, N2);
    }

    @Test
    void leaderAtWorkDoesNotTakeATurn() {
        contend(18, 18);
        standByBehind(this::work);
        assertThat(ended()).containsExactly(17L);
        lone.advance(TWO_SUPPORTS_MILLIS);
        follow(18, N2);
        lone.advance(HEARTBEAT_MILLIS);
        assertThat(ended()).containsExactly(17L, 18L);
    }

    @Test
    void leaderThatEndedOtherwiseDoesNotTakeATurn() {
        IntStream.rangeClosed(1, 17).forEach(this::work);
        standBy("test");
        IntStream.rangeClosed(1, 17).forEach(this::drained);
        IntStream.rangeClosed(1, 16).forEach(i -> lone.step(new NodeEvent.TenureSeenEnded(i, lone.tenure(i))));
        lone.forget();
        lone.advance(HEARTBEAT_MILLIS);
        assertThat(ended()).containsExactly(17L);
    }

    @Test
    void leaderWhoseSuccessorWentDownStaysWithoutATurn() {
        contend(1, 17);
        drains(1, 17);
        IntStream.rangeClosed(1, 16).forEach(i -> follow(i, N3));
        follow(17, N2);
        standBy("test");
        lone.areUp(N1, N2);
        IntStream.rangeClosed(1, 17).forEach(this::drained);
        lone.advance(HEARTBEAT_MILLIS);
        assertThat(ended()).containsExactly(17L);
        assertThat(stays()).hasSize(16).contains("3 no better ranked contender is up any more");
        assertThat(lone.states()).contains("200 ms 3 Leading: no better ranked contender is up any more");
    }

    // What the other one does meanwhile is no reason to forget this one.
    @Test
    void leaderRankedAsUsualBeforeItsWorkIsDoneStays() {
        contend(1, 2);
        drains(1, 1);
        follow(1, N2);
        lone.advance(TWO_SUPPORTS_MILLIS);
        rankLast(1, 500);
        lone.advance(HEARTBEAT_MILLIS);
        assertThat(lone.states()).last().isEqualTo("2200 ms 1 Leaving: " + BETTER);
        lone.step(new NodeEvent.Withdraw(2));
        lone.advance(1_000);
        assertThat(lone.states()).last().isEqualTo("2600 ms 1 Leading: it need not make way any more");
        assertThat(stays()).containsExactly("1 it need not make way any more");
        drained(1);
        lone.advance(1_000);
        assertThat(ended()).containsExactly(2L);
    }

    @Test
    void leaderRankedAsUsualWhenItsWorkIsDoneStays() {
        contend(1, 1);
        drains(1, 1);
        follow(1, N2);
        standBy("test");
        drained(1);
        standBy();
        lone.advance(HEARTBEAT_MILLIS);
        assertThat(stays()).containsExactly("1 it need not make way any more");
        assertThat(lone.tenure(1).isEnded()).isFalse();
    }
}
