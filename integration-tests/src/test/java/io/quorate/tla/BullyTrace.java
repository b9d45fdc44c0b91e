package io.quorate.tla;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A random run of shipped faithful bully machines in the world of BullyF.tla, one record of TLA+ per step. Here
 * processes count from 0, in the trace from 1.
 */
final class BullyTrace {

    private static final double FAULTS = 0.06;

    /** A message on its way, from one life of its sender. */
    private record Packet(Message message, int incarnation) {
    }

    /** One process, dead or alive, and what is on its way to each other one. */
    private static final class Process {
        Election machine;
        boolean isAlive = true;
        int incarnation = 1;
        final Set<Integer> suspects = new TreeSet<>();
        final Set<String> timers = new TreeSet<>();
        final List<Deque<Packet>> links = new ArrayList<>();

        Process(int size) {
            for (int to = 0; to < size; to++) {
                links.add(new ArrayDeque<>());
            }
        }
    }

    private final ElectionAlgorithm algorithm;
    private final Random random;
    private final List<Process> processes = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();

    private BullyTrace(ElectionAlgorithm algorithm, int size, long seed) {
        this.algorithm = algorithm;
        this.random = new Random(seed);
        for (int p = 0; p < size; p++) {
            processes.add(new Process(size));
        }
        for (int p = 0; p < size; p++) {
            start(p, OptionalInt.of(size - 1));
        }
    }

    /** The first {@code steps} steps of the run of that seed. */
    static List<String> of(ElectionAlgorithm algorithm, int size, long seed, int steps) {
        BullyTrace trace = new BullyTrace(algorithm, size, seed);
        while (trace.lines.size() < steps) {
            trace.step();
        }
        return trace.lines;
    }

    private void step() {
        List<Runnable> faults = faults();
        List<Runnable> steps = steps();
        List<Runnable> choice = steps.isEmpty() || random.nextDouble() < FAULTS ? faults : steps;
        choice.get(random.nextInt(choice.size())).run();
    }

    /** What can happen without a fault. */
    private List<Runnable> steps() {
        List<Runnable> steps = new ArrayList<>();
        for (int p = 0; p < processes.size(); p++) {
            int at = p;
            for (int other = 0; processes.get(p).isAlive && other < processes.size(); other++) {
                int q = other;
                if (!processes.get(q).links.get(p).isEmpty()) {
                    steps.add(() -> deliver(q, at));
                }
                boolean isSuspect = processes.get(p).suspects.contains(q);
                if (q != p && processes.get(q).isAlive == isSuspect) {
                    steps.add(() -> notice(at, q));
                }
            }
        }
        return steps.isEmpty() ? timers() : steps;
    }

    private List<Runnable> timers() {
        List<Runnable> timers = new ArrayList<>();
        for (int p = 0; p < processes.size(); p++) {
            int at = p;
            processes.get(p).timers.forEach(timer -> timers.add(() -> fire(at, timer)));
        }
        return timers;
    }

    private List<Runnable> faults() {
        List<Runnable> faults = new ArrayList<>(timers());
        long alive = processes.stream().filter(process -> process.isAlive).count();
        for (int p = 0; p < processes.size(); p++) {
            int at = p;
            if (!processes.get(p).isAlive) {
                faults.add(() -> restart(at));
            } else if (alive > 1) {
                faults.add(() -> crash(at));
            }
        }
        return faults;
    }

    // ---------------------------------------------------------------- steps

    private void deliver(int from, int p) {
        Packet packet = processes.get(from).links.get(p).remove();
        if (packet.incarnation == processes.get(from).incarnation) {
            handle(p, new Event.Received(from, packet.message));
        }
        record("deliver", p, from);
    }

    private void notice(int p, int q) {
        Process process = processes.get(p);
        boolean isSuspected = process.suspects.add(q);
        if (!isSuspected) {
            process.suspects.remove(q);
        }
        handle(p, isSuspected ? new Event.Suspected(q) : new Event.Trusted(q));
        record(isSuspected ? "suspect" : "trust", p, q);
    }

    private void fire(int p, String timer) {
        processes.get(p).timers.remove(timer);
        handle(p, new Event.TimerFired(timer));
        record(timer, p, p);
    }

    private void crash(int p) {
        Process process = processes.get(p);
        process.isAlive = false;
        process.suspects.clear();
        process.timers.clear();
        processes.forEach(other -> other.links.get(p).clear());
        record("crash", p, p);
    }

    private void restart(int p) {
        processes.get(p).isAlive = true;
        processes.get(p).incarnation++;
        start(p, OptionalInt.empty());
        record("restart", p, p);
    }

    private void start(int p, OptionalInt leader) {
        Process process = processes.get(p);
        process.machine = algorithm.create(Membership.of(p, processes.size()), new Timing(10), Options.FAITHFUL);
        handle(p, new Event.Start(process.incarnation, Event.Saved.NOTHING, leader));
    }

    private void handle(int p, Event event) {
        Process process = processes.get(p);
        for (Effect effect : process.machine.on(0, event)) {
            if (effect instanceof Effect.Send send) {
                sent.add("<<" + (send.to() + 1) + ", \"" + type(send.message()) + "\">>");
                if (processes.get(send.to()).isAlive) {
                    process.links.get(send.to()).add(new Packet(send.message(), process.incarnation));
                }
            } else if (effect instanceof Effect.SetTimer set) {
                process.timers.add(set.timer());
            } else if (effect instanceof Effect.CancelTimer cancel) {
                process.timers.remove(cancel.timer());
            }
        }
    }

    private static String type(Message message) {
        return message.getClass().getSimpleName().toUpperCase(Locale.ROOT);
    }

    private void record(String event, int p, int q) {
        Process process = processes.get(p);
        int leader = process.isAlive ? process.machine.leader().orElse(-1) : -1;
        boolean isParticipating = process.isAlive && process.machine.isParticipating();
        lines.add(String.format("[ev |-> \"%s\", p |-> %d, q |-> %d, leader |-> %d, part |-> %s, sent |-> <<%s>>]",
                event, p + 1, q + 1, leader + 1, isParticipating ? "TRUE" : "FALSE", String.join(", ", sent)));
        sent.clear();
    }

    /** The module that TraceBullyF extends. */
    static String module(List<String> lines) {
        return "---- MODULE TraceBullyFData ----\nEXTENDS Integers, Sequences\nTrace == <<\n"
                + lines.stream().collect(Collectors.joining(",\n")) + "\n>>\n====\n";
    }

    /** The kinds of events and messages in a trace: everything in quotes. */
    static Set<String> kinds(List<String> lines) {
        return Pattern.compile("\"(\\w+)\"").matcher(String.join("\n", lines)).results()
                .map(kind -> kind.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }
}
