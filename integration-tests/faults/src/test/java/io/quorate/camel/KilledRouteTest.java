package io.quorate.camel;

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

/** The process of a clustered route is killed again and again: no two exchanges are at once, and soon there are more. */
@Tag("nemesis")
@ExtendWith(RepeatedWhenStalled.class)
class KilledRouteTest {

    private static final int MANY = 50;

    /** A lease, what an election takes (docs/protocol.md#timing), and a second for a machine that is busy. */
    private static final Duration NEXT_MAX = Duration.ofMillis(1_300 + 1_000);

    @Test
    void itStartsWithinALease(@TempDir Path directory) {
        assertThat(KilledJobs.gapsAfterKills(JobNode.Kind.ROUTE, "a route of Camel", MANY, directory))
                .allSatisfy(gap -> assertThat(gap).isLessThan(NEXT_MAX));
    }
}
