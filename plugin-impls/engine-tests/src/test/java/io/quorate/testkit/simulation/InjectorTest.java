package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.core.message.VotersMessage.ReadyQuery;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every fault does what it says, from its beginning to its end and no longer. */
class InjectorTest {

    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final String PATH = "/a";

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 42, new HighestUp());
    private final Injector injector = new Injector(cluster, List.of(N1, N2, N3), new Mixture(List.of(new HighestUp())));
    /** Which links a message passed since it was emptied. */
    private final Set<String> passed = new TreeSet<>();

    InjectorTest() {
        // Drops nothing, and sees what is not cut or lost, when it is sent and when it arrives.
        cluster.drop(flight -> {
            passed.add(flight.from() + ">" + flight.to());
            return false;
        });
    }

    private void happens(String... faults) {
        Stream.of(faults).map(Fault::parse).forEach(injector::schedule);
    }

    private void at(long millis) {
        cluster.advance(millis - cluster.nowMillis());
    }

    /** What passes links in the second from now on. */
    private Set<String> passesInASecond() {
        // What is on its way, and the first instant, in which a fault begins or ends.
        cluster.advance(2);
        passed.clear();
        cluster.advance(997);
        return Set.copyOf(passed);
    }

    private VirtualProcess process(NodeId node) {
        return cluster.process(node);
    }

    /** n1 leads at 3000. */
    private void n1Leads() {
        happens(
                "at 1500 until 999999 contend n1/a",
                "at 2000 until 999999 contend n2/a",
                "at 2500 until 999999 contend n3/a");
        at(3000);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }

    // ---------------------------------------------------------------- links

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n1>n2|n1>n3 n2>n1 n2>n3 n3>n1 n3>n2",
                "n1-n2|n1>n3 n2>n3 n3>n1 n3>n2",
                "n1>*|n2>n1 n2>n3 n3>n1 n3>n2",
                "*>n1|n1>n2 n1>n3 n2>n3 n3>n2",
                "n1,n2-n3|n1>n2 n2>n1",
                "!n3-!n3|n1>n3 n2>n3 n3>n1 n3>n2",
                "leader-n2|n1>n3 n2>n3 n3>n1 n3>n2"
            })
    void aCutStopsTheseLinksAndNoOther(String where, String open) {
        happens("at 1000 until 2000 cut " + where);
        at(0);
        assertThat(passesInASecond()).hasSize(6);
        at(1000);
        assertThat(passesInASecond()).containsExactlyInAnyOrder(open.split(" "));
        at(2000);
        assertThat(passesInASecond()).hasSize(6);
    }

    @Test
    void nothingPassesWhereEverybodyIsCut() {
        happens("at 1000 until 2000 cut *-*");
        at(1000);
        assertThat(passesInASecond()).isEmpty();
    }

    @Test
    void overlappingCutsEndWithTheLast() {
        happens("at 1000 until 4000 cut n1-n2", "at 1500 until 2500 cut n1-*");
        at(2500);
        assertThat(passesInASecond()).hasSize(4).doesNotContain("n1>n2", "n2>n1");
        at(4000);
        assertThat(passesInASecond()).hasSize(6);
    }

    @Test
    void allIsLostIfAHundredOfAHundredAre() {
        happens("at 1000 until 2000 loss n1>n2 100");
        at(1000);
        assertThat(passesInASecond()).hasSize(5).doesNotContain("n1>n2");
        at(2000);
        assertThat(passesInASecond()).hasSize(6);
    }

    // Cut in the first, third and fifth second, which is the last.
    @Test
    void aFlappingLinkIsCutAndWholeInTurns() {
        happens("at 1000 until 6000 flap n1-n2 1000");
        for (int second = 1; second <= 7; second++) {
            at(second * 1000L);
            assertThat(passesInASecond()).as("second %d", second).hasSize(second <= 5 && second % 2 == 1 ? 4 : 6);
        }
    }

    /** How long each message from n1 to n2 takes that is sent from now to {@code end}, in milliseconds. */
    private Map<VirtualCluster.Flight, List<Long>> flightsUntil(long end) {
        Map<VirtualCluster.Flight, Long> sent = new IdentityHashMap<>();
        Map<VirtualCluster.Flight, List<Long>> took = new IdentityHashMap<>();
        cluster.drop(flight -> {
            if (flight.from().equals(N1) && flight.to().equals(N2)) {
                Long since = sent.putIfAbsent(flight, cluster.nowMillis());
                if (since != null && since < end) {
                    took.computeIfAbsent(flight, f -> new ArrayList<>()).add(cluster.nowMillis() - since);
                }
            }
            return false;
        });
        at(end + 500);
        return took;
    }

    @Test
    void aDelayLastsAsLongAsItSays() {
        happens("at 1000 until 2000 delay n1>n2 300");
        assertThat(flightsUntil(1000).values()).isNotEmpty().allMatch(took -> took.get(0) <= 1);
        assertThat(flightsUntil(2000).values()).anyMatch(took -> took.get(0) > 100);
        assertThat(flightsUntil(3000).values()).isNotEmpty().allMatch(took -> took.get(0) <= 1);
    }

    @Test
    void aDuplicationLastsAsLongAsItSays() {
        happens("at 1010 until 2500 duplication n1>n2 100");
        assertThat(flightsUntil(500).values()).isNotEmpty().allMatch(took -> took.size() == 1);
        at(1010);
        assertThat(flightsUntil(2000).values()).isNotEmpty().allMatch(took -> took.size() == 2);
        assertThat(flightsUntil(4000).values()).isNotEmpty().allMatch(took -> took.size() == 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cut n1", "cut n1-n9", "cut -n1", "cut n1>n2-n3", "crash n9", "contend n1", "resign /a"})
    void aPlaceThatIsNotThereIsRefused(String what) {
        happens("at 10 until 20 " + what);
        assertThatThrownBy(() -> at(30))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be")
                .hasMessageContaining("'");
    }

    // ---------------------------------------------------------------- processes

    // Two overlap, and the process has another life meanwhile: it ranks last until both are over.
    @Test
    void standbyLastsUntilItsLastFaultIsOverAndOutlivesTheProcess() {
        n1Leads();
        happens(
                "at 4000 until 9000 standby n1",
                "at 4000 until 5000 standby n1",
                "at 6000 until 6100 crash n1",
                "at 8000 until 8000 resign leader/a",
                "at 9500 until 9500 resign leader/a",
                "at 10000 until 10000 resign leader/a");
        at(4500);
        assertThat(cluster.leaders(PATH)).containsExactly(N2);
        at(7900);
        assertThat(process(N1).host().describe()).contains("it ranks last: " + VirtualProcess.ON_STANDBY);
        assertThat(injector.isOnStandby(N1)).isTrue();
        at(8900);
        assertThat(cluster.leaders(PATH)).containsExactly(N3);
        at(9100);
        assertThat(injector.isOnStandby(N1)).isFalse();
        assertThat(process(N1).host().describe()).doesNotContain("ranks last");
        at(9900);
        // Ranked as usual it is before n2, which has resigned after it came back.
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"crash", "crash_after_write", "shutdown"})
    void aProcessIsGoneAndComesBackWithItsLatch(String kind) {
        n1Leads();
        long life = process(N1).life();
        happens("at 4000 until 7000 " + kind + " leader");
        at(4000);
        assertThat(process(N1).isRunning()).isFalse();
        at(6999);
        assertThat(process(N1).isRunning()).isFalse();
        assertThat(cluster.leaders(PATH)).containsExactly(N2);
        at(7000);
        assertThat(process(N1).isRunning()).isTrue();
        assertThat(process(N1).life()).isGreaterThan(life);
        assertThat(process(N1).contenders).containsValue(PATH);
    }

    // One that ends in order hands over at once; after a kill, the votes must lapse.
    @Test
    void aShutdownIsInOrderAndACrashIsNot() {
        n1Leads();
        happens("at 4000 until 4000 shutdown n1");
        at(4050);
        assertThat(cluster.leaders(PATH)).containsExactly(N2);
        happens("at 6000 until 6000 crash n2");
        at(6500);
        assertThat(cluster.leaders(PATH)).isEmpty();
        at(7500);
        assertThat(cluster.leaders(PATH)).hasSize(1);
    }

    // The first terms are reserved at the start; that write takes a millisecond.
    @ParameterizedTest
    @CsvSource({"crash, false", "crash_after_write, true"})
    void aWriteThatIsUnderWayReachesTheDiskOrNot(String kind, boolean reaches) {
        String all = " n1;" + kind + " n2;" + kind + " n3";
        for (String one : (kind + all).split(";")) {
            happens("at 0 until 10 " + one);
        }
        n1Leads();
        // A voter that restarts goes on above whatever it may have promised.
        assertThat(cluster.token(PATH)).matches(token -> reaches == token > 100, "token " + cluster.token(PATH));
    }

    @Test
    void aPausedProcessDoesNothingUntilItGoesOn() {
        n1Leads();
        happens("at 4000 until 6000 pause leader");
        at(4000);
        assertThat(process(N1).isPaused()).isTrue();
        List<Long> done = new ArrayList<>();
        process(N1).handle(() -> done.add(cluster.nowMillis()));
        at(5999);
        assertThat(done).isEmpty();
        assertThat(process(N1).waiting()).isPositive();
        assertThat(cluster.leaders(PATH)).containsExactly(N2);
        assertThat(process(N1).tenures).hasSize(1);
        at(6000);
        assertThat(done).containsExactly(6000L);
        assertThat(process(N1).isPaused()).isFalse();
        assertThat(process(N1).waiting()).isZero();
        assertThat(process(N1).tenures).isEmpty();
    }

    // What the step wanted done waits, a heartbeat at least; the application runs on, and sees its tenure lapse.
    @Test
    void aStalledProcessStopsInTheMiddleOfAStep() {
        n1Leads();
        happens("at 4000 until 6000 stall leader");
        at(4000);
        assertThat(process(N1).isPaused()).isFalse();
        at(5999);
        assertThat(process(N1).isPaused()).isTrue();
        assertThat(process(N1).waiting()).isGreaterThan(1);
        assertThat(process(N1).tenures.values()).hasSize(1).allMatch(tenure -> tenure.isEnded());
        at(6000);
        assertThat(process(N1).isPaused()).isFalse();
        assertThat(process(N1).tenures).isEmpty();
    }

    // ADR-0083: as a driver does. What the rule BOUNDED counts is all that waits.
    @Test
    void overtakingWorkIsDoneFirstAndCountsAsWaiting() {
        process(N1).serviceTime(10 * VirtualTime.MILLI);
        List<String> done = new ArrayList<>();
        process(N1).handle(() -> done.add("begun"));
        process(N1).handle(() -> done.add("rest"));
        int waiting = process(N1).waiting();
        process(N1).handleFirst(() -> done.add("first"));
        process(N1).handleFirst(() -> done.add("second"));
        assertThat(process(N1).waiting()).isEqualTo(waiting + 2);
        cluster.advance(100);
        assertThat(done).containsExactly("begun", "first", "second", "rest");
    }

    @Test
    void aSlowProcessTakesItsTimeForEachTurn() {
        happens("at 1000 until 2000 slow n1 20");
        for (long begin : List.of(900L, 1500L, 2100L)) {
            at(begin);
            List<Long> done = new ArrayList<>();
            process(N1).handle(() -> done.add(cluster.nowMillis()));
            cluster.advance(begin == 1500 ? 19 : 0);
            assertThat(done).hasSize(begin == 1500 ? 0 : 1);
            cluster.advance(200);
            assertThat(done).hasSize(1);
        }
    }

    @Test
    void aSlowProcessThatHasItsSpeedAgainCatchesUp() {
        List<Integer> done = new ArrayList<>();
        happens("at 1000 until 2000 slow n1 900");
        at(1500);
        for (int turn = 1; turn <= 5; turn++) {
            int number = turn;
            process(N1).handle(() -> done.add(number));
        }
        at(1999);
        assertThat(done).isEmpty();
        at(2001);
        process(N1).handle(() -> done.add(6));
        assertThat(done).as("nothing overtakes, and nothing comes twice").containsExactly(1, 2, 3, 4, 5, 6);
        at(30_000);
        assertThat(done).hasSize(6);
    }

    @Test
    void aClockGoesWrongAndRightAgain() {
        happens("at 1000 until 2000 clock n1 -10", "at 1000 until 2000 clock n2 10");
        at(3000);
        assertThat(process(N1).clock.nanoTime() / VirtualTime.MILLI).isEqualTo(2900);
        assertThat(process(N2).clock.nanoTime() / VirtualTime.MILLI).isEqualTo(3100);
        assertThat(process(N3).clock.nanoTime() / VirtualTime.MILLI).isEqualTo(3000);
        at(4000);
        assertThat(process(N1).clock.nanoTime() / VirtualTime.MILLI).isEqualTo(3900);
    }

    @Test
    void aWallClockIsSetAndNoOtherClock() {
        happens("at 1000 until 1000 wall n1 -60");
        at(2000);
        assertThat(process(N1).clock.wallMillis()).isEqualTo(process(N2).clock.wallMillis() - 60_000);
        assertThat(process(N1).clock.nanoTime()).isEqualTo(process(N2).clock.nanoTime());
    }

    // No voter may vote in a term that it could forget.
    @Test
    void whileTheDisksOfAMajorityAreFullThereIsNoTerm() {
        happens("at 0 until 5000 disk_full n1", "at 0 until 5000 disk_full n3", "at 1500 until 999999 contend n1/a");
        at(4999);
        assertThat(cluster.log()).isEmpty();
        at(7000);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }

    // ---------------------------------------------------------------- contenders

    @Test
    void aLatchIsOpenedAndClosed() {
        happens("at 2000 until 4000 contend n1/a", "at 2500 until 3000 contend n1/a");
        at(1999);
        assertThat(injector.contended()).isEmpty();
        at(3500);
        assertThat(injector.contended()).containsExactly(PATH);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
        at(4000);
        assertThat(injector.contended()).isEmpty();
        assertThat(cluster.leaders(PATH)).isEmpty();
    }

    @Test
    void aLeaderResignsAndContendsAgainAtTheTail() {
        n1Leads();
        happens("at 4000 until 4000 resign leader/a", "at 4500 until 4500 resign n1/a");
        at(4000);
        assertThat(cluster.leaders(PATH)).isEmpty();
        at(4499);
        assertThat(cluster.leaders(PATH)).containsExactly(N2);
        // Whoever does not lead gives nothing up.
        int changes = cluster.log().size();
        at(5000);
        assertThat(cluster.log()).hasSize(changes);
    }

    // ---------------------------------------------------------------- voters

    private long number(NodeId node) {
        return cluster.node(node).voters().number();
    }

    @Test
    void uninformedNodeLearnsTheListOnlyInTheEnd() {
        happens("at 3000 until 6000 untold n3", "at 3500 until 3500 change n1>n1,n2");
        at(5900);
        assertThat(cluster.changes(N1)).containsExactly("done");
        assertThat(number(N2)).isEqualTo(2);
        assertThat(number(N3)).isEqualTo(1);
        at(7000);
        assertThat(number(N3)).isEqualTo(2);
    }

    // Of the first step of a change nothing leaves after the first question, and nobody is asked to promise.
    @ParameterizedTest
    @ValueSource(strings = {"crash", "crash_after_write", "cut", "pause"})
    void aNodeIsLostBetweenTwoMessagesOfAChange(String how) {
        List<String> arrived = new ArrayList<>();
        happens("at 2000 until 4000 lost_at_work " + how + ">n1 1");
        at(2500);
        // Behind the rule of the fault: what that drops is not seen.
        cluster.drop(flight -> {
            if (flight.from().equals(N1) && flight.message() instanceof ReadyQuery) {
                arrived.add(flight.to().value());
            }
            return false;
        });
        cluster.changeVoters(N1, 1, List.of(N1, N2));
        at(3900);
        assertThat(arrived).containsOnly("n2");
        assertThat(process(N2).host().voters().number()).isEqualTo(1);
        boolean isThere = process(N1).isRunning() && !process(N1).isPaused();
        assertThat(isThere).isEqualTo(how.equals("cut"));
        at(4500);
        assertThat(process(N1).isRunning() && !process(N1).isPaused()).isTrue();
        assertThat(passesInASecond()).contains("n1>n2", "n1>n3");
    }
}
