package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.example.election.RollCall;
import io.quorate.testkit.simulation.Simulation.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A storm that breaks a rule names its picture. */
class StormPictureTest {

    // A clock that is slower than any drift allows: the lease outlives the votes.
    private static final String SLOW_CLOCK =
            """
            voters 3
            at 4000 until 9000 clock n3 -60
            at 6000 until 9000 cut n3-n1,n2
            """;

    @Test
    void aBrokenRuleHasAPictureOfItsSmallestScenario() throws IOException {
        Throwable failure =
                catchThrowable(() -> Storms.run(ScenarioFile.parse(SLOW_CLOCK), new RollCall(), Depth.NODE));
        assertThat(failure).hasMessageContainingAll("ONE_LEADER", "The smallest scenario", "clock n3 -60");
        Path picture = Path.of(failure.getMessage().replaceAll("(?s).*The picture of this run: (\\S+\\.html).*", "$1"));
        assertThat(Files.readString(picture))
                .contains("RULE BROKEN: ONE_LEADER", "n3 leads with token", "cut n3-n1,n2", "CLAIM");
    }
}
