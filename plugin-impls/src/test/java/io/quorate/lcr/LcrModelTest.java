package io.quorate.lcr;

import io.quorate.algorithms.Properties;
import io.quorate.spi.Options;
import io.quorate.testkit.ModelChecker;
import org.junit.jupiter.api.Test;

/**
 * Every behaviour of the shipped LCR ring as its documents have it, within bounds, under the property names of source
 * 001. (The hardened variant counts its attempts, so its states have no bound; random runs check it.)
 */
class LcrModelTest {

    private static ModelChecker faithful(int size) {
        return ModelChecker.of(new LcrAlgorithm(), Options.FAITHFUL, size).always("TypeOK", Properties::typeOk);
    }

    // The world of source 003: nobody fails, everybody starts, one election.
    @Test
    void withoutFaultsTheHighestIsElected() {
        for (int size = 1; size <= 5; size++) {
            faithful(size).always("OneLeader", Properties::oneLeader)
                    .whenQuiet("ElectionTerminationImpliesSameLeader", Properties::electionTerminationImpliesSameLeader)
                    .whenQuiet("HighestAliveProcessIsLeader", Properties::highestAliveProcessIsLeader)
                    .alwaysPossible("ElectionWillEnd", Properties::electionHasEnded)
                    .alwaysPossible("settled", Properties::settled).verify(size);
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
        faithful(3).crashes(1).whenQuiet("ElectionWillEnd", Properties::electionHasEnded).mustBreak("ElectionWillEnd");
        faithful(3).losses(1).whenQuiet("ElectionWillEnd", Properties::electionHasEnded).mustBreak("ElectionWillEnd");
    }
}
