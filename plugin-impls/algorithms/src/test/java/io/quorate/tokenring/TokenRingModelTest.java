package io.quorate.tokenring;

import io.quorate.spi.Options;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.Properties;
import org.junit.jupiter.api.Test;

/** Every behaviour of the shipped token ring, within bounds, under the property names of source 001. */
class TokenRingModelTest {

    private static ModelChecker faithful(int size) {
        return ModelChecker.of(new TokenRingAlgorithm(), Options.FAITHFUL, size).always("TypeOK", Properties::typeOk);
    }

    private static ModelChecker hardened(int size) {
        return ModelChecker.of(new TokenRingAlgorithm(), Options.HARDENED, size).always("TypeOK", Properties::typeOk);
    }

    @Test
    void withoutFaultsTheHighestIsElected() {
        for (int size = 1; size <= 4; size++) {
            faithful(size)
                    .always("OneLeader", Properties::oneLeader)
                    .whenQuiet("ElectionTerminationImpliesSameLeader", Properties::electionTerminationImpliesSameLeader)
                    .alwaysPossible("settled", Properties::settled)
                    .verify(size);
        }
    }

    // Weakness (c) does not reach so far. Each process that notices sends a list, so the death of the leader alone is
    // survived.
    @Test
    void faithfulSurvivesTheDeathOfItsLeader() {
        faithful(4)
                .initialLeader(3)
                .crashes(1)
                .always("OneLeader", Properties::oneLeader)
                .alwaysPossible("settled", Properties::settled)
                .verify(500);
    }

    // Weaknesses (a) and (c): a dead member is elected, or the token is lost, and nobody reacts.
    @Test
    void faithfulDoesNotSurviveACrash() {
        faithful(3)
                .crashes(1)
                .whenQuiet("HighestAliveProcessIsLeader", Properties::highestAliveProcessIsLeader)
                .mustBreak("HighestAliveProcessIsLeader");
        faithful(3)
                .crashes(1)
                .whenQuiet("ElectionWillEnd", Properties::electionHasEnded)
                .mustBreak("ElectionWillEnd");
    }

    @Test
    void hardenedSettlesAfterCrashesAndLosses() {
        hardened(3).crashes(2).alwaysPossible("settled", Properties::settled).verify(10_000);
        hardened(3).losses(1).alwaysPossible("settled", Properties::settled).verify(100);
    }

    // Deviation 1: without it terms rise for ever while a process is wrongly suspected, and so do the states.
    @Test
    void electionsComeToAnEndWhileProcessesAreWronglySuspected() {
        hardened(3).initialLeader(2).falseSuspicions(2).statesMax(50_000).verify(10_000);
    }
}
