package io.quorate.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.shedlock.KilledJobs;
import io.quorate.testkit.RepeatedWhenStalled;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The process of the verticle is killed again and again: there are never two, and soon there is the next one. */
@Timeout(900)
@ExtendWith(RepeatedWhenStalled.class)
class KilledVerticleTest {

    private static final int FEW = 2;
    private static final int MANY = 50;

    /** A lease, what an election takes (docs/protocol.md#timing), and a second for a machine that is busy. */
    private static final Duration NEXT_MAX = Duration.ofMillis(1_300 + 1_000);

    @Test
    void theVerticleOfAKilledProcessIsDeployedElsewhere(@TempDir Path directory) {
        killHolders(FEW, directory);
    }

    @Test
    @Tag("nemesis")
    void itIsDeployedWithinALease(@TempDir Path directory) {
        assertThat(killHolders(MANY, directory))
                .allSatisfy(gap -> assertThat(gap).isLessThan(NEXT_MAX));
    }

    private static List<Duration> killHolders(int count, Path directory) {
        return KilledJobs.gapsAfterKills(SingletonNode.class, "a verticle", count, directory);
    }
}
