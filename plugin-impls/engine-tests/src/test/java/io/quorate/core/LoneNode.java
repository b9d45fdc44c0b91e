package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Change.Join;
import io.quorate.core.message.DirectoryMessage.Change.Leave;
import io.quorate.core.message.DirectoryMessage.Change.Watch;
import io.quorate.core.message.DirectoryMessage.Item;
import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.DirectoryMessage.RegistrationsAck;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Epoch;
import io.quorate.engine.Tenure;
import io.quorate.spi.Check;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The node n1 on its own, whose voters n2, n3 and n4 are played here; every effect of it is kept. A voter answers in no
 * time, and votes for each claim: what is to be refused, the test refuses. All of them list the same contenders.
 * Heartbeat 200 ms, support 1 s, delta 20 ms; of a range at random, the middle is drawn.
 */
public final class LoneNode {

    public static final NodeId N4 = new NodeId("n4");
    /** An epoch in which one voter begins anew. */
    public static final Epoch ANEW = new Epoch(1, 2);

    private static final List<NodeId> VOTERS = List.of(N2, N3, N4);
    private static final long MILLI = 1_000_000;
    private static final long LIFE = 1;
    /** Whoever wants more of them at one instant never ends. */
    private static final int TURNS_MAX = 20_000;

    private final Node node;
    private final Deque<NodeEvent> answers = new ArrayDeque<>();
    private final Map<String, Map<ContenderId, ContenderRecord>> listed = new TreeMap<>();
    private final Map<NodeId, Long> heartbeats = new LinkedHashMap<>();
    private final Map<Long, Tenure> tenures = new HashMap<>();
    private final List<NodeEffect> effects = new ArrayList<>();
    private final List<String> states = new ArrayList<>();
    private List<NodeId> up = List.of(N1, N2, N3, N4);
    private Predicate<NodeEffect.Send> unanswered = send -> false;
    private Epoch epoch = new Epoch(LIFE, 1);
    private long now;
    private long batches;
    private long versions = 1_000;

    public LoneNode(ElectionAlgorithm algorithm, RankOrder order, int priority) {
        this(algorithm, order, priority, VOTERS);
    }

    /** With other voters than n2, n3 and n4, perhaps itself. */
    public LoneNode(ElectionAlgorithm algorithm, RankOrder order, int priority, List<NodeId> voters) {
        NodeSettings usual = VirtualCluster.settings(N1, voters);
        node = new Node(
                new NodeSettings("test", N1, voters, usual.lease(), usual.timing(), order, priority, false),
                algorithm,
                new Birth(LIFE, 0, false),
                (min, max) -> (min + max) / 2,
                (path, number, state, reason) ->
                        states.add(now / MILLI + " ms " + number + " " + state.getSimpleName() + ": " + reason));
        perform(node.start(now));
    }

    // ---------------------------------------------------------------- what happens

    public void step(NodeEvent event) {
        perform(node.step(now, event));
    }

    private void perform(List<NodeEffect> wanted) {
        take(wanted);
        for (int turns = 0; !answers.isEmpty() || node.nextWake() - now <= 0; turns++) {
            Check.state(turns < TURNS_MAX, "%d turns at one instant", turns);
            take(node.step(now, answers.isEmpty() ? NodeEvent.Wake.INSTANCE : answers.remove()));
        }
    }

    private void take(List<NodeEffect> wanted) {
        effects.addAll(wanted);
        for (NodeEffect effect : wanted) {
            if (effect instanceof NodeEffect.Granted granted) {
                tenures.put(granted.number(), granted.tenure());
            } else if (effect instanceof NodeEffect.Send send && !unanswered.test(send)) {
                answer(send.to(), send.message());
            }
        }
    }

    /** Lets so many milliseconds pass. */
    public void advance(long millis) {
        long end = now + millis * MILLI;
        while (node.nextWake() - end <= 0) {
            now = Math.max(now, node.nextWake());
            step(NodeEvent.Wake.INSTANCE);
        }
        now = end;
    }

    public void contend(long number, String path) {
        step(new NodeEvent.Contend(path, number, "p" + number));
    }

    public void receive(NodeId from, NodeMessage message) {
        step(new NodeEvent.Received(from, LIFE, message));
    }

    // ---------------------------------------------------------------- the voters

    private void answer(NodeId voter, NodeMessage message) {
        if (message instanceof Heartbeat heartbeat) {
            heartbeats.put(voter, heartbeat.sequence());
            if (heartbeat.renounced().equals(Optional.of(epoch))) {
                epoch = new Epoch(LIFE, epoch.counter() + 1);
            }
            acknowledge(voter);
        } else if (message instanceof Registrations registrations) {
            register(voter, registrations);
        } else if (message instanceof Claim claim) {
            later(voter, new Vote(claim.path(), claim.number(), claim.term(), epoch));
        }
    }

    private void later(NodeId voter, NodeMessage message) {
        answers.add(new NodeEvent.Received(voter, LIFE, message));
    }

    /** The epoch in which all voters support the node: another one when that is renounced. */
    public Epoch epoch() {
        return epoch;
    }

    private void acknowledge(NodeId voter) {
        later(voter, new Ack(LIFE, heartbeats.get(voter), epoch, 0, 1, Optional.of(up)));
    }

    /** The voter answers the last heartbeat by support in a new epoch. */
    public void beginsAnew(NodeId voter) {
        List<Heartbeat> all = sent(voter, Heartbeat.class);
        receive(voter, new Ack(LIFE, all.get(all.size() - 1).sequence(), ANEW, 0, 1, Optional.of(up)));
    }

    private void register(NodeId voter, Registrations registrations) {
        later(voter, new RegistrationsAck(registrations.batch()));
        List<Item> items = new ArrayList<>();
        registrations.changes().forEach(change -> {
            if (change instanceof Join join) {
                listed(join.path()).put(join.registration().id(), join.registration());
                items.add(join.asks() ? all(join.path()) : new Item.Listed(join.path(), join.registration()));
            } else if (change instanceof Leave leave) {
                ContenderId gone = new ContenderId(N1, LIFE, leave.number());
                listed(leave.path()).remove(gone);
                items.add(new Item.Unlisted(leave.path(), gone));
            } else if (change instanceof Watch watch && watch.asks()) {
                items.add(all(watch.path()));
            }
        });
        later(voter, new Listings(epoch, ++batches, items));
    }

    private Map<ContenderId, ContenderRecord> listed(String path) {
        return listed.computeIfAbsent(path, p -> new TreeMap<>());
    }

    private Item all(String path) {
        return new Item.Snapshot(path, 0, true, List.copyOf(listed(path).values()));
    }

    /** The messages of the node for which this holds get no answer. */
    public void unanswered(Predicate<NodeEffect.Send> some) {
        unanswered = some;
    }

    /** The voters tell that these are up, and no others. */
    public void areUp(NodeId... nodes) {
        up = List.of(nodes);
        VOTERS.forEach(this::acknowledge);
        step(NodeEvent.Wake.INSTANCE);
    }

    public static ContenderId other(NodeId of) {
        return new ContenderId(of, LIFE, 1);
    }

    /** The voters list a contender of another node, in place of what they listed of it. */
    public void list(String path, NodeId of, long stamp, long weight, long token) {
        ContenderRecord present = new ContenderRecord(other(of), of.value(), stamp, weight, token, ++versions);
        listed(path).put(present.id(), present);
        VOTERS.forEach(v -> later(v, new Listings(epoch, ++batches, List.of(new Item.Listed(path, present)))));
        step(NodeEvent.Wake.INSTANCE);
    }

    /** The contender of the other node is gone. */
    public void unlist(String path, NodeId of) {
        listed(path).remove(other(of));
        VOTERS.forEach(v -> later(v, new Listings(epoch, ++batches, List.of(new Item.Unlisted(path, other(of))))));
        step(NodeEvent.Wake.INSTANCE);
    }

    // ---------------------------------------------------------------- what is seen

    public Node node() {
        return node;
    }

    public long nowMillis() {
        return now / MILLI;
    }

    /** The tenure that the contender began last. */
    public Tenure tenure(long number) {
        return tenures.get(number);
    }

    /** Nothing was seen until now. */
    public void forget() {
        effects.clear();
        states.clear();
    }

    /** What contenders became, and when: {@code 7 ms 1 Leading: a majority of voters backs its claim}. */
    public List<String> states() {
        return List.copyOf(states);
    }

    public <T extends NodeEffect> List<T> seen(Class<T> kind) {
        return effects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public List<String> notes() {
        return seen(NodeEffect.Note.class).stream()
                .map(note -> (note.isWarning() ? "warning: " : "") + note.text())
                .toList();
    }

    public <T extends NodeMessage> List<T> sent(NodeId to, Class<T> kind) {
        return seen(NodeEffect.Send.class).stream()
                .filter(send -> send.to().equals(to))
                .map(NodeEffect.Send::message)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** What the voters list of a contender of the node; null if they list none of this number. */
    public ContenderRecord registration(String path, long number) {
        return listed(path).get(new ContenderId(N1, LIFE, number));
    }
}
