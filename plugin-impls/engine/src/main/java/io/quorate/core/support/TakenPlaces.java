package io.quorate.core.support;

import io.quorate.core.step.StepContext;
import io.quorate.spi.NodeId;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The voters that refuse this node because another life of its id has the place there
 * (docs/protocol.md#one-process-per-id).
 */
public final class TakenPlaces {

    /**
     * A voter that refuses this node for four support times of the slowest clock, without a gap of one, hears a second
     * process. The place of a dead one is free after two and a half, and a recent refusal is at most one and a half
     * later.
     */
    private static final int REFUSED_SUPPORTS = 4;

    private final StepContext context;
    private final Map<NodeId, Answers> answers = new TreeMap<>();

    /** When a voter refused this node, first and last of a row without a gap. */
    private record Answers(long first, long last) {}

    /** No voter refuses this node. */
    public TakenPlaces(StepContext context) {
        this.context = context;
    }

    /**
     * Whether this node believes that refusal. Anyone but a voter could keep a node from voting. A node that joins
     * does not know a list, and believes the nodes of its settings.
     */
    public boolean isBelieved(NodeId by) {
        return context.voters().number() == 0 ? context.settings().voters().contains(by) : context.voterIndex(by) >= 0;
    }

    /**
     * A voter refuses this node.
     *
     * @param isYoung whether this life has never voted. If it has, it waits twice as long, so that of two processes the
     *                one ends that began later
     * @param isRecent whether the voter is known to have refused something that this node sent recently
     * @return whether the other life cannot be one that is dead by now
     */
    public boolean onTaken(NodeId by, boolean isYoung, boolean isRecent) {
        answers.values().removeIf(each -> !isRecent(each));
        Answers before = answers.getOrDefault(by, new Answers(context.now(), 0));
        answers.put(by, new Answers(before.first, context.now()));
        int drift = context.lease().driftPercent();
        long limit = REFUSED_SUPPORTS * (context.lease().support() / (100 - drift) * (100 + drift));
        boolean isSecond = isRecent && context.now() - before.first >= (isYoung ? limit : 2 * limit);
        if (!isSecond && !isYoung) {
            // A young one may follow a dead process, whose place is free soon.
            context.noteOnce(
                    "place",
                    by,
                    "%s refuses this node, because another process under its id has its place there; this"
                            + " voter promises nothing meanwhile: stop one of the two",
                    by);
        }
        return isSecond;
    }

    /** Names the voters that refuse this node, for logs and error messages. */
    public String describe() {
        return answers.entrySet().stream()
                .filter(each -> isRecent(each.getValue()))
                .map(each -> ", refused by " + each.getKey() + ": another process under this node's id has its place")
                .collect(Collectors.joining());
    }

    private boolean isRecent(Answers of) {
        return context.now() - of.last < context.lease().support();
    }
}
