package io.quorate.tla;

import io.quorate.spi.Effect;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** A random run of shipped bully machines in the world of BullyF.tla and BullyH.tla: FIFO links, a slow detector. */
final class BullyTrace extends Recording {

    private final List<String> sent = new ArrayList<>();

    private BullyTrace(ElectionAlgorithm algorithm, Options options, int size, long seed) {
        super(algorithm, options, size, seed);
        startAll(OptionalInt.of(size - 1));
    }

    /** The first {@code steps} steps of the run of that seed. */
    static List<String> of(ElectionAlgorithm algorithm, Options options, int size, long seed, int steps) {
        return new BullyTrace(algorithm, options, size, seed).record(steps);
    }

    @Override
    List<Runnable> steps() {
        List<Runnable> steps = new ArrayList<>();
        for (int p = 0; p < processes.size(); p++) {
            int at = p;
            for (int other = 0; isAlive(p) && other < processes.size(); other++) {
                int q = other;
                first(q, at).ifPresent(packet -> steps.add(() -> deliver(packet)));
                boolean isSuspect = processes.get(p).suspects.contains(q);
                if (q != p && isAlive(q) == isSuspect) {
                    steps.add(() -> notice(at, q));
                }
            }
        }
        return steps.isEmpty() ? timers() : steps;
    }

    private List<Runnable> timers() {
        return timers((p, timer) -> {
            fire(p, timer);
            record(timer, p, p);
        });
    }

    @Override
    List<Runnable> faults() {
        List<Runnable> faults = new ArrayList<>(timers());
        for (int p = 0; p < processes.size(); p++) {
            int at = p;
            if (!isAlive(p)) {
                faults.add(() -> {
                    restart(at);
                    record("restart", at, at);
                });
            } else if (countAlive() > 1) {
                faults.add(() -> {
                    crash(at);
                    record("crash", at, at);
                });
            }
        }
        return faults;
    }

    private void deliver(Packet packet) {
        receive(packet);
        record("deliver", packet.to(), packet.from());
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

    @Override
    void performed(int p, Effect effect) {
        if (effect instanceof Effect.Send send && isAlive(send.to())) {
            packets.add(new Packet(p, send.to(), send.message(), processes.get(p).life));
            sent.add("[to |-> " + (send.to() + 1) + ", m |-> " + Tla.of(send.message()) + "]");
        }
    }

    private void record(String event, int p, int q) {
        Process process = processes.get(p);
        int leader = process.isAlive ? process.machine.leader().orElse(-1) : -1;
        boolean isParticipating = process.isAlive && process.machine.isParticipating();
        Record terms = (Record) Tla.component((Record) process.machine.snapshot(), "terms");
        String seen = Tla.of(Tla.component(terms, "seen"));
        line(String.format(
                "ev |-> \"%s\", p |-> %d, q |-> %d, leader |-> %d, part |-> %s, sent |-> <<%s>>, " + "seen |-> %s",
                event, p + 1, q + 1, leader + 1, Tla.of(isParticipating), String.join(", ", sent), seen));
        sent.clear();
    }
}
