package io.quorate.testkit.model;

import io.quorate.testkit.model.LocalStates.Local;
import io.quorate.testkit.model.LocalStates.Outcome;
import io.quorate.testkit.model.LocalStates.Timer;
import io.quorate.testkit.model.ModelChecker.Clocks;
import io.quorate.testkit.model.ModelChecker.Links;
import io.quorate.testkit.model.ModelChecker.Sent;
import io.quorate.testkit.model.Step.What;
import io.quorate.testkit.picture.Naming;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * The possible next steps. A state of the world is one {@code int[]}: a number per process, the used budgets, and a
 * number per message on its way.
 */
final class Successors {

    // Where the budgets stand, behind the processes.
    private static final int CRASHES = 0;
    private static final int RESTARTS = 1;
    private static final int LOSSES = 2;
    private static final int DUPLICATES = 3;
    private static final int EARLY = 4;
    private static final int FALSE_SUSPICIONS = 5;
    private static final int PRIORITY_CHANGES = 6;
    private static final int BUDGETS = 7;

    private final ModelChecker model;
    private final LocalStates locals;
    private final int header;

    interface Sink {
        void accept(int[] next, boolean isFault, Supplier<Step> step);
    }

    Successors(ModelChecker model, LocalStates locals) {
        this.model = model;
        this.locals = locals;
        this.header = model.size + BUDGETS;
    }

    // ---------------------------------------------------------------- states

    int[] initial() {
        int[] state = new int[header];
        for (int process = 0; process < model.size; process++) {
            state[process] = locals.unborn(process);
        }
        if (model.startsAtOnce) {
            for (int process = 0; process < model.size; process++) {
                state = started(state, process);
            }
        }
        return state;
    }

    private int[] started(int[] state, int process) {
        return apply(state, process, locals.start(state[process]), -1);
    }

    StateView view(int[] state) {
        return new StateView(locals, model.size, header, state, isQuiet(state));
    }

    private boolean isQuiet(int[] state) {
        return state.length == header && !notices(state, (next, isFault, name) -> {});
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

    long fingerprint(int[] state) {
        long sum = 0;
        for (int process = 0; process < model.size; process++) {
            sum += locals.local(state[process]).fingerprint();
        }
        for (int budget = 0; budget < BUDGETS; budget++) {
            sum += LocalStates.mix((long) budget << 32 | state[model.size + budget]);
        }
        int position = 0;
        for (int i = header; i < state.length; i++) {
            boolean isFollower = model.links == Links.FIFO && i > header && rank(state[i]) == rank(state[i - 1]);
            position = isFollower ? position + 1 : 0;
            sum += LocalStates.mix(locals.messageFingerprint(state[i]) + position * 0x9e3779b97f4a7c15L);
        }
        return sum;
    }

    // ---------------------------------------------------------------- steps

    private Step step(What what, int process, String words, int... sent) {
        return new Step("P" + process + " " + words, what, process, Optional.empty(), messages(sent));
    }

    private List<Sent> messages(int... numbers) {
        return Arrays.stream(numbers).mapToObj(locals::message).toList();
    }

    void expand(int[] state, Sink sink) {
        deliveries(state, sink);
        boolean isSomethingToNotice = notices(state, sink);
        boolean isQuiet = state.length == header && !isSomethingToNotice;
        for (int process = 0; process < model.size; process++) {
            int at = process;
            Local local = locals.local(state[process]);
            if (local.isAlive()) {
                timers(state, process, isQuiet, sink);
                falseSuspicions(state, process, sink);
                priorityChange(state, process, sink);
                crash(state, process, sink);
            } else if (!local.isStarted()) {
                sink.accept(
                        started(state, process),
                        false,
                        () -> step(
                                What.STARTED,
                                at,
                                "starts",
                                locals.start(state[at]).sent()));
            } else if (state[model.size + RESTARTS] < model.restarts) {
                int[] next = spend(state, RESTARTS);
                sink.accept(
                        started(next, process),
                        true,
                        () -> step(
                                What.RESTARTED,
                                at,
                                "restarts",
                                locals.start(state[at]).sent()));
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
            Supplier<String> words =
                    () -> "P" + sent.to() + " gets " + Naming.written(sent.message()) + " from P" + sent.from();
            boolean isStale = locals.local(state[sent.from()]).life().incarnation() != sent.incarnation();
            if (isStale) {
                sink.accept(
                        without(state, i),
                        false,
                        () -> new Step(
                                words.get() + " of a former life",
                                What.IGNORED,
                                sent.to(),
                                Optional.of(sent),
                                List.of()));
                continue;
            }
            Outcome outcome = locals.receive(state[sent.to()], message);
            sink.accept(
                    apply(state, sent.to(), outcome, i),
                    false,
                    () -> new Step(words.get(), What.RECEIVED, sent.to(), Optional.of(sent), messages(outcome.sent())));
            if (state[model.size + LOSSES] < model.losses) {
                sink.accept(
                        without(spend(state, LOSSES), i),
                        true,
                        () -> new Step(
                                words.get() + ", but it is lost", What.LOST, sent.to(), Optional.of(sent), List.of()));
            }
            if (state[model.size + DUPLICATES] < model.duplicates) {
                sink.accept(
                        apply(spend(state, DUPLICATES), sent.to(), outcome, -1),
                        true,
                        () -> new Step(
                                words.get() + ", and will again",
                                What.COPIED,
                                sent.to(),
                                Optional.of(sent),
                                messages(outcome.sent())));
            }
        }
    }

    /**
     * Adds the changes that the detectors must notice; returns whether there are any. Without a detector only a wrong
     * suspicion is taken back.
     */
    private boolean notices(int[] state, Sink sink) {
        if (!model.hasDetector && state[model.size + FALSE_SUSPICIONS] == 0) {
            return false;
        }
        boolean isSomething = false;
        for (int process = 0; process < model.size; process++) {
            Local local = locals.local(state[process]);
            for (int other = 0; local.isAlive() && other < model.size; other++) {
                Local peer = locals.local(state[other]);
                if (other == process || !peer.isStarted() || peer.isAlive() != local.suspects(other)) {
                    continue;
                }
                if (!model.hasDetector && !peer.isAlive()) {
                    continue;
                }
                isSomething = true;
                int by = process;
                int of = other;
                Outcome outcome =
                        peer.isAlive() ? locals.trust(state[process], other) : locals.suspect(state[process], other);
                sink.accept(
                        apply(state, process, outcome, -1),
                        false,
                        () -> peer.isAlive()
                                ? step(What.TRUSTED, by, "trusts P" + of, outcome.sent())
                                : step(What.SUSPECTED, by, "suspects P" + of, outcome.sent()));
            }
        }
        return isSomething;
    }

    private void timers(int[] state, int process, boolean isQuiet, Sink sink) {
        if (!isQuiet && state[model.size + EARLY] >= model.earlyTimeouts) {
            return;
        }
        long untilNext = untilNext(state, process);
        int[] spent = isQuiet ? state : spend(state, EARLY);
        for (Timer timer : locals.local(state[process]).timers()) {
            if (timer.left() <= untilNext) {
                int[] before = passed(spent, process, timer.left());
                Outcome outcome = locals.fire(state[process], timer);
                sink.accept(
                        apply(before, process, outcome, -1),
                        !isQuiet,
                        () -> step(
                                What.TIMER,
                                process,
                                "timer " + locals.timerName(timer.number()) + (isQuiet ? "" : ", early"),
                                outcome.sent()));
            }
        }
    }

    /** How long until some timer fires: one of the process, or of anybody. */
    private long untilNext(int[] state, int process) {
        if (model.clocks == Clocks.NONE) {
            return 0;
        }
        long untilNext = locals.local(state[process]).untilNext();
        for (int other = 0; model.clocks == Clocks.COMMON && other < model.size; other++) {
            untilNext = Math.min(untilNext, locals.local(state[other]).untilNext());
        }
        return untilNext;
    }

    /** The state when it has become so late, at everybody but the process that will be told so by its timer. */
    private int[] passed(int[] state, int process, long elapsed) {
        if (elapsed == 0 || model.clocks != Clocks.COMMON) {
            return state;
        }
        int[] next = state.clone();
        for (int other = 0; other < model.size; other++) {
            if (other != process && locals.local(state[other]).isAlive()) {
                next[other] = locals.passed(state[other], elapsed);
            }
        }
        return next;
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
                sink.accept(
                        apply(spend(state, FALSE_SUSPICIONS), process, outcome, -1),
                        true,
                        () -> step(What.SUSPECTED, process, "wrongly suspects P" + of, outcome.sent()));
            }
        }
    }

    /** The change with number n, from 1, moves all priorities on by n processes. */
    private void priorityChange(int[] state, int process, Sink sink) {
        int change = state[model.size + PRIORITY_CHANGES] + 1;
        if (change <= model.priorityChanges
                && locals.local(state[process]).leader().equals(OptionalInt.of(process))) {
            Outcome outcome = locals.changePriorities(state[process], change);
            sink.accept(
                    apply(spend(state, PRIORITY_CHANGES), process, outcome, -1),
                    true,
                    () -> step(What.PRIORITIES, process, "is told of other priorities", outcome.sent()));
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
        next[process] = locals.crash(state[process]);
        sink.accept(next, true, () -> step(What.CRASHED, process, "crashes"));
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
