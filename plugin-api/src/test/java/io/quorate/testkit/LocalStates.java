package io.quorate.testkit;

import io.quorate.spi.Check;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.WireWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * The states of single processes, and the messages between them, each once and known by a number; and what each event
 * makes of each state. The machines are asked once per state and event: a process has few states, the world has many.
 */
final class LocalStates {

    /** A process that has not started, or has crashed. */
    private static final byte[] DOWN = {0};

    /** One process in one state. */
    record Local(int process, Election.State machine, Set<String> timers, boolean isAlive, boolean isStarted,
                 int incarnation, int suspected, OptionalInt leader, boolean isParticipating, long fingerprint) {

        boolean suspects(int other) {
            return (suspected & 1 << other) != 0;
        }
    }

    /** One message from one life of its sender. */
    record Sent(int from, int to, int incarnation, Message message, long fingerprint) {
    }

    /** The next state, and the messages that leave, in order. */
    record Outcome(int local, int[] sent) {
    }

    private final ModelChecker model;
    private final Election[] machines;
    private final List<Local> locals = new ArrayList<>();
    private final Map<ByteBuffer, Integer> localNumbers = new HashMap<>();
    private final List<Sent> messages = new ArrayList<>();
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

    Set<String> handled() {
        return handled;
    }

    String timerName(int number) {
        return timerNames.get(number);
    }

    int timerNumber(String name) {
        int number = timerNames.indexOf(name);
        if (number < 0) {
            timerNames.add(name);
            number = timerNames.size() - 1;
        }
        return number;
    }

    /** A process that is not there: before its start, or after its crash. */
    int down(int process, int incarnation) {
        buffer.clear();
        buffer.writeByte(process);
        buffer.writeUnsigned(incarnation);
        buffer.writeRaw(DOWN, 0, DOWN.length);
        ByteBuffer key = ByteBuffer.wrap(buffer.toBytes());
        Integer known = localNumbers.get(key);
        if (known != null) {
            return known;
        }
        locals.add(new Local(process, null, Set.of(), false, incarnation > 0, incarnation, 0, OptionalInt.empty(),
                false, fingerprint(buffer)));
        localNumbers.put(key, locals.size() - 1);
        return locals.size() - 1;
    }

    Outcome start(int before, Event.Start event) {
        Local local = locals.get(before);
        machines[local.process] = model.algorithm.create(Membership.of(local.process, model.size), model.timing,
                model.options);
        return step(key(before, 0, 0), new Local(local.process, null, Set.of(), true, true,
                (int) event.incarnation(), 0, OptionalInt.empty(), false, 0), event);
    }

    Outcome receive(int before, int message) {
        return outcome(before, 1, message, new Event.Received(messages.get(message).from,
                messages.get(message).message));
    }

    Outcome fire(int before, int timer) {
        return outcome(before, 2, timer, new Event.TimerFired(timerNames.get(timer)));
    }

    Outcome suspect(int before, int process) {
        return outcome(before, 3, process, new Event.Suspected(process));
    }

    Outcome trust(int before, int process) {
        return outcome(before, 4, process, new Event.Trusted(process));
    }

    private Outcome outcome(int before, int kind, int argument, Event event) {
        long key = key(before, kind, argument);
        Outcome known = outcomes.get(key);
        if (known != null) {
            return known;
        }
        Outcome outcome = step(key, locals.get(before), event);
        outcomes.put(key, outcome);
        return outcome;
    }

    private static long key(int local, int kind, int argument) {
        return (long) local << 32 | (long) kind << 28 | argument;
    }

    private Outcome step(long key, Local local, Event event) {
        Check.state(key >= 0, "local state of event %s: has a negative key", event);
        Election machine = machines[local.process];
        if (local.machine != null) {
            machine.restore(local.machine);
        }
        List<Effect> effects = machine.on(0, event);
        handled.add(name(event));
        Set<String> timers = new TreeSet<>(local.timers);
        int suspected = local.suspected;
        if (event instanceof Event.TimerFired fired) {
            timers.remove(fired.timer());
        } else if (event instanceof Event.Suspected s) {
            suspected |= 1 << s.process();
        } else if (event instanceof Event.Trusted t) {
            suspected &= ~(1 << t.process());
        }
        List<Integer> sent = new ArrayList<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send send) {
                sent.add(intern(local, send));
            } else if (effect instanceof Effect.SetTimer set) {
                timers.add(set.timer());
            } else if (effect instanceof Effect.CancelTimer cancel) {
                timers.remove(cancel.timer());
            }
        }
        int next = intern(local, machine, timers, suspected);
        return new Outcome(next, sent.stream().mapToInt(Integer::intValue).toArray());
    }

    private static String name(Event event) {
        return event instanceof Event.Received received ? received.message().getClass().getSimpleName()
                : event instanceof Event.TimerFired fired ? "timer " + fired.timer()
                : event.getClass().getSimpleName();
    }

    private int intern(Local before, Election machine, Set<String> timers, int suspected) {
        Election.State state = machine.snapshot();
        buffer.clear();
        buffer.writeByte(before.process);
        buffer.writeUnsigned(before.incarnation);
        buffer.writeByte(1);
        buffer.writeUnsigned(suspected);
        buffer.writeUnsigned(timers.size());
        timers.forEach(buffer::writeString);
        state.writeTo(buffer);
        ByteBuffer key = ByteBuffer.wrap(buffer.toBytes());
        Integer known = localNumbers.get(key);
        if (known != null) {
            return known;
        }
        locals.add(new Local(before.process, state, timers, true, true, before.incarnation, suspected,
                machine.leader(), machine.isParticipating(), fingerprint(buffer)));
        localNumbers.put(key, locals.size() - 1);
        return locals.size() - 1;
    }

    private int intern(Local from, Effect.Send send) {
        buffer.clear();
        buffer.writeByte(from.process);
        buffer.writeByte(send.to());
        buffer.writeUnsigned(from.incarnation);
        send.message().writeTo(buffer);
        ByteBuffer key = ByteBuffer.wrap(buffer.toBytes());
        Integer known = messageNumbers.get(key);
        if (known != null) {
            return known;
        }
        messages.add(new Sent(from.process, send.to(), from.incarnation, send.message(), fingerprint(buffer)));
        messageNumbers.put(key, messages.size() - 1);
        return messages.size() - 1;
    }

    private static long fingerprint(WireWriter bytes) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < bytes.length(); i++) {
            hash = mix(hash ^ bytes.at(i) & 0xff);
        }
        return hash;
    }

    /** The finalizer of SplitMix64: every bit of the result depends on every bit of the input. */
    static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }
}
