package io.quorate.threephase;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.algorithms.Machine;
import io.quorate.spi.Effect;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.ElectionCluster;
import io.quorate.testkit.simulation.Seeds;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/algorithms/three-phase.md#hardened, S1 to S4. A leader that a majority hears stays, and slow links settle. */
class ThreePhaseStabilityTest {

    private static final int DELTA = 10;
    private static final int RUNS = Effort.of(20, 5);
    private static final String ALL = "{0:5,1:7,2:9}";

    private static ElectionCluster cluster(int size, Options options) {
        return new ElectionCluster(new ThreePhaseAlgorithm(), size, size, process -> new ThreePhaseAlgorithm()
                .create(Membership.of(process, size), new Timing(DELTA), options));
    }

    /** The highest process has led for a while. */
    private static ElectionCluster led(int size, Options options) {
        ElectionCluster cluster = cluster(size, options);
        for (int process = 0; process < size; process++) {
            cluster.start(process, OptionalInt.of(size - 1));
        }
        cluster.runUntil(300);
        return cluster;
    }

    private static BiPredicate<Integer, Integer> link(int one, int other) {
        return (from, to) -> from == one && to == other || from == other && to == one;
    }

    /** How many nominations there are from now on, and withdrawals of one. */
    private static AtomicLong nominations(ElectionCluster cluster) {
        AtomicLong count = new AtomicLong();
        cluster.observe((process, event, effects) -> count.addAndGet(effects.stream()
                .filter(effect -> effect instanceof Effect.Nominate || effect instanceof Effect.NoNominee)
                .count()));
        return count;
    }

    private static void assertAllFollow(ElectionCluster cluster, int leader) {
        for (int process : cluster.running()) {
            assertThat(cluster.election(process).leader())
                    .as("leader of %d", process)
                    .hasValue(leader);
        }
    }

    // ---------------------------------------------------------------- cut links

    // "Chain": the one behind the cut link goes on to nominate the leader that the others hear.
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 6, 7})
    void oneCutLinkToTheLeaderChangesNothing(int size) {
        for (int behind = 0; behind < size - 1; behind++) {
            ElectionCluster cluster = led(size, Options.HARDENED);
            AtomicLong nominations = nominations(cluster);
            cluster.cut(link(size - 1, behind));
            cluster.runUntil(5_000);
            assertThat(nominations.get())
                    .as("%d is behind the cut link", behind)
                    .isZero();
            assertAllFollow(cluster, size - 1);
            cluster.cut((from, to) -> false);
            cluster.runUntil(6_000);
            assertThat(nominations.get()).as("after the end of the cut").isZero();
            assertThat(cluster.election(behind).isParticipating()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 6, 7})
    void oneWayCutsOfOneFollowerChangeNothing(int size) {
        for (int behind = 0; behind < size - 1; behind++) {
            int follower = behind;
            int leader = size - 1;
            for (boolean isFromLeader : List.of(true, false)) {
                ElectionCluster cluster = led(size, Options.HARDENED);
                AtomicLong nominations = nominations(cluster);
                cluster.cut((from, to) ->
                        isFromLeader ? from == leader && to == follower : from == follower && to == leader);
                cluster.runUntil(5_000);
                assertThat(nominations.get()).as("%d, %s", behind, isFromLeader).isZero();
            }
        }
    }

    @Test
    void flappingLinkChangesNothing() {
        ElectionCluster cluster = led(5, Options.HARDENED);
        AtomicLong nominations = nominations(cluster);
        cluster.cut((from, to) -> cluster.now() / 83 % 2 == 0 && link(4, 3).test(from, to));
        cluster.runUntil(5_000);
        assertThat(nominations.get()).isZero();
    }

    // "Bridge": S1, a leader that one process hears is replaced; and then no more.
    @Test
    void leaderThatAMinorityHearsIsReplacedOnce() {
        ElectionCluster cluster = led(5, Options.HARDENED);
        cluster.crash(3);
        cluster.cut((from, to) -> from == 4 && to != 0 || to == 4 && from != 0);
        cluster.runUntil(1_000);
        AtomicLong nominations = nominations(cluster);
        cluster.runUntil(5_000);
        assertThat(nominations.get()).isZero();
        for (int process = 0; process < 3; process++) {
            assertThat(cluster.election(process).leader()).hasValue(2);
        }
        assertThat(cluster.election(4).leader())
                .as("it was told, and hears no leader")
                .isEmpty();
    }

    // Evidence is first-hand: the last follower to hear the leader gives it up T_D after the last heartbeat.
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 6, 7})
    void leaderThatDiesBehindACutLinkIsReplacedInTime(int size) {
        for (int behind = 0; behind < size - 1; behind++) {
            for (long crash = 2_000; crash < 2_090; crash += 13) {
                ElectionCluster cluster = led(size, Options.HARDENED);
                cluster.cut(link(size - 1, behind));
                cluster.runUntil(crash);
                cluster.crash(size - 1);
                // T_D, 8 delta of an election, and a TMR of 4 delta for whichever round the crash finds half done.
                cluster.runUntil(crash + 18L * DELTA);
                assertThat(cluster.leaders())
                        .as("%d, crash at %d", behind, crash)
                        .containsExactly(size - 2);
                assertAllFollow(cluster, size - 2);
            }
        }
    }

    // S1: its acknowledgements expire, so the others need not wait for it.
    @ParameterizedTest
    @ValueSource(ints = {5, 7})
    void leaderWithoutTheMajorityIsReplacedByIt(int size) {
        ElectionCluster cluster = led(size, Options.HARDENED);
        int half = size / 2;
        cluster.cut((from, to) -> from <= half != to <= half);
        cluster.runUntil(300 + 20L * DELTA);
        assertThat(cluster.leaders()).contains(half);
        for (int process = 0; process <= half; process++) {
            assertThat(cluster.election(process).leader()).hasValue(half);
        }
        cluster.cut((from, to) -> false);
        cluster.runUntil(2_000);
        assertThat(cluster.leaders()).hasSize(1);
    }

    @Test
    void restartedFollowerBehindACutLinkLearnsTheLeader() {
        ElectionCluster cluster = led(3, new Options(Variant.HARDENED, false, true));
        cluster.cut(link(2, 0));
        cluster.crash(0);
        cluster.runUntil(400);
        cluster.start(0);
        cluster.runUntil(2_000);
        assertAllFollow(cluster, 2);
        assertThat(cluster.leaders()).containsExactly(2);
    }

    // ---------------------------------------------------------------- slow links

    // S2 and S4: constant delays far beyond delta.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 10, 20, 50})
    void slowLinksSettle(int delay) {
        Seeds.each(RUNS, 1, seed -> {
            Random random = new Random(seed);
            long unit = (long) delay * DELTA;
            ElectionCluster cluster = cluster(3 + (int) (seed % 3), Options.HARDENED);
            cluster.latency(() -> unit);
            for (int process = 0; process < cluster.contenders(); process++) {
                int starting = process;
                cluster.at(random.nextInt(DELTA), () -> cluster.start(starting));
            }
            cluster.runUntil(100 * unit);
            AtomicLong nominations = nominations(cluster);
            assertThat(cluster.leaders()).hasSize(1);
            cluster.runUntil(400 * unit);
            assertThat(nominations.get()).isZero();
        });
    }

    // Links become slow, fast and slow again.
    @Test
    void changingDelaysSettle() {
        Seeds.each(RUNS, 1, seed -> {
            Random random = new Random(seed);
            ElectionCluster cluster = cluster(5, Options.HARDENED);
            cluster.latency(() -> cluster.now() < 2_000 || cluster.now() > 6_000 ? 5 : 1 + random.nextInt(200));
            for (int process = 0; process < 5; process++) {
                cluster.start(process);
            }
            cluster.runUntil(8_000);
            assertThat(cluster.leaders()).hasSize(1);
            AtomicLong nominations = nominations(cluster);
            cluster.runUntil(20_000);
            assertThat(nominations.get()).isZero();
        });
    }

    // ---------------------------------------------------------------- rule by rule

    private static Machine process(int self) {
        return Machines.of(self, "5,7,9", Options.HARDENED);
    }

    /** P1 of 3 follows 0, elected in round 4, since 5. */
    private static Machine follower() {
        Machine p1 = process(1);
        p1.on("start leader=2");
        p1.on(5, "LEADER(0,4," + ALL + ") from 0");
        return p1;
    }

    // S1: a majority that acknowledged within T_D.
    @Test
    void leaderSaysWhetherAMajorityFollowsIt() {
        Machine p2 = process(2);
        p2.on("start leader=2");
        assertThat(p2.on(20, "timer HB")).contains("MESSAGE(1," + ALL + ",0,-1,F) ->0,1");
        assertThat(p2.on(40, "timer HB")).contains("MESSAGE(2," + ALL + ",0,-1,F) ->0,1");
        p2.on(41, "HBACK(2) from 0");
        assertThat(p2.on(60, "timer HB")).contains("MESSAGE(3," + ALL + ",0,-1,T) ->0,1");
        assertThat(p2.on(80, "timer HB")).contains("MESSAGE(4," + ALL + ",0,-1,T) ->0,1");
        assertThat(p2.on(100, "timer HB")).contains("MESSAGE(5," + ALL + ",0,-1,F) ->0,1");
    }

    // S2: a process answers for the leader as long as it hears it itself, and the leader has a majority.
    @Test
    void followerHoldsALeaderThatAMajorityFollows() {
        Machine p1 = follower();
        p1.on(6, "MESSAGE(1," + ALL + ",0,4,T) from 0");
        assertThat(p1.on(7, "START(5) from 2")).containsExactly("LEADER(0,4," + ALL + ") ->2");
        assertThat(p1.on(8, "OK(5,(0,1,2)) from 2")).containsExactly("LEADER(0,4," + ALL + ") ->2");
        p1.on(9, "MESSAGE(2," + ALL + ",0,4,F) from 0");
        assertThat(p1.on(10, "START(5) from 2")).contains("START(5) ->0,2");
    }

    @Test
    void followerThatHasNotHeardTheLeaderDoesNotHoldIt() {
        assertThat(follower().on(6, "START(5) from 2")).contains("START(5) ->0,2");
    }

    @Test
    void leaderWithAMajorityHoldsItself() {
        Machine p2 = process(2);
        p2.on("start leader=2");
        p2.on(20, "timer HB");
        p2.on(30, "HBACK(1) from 0");
        p2.on(40, "timer HB");
        p2.on(60, "timer HB");
        assertThat(p2.on(70, "START(0) from 0")).containsExactly("LEADER(2,-1," + ALL + ") ->0");
        assertThat(p2.on(71, "START(0) from 0")).contains("START(0) ->0,1");
        // A process that holds it tells it to stay.
        assertThat(p2.on(72, "LEADER(2,-1," + ALL + ") from 1")).containsExactly("cancel TMR");
    }

    // S3: who was told keeps the leader over the next retry; who was not gives it up.
    @Test
    void toldProcessKeepsTheLeader() {
        Machine p1 = follower();
        p1.on(55, "timer FRESH");
        assertThat(p1.on(57, "LEADER(0,4," + ALL + ") from 2")).isEmpty();
        assertThat(p1.on(96, "timer TMR")).containsExactlyInAnyOrder("START(6) ->0,2", "set TMR=41");
        assertThat(p1.on(137, "timer TMR")).contains("LEADER -");
        assertThat(p1.on(139, "LEADER(0,4," + ALL + ") from 2")).containsExactly("LEADER 0 4");
    }

    // S3: a follower that does not know of the step-down does not make the process lead again.
    @Test
    void leaderThatHasSteppedDownIsNotToldThatItLeads() {
        Machine p2 = Machines.of(2, "5,7,9", new Options(Variant.HARDENED, true, false));
        p2.on("start leader=2");
        p2.on(20, "timer HB");
        assertThat(p2.on(40, "timer HB")).contains("LEADER -");
        assertThat(p2.on(41, "LEADER(2,-1," + ALL + ") from 1")).isEmpty();
        assertThat(p2.election().leader()).isEmpty();
    }

    // S3: a judge that was told needs a majority.
    @Test
    void toldJudgeDoesNotDecideAlone() {
        for (boolean isTold : List.of(true, false)) {
            Machine p0 = process(0);
            p0.on("start leader=2");
            p0.on(50, "timer FRESH");
            if (isTold) {
                p0.on(52, "LEADER(2,-1," + ALL + ") from 1");
            }
            for (int time = 60; time < 90; time += 10) {
                p0.on(time, "timer TASK0");
            }
            assertThat(p0.on(90, "timer TASK0").contains("LEADER 0 0")).isEqualTo(!isTold);
            if (isTold) {
                assertThat(p0.on(130, "timer P3"))
                        .containsExactlyInAnyOrder("START(1) ->1,2", "cancel TASK0", "set TMR=41");
            }
        }
    }

    // S4: a round that a peer brings about is no retry of this process.
    @Test
    void roundsOfOthersDoubleNothing() {
        Machine p1 = follower();
        p1.on(55, "timer FRESH");
        for (int round = 8; round < 60; round += 3) {
            p1.on(60, "MESSAGE(1," + ALL + ",0,4,F) from 0");
            assertThat(p1.on(60, "START(" + round + ") from 2")).contains("set TMR=41");
        }
        assertThat(p1.on(101, "timer TMR")).contains("set TMR=81");
    }

    // S4: nor do judges that leave it out again and again, faster than the time-outs grow.
    @Test
    void judgesThatLeaveTheProcessOutDoubleOnlyAsTimePasses() {
        Machine p1 = follower();
        p1.on(55, "timer FRESH");
        for (int round = 8; round < 60; round += 3) {
            p1.on(60, "MESSAGE(1," + ALL + ",0,4,F) from 0");
            p1.on(60, "OK(" + round + ",(0,1,2)) from 2");
            assertThat(p1.on(60, "OK(" + round + ",(0,2)) from 2")).contains("set TMR=81");
        }
        p1.on(139, "OK(62,(0,1,2)) from 2");
        assertThat(p1.on(139, "OK(62,(0,2)) from 2")).contains("set TMR=81");
        p1.on(140, "OK(65,(0,1,2)) from 2");
        assertThat(p1.on(140, "OK(65,(0,2)) from 2")).contains("set TMR=161");
    }

    // S3: a process that was told of a newer decision gives its leader up, and does not decide alone.
    @Test
    void newsOfALeaderInALaterRoundDeposesTheOldOne() {
        Machine p1 = follower();
        p1.on(55, "timer FRESH");
        assertThat(p1.on(96, "timer TMR")).contains("LEADER -");
        assertThat(p1.on(97, "LEADER(2,5," + ALL + ") from 2")).isEmpty();
    }

    // S3: what a process hears of the leader that it gave up does not bring back an older list.
    @Test
    void readoptedLeaderKeepsTheNewestList() {
        Machine p1 = follower();
        String changed = "{0:9,1:7,2:5}";
        p1.on(6, "MESSAGE(1," + changed + ",3,4,F) from 0");
        p1.on(50, "timer FRESH");
        assertThat(p1.on(91, "timer TMR")).contains("LEADER -");
        assertThat(p1.on(92, "LEADER(0,4," + ALL + ") from 2")).containsExactly("LEADER 0 4");
        assertThat(p1.on(93, "COLLECT(6) from 0")).containsExactly("REPORT(6," + changed + ",(4,3),7) ->0");
    }

    // S2: nor does a late heartbeat.
    @Test
    void lateHeartbeatOfAFollowedLeaderKeepsTheNewestList() {
        Machine p1 = follower();
        String changed = "{0:9,1:7,2:5}";
        p1.on(6, "MESSAGE(2," + changed + ",3,4,F) from 0");
        p1.on(50, "timer FRESH");
        p1.on(51, "MESSAGE(1," + ALL + ",0,4,T) from 0");
        p1.on(100, "timer FRESH");
        p1.on(101, "START(9) from 2");
        assertThat(p1.on(102, "COLLECT(9) from 0")).containsExactly("REPORT(9," + changed + ",(4,3),7) ->0");
    }

    // S4: a heartbeat that comes in a round shows that the time-outs were too short; a followed leader ends that.
    @Test
    void lateHeartbeatDoublesTheTimeoutsOfTheNextRound() {
        Machine p1 = follower();
        p1.on(55, "timer FRESH");
        p1.on(60, "MESSAGE(1," + ALL + ",0,4,F) from 0");
        assertThat(p1.on(96, "timer TMR")).contains("set TMR=81");
        p1.on(177, "timer TMR");
        p1.on(180, "LEADER(2,8," + ALL + ") from 2");
        p1.on(190, "MESSAGE(1," + ALL + ",0,8,T) from 2");
        assertThat(p1.on(230, "timer FRESH")).contains("set TMR=41");
    }

    // S2: the round was not needed.
    @Test
    void heartbeatOfALeaderWithAMajorityEndsTheRound() {
        Machine p1 = follower();
        p1.on(55, "timer FRESH");
        assertThat(p1.on(60, "MESSAGE(1," + ALL + ",0,4,T) from 0"))
                .containsExactlyInAnyOrder("cancel TMR", "set FRESH=50", "HBACK(1) ->0", "set FRESH=40");
        assertThat(p1.election().isParticipating()).isFalse();
    }
}
