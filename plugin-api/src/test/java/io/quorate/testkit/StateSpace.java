package io.quorate.testkit;

import io.quorate.spi.Event;
import io.quorate.testkit.Fingerprints.Ints;
import io.quorate.testkit.LocalStates.Local;
import io.quorate.testkit.LocalStates.Outcome;
import io.quorate.testkit.LocalStates.Sent;
import io.quorate.testkit.ModelChecker.Links;
import io.quorate.testkit.ModelChecker.Result;
import io.quorate.testkit.ModelChecker.Violation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Breadth-first exploration. A state of the world is one {@code int[]}: a number per process, the used budgets, and a
 * number per message on its way. Of states that have been left, only the fingerprint, the predecessor and the step from
 * it are kept; a trace is found by replaying those steps from the start.
 */
final class StateSpace {

    // Where the budgets stand, behind the processes.
    private static final int CRASHES = 0;
    private static final int RESTARTS = 1;
    private static final int LOSSES = 2;
    private static final int DUPLICATES = 3;
    private static final int EARLY = 4;
    private static final int FALSE_SUSPICIONS = 5;
    private static final int BUDGETS = 6;

    private final ModelChecker model;
    private final LocalStates locals;
    private final int header;
    private final Fingerprints seen = new Fingerprints();
    private final Ints parents = new Ints();
    private final Ints steps = new Ints();
    /** For liveness: the steps that are no faults, as pairs of states; and the states at which a goal is reached. */
    private final Ints from = new Ints();
    private final Ints to = new Ints();
    private final Map<String, BitSet> goalStates = new LinkedHashMap<>();
    private final Set<String> reached = new LinkedHashSet<>();
    private long transitions;
    private int lastNumber;

    /** Takes the successors of one state. */
    private interface Sink {
        void accept(int[] next, boolean isFault, Supplier<String> step);
    }

    StateSpace(ModelChecker model) {
        this.model = model;
        this.locals = new LocalStates(model);
        this.header = model.size + BUDGETS;
        model.eventual().keySet().forEach(name -> goalStates.put(name, new BitSet()));
    }

    Result explore() {
        Deque<int[]> frontier = new ArrayDeque<>();
        Optional<String> broken = discover(initial(), -1, 0, frontier);
        int depth = 0;
        int levelEnd = 0;
        for (int number = 0; broken.isEmpty() && !frontier.isEmpty(); number++) {
            if (number > levelEnd) {
                depth++;
                levelEnd = seen.size() - 1;
            }
            broken = leave(number, frontier.remove(), frontier);
        }
        Optional<Violation> violation = broken.map(name -> new Violation(name, trace(seen.size() - 1)));
        if (violation.isEmpty()) {
            violation = stuck();
        }
        return new Result(seen.size(), transitions, depth, violation, reached, locals.handled());
    }

    /** Takes every step out of a state; stops at the first broken property. */
    private Optional<String> leave(int number, int[] state, Deque<int[]> frontier) {
        List<int[]> nexts = new ArrayList<>();
        BitSet faults = new BitSet();
        expand(state, (next, isFault, name) -> {
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
        lastNumber = seen.numberOf(fingerprint(state));
        if (lastNumber < known) {
            return Optional.empty();
        }
        if (known > model.statesMax && model.stopsAtStatesMax) {
            frontier.clear();
        } else if (known > model.statesMax) {
            throw new AssertionError("more than " + model.statesMax + " states: the model is not bounded");
        }
        parents.add(parent);
        steps.add(step);
        frontier.add(state);
        return judge(state);
    }

    /** A state from which a goal cannot be reached any more without a fault, by one backward pass per goal. */
    private Optional<Violation> stuck() {
        for (Map.Entry<String, BitSet> goal : goalStates.entrySet()) {
            BitSet can = goal.getValue();
            for (boolean isChanged = true; isChanged;) {
                isChanged = false;
                for (int edge = from.size() - 1; edge >= 0; edge--) {
                    if (can.get(to.get(edge)) && !can.get(from.get(edge))) {
                        can.set(from.get(edge));
                        isChanged = true;
                    }
                }
            }
            int stuck = can.nextClearBit(0);
            if (stuck < seen.size()) {
                return Optional.of(new Violation(goal.getKey(), trace(stuck)));
            }
        }
        return Optional.empty();
    }

    private Optional<String> judge(int[] state) {
        StateView view = view(state);
        model.goals().forEach((name, goal) -> {
            if (!reached.contains(name) && goal.test(view)) {
                reached.add(name);
            }
        });
        model.eventual().forEach((name, goal) -> {
            if (goal.test(view)) {
                goalStates.get(name).set(lastNumber);
            }
        });
        return model.broken(view);
    }

    private StateView view(int[] state) {
        boolean isQuiet = state.length == header && !notices(state, (next, isFault, name) -> { });
        return new StateView(locals, model.size, header, state, isQuiet);
    }

    private List<String> trace(int number) {
        Deque<Integer> way = new ArrayDeque<>();
        for (int at = number; at > 0; at = parents.get(at)) {
            way.push(steps.get(at));
        }
        List<String> lines = new ArrayList<>();
        int[] state = initial();
        for (int step : way) {
            List<int[]> states = new ArrayList<>();
            List<String> names = new ArrayList<>();
            expand(state, (next, isFault, name) -> {
                states.add(next);
                names.add(name.get());
            });
            state = states.get(step);
            lines.add(names.get(step) + "   |" + view(state));
        }
        return lines;
    }

    // ---------------------------------------------------------------- states

    private int[] initial() {
        int[] state = new int[header];
        for (int process = 0; process < model.size; process++) {
            state[process] = locals.down(process, 0);
        }
        if (model.startsAtOnce) {
            for (int process = 0; process < model.size; process++) {
                state = started(state, process, 1);
            }
        }
        return state;
    }

    private int[] started(int[] state, int process, int incarnation) {
        OptionalInt leader = incarnation == 1 ? model.initialLeader : OptionalInt.empty();
        Outcome outcome = locals.start(state[process], new Event.Start(incarnation, Event.Saved.NOTHING, leader));
        return apply(state, process, outcome, -1);
    }

    /** The state after the outcome at one process; the message at {@code consumed}, if not negative, is gone. */
    private int[] apply(int[] state, int process, Outcome outcome, int consumed) {
        int kept = state.length - (consumed >= 0 ? 1 : 0);
        int[] next = new int[kept + outcome.sent().length];
        copyWithout(state, consumed, next);
        next[process] = outcome.local();
        int length = kept;
        for (int sent : outcome.sent()) {
            Local receiver = locals.local(next[locals.message(sent).to()]);
            if (receiver.isAlive() || !receiver.isStarted() && model.startsAtOnce) {
                next[length++] = sent;
            }
        }
        return sorted(length == next.length ? next : Arrays.copyOf(next, length));
    }

    private static void copyWithout(int[] state, int index, int[] into) {
        if (index < 0) {
            System.arraycopy(state, 0, into, 0, state.length);
        } else {
            System.arraycopy(state, 0, into, 0, index);
            System.arraycopy(state, index + 1, into, index, state.length - index - 1);
        }
    }

    /** Messages in an order that does not depend on how the state came about. */
    private int[] sorted(int[] state) {
        // Insertion sort, which is stable: messages of one link keep their order. There are few.
        for (int i = header + 1; i < state.length; i++) {
            int message = state[i];
            long rank = rank(message);
            int at = i;
            while (at > header && rank(state[at - 1]) > rank) {
                state[at] = state[at - 1];
                at--;
            }
            state[at] = message;
        }
        return state;
    }

    private long rank(int message) {
        if (model.links == Links.UNORDERED) {
            return message;
        }
        Sent sent = locals.message(message);
        return sent.from() * model.size + sent.to();
    }

    private long fingerprint(int[] state) {
        long sum = 0;
        for (int process = 0; process < model.size; process++) {
            sum += LocalStates.mix(locals.local(state[process]).fingerprint());
        }
        for (int budget = 0; budget < BUDGETS; budget++) {
            sum += LocalStates.mix((long) budget << 32 | state[model.size + budget]);
        }
        int position = 0;
        for (int i = header; i < state.length; i++) {
            boolean isFollower = model.links == Links.FIFO && i > header && rank(state[i]) == rank(state[i - 1]);
            position = isFollower ? position + 1 : 0;
            sum += LocalStates.mix(locals.message(state[i]).fingerprint() + position * 0x9e3779b97f4a7c15L);
        }
        return sum;
    }

    // ---------------------------------------------------------------- steps

    private void expand(int[] state, Sink sink) {
        deliveries(state, sink);
        boolean isSomethingToNotice = notices(state, sink);
        boolean isQuiet = state.length == header && !isSomethingToNotice;
        for (int process = 0; process < model.size; process++) {
            int at = process;
            Local local = locals.local(state[process]);
            if (local.isAlive()) {
                timers(state, process, isQuiet, sink);
                falseSuspicions(state, process, sink);
                crash(state, process, sink);
            } else if (!local.isStarted()) {
                sink.accept(started(state, process, 1), false, () -> "P" + at + " starts");
            } else if (state[model.size + RESTARTS] < model.restarts) {
                int[] next = spend(state, RESTARTS);
                sink.accept(started(next, process, local.incarnation() + 1), true, () -> "P" + at + " restarts");
            }
        }
    }

    private void deliveries(int[] state, Sink sink) {
        for (int i = header; i < state.length; i++) {
            boolean isFirst = i == header || rank(state[i]) != rank(state[i - 1]);
            boolean isCopy = model.links == Links.UNORDERED && i > header && state[i] == state[i - 1];
            if (model.links == Links.FIFO ? !isFirst : isCopy) {
                continue;
            }
            int message = state[i];
            Sent sent = locals.message(message);
            Supplier<String> name = () -> "P" + sent.to() + " gets " + sent.message() + " from P" + sent.from();
            boolean isStale = locals.local(state[sent.from()]).incarnation() != sent.incarnation();
            if (isStale) {
                sink.accept(without(state, i), false, () -> name.get() + " of a former life");
                continue;
            }
            Outcome outcome = locals.receive(state[sent.to()], message);
            sink.accept(apply(state, sent.to(), outcome, i), false, name);
            if (state[model.size + LOSSES] < model.losses) {
                sink.accept(without(spend(state, LOSSES), i), true,
                        () -> name.get() + ", but it is lost");
            }
            if (state[model.size + DUPLICATES] < model.duplicates) {
                sink.accept(apply(spend(state, DUPLICATES), sent.to(), outcome, -1), true,
                        () -> name.get() + ", and will again");
            }
        }
    }

    /** What the detectors have to notice; answers whether there is something. */
    private boolean notices(int[] state, Sink sink) {
        boolean isSomething = false;
        for (int process = 0; process < model.size; process++) {
            Local local = locals.local(state[process]);
            for (int other = 0; local.isAlive() && other < model.size; other++) {
                Local peer = locals.local(state[other]);
                if (other == process || !peer.isStarted() || peer.isAlive() != local.suspects(other)) {
                    continue;
                }
                isSomething = true;
                int by = process;
                int of = other;
                Outcome outcome = peer.isAlive() ? locals.trust(state[process], other)
                        : locals.suspect(state[process], other);
                sink.accept(apply(state, process, outcome, -1), false,
                        () -> "P" + by + (peer.isAlive() ? " trusts P" : " suspects P") + of);
            }
        }
        return isSomething;
    }

    private void timers(int[] state, int process, boolean isQuiet, Sink sink) {
        if (!isQuiet && state[model.size + EARLY] >= model.earlyTimeouts) {
            return;
        }
        for (String timer : locals.local(state[process]).timers()) {
            Outcome outcome = locals.fire(state[process], locals.timerNumber(timer));
            sink.accept(apply(isQuiet ? state : spend(state, EARLY), process, outcome, -1), !isQuiet,
                    () -> "P" + process + " timer " + timer + (isQuiet ? "" : ", early"));
        }
    }

    private void falseSuspicions(int[] state, int process, Sink sink) {
        if (state[model.size + FALSE_SUSPICIONS] >= model.falseSuspicions) {
            return;
        }
        for (int other = 0; other < model.size; other++) {
            int of = other;
            Local local = locals.local(state[process]);
            if (other != process && locals.local(state[other]).isAlive() && !local.suspects(other)) {
                Outcome outcome = locals.suspect(state[process], other);
                sink.accept(apply(spend(state, FALSE_SUSPICIONS), process, outcome, -1), true,
                        () -> "P" + process + " wrongly suspects P" + of);
            }
        }
    }

    private void crash(int[] state, int process, Sink sink) {
        int alive = 0;
        for (int other = 0; other < model.size; other++) {
            alive += locals.local(state[other]).isAlive() ? 1 : 0;
        }
        if (state[model.size + CRASHES] >= model.crashes || alive == 1) {
            return;
        }
        int[] next = spend(state, CRASHES);
        int length = header;
        for (int i = header; i < next.length; i++) {
            if (locals.message(next[i]).to() != process) {
                next[length++] = next[i];
            }
        }
        next = Arrays.copyOf(next, length);
        next[process] = locals.down(process, locals.local(state[process]).incarnation());
        sink.accept(next, true, () -> "P" + process + " crashes");
    }

    private static int[] without(int[] state, int index) {
        int[] next = new int[state.length - 1];
        copyWithout(state, index, next);
        return next;
    }

    private int[] spend(int[] state, int budget) {
        int[] next = state.clone();
        next[model.size + budget]++;
        return next;
    }
}
