package io.quorate.storms;

import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Simulation.Depth;
import io.quorate.testkit.simulation.Storms;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a night is long enough for: {@code mvn -Dsuite=storms verify}, {@code -Dstorms=N} for another number. */
@Tag("storms")
class StormNightTest {

    private static final int STORMS = Integer.getInteger("storms", 10_000_000);
    private static final long FIRST = Long.getLong("first", 1);
    private static final int LIES = Integer.getInteger("lies", 10_000);
    private static final int MIXED = Integer.getInteger("mixed.storms", 4_000);
    private static final int CHANGES = Integer.getInteger("changes", 200_000);
    private static final int CHUNK = 10_000;

    @Test
    void strangersThatLieBreakNothing() {
        System.out.println("storms with lies of strangers: " + Storms.runWithStrangers(LIES, FIRST, new HighestUp()));
        Storms.runWithLiars(LIES / 4, FIRST, new HighestUp());
    }

    @Test
    void changesOfVotersBreakNothing() {
        IntStream.range(0, (CHANGES + CHUNK - 1) / CHUNK).parallel().forEach(chunk -> {
            long first = FIRST + (long) chunk * CHUNK;
            int count = Math.min(CHUNK, CHANGES - chunk * CHUNK);
            System.out.println("changes, seeds from " + first + ": "
                    + Storms.runWithChanges(count, first, new HighestUp(), Depth.NODE));
        });
    }

    @Test
    void mixedNodesBreakNothing() {
        System.out.println("storms over mixed drivers: "
                + Storms.runMixed(MIXED, FIRST, AlgorithmStormsTest.algorithms().toList()));
    }

    @Test
    void noStormBreaksARule() {
        IntStream.range(0, (STORMS + CHUNK - 1) / CHUNK).parallel().forEach(chunk -> {
            long first = FIRST + (long) chunk * CHUNK;
            int count = Math.min(CHUNK, STORMS - chunk * CHUNK);
            System.out.println("seeds from " + first + ": " + Storms.run(count, first, new HighestUp(), Depth.NODE));
        });
    }
}
