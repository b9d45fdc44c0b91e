package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualNetwork.Trouble;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

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

    @Test
    void twoNeverLeadWhateverTheProcessesOfAVoterDo() {
        List<String> broken = new ArrayList<>();
        int led = 0;
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            paused.clear();
            leads(N1, seed);
            cluster.contend(N2, PATH);
            cluster.advance(1_500);
            cluster.cut(N1, N2);
            int delay = random.nextInt(90);
            trouble(List.of(N1, N2, N3, SECOND, THIRD), Trouble.DELAY, delay);
            String did = "";
            try {
                for (int i = 0; i < 60; i++) {
                    NodeId which = List.of(N3, SECOND, THIRD).get(random.nextInt(3));
                    int what = random.nextInt(5);
                    did += " " + cluster.nowMillis() + ":" + which + "/" + what;
                    change(which, what);
                    int millis = random.nextInt(random.nextInt(3) == 0 ? 2_500 : 700);
                    for (int t = 0; t < millis; t += 5) {
                        cluster.advance(5);
                        led += cluster.leaders(PATH).isEmpty() ? 0 : 1;
                        if (cluster.leaders(PATH).size() > 1) {
                            throw new AssertionError("two lead " + cluster.leaders(PATH));
                        }
                    }
                }
            } catch (AssertionError e) {
                broken.add("seed " + seed + ", delay " + delay + ": "
                        + e.getMessage().lines().findFirst().orElse("") + " after" + did
                        + cluster.log());
            }
        }
        assertThat(led).as("times at which somebody led").isPositive();
        assertThat(broken).isEmpty();
    }
}
