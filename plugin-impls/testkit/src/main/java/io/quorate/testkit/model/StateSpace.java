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
    /** The first state that breaks each property. */
    private final Map<String, Integer> broken = new LinkedHashMap<>();

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
        discover(successors.initial(), -1, 0, frontier);
        int depth = 0;
        int levelEnd = 0;
        for (int number = 0; !hasEnded() && !frontier.isEmpty(); number++) {
            if (number > levelEnd) {
                depth++;
                levelEnd = seen.size() - 1;
            }
            if (!cutOff.get(number)) {
                leave(number, frontier.remove(), frontier);
            }
            if (model.stopsAtStatesMax && seen.size() > model.statesMax) {
                frontier.clear();
                cutOff.set(number + 1, seen.size());
            }
        }
        model.eventual().forEach(this::addStuck);
        List<Violation> violations = broken.entrySet().stream()
                .map(one -> violation(one.getKey(), one.getValue()))
                .toList();
        return new Result(seen.size(), cutOff.cardinality(), transitions, depth, violations, reached, locals.handled());
    }

    /** Whether one broken property is enough, and was found. */
    private boolean hasEnded() {
        return !model.findsAll && !broken.isEmpty();
    }

    /** Takes every step out of a state. */
    private void leave(int number, int[] state, Deque<int[]> frontier) {
        List<int[]> nexts = new ArrayList<>();
        BitSet faults = new BitSet();
        successors.expand(state, (next, isFault, name) -> {
            faults.set(nexts.size(), isFault);
            nexts.add(next);
        });
        for (int step = 0; step < nexts.size() && !hasEnded(); step++) {
            transitions++;
            discover(nexts.get(step), number, step, frontier);
            if (model.hasEventual() && !faults.get(step)) {
                from.add(number);
                to.add(lastNumber);
            }
        }
    }

    private void discover(int[] state, int parent, int step, Deque<int[]> frontier) {
        int known = seen.size();
        lastNumber = seen.numberOf(successors.fingerprint(state));
        if (lastNumber < known) {
            return;
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
        judge(view);
    }

    /** Looks for a state from which the goal cannot be reached any more without a fault. */
    private void addStuck(String name, Eventual eventual) {
        if (!hasEnded()) {
            BitSet good = goalStates.get(name);
            good.or(cutOff);
            if (eventual.isForGood()) {
                removeAllThatCanBeLeft(good);
            }
            addAllThatLeadTo(good);
            int stuck = good.nextClearBit(0);
            if (stuck < seen.size()) {
                broken.put(name, stuck);
            }
        }
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

    private void judge(StateView view) {
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
        model.addBroken(view, lastNumber, broken);
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
