package io.quorate.runtime;

import io.quorate.runtime.DecodedFrame.Dropped;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.NodeId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** What a frame costs to seal and to open, both sides together, with and without a secret. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FrameCost {

    private static final int FRAMES = 20_000;
    private static final NodeId A = new NodeId("node-1");
    private static final NodeId B = new NodeId("node-2");

    /** Bytes of the body. */
    @Param({"24", "200", "1000", "24000"})
    int length;

    @Param({"false", "true"})
    boolean isSecret;

    private byte[] body;
    private Optional<ClusterSecret> secret;

    @Setup
    public void setUp() {
        body = new byte[length];
        secret = isSecret
                ? Optional.of(ClusterSecret.of(
                        "a secret of 32 characters, or so".getBytes(StandardCharsets.UTF_8), Optional.empty()))
                : Optional.empty();
    }

    /** Links are new each time, because a sender that is never answered has to prove its life after a while. */
    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public void sealAndOpen(Blackhole opened) {
        Links from = new Links("cluster", A, 1, 1, 1_000, List.of(A, B), secret);
        Links to = new Links("cluster", B, 1, 1, 1_000, List.of(A, B), secret);
        Dropped unproved = (Dropped) to.open(from.seal(B, body, 1, 0).orElseThrow(), 0);
        from.open(to.question(unproved), 0);
        for (int now = 0; now < FRAMES; now++) {
            byte[] frame = from.seal(B, body, length, now).orElseThrow();
            opened.consume(to.open(frame, now));
        }
        // A frame that is dropped costs less.
        if (!to.dropped().isEmpty()) {
            throw new IllegalStateException("dropped: " + to.dropped());
        }
    }
}
