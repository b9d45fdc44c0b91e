package io.quorate.bully;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.Options;
import io.quorate.spi.Variant;
import io.quorate.testkit.model.Indications;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.ModelChecker.Links;
import io.quorate.testkit.model.ModelChecker.Result;
import io.quorate.testkit.model.Properties;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Every behaviour of the shipped bully, within bounds. The properties have their names from source 001. */
class BullyModelTest {

    private static ModelChecker faithful(int size) {
        return ModelChecker.of(new BullyAlgorithm(), Options.FAITHFUL, size)
                .initialLeader(size - 1)
                .always("TypeOK", Properties::typeOk);
    }

    private static ModelChecker hardened(int size) {
        return ModelChecker.of(new BullyAlgorithm(), Options.HARDENED, size)
                .initialLeader(size - 1)
                .always("TypeOK", Properties::typeOk);
    }

    // Source 001's own world: processes fail and do not come back, and everybody knows who has failed.
    @Test
    void failStopNeverHasTwoLeaders() {
        int[] statesMin = {0, 0, 0, 40, 400, 10_000};
        for (int size = 3; size <= 5; size++) {
            Result result = faithful(size)
                    .crashes(size - 1)
                    .always("OneLeader", Properties::oneLeader)
                    .reachable(
                            "a lower process leads",
                            w -> w.isAlive(0) && w.leader(0).equals(OptionalInt.of(w.size() - 2)))
                    .verify(statesMin[size]);
            assertThat(result.handled()).contains("Election", "Alive", "Victory", "Suspected", "timer T", "timer T2");
        }
    }

    @Test
    void oneCrashIsSurvivedAsSource001Claims() {
        for (int size = 3; size <= 5; size++) {
            faithful(size)
                    .crashes(1)
                    .whenQuiet("ElectionTerminationImpliesSameLeader", Properties::electionTerminationImpliesSameLeader)
                    .whenQuiet("HighestAliveProcessIsLeader", Properties::highestAliveProcessIsLeader)
                    .whenQuiet("EventuallyElection", Properties::eventuallyElection)
                    .alwaysPossible("ElectionWillEnd", Properties::electionHasEnded)
                    .verify(10);
        }
    }

    // Quirk 1: a sitting leader that gets an ELECTION holds an election although it leads.
    @Test
    void faithfulLeaderMayParticipate() {
        faithful(3)
                .crashes(1)
                .earlyTimeouts(1)
                .always("Participating", Properties::participating)
                .mustBreak("Participating");
    }

    // Quirk 3: a VICTORY that comes after its sender's death was noticed installs a dead leader for ever.
    @Test
    void faithfulMayFollowADeadLeaderForEver() {
        faithful(3).crashes(2).alwaysPossible("settled", Properties::settled).mustBreak("settled");
    }

    // A restarted process holds no election that the others know of, and two lead.
    @Test
    void restartBreaksOneLeader() {
        faithful(3)
                .crashes(1)
                .restarts(1)
                .always("OneLeader", Properties::oneLeader)
                .mustBreak("OneLeader");
    }

    // Asynchrony alone, with no fault at all.
    @Test
    void earlyTimeoutsBreakOneLeader() {
        assertThat(faithful(3)
                        .crashes(1)
                        .earlyTimeouts(2)
                        .always("OneLeader", Properties::oneLeader)
                        .mustBreak("OneLeader")
                        .trace())
                .hasSizeLessThan(12);
        faithful(3)
                .falseSuspicions(1)
                .earlyTimeouts(1)
                .always("OneLeader", Properties::oneLeader)
                .mustBreak("OneLeader");
    }

    @Test
    void lostVictoryIsNeverRepaired() {
        faithful(3)
                .crashes(1)
                .losses(1)
                .alwaysPossible("settled", Properties::settled)
                .mustBreak("settled");
    }

    // D1. Without it, two that cannot hear each other outbid one another through a third, for ever.
    @Test
    void hardenedExchangesEndAlthoughOneLinkIsSlow() {
        hardened(3)
                .crashes(2)
                .restarts(1)
                .statesMax(20_000)
                .always("few messages are on their way", w -> w.messages() <= 12)
                .verify(1000);
    }

    // K1 to K5: whatever happens, the highest live process leads in the end.
    @Test
    void hardenedAlwaysSettles() {
        hardened(3)
                .crashes(2)
                .restarts(1)
                .always("Participating", Properties::participating)
                .alwaysPossible("settled", Properties::settled)
                .verify(100);
        hardened(3)
                .crashes(1)
                .losses(2)
                .alwaysPossible("settled", Properties::settled)
                .verify(100);
        hardened(3)
                .crashes(1)
                .falseSuspicions(1)
                .alwaysPossible("settled", Properties::settled)
                .verify(100);
        hardened(3)
                .crashes(1)
                .earlyTimeouts(2)
                .alwaysPossible("settled", Properties::settled)
                .verify(100);
        hardened(3)
                .crashes(1)
                .duplicates(1)
                .links(Links.UNORDERED)
                .alwaysPossible("settled", Properties::settled)
                .verify(100);
        hardened(4)
                .crashes(2)
                .always("Participating", Properties::participating)
                .alwaysPossible("settled", Properties::settled)
                .verify(1000);
    }

    // K2 and K7: the mark may be used for fencing.
    @Test
    void hardenedTokensIncrease() {
        Options persistent = new Options(Variant.HARDENED, false, true);
        ModelChecker.of(new BullyAlgorithm(), persistent, 3)
                .initialLeader(2)
                .crashes(1)
                .restarts(1)
                .remembers(Indications.ACROSS_LIVES)
                .always("marks increase", Indications::areMonotonic)
                .verify(900);
        hardened(3)
                .crashes(2)
                .restarts(2)
                .remembers(Indications.ACROSS_LIVES)
                .always("marks increase", Indications::areMonotonic)
                .mustBreak("marks increase");
    }
}
