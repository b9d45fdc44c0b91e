package io.quorate.core;

import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.ReadyQuery;
import io.quorate.core.step.StepContext;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Decides whether a message is believed at all: who may send it, in which life, and with which numbers, as the table of
 * {@link NodeMessage} says. Every message from another node is checked here, and only here. The handler of a believed
 * message decides its effect.
 *
 * <p>These checks are needed even if the transport proves who the sender is: a late or misdirected frame of an honest
 * node can do some of the harm.
 */
final class Authority {

    enum Refusal {
        /** It comes from this node's own id, and a node sends nothing to itself over the network. */
        FROM_THIS_NODE("comes from this node's own id: another process runs under it, or forges it"),
        /** Only voters send this message. */
        NOT_A_VOTER("is for voters to send"),
        /** Only voters send this message, and nodes that the settings name while no change is known. */
        NOT_A_MEMBER("is for voters to send, and before the first change for nodes that the settings name"),
        /** A voter names epochs of its own life only. */
        OTHER_LIFE("names an epoch of another life than its sender's"),
        /** The message has a number that no honest node sends. */
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
    /** The nodes that no longer vote, and since when. */
    private final Map<NodeId, Long> left = new TreeMap<>();

    /** The lists that this node does not follow yet, by the member or voter that has told each. */
    private final Map<NodeId, VoterList> told = new TreeMap<>();

    private long refused;

    Authority(StepContext context) {
        this.context = context;
    }

    /**
     * The list that this node follows now that it was told a later one. A voter, and a node that joins the voters,
     * follows each member. Another node may ask a voter that is behind, so it follows its first later list when a
     * majority of the voters of that list says it, and a member does. See docs/reconfiguration.md#believed-senders.
     *
     * @param from  who has just said it, and was believed
     * @param store the identity of this node's data directory; 0 if it has none
     * @return the list with the addresses that a member has told; empty if more voters have to say it
     */
    Optional<VoterList> follow(NodeId from, VoterList later, long store) {
        if (!isFirst() || context.isVoter() || isMember(from) && later.names(context.self(), store)) {
            return Optional.of(later);
        }
        told.put(from, later);
        // The word of others counts as long as a member says the same.
        told.entrySet()
                .removeIf(each -> !isMember(each.getKey())
                        && toldByMember(each.getValue()).isEmpty());
        long count = later.ids().stream().filter(voter -> isSaid(voter, later)).count();
        return later.isMajority((int) count) ? toldByMember(later) : Optional.empty();
    }

    /** Whether this node goes by the list of its settings, or by none. */
    private boolean isFirst() {
        return context.voters().number() <= 1;
    }

    private boolean isSaid(NodeId by, VoterList list) {
        VoterList said = told.get(by);
        return said != null && said.isSameDecision(list);
    }

    private Optional<VoterList> toldByMember(VoterList list) {
        return told.entrySet().stream()
                .filter(each -> isMember(each.getKey()) && each.getValue().isSameDecision(list))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** The lists that this node does not follow yet, by the node that has told each. */
    Map<NodeId, VoterList> told() {
        return Collections.unmodifiableMap(told);
    }

    void onVoters(VoterList before) {
        told.clear();
        left.values().removeIf(since -> !context.isRecent(since));
        before.ids().forEach(node -> left.put(node, context.now()));
        if (context.voters().number() > before.number() + 1) {
            // After several steps at once this node does not know who has left, and goes by its settings.
            context.settings().voters().forEach(node -> left.put(node, context.now()));
        }
        left.keySet().removeIf(node -> context.voterIndex(node) >= 0);
    }

    /**
     * Whether the message is believed. A message that is not believed is counted, and noted once per sender and minute.
     */
    boolean believes(NodeId from, long incarnation, NodeMessage message) {
        Optional<Refusal> refusal = refusal(from, incarnation, message);
        refusal.ifPresent(reason -> {
            refused++;
            // A list that this node has already is no news.
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

    private Optional<Refusal> refusal(NodeId from, long incarnation, NodeMessage message) {
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
                && !saysWhatAMemberSays(from, message)) {
            return Optional.of(Refusal.NOT_A_MEMBER);
        }
        return isOfAnotherLife(message, incarnation) ? Optional.of(Refusal.OTHER_LIFE) : Optional.empty();
    }

    /** This voter may have sent the message before it learned that it no longer votes, so it is not noted. */
    private boolean hasJustLeft(NodeId node) {
        Long since = left.get(node);
        return since != null && context.now() - since < context.lease().support();
    }

    /** The nodes that voted not long ago, and no longer do. */
    Set<NodeId> left() {
        return left.keySet().stream().filter(this::leftNotLongAgo).collect(Collectors.toSet());
    }

    private boolean leftNotLongAgo(NodeId node) {
        Long since = left.get(node);
        return since != null && context.isRecent(since);
    }

    /**
     * Whether the node has a word in changes of the voters. Voters of the list that this node knows have one. While
     * that list is the first one, or there is none, nodes that the settings name have one too. A removed voter has
     * none, even if the settings name it or its certificate is valid.
     */
    boolean isMember(NodeId node) {
        return context.voterIndex(node) >= 0
                || isFirst() && context.settings().voters().contains(node);
    }

    /** Its voters confirm a first later list that a member has told. */
    private boolean saysWhatAMemberSays(NodeId from, NodeMessage message) {
        return isFirst()
                && message instanceof DecidedVoters decided
                && decided.config().indexOf(from) >= 0
                && toldByMember(decided.config()).isPresent();
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
     * A coordinator that has removed itself, in the last step of its change, asks whether the others know the list. The
     * question changes nothing. Its other messages are refused: voters complete by themselves what they have accepted,
     * and with those messages it could make itself a voter again.
     */
    private boolean isOfItsLastChange(NodeId from, NodeMessage message) {
        boolean isHarmless = message instanceof DecidedVoters decided
                ? decided.config().number() <= context.voters().number()
                : message instanceof ReadyQuery;
        return isHarmless && leftNotLongAgo(from);
    }

    long refused() {
        return refused;
    }
}
