package io.quorate.lcr;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.lcr.SetNetwork.Result;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Source 003 with its assertions and exercises 25.1 and 25.2, for every arrangement of identifiers on the ring. */
class LcrHarmonyTest {

    /** All rings of 1 to {@code idMax} processes with identifiers out of 1 to {@code idMax}. */
    private static List<List<Integer>> arrangements(int idMax, boolean distinct) {
        List<List<Integer>> all = new ArrayList<>();
        for (int size = 1; size <= idMax; size++) {
            extend(List.of(), size, idMax, all);
        }
        all.removeIf(ids -> distinct != (new HashSet<>(ids).size() == ids.size()));
        return all;
    }

    private static void extend(List<Integer> ids, int size, int idMax, List<List<Integer>> all) {
        if (ids.size() == size) {
            all.add(ids);
            return;
        }
        for (int id = 1; id <= idMax; id++) {
            List<Integer> longer = new ArrayList<>(ids);
            longer.add(id);
            extend(longer, size, idMax, all);
        }
    }

    // Both assertions, exactly one leader at the end, and every process can terminate. The numbers of states are those
    // of the Harmony program (docs/algorithms/lcr.md#harmony), so the machine does what the program does.
    @ParameterizedTest
    @CsvSource({"3, 15, 174", "4, 64, 1712", "5, 325, 21760"})
    void everyArrangementElectsTheHighestAndTerminates(int idMax, int arrangements, int states) {
        int found = 0;
        List<List<Integer>> all = arrangements(idMax, true);
        assertThat(all).hasSize(arrangements);
        for (List<Integer> ids : all) {
            Result result = SetNetwork.search(ids, true, true);
            assertThat(result.assertionFails())
                    .as("assertion fails for %s", ids)
                    .isFalse();
            assertThat(result.canGetStuck()).as("stuck for %s", ids).isFalse();
            assertThat(result.leadersAtTheEnd()).as("leaders for %s", ids).containsExactly(1);
            found += result.states();
        }
        assertThat(found).isEqualTo(states);
    }

    // Exercise 25.1, "must identifiers be unique?": yes. Namesakes share a mailbox if messages are addressed by
    // identifier, as in the program; by place on the ring it is not much better.
    @ParameterizedTest
    @CsvSource({"3, 24, true, 9", "4, 276, true, 162", "3, 24, false, 9", "4, 276, false, 146"})
    void identifiersMustBeUnique(int idMax, int arrangements, boolean byId, int failing) {
        List<List<Integer>> all = arrangements(idMax, false);
        assertThat(all).hasSize(arrangements);
        assertThat(all.stream().filter(ids -> SetNetwork.search(ids, true, byId).assertionFails()))
                .hasSize(failing);
    }

    // Quirk 7: equal maxima keep the assertions and elect two leaders; equal others break them, and may elect nobody.
    @ParameterizedTest
    @CsvSource({"1 1, false, 2", "2 2 1, false, 2", "1 1 2, true, 0"})
    void namesakesElectTwoLeadersOrNone(String ring, boolean fails, int leaders) {
        List<Integer> ids =
                List.of(ring.split(" ")).stream().map(Integer::valueOf).toList();
        Result result = SetNetwork.search(ids, true, false);
        assertThat(result.assertionFails()).isEqualTo(fails);
        assertThat(result.leadersAtTheEnd()).contains(leaders);
    }

    // Exercise 25.2, "must send be atomic?": yes. A message that is overwritten is lost and never sent again, so with
    // two or more processes the ring may wait for ever; but nobody is elected wrongly. The numbers of states are those
    // of Harmony_notAtomic.cfg, so the spec's answer is the machine's.
    @ParameterizedTest
    @CsvSource({"2, 4, 2, 52", "3, 15, 12, 918", "4, 64, 60, 32204"})
    void sendMustBeAtomic(int idMax, int arrangements, int stuck, int states) {
        List<List<Integer>> all = arrangements(idMax, true);
        assertThat(all).hasSize(arrangements);
        int found = 0;
        int explored = 0;
        for (List<Integer> ids : all) {
            Result result = SetNetwork.search(ids, false, true);
            assertThat(result.assertionFails())
                    .as("assertion fails for %s", ids)
                    .isFalse();
            assertThat(result.canGetStuck()).as("stuck for %s", ids).isEqualTo(ids.size() > 1);
            found += result.canGetStuck() ? 1 : 0;
            explored += result.states();
        }
        assertThat(found).isEqualTo(stuck);
        assertThat(explored).isEqualTo(states);
    }
}
