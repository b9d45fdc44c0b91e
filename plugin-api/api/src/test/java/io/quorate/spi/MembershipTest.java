package io.quorate.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who takes part in an election, and what is refused because it is no membership. */
class MembershipTest {

    private static void assertRefused(int self, int contenders, int witnesses, List<Integer> ring, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Membership(self, contenders, witnesses, ring, Set.of(0)))
                .withMessage(message);
    }

    @Test
    void eachPartHasItsRange() {
        assertRefused(0, 0, 0, List.of(), "0 contenders: must be at least 1");
        assertRefused(0, 1, -1, List.of(0), "-1 witnesses: must not be negative");
        assertRefused(-1, 2, 0, List.of(0, 1), "self -1: must be one of 2 contenders");
        assertRefused(2, 2, 1, List.of(0, 1), "self 2: must be one of 2 contenders");
        Membership smallest = new Membership(0, 1, 0, List.of(0), Set.of());
        assertThat(smallest.size()).isEqualTo(1);
        assertThat(new Membership(1, 2, 0, List.of(1, 0), Set.of()).self()).isEqualTo(1);
    }

    @Test
    void theRingHoldsEachContenderOnce() {
        for (List<Integer> ring : List.of(List.of(0), List.of(0, 0), List.of(0, 2), List.of(0, 1, 1))) {
            assertRefused(0, 2, 1, ring, "ring " + ring + ": must hold each of 2 contenders once");
        }
    }

    @Test
    void votersAreProcessesWitnessesAmongThem() {
        for (int voter : new int[] {-1, 3}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Membership(0, 2, 1, List.of(0, 1), Set.of(voter)))
                    .withMessage("voter " + voter + ": is no process");
        }
        Membership membership = new Membership(0, 2, 1, List.of(0, 1), Set.of(0, 2));
        assertThat(membership.size()).isEqualTo(3);
        assertThat(IntStream.range(-1, 4).filter(membership::isVoter)).containsExactly(0, 2);
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 1", "2, 1, 2", "3, 1, 2", "4, 2, 3", "5, 2, 3"})
    void moreThanHalfOfAllVotersIsAMajority(int voters, int tooFew, int enough) {
        Membership membership = Membership.of(0, voters);
        assertThat(membership.isMajority(tooFew)).isFalse();
        assertThat(membership.isMajority(enough)).isTrue();
    }

    @Test
    void itKeepsCopies() {
        List<Integer> ring = new ArrayList<>(List.of(1, 0));
        Membership membership = new Membership(0, 2, 0, ring, Set.of(0, 1));
        ring.clear();
        assertThat(membership.ring()).containsExactly(1, 0);
        assertThat(Membership.of(2, 3)).isEqualTo(new Membership(2, 3, 0, List.of(0, 1, 2), Set.of(0, 1, 2)));
    }
}
