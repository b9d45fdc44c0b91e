package com.example.attack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What the processors have done so far: in all, and for attackers and attacked. What an attack makes them do is
 * among the latter; so an attack cannot pass for a busy machine.
 *
 * @param at       when, in nanoseconds
 * @param all      time of processors, in nanoseconds; {@link #UNKNOWN} on a machine that does not tell
 * @param involved the part of it that attackers and attacked have used
 */
record Processors(long at, long all, long involved) {

    static final long UNKNOWN = -1;

    /** With less than that, in processors, a node hears another in time unless the attack keeps it from that. */
    static final double OTHERS_MAX = 0.5;

    private static final Path STAT = Path.of("/proc/stat");
    private static final long TICK_NANOS = 10_000_000;
    /**
     * Of the columns of Linux: user, nice, system, stolen. Not interrupts, because an attack by packets brings them about;
     * not guests, whose time is in the others already.
     */
    private static final List<Integer> BUSY = List.of(1, 2, 3, 8);

    /** @param attacked what the processes have used that are attacked; the attackers are in this one */
    static Processors now(Duration attacked) {
        Duration attackers = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        return new Processors(
                System.nanoTime(), busy(), attacked.plus(attackers).toNanos());
    }

    private static long busy() {
        try {
            String[] columns =
                    Files.readAllLines(STAT, StandardCharsets.US_ASCII).get(0).split(" +");
            return TICK_NANOS
                    * BUSY.stream()
                            .mapToLong(column -> Long.parseLong(columns[column]))
                            .sum();
        } catch (IOException e) {
            // Justification: not every machine has it.
            return UNKNOWN;
        }
    }

    /** How many processors others have used since then, on the average; infinitely many if that is not known. */
    double othersSince(Processors before) {
        if (all == UNKNOWN || before.all == UNKNOWN) {
            return Double.POSITIVE_INFINITY;
        }
        double others = all - before.all - (involved - before.involved);
        return Math.max(0, others / (at - before.at));
    }
}
