package io.quorate.testkit.simulation;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.picture.Recording.Fate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * Processes of one election in virtual time, without the lease. At one instant faults go first, then messages, then
 * timers. Every message goes through the codec of the algorithm; every mark is checked to be no smaller than the one
 * before it in that life.
 */
public final class ElectionCluster {

    private static final int CONTROL = 0;
    private static final int MESSAGE = 1;
    private static final int TIMER = 2;

    /** Sees every event before it is given to its process, and its effects afterwards. */
    public interface Observer {
        /** Called before the event. */
        default void before(int process, Event event) {}

        /** Called when the event was handled and its effects are being performed. */
        void after(int process, Event event, List<Effect> effects);
    }

    /** Sees what has become of a message: now it arrives, or is lost. */
    @FunctionalInterface
    interface Passing {
        void passed(int from, int to, Message message, long sent, Fate fate);
    }

    private record Entry(long time, int order, long sequence, Runnable action) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(time, other.time);
            int byOrder = byTime != 0 ? byTime : Integer.compare(order, other.order);
            return byOrder != 0 ? byOrder : Long.compare(sequence, other.sequence);
        }
    }

    /** One process: its machine while it runs, and what outlives it. */
    private static final class Member {
        private Election election;
        private boolean running;
        private long incarnation;
        private Event.Saved saved = Event.Saved.NOTHING;
        private Mark mark = Mark.NONE;
        private OptionalInt nominee = OptionalInt.empty();
        private final SortedSet<Integer> suspects = new TreeSet<>();
        private final Map<String, Long> timers = new HashMap<>();
    }

    private final ElectionAlgorithm algorithm;
    private final IntFunction<Election> factory;
    private final List<Member> processes = new ArrayList<>();
    private final int size;
    private final PriorityQueue<Entry> queue = new PriorityQueue<>();
    private final List<Observer> observers = new ArrayList<>();
    private long now;
    private long sequence;
    private long sent;
    private LongSupplier latency = () -> 5;
    private ToLongFunction<Effect.SetTimer> timerDelay = Effect.SetTimer::delayMin;
    private UnaryOperator<Message> wire = this::throughCodec;
    private boolean isLenient;
    private BiPredicate<Integer, Integer> isLost = (from, to) -> false;
    private BiPredicate<Integer, Integer> isCut = (from, to) -> false;
    private BiPredicate<Integer, Integer> isDoubled = (from, to) -> false;
    private LongSupplier detection;
    private Passing passing = (from, to, message, sent, fate) -> {};
    private Runnable looking = () -> {};

    /** {@code contenders} machines; further processes up to {@code size} are witnesses. None runs yet. */
    public ElectionCluster(ElectionAlgorithm algorithm, int contenders, int size, IntFunction<Election> factory) {
        this.algorithm = algorithm;
        this.factory = factory;
        this.size = size;
        for (int process = 0; process < contenders; process++) {
            processes.add(new Member());
        }
    }

    // ---------------------------------------------------------------- what a test sets

    /** Adds an observer. */
    public void observe(Observer observer) {
        observers.add(observer);
    }

    /** Sets the observers of each message's fate and of everything else that happens. */
    void witness(Passing ofMessages, Runnable ofTheRest) {
        passing = ofMessages;
        looking = ofTheRest;
    }

    /** How long a message takes, asked once for each; 5 if not set. */
    public void latency(LongSupplier source) {
        latency = source;
    }

    /** How long a timer takes, asked once for each; as short as its range allows if not set. */
    public void timerDelay(ToLongFunction<Effect.SetTimer> source) {
        timerDelay = source;
    }

    /** Messages arrive as the objects that were sent, so that nothing depends on the codec. */
    public void withoutCodec() {
        wire = UnaryOperator.identity();
    }

    /** Marks are not looked at, and timers that are not pending may be cancelled: the SPI forbids neither. */
    public void lenient() {
        isLenient = true;
    }

    /** Which messages get lost, asked once for each. */
    public void loss(BiPredicate<Integer, Integer> lost) {
        isLost = lost;
    }

    /** Which messages arrive twice, asked once for each. */
    public void duplication(BiPredicate<Integer, Integer> doubled) {
        isDoubled = doubled;
    }

    /** Which links are cut, until the next call. */
    public void cut(BiPredicate<Integer, Integer> cut) {
        isCut = cut;
        scheduleDetection();
    }

    /** Switches a failure detector on that finds out about each crash, start and cut after this long. */
    public void detector(LongSupplier delay) {
        detection = delay;
    }

    /** Does something at a time. */
    public void at(long time, Runnable action) {
        schedule(time, CONTROL, action);
    }

    /** Starts a process, in a new life. */
    public void start(int process) {
        start(process, OptionalInt.empty());
    }

    /** Starts a process, with a configured leader. */
    public void start(int process, OptionalInt leader) {
        Member started = processes.get(process);
        started.election = factory.apply(process);
        started.running = true;
        started.incarnation++;
        started.mark = Mark.NONE;
        started.nominee = OptionalInt.empty();
        started.suspects.clear();
        started.timers.clear();
        give(process, new Event.Start(started.incarnation, started.saved, leader));
        scheduleDetection();
        looking.run();
    }

    /** Stops a process; messages to it and its timers are lost. */
    public void crash(int process) {
        processes.get(process).running = false;
        processes.get(process).timers.clear();
        scheduleDetection();
        looking.run();
    }

    /** Replaces the machine of a process by a new one in the same state. */
    public void restore(int process) {
        Member restored = processes.get(process);
        Election.State state = restored.election.snapshot();
        restored.election = factory.apply(process);
        restored.election.restore(state);
    }

    /** Sets what {@code process} thinks of {@code other}; nothing happens if it thinks so already or does not run. */
    public void setSuspected(int process, int other, boolean suspected) {
        Member thinking = processes.get(process);
        if (!thinking.running || process == other) {
            return;
        }
        if (suspected ? thinking.suspects.add(other) : thinking.suspects.remove(other)) {
            give(process, suspected ? new Event.Suspected(other) : new Event.Trusted(other));
        }
    }

    // ---------------------------------------------------------------- time

    /** Runs everything up to and including {@code time}. */
    public void runUntil(long time) {
        while (!queue.isEmpty() && queue.peek().time <= time) {
            Entry next = queue.remove();
            now = next.time;
            next.action.run();
            looking.run();
        }
        now = time;
    }

    private void schedule(long time, int order, Runnable action) {
        queue.add(new Entry(time, order, sequence++, action));
    }

    private void scheduleDetection() {
        if (detection == null) {
            return;
        }
        for (int process = 0; process < processes.size(); process++) {
            for (int other = 0; other < processes.size(); other++) {
                int observer = process;
                int observed = other;
                at(
                        now + detection.getAsLong(),
                        () -> setSuspected(
                                observer,
                                observed,
                                !processes.get(observed).running || isCut.test(observer, observed)));
            }
        }
    }

    private void give(int process, Event event) {
        observers.forEach(observer -> observer.before(process, event));
        List<Effect> effects = processes.get(process).election.on(now, event);
        observers.forEach(observer -> observer.after(process, event, effects));
        effects.forEach(effect -> perform(process, effect));
    }

    private void perform(int process, Effect effect) {
        Member performing = processes.get(process);
        if (effect instanceof Effect.Send send) {
            transmit(process, send);
        } else if (effect instanceof Effect.SetTimer set) {
            long generation = sequence;
            performing.timers.put(set.timer(), generation);
            schedule(now + timerDelay.applyAsLong(set), TIMER, () -> {
                if (performing.timers.remove(set.timer(), generation)) {
                    give(process, new Event.TimerFired(set.timer()));
                }
            });
        } else if (effect instanceof Effect.CancelTimer cancel) {
            // The machine knows which of its timers are pending; a cancel of another one would be a mistake in it.
            if (performing.timers.remove(cancel.timer()) == null && !isLenient) {
                throw new AssertionError("process " + process + " cancels " + cancel.timer() + ", which is not set");
            }
        } else if (effect instanceof Effect.Save save) {
            performing.saved = save.saved();
        } else if (effect instanceof Effect.Nominate nominate) {
            if (nominate.mark().compareTo(performing.mark) < 0 && !isLenient) {
                throw new AssertionError("process " + process + ": " + nominate + " after " + performing.mark);
            }
            performing.mark = nominate.mark();
            performing.nominee = OptionalInt.of(nominate.nominee());
        } else {
            performing.nominee = OptionalInt.empty();
        }
    }

    private void transmit(int from, Effect.Send send) {
        sent++;
        Message message = wire.apply(send.message());
        int copies = isDoubled.test(from, send.to()) ? 2 : 1;
        if (isLost.test(from, send.to())) {
            passing.passed(from, send.to(), message, now, Fate.LOST);
            return;
        }
        for (int copy = 0; copy < copies; copy++) {
            deliver(from, send.to(), message);
        }
    }

    private void deliver(int from, int to, Message message) {
        long sentAt = now;
        if (isCut.test(from, to)) {
            passing.passed(from, to, message, sentAt, Fate.LOST);
            return;
        }
        schedule(now + latency.getAsLong(), MESSAGE, () -> {
            if (isCut.test(from, to)) {
                passing.passed(from, to, message, sentAt, Fate.LOST);
                return;
            }
            boolean isThere = to >= processes.size() || processes.get(to).running;
            passing.passed(from, to, message, sentAt, isThere ? Fate.ARRIVED : Fate.MISSED);
            if (to >= processes.size() && to < size) {
                algorithm.answerAsWitness(to, message).ifPresent(answer -> deliver(to, from, wire.apply(answer)));
            } else if (processes.get(to).running) {
                give(to, new Event.Received(from, message));
            }
        });
    }

    private Message throughCodec(Message message) {
        WireWriter out = new WireWriter();
        message.writeTo(out);
        WireReader in = new WireReader(out.toBytes());
        try {
            Message read = algorithm.readMessage(in);
            in.expectEnd();
            if (!read.equals(message)) {
                throw new AssertionError(message + " was read as " + read);
            }
            return read;
        } catch (MalformedInputException e) {
            throw new AssertionError(message + " cannot be read: " + e.getMessage(), e);
        }
    }

    // ---------------------------------------------------------------- questions

    /** The time. */
    public long now() {
        return now;
    }

    /** How many messages were sent, those to dead processes and lost ones included. */
    public long sent() {
        return sent;
    }

    /** How many processes contend. */
    public int contenders() {
        return processes.size();
    }

    /** Whether the process was started and has not crashed since. */
    public boolean isRunning(int process) {
        return processes.get(process).running;
    }

    /** The processes that run, in order. */
    public List<Integer> running() {
        List<Integer> running = new ArrayList<>();
        for (int process = 0; process < processes.size(); process++) {
            if (isRunning(process)) {
                running.add(process);
            }
        }
        return running;
    }

    /** The machine of the current or last life. */
    public Election election(int process) {
        return processes.get(process).election;
    }

    /** The last indication of the process in this life. */
    public OptionalInt nominee(int process) {
        return processes.get(process).nominee;
    }

    /** The running processes that take themselves for the leader. */
    public List<Integer> leaders() {
        return running().stream()
                .filter(process -> election(process).leader().equals(OptionalInt.of(process)))
                .toList();
    }
}
