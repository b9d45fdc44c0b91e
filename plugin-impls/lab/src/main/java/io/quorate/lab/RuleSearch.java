package io.quorate.lab;

import io.quorate.spi.Check;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Guarantee;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.testkit.model.AlgorithmFailed;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.ModelChecker.Result;
import io.quorate.testkit.model.ModelChecker.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks for the shortest run that breaks a rule: first without a fault, then with one fault of each kind, then with all
 * of these together. In each case a bound holds for the states, and so for the memory.
 */
final class RuleSearch {

    /** So many states of each case are looked at: seconds, and a hundred megabytes. */
    static final int STATES_MAX = 100_000;

    /** With more processes even short runs are too many. */
    static final int SIZE_MAX = 5;

    /** So many of each may happen. */
    record Faults(
            String words, int crashes, int restarts, int losses, int copies, int earlyTimeouts, int wrongSuspicions) {

        ModelChecker in(ModelChecker check) {
            return check.crashes(crashes)
                    .restarts(restarts)
                    .losses(losses)
                    .duplicates(copies)
                    .earlyTimeouts(earlyTimeouts)
                    .falseSuspicions(wrongSuspicions);
        }
    }

    /** Each of them is looked at. */
    static final List<Faults> CASES = List.of(
            new Faults("no fault", 0, 0, 0, 0, 0, 0),
            new Faults("a crash", 1, 0, 0, 0, 0, 0),
            new Faults("a crash and a restart", 1, 1, 0, 0, 0, 0),
            new Faults("a lost message", 0, 0, 1, 0, 0, 0),
            new Faults("a message that arrives twice", 0, 0, 0, 1, 0, 0),
            new Faults("a timer that fires early", 0, 0, 0, 0, 1, 0),
            new Faults("a wrong suspicion", 0, 0, 0, 0, 0, 1),
            new Faults("one of each of these", 1, 1, 1, 1, 1, 1));

    /**
     * The result of the search.
     *
     * @param violation  the shortest run, if there is one
     * @param faults     of the case in which it was found
     * @param states     how many were looked at, in all cases together
     * @param unfinished the cases in which there are more states than the bound
     */
    record Found(Optional<Violation> violation, Faults faults, long states, List<String> unfinished) {
        /** Names the cases with more states, as a sentence; empty if there is none. */
        String more() {
            return unfinished.isEmpty() ? "" : " There are more with: " + String.join("; ", unfinished) + ".";
        }
    }

    private final ElectionAlgorithm algorithm;
    private final Variant variant;
    private final int size;
    private final int statesMax;

    /**
     * A search with so many processes.
     *
     * @param size      from 1 to {@link #SIZE_MAX}
     * @param statesMax so many states of each case; {@link #STATES_MAX} is a good number
     */
    RuleSearch(ElectionAlgorithm algorithm, Variant variant, int size, int statesMax) {
        Check.argument(1 <= size && size <= SIZE_MAX, "%d processes: must be 1 to %d", size, SIZE_MAX);
        this.algorithm = algorithm;
        this.variant = variant;
        this.size = size;
        this.statesMax = statesMax;
    }

    /** The cases that are looked at, in words. */
    static List<String> cases() {
        return CASES.stream().map(Faults::words).toList();
    }

    /** Whether the algorithm says that it keeps this promise. */
    boolean promises(Guarantee guarantee) {
        return promises(algorithm, variant, guarantee);
    }

    private static boolean promises(ElectionAlgorithm algorithm, Variant variant, Guarantee guarantee) {
        return AlgorithmFailed.asked(algorithm, () -> "guarantees(" + variant + ")", () -> algorithm
                .guarantees(variant)
                .contains(guarantee));
    }

    /** The simple name of the class that an algorithm runs in. */
    static String machine(ElectionAlgorithm algorithm, Variant variant) {
        Options options = new Options(variant, false, false);
        return AlgorithmFailed.asked(algorithm, () -> "the making of P0", () -> algorithm
                .create(Membership.of(0, 1), new Timing(1), options)
                .getClass()
                .getSimpleName());
    }

    /**
     * Looks for it; of equally short runs, the one of an earlier case.
     *
     * @throws AlgorithmFailed if the algorithm throws
     */
    Found run(ElectionRule rule) {
        Optional<Violation> shortest = Optional.empty();
        Faults ofShortest = CASES.get(0);
        long states = 0;
        List<String> unfinished = new ArrayList<>();
        for (Faults faults : CASES) {
            Result result = rule.in(faults.in(model(algorithm, variant, size)))
                    .statesMax(statesMax)
                    .stopAtStatesMax()
                    .run();
            states += result.states();
            if (result.cutOff() > 0) {
                unfinished.add(faults.words);
            }
            if (isShorter(result.violation(), shortest)) {
                shortest = result.violation();
                ofShortest = faults;
            }
        }
        return new Found(shortest, ofShortest, states, unfinished);
    }

    private static boolean isShorter(Optional<Violation> found, Optional<Violation> before) {
        return found.isPresent()
                && (before.isEmpty()
                        || found.get().run().size() < before.get().run().size());
    }

    /**
     * A check of the algorithm alone, without faults. A detector that it does not need would only multiply its states.
     */
    static ModelChecker model(ElectionAlgorithm algorithm, Variant variant, int size) {
        ModelChecker model = ModelChecker.of(algorithm, new Options(variant, false, false), size);
        return promises(algorithm, variant, Guarantee.NEEDS_NO_DETECTOR) ? model.withoutDetector() : model;
    }
}
