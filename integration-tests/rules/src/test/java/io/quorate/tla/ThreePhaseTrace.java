package io.quorate.tla;

import io.quorate.spi.Effect;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.Options;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A random run of shipped faithful three-phase machines in the world of ThreePhase.tla: FIFO links that lose messages,
 * timers that fire early, wrong suspicions, changes of priorities.
 *
 * <p>That world counts steps of task 0 in place of time, and one step is a window of 2 delta. So each process has a
 * clock, which stands still but for such a step.
 */
final class ThreePhaseTrace extends Recording {

    private static final long WINDOW = 20; // 2 delta

    private final long[] clocks;
    private final List<String> sent = new ArrayList<>();

    private ThreePhaseTrace(ElectionAlgorithm algorithm, Options options, int size, long seed) {
        super(algorithm, options, size, seed);
        clocks = new long[size];
        startAll(OptionalInt.of(size - 1));
        sent.clear();
    }

    /** The first {@code steps} steps of the run of that seed. */
    static List<String> of(ElectionAlgorithm algorithm, Options options, int size, long seed, int steps) {
        return new ThreePhaseTrace(algorithm, options, size, seed).record(steps);
    }

    @Override
    long now(int p) {
        return clocks[p];
    }

    @Override
    List<Runnable> steps() {
        List<Runnable> steps = new ArrayList<>();
        forEachLink(packet -> steps.add(() -> deliver(packet)));
        return steps.isEmpty() ? timers() : steps;
    }

    private void forEachLink(Consumer<Packet> ofFirst) {
        for (int from = 0; from < processes.size(); from++) {
            for (int to = 0; to < processes.size(); to++) {
                first(from, to).ifPresent(ofFirst);
            }
        }
    }

    private List<Runnable> timers() {
        return timers(this::timer);
    }

    @Override
    List<Runnable> faults() {
        List<Runnable> faults = new ArrayList<>(timers());
        forEachLink(packet -> {
            if (packet.life() == processes.get(packet.from()).life) {
                faults.add(() -> lose(packet));
            }
        });
        for (int p = 0; p < processes.size(); p++) {
            int at = p;
            if (!isAlive(p)) {
                faults.add(() -> {
                    restart(at);
                    record("restart", at, at);
                });
                continue;
            }
            if (processes.get(p).machine.leader().equals(OptionalInt.of(p))) {
                faults.add(() -> change(at));
            }
            if (countAlive() > 1) {
                faults.add(() -> {
                    crash(at);
                    record("crash", at, at);
                });
            }
        }
        return faults;
    }

    private void timer(int p, String timer) {
        if (timer.equals("TASK0")) {
            clocks[p] += WINDOW;
        }
        fire(p, timer);
        record(timer, p, p);
    }

    private void deliver(Packet packet) {
        receive(packet);
        record("deliver", packet.to(), packet.from());
    }

    private void lose(Packet packet) {
        packets.remove(packet);
        record("lose", packet.to(), packet.from());
    }

    /** The priorities of the leader's list, each one higher, and the highest the lowest; none becomes the lowest. */
    private void change(int p) {
        Map<?, ?> list = list(component(state(p), "held", "list"));
        handle(
                p,
                new Event.PrioritiesChanged(LongStream.range(0, processes.size())
                        .mapToObj(process -> {
                            Object priority = list.get((int) process);
                            return priority == null ? 0 : ((Long) priority + 1) % processes.size();
                        })
                        .toList()));
        record("update", p, p);
    }

    @Override
    void performed(int p, Effect effect) {
        // The spec has no ACK of L61, which its receiver ignores (G13).
        if (effect instanceof Effect.Send send
                && isAlive(send.to())
                && !Tla.type(send.message()).equals("ACKREPORT")) {
            packets.add(new Packet(p, send.to(), send.message(), processes.get(p).life));
            sent.add("[to |-> " + (send.to() + 1) + ", m |-> " + message((Record) send.message()) + "]");
        }
    }

    // ---------------------------------------------------------------- the records

    private void record(String event, int p, int q) {
        line(String.format(
                "ev |-> \"%s\", p |-> %d, q |-> %d%s, sent |-> <<%s>>",
                event, p + 1, q + 1, isAlive(p) ? ", state |-> " + state(p, state(p)) : "", String.join(", ", sent)));
        sent.clear();
    }

    private Record state(int p) {
        return (Record) processes.get(p).machine.snapshot();
    }

    private String state(int p, Record state) {
        Collection<Integer> heard = ((Map<?, ?>) component(state, "round", "acks"))
                .entrySet().stream()
                        .filter(ack -> (Long) ack.getValue() >= clocks[p])
                        .map(ack -> (Integer) ack.getKey())
                        .toList();
        return String.format(
                "[phase |-> \"%s\", leader |-> %d, list |-> %s, timestamp |-> %s, r |-> %s, trust |-> %s, heard |-> %s, "
                        + "collecting |-> %s, best |-> %s]",
                component(state, "monitoring", "phase"),
                (Integer) component(state, "monitoring", "leader") + 1,
                priorities(component(state, "held", "list")),
                component(state, "held", "version", "timestamp"),
                component(state, "round", "number"),
                processes((Collection<?>) component(state, "round", "trust")),
                processes(heard),
                Tla.of(component(state, "collecting", "stage").toString().equals("COLLECTING")),
                priorities(component(state, "collecting", "best", "list")));
    }

    private String message(Record message) {
        String type = Tla.type(message);
        String fields =
                switch (type) {
                    case "HEARTBEAT", "REPORT" ->
                        ", list |-> " + priorities(component(message, "held", "list")) + ", timestamp |-> "
                                + component(message, "held", "version", "timestamp");
                    case "OK" ->
                        ", r |-> " + component(message, "round") + ", trust |-> "
                                + processes((Collection<?>) component(message, "trust"));
                    case "START", "ACK", "COLLECT" -> ", r |-> " + component(message, "round");
                    case "LEADER" -> ", leader |-> " + ((Integer) component(message, "decision", "leader") + 1);
                    default -> throw new AssertionError(message);
                };
        return "[type |-> \"" + (type.equals("HEARTBEAT") ? "MESSAGE" : type) + "\"" + fields + "]";
    }

    private static Object component(Record fields, String... path) {
        Object found = fields;
        for (String name : path) {
            found = Tla.component((Record) found, name);
        }
        return found;
    }

    private static Map<?, ?> list(Object priorities) {
        return (Map<?, ?>) Tla.component((Record) priorities, "byProcess");
    }

    /** In the spec 0 is none, so the priority of process 0, which is 0 at first, is 1. */
    private String priorities(Object priorities) {
        Map<?, ?> list = list(priorities);
        return LongStream.range(0, processes.size())
                .mapToObj(process -> list.containsKey((int) process) ? (Long) list.get((int) process) + 1 : 0L)
                .map(String::valueOf)
                .collect(Collectors.joining(", ", "<<", ">>"));
    }

    private static String processes(Collection<?> numbers) {
        return numbers.stream()
                .map(process -> String.valueOf((Integer) process + 1))
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
