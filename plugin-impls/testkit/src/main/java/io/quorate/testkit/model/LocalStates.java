package io.quorate.testkit.model;

import io.quorate.spi.Check;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.model.Fingerprints.Longs;
import io.quorate.testkit.model.ModelChecker.Clocks;
import io.quorate.testkit.model.ModelChecker.Sent;
import io.quorate.testkit.picture.Naming;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * The states of single processes, and the messages between them, each once and known by a number; and what each event
 * makes of each state. The machines are asked once per state and event: a process has few states, the world has many.
 */
public final class LocalStates {

    /** No process has this number: what begins with it is a message. */
    private static final int MESSAGE = 0xff;

    /** One life of a process, and what outlives it. Incarnation 0 is before the first. */
    record Life(int process, int incarnation, Event.Saved saved, History history) {
        Life after(Effect effect) {
            Event.Saved kept = effect instanceof Effect.Save save ? save.saved() : saved;
            return new Life(process, incarnation, kept, history.after(effect));
        }
    }

    /** A pending timer; {@code left}: how long until it fires, 0 without clocks. */
    record Timer(int number, long left) {}

    /** One process in one state. Before its start and after a crash {@code machine} is null, and the rest is empty. */
    record Local(
            Life life,
            Election.State machine,
            List<Timer> timers,
            int suspected,
            OptionalInt leader,
            boolean isParticipating,
            long fingerprint) {

        boolean isAlive() {
            return machine != null;
        }

        boolean isStarted() {
            return life.incarnation > 0;
        }

        boolean suspects(int other) {
            return (suspected & 1 << other) != 0;
        }

        long untilNext() {
            long next = Long.MAX_VALUE;
            for (Timer timer : timers) {
                next = Math.min(next, timer.left);
            }
            return next;
        }
    }

    /** The next state, and the messages that leave, in order. */
    record Outcome(int local, int[] sent) {}

    /** An event of a process; part of the key of an outcome. */
    private enum Kind {
        START,
        RECEIVE,
        FIRE,
        SUSPECT,
        TRUST,
        CRASH,
        WAIT,
        PRIORITIES
    }

    private final ModelChecker model;
    private final Election[] machines;
    private final List<Local> locals = new ArrayList<>();
    private final Map<ByteBuffer, Integer> localNumbers = new HashMap<>();
    private final List<Sent> messages = new ArrayList<>();
    private final Longs messageFingerprints = new Longs();
    private final Map<ByteBuffer, Integer> messageNumbers = new HashMap<>();
    private final Map<Long, Outcome> outcomes = new HashMap<>();
    private final List<String> timerNames = new ArrayList<>();
    private final Set<String> handled = new TreeSet<>();
    private final WireWriter buffer = new WireWriter(256);

    LocalStates(ModelChecker model) {
        this.model = model;
        machines = new Election[model.size];
    }

    Local local(int number) {
        return locals.get(number);
    }

    Sent message(int number) {
        return messages.get(number);
    }

    long messageFingerprint(int number) {
        return messageFingerprints.get(number);
    }

    Set<String> handled() {
        return handled;
    }

    String timerName(int number) {
        return timerNames.get(number);
    }

    private int timerNumber(String name) {
        int number = timerNames.indexOf(name);
        if (number < 0) {
            timerNames.add(name);
            number = timerNames.size() - 1;
        }
        return number;
    }

    int unborn(int process) {
        return internDown(new Life(process, 0, Event.Saved.NOTHING, model.history));
    }

    Outcome start(int before) {
        long key = key(before, Kind.START, 0);
        Outcome known = outcomes.get(key);
        if (known != null) {
            return known;
        }
        Life former = locals.get(before).life;
        int process = former.process;
        int incarnation = former.incarnation + 1;
        machines[process] = created(process);
        OptionalInt leader = incarnation == 1 ? model.initialLeader : OptionalInt.empty();
        History history = incarnation == 1 ? former.history : former.history.afterRestart();
        Local unborn = new Local(
                new Life(process, incarnation, former.saved, history),
                null,
                List.of(),
                0,
                OptionalInt.empty(),
                false,
                0);
        Outcome outcome = step(unborn, new Event.Start(incarnation, former.saved, leader), 0);
        outcomes.put(key, outcome);
        return outcome;
    }

    private Election created(int process) {
        return AlgorithmFailed.asked(
                model.algorithm,
                () -> "the making of P" + process,
                () -> model.algorithm.create(Membership.of(process, model.size), model.timing, model.options));
    }

    Outcome receive(int before, int message) {
        return outcome(before, Kind.RECEIVE, message, 0);
    }

    Outcome fire(int before, Timer timer) {
        return outcome(before, Kind.FIRE, timer.number, timer.left);
    }

    Outcome suspect(int before, int process) {
        return outcome(before, Kind.SUSPECT, process, 0);
    }

    Outcome trust(int before, int process) {
        return outcome(before, Kind.TRUST, process, 0);
    }

    /**
     * The application gives each process the priority {@code change} above that of its number, the highest the lowest.
     */
    Outcome changePriorities(int before, int change) {
        return outcome(before, Kind.PRIORITIES, change, 0);
    }

    private Event priorities(int change) {
        return new Event.PrioritiesChanged(LongStream.range(0, model.size)
                .mapToObj(process -> (process + change) % model.size)
                .toList());
    }

    int crash(int before) {
        return outcome(before, Kind.CRASH, 0, 0).local;
    }

    /** The process after a while in which nothing happens to it, and none of its timers fires. */
    int passed(int before, long elapsed) {
        return elapsed == 0 ? before : outcome(before, Kind.WAIT, (int) elapsed, elapsed).local;
    }

    private Outcome outcome(int before, Kind kind, int argument, long elapsed) {
        long key = key(before, kind, argument);
        Outcome known = outcomes.get(key);
        if (known != null) {
            return known;
        }
        Local local = locals.get(before);
        Outcome outcome =
                switch (kind) {
                    case RECEIVE -> step(local, received(messages.get(argument)), 0);
                    case FIRE -> step(local, new Event.TimerFired(timerNames.get(argument)), elapsed);
                    case SUSPECT -> step(local, new Event.Suspected(argument), 0);
                    case TRUST -> step(local, new Event.Trusted(argument), 0);
                    case PRIORITIES -> step(local, priorities(argument), 0);
                    case CRASH -> new Outcome(internDown(local.life), new int[0]);
                    case WAIT ->
                        new Outcome(
                                intern(new Local(
                                        local.life,
                                        model.normalForm.of(local.machine, elapsed),
                                        sooner(local.timers, elapsed),
                                        local.suspected,
                                        local.leader,
                                        local.isParticipating,
                                        0)),
                                new int[0]);
                    default -> throw new IllegalArgumentException(kind + ": has a way of its own");
                };
        outcomes.put(key, outcome);
        return outcome;
    }

    private static long key(int local, Kind kind, int argument) {
        return (long) local << 32 | (long) kind.ordinal() << 28 | argument;
    }

    private static List<Timer> sooner(List<Timer> timers, long elapsed) {
        return timers.stream()
                .map(timer -> new Timer(timer.number, timer.left - elapsed))
                .toList();
    }

    /** The machine handles the event, {@code elapsed} after the one before. */
    private Outcome step(Local local, Event event, long elapsed) {
        return AlgorithmFailed.asked(
                model.algorithm,
                () -> Naming.of(event) + " in P" + local.life.process,
                () -> handled(local, event, elapsed));
    }

    private Outcome handled(Local local, Event event, long elapsed) {
        Election machine = machines[local.life.process];
        if (local.machine != null) {
            machine.restore(local.machine);
        }
        List<Effect> effects = machine.on(elapsed, event);
        handled.add(name(event));
        Life life = local.life;
        List<Integer> sent = new ArrayList<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send send) {
                Check.argument(
                        0 <= send.to() && send.to() < model.size,
                        "%s: must go to a process from 0 to %d",
                        send,
                        model.size - 1);
                sent.add(intern(life, send));
            }
            life = life.after(effect);
        }
        Election.State state = model.normalForm.of(machine.snapshot(), elapsed);
        int next = intern(new Local(
                life,
                state,
                timers(local, event, elapsed, effects),
                suspected(local, event),
                machine.leader(),
                machine.isParticipating(),
                0));
        return new Outcome(next, sent.stream().mapToInt(Integer::intValue).toArray());
    }

    /** The timers that are pending after the event, in the order of their numbers. */
    private List<Timer> timers(Local before, Event event, long elapsed, List<Effect> effects) {
        TreeMap<Integer, Long> timers = new TreeMap<>();
        sooner(before.timers, elapsed).forEach(timer -> timers.put(timer.number, timer.left));
        if (event instanceof Event.TimerFired fired) {
            timers.remove(timerNumber(fired.timer()));
        }
        for (Effect effect : effects) {
            if (effect instanceof Effect.SetTimer set) {
                timers.put(timerNumber(set.timer()), model.clocks == Clocks.NONE ? 0 : set.delayMax());
            } else if (effect instanceof Effect.CancelTimer cancel) {
                timers.remove(timerNumber(cancel.timer()));
            }
        }
        List<Timer> pending = new ArrayList<>();
        timers.forEach((number, left) -> pending.add(new Timer(number, left)));
        return pending;
    }

    private static int suspected(Local before, Event event) {
        return event instanceof Event.Suspected suspected
                ? before.suspected | 1 << suspected.process()
                : event instanceof Event.Trusted trusted
                        ? before.suspected & ~(1 << trusted.process())
                        : before.suspected;
    }

    private static Event received(Sent sent) {
        return new Event.Received(sent.from(), sent.message());
    }

    private static String name(Event event) {
        return event instanceof Event.Received received
                ? received.message().getClass().getSimpleName()
                : event instanceof Event.TimerFired fired
                        ? "timer " + fired.timer()
                        : event.getClass().getSimpleName();
    }

    // ---------------------------------------------------------------- each thing once

    private void write(Life life) {
        buffer.clear();
        buffer.writeByte(life.process);
        buffer.writeUnsigned(life.incarnation);
        buffer.writeBytes(life.saved.bytes());
        life.history.writeTo(buffer);
    }

    private int internDown(Life life) {
        write(life);
        buffer.writeBoolean(false);
        return number(new Local(life, null, List.of(), 0, OptionalInt.empty(), false, fingerprint(buffer)));
    }

    private int intern(Local local) {
        write(local.life);
        buffer.writeBoolean(true);
        buffer.writeUnsigned(local.suspected);
        buffer.writeUnsigned(local.timers.size());
        for (Timer timer : local.timers) {
            buffer.writeUnsigned(timer.number);
            buffer.writeUnsigned(timer.left);
        }
        local.machine.writeTo(buffer);
        return number(new Local(
                local.life,
                local.machine,
                local.timers,
                local.suspected,
                local.leader,
                local.isParticipating,
                fingerprint(buffer)));
    }

    /** The number of a state that stands in the buffer. */
    private int number(Local local) {
        Integer known = localNumbers.putIfAbsent(ByteBuffer.wrap(buffer.toBytes()), locals.size());
        if (known != null) {
            return known;
        }
        locals.add(local);
        return locals.size() - 1;
    }

    private int intern(Life from, Effect.Send send) {
        Message message = model.normalForm.of(send.message());
        buffer.clear();
        buffer.writeByte(MESSAGE);
        buffer.writeByte(from.process);
        buffer.writeByte(send.to());
        buffer.writeUnsigned(from.incarnation);
        message.writeTo(buffer);
        Integer known = messageNumbers.putIfAbsent(ByteBuffer.wrap(buffer.toBytes()), messages.size());
        if (known != null) {
            return known;
        }
        messages.add(new Sent(from.process, send.to(), from.incarnation, message));
        messageFingerprints.add(fingerprint(buffer));
        return messages.size() - 1;
    }

    private static long fingerprint(WireWriter bytes) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < bytes.length(); i++) {
            hash = mix(hash ^ bytes.at(i) & 0xff);
        }
        return mix(hash);
    }

    /** The finalizer of SplitMix64: every bit of the result depends on every bit of the input. */
    public static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }
}
