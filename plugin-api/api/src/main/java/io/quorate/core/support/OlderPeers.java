package io.quorate.core.support;

import io.quorate.core.message.WireVersion;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.StepContext;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which nodes speak an older version of frames than this one, as long as a rolling upgrade lasts. What they cannot read
 * is not sent to them; so whoever begins what needs all of them asks here first.
 */
public final class OlderPeers {

    /** Of so many nodes that do not vote it is kept; voters have room beyond that. */
    private static final int KEPT_MAX = 64;

    private final StepContext context;
    private final NodeLiveness liveness;
    private final Map<NodeId, Integer> versions = new TreeMap<>();

    /** None yet. */
    public OlderPeers(StepContext context, NodeLiveness liveness) {
        this.context = context;
        this.liveness = liveness;
    }

    /** It is known which version is spoken with a node. */
    public void onPeerSpeaks(NodeEvent.PeerSpeaks peer) {
        versions.keySet().removeIf(node -> !counts(node));
        if (peer.version() >= WireVersion.NEWEST) {
            versions.remove(peer.node());
        } else if (isVoter(peer.node()) || versions.size() < KEPT_MAX + context.voterCount()) {
            versions.put(peer.node(), peer.version());
        }
    }

    /** All that are up, and voters, sorted. A voter that is away counts as it was when it was heard last. */
    public List<NodeId> nodes() {
        return versions.keySet().stream().filter(this::counts).toList();
    }

    /** Whether any is known, and which, for explanations. */
    public Optional<String> describe() {
        List<String> texts = new ArrayList<>();
        versions.forEach((node, version) -> {
            if (counts(node)) {
                texts.add(node + " speaks wire version " + version);
            }
        });
        return texts.isEmpty()
                ? Optional.empty()
                : Optional.of(String.join(", ", texts) + " (this node up to " + WireVersion.NEWEST + ")");
    }

    private boolean counts(NodeId node) {
        return isVoter(node) || liveness.isUp(node);
    }

    private boolean isVoter(NodeId node) {
        return context.voterIndex(node) >= 0;
    }
}
