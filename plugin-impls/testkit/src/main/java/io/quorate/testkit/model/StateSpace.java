package io.quorate.testkit.model;

import io.quorate.testkit.model.Fingerprints.Ints;
import io.quorate.testkit.model.ModelChecker.Eventual;
import io.quorate.testkit.model.ModelChecker.Moment;
import io.quorate.testkit.model.ModelChecker.Result;
import io.quorate.testkit.model.ModelChecker.Violation;
import io.quorate.testkit.model.ModelChecker.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Breadth-first exploration. A state that has been left keeps only its fingerprint, its predecessor and the step from
 * it; a trace is found by replaying those steps from the start.
 */
final class StateSpace {

    private final ModelChecker model;
    private final LocalStates locals;
    private final Successors successors;
    private final Fingerprints seen = new Fingerprints();
    private final Ints parents = new Ints();
    private final Ints steps = new Ints();
    /** For liveness: the steps that are no faults, as pairs of states; and the states at which a goal is reached. */
    private final Ints from = new Ints();

    private final Ints to = new Ints();
    private final Map<String, BitSet> goalStates = new LinkedHashMap<>();
    private final Set<String> reached = new LinkedHashSet<>();
    private final BitSet cutOff = new BitSet();

    private long transitions;
    private int lastNumber;

    StateSpace(ModelChecker model) {
        this.model = model;
        this.locals = new LocalStates(model);
        this.successors = new Successors(model, locals);
        model.eventual().keySet().forEach(name -> goalStates.put(name, new BitSet()));
    }

    Result explore() {
        Deque<int[]> frontier = new ArrayDeque<>();
        Optional<String> broken = discover(successors.initial(), -1, 0, frontier);
        int depth = 0;
        int levelEnd = 0;
        for (int number = 0; broken.isEmpty() && !frontier.isEmpty(); number++) {
            if (number > levelEnd) {
                depth++;
                levelEnd = seen.size() - 1;
            }
            if (!cutOff.get(number)) {
                broken = leave(number, frontier.remove(), frontier);
            }
            if (model.stopsAtStatesMax && seen.size() > model.statesMax) {
                frontier.clear();
                cutOff.set(number + 1, seen.size());
            }
        }
        Optional<Violation> violation = broken.map(name -> violation(name, seen.size() - 1));
        if (violation.isEmpty()) {
            violation = stuck();
        }
        return new Result(seen.size(), cutOff.cardinality(), transitions, depth, violation, reached, locals.handled());
    }

    /** Takes every step out of a state; stops at the first broken property. */
    private Optional<String> leave(int number, int[] state, Deque<int[]> frontier) {
        List<int[]> nexts = new ArrayList<>();
        BitSet faults = new BitSet();
        successors.expand(state, (next, isFault, name) -> {
            faults.set(nexts.size(), isFault);
            nexts.add(next);
        });
        Optional<String> broken = Optional.empty();
        for (int step = 0; step < nexts.size() && broken.isEmpty(); step++) {
            transitions++;
            broken = discover(nexts.get(step), number, step, frontier);
            if (model.hasEventual() && !faults.get(step)) {
                from.add(number);
                to.add(lastNumber);
            }
        }
        return broken;
    }

    private Optional<String> discover(int[] state, int parent, int step, Deque<int[]> frontier) {
        int known = seen.size();
        lastNumber = seen.numberOf(successors.fingerprint(state));
        if (lastNumber < known) {
            return Optional.empty();
        }
        if (known > model.statesMax && !model.stopsAtStatesMax) {
            throw new AssertionError("more than " + model.statesMax + " states: the model is not bounded");
        }
        parents.add(parent);
        steps.add(step);
        StateView view = successors.view(state);
        if (model.isWithin(view)) {
            frontier.add(state);
        } else {
            cutOff.set(lastNumber);
        }
        return judge(view);
    }

    /** A state from which a goal cannot be reached any more without a fault. */
    private Optional<Violation> stuck() {
        for (Map.Entry<String, Eventual> eventual : model.eventual().entrySet()) {
            BitSet good = goalStates.get(eventual.getKey());
            good.or(cutOff);
            if (eventual.getValue().isForGood()) {
                removeAllThatCanBeLeft(good);
            }
            addAllThatLeadTo(good);
            int stuck = good.nextClearBit(0);
            if (stuck < seen.size()) {
                return Optional.of(violation(eventual.getKey(), stuck));
            }
        }
        return Optional.empty();
    }

    // Both by passes over all steps, from the last one back, as most lead from a state to one that was found later.

    private void removeAllThatCanBeLeft(BitSet good) {
        for (boolean isChanged = true; isChanged; ) {
            isChanged = false;
            for (int edge = from.size() - 1; edge >= 0; edge--) {
                if (!good.get(to.get(edge)) && good.get(from.get(edge))) {
                    good.clear(from.get(edge));
                    isChanged = true;
                }
            }
        }
    }

    private void addAllThatLeadTo(BitSet good) {
        for (boolean isChanged = true; isChanged; ) {
            isChanged = false;
            for (int edge = from.size() - 1; edge >= 0; edge--) {
                if (good.get(to.get(edge)) && !good.get(from.get(edge))) {
                    good.set(from.get(edge));
                    isChanged = true;
                }
            }
        }
    }

    private Optional<String> judge(StateView view) {
        model.goals().forEach((name, goal) -> {
            if (!reached.contains(name) && goal.test(view)) {
                reached.add(name);
            }
        });
        model.eventual().forEach((name, eventual) -> {
            if (eventual.goal().test(view)) {
                goalStates.get(name).set(lastNumber);
            }
        });
        return model.broken(view);
    }

    private Violation violation(String property, int number) {
        Deque<Integer> way = new ArrayDeque<>();
        for (int at = number; at > 0; at = parents.get(at)) {
            way.push(steps.get(at));
        }
        List<Moment> run = new ArrayList<>();
        int[] state = successors.initial();
        World first = successors.view(state);
        for (int taken : way) {
            List<int[]> states = new ArrayList<>();
            List<Supplier<Moment>> moments = new ArrayList<>();
            successors.expand(state, (next, isFault, step) -> {
                states.add(next);
                moments.add(() -> new Moment(step.get(), isFault, successors.view(next)));
            });
            state = states.get(taken);
            run.add(moments.get(taken).get());
        }
        return new Violation(property, first, run);
    }
}
