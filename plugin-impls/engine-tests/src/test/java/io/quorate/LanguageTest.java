package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.spi.Check;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names and messages are the same on a machine whose language has other digits. */
class LanguageTest {

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));

    private final Locale former = Locale.getDefault();

    @BeforeEach
    void speakArabic() {
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        assertThat(String.format("%d", 12)).as("digits of this locale").isNotEqualTo("12");
    }

    @AfterEach
    void speakAsBefore() {
        cluster.close();
        Locale.setDefault(former);
    }

    @Test
    void nameOfALatchHasAsciiDigits() throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client("n1"), "/app/leader", "n1");
        latch.start();
        assertThat(cluster.awaitLeader("/app/leader")).isEqualTo("n1");
        assertThat(latch.getOurPath()).matches("[\\x20-\\x7e]*-latch-0+1");
    }

    @Test
    void messageOfABadArgumentHasAsciiDigits() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Check.argument(false, "size %d: must be at least %d", 12, 34))
                .withMessage("size 12: must be at least 34");
    }
}
