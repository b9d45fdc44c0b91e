package io.quorate.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is equal, and what comes first: written by hand, so each component is tried. */
class IdentityTest {

    private static NodeId node(String value) {
        // Another string each time: equal names come from many frames.
        return new NodeId(String.valueOf(value.toCharArray()));
    }

    private static ContenderId id(String node, long incarnation, int number) {
        return new ContenderId(node(node), incarnation, number);
    }

    private static ContenderRecord registration(
            ContenderId id, String name, long stamp, long weight, long token, long version) {
        return new ContenderRecord(id, String.valueOf(name.toCharArray()), stamp, weight, token, version);
    }

    private static void areEqual(Object one, Object other) {
        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    }

    private static void allDiffer(Object one, List<?> others) {
        assertThat(others.stream().filter(one::equals)).isEmpty();
        assertThat(others).doesNotHaveDuplicates();
        assertThat(one).isNotEqualTo(null).isNotEqualTo("another class");
    }

    private static <T extends Comparable<T>> void areInOrder(List<T> inOrder) {
        for (int i = 0; i < inOrder.size(); i++) {
            for (int j = 0; j < inOrder.size(); j++) {
                assertThat(Integer.signum(inOrder.get(i).compareTo(inOrder.get(j))))
                        .as("%s and %s", inOrder.get(i), inOrder.get(j))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
    }

    @Test
    void ofNodes() {
        areEqual(node("n1"), node("n1"));
        allDiffer(node("n1"), List.of(node("n2"), node("N1"), node("n")));
    }

    @Test
    void ofContenders() {
        areEqual(id("n1", 2, 3), id("n1", 2, 3));
        allDiffer(id("n1", 2, 3), List.of(id("n2", 2, 3), id("n1", 3, 3), id("n1", 2, 4)));
        areInOrder(List.of(id("n1", 1, 1), id("n1", 1, 2), id("n1", 2, 1), id("n2", 1, 1)));
    }

    @Test
    void ofEpochs() {
        areEqual(new Epoch(2, 3), new Epoch(2, 3));
        allDiffer(new Epoch(2, 3), List.of(new Epoch(3, 3), new Epoch(2, 4)));
    }

    // Epochs of two lives have no order, whichever name is the greater one.
    @Test
    void anEpochIsUpToThoseThatFollowInItsLife() {
        assertThat(new Epoch(2, 3).isUpTo(new Epoch(2, 3))).isTrue();
        assertThat(new Epoch(2, 3).isUpTo(new Epoch(2, 4))).isTrue();
        assertThat(new Epoch(2, 3).isUpTo(new Epoch(2, 2))).isFalse();
        assertThat(new Epoch(2, 3).isUpTo(new Epoch(3, 4))).isFalse();
        assertThat(new Epoch(2, 3).isUpTo(new Epoch(1, 4))).isFalse();
    }

    @Test
    void ofRegistrations() {
        ContenderId id = id("n1", 2, 3);
        areEqual(registration(id, "p", 4, 5, 6, 7), registration(id("n1", 2, 3), "p", 4, 5, 6, 7));
        allDiffer(
                registration(id, "p", 4, 5, 6, 7),
                List.of(
                        registration(id("n1", 2, 4), "p", 4, 5, 6, 7),
                        registration(id, "q", 4, 5, 6, 7),
                        registration(id, "p", 0, 5, 6, 7),
                        registration(id, "p", 4, 0, 6, 7),
                        registration(id, "p", 4, 5, 0, 7),
                        registration(id, "p", 4, 5, 6, 0)));
    }

    @Test
    void firstJoinedRanksFirst() {
        var ranking = ContenderRecord.ranking(RankOrder.JOIN_ORDER);
        ContenderRecord first = registration(id("n2", 1, 1), "p", 1, 0, 0, 1);
        ContenderRecord second = registration(id("n1", 1, 1), "p", 2, 0, 0, 1);
        ContenderRecord atOnce = registration(id("n3", 1, 1), "p", 2, 0, 0, 1);
        assertThat(List.of(atOnce, second, first).stream().sorted(ranking)).containsExactly(first, second, atOnce);
    }
}
