package io.quorate.core.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
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

class RankedContendersTest {

    private static final Comparator<ContenderRecord> RANKING = ContenderRecord.ranking(RankOrder.JOIN_ORDER);

    private static ContenderRecord registration(String node, long stamp, long token) {
        return new ContenderRecord(
                new ContenderId(new NodeId(node), 1, 1), "id of " + node, stamp, 0, token, stamp + token);
    }

    private static RankedContenders of(ContenderRecord... registrations) {
        RankedContenders contenders = RankedContenders.EMPTY;
        for (ContenderRecord registration : registrations) {
            contenders = contenders.with(registration, RANKING);
        }
        return contenders;
    }

    @Test
    void theBestInRankComesFirstInWhateverOrderTheyCame() {
        ContenderRecord first = registration("n2", 1, 0);
        ContenderRecord second = registration("n1", 2, 7);
        assertThat(of(second, first)).containsExactly(first, second).isEqualTo(of(first, second));
        assertThat(of(second, first).first()).isEqualTo(first);
        assertThat(of(second, first).leader()).contains(second);
    }

    // Short ones are sorted in another way than long ones.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 15, 16, 17, 40})
    void isInOrderHoweverMany(int count) {
        List<ContenderRecord> inOrder = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            inOrder.add(registration("n" + i, i, 0));
        }
        List<ContenderRecord> shuffled = new ArrayList<>(inOrder);
        Collections.shuffle(shuffled, new Random(count));
        List<ContenderRecord> reversed = new ArrayList<>(inOrder);
        Collections.reverse(reversed);
        assertThat(RankedContenders.of(shuffled, RANKING)).containsExactlyElementsOf(inOrder);
        assertThat(RankedContenders.of(reversed, RANKING)).containsExactlyElementsOf(inOrder);
        assertThat(RankedContenders.of(inOrder, RANKING)).containsExactlyElementsOf(inOrder);
    }

    @Test
    void ofSeveralThatLeadTheOneWithTheHighestTokenCounts() {
        assertThat(of(registration("n1", 1, 0), registration("n2", 2, 0)).leader())
                .isEmpty();
        ContenderRecord newest = registration("n2", 2, 9);
        assertThat(of(registration("n1", 1, 8), newest, registration("n3", 3, 7))
                        .leader())
                .contains(newest);
    }

    @Test
    void aNodeStandsWithItsBestContender() {
        ContenderRecord best = registration("n1", 1, 0);
        ContenderRecord other = registration("n2", 2, 0);
        ContenderRecord second = new ContenderRecord(new ContenderId(best.id().node(), 1, 2), "second", 3, 0, 0, 9);
        assertThat(of(second, other, best).bestOfEachNode()).containsExactly(best, other);
        assertThat(of(best, other).isOfOneNode()).isFalse();
        assertThat(of(best, second).isOfOneNode()).isTrue();
        assertThat(RankedContenders.EMPTY.isOfOneNode()).isFalse();
        assertThat(RankedContenders.hasAnyOf(best.id().node(), of(best, second)))
                .isTrue();
        assertThat(RankedContenders.hasAnyOf(other.id().node(), of(best, second)))
                .isFalse();
    }

    @Test
    void aNewVersionTakesThePlaceOfTheOldOne() {
        RankedContenders contenders = of(registration("n1", 1, 0), registration("n2", 2, 0));
        assertThat(contenders.with(registration("n1", 3, 0), RANKING))
                .containsExactly(registration("n2", 2, 0), registration("n1", 3, 0));
        assertThat(contenders).hasSize(2);
    }

    @Test
    void aNewVersionHoldsTheNamesOfTheOldOne() {
        ContenderRecord old = registration("n1", 1, 0);
        ContenderRecord next = of(old).with(registration("n1", 1, 7), RANKING).first();
        assertThat(next).isEqualTo(registration("n1", 1, 7));
        assertThat(next.id()).isSameAs(old.id());
        assertThat(next.participantId()).isSameAs(old.participantId());
    }

    @Test
    void departedContenderIsGone() {
        RankedContenders contenders = of(registration("n1", 1, 0), registration("n2", 2, 0));
        assertThat(contenders.without(registration("n1", 9, 9).id())).containsExactly(registration("n2", 2, 0));
        assertThat(of(registration("n1", 1, 0)).without(registration("n1", 1, 0).id()))
                .isSameAs(RankedContenders.EMPTY);
    }

    @Test
    void onlyWhatIsEqualIsShared() {
        RankedContenders contenders = of(registration("n1", 1, 0));
        assertThat(contenders.shared(registration("n1", 1, 0))).isSameAs(contenders.first());
        ContenderRecord other = registration("n1", 1, 7);
        assertThat(contenders.shared(other)).isSameAs(other);
        assertThat(contenders.shared(of(registration("n1", 1, 0)))).isSameAs(contenders);
        assertThat(contenders.shared(of(other))).containsExactly(other);
    }
}
