package io.quorate.bench;

import io.quorate.runtime.Links;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.NodeId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a frame costs to seal and to open, with and without a secret, in turns in one run. Prints the median of the
 * rounds, in nanoseconds for both sides together.
 */
public final class FrameCost {

    private static final int ROUNDS = 21;
    private static final int FRAMES = 100_000;
    private static final int[] BODY_LENGTHS = {24, 200, 1_000, 24_000};
    private static final NodeId A = new NodeId("node-1");
    private static final NodeId B = new NodeId("node-2");

    private FrameCost() {}

    public static void main(String[] arguments) {
        Optional<ClusterSecret> secret = Optional.of(ClusterSecret.of(
                "a secret of 32 characters, or so".getBytes(StandardCharsets.UTF_8), Optional.empty()));
        System.out.printf("%8s %12s %12s %10s%n", "body", "plain ns", "secret ns", "more ns");
        for (int length : BODY_LENGTHS) {
            int frames = length > 10_000 ? FRAMES / 20 : FRAMES;
            double[] plain = new double[ROUNDS];
            double[] sealed = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                plain[round] = nanosPerFrame(Optional.empty(), length, frames);
                sealed[round] = nanosPerFrame(secret, length, frames);
            }
            double without = median(plain);
            double with = median(sealed);
            System.out.printf("%8d %12.0f %12.0f %10.0f%n", length, without, with, with - without);
        }
    }

    private static double nanosPerFrame(Optional<ClusterSecret> secret, int length, int frames) {
        Links from = new Links("cluster", A, 1, 1, 1_000, List.of(A, B), secret);
        Links to = new Links("cluster", B, 1, 1, 1_000, List.of(A, B), secret);
        byte[] body = new byte[length];
        long begun = System.nanoTime();
        for (int now = 0; now < frames; now++) {
            byte[] frame = from.seal(B, body, length, now).orElseThrow();
            to.open(frame, now);
        }
        long nanos = System.nanoTime() - begun;
        if (!to.dropped().isEmpty()) {
            throw new IllegalStateException("dropped: " + to.dropped());
        }
        return (double) nanos / frames;
    }

    /** Of the later two thirds: the first rounds warm up. */
    private static double median(double[] rounds) {
        double[] warm = Arrays.copyOfRange(rounds, ROUNDS / 3, ROUNDS);
        Arrays.sort(warm);
        return warm[warm.length / 2];
    }
}
