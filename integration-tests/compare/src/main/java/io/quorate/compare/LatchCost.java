package io.quorate.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * What a call of a latch costs. It is measured without a fork, inside a {@link CompareNode}: that is a JVM of its own
 * anyway, and has the latch, which one of JMH's does not.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LatchCost {

    static final int ITERATION_MILLIS = 250;
    private static final int WARM_UPS = 2;

    /** JMH makes the objects of this class itself. */
    private static volatile LatchClient.Latch measured;

    private LatchClient.Latch latch;

    /** Called by JMH. */
    @Setup
    public void setUp() {
        latch = measured;
    }

    @Benchmark
    public boolean hasLeadership() {
        return latch.hasLeadership();
    }

    @Benchmark
    public String getLeader() throws Exception {
        return latch.leader();
    }

    @Benchmark
    public int getParticipants() throws Exception {
        return latch.participants();
    }

    /** Nanoseconds per call, in so many iterations. */
    static List<Double> measure(LatchClient.Latch latch, String method, int iterations) throws RunnerException {
        measured = latch;
        System.setProperty("jmh.ignoreLock", "true");
        TimeValue time = TimeValue.milliseconds(ITERATION_MILLIS);
        List<Double> nanos = new ArrayList<>();
        new Runner(new OptionsBuilder()
                        .include(LatchCost.class.getName() + "\\." + method + "$")
                        .forks(0)
                        .warmupIterations(WARM_UPS)
                        .warmupTime(time)
                        .measurementIterations(iterations)
                        .measurementTime(time)
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build())
                .runSingle()
                .getBenchmarkResults()
                .forEach(result -> {
                    for (IterationResult iteration : result.getIterationResults()) {
                        nanos.add(iteration.getPrimaryResult().getScore());
                    }
                });
        return nanos;
    }
}
