package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.Claim;
import io.quorate.core.message.Listings;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import org.junit.jupiter.api.Test;

/** A contender that is alone in the queue, while another joins that does not get its place. */
class AwaitedContenderTest {

    private static final String PATH = "/app/leader";
    private static final String BUSY = "/busy/";
    /** The support time is 1 s, and who is silent for 450 ms is not up. */
    private static final long SUPPORT_MILLIS = 1_000;

    private final VirtualCluster cluster = VirtualCluster.ofVoters(5, 3, new HighestUp());

    /** n1 claims so many paths without an end, and n1 and n2 contend; n2 is not told that it is listed. */
    private void contend(int claims) {
        cluster.advance(2_000);
        cluster.drop(f -> f.message() instanceof Claim claim && claim.path().startsWith(BUSY)
                || f.to().equals(N2) && f.message() instanceof Listings);
        for (int i = 0; i < claims; i++) {
            cluster.contend(N1, BUSY + i);
        }
        cluster.contend(N2, PATH);
        cluster.advance(10);
        cluster.contend(N1, PATH);
    }

    private long untilLed() {
        return cluster.await("n1 leads", 5_000, () -> cluster.leaders(PATH).contains(N1));
    }

    // An idle node loses nothing by a claim that another makes useless, and an election takes time.
    @Test
    void nobodyIsAwaitedByANodeThatHasTime() {
        contend(2);
        assertThat(untilLed()).isLessThan(20);
    }

    @Test
    void theOtherIsAwaitedForASupportTimeByANodeThatClaimsMuch() {
        contend(100);
        assertThat(untilLed()).isBetween(SUPPORT_MILLIS, SUPPORT_MILLIS + 50);
    }

    @Test
    void whoDiesIsNotAwaitedAnyMore() {
        contend(100);
        cluster.advance(50);
        assertThat(cluster.leaders(PATH)).isEmpty();
        cluster.crash(N2);
        assertThat(untilLed()).isLessThan(3 * SUPPORT_MILLIS / 4);
    }
}
