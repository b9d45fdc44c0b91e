package io.quorate.core.election;

import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.engine.Fatal;
import io.quorate.spi.Check;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.NodeId;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of this node at one election: drives the algorithm's machine for all paths that have these contenders in
 * this order of rank. It is born when a path needs a nominee and dropped when none does; while all paths have leaders,
 * there is none.
 */
final class ElectionAttempt {

    /** The listener of an election, which is a path that the election is held for. */
    interface Listener {
        /** The nominee has changed; there may be none now. */
        void onNominee();

        /** The algorithm threw; this attempt is over. */
        void onFailure(String reason);
    }

    private final StepContext context;
    private final long id;
    private final long birth;
    private final Set<Listener> listeners = new LinkedHashSet<>();
    private final List<NodeId> ranked;
    private final Timing timing;
    /** Index = number in the membership: contenders from the worst rank to the best, then witnesses. */
    private final List<NodeId> members;

    private final int contenders;
    private @Nullable Election machine;
    private final Map<String, Timers.Handle> timers = new HashMap<>();
    private final Map<Integer, Long> birthOf = new HashMap<>();
    private Optional<NodeId> nominee = Optional.empty();
    private Optional<String> failure = Optional.empty();
    private boolean isOver;

    /**
     * @param ranked the contending nodes, best rank first, this one among them
     * @param timing what the machine computes its time-outs from
     */
    ElectionAttempt(StepContext context, long id, long birth, List<NodeId> ranked, Timing timing) {
        this.context = context;
        this.id = id;
        this.birth = birth;
        this.ranked = ranked;
        this.timing = timing;
        members = new ArrayList<>(ranked);
        Collections.reverse(members);
        contenders = members.size();
        if (context.countsVoters()) {
            context.voters().ids().stream().filter(v -> !members.contains(v)).forEach(members::add);
        }
    }

    private Membership membership() {
        List<Integer> ring = new ArrayList<>();
        Set<Integer> voters = new TreeSet<>();
        for (int number = 0; number < members.size(); number++) {
            if (number < contenders) {
                ring.add(number);
            }
            if (context.voterIndex(members.get(number)) >= 0) {
                voters.add(number);
            }
        }
        ring.sort(Comparator.comparing(members::get));
        return new Membership(members.indexOf(context.self()), contenders, members.size() - contenders, ring, voters);
    }

    /** Starts the machine; the suspects are told to it at once. */
    void start(Set<NodeId> suspects) {
        perform(new Event.Start(birth, Event.Saved.NOTHING, OptionalInt.empty()));
        for (NodeId suspect : suspects) {
            suspected(suspect);
        }
    }

    long id() {
        return id;
    }

    List<NodeId> ranked() {
        return ranked;
    }

    Set<Listener> listeners() {
        return listeners;
    }

    Optional<NodeId> nominee() {
        return nominee;
    }

    /** Tells a path that takes part from now on where the attempt stands. */
    void join(Listener listener) {
        if (!listeners.add(listener)) {
            return;
        }
        failure.ifPresent(listener::onFailure);
        if (nominee.isPresent()) {
            listener.onNominee();
        }
    }

    /** A message of this election. Those of an earlier attempt of the sender are dropped. */
    void onMessage(NodeId from, Elect message) {
        boolean isMember = message.from() < members.size()
                && members.get(message.from()).equals(from)
                && message.to() < members.size()
                && members.get(message.to()).equals(context.self());
        if (!isMember || isOver) {
            return;
        }
        long newest = birthOf.getOrDefault(message.from(), 0L);
        if (isWitness(message.from()) ? message.birth() != birth : message.birth() < newest) {
            return;
        }
        birthOf.put(message.from(), message.birth());
        perform(new Event.Received(message.from(), message.message()));
    }

    void suspected(NodeId node) {
        int number = contender(node);
        if (number >= 0) {
            perform(new Event.Suspected(number));
        }
    }

    void trusted(NodeId node) {
        int number = contender(node);
        if (number >= 0) {
            perform(new Event.Trusted(number));
        }
    }

    void stop() {
        isOver = true;
        timers.values().forEach(Timers.Handle::cancel);
        timers.clear();
    }

    /** A voter that does not contend has no machine. It answers in the name of the asking node. */
    private boolean isWitness(int number) {
        return number >= contenders;
    }

    private int contender(NodeId node) {
        int number = members.indexOf(node);
        return number < 0 || isWitness(number) || node.equals(context.self()) ? -1 : number;
    }

    private void perform(Event event) {
        if (isOver) {
            return;
        }
        List<Effect> effects;
        try {
            if (machine == null) {
                machine = context.algorithm().create(membership(), timing, Options.HARDENED);
            }
            effects = machine.on(context.now(), event);
            effects.forEach(this::check);
        } catch (Throwable e) {
            // Justification: somebody else's algorithm. It loses this election only; patience carries on.
            Fatal.throwIfFatal(e);
            stop();
            nominee = Optional.empty();
            String reason = "algorithm " + context.algorithmName() + " failed at " + event + ": " + e;
            failure = Optional.of(reason);
            List.copyOf(listeners).forEach(listener -> listener.onFailure(reason));
            return;
        }
        for (Effect effect : effects) {
            if (!isOver) {
                perform(effect);
            }
        }
    }

    /**
     * An effect that names no member is the algorithm's fault, so it is found here and not in the middle of the step.
     */
    private void check(Effect effect) {
        if (effect instanceof Effect.Send send) {
            Check.state(
                    0 <= send.to() && send.to() < members.size(),
                    "message to process %d: there are %d",
                    send.to(),
                    members.size());
        } else if (effect instanceof Effect.Nominate nominate) {
            Check.state(
                    0 <= nominate.nominee() && nominate.nominee() < contenders,
                    "nominee %d: there are %d contenders",
                    nominate.nominee(),
                    contenders);
        }
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Send send) {
            send(send.to(), send.message());
        } else if (effect instanceof Effect.SetTimer set) {
            setTimer(set);
        } else if (effect instanceof Effect.CancelTimer cancel) {
            Optional.ofNullable(timers.remove(cancel.timer())).ifPresent(Timers.Handle::cancel);
        } else if (effect instanceof Effect.Nominate nominate) {
            nominate(Optional.of(members.get(nominate.nominee())));
        } else if (effect instanceof Effect.NoNominee) {
            nominate(Optional.empty());
        }
        // Effect.Save: the lease layer keeps the terms, so option P is off.
    }

    private void send(int to, Message message) {
        NodeId receiver = members.get(to);
        int self = members.indexOf(context.self());
        context.send(receiver, new Elect(id, birth, self, to, isWitness(to), message));
    }

    private void setTimer(Effect.SetTimer set) {
        long delay = context.jitter().between(set.delayMin(), set.delayMax());
        timers.put(set.timer(), context.timers().replace(timers.get(set.timer()), context.now() + delay, () -> {
            timers.remove(set.timer());
            perform(new Event.TimerFired(set.timer()));
        }));
    }

    private void nominate(Optional<NodeId> named) {
        if (!named.equals(nominee)) {
            nominee = named;
            List.copyOf(listeners).forEach(Listener::onNominee);
        }
    }
}
