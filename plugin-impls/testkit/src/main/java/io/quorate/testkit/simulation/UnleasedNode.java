package io.quorate.testkit.simulation;

import io.quorate.core.Node;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.settings.Fnv64;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.Jitter;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.Timers;
import io.quorate.engine.Fatal;
import io.quorate.spi.Check;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.NodeId;
import io.quorate.spi.Options;
import io.quorate.testkit.picture.Naming;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.LongStream;

/**
 * One node of a documented algorithm alone, with no lease and no votes: the mode {@code UNLEASED}.
 *
 * <p><b>TWO NODES MAY LEAD AT THE SAME TIME</b>, and with some algorithms they do so for ever after a partition has
 * healed. It promises what the algorithm's document promises: at most one leader per connected part, eventually. The
 * mark is the algorithm's; in the faithful variants there is none. Applications that must never have two leaders take a
 * {@link Node}. This mode is for tests, for comparisons, and for applications that prefer two leaders to none.
 *
 * <p>All configured voters take part, and nobody else, in one election that never ends; the highest node id has the
 * best rank, as in the documents. Only an algorithm that knows priorities goes by {@link #priority}. Deterministic and
 * single-threaded, and driven as a {@link Node} is. The events {@link NodeEvent.Received} and {@link NodeEvent.Wake}
 * count; the others are about the lease and have no effect.
 */
public final class UnleasedNode {

    private static final long UNKNOWN_LIFE = 0;

    private final NodeSettings settings;
    private final ElectionAlgorithm algorithm;
    private final Options options;
    private final Birth birth;
    private final Jitter jitter;
    /** Index = number in the membership: the voters in the order of their ids. */
    private final List<NodeId> members;

    private final int self;
    private final List<Peer> peers = new ArrayList<>();
    /** Of each member, as it said last: at first its number. */
    private final List<Long> priorities;

    private boolean isListChanged;
    private boolean isListDue;

    private final long configHash;

    private final Timers timers = new Timers();
    private final Map<String, Timers.Handle> timersOfElection = new HashMap<>();
    private final Deque<Message> toSelf = new ArrayDeque<>();
    private List<Output> effects = new ArrayList<>();
    private long now;
    private long heartbeats;
    private boolean isStarted;
    private Election election;
    private Optional<Throwable> failure = Optional.empty();
    private Mark nominated = Mark.NONE;

    private Optional<NodeId> leader = Optional.empty();
    private Mark mark = Mark.NONE;

    /** The actions that the node requests, in this order. */
    public sealed interface Output {

        /** Send, best effort. */
        record Send(NodeId to, NodeMessage message) implements Output {}

        /** Keep these bytes for the next life, before what follows is done. */
        record Save(Event.Saved saved) implements Output {}

        /**
         * The node takes another for the leader. Others may name another at the same time, and several may name
         * themselves.
         *
         * @param leader empty if it takes nobody for it
         * @param mark   what the algorithm orders its nominations by; {@link Mark#NONE} with nobody
         */
        record LeaderNamed(Optional<NodeId> leader, Mark mark) implements Output {}

        /** The node takes no further part, for good. */
        record Failed(RuntimeException cause) implements Output {}

        /** A warning for an operator. */
        record Warning(String text) implements Output {}
    }

    /**
     * A node's memory of its former lives.
     *
     * @param incarnation of this life: above that of every former one; 1 in the first, if that is known
     * @param saved       what the last {@link Output.Save} asked to keep
     */
    public record Birth(long incarnation, Event.Saved saved) {
        public Birth {
            Check.argument(incarnation > 0, "incarnation %d: must be at least 1", incarnation);
            Objects.requireNonNull(saved, "saved");
        }
    }

    private static final class Peer {
        /** The newest that was heard of. */
        private long life = UNKNOWN_LIFE;

        private boolean isSuspected;
        private Optional<Timers.Handle> silence = Optional.empty();
    }

    /**
     * A node that does nothing before {@link #start}.
     *
     * @param settings  a node that votes; its support, rank order, priority and preempt have no meaning here, and its
     *                  first priority is its number
     * @param algorithm must be equal on all nodes, and so must
     * @param options   the variant
     * @throws IllegalArgumentException if the node is not one of the voters
     */
    public UnleasedNode(
            NodeSettings settings, ElectionAlgorithm algorithm, Options options, Birth birth, Jitter jitter) {
        Check.argument(settings.isVoter(), "unleased node %s: must be one of %s", settings.self(), settings.voters());
        this.settings = settings;
        this.algorithm = Objects.requireNonNull(algorithm, "algorithm");
        this.options = Objects.requireNonNull(options, "options");
        this.birth = Objects.requireNonNull(birth, "birth");
        this.jitter = Objects.requireNonNull(jitter, "jitter");
        members = settings.voters();
        self = members.indexOf(settings.self());
        members.forEach(member -> peers.add(new Peer()));
        priorities = new ArrayList<>(LongStream.range(0, members.size()).boxed().toList());
        Fnv64 digest = new Fnv64().add("unleased with priorities").add(settings.clusterId());
        members.forEach(member -> digest.add(member.value()));
        configHash = digest.add(algorithm.name()).add(options.variant().name()).value();
    }

    /** The first step; called once. Everybody is trusted until the time for a suspicion is over. */
    public List<Output> start(long time) {
        Check.state(!isStarted, "node %s: was started before", settings.self());
        isStarted = true;
        now = time;
        effects.add(new Output.Warning(
                "runs " + algorithm.name() + " without a lease: two nodes may lead at the same time"));
        for (int number = 0; number < members.size(); number++) {
            watch(number);
        }
        heartbeat();
        perform(new Event.Start(birth.incarnation(), birth.saved(), OptionalInt.empty()));
        return finishStep();
    }

    /** Handles one event. When the node has failed, nothing has an effect. */
    public List<Output> step(long time, NodeEvent event) {
        Check.state(isStarted, "node %s: has not been started", settings.self());
        Check.state(time - now >= 0, "time %d: must not be before %d", time, now);
        now = time;
        if (event instanceof NodeEvent.Received received && failure.isEmpty()) {
            onReceived(received);
        }
        return finishStep();
    }

    private List<Output> finishStep() {
        if (failure.isEmpty()) {
            timers.run(now);
        }
        List<Output> taken = effects;
        effects = new ArrayList<>();
        return taken;
    }

    /**
     * This node has that priority from now on. Its heartbeats carry it to the others, and each tells its election of
     * the change: who leads takes it over, and so does who comes to lead after it.
     */
    public List<Output> priority(long time, long value) {
        Check.state(isStarted, "node %s: has not been started", settings.self());
        now = time;
        setPriority(self, value);
        return finishStep();
    }

    /** When to step with {@link NodeEvent.Wake} if nothing else happens before. */
    public long nextWake() {
        return failure.isPresent() ? now + Timers.NEVER : timers.next(now + Timers.NEVER);
    }

    // ---------------------------------------------------------------- heartbeats and suspicions

    private void heartbeat() {
        timers.set(now + settings.lease().heartbeat(), this::heartbeat);
        heartbeats++;
        for (int number = 0; number < members.size(); number++) {
            // Nobody is asked for support, and no list of voters has a hash: the priority stands in its place.
            long priority = priorities.get(self);
            send(
                    number,
                    new Heartbeat(2, priority, heartbeats, Optional.empty(), false, false, 0, configHash, false, -1));
        }
    }

    private void onHeartbeat(int number, Heartbeat heartbeat) {
        if (heartbeat.configHash() != configHash) {
            return;
        }
        Peer peer = peers.get(number);
        watch(number);
        if (peer.isSuspected) {
            peer.isSuspected = false;
            perform(new Event.Trusted(number));
        }
        setPriority(number, heartbeat.hash());
    }

    private void setPriority(int number, long value) {
        if (priorities.set(number, value) != value) {
            isListChanged = true;
            perform(new Event.PrioritiesChanged(priorities));
        }
    }

    /** From now on the peer may be silent for three heartbeats. */
    private void watch(int number) {
        if (number == self) {
            return;
        }
        Peer peer = peers.get(number);
        peer.silence.ifPresent(Timers.Handle::cancel);
        peer.silence = Optional.of(timers.set(now + settings.lease().suspicion(), () -> {
            peer.isSuspected = true;
            perform(new Event.Suspected(number));
        }));
    }

    // ---------------------------------------------------------------- messages

    private void onReceived(NodeEvent.Received received) {
        int number = members.indexOf(received.from());
        if (number < 0 || number == self || received.incarnation() < peers.get(number).life) {
            return;
        }
        peers.get(number).life = received.incarnation();
        if (received.message() instanceof Heartbeat heartbeat) {
            onHeartbeat(number, heartbeat);
        } else if (received.message() instanceof Elect elect) {
            onElect(number, elect);
        }
    }

    private void onElect(int number, Elect elect) {
        boolean isForThisLife =
                elect.election() == electionOf(birth.incarnation()) || elect.election() == electionOf(UNKNOWN_LIFE);
        if (isForThisLife && elect.from() == number && elect.to() == self) {
            perform(new Event.Received(number, elect.message()));
        }
    }

    /** Names the election to a life of a member, so that what was meant for a former one is not for it. */
    private long electionOf(long life) {
        return new Fnv64().add(configHash).add(life).value();
    }

    private void send(int number, NodeMessage message) {
        if (number != self) {
            effects.add(new Output.Send(members.get(number), message));
        }
    }

    // ---------------------------------------------------------------- the algorithm

    private void perform(Event event) {
        give(event);
        for (Message own = toSelf.poll(); own != null; own = toSelf.poll()) {
            give(new Event.Received(self, own));
        }
        if (isListDue) {
            isListDue = false;
            perform(new Event.PrioritiesChanged(priorities));
        }
    }

    private void give(Event event) {
        if (failure.isPresent()) {
            return;
        }
        try {
            if (election == null) {
                election = algorithm.create(Membership.of(self, members.size()), settings.timing(), options);
            }
            election.on(now, event).forEach(this::perform);
            // Nominations alone do not tell who leads: faithful variants fall out with a leader and tell nobody.
            OptionalInt taken = election.leader();
            name(taken.isPresent() ? Optional.of(members.get(taken.getAsInt())) : Optional.empty());
            // Justification: somebody else's algorithm may throw anything, and without it this node has nothing to go
            // by.
        } catch (Throwable e) {
            Fatal.throwIfFatal(e);
            failure = Optional.of(e);
            name(Optional.empty());
            effects.add(new Output.Failed(new IllegalStateException(
                    "algorithm " + algorithm.name() + " failed at " + Naming.of(event) + ": " + e, e)));
        }
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Send send) {
            sendElect(send.to(), send.message());
        } else if (effect instanceof Effect.SetTimer set) {
            setTimer(set);
        } else if (effect instanceof Effect.CancelTimer cancel) {
            cancelTimer(cancel.timer());
        } else if (effect instanceof Effect.Nominate nominate) {
            nominated = nominate.mark();
        } else if (effect instanceof Effect.Save save) {
            effects.add(new Output.Save(save.saved()));
        }
    }

    private void sendElect(int to, Message message) {
        if (to == self) {
            toSelf.add(message);
        } else {
            long life = peers.get(to).life;
            send(to, new Elect(electionOf(life), birth.incarnation(), self, to, false, message));
        }
    }

    private void setTimer(Effect.SetTimer set) {
        cancelTimer(set.timer());
        long delay = jitter.between(set.delayMin(), set.delayMax());
        timersOfElection.put(set.timer(), timers.set(now + delay, () -> {
            timersOfElection.remove(set.timer());
            perform(new Event.TimerFired(set.timer()));
        }));
    }

    private void cancelTimer(String name) {
        Optional.ofNullable(timersOfElection.remove(name)).ifPresent(Timers.Handle::cancel);
    }

    private void name(Optional<NodeId> named) {
        Mark with = named.isPresent() ? nominated : Mark.NONE;
        if (!named.equals(leader) || !with.equals(mark)) {
            boolean didNotLead = !isLeading();
            leader = named;
            // Elections drop a change that they are told of while another process leads, or none does.
            isListDue = isListChanged && isLeading() && didNotLead;
            mark = with;
            effects.add(new Output.LeaderNamed(named, with));
        }
    }

    // ---------------------------------------------------------------- what the driver asks

    /** Whom this node takes for the leader; empty if nobody. */
    public Optional<NodeId> leader() {
        return leader;
    }

    /** Whether this node takes itself for the leader. <b>Another may do so at the same time.</b> */
    public boolean isLeading() {
        return leader.equals(Optional.of(settings.self()));
    }

    /** The order of the algorithm's nominations; {@link Mark#NONE} without a leader, and in faithful variants. */
    public Mark mark() {
        return mark;
    }

    /** How many timers are pending: bounded by the number of members and of the algorithm's timers. */
    public int pendingTimers() {
        return timers.size();
    }

    /** Leader and suspicions, for logs and error messages. */
    public String describe() {
        List<NodeId> suspects = members.stream()
                .filter(m -> peers.get(members.indexOf(m)).isSuspected)
                .toList();
        return settings.self() + " in life " + birth.incarnation() + ": takes "
                + leader.map(NodeId::value).orElse("nobody") + " for the leader with " + mark + ", suspects " + suspects
                + failure.map(e -> ", has failed: " + e).orElse("");
    }
}
