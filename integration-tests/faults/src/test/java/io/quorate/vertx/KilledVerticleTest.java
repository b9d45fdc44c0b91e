package io.quorate.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.shedlock.JobNode;
import io.quorate.shedlock.KilledJobs;
import io.quorate.testkit.RepeatedWhenStalled;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The process of the verticle is killed again and again: there are never two, and soon there is the next one. */
@Tag("nemesis")
@ExtendWith(RepeatedWhenStalled.class)
class KilledVerticleTest {

    private static final int MANY = 50;

    /** A lease, what an election takes (docs/protocol.md#timing), and a second for a machine that is busy. */
    private static final Duration NEXT_MAX = Duration.ofMillis(1_300 + 1_000);

    @Test
    void itIsDeployedWithinALease(@TempDir Path directory) {
        assertThat(KilledJobs.gapsAfterKills(JobNode.Kind.VERTICLE, "a verticle", MANY, directory))
                .allSatisfy(gap -> assertThat(gap).isLessThan(NEXT_MAX));
    }
}
