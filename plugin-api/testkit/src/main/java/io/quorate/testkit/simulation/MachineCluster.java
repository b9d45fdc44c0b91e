package io.quorate.testkit.simulation;

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
import java.util.Map;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The machines of one election without the lease, in virtual time: messages take half of delta to delta, a crash is
 * suspected by everybody three delta later. For tests of what an algorithm promises by itself.
 */
public final class MachineCluster {

    private static final Timing TIMING = new Timing(1000);

    private record Due(long at, long order, Runnable action) {}

    private final ElectionAlgorithm algorithm;
    private final int size;
    private final SplittableRandom random;
    private final UnaryOperator<Message> wire;
    private final boolean isRestoredAtEachStep;
    private final Election[] machines;
    private final boolean[] isDown;
    private final List<Map<String, Long>> timers = new ArrayList<>();
    private final PriorityQueue<Due> queue =
            new PriorityQueue<>((a, b) -> a.at != b.at ? Long.compare(a.at, b.at) : Long.compare(a.order, b.order));
    private final List<String> log = new ArrayList<>();
    private final List<Election.State> states = new ArrayList<>();
    private long now;
    private long order;
    private int lossPercent;
    private int duplicatePercent;

    /**
     * @param wire       what the network makes of a message, say writing and reading it
     * @param isRestored whether each machine is replaced by a new one, in the same state, before each event
     */
    public MachineCluster(
            ElectionAlgorithm algorithm, int size, long seed, UnaryOperator<Message> wire, boolean isRestored) {
        this.algorithm = algorithm;
        this.size = size;
        this.random = new SplittableRandom(seed);
        this.wire = wire;
        this.isRestoredAtEachStep = isRestored;
        machines = new Election[size];
        isDown = new boolean[size];
        for (int process = 0; process < size; process++) {
            timers.add(new TreeMap<>());
            machines[process] = machine(process);
        }
        for (int process = 0; process < size; process++) {
            step(process, Event.Start.FRESH);
        }
    }

    private Election machine(int process) {
        return algorithm.create(Membership.of(process, size), TIMING, Options.HARDENED);
    }

    public void faults(int loss, int duplicate) {
        lossPercent = loss;
        duplicatePercent = duplicate;
    }

    public void crash(int process) {
        isDown[process] = true;
        for (int other = 0; other < size; other++) {
            int observer = other;
            after(TIMING.deltas(3), () -> step(observer, new Event.Suspected(process)));
        }
    }

    /** A wrong suspicion, or one that is right already; a process never suspects itself. */
    public void suspect(int observer, int process) {
        step(observer, new Event.Suspected(process));
    }

    public void trust(int observer, int process) {
        step(observer, new Event.Trusted(process));
    }

    /** Lets so many delta pass. */
    public void advance(int deltas) {
        long end = now + TIMING.deltas(deltas);
        while (!queue.isEmpty() && queue.peek().at <= end) {
            Due due = queue.remove();
            now = due.at;
            due.action.run();
        }
        now = end;
    }

    public OptionalInt leader(int process) {
        return machines[process].leader();
    }

    /** Every event with its effects, in order. */
    public List<String> log() {
        return log;
    }

    /** The state of a machine after each event. */
    public List<Election.State> states() {
        return states;
    }

    private void step(int process, Event event) {
        boolean isOfItself = event instanceof Event.Suspected s && s.process() == process
                || event instanceof Event.Trusted t && t.process() == process;
        if (isDown[process] || isOfItself) {
            return;
        }
        if (isRestoredAtEachStep && !(event instanceof Event.Start)) {
            Election.State state = machines[process].snapshot();
            machines[process] = machine(process);
            machines[process].restore(state);
        }
        List<Effect> effects = machines[process].on(now, event);
        log.add(now + " P" + process + " " + event + " | " + effects);
        states.add(machines[process].snapshot());
        effects.forEach(effect -> perform(process, effect));
    }

    private void perform(int process, Effect effect) {
        if (effect instanceof Effect.Send send && send.to() >= 0 && send.to() < size) {
            int copies = random.nextInt(100) < lossPercent ? 0 : random.nextInt(100) < duplicatePercent ? 2 : 1;
            for (int copy = 0; copy < copies; copy++) {
                Message message = wire.apply(send.message());
                after(
                        random.nextLong(TIMING.delta() / 2, TIMING.delta()),
                        () -> step(send.to(), new Event.Received(process, message)));
            }
        } else if (effect instanceof Effect.SetTimer set) {
            long generation = order;
            timers.get(process).put(set.timer(), generation);
            after(random.nextLong(set.delayMin(), set.delayMax() + 1), () -> {
                if (timers.get(process).remove(set.timer(), generation)) {
                    step(process, new Event.TimerFired(set.timer()));
                }
            });
        } else if (effect instanceof Effect.CancelTimer cancel) {
            timers.get(process).remove(cancel.timer());
        }
    }

    private void after(long delay, Runnable action) {
        queue.add(new Due(now + delay, order++, action));
    }
}
