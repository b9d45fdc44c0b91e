package io.quorate.storms;

import io.quorate.spi.ElectionAlgorithm;
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
    private static final int DRAINS = Integer.getInteger("drains", 200_000);
    private static final int CHUNK = 10_000;

    @Test
    void strangersThatLieBreakNothing() {
        System.out.println("storms with lies of strangers: " + Storms.runWithStrangers(LIES, FIRST, new HighestUp()));
        Storms.runWithLiars(LIES / 4, FIRST, new HighestUp());
    }

    @Test
    void changesOfVotersBreakNothing() {
        inChunks(CHANGES, "changes", Storms::runWithChanges);
    }

    private interface Kind {
        Storms.Total run(int count, long first, ElectionAlgorithm algorithm, Depth depth);
    }

    private static void inChunks(int total, String name, Kind kind) {
        IntStream.range(0, (total + CHUNK - 1) / CHUNK).parallel().forEach(chunk -> {
            long first = FIRST + (long) chunk * CHUNK;
            int count = Math.min(CHUNK, total - chunk * CHUNK);
            System.out.println(
                    name + ", seeds from " + first + ": " + kind.run(count, first, new HighestUp(), Depth.NODE));
        });
    }

    @Test
    void leadersThatFinishTheirWorkBreakNothing() {
        inChunks(DRAINS, "drains", Storms::runWithDrains);
    }

    @Test
    void mixedNodesBreakNothing() {
        System.out.println("storms over mixed drivers: "
                + Storms.runMixed(MIXED, FIRST, AlgorithmStormsTest.algorithms().toList()));
    }

    @Test
    void noStormBreaksARule() {
        inChunks(STORMS, "storms", Storms::run);
    }
}
