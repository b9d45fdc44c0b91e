package io.quorate.oracles;

import io.quorate.oracles.Oracle.Place;
import io.quorate.oracles.Oracle.Sent;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * One random schedule of machines of the faithful variant. Each event also goes to an oracle beside its machine, and
 * what both do is compared: messages, timers, indications, the leader, whether the process takes part, and the variables
 * of the source. At one instant faults go first, then messages, then timers.
 */
final class Comparison {

    /** An incident that the model of a source may have. */
    enum Happening {
        /** Some schedules begin with a leader that all know. */
        CONFIGURED_LEADER,
        /** The ring is not in the order of the numbers. */
        SHUFFLED_RING,
        SPREAD_STARTS,
        /** Messages may take longer than delta. */
        SLOW_MESSAGES,
        LOSS,
        /** A message may arrive several times. */
        REPETITION,
        CRASH,
        RESTART,
        /** Crashes and restarts are noticed after some time. */
        DETECTOR,
        FALSE_SUSPICION,
        CHANGED_PRIORITIES
    }

    /** Makes the oracle of a place, with this rule or decision changed. */
    @FunctionalInterface
    interface OracleFactory {
        Oracle create(Place place, String changed);
    }

    /**
     * An oracle and what it is compared with.
     *
     * @param oracle     reads a source
     * @param algorithm  its faithful variant is compared
     * @param happenings what may happen in a schedule
     */
    record Subject(OracleFactory oracle, ElectionAlgorithm algorithm, Set<Happening> happenings) {}

    private record Entry(long time, int order, long sequence, Runnable action) {}

    /** The effects of an event and the visible state afterwards. */
    private record Deeds(
            List<Sent> sent,
            Map<String, Long> timers,
            List<String> indicated,
            int leader,
            boolean isParticipating,
            List<Object> variables) {
        /** The same with the messages in a fixed order, because all messages of an event leave together. */
        Deeds sorted() {
            List<Sent> inOrder =
                    sent.stream().sorted(Comparator.comparing(Sent::toString)).toList();
            return new Deeds(inOrder, timers, indicated, leader, isParticipating, variables);
        }
    }

    /** A process: the machine and the oracle of its current life. */
    private static final class Slot {
        private Election machine;
        private Oracle oracle;
        private long life;
        private final Map<String, Long> timers = new TreeMap<>();
    }

    private static final int CONTROL = 0;
    private static final int MESSAGE = 1;
    private static final int TIMER = 2;
    private static final long DELTA = 10;
    private static final long FAULTS = 30 * DELTA;
    private static final long END = 90 * DELTA; // more heartbeats than the detector of source 002 remembers
    private static final int SIZE_MAX = 5;
    private static final int EVENTS_MAX = 400;

    private final Subject subject;
    private final String changed;
    private final Random random;
    private final int size;
    private final List<Integer> ring;
    private final int configured;
    private final long latencyMin;
    private final long latencyMax;
    private final int losses; // of 100 messages
    private final int stragglers; // of 100 messages
    private final List<Slot> slots = new ArrayList<>();
    private final PriorityQueue<Entry> queue = new PriorityQueue<>(
            Comparator.comparingLong(Entry::time).thenComparingInt(Entry::order).thenComparingLong(Entry::sequence));
    private final Set<String> types = new TreeSet<>();
    private final Set<String> asked = new TreeSet<>();
    private Optional<String> difference = Optional.empty();
    private long now;
    private long sequence;
    private int events;
    private int messages;

    /** The oracle has the rule or decision {@code changed} altered, none if that is empty. */
    Comparison(Subject subject, String changed, long seed) {
        this.subject = subject;
        this.changed = changed;
        this.random = new Random(seed);
        this.size = 1 + random.nextInt(SIZE_MAX);
        List<Integer> order = new ArrayList<>(IntStream.range(0, size).boxed().toList());
        if (has(Happening.SHUFFLED_RING)) {
            Collections.shuffle(order, random);
        }
        this.ring = List.copyOf(order);
        this.configured =
                has(Happening.CONFIGURED_LEADER) && random.nextBoolean() ? random.nextInt(size) : Oracle.NOBODY;
        long[] longest = {1, DELTA / 2, DELTA, DELTA, 3 * DELTA, 12 * DELTA};
        this.latencyMax = longest[random.nextInt(has(Happening.SLOW_MESSAGES) ? longest.length : 4)];
        this.latencyMin = random.nextInt(4) == 0 ? latencyMax : 1;
        this.losses = has(Happening.LOSS) ? 10 * random.nextInt(4) : 0;
        this.stragglers = has(Happening.SLOW_MESSAGES) && random.nextInt(3) == 0 ? 20 : 0;
        for (int process = 0; process < size; process++) {
            slots.add(new Slot());
        }
    }

    private boolean has(Happening happening) {
        return subject.happenings().contains(happening);
    }

    // ---------------------------------------------------------------- the schedule

    /** Runs to the end, or to the first difference. Answers with that. */
    Optional<String> run() {
        plan();
        while (difference.isEmpty()
                && events < EVENTS_MAX
                && !queue.isEmpty()
                && queue.peek().time() <= END) {
            Entry next = queue.remove();
            now = next.time();
            next.action().run();
        }
        return difference;
    }

    /** How many events were compared. */
    int events() {
        return events;
    }

    /** How many messages were sent. */
    int messages() {
        return messages;
    }

    /** The types of the messages that were sent. */
    Set<String> types() {
        return types;
    }

    /** The rules and decisions that the oracles could have had changed. */
    Set<String> asked() {
        return asked;
    }

    private void plan() {
        boolean isSpread = has(Happening.SPREAD_STARTS) && random.nextBoolean();
        for (int process = 0; process < size; process++) {
            int started = process;
            at(isSpread ? random.nextInt((int) (4 * DELTA)) : 0, CONTROL, () -> start(started));
        }
        if (has(Happening.CRASH)) {
            for (int count = random.nextInt(size + 1); count > 0; count--) {
                int victim = random.nextInt(4) == 0 ? random.nextInt(size) : size - count;
                long time = random.nextInt((int) (random.nextBoolean() ? FAULTS : FAULTS / 4));
                at(time, CONTROL, () -> crash(victim));
                if (has(Happening.RESTART) && random.nextInt(4) != 0) {
                    // A quick one finds messages of the former life on their way.
                    long pause = random.nextBoolean() ? DELTA : 15 * DELTA;
                    at(time + 1 + random.nextInt((int) pause), CONTROL, () -> restart(victim));
                }
            }
        }
        if (has(Happening.FALSE_SUSPICION) && size > 1 && random.nextBoolean()) {
            for (int count = 1 + random.nextInt(4); count > 0; count--) {
                int one = random.nextInt(size);
                int other = (one + 1 + random.nextInt(size - 1)) % size;
                long time = random.nextInt((int) FAULTS);
                at(time, CONTROL, () -> suspect(one, other, true));
                long later = time + 1 + random.nextInt((int) (10 * DELTA));
                at(later, CONTROL, () -> suspect(one, other, !isRunning(other)));
            }
        }
        if (has(Happening.CHANGED_PRIORITIES)) {
            for (int count = random.nextInt(6); count > 0; count--) {
                int process = random.nextInt(size);
                List<Long> priorities = random.longs(size, 0, 4).boxed().toList();
                at(random.nextInt((int) (2 * FAULTS)), CONTROL, () -> {
                    if (isRunning(process)) {
                        give(process, new Event.PrioritiesChanged(priorities));
                    }
                });
            }
        }
    }

    private void at(long time, int order, Runnable action) {
        queue.add(new Entry(time, order, sequence++, action));
    }

    private boolean isRunning(int process) {
        return slots.get(process).machine != null;
    }

    private void start(int process) {
        Slot slot = slots.get(process);
        slot.life++;
        slot.machine = subject.algorithm()
                .create(
                        new Membership(process, size, 0, ring, new TreeSet<>(ring)),
                        new Timing(DELTA),
                        Options.FAITHFUL);
        slot.oracle = subject.oracle().create(new Place(process, size, ring, DELTA), changed);
        slot.timers.clear();
        boolean isConfigured = slot.life == 1 && configured != Oracle.NOBODY;
        OptionalInt leader = isConfigured ? OptionalInt.of(configured) : OptionalInt.empty();
        give(process, new Event.Start(slot.life, Event.Saved.NOTHING, leader));
        detect();
    }

    private void restart(int process) {
        if (!isRunning(process)) {
            start(process);
        }
    }

    private void crash(int process) {
        slots.get(process).machine = null;
        detect();
    }

    private void detect() {
        if (!has(Happening.DETECTOR)) {
            return;
        }
        for (int one = 0; one < size; one++) {
            for (int other = 0; other < size; other++) {
                int observer = one;
                int observed = other;
                long delay = 1 + random.nextInt((int) (3 * DELTA));
                // A process that has not started yet is not suspected before it has.
                at(now + delay, CONTROL, () -> {
                    if (slots.get(observed).life > 0) {
                        suspect(observer, observed, !isRunning(observed));
                    }
                });
            }
        }
    }

    private void suspect(int one, int other, boolean isSuspected) {
        Slot slot = slots.get(one);
        if (isRunning(one) && one != other && slot.oracle.suspects.contains(other) != isSuspected) {
            give(one, isSuspected ? new Event.Suspected(other) : new Event.Trusted(other));
        }
    }

    // ---------------------------------------------------------------- one event

    private void give(int process, Event event) {
        Slot slot = slots.get(process);
        if (slot.oracle.isOver() || difference.isPresent()) {
            return;
        }
        events++;
        List<Effect> effects = slot.machine.on(now, event);
        try {
            tell(slot.oracle, event);
            compare(process, event, effects);
        } catch (MalformedInputException e) {
            difference = Optional.of(
                    "t=" + now + " P" + process + " " + event + ": cannot read a message: " + e.getMessage());
        }
        effects.forEach(effect -> perform(process, effect));
    }

    private void tell(Oracle oracle, Event event) throws MalformedInputException {
        oracle.now = now;
        if (event instanceof Event.Start start) {
            oracle.started(start.initialLeader().orElse(Oracle.NOBODY));
        } else if (event instanceof Event.Received received) {
            oracle.received(received.from(), read(oracle, received.message()));
        } else if (event instanceof Event.TimerFired fired) {
            oracle.timers().remove(fired.timer());
            oracle.fired(fired.timer());
        } else if (event instanceof Event.Suspected suspected) {
            oracle.suspects.add(suspected.process());
            oracle.suspected(suspected.process());
        } else if (event instanceof Event.Trusted trusted) {
            oracle.suspects.remove(trusted.process());
            oracle.trusted(trusted.process());
        } else {
            oracle.prioritiesChanged(((Event.PrioritiesChanged) event).priorities());
        }
        oracle.handled();
        asked.addAll(oracle.asked());
    }

    private void compare(int process, Event event, List<Effect> effects) throws MalformedInputException {
        Slot slot = slots.get(process);
        Oracle oracle = slot.oracle;
        Deeds ofMachine = deeds(slot, effects);
        slot.timers.clear();
        slot.timers.putAll(ofMachine.timers());
        messages += ofMachine.sent().size();
        Deeds ofOracle = new Deeds(
                oracle.takeSent(),
                oracle.timers(),
                oracle.takeIndicated(),
                oracle.leader,
                oracle.isParticipating(ofMachine.isParticipating()),
                oracle.variables());
        if (!ofMachine.equals(ofOracle) && !ofMachine.sorted().equals(ofOracle.sorted())) {
            difference = Optional.of("t=%d size=%d ring=%s event %d: P%d %s%n  machine %s%n  oracle  %s"
                    .formatted(now, size, ring, events, process, event, ofMachine, ofOracle));
        }
    }

    private Deeds deeds(Slot slot, List<Effect> effects) throws MalformedInputException {
        List<Sent> sent = new ArrayList<>();
        List<String> indicated = new ArrayList<>();
        Map<String, Long> timers = new TreeMap<>(slot.timers);
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send send) {
                Letter letter = read(slot.oracle, send.message());
                types.add(letter.type());
                sent.add(new Sent(send.to(), letter));
            } else if (effect instanceof Effect.SetTimer set) {
                timers.put(set.timer(), now + set.delayMin());
            } else if (effect instanceof Effect.CancelTimer cancel) {
                timers.remove(cancel.timer());
            } else if (effect instanceof Effect.Nominate nominate) {
                boolean isMarked = nominate.mark().process() >= 0;
                List<Object> mark = isMarked
                        ? List.of(nominate.mark().term(), nominate.mark().process())
                        : List.of();
                indicated.add(nominate.nominee() + mark.toString());
            } else {
                throw new AssertionError("the faithful variant answers " + effect);
            }
        }
        int leader = slot.machine.leader().orElse(Oracle.NOBODY);
        WireWriter state = new WireWriter();
        slot.machine.snapshot().writeTo(state);
        List<Object> variables = slot.oracle.readVariables(new WireReader(state.toBytes()));
        return new Deeds(sent, timers, indicated, leader, slot.machine.isParticipating(), variables);
    }

    private static Letter read(Oracle oracle, Message message) throws MalformedInputException {
        WireWriter out = new WireWriter();
        message.writeTo(out);
        WireReader in = new WireReader(out.toBytes());
        Letter letter = oracle.read(in);
        in.expectEnd();
        return letter;
    }

    private void perform(int process, Effect effect) {
        if (effect instanceof Effect.Send send) {
            transmit(process, send);
        } else if (effect instanceof Effect.SetTimer set) {
            Slot slot = slots.get(process);
            Election machine = slot.machine;
            long due = now + set.delayMin();
            at(due, TIMER, () -> {
                // A timer of another life, or one that was set again or cancelled, does not fire.
                if (slot.machine == machine && slot.timers.remove(set.timer(), due)) {
                    give(process, new Event.TimerFired(set.timer()));
                }
            });
        }
    }

    private void transmit(int from, Effect.Send send) {
        int copies = has(Happening.REPETITION) ? 1 + random.nextInt(3) : 1;
        for (int copy = 0; copy < copies; copy++) {
            if (random.nextInt(100) >= losses) {
                boolean isStraggler = stragglers > 0 && random.nextInt(100) < stragglers;
                long longest = isStraggler ? 12 * DELTA : latencyMax;
                long latency = latencyMin + random.nextInt((int) (longest - latencyMin + 1));
                at(now + latency, MESSAGE, () -> {
                    if (isRunning(send.to())) {
                        give(send.to(), new Event.Received(from, send.message()));
                    }
                });
            }
        }
    }
}
