package io.quorate.core.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.Registration;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RollTest {

    private static final Comparator<Registration> RANKING = Registration.ranking(RankOrder.JOIN_ORDER);

    private static Registration registration(String node, long stamp, long token) {
        return new Registration(new ContenderId(new NodeId(node), 1, 1), "id of " + node, stamp, 0, token,
                stamp + token);
    }

    private static Roll of(Registration... registrations) {
        Roll roll = Roll.EMPTY;
        for (Registration registration : registrations) {
            roll = roll.with(registration, RANKING);
        }
        return roll;
    }

    @Test
    void theBestInRankComesFirstInWhateverOrderTheyCame() {
        Registration first = registration("n2", 1, 0);
        Registration second = registration("n1", 2, 7);
        assertThat(of(second, first)).containsExactly(first, second).isEqualTo(of(first, second));
        assertThat(of(second, first).first()).isEqualTo(first);
        assertThat(of(second, first).leader()).contains(second);
    }

    // Short ones are sorted in another way than long ones.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 15, 16, 17, 40})
    void isInOrderHoweverMany(int count) {
        List<Registration> inOrder = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            inOrder.add(registration("n" + i, i, 0));
        }
        List<Registration> shuffled = new ArrayList<>(inOrder);
        Collections.shuffle(shuffled, new Random(count));
        List<Registration> reversed = new ArrayList<>(inOrder);
        Collections.reverse(reversed);
        assertThat(Roll.of(shuffled, RANKING)).containsExactlyElementsOf(inOrder);
        assertThat(Roll.of(reversed, RANKING)).containsExactlyElementsOf(inOrder);
        assertThat(Roll.of(inOrder, RANKING)).containsExactlyElementsOf(inOrder);
    }

    @Test
    void ofSeveralThatLeadTheOneWithTheHighestTokenCounts() {
        assertThat(of(registration("n1", 1, 0), registration("n2", 2, 0)).leader()).isEmpty();
        Registration newest = registration("n2", 2, 9);
        assertThat(of(registration("n1", 1, 8), newest, registration("n3", 3, 7)).leader()).contains(newest);
    }

    @Test
    void aNodeStandsWithItsBestContender() {
        Registration best = registration("n1", 1, 0);
        Registration other = registration("n2", 2, 0);
        Registration second = new Registration(new ContenderId(best.id().node(), 1, 2), "second", 3, 0, 0, 9);
        assertThat(of(second, other, best).bestOfEachNode()).containsExactly(best, other);
        assertThat(of(best, other).isOfOneNode()).isFalse();
        assertThat(of(best, second).isOfOneNode()).isTrue();
        assertThat(Roll.EMPTY.isOfOneNode()).isFalse();
        assertThat(of(best, second).hasAnyOf(best.id().node())).isTrue();
        assertThat(of(best, second).hasAnyOf(other.id().node())).isFalse();
    }

    @Test
    void aNewVersionTakesThePlaceOfTheOldOne() {
        Roll roll = of(registration("n1", 1, 0), registration("n2", 2, 0));
        assertThat(roll.with(registration("n1", 3, 0), RANKING))
                .containsExactly(registration("n2", 2, 0), registration("n1", 3, 0));
        assertThat(roll).hasSize(2);
    }

    @Test
    void aNewVersionHoldsTheNamesOfTheOldOne() {
        Registration old = registration("n1", 1, 0);
        Registration next = of(old).with(registration("n1", 1, 7), RANKING).first();
        assertThat(next).isEqualTo(registration("n1", 1, 7));
        assertThat(next.id()).isSameAs(old.id());
        assertThat(next.participantId()).isSameAs(old.participantId());
    }

    @Test
    void whoLeavesIsGone() {
        Roll roll = of(registration("n1", 1, 0), registration("n2", 2, 0));
        assertThat(roll.without(registration("n1", 9, 9).id())).containsExactly(registration("n2", 2, 0));
        assertThat(of(registration("n1", 1, 0)).without(registration("n1", 1, 0).id())).isSameAs(Roll.EMPTY);
    }

    @Test
    void onlyWhatIsEqualIsShared() {
        Roll roll = of(registration("n1", 1, 0));
        assertThat(roll.shared(registration("n1", 1, 0))).isSameAs(roll.first());
        Registration other = registration("n1", 1, 7);
        assertThat(roll.shared(other)).isSameAs(other);
        assertThat(roll.shared(of(registration("n1", 1, 0)))).isSameAs(roll);
        assertThat(roll.shared(of(other))).containsExactly(other);
    }
}
