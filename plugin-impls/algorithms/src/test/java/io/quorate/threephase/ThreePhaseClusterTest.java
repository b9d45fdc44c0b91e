package io.quorate.threephase;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.machine.Patience;
import io.quorate.spi.Effect;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.testkit.simulation.ElectionCluster;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/algorithms/three-phase.md in clusters: messages, times, and what goes wrong in F and not in H. */
class ThreePhaseClusterTest {

    private static ElectionCluster cluster(int size, Variant variant) {
        String priorities = LongStream.range(0, size).mapToObj(String::valueOf).collect(Collectors.joining(","));
        Options options = new Options(variant, false, false);
        return new ElectionCluster(
                new ThreePhaseAlgorithm(),
                size,
                size,
                process ->
                        ThreePhaseElection.create(Machines.setup(Membership.of(process, size), options, priorities)));
    }

    private static void startAll(ElectionCluster cluster, OptionalInt leader) {
        for (int process = 0; process < cluster.contenders(); process++) {
            cluster.start(process, leader);
        }
    }

    /** How many messages other than heartbeats and their answers are sent from now on. */
    private static AtomicLong sent(ElectionCluster cluster) {
        AtomicLong count = new AtomicLong();
        cluster.observe((process, event, effects) -> count.addAndGet(effects.stream()
                .filter(effect -> effect instanceof Effect.Send send
                        && !(send.message() instanceof ThreePhaseMessage.Heartbeat)
                        && !(send.message() instanceof ThreePhaseMessage.HeartbeatAck))
                .count()));
        return count;
    }

    /** How many times the process indicated a leader from now on. */
    private static AtomicLong nominations(ElectionCluster cluster, int of) {
        AtomicLong count = new AtomicLong();
        cluster.observe((process, event, effects) -> count.addAndGet(
                process != of
                        ? 0
                        : effects.stream()
                                .filter(effect -> effect instanceof Effect.Nominate)
                                .count()));
        return count;
    }

    // docs/algorithms/three-phase.md#message-counts: the judge of round 0 is alive, or was the leader.
    @ParameterizedTest
    @CsvSource({
        "3, FAITHFUL, 17, 21",
        "5, FAITHFUL, 49, 65",
        "9, FAITHFUL, 137, 201",
        "3, HARDENED, 24, 28",
        "5, HARDENED, 66, 82",
        "9, HARDENED, 174, 238"
    })
    void failoverCosts(int size, Variant variant, int withJudge, int withoutJudge) {
        for (int dead : new int[] {size - 1, 0}) {
            ElectionCluster cluster = cluster(size, variant);
            AtomicLong sent = sent(cluster);
            startAll(cluster, OptionalInt.of(dead));
            cluster.crash(dead);
            cluster.runUntil(1000);
            assertThat(cluster.leaders()).containsExactly(dead == 0 ? size - 1 : size - 2);
            assertThat(sent.get()).as("leader was %d", dead).isEqualTo(dead == 0 ? withoutJudge : withJudge);
        }
    }

    // The last survivor: START (n-1)^2, OK 4(n-1).
    @ParameterizedTest
    @CsvSource({"3, 12", "5, 32", "9, 96"})
    void lastSurvivorTriesAllJudges(int size, int messages) {
        ElectionCluster cluster = cluster(size, Variant.FAITHFUL);
        AtomicLong sent = sent(cluster);
        startAll(cluster, OptionalInt.of(0));
        for (int process = 0; process < size - 1; process++) {
            cluster.crash(process);
        }
        cluster.runUntil(1000);
        assertThat(cluster.leaders()).containsExactly(size - 1);
        assertThat(sent.get()).isEqualTo(messages);
    }

    // Between elections: n-1 heartbeats per T_hb, in H their answers, and nothing else.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, 1", "HARDENED, 2"})
    void quietGroupSendsHeartbeatsOnly(Variant variant, int ways) {
        ElectionCluster cluster = cluster(5, variant);
        startAll(cluster, OptionalInt.empty());
        cluster.runUntil(300);
        AtomicLong others = sent(cluster);
        long before = cluster.sent();
        cluster.runUntil(500);
        assertThat(others.get()).isZero();
        assertThat(cluster.sent() - before).isEqualTo(10L * 4 * ways);
    }

    // docs/algorithms/three-phase.md#timers:
    // T_D + 6 delta in F, with a live judge and latencies up to delta; H waits 4 delta instead of the first 2.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, 100", "HARDENED, 120"})
    void crashIsFollowedByANewLeaderInTime(Variant variant, long duration) {
        for (long crash = 300; crash < 330; crash++) {
            ElectionCluster cluster = cluster(4, variant);
            cluster.latency(() -> 10);
            startAll(cluster, OptionalInt.of(3));
            cluster.runUntil(crash);
            cluster.crash(3);
            // The mean delay E[theta] comes first.
            cluster.runUntil(crash + 10 + duration);
            assertThat(cluster.leaders()).as("after a crash at %d", crash).containsExactly(2);
        }
    }

    // The lease: births after the first listen, and the judge of round 0 may be dead.
    @ParameterizedTest
    @CsvSource({"2, 0", "0, 2"})
    void usualFailoverIsNotExceededByAnElectionOfRestartedProcesses(int dead, int successor) {
        Timing timing = new Timing(10);
        long usual = new ThreePhaseAlgorithm().usualFailover(timing, 3);
        assertThat(usual).isEqualTo(60 + 41 + 40 + 30);
        ElectionCluster cluster =
                new ElectionCluster(new ThreePhaseAlgorithm(), 3, 3, process -> new ThreePhaseAlgorithm()
                        .create(Membership.of(process, 3), timing, Options.HARDENED));
        cluster.latency(() -> 10);
        startAll(cluster, OptionalInt.empty());
        List.of(0, 1, 2).forEach(cluster::crash);
        startAll(cluster, OptionalInt.empty());
        cluster.crash(dead);
        // Suspicions at birth change nothing, right or wrong.
        cluster.setSuspected(1, dead, true);
        cluster.setSuspected(1, successor, true);
        cluster.runUntil(usual);
        assertThat(cluster.leaders()).containsExactly(Math.max(1, successor));
    }

    // Weakness 1 of F: line 46 empties the list, and line 54 then blocks for ever.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, false", "HARDENED, true"})
    void listWithoutThoseWhoAreTrustedBlocksFaithfulOnly(Variant variant, boolean ends) {
        ElectionCluster cluster = cluster(2, variant);
        startAll(cluster, OptionalInt.of(1));
        cluster.election(0)
                .restore(withListOfOthers((ThreePhaseState) cluster.election(0).snapshot()));
        cluster.crash(1);
        cluster.runUntil(10_000);
        assertThat(cluster.leaders().contains(0)).isEqualTo(ends);
    }

    /** As after an election in which 0 was not trusted, and whose list came with a heartbeat. */
    private static ThreePhaseState withListOfOthers(ThreePhaseState state) {
        return new ThreePhaseState(
                state.monitoring(),
                new Priorities.Held(Priorities.NONE.with(1, 1), state.held().version()),
                state.round(),
                state.collecting(),
                state.pending(),
                state.hardening());
    }

    // Weakness 2 of F: one lost LEADER starts a new election for all.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, 40, 2", "HARDENED, 50, 1"})
    void lostLeaderDragsEverybodyIntoANewRoundInFaithfulOnly(Variant variant, long decision, long elections) {
        ElectionCluster cluster = cluster(3, variant);
        cluster.loss((from, to) -> cluster.now() == decision && from == 0 && to == 1);
        AtomicLong nominations = nominations(cluster, 0);
        startAll(cluster, OptionalInt.empty());
        cluster.runUntil(1000);
        assertThat(nominations.get()).isEqualTo(elections);
        assertThat(cluster.leaders()).containsExactly(2);
        assertThat(cluster.election(1).leader()).hasValue(2);
    }

    // Weakness 3 of F: an old list with a large timestamp wins over the list of the last election.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, 0", "HARDENED, 1"})
    void listOfWhoeverMissedAnElectionWinsInFaithfulOnly(Variant variant, int leader) {
        ElectionCluster cluster = cluster(3, variant);
        startAll(cluster, OptionalInt.of(2));
        ThreePhaseState missed = (ThreePhaseState) cluster.election(1).snapshot();
        cluster.election(1)
                .restore(new ThreePhaseState(
                        missed.monitoring(),
                        new Priorities.Held(
                                Priorities.of(List.of(99L, 1L, 1L)),
                                new Priorities.Version(variant == Variant.FAITHFUL ? 0 : -1, 7)),
                        missed.round(),
                        missed.collecting(),
                        missed.pending(),
                        missed.hardening()));
        ThreePhaseState judge = (ThreePhaseState) cluster.election(0).snapshot();
        if (variant == Variant.HARDENED) {
            // 0 has the list of an election that 1 missed.
            cluster.election(0)
                    .restore(new ThreePhaseState(
                            new ThreePhaseState.Monitoring(
                                    judge.monitoring().phase(),
                                    2,
                                    judge.monitoring().detector(),
                                    0),
                            new Priorities.Held(judge.held().list(), new Priorities.Version(2, 0)),
                            Round.before(2),
                            judge.collecting(),
                            judge.pending(),
                            new ThreePhaseState.Hardening(
                                    new Decision(2, 2),
                                    judge.hardening().heartbeatAcks(),
                                    0,
                                    false,
                                    Patience.BASE,
                                    0)));
        }
        cluster.crash(2);
        cluster.runUntil(1000);
        assertThat(cluster.leaders()).containsExactly(leader);
    }

    // Weakness 4 of F: nobody deposes a leader after a partition has healed.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, 2", "HARDENED, 1"})
    void healedPartitionKeepsTwoLeadersInFaithfulOnly(Variant variant, int leaders) {
        ElectionCluster cluster = cluster(4, variant);
        startAll(cluster, OptionalInt.of(3));
        cluster.runUntil(100);
        cluster.cut((one, other) -> (one == 3) != (other == 3));
        cluster.runUntil(600);
        assertThat(cluster.leaders()).containsExactly(2, 3);
        cluster.cut((one, other) -> false);
        cluster.runUntil(3000);
        assertThat(cluster.leaders()).hasSize(leaders);
    }

    // "Not pre-emptive": a better process that comes back waits for the next election.
    @Test
    void betterProcessTakesOverAtTheNextElectionOnly() {
        ElectionCluster cluster = cluster(4, Variant.HARDENED);
        startAll(cluster, OptionalInt.empty());
        cluster.runUntil(200);
        assertThat(cluster.leaders()).containsExactly(3);
        cluster.crash(3);
        cluster.runUntil(500);
        cluster.start(3);
        cluster.runUntil(1000);
        assertThat(cluster.leaders()).containsExactly(2);
        cluster.crash(2);
        cluster.runUntil(1500);
        assertThat(cluster.leaders()).containsExactly(3);
    }
}
