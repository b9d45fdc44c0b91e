package io.quorate.testkit.simulation;

import io.quorate.core.message.VoteMessage;
import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.message.VotersMessage;
import io.quorate.engine.PathView;
import io.quorate.engine.Tenure;
import io.quorate.spi.Event;
import io.quorate.spi.NodeId;
import io.quorate.testkit.picture.Chronicle;
import io.quorate.testkit.picture.Chronicle.Led;
import io.quorate.testkit.picture.Naming;
import io.quorate.testkit.picture.Newest;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.picture.Words;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import io.quorate.testkit.simulation.VirtualNetwork.Passage;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Looks on at a cluster in virtual time, after each thing that happens in it, and keeps what it saw. It changes
 * nothing: a run that is recorded is the same run.
 */
public final class Recorder {

    /** So many of the newest messages are kept. */
    static final int MESSAGES_MAX = 50_000;

    /** A look goes through all tenures after each event, and nobody reads a picture of more paths. */
    static final int TENURES_MAX = 32;

    private static final long NANOS_PER_MICRO = 1000;

    private record Seen(long number, NodeId from, NodeId to, long sent, long ended, Fate fate, Object content) {}

    /** A closed frame: its secret is the cluster's. The bytes themselves are not kept, because they may be many. */
    private record Frame(int length) {}

    private final VirtualCluster cluster;
    private final List<NodeId> nodes;
    private final String path;
    private final Words words;
    private final Chronicle chronicle;
    private final Newest<Seen> messages = new Newest<>(MESSAGES_MAX);
    private boolean isCrowded;

    /**
     * Begins to look on.
     *
     * @param path of which processes have a belief
     */
    public Recorder(VirtualCluster cluster, List<NodeId> nodes, String path) {
        this(cluster, nodes, path, Words.PLAIN);
    }

    /** As the other one, with messages and states in these words. */
    Recorder(VirtualCluster cluster, List<NodeId> nodes, String path, Words words) {
        this.cluster = cluster;
        this.words = words;
        this.nodes = List.copyOf(nodes);
        this.path = path;
        this.chronicle = new Chronicle(
                nodes.stream().map(NodeId::value).toList(), () -> cluster.time().now() / NANOS_PER_MICRO, words);
        cluster.network().witness(this::onPassage);
        cluster.time().witness(this::look);
    }

    private void onPassage(Passage passage) {
        Flight flight = passage.flight();
        Fate fate =
                passage.isLost() ? Fate.LOST : cluster.process(flight.to()).isRunning() ? Fate.ARRIVED : Fate.MISSED;
        Object content = flight.message() instanceof byte[] frame ? new Frame(frame.length) : flight.message();
        messages.add(
                new Seen(passage.number(), flight.from(), flight.to(), passage.sent(), passage.ended(), fate, content));
    }

    /** Something happened to the cluster. */
    public void mark(String text) {
        chronicle.mark(text);
    }

    /** A process has handled an event; numbers of processes become names. */
    void step(NodeId node, Event event, IntFunction<String> names, Object state) {
        chronicle.step(node.value(), event, names, state);
    }

    /** Notices what is another than at the last look. */
    void look() {
        for (NodeId node : nodes) {
            VirtualProcess process = cluster.process(node);
            chronicle.lives(node.value(), process.isRunning(), process.isRunning() && process.isPaused());
            chronicle.leads(node.value(), leads(process));
            chronicle.believes(node.value(), belief(process).map(NodeId::value));
        }
    }

    private Set<Led> leads(VirtualProcess process) {
        if (!process.isRunning()) {
            return Set.of();
        }
        if (process.host().leadsUnleased()) {
            return Set.of(new Led(path, OptionalLong.empty()));
        }
        if (!isCrowded && process.tenures.size() > TENURES_MAX) {
            isCrowded = true;
            chronicle.mark("more than " + TENURES_MAX + " paths are led at once: no longer shown");
        }
        if (isCrowded) {
            return Set.of();
        }
        Set<Led> leads = new LinkedHashSet<>();
        for (Tenure tenure : process.tenures.values()) {
            // Asked in a way that leaves no trace: Tenure.isValid would end a lease that is over.
            if (tenure.remainingNanos(process.clock) > 0) {
                leads.add(new Led(tenure.path(), OptionalLong.of(tenure.token())));
            }
        }
        return leads;
    }

    private Optional<NodeId> belief(VirtualProcess process) {
        if (!process.isRunning()) {
            return Optional.empty();
        }
        return process.host()
                .leaderUnleased()
                .or(() -> process.host().view(path).flatMap(PathView::leader).map(PathView.Entry::node));
    }

    /** The recording up to now. Nothing is recorded afterwards. */
    public Recording recording(String title, String story) {
        look();
        cluster.time().witness(() -> {});
        cluster.network().witness(passage -> {});
        List<Message> all = messages.all().stream()
                .sorted(Comparator.comparingLong(Seen::number))
                .map(this::message)
                .toList();
        return chronicle.end(title, story, all, messages.forgotten());
    }

    private Message message(Seen seen) {
        Naming naming = naming(seen.content);
        return new Message(
                seen.from.value(),
                seen.to.value(),
                seen.sent / NANOS_PER_MICRO,
                seen.ended / NANOS_PER_MICRO,
                seen.fate,
                naming.name(),
                naming.fields(),
                isRoutine(seen.content));
    }

    private Naming naming(Object content) {
        if (content instanceof Frame frame) {
            return new Naming("FRAME", frame.length + " bytes");
        }
        return words.of(content instanceof Elect elect ? elect.message() : content);
    }

    /** Messages with which nodes only say that they live, or who contends where. */
    private static boolean isRoutine(Object content) {
        return !(content instanceof VoteMessage || content instanceof VotersMessage || content instanceof Frame);
    }
}
