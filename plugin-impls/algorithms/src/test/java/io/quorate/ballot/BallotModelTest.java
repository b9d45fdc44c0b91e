package io.quorate.ballot;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.algorithms.Shapes;
import io.quorate.ballot.BallotRules.QuorumRule;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.testkit.model.Indications;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.ModelChecker.Result;
import io.quorate.testkit.model.ModelChecker.World;
import io.quorate.testkit.model.NormalForm;
import io.quorate.testkit.model.Properties;
import io.quorate.testkit.simulation.HighestUp;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Every behaviour of the shipped ballot election, within bounds: processes whose rounds are as long as they like, and
 * as different. The properties have the names of the course that the algorithm comes from.
 */
class BallotModelTest {

    private static final Options PERSISTENT = new Options(Variant.HARDENED, false, true);

    private static ModelChecker check(ElectionAlgorithm algorithm, Options options, int size, BallotNormalForm form) {
        return ModelChecker.of(algorithm, options, size)
                .withoutDetector()
                .normalForm(form)
                .statesMax(800_000)
                .remembers(Indications.OF_EACH_LIFE)
                .always("TypeOK", Properties::typeOk)
                .always("rounds are told apart", form::areRoundsToldApart)
                .always("BLE3", Indications::areMonotonic);
    }

    private static ModelChecker faithful(int size) {
        return check(new BallotAlgorithm(), Options.FAITHFUL, size, new BallotNormalForm(2));
    }

    private static ModelChecker hardened(int size) {
        return hardened(size, new BallotNormalForm(2));
    }

    private static ModelChecker hardened(int size, BallotNormalForm form) {
        return elects(check(new BallotAlgorithm(), Options.HARDENED, size, form));
    }

    /** BLE1 and BLE2, as long as a majority is alive. */
    private static ModelChecker elects(ModelChecker check) {
        return check.reachable("all have elected", Properties::agreed)
                .alwaysPossibleForGood("BLE1", w -> !Properties.isMajorityAlive(w) || Properties.ble1(w))
                .alwaysPossibleForGood("BLE2", w -> !Properties.isMajorityAlive(w) || Properties.ble2(w));
    }

    private static ElectionAlgorithm withRules(QuorumRule quorum, boolean announceEveryRound) {
        return new HighestUp() {
            @Override
            public Election create(Membership membership, Timing timing, Options options) {
                return BallotElection.create(membership, timing, options, new BallotRules(quorum, announceEveryRound));
            }
        };
    }

    private static boolean areTermsAtMost(World world, long max) {
        for (int process = 0; process < world.size(); process++) {
            if (world.isAlive(process)
                    && ((BallotState) world.state(process)).ballot().term() > max) {
                return false;
            }
        }
        return true;
    }

    private static void assertExhausted(ModelChecker check, int states) {
        Result result = check.verify(states);
        assertThat(result.states()).isEqualTo(states);
        assertThat(result.cutOff()).isZero();
        assertThat(result.handled()).contains("Request", "Reply", "timer T");
    }

    // ---------------------------------------------------------------- H

    @Test
    void hardenedElectsForGood() {
        assertExhausted(hardened(2), 107);
        assertExhausted(hardened(3).whenQuiet("OneLeader", Properties::oneLeader), 5_870);
        assertExhausted(hardened(4), 487_176);
    }

    @Test
    void hardenedElectsAgainAfterFaults() {
        assertExhausted(hardened(3).crashes(1), 15_354);
        assertExhausted(hardened(3).losses(1), 113_359);
        assertExhausted(hardened(3).crashes(1).restarts(1), 600_002);
        assertExhausted(hardened(2, new BallotNormalForm(4)).earlyTimeouts(2), 23_744);
    }

    // H4: whatever the lengths of the rounds, a ballot is only raised above one whose owner is silent.
    @Test
    void hardenedStopsToRaiseItsBallots() {
        hardened(3)
                .crashes(1)
                .reachable("a ballot was raised above one that was", w -> !areTermsAtMost(w, 1))
                .always("and none above that", w -> areTermsAtMost(w, 2))
                .verify(10_000);
    }

    // H6 and H9: what a process has seen outlives it, so no life indicates less than the one before.
    @Test
    void indicationsIncreaseAcrossLivesIfTheyAreSaved() {
        BallotNormalForm form = new BallotNormalForm(2);
        ModelChecker persistent = check(new BallotAlgorithm(), PERSISTENT, 2, form)
                .losses(1)
                .crashes(2)
                .restarts(2);
        assertExhausted(elects(persistent).remembers(Indications.ACROSS_LIVES), 201_584);
        hardened(2)
                .losses(1)
                .crashes(2)
                .restarts(2)
                .remembers(Indications.ACROSS_LIVES)
                .mustBreak("BLE3");
    }

    // ---------------------------------------------------------------- F

    @Test
    void faithfulElectsForGoodIfNothingFails() {
        assertExhausted(elects(faithful(3)), 1_228);
        assertExhausted(elects(faithful(4)).whenQuiet("OneLeader", Properties::oneLeader), 20_404);
    }

    @Test
    void faithfulIndicationsIncreaseInOneLife() {
        assertThat(faithful(3)
                        .crashes(1)
                        .losses(1)
                        .within(w -> areTermsAtMost(w, 1))
                        .verify(100_000)
                        .cutOff())
                .isPositive();
    }

    // Quirk 8: two that are left, of which each in turn knows the ballot of the other and not yet its reply.
    @Test
    void faithfulMayRaiseItsBallotsForEver() {
        faithful(3)
                .crashes(1)
                .always("no ballot is raised ten times", w -> areTermsAtMost(w, 9))
                .mustBreak("no ballot is raised ten times");
    }

    // Quirk 10.
    @Test
    void faithfulBreaksBle3AcrossLives() {
        faithful(2).crashes(1).restarts(1).remembers(Indications.ACROSS_LIVES).mustBreak("BLE3");
    }

    // Quirk 2: half of the processes are no majority.
    @Test
    void literalQuorumElectsByHalfOfAnEvenNumber() {
        faithful(2).whenQuiet("OneLeader", Properties::oneLeader).mustBreak("OneLeader");
        byMajority(faithful(4).spreadStarts()).mustBreak("a leader has a majority");
        byMajority(check(withRules(QuorumRule.MAJORITY, false), Options.FAITHFUL, 2, new BallotNormalForm(2))
                        .spreadStarts()
                        .within(w -> areTermsAtMost(w, 3)))
                .verify(100);
        byMajority(faithful(3).spreadStarts().within(w -> areTermsAtMost(w, 0))).verify(10_000);
    }

    private static ModelChecker byMajority(ModelChecker check) {
        return check.always("a leader has a majority", world -> {
            int started = 0;
            boolean hasLeader = false;
            for (int process = 0; process < world.size(); process++) {
                started += world.incarnation(process);
                hasLeader |= world.isAlive(process) && world.leader(process).isPresent();
            }
            return !hasLeader || 2 * started > world.size();
        });
    }

    // Quirk 1: line 19 as it is printed.
    @Test
    void announcingInEveryRoundBreaksBle3() {
        check(withRules(QuorumRule.LITERAL, true), Options.FAITHFUL, 3, new BallotNormalForm(2))
                .mustBreak("BLE3");
    }

    // ---------------------------------------------------------------- the normal form

    private static ModelChecker plain(Options options) {
        int size = options.variant() == Variant.HARDENED ? 2 : 3;
        return ModelChecker.of(new BallotAlgorithm(), options, size).withoutDetector();
    }

    @Test
    void normalFormHidesNothing() {
        BallotNormalForm form = new BallotNormalForm(2);
        NormalForm forgetful = (state, elapsed) -> form.of(withoutReplies((BallotState) state), elapsed);
        for (Options options : List.of(Options.HARDENED, Options.FAITHFUL)) {
            Set<String> all = Shapes.of(plain(options).within(w -> isRoundAtMost(w, 6)), form);
            assertThat(Shapes.of(plain(options).normalForm(form), form))
                    .isEqualTo(all)
                    .hasSizeGreaterThan(100);
            assertThat(Shapes.of(
                            plain(options).normalForm(forgetful).statesMax(1000).stopAtStatesMax(), form))
                    .isNotEqualTo(all);
        }
    }

    private static BallotState withoutReplies(BallotState state) {
        return new BallotState(
                state.round(),
                List.of(),
                state.ballot(),
                state.leader(),
                state.bmax(),
                state.delay(),
                state.hardening());
    }

    private static boolean isRoundAtMost(World world, long max) {
        for (int process = 0; process < world.size(); process++) {
            if (((BallotState) world.state(process)).round() > max) {
                return false;
            }
        }
        return true;
    }

    // A timer that fires early leaves messages of its round on their way, so that one round more must be told apart.
    @Test
    void roundsThatAreNotToldApartAreNoticed() {
        hardened(3).earlyTimeouts(1).mustBreak("rounds are told apart");
    }
}
