package io.quorate.tla;

import io.quorate.spi.Effect;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.Mark;
import io.quorate.spi.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * A random run of shipped ballot machines in the world of Ballot.tla: messages overtake each other and get lost, no
 * detector, rounds that may end before all have answered. The life of a packet is that of the process that asked.
 */
final class BallotTrace extends Recording {

    // Now and then no majority is alive, but for the most part one is.
    private static final int ALIVE_MIN = 2;

    private final List<String> sent = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private int lifeAsking;

    private BallotTrace(ElectionAlgorithm algorithm, Options options, int size, long seed) {
        super(algorithm, options, size, seed);
        startAll(OptionalInt.empty());
    }

    /** The first {@code steps} steps of the run of that seed. */
    static List<String> of(ElectionAlgorithm algorithm, Options options, int size, long seed, int steps) {
        return new BallotTrace(algorithm, options, size, seed).record(steps);
    }

    @Override
    List<Runnable> steps() {
        List<Runnable> steps = ends(false);
        packets.forEach(packet -> steps.add(() -> deliver(packet)));
        return steps;
    }

    @Override
    List<Runnable> faults() {
        List<Runnable> faults = ends(true);
        packets.forEach(packet -> faults.add(() -> lose(packet)));
        for (int p = 0; p < processes.size(); p++) {
            int at = p;
            // As likely as the loss of some message.
            for (int copy = 0; copy < processes.size(); copy++) {
                if (!isAlive(p)) {
                    faults.add(() -> startAgain(at));
                } else if (countAlive() > ALIVE_MIN) {
                    faults.add(() -> stop(at));
                }
            }
        }
        return faults;
    }

    /** The rounds that can end, early or not. */
    private List<Runnable> ends(boolean isEarly) {
        List<Runnable> ends = new ArrayList<>();
        for (int p = 0; p < processes.size(); p++) {
            int at = p;
            if (isEarly == isWaiting(p)) {
                processes.get(p).timers.forEach(timer -> ends.add(() -> end(at, timer)));
            }
        }
        return ends;
    }

    /** Whether questions of the process, or answers to them, are on their way. */
    private boolean isWaiting(int p) {
        return packets.stream().anyMatch(packet -> (isReply(packet) ? packet.to() : packet.from()) == p);
    }

    private static boolean isReply(Packet packet) {
        return Tla.type(packet.message()).equals("REPLY");
    }

    private void end(int p, String timer) {
        lifeAsking = processes.get(p).life;
        fire(p, timer);
        record("end", p, "");
    }

    private void deliver(Packet packet) {
        packets.remove(packet);
        lifeAsking = packet.life();
        handle(packet.to(), new Event.Received(packet.from(), packet.message()));
        record("deliver", packet.to(), of(packet));
    }

    private void lose(Packet packet) {
        packets.remove(packet);
        record("lose", packet.to(), of(packet));
    }

    private void stop(int p) {
        crash(p);
        record("crash", p, "");
    }

    private void startAgain(int p) {
        restart(p);
        record("restart", p, "");
    }

    @Override
    void performed(int p, Effect effect) {
        if (effect instanceof Effect.Send send && isAlive(send.to())) {
            Packet packet = new Packet(p, send.to(), send.message(), lifeAsking);
            packets.add(packet);
            sent.add(of(packet));
        } else if (effect instanceof Effect.Nominate nominate) {
            said.add(Tla.of(nominate));
        } else if (effect instanceof Effect.NoNominee) {
            said.add(Tla.of(new Effect.Nominate(Mark.NONE.process(), Mark.NONE)));
        }
    }

    private static String of(Packet packet) {
        return String.format(
                "[from |-> %d, to |-> %d, life |-> %d, m |-> %s]",
                packet.from() + 1, packet.to() + 1, packet.life(), Tla.of(packet.message()));
    }

    private void record(String event, int p, String packet) {
        String handled = packet.isEmpty() ? "" : ", packet |-> " + packet;
        String state =
                isAlive(p) ? ", state |-> " + Tla.of(processes.get(p).machine.snapshot()) : "";
        line(String.format(
                "ev |-> \"%s\", p |-> %d%s%s, sent |-> <<%s>>, said |-> <<%s>>",
                event, p + 1, handled, state, String.join(", ", sent), String.join(", ", said)));
        sent.clear();
        said.clear();
    }
}
