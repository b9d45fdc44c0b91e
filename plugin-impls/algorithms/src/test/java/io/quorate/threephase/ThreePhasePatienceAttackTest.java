package io.quorate.threephase;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.ElectionCluster;
import io.quorate.testkit.simulation.Seeds;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

/** S4: cut and slow links must not stretch the time-outs for longer than they lasted. */
class ThreePhasePatienceAttackTest {

    private static ElectionCluster led(int size) {
        ElectionCluster cluster =
                new ElectionCluster(new ThreePhaseAlgorithm(), size, size, process -> new ThreePhaseAlgorithm()
                        .create(Membership.of(process, size), new Timing(10), Options.HARDENED));
        for (int process = 0; process < size; process++) {
            cluster.start(process, OptionalInt.of(size - 1));
        }
        cluster.runUntil(300);
        return cluster;
    }

    private static void assertSettled(ElectionCluster cluster) {
        assertThat(cluster.leaders()).hasSize(1);
        for (int process : cluster.running()) {
            assertThat(cluster.election(process).isParticipating()).isFalse();
            assertThat(cluster.election(process).leader())
                    .hasValue(cluster.leaders().get(0));
        }
    }

    @Test
    void groupRecoversFromCutLinks() {
        Set<String> cut = Set.of("02", "04", "12", "14", "20", "23", "30", "34", "41", "43");
        ElectionCluster cluster = led(5);
        cluster.cut((from, to) -> cut.contains(from + "" + to));
        cluster.runUntil(6_000);
        cluster.cut((from, to) -> false);
        cluster.runUntil(400_000);
        assertSettled(cluster);
    }

    // Each process sees other links cut, and what passes takes up to 10 delta.
    @Test
    void groupRecoversFromCutAndSlowLinks() {
        Seeds.each(200, 1, seed -> {
            Random random = new Random(seed);
            int size = 3 + random.nextInt(5);
            ElectionCluster cluster = led(size);
            long heal = 300 + random.nextInt(3_000);
            long slow = 5L + random.nextInt(95);
            double density = random.nextDouble() * 0.6;
            boolean[][] isCut = new boolean[size][size];
            for (boolean[] links : isCut) {
                for (int to = 0; to < size; to++) {
                    links[to] = random.nextDouble() < density;
                }
            }
            cluster.latency(() -> cluster.now() < heal ? slow : 5);
            BiPredicate<Integer, Integer> cut = (from, to) -> cluster.now() < heal && isCut[from][to];
            cluster.cut(cut);
            cluster.runUntil(heal + 2_000);
            assertSettled(cluster);
        });
    }
}
