package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Profile;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualNetwork.Trouble;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Up to three processes of one voter id stand still, go on, die and begin by chance; two nodes hear all of them. */
class TwinStormTest extends TwinVoters {

    private final Set<NodeId> paused = new HashSet<>();

    private void change(NodeId which, int what) {
        if (!here.contains(which)) {
            start(which);
        } else if (paused.contains(which)) {
            paused.remove(which);
            cluster.resume(which);
        } else if (what < 3) {
            paused.add(which);
            cluster.pause(which);
        } else if (what == 3) {
            crash(which);
        }
    }

    /** Runs 7 seeds of each profile. {@code -Dtwins=N} runs N, from {@code -Dseed} on. */
    @ParameterizedTest
    @EnumSource
    void twoNeverLeadWhateverTheProcessesOfAVoterDo(Profile times) {
        profile = times;
        long first = Long.getLong("seed", 1);
        int led = 0;
        for (long seed = first; seed < first + Integer.getInteger("twins", 7); seed++) {
            led += storm(seed);
        }
        assertThat(led).as("times at which a node led").isPositive();
    }

    /** Returns at how many of the times that were looked at a node led. */
    private int storm(long seed) {
        Random random = new Random(seed);
        paused.clear();
        leads(N1, seed);
        cluster.contend(N2, PATH);
        cluster.advance(scaled(1_500));
        cluster.cut(N1, N2);
        int delay = random.nextInt(scaled(90));
        trouble(List.of(N1, N2, N3, SECOND, THIRD), Trouble.DELAY, delay);
        List<String> did = new ArrayList<>();
        int led = 0;
        for (int i = 0; i < 60; i++) {
            NodeId which = List.of(N3, SECOND, THIRD).get(random.nextInt(3));
            int what = random.nextInt(5);
            did.add(cluster.nowMillis() + ":" + which + "/" + what);
            change(which, what);
            int millis = random.nextInt(scaled(random.nextInt(3) == 0 ? 2_500 : 700));
            int step = Math.max(1, scaled(5));
            for (int t = 0; t < millis; t += step) {
                cluster.advance(step);
                List<NodeId> leaders = cluster.leaders(PATH);
                led += leaders.isEmpty() ? 0 : 1;
                assertThat(leaders)
                        .as(() -> "seed=" + seed + " with " + profile + ", delay " + delay + "; after " + did
                                + cluster.log())
                        .hasSizeLessThan(2);
            }
        }
        return led;
    }
}
