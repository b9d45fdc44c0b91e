package io.quorate.tla;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A random run of shipped machines in the world of a spec, one record of TLA+ per step. Here processes count from 0, in
 * the records from 1.
 */
abstract class Recording {

    private static final double FAULTS = 0.06;

    /** A message on its way; {@code life} is which life of a process it belongs to, as the world counts them. */
    record Packet(int from, int to, Message message, int life) {}

    /** One process, dead or alive. */
    static final class Process {
        Election machine;
        boolean isAlive = true;
        int life = 1;
        Event.Saved saved = Event.Saved.NOTHING;
        final Set<Integer> suspects = new TreeSet<>();
        final Set<String> timers = new TreeSet<>();
    }

    private final ElectionAlgorithm algorithm;
    private final Options options;
    private final Random random;
    final List<Process> processes = new ArrayList<>();
    final List<Packet> packets = new ArrayList<>(); // in the order of sending
    private final List<String> lines = new ArrayList<>();

    /** A world in which nothing has happened yet; {@link #startAll} comes next. */
    Recording(ElectionAlgorithm algorithm, Options options, int size, long seed) {
        this.algorithm = algorithm;
        this.options = options;
        this.random = new Random(seed);
        for (int p = 0; p < size; p++) {
            processes.add(new Process());
        }
    }

    /** The first {@code steps} steps from here. */
    List<String> record(int steps) {
        while (lines.size() < steps) {
            List<Runnable> usual = steps();
            List<Runnable> choice = usual.isEmpty() || random.nextDouble() < FAULTS ? faults() : usual;
            choice.get(random.nextInt(choice.size())).run();
        }
        return lines;
    }

    /** What can happen without a fault. */
    abstract List<Runnable> steps();

    /** Crashes, restarts and the like; never empty. */
    abstract List<Runnable> faults();

    /** The clock of the process; where the world has no time, it stands still. */
    long now(int p) {
        return 0;
    }

    /** The process did this; to be noted down together with its event. */
    abstract void performed(int p, Effect effect);

    // ---------------------------------------------------------------- the world

    final void startAll(OptionalInt leader) {
        for (int p = 0; p < processes.size(); p++) {
            start(p, leader);
        }
    }

    private void start(int p, OptionalInt leader) {
        Process process = processes.get(p);
        process.machine = algorithm.create(Membership.of(p, processes.size()), new Timing(10), options);
        handle(p, new Event.Start(process.life, process.saved, leader));
    }

    final void crash(int p) {
        Process process = processes.get(p);
        process.isAlive = false;
        process.suspects.clear();
        process.timers.clear();
        packets.removeIf(packet -> packet.to == p);
    }

    final void restart(int p) {
        processes.get(p).isAlive = true;
        processes.get(p).life++;
        start(p, OptionalInt.empty());
    }

    final void fire(int p, String timer) {
        processes.get(p).timers.remove(timer);
        handle(p, new Event.TimerFired(timer));
    }

    /** One step for each timer that is set, which calls {@code fires} with the process and the timer. */
    final List<Runnable> timers(BiConsumer<Integer, String> fires) {
        List<Runnable> timers = new ArrayList<>();
        for (int p = 0; p < processes.size(); p++) {
            int at = p;
            processes.get(p).timers.forEach(timer -> timers.add(() -> fires.accept(at, timer)));
        }
        return timers;
    }

    /** The message that arrives next, where links are FIFO. */
    final Optional<Packet> first(int from, int to) {
        return packets.stream()
                .filter(packet -> packet.from() == from && packet.to() == to)
                .findFirst();
    }

    /** The message arrives. Its receiver handles it unless the life that sent it is over. */
    final void receive(Packet packet) {
        packets.remove(packet);
        if (packet.life() == processes.get(packet.from()).life) {
            handle(packet.to(), new Event.Received(packet.from(), packet.message()));
        }
    }

    final void handle(int p, Event event) {
        Process process = processes.get(p);
        for (Effect effect : process.machine.on(now(p), event)) {
            if (effect instanceof Effect.SetTimer set) {
                process.timers.add(set.timer());
            } else if (effect instanceof Effect.CancelTimer cancel) {
                process.timers.remove(cancel.timer());
            } else if (effect instanceof Effect.Save save) {
                process.saved = save.saved();
            }
            performed(p, effect);
        }
    }

    final boolean isAlive(int p) {
        return processes.get(p).isAlive;
    }

    final long countAlive() {
        return processes.stream().filter(process -> process.isAlive).count();
    }

    // ---------------------------------------------------------------- the records

    final void line(String fields) {
        lines.add('[' + fields + ']');
    }

    /** The module that the trace spec of that name extends. */
    static String module(String spec, List<String> lines) {
        return "---- MODULE " + spec + "Data ----\nEXTENDS Integers, Sequences\nTrace == <<\n"
                + lines.stream().collect(Collectors.joining(",\n")) + "\n>>\n====\n";
    }

    /** The kinds of events and messages in a trace: everything in quotes. */
    static Set<String> kinds(List<String> lines) {
        return Pattern.compile("\"(\\w+)\"")
                .matcher(String.join("\n", lines))
                .results()
                .map(kind -> kind.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
