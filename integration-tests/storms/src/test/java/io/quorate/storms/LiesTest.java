package io.quorate.storms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Storms;
import org.junit.jupiter.api.Test;

/**
 * Random storms in which somebody lies: well-formed messages of every kind that are not true. {@code -Dlies=10000} for
 * more of them, as in {@link StormNightTest}; {@code -Dseed=N} for one.
 */
class LiesTest {

    private static final int LIES = Integer.getInteger("lies", Effort.of(200, 60));

    @Test
    void strangersBreakNothing() {
        System.out.println(
                "storms with lies of strangers, seeds from 1: " + Storms.runWithStrangers(LIES, 1, new HighestUp()));
    }

    // What they say is believed. It may cost leadership, or make two leaders; but it stops nobody.
    @Test
    void contendersAndVotersStopNobody() {
        int broken = Storms.runWithLiars(LIES / 4, 1, new HighestUp());
        System.out.println(
                "storms with lies of nodes that are believed: " + broken + " of " + LIES / 4 + " broke a rule");
        assertThat(broken).as("lies that matter, else this would show nothing").isGreaterThan(LIES / 4 / 100);
    }
}
