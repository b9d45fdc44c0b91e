package io.quorate.ballot;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ballot.BallotRules.QuorumRule;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.testkit.simulation.ElectionCluster;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/algorithms/ballot.md#quirks in clusters: what goes wrong in F and what H makes of it; and the messages. */
class BallotQuirksTest {

    private static final Timing TIMING = new Timing(10);

    private static ElectionCluster cluster(int size, Variant variant) {
        return cluster(size, process -> new BallotAlgorithm()
                .create(Membership.of(process, size), TIMING, new Options(variant, false, false)));
    }

    private static ElectionCluster cluster(int size, IntFunction<Election> factory) {
        return new ElectionCluster(new BallotAlgorithm(), size, size, factory);
    }

    private static void startAll(ElectionCluster cluster) {
        for (int process = 0; process < cluster.contenders(); process++) {
            cluster.start(process);
        }
    }

    private static boolean isSecondHalf(int process) {
        return process >= 2;
    }

    /** How many times a leader was indicated from now on. */
    private static AtomicLong indications(ElectionCluster cluster) {
        AtomicLong count = new AtomicLong();
        cluster.observe((process, event, effects) -> count.addAndGet(effects.stream()
                .filter(effect -> effect instanceof Effect.Nominate)
                .count()));
        return count;
    }

    // Quirk 2: N=4 cut into halves. H has one reading, H1.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, LITERAL, 2", "FAITHFUL, MAJORITY, 0", "HARDENED, MAJORITY, 0"})
    void halvesOfFourProcessesElectALeaderEachByTheLiteralRule(Variant variant, QuorumRule rule, int leaders) {
        ElectionCluster cluster = cluster(
                4,
                process -> BallotElection.create(
                        Membership.of(process, 4),
                        TIMING,
                        new Options(variant, false, false),
                        new BallotRules(rule, false)));
        cluster.cut((one, other) -> isSecondHalf(one) != isSecondHalf(other));
        startAll(cluster);
        cluster.runUntil(3000);
        assertThat(cluster.leaders()).hasSize(leaders);
    }

    // Quirk 2 once there is a leader: F gets a second one, H has none until the partition heals.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, 2", "HARDENED, 0"})
    void leaderWhoseHalfIsCutOffStaysInFaithfulOnly(Variant variant, int leaders) {
        ElectionCluster cluster = cluster(4, variant);
        startAll(cluster);
        cluster.runUntil(200);
        assertThat(cluster.leaders()).containsExactly(3);
        cluster.cut((one, other) -> isSecondHalf(one) != isSecondHalf(other));
        cluster.runUntil(2000);
        assertThat(cluster.leaders()).hasSize(leaders);
        cluster.cut((one, other) -> false);
        cluster.runUntil(4000);
        assertThat(cluster.leaders()).hasSize(1);
    }

    // Quirk 4.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, true", "HARDENED, false"})
    void leaderInAMinorityStaysInFaithfulOnly(Variant variant, boolean stays) {
        ElectionCluster cluster = cluster(3, variant);
        startAll(cluster);
        cluster.runUntil(100);
        cluster.cut((one, other) -> one == 2 || other == 2);
        cluster.runUntil(1000);
        assertThat(cluster.leaders().contains(2)).isEqualTo(stays);
        assertThat(cluster.election(0).leader()).hasValue(1);
    }

    // Quirk 8: two slow processes, half a period apart, raise above each other for ever. H4 cures it.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, true", "HARDENED, false"})
    void unequalRoundsNeverSettleInFaithful(Variant variant, boolean goesOn) {
        ElectionCluster cluster = cluster(5, process -> new BallotAlgorithm()
                .create(
                        Membership.of(process, 5),
                        new Timing(process < 3 ? 10 : 50),
                        new Options(variant, false, false)));
        for (int process = 0; process < 5; process++) {
            int started = process;
            cluster.at(process == 4 ? 75 : 0, () -> cluster.start(started));
        }
        cluster.runUntil(3010);
        raise(cluster.election(3));
        cluster.runUntil(20_000);
        AtomicLong late = indications(cluster);
        cluster.runUntil(50_000);
        assertThat(late.get() > 100).isEqualTo(goesOn);
        assertThat(late.get() == 0).isEqualTo(!goesOn);
    }

    /** Raises the own ballot of a process above all it knows, as a late reply would. */
    private static void raise(Election election) {
        BallotState now = (BallotState) election.snapshot();
        Mark raised = new Mark(
                now.bmax().term() + 1, now.ballot().process(), now.ballot().incarnation());
        election.restore(new BallotState(
                now.round(), now.ballots(), raised, now.leader(), now.bmax(), now.delay(), now.hardening()));
    }

    // Quirk 9: only the link between the leader and one other is cut. H7 cures it.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, true", "HARDENED, false"})
    void oneCutLinkChangesTheLeaderForEverInFaithful(Variant variant, boolean goesOn) {
        ElectionCluster cluster = cluster(3, variant);
        startAll(cluster);
        cluster.runUntil(100);
        cluster.cut((one, other) -> one != 1 && other != 1);
        cluster.runUntil(2000);
        AtomicLong late = indications(cluster);
        cluster.runUntil(5000);
        assertThat(late.get() > 50).isEqualTo(goesOn);
        assertThat(late.get() == 0).isEqualTo(!goesOn);
        assertThat(cluster.election(1).leader()).isPresent();
    }

    // Quirk 10 and H6: a new life never announces a ballot of the former one, and does not take the lead back.
    @Test
    void leaderThatRestartsIsReplaced() {
        ElectionCluster cluster = cluster(3, Variant.HARDENED);
        startAll(cluster);
        cluster.runUntil(100);
        assertThat(cluster.leaders()).containsExactly(2);
        cluster.crash(2);
        cluster.runUntil(400);
        cluster.start(2);
        cluster.runUntil(1000);
        assertThat(cluster.leaders()).containsExactly(1);
        assertThat(cluster.election(2).leader()).hasValue(1);
    }

    // Quirk 10: BLE3 does not hold across lives; without P the lower ballot comes out.
    @Test
    void groupThatRestartsAnnouncesItsFirstBallotAgain() {
        ElectionCluster cluster = cluster(3, Variant.FAITHFUL);
        startAll(cluster);
        cluster.runUntil(100);
        List.of(0, 1, 2).forEach(cluster::crash);
        startAll(cluster);
        cluster.runUntil(200);
        assertThat(((BallotState) cluster.election(0).snapshot()).leader()).isEqualTo(new Mark(0, 2, 0));
    }

    // ADR-0025: two contenders and one witness keep a leader when one contender dies.
    @Test
    void witnessKeepsTheQuorumOfTheSurvivor() {
        ElectionCluster cluster = new ElectionCluster(new BallotAlgorithm(), 2, 3, process -> new BallotAlgorithm()
                .create(new Membership(process, 2, 1, List.of(0, 1), Set.of(0, 1, 2)), TIMING, Options.HARDENED));
        startAll(cluster);
        cluster.runUntil(100);
        assertThat(cluster.leaders()).containsExactly(1);
        cluster.crash(1);
        cluster.runUntil(400);
        assertThat(cluster.leaders()).containsExactly(0);
    }

    // docs/algorithms/ballot.md#timers:
    // 4 rounds are usual after the crash of a leader, here and for every phase of the crash.
    @ParameterizedTest
    @EnumSource(Variant.class)
    void usualFailoverIsNotExceeded(Variant variant) {
        long usual = new BallotAlgorithm().usualFailover(TIMING, 3);
        assertThat(usual).isEqualTo(120);
        for (long crash = 100; crash < 130; crash++) {
            ElectionCluster cluster = cluster(3, variant);
            startAll(cluster);
            cluster.runUntil(crash);
            cluster.crash(2);
            cluster.runUntil(crash + usual);
            assertThat(cluster.leaders()).as("after a crash at %d", crash).containsExactly(1);
        }
    }

    // docs/algorithms/ballot.md#message-counts: 2N(N-1) per period.
    @ParameterizedTest
    @CsvSource({
        "3, FAITHFUL, 12",
        "5, FAITHFUL, 40",
        "9, FAITHFUL, 144",
        "3, HARDENED, 12",
        "5, HARDENED, 40",
        "9, HARDENED, 144"
    })
    void periodCostsARequestAndAReplyPerLink(int size, Variant variant, int messages) {
        ElectionCluster cluster = cluster(size, variant);
        startAll(cluster);
        cluster.runUntil(299);
        long before = cluster.sent();
        cluster.runUntil(329);
        assertThat(cluster.sent() - before).isEqualTo(messages);
    }

    // (N-1)(2N-3): a dead process is asked, and neither asks nor answers.
    @ParameterizedTest
    @CsvSource({
        "3, FAITHFUL, 6",
        "5, FAITHFUL, 28",
        "9, FAITHFUL, 120",
        "3, HARDENED, 6",
        "5, HARDENED, 28",
        "9, HARDENED, 120"
    })
    void deadProcessIsAskedAndSendsNothing(int size, Variant variant, int messages) {
        ElectionCluster cluster = cluster(size, variant);
        startAll(cluster);
        cluster.runUntil(299);
        cluster.crash(size - 1);
        cluster.runUntil(599);
        long before = cluster.sent();
        cluster.runUntil(629);
        assertThat(cluster.sent() - before).isEqualTo(messages);
    }

    // Cold start: the first indication comes with the second timer, whose requests are the number in parentheses.
    @ParameterizedTest
    @CsvSource({
        "3, FAITHFUL, 12, 18",
        "5, FAITHFUL, 40, 60",
        "9, FAITHFUL, 144, 216",
        "3, HARDENED, 12, 18",
        "5, HARDENED, 40, 60",
        "9, HARDENED, 144, 216"
    })
    void coldStartCostsOnePeriod(int size, Variant variant, int before, int with) {
        ElectionCluster cluster = cluster(size, variant);
        startAll(cluster);
        cluster.runUntil(59);
        assertThat(cluster.sent()).isEqualTo(before);
        assertThat(cluster.leaders()).isEmpty();
        cluster.runUntil(60);
        assertThat(cluster.sent()).isEqualTo(with);
        assertThat(cluster.leaders()).containsExactly(size - 1);
    }
}
