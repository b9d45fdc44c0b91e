package io.quorate.storms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.simulation.Storms;
import org.junit.jupiter.api.Test;

/**
 * docs/operations.md#what-a-rolling-restart-may-change: nodes of one cluster that have different algorithms and rank
 * orders, and change them one by one. {@code -Dmixed.storms=10000} for more of them, {@code -Dseed=N} for one.
 */
class MixedSettingsTest {

    private static final int STORMS = Integer.getInteger("mixed.storms", 12);

    @Test
    void noStormBreaksARuleWhileNodesAreMixed() {
        Storms.Total total =
                Storms.runMixed(STORMS, 1, AlgorithmStormsTest.algorithms().toList());
        System.out.println("storms over mixed drivers, seeds from 1: " + total);
        assertThat(total.tenures()).as("there is somebody who leads").isGreaterThan(STORMS);
    }
}
