package io.quorate.lcr;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.algorithms.Shapes;
import io.quorate.spi.Options;
import io.quorate.spi.Variant;
import io.quorate.testkit.model.Indications;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.ModelChecker.Links;
import io.quorate.testkit.model.ModelChecker.Result;
import io.quorate.testkit.model.Properties;
import org.junit.jupiter.api.Test;

/** Every behaviour of the shipped LCR ring, within bounds, under the property names of source 001. */
class LcrModelTest {

    private static final Options PERSISTENT = new Options(Variant.HARDENED, false, true);
    private static final Options GUARDED = new Options(Variant.HARDENED, true, true);

    private static ModelChecker faithful(int size) {
        return ModelChecker.of(new LcrAlgorithm(), Options.FAITHFUL, size).always("TypeOK", Properties::typeOk);
    }

    // The world of source 003: nobody fails, everybody starts, one election.
    @Test
    void withoutFaultsTheHighestIsElected() {
        for (int size = 1; size <= 5; size++) {
            faithful(size)
                    .always("OneLeader", Properties::oneLeader)
                    .whenQuiet("ElectionTerminationImpliesSameLeader", Properties::electionTerminationImpliesSameLeader)
                    .whenQuiet("HighestAliveProcessIsLeader", Properties::highestAliveProcessIsLeader)
                    .alwaysPossible("ElectionWillEnd", Properties::electionHasEnded)
                    .alwaysPossible("settled", Properties::settled)
                    .verify(size);
        }
    }

    // Quirk 4: the winner takes part until its SELECTED has come home.
    @Test
    void faithfulWinnerParticipatesWhileItLeads() {
        faithful(3).always("Participating", Properties::participating).mustBreak("Participating");
    }

    // Quirk 10: what a crashing process holds is lost, and nobody asks again.
    @Test
    void faithfulLosesItsTokenInACrash() {
        faithful(3)
                .crashes(1)
                .whenQuiet("ElectionWillEnd", Properties::electionHasEnded)
                .mustBreak("ElectionWillEnd");
        faithful(3)
                .losses(1)
                .whenQuiet("ElectionWillEnd", Properties::electionHasEnded)
                .mustBreak("ElectionWillEnd");
    }

    // ---------------------------------------------------------------- H

    /** In the end all follow the highest, and no process indicates an older victory than before in the same life. */
    private static ModelChecker hardened(Options options, int size) {
        LcrNormalForm form = new LcrNormalForm(6);
        return ModelChecker.of(new LcrAlgorithm(), options, size)
                .normalForm(form)
                .statesMax(400_000)
                .always("TypeOK", Properties::typeOk)
                .always("Participating", Properties::participating)
                .always("attempts are told apart", form::areAttemptsToldApart)
                .remembers(Indications.OF_EACH_LIFE)
                .always("marks increase", Indications::areMonotonic)
                .alwaysPossibleForGood("HighestAliveProcessIsLeader", Properties::highestAliveProcessIsLeader)
                .alwaysPossibleForGood("ElectionWillEnd", Properties::electionHasEnded);
    }

    private static ModelChecker hardened(int size) {
        return hardened(Options.HARDENED, size);
    }

    private static void assertExhausted(ModelChecker check, int states) {
        Result result = check.verify(states);
        assertThat(result.states()).isEqualTo(states);
        assertThat(result.cutOff()).isZero();
        assertThat(result.handled()).contains("Probe", "Selected", "timer HB");
    }

    @Test
    void hardenedSettlesWithThreeProcesses() {
        assertExhausted(hardened(3).spreadStarts(), 3_043);
        assertExhausted(hardened(3).crashes(1).restarts(1), 13_115);
        assertExhausted(hardened(3).losses(3), 3_806);
        assertExhausted(hardened(3).earlyTimeouts(3), 2_257);
        assertExhausted(hardened(3).initialLeader(2).falseSuspicions(2), 10_730);
        assertExhausted(hardened(3).crashes(1).losses(2), 36_915);
        assertExhausted(hardened(3).initialLeader(2).crashes(1).duplicates(1).links(Links.UNORDERED), 992);
    }

    @Test
    void hardenedSettlesWithFourProcesses() {
        assertExhausted(hardened(4).crashes(2), 215_149);
        assertExhausted(hardened(4).crashes(1).restarts(1), 223_576);
        assertExhausted(hardened(4).losses(2), 15_622);
        assertExhausted(hardened(4).falseSuspicions(1).earlyTimeouts(1), 74_939);
        assertExhausted(hardened(4).spreadStarts(), 27_709);
    }

    @Test
    void hardenedSettlesWithTheQuorumGuardToo() {
        assertExhausted(hardened(GUARDED, 3).crashes(1).restarts(1), 13_242);
        assertExhausted(hardened(GUARDED, 3).falseSuspicions(1), 1_622);
    }

    // K7.
    @Test
    void tokensIncreaseAcrossLivesIfTheyAreSaved() {
        assertExhausted(
                hardened(PERSISTENT, 3).initialLeader(2).crashes(1).restarts(1).remembers(Indications.ACROSS_LIVES),
                2_882);
        hardened(3).crashes(2).restarts(1).remembers(Indications.ACROSS_LIVES).mustBreak("marks increase");
        hardened(PERSISTENT, 2)
                .crashes(2)
                .restarts(2)
                .remembers(Indications.ACROSS_LIVES)
                .verify(1_000);
        hardened(2).crashes(2).restarts(2).remembers(Indications.ACROSS_LIVES).mustBreak("marks increase");
    }

    // ---------------------------------------------------------------- the normal form

    @Test
    void normalFormHidesNothing() {
        LcrNormalForm form = new LcrNormalForm(4);
        ModelChecker full = ModelChecker.of(new LcrAlgorithm(), Options.HARDENED, 3)
                .crashes(1)
                .within(world -> {
                    for (int process = 0; process < world.size(); process++) {
                        if (world.isAlive(process)
                                && ((HardenedLcrState) world.state(process))
                                                .attempt()
                                                .number()
                                        > 10) {
                            return false;
                        }
                    }
                    return true;
                });
        assertThat(Shapes.of(
                        ModelChecker.of(new LcrAlgorithm(), Options.HARDENED, 3)
                                .crashes(1)
                                .normalForm(form),
                        form))
                .isEqualTo(Shapes.of(full, form))
                .hasSizeGreaterThan(500);
        LcrNormalForm blurring = new LcrNormalForm(1);
        assertThat(Shapes.of(
                        ModelChecker.of(new LcrAlgorithm(), Options.HARDENED, 3)
                                .crashes(1)
                                .normalForm(blurring),
                        blurring))
                .isNotEqualTo(Shapes.of(full, blurring));
    }

    // P1 tries again when it notices a crash, while its PROBE of the attempt before is on its way.
    @Test
    void attemptsThatAreNotToldApartAreNoticed() {
        LcrNormalForm form = new LcrNormalForm(2);
        ModelChecker.of(new LcrAlgorithm(), Options.HARDENED, 3)
                .initialLeader(2)
                .crashes(2)
                .normalForm(form)
                .always("attempts are told apart", form::areAttemptsToldApart)
                .mustBreak("attempts are told apart");
    }
}
