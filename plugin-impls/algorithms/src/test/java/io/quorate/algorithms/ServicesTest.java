package io.quorate.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.ElectionAlgorithm;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** What the service loader finds. */
class ServicesTest {

    // Otherwise an application could not choose them.
    @Test
    void algorithmsAreFoundByName() {
        assertThat(ServiceLoader.load(ElectionAlgorithm.class))
                .extracting(ElectionAlgorithm::name)
                .contains("ballot", "bully", "lcr", "token-ring", "three-phase")
                .doesNotHaveDuplicates();
    }
}
