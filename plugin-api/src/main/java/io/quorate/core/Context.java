package io.quorate.core;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/** What the parts of a node share: who it is, the time of the current step, and where its effects go. */
final class Context {

    final NodeSettings settings;
    final ElectionAlgorithm algorithm;
    final Jitter jitter;
    final Comparator<Registration> ranking;
    final Timers timers = new Timers();
    /** The index of this node among the voters; -1 if it does not vote. */
    final int selfVoter;
    /** A digest of what must be equal on all nodes: DECISIONS 11. Sent with every heartbeat. */
    final long configHash;

    private final Deque<NodeMessage> toSelf = new ArrayDeque<>();
    private List<NodeEffect> effects = new ArrayList<>();
    private long incarnation;
    private long now;

    Context(NodeSettings settings, ElectionAlgorithm algorithm, Jitter jitter, long incarnation) {
        this.settings = settings;
        this.algorithm = algorithm;
        this.jitter = jitter;
        this.incarnation = incarnation;
        this.ranking = Registration.ranking(settings.rankOrder());
        this.selfVoter = settings.voters().indexOf(settings.self());
        Digest digest = new Digest().add(settings.clusterId());
        settings.voters().forEach(voter -> digest.add(voter.value()));
        this.configHash = digest.add(settings.lease().support()).value();
    }

    long now() {
        return now;
    }

    void now(long time) {
        now = time;
    }

    NodeId self() {
        return settings.self();
    }

    long incarnation() {
        return incarnation;
    }

    void incarnation(long newer) {
        incarnation = newer;
    }

    int voterCount() {
        return settings.voters().size();
    }

    NodeId voter(int index) {
        return settings.voters().get(index);
    }

    /** The index of a voter; -1 for a node that does not vote. */
    int voterIndex(NodeId node) {
        return settings.voters().indexOf(node);
    }

    /** Sends; a message to this node itself is handled later in the same step. */
    void send(NodeId to, NodeMessage message) {
        if (to.equals(settings.self())) {
            toSelf.add(message);
        } else {
            effects.add(new NodeEffect.Send(to, message));
        }
    }

    void sendToVoters(NodeMessage message) {
        for (NodeId voter : settings.voters()) {
            send(voter, message);
        }
    }

    NodeMessage pollToSelf() {
        return toSelf.poll();
    }

    boolean hasToSelf() {
        return !toSelf.isEmpty();
    }

    void emit(NodeEffect effect) {
        effects.add(effect);
    }

    void note(boolean isWarning, String text, Object... arguments) {
        effects.add(new NodeEffect.Note(isWarning, String.format(text, arguments)));
    }

    List<NodeEffect> takeEffects() {
        List<NodeEffect> taken = effects;
        effects = new ArrayList<>();
        return taken;
    }
}
