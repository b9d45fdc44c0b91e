package io.quorate.machine;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Variant;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The frame of a machine: gives each event to its handler and collects what the handler wants done. A handler that a
 * machine does not have ignores its event; a timer that it never set is a bug.
 */
public abstract class ElectionMachine implements Election {

    /** In place of the number of a process. */
    protected static final int NOBODY = -1;

    protected final Membership membership;
    protected final Options options;
    /** This process. */
    protected final int self;
    /** N: how many processes contend, dead or alive. */
    protected final int contenders;
    /** The time of the event being handled. */
    protected long now;

    private final boolean persistent; // option P, which F does not have
    private List<Effect> effects = new ArrayList<>(); // of the event being handled

    /** A machine that was not started yet. */
    protected ElectionMachine(Membership membership, Options options) {
        this.membership = membership;
        this.options = options;
        this.self = membership.self();
        this.contenders = membership.contenders();
        this.persistent = options.variant() == Variant.HARDENED && options.persistence();
    }

    @Override
    public final List<Effect> on(long time, Event event) {
        now = time;
        effects = new ArrayList<>();
        if (event instanceof Event.Start start && persistent && !start.saved().isEmpty()) {
            restore(start.saved());
        }
        Event.Saved before = toSave();
        handle(event);
        recheck();
        Event.Saved after = toSave();
        if (!after.equals(before)) {
            effects.add(0, new Effect.Save(after)); // K7: before any message that shows it
        }
        checkInvariants();
        return effects;
    }

    private void handle(Event event) {
        if (event instanceof Event.Start start) {
            onStart(start);
        } else if (event instanceof Event.Received received) {
            onMessage(received.from(), received.message());
        } else if (event instanceof Event.TimerFired fired) {
            onTimer(fired.timer());
        } else if (event instanceof Event.Suspected suspected) {
            if (isOther(suspected.process())) {
                onSuspected(suspected.process());
            }
        } else if (event instanceof Event.Trusted trusted) {
            if (isOther(trusted.process())) {
                onTrusted(trusted.process());
            }
        } else if (event instanceof Event.PrioritiesChanged changed) {
            onPrioritiesChanged(changed.priorities());
        } else {
            throw new IllegalStateException("event " + event + ": is of no known kind");
        }
    }

    // ---------------------------------------------------------------- what a machine does

    /** The first event. */
    protected abstract void onStart(Event.Start start);

    /** A message that anybody may have sent: the machine drops those of another algorithm, and of or about nobody. */
    protected abstract void onMessage(int from, Message message);

    /** A timer of that name has run out. */
    protected void onTimer(String timer) {
        throw new IllegalStateException("timer " + timer + ": was never set");
    }

    /** The detector suspects another contender. */
    protected void onSuspected(int process) {}

    /** The detector suspects another contender no longer. */
    protected void onTrusted(int process) {}

    /** The application changed the priorities at the leader. */
    protected void onPrioritiesChanged(List<Long> priorities) {}

    /** K1: looks at the state after every event. F has no such rule. */
    protected void recheck() {}

    /** Throws if the state breaks a rule of the algorithm; asked after every event. */
    protected abstract void checkInvariants();

    // ---------------------------------------------------------------- effects

    /** To one process; in a ring of one that may be this one. */
    protected final void send(int to, Message message) {
        effects.add(new Effect.Send(to, message));
    }

    /** To each other contender, in the order of their numbers. */
    protected final void sendToOthers(Message message) {
        for (int process = 0; process < contenders; process++) {
            if (process != self) {
                send(process, message);
            }
        }
    }

    /** Sets a timer, in place of a pending one of that name; the delay is in the unit of the timing. */
    protected final void set(String timer, long delay) {
        effects.add(new Effect.SetTimer(timer, delay));
    }

    /** Cancels a timer, which must be pending. */
    protected final void cancel(String timer) {
        effects.add(new Effect.CancelTimer(timer));
    }

    /** Says who should lead; F gives {@link Mark#NONE} if its document has no marks. */
    protected final void nominate(int nominee, Mark mark) {
        effects.add(new Effect.Nominate(nominee, mark));
    }

    /** Says that nobody should lead for the time being. Not in F. */
    protected final void nominateNobody() {
        effects.add(new Effect.NoNominee());
    }

    // ---------------------------------------------------------------- processes

    /** Whether the number is one of a process that contends; a peer may send any number. */
    protected final boolean isContender(int process) {
        return 0 <= process && process < contenders;
    }

    /** Whether the number is one of another process that contends. */
    protected final boolean isOther(int process) {
        return isContender(process) && process != self;
    }

    /** Whether so many are more than half of all contenders. */
    protected final boolean isMajority(long count) {
        return 2 * count > contenders;
    }

    /** The set with one element more; a set that a state shares is never changed in place. */
    protected static <T> SortedSet<T> with(SortedSet<T> set, T element) {
        SortedSet<T> more = new TreeSet<>(set);
        more.add(element);
        return Collections.unmodifiableSortedSet(more);
    }

    /** The set with one element less. */
    protected static <T> SortedSet<T> without(SortedSet<T> set, T element) {
        SortedSet<T> less = new TreeSet<>(set);
        less.remove(element);
        return Collections.unmodifiableSortedSet(less);
    }

    // ---------------------------------------------------------------- option P (K7)

    /** Writes the part of the state that the next life of the process starts with. F keeps nothing. */
    protected void writeSaved(WireWriter out) {}

    /** Takes over what a former life wrote. */
    protected void readSaved(WireReader in) throws MalformedInputException {}

    private Event.Saved toSave() {
        if (!persistent) {
            return Event.Saved.NOTHING;
        }
        WireWriter out = new WireWriter();
        writeSaved(out);
        return new Event.Saved(out.toBytes());
    }

    private void restore(Event.Saved saved) {
        try {
            WireReader in = new WireReader(saved.bytes());
            readSaved(in);
            in.expectEnd();
        } catch (MalformedInputException e) {
            throw new IllegalStateException("saved state " + saved + ": was not written by this algorithm", e);
        }
    }
}
