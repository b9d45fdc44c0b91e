package io.quorate.core;

import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.Epoch;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.ReadyQuery;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.StepContext;
import io.quorate.core.voters.VoterList;
import io.quorate.spi.NodeId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Decides whether a message is believed at all: who may send it, in which life, and with which numbers, as the table of
 * {@link NodeMessage} says. Every message from another node passes here, and nowhere else; what a message may bring
 * about in the present state is decided where it is handled.
 *
 * <p>A transport that proves who a sender is makes these checks no less needed: a late, misdirected or damaged frame of
 * an honest node is enough for some of the harm.
 */
final class Authority {

    /** Why a message is not believed. */
    enum Refusal {
        /** It comes from this node's own id, and a node sends nothing to itself over the network. */
        FROM_THIS_NODE("comes from this node's own id: another process runs under it, or forges it"),
        /** Only voters send it. */
        NOT_A_VOTER("is for voters to send"),
        /** Only voters send it, and nodes that the settings name while no change is known. */
        NOT_A_MEMBER("is for voters to send, and before the first change for nodes that the settings name"),
        /** A voter gives epochs of its own life. */
        OTHER_LIFE("names an epoch of another life than its sender's"),
        /** A number that no honest node sends. */
        OUT_OF_RANGE("holds a number that is negative or above 2^62, or a floor above 3 * 2^59");

        private final String words;

        Refusal(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    private final StepContext context;
    /** Who votes no more, and since when; what is long ago counts no more. */
    private final Map<NodeId, Long> left = new TreeMap<>();

    /** Who says which later list was decided, each a voter of that list; the oldest makes room. */
    private final Map<NodeId, VoterList> sayers = new LinkedHashMap<>();

    private long refused;

    Authority(StepContext context) {
        this.context = context;
    }

    /**
     * All voters of the list that a node knows may have been replaced, and stopped. A stranded node believes a later list
     * if more than half of its voters say so, each itself, and two at least: a voter that was removed is one.
     */
    private boolean isSaidByItsVoters(NodeId from, NodeMessage message) {
        if (!(message instanceof DecidedVoters decided)
                || decided.config().number() <= context.voters().number()
                || decided.config().indexOf(from) < 0) {
            return false;
        }
        sayers.remove(from);
        sayers.put(from, decided.config());
        if (sayers.size() > NodeSettings.VOTERS_MAX) {
            sayers.remove(sayers.keySet().iterator().next());
        }
        int count = Collections.frequency(sayers.values(), decided.config());
        return count > 1 && decided.config().isMajority(count);
    }

    /** Other nodes vote than these. */
    void onVoters(VoterList before) {
        sayers.clear();
        left.values().removeIf(since -> !context.isRecent(since));
        before.ids().forEach(node -> left.put(node, context.now()));
        if (context.voters().number() > before.number() + 1) {
            // Of several steps at once it is not known who has left with which.
            context.settings().voters().forEach(node -> left.put(node, context.now()));
        }
        left.keySet().removeIf(node -> context.voterIndex(node) >= 0);
    }

    /**
     * Whether the message is believed. What is not is counted, and noted once per sender and minute.
     *
     * @param isStranded whether this node has heard of later lists, and had no majority, for longer than a change takes
     */
    boolean believes(NodeId from, long incarnation, NodeMessage message, boolean isStranded) {
        Optional<Refusal> refusal = refusal(from, incarnation, message, isStranded);
        refusal.ifPresent(reason -> {
            refused++;
            // What is said of lists this node has itself is no news; of a later one it would be.
            boolean isStale = message instanceof DecidedVoters decided
                    ? decided.config().number() <= context.voters().number()
                    : reason == Refusal.NOT_A_VOTER || reason == Refusal.NOT_A_MEMBER;
            if (!isStale || !hasJustLeft(from)) {
                context.noteOnce(
                        "message",
                        from,
                        "%s of %s (incarnation %d) is not believed: it %s",
                        message.getClass().getSimpleName(),
                        from,
                        incarnation,
                        reason);
            }
        });
        return refusal.isEmpty();
    }

    private Optional<Refusal> refusal(NodeId from, long incarnation, NodeMessage message, boolean isStranded) {
        if (from.equals(context.self())) {
            return Optional.of(Refusal.FROM_THIS_NODE);
        }
        if (incarnation < 1 || incarnation > NodeMessage.NUMBER_MAX || !message.isInRange()) {
            return Optional.of(Refusal.OUT_OF_RANGE);
        }
        boolean isVoter = context.voterIndex(from) >= 0;
        NodeMessage.Sender sender = message.sender();
        if (sender == NodeMessage.Sender.VOTER && !isVoter) {
            return Optional.of(Refusal.NOT_A_VOTER);
        }
        if (sender == NodeMessage.Sender.MEMBER
                && !isMember(from)
                && !isOfItsLastChange(from, message)
                && !(isStranded && isSaidByItsVoters(from, message))) {
            return Optional.of(Refusal.NOT_A_MEMBER);
        }
        return isOfAnotherLife(message, incarnation) ? Optional.of(Refusal.OTHER_LIFE) : Optional.empty();
    }

    /** What a voter sent before it learned that it votes no more is no news. */
    private boolean hasJustLeft(NodeId node) {
        Long since = left.get(node);
        return since != null
                && context.now() - since < context.settings().lease().support();
    }

    /** Who voted not long ago, and does no more. */
    Set<NodeId> left() {
        return left.keySet().stream().filter(this::leftNotLongAgo).collect(Collectors.toSet());
    }

    private boolean leftNotLongAgo(NodeId node) {
        Long since = left.get(node);
        return since != null && context.isRecent(since);
    }

    /**
     * Whether the node has a word in who votes: whoever votes by the list that this node knows; and while that is none that
     * was decided, whoever the settings name. A voter that was removed has none, whatever its settings and certificate are.
     */
    boolean isMember(NodeId node) {
        boolean isNamed =
                context.voters().number() <= 1 && context.settings().voters().contains(node);
        return context.voterIndex(node) >= 0 || isNamed;
    }

    private static boolean isOfAnotherLife(NodeMessage message, long incarnation) {
        Epoch epoch = message instanceof Ack ack
                ? ack.epoch()
                : message instanceof Vote vote
                        ? vote.epoch()
                        : message instanceof Listings listings ? listings.epoch() : null;
        return epoch != null && epoch.incarnation() != incarnation;
    }

    /**
     * A coordinator that has removed itself, in the last step of its change, asks whether the others know: that changes
     * nothing. It asks for nothing that is to be decided, and says nothing that is new: what voters have accepted they bring
     * to its end by themselves, and it could take itself in again.
     */
    private boolean isOfItsLastChange(NodeId from, NodeMessage message) {
        boolean isHarmless = message instanceof DecidedVoters decided
                ? decided.config().number() <= context.voters().number()
                : message instanceof ReadyQuery;
        return isHarmless && leftNotLongAgo(from);
    }

    /** How many messages were not believed. */
    long refused() {
        return refused;
    }
}
