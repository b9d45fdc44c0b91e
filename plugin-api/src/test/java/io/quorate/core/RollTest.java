package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import java.util.Comparator;
import org.junit.jupiter.api.Test;

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
