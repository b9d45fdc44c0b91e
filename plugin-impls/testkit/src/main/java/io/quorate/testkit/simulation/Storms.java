package io.quorate.testkit.simulation;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.picture.PictureFile;
import io.quorate.testkit.simulation.Simulation.Depth;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/** Runs many random scenarios, and shows the smallest form of the first that breaks a rule. */
public final class Storms {

    /** What a shrinking may cost; a run takes some milliseconds. */
    private static final int SHRINKING_RUNS_MAX = 600;

    /**
     * The sum of many runs.
     *
     * @param runs       how many there were
     * @param tenures    that began
     * @param messages   that were sent
     * @param cpuNanos   that the calling thread needed
     */
    public record Total(int runs, long tenures, long messages, long cpuNanos) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%,d runs with %,d tenures and %,d messages in %.1f CPU s",
                    runs,
                    tenures,
                    messages,
                    cpuNanos / 1e9);
        }
    }

    private Storms() {}

    /** The random scenario of this seed. */
    public static Scenario scenario(long seed) {
        return Storm.scenario(seed);
    }

    /**
     * Runs random scenarios in which strangers lie: every rule holds all the same.
     *
     * @throws AssertionError as {@link #run(int, long, ElectionAlgorithm, Depth)}
     */
    public static Total runWithStrangers(int count, long first, ElectionAlgorithm algorithm) {
        return run(count, first, algorithm, Depth.NODE, seed -> Storm.withLies(seed, List.of(Liar.Who.STRANGER)));
    }

    /**
     * Runs random scenarios in which nodes lie that are believed: contenders and voters. They may break what rests on
     * their word, but no node stops, none throws, and nothing grows without bound.
     *
     * @return how many of them broke a rule, which is no fault here
     * @throws AssertionError with the seed and the scenario, if a node stopped or something grew
     */
    public static int runWithLiars(int count, long first, ElectionAlgorithm algorithm) {
        int[] broken = {0};
        Seeds.each(count, first, seed -> {
            Scenario scenario = Storm.withLies(seed, List.of(Liar.Who.CONTENDER, Liar.Who.VOTER));
            Simulation.broken(scenario, algorithm, Depth.NODE).ifPresent(rule -> {
                broken[0]++;
                if (rule.rule() == BrokenRule.Rule.NO_FAILURE || rule.rule() == BrokenRule.Rule.BOUNDED) {
                    throw new AssertionError("seed=" + seed + ": " + rule.getMessage() + "\n" + scenario, rule);
                }
            });
        });
        return broken[0];
    }

    /**
     * Runs random scenarios in which nodes go on standby and come back: every rule holds, and in the end an eligible
     * contender leads wherever there is one.
     *
     * @throws AssertionError as {@link #run(int, long, ElectionAlgorithm, Depth)}
     */
    public static Total runWithStandby(int count, long first, ElectionAlgorithm algorithm, Depth depth) {
        return run(count, first, algorithm, depth, Storm::withStandby);
    }

    /**
     * Runs random scenarios in which some links pass one way only, to the end: every rule holds, and each contended
     * path has a leader.
     *
     * @throws AssertionError as {@link #run(int, long, ElectionAlgorithm, Depth)}
     */
    public static Total runWithOneWayLinks(int count, long first, ElectionAlgorithm algorithm, Depth depth) {
        return run(count, first, algorithm, depth, Storm::withOneWayLinks);
    }

    /** The random scenario of this seed in which some links pass one way only. */
    public static Scenario scenarioWithOneWayLinks(long seed) {
        return Storm.withOneWayLinks(seed);
    }

    /**
     * Runs random scenarios in which leaders finish their work before they leave on purpose: every rule holds, and each
     * has left in time.
     *
     * @throws AssertionError as {@link #run(int, long, ElectionAlgorithm, Depth)}
     */
    public static Total runWithDrains(int count, long first, ElectionAlgorithm algorithm, Depth depth) {
        return run(count, first, algorithm, depth, Storm::withDrains);
    }

    /** The random scenario of this seed in which leaders finish their work before they leave. */
    public static Scenario scenarioWithDrains(long seed) {
        return Storm.withDrains(seed);
    }

    /**
     * Runs random scenarios in which the voters change during all other faults: every rule holds, nobody has other
     * voters under the same number, and in the end a change that is asked for is done. With drivers no directory is
     * lost.
     *
     * @throws AssertionError as {@link #run(int, long, ElectionAlgorithm, Depth)}
     */
    public static Total runWithChanges(int count, long first, ElectionAlgorithm algorithm, Depth depth) {
        return run(
                count,
                first,
                algorithm,
                depth,
                depth == Depth.NODE
                        ? Storm::withChanges
                        : seed -> Storm.withChanges(seed).without(Fault.Kind.WIPE));
    }

    /**
     * Runs random scenarios in which voters keep nothing on disk, restart soon and again, and have wall clocks that
     * jump by up to years: every rule holds, but tokens may fall.
     *
     * @throws AssertionError as {@link #run(int, long, ElectionAlgorithm, Depth)}
     */
    public static Total runWithoutDisks(int count, long first, ElectionAlgorithm algorithm, Depth depth) {
        return run(count, first, algorithm, depth, Storm::withoutDisks);
    }

    /**
     * Runs random scenarios in which nothing fails, and other nodes come to vote: no leader loses its leadership.
     *
     * @throws AssertionError as {@link #run(int, long, ElectionAlgorithm, Depth)}
     */
    public static Total runWithChangesAlone(int count, long first, ElectionAlgorithm algorithm, Depth depth) {
        return run(count, first, algorithm, depth, Storm::changesAlone);
    }

    /**
     * Runs random scenarios in which nodes change their algorithm and their rank order, one after the other, so that
     * they are mixed at random meanwhile: every rule holds. In the end all have the same, or each has its own; in both
     * cases each contended path has a leader within the usual bound.
     *
     * @param algorithms among which nodes change; at first all have the first of them
     * @throws AssertionError as {@link #run(int, long, ElectionAlgorithm, Depth)}
     */
    public static Total runMixed(int count, long first, List<ElectionAlgorithm> algorithms) {
        Mixture mixture = new Mixture(algorithms);
        // In frames: what one algorithm has written another one reads, as it may.
        return run(count, first, mixture, Depth.DRIVER, seed -> Storm.withSettings(seed, mixture.size()));
    }

    /** The random scenario of this seed in which other nodes come to vote. */
    public static Scenario scenarioWithChanges(long seed) {
        return Storm.withChanges(seed);
    }

    /** The random scenario of this seed in which nodes have more to do than they can. */
    public static Scenario overload(long seed) {
        return Overload.scenario(seed);
    }

    /**
     * Runs random scenarios in which nodes have more to do than they can, for a while: every rule holds, and what time
     * all paths may take until they are led again grows with their number.
     *
     * @throws AssertionError as {@link #run(int, long, ElectionAlgorithm, Depth)}
     */
    public static Total runOverloaded(int count, long first, ElectionAlgorithm algorithm, Depth depth) {
        return run(count, first, algorithm, depth, Overload::scenario);
    }

    /**
     * Runs the scenarios of {@code count} seeds from {@code first} on; with {@code -Dseed=N} that one alone.
     *
     * @throws AssertionError with the seed, the rule and the shrunk scenario, if one breaks a rule
     */
    public static Total run(int count, long first, ElectionAlgorithm algorithm, Depth depth) {
        return run(count, first, algorithm, depth, Storm::scenario);
    }

    static Total run(
            int count, long first, ElectionAlgorithm algorithm, Depth depth, LongFunction<Scenario> scenarios) {
        return run(count, first, new Mixture(List.of(algorithm)), depth, scenarios);
    }

    private static Total run(int count, long first, Mixture mixture, Depth depth, LongFunction<Scenario> scenarios) {
        long[] sums = new long[2];
        long begin = cpuNanos();
        Seeds.each(count, first, seed -> {
            Simulation.Outcome outcome = run(scenarios.apply(seed), mixture, depth);
            sums[0] += outcome.tenures();
            sums[1] += outcome.messages().values().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
        });
        return new Total(count, sums[0], sums[1], cpuNanos() - begin);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /**
     * Runs one.
     *
     * @throws AssertionError with the rule and the shrunk scenario, if it breaks one
     */
    public static Simulation.Outcome run(Scenario scenario, ElectionAlgorithm algorithm, Depth depth) {
        return run(scenario, new Mixture(List.of(algorithm)), depth);
    }

    private static Simulation.Outcome run(Scenario scenario, Mixture mixture, Depth depth) {
        try {
            return Simulation.run(scenario, mixture, depth);
        } catch (BrokenRule e) {
            Scenario small = Shrinker.shrink(
                    scenario, e.rule(), SHRINKING_RUNS_MAX, smaller -> Simulation.broken(smaller, mixture, depth));
            throw new AssertionError(
                    e.getMessage() + "\nThe smallest scenario that breaks " + e.rule() + " ("
                            + scenario.faults().size() + " faults before, "
                            + small.faults().size() + " now), algorithms "
                            + mixture.algorithms().stream()
                                    .map(ElectionAlgorithm::name)
                                    .toList()
                            + ":\n\n" + small + "\n" + Simulation.describe(small, mixture, depth) + "\n"
                            + picture(small, mixture, depth, e.rule()),
                    e);
        }
    }

    private static String picture(Scenario small, Mixture mixture, Depth depth, BrokenRule.Rule rule) {
        String name = mixture.algorithm(0).name() + " " + rule + " seed " + small.seed();
        return PictureFile.write("storm " + name, () -> Simulation.record(small, mixture, depth, name));
    }
}
