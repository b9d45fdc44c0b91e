package io.quorate.core.support;

import io.quorate.core.message.SupportMessage.Configuration;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.Notices;
import io.quorate.core.step.Printable;
import io.quorate.core.step.StepContext;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The configurations of other nodes, as far as they differ from this one's. Nodes that differ in what must be equal do
 * not support each other, and each side logs the difference with both values.
 */
public final class Configurations {

    /** Differences of so many nodes are kept for explanations. */
    private static final int KEPT_MAX = 64;

    private record Difference(String text, long since) {}

    private final StepContext context;
    private final boolean isDurable;
    /** These are messages and no lines of the log: each node that asks may have one. */
    private final Notices answers = new Notices(Integer.MAX_VALUE);

    private final Map<NodeId, Difference> differences = new TreeMap<>();
    private final Map<String, Difference> foreign = new TreeMap<>();

    /** @param isDurable whether this node, if it votes, keeps its terms on disk */
    public Configurations(StepContext context, boolean isDurable) {
        this.context = context;
        this.isDurable = isDurable;
    }

    private Configuration own() {
        NodeSettings settings = context.settings();
        return new Configuration(
                settings.clusterId(),
                context.voters().ids(),
                settings.lease().support(),
                settings.lease().driftPercent(),
                isDurable,
                context.algorithmName(),
                settings.rankOrder());
    }

    /** Whether this node, if it votes, keeps its terms on disk. */
    public boolean isDurable() {
        return isDurable;
    }

    /** The node's heartbeat shows that it differs: it is told this configuration, as often as it asks for support. */
    void tell(NodeId node) {
        context.send(node, own());
    }

    /** The same for what may differ: once a minute. */
    void tellNowAndThen(NodeId node) {
        if (answers.isDue("configuration", node, context.now())) {
            tell(node);
        }
    }

    /** Receives the configuration of a node. If it differs, that is noted, and answered once a minute. */
    public void onConfiguration(NodeId from, Configuration other) {
        List<String> hard = hard(from, other);
        List<String> soft = soft(from, other);
        if (hard.isEmpty() && soft.isEmpty()) {
            differences.remove(from);
            return;
        }
        if (!hard.isEmpty()) {
            String text = String.join(", ", hard) + "; must be equal on all nodes";
            keep(differences, from, text);
            // The difference that matters has a kind of its own, because it must be logged even within a minute after a
            // harmless one.
            context.noteOnce(
                    "configuration that must be equal",
                    from,
                    "node %s and this one are configured differently, and do not support each other: %s",
                    from,
                    text);
        } else {
            String text = String.join(", ", soft);
            keep(differences, from, text);
            context.noteOnce(
                    "configuration",
                    from,
                    "node %s and this one are configured differently: %s; leadership is"
                            + " exclusive anyway, but nodes may nominate different leaders, which takes time",
                    from,
                    text);
        }
        tellNowAndThen(from);
    }

    /** Frames come that nobody can take. */
    public void onForeignFrames(NodeEvent.ForeignFrames frames) {
        String key = frames.kind() + " " + frames.from();
        keep(foreign, key, frames.text());
        context.noteOnce(frames.kind(), frames.from(), "%s", frames.text());
    }

    private <K> void keep(Map<K, Difference> kept, K key, String text) {
        kept.values().removeIf(this::isOld);
        if (kept.containsKey(key) || kept.size() < KEPT_MAX) {
            kept.put(key, new Difference(Printable.of(text), context.now()));
        }
    }

    private List<String> hard(NodeId from, Configuration other) {
        List<String> texts = new ArrayList<>();
        Configuration own = own();
        add(texts, "cluster id", own.clusterId(), other.clusterId(), from);
        if (context.voters().number() <= 1) {
            // Later lists have numbers, and the other node may still have been at an older one.
            add(texts, "voters", own.voters(), other.voters(), from);
        }
        add(texts, "support time", millis(own.support()), millis(other.support()), from);
        add(texts, "clock drift", own.driftPercent() + " %", other.driftPercent() + " %", from);
        if (context.isVoter() && context.voterIndex(from) >= 0) {
            add(
                    texts,
                    "data directory of a voter",
                    own.durable() ? "present" : "none",
                    other.durable() ? "present" : "none",
                    from);
        }
        return texts;
    }

    private List<String> soft(NodeId from, Configuration other) {
        List<String> texts = new ArrayList<>();
        Configuration own = own();
        add(texts, "algorithm", own.algorithm(), other.algorithm(), from);
        add(texts, "rank order", own.rankOrder(), other.rankOrder(), from);
        return texts;
    }

    private static void add(List<String> texts, String what, Object here, Object there, NodeId from) {
        if (!here.equals(there)) {
            texts.add(what + " " + here + " here and " + there + " at " + from);
        }
    }

    private static String millis(long nanos) {
        return nanos % 1_000_000 == 0 ? nanos / 1_000_000 + " ms" : nanos + " ns";
    }

    /** The recent differences by node, for explanations. */
    public Optional<String> describe() {
        List<String> texts = new ArrayList<>();
        differences.forEach((node, difference) -> {
            if (!isOld(difference)) {
                texts.add(node + " is configured differently: " + difference.text);
            }
        });
        foreign.values().stream().filter(each -> !isOld(each)).forEach(each -> texts.add(each.text));
        return texts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", texts));
    }

    private boolean isOld(Difference difference) {
        return !context.isRecent(difference.since) && context.now() - difference.since > 2 * Notices.PAUSE_NANOS;
    }
}
