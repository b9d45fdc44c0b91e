package io.quorate.core;

import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.VotersWanted;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.ConnectionTracker;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.VoterList;
import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Which voter list this node knows, which nodes are at another one, and what the log says of that. */
final class KnownVoters {

    /** Under number 1 no directory is named, so a list of the same voters would change nothing. */
    private static final String JOINED_UNDER_FIRST =
            "joined, and so has another directory than the one that votes under"
                    + " number 1. Have the others vote without it, and then with it";

    private final StepContext context;
    private final Authority authority;
    private final ConnectionTracker connection;

    /** When this node first heard of a higher number than its own; empty if it has not. */
    private OptionalLong higherSince = OptionalLong.empty();

    KnownVoters(StepContext context, Authority authority, ConnectionTracker connection) {
        this.context = context;
        this.authority = authority;
        this.connection = connection;
    }

    /** The list that a node begins with: from the first change on, the stored list wins over the settings. */
    static VoterList initial(NodeSettings settings, Optional<PaxosState> paxos) {
        VoterList ofSettings =
                settings.joins() ? VoterList.NONE : VoterList.first(settings.voters(), settings.addresses());
        VoterList stored = paxos.map(PaxosState::config).orElse(ofSettings);
        boolean isBegun = paxos.flatMap(PaxosState::promised).isPresent();
        // Before slot 2 is promised no change can have been decided, so the settings may name other voters.
        if (!isBegun && stored.number() <= 1) {
            return ofSettings;
        }
        // A promise for slot 2 is a promise to the voters of the stored list 1, and to no other list 1.
        Check.argument(
                stored.number() != 1 || ofSettings.number() != 1 || stored.hasSameVoters(ofSettings),
                "voters %s: a change of the voters %s was begun, and the data directory holds its state. Start with"
                        + " these voters",
                ofSettings.ids(),
                stored.ids());
        return stored;
    }

    /** How long support that was given under an older number still lives, in nanoseconds; not positive if none does. */
    long olderSupport() {
        OptionalLong since = context.votersSince();
        return since.isEmpty() ? 0 : since.getAsLong() + context.lease().support() - context.now();
    }

    /** Whether the list has this node's id with another store id, or this node has no directory. */
    boolean isUnnamed() {
        return !context.isVoter() && context.voters().indexOf(context.self()) >= 0;
    }

    /** Returns the voters, those that support this node, and whether it is left out, for logs and error messages. */
    String describe(List<NodeId> supporters) {
        VoterList voters = context.voters();
        if (voters.number() == 0) {
            return ", waits to be told who votes";
        }
        return ", supported by " + supporters + " of voters " + (voters.number() == 1 ? voters.ids() : voters)
                + (isUnnamed() ? ", does not vote, because " + voters + " does not name its data directory" : "");
    }

    /** Why this node does not vote although the list has its id, and asking for the same list again does not help. */
    Optional<String> exclusion() {
        return isUnnamed() && context.voters().number() == 1 ? Optional.of(JOINED_UNDER_FIRST) : Optional.empty();
    }

    void noteUnnamed() {
        if (isUnnamed()) {
            context.note(
                    true,
                    "%s does not name the data directory of this node: it does not vote. %s",
                    context.voters(),
                    exclusion().map(reason -> "It " + reason).orElse("Ask for the same voters again to take it in"));
        }
    }

    /**
     * The list that this node follows now that it was told one. If more nodes have to say it, they are asked.
     *
     * @param store the identity of this node's data directory; 0 if it has none
     */
    Optional<VoterList> follow(NodeId from, VoterList told, long store) {
        if (!isNext(told)) {
            return Optional.empty();
        }
        boolean isNews = authority.isMember(from) && !authority.told().containsValue(told);
        Optional<VoterList> next = authority.follow(from, told, store);
        if (next.isEmpty()) {
            onHigher(from, told.number());
            if (isNews) {
                told.members().stream()
                        .filter(member -> !member.id().equals(context.self()))
                        .forEach(this::confirm);
            }
        }
        return next;
    }

    private void confirm(VoterList.Member voter) {
        voter.address().ifPresent(address -> context.emit(new NodeEffect.Reach(voter.id(), address)));
        context.send(voter.id(), new VotersWanted(context.voters().number()));
    }

    /** Whether the list is a later one that may have been decided. */
    boolean isNext(VoterList decided) {
        VoterList known = context.voters();
        // One message must not use up all numbers.
        if (decided.number() > known.number() && known.isFarBelow(decided)) {
            context.noteOnce(
                    "leap",
                    context.self(),
                    "ignoring %s, which is far above %s: no honest node sends it",
                    decided,
                    known);
            return false;
        }
        return decided.number() > known.number();
    }

    void onVoters(VoterList former) {
        higherSince = OptionalLong.empty();
        authority.onVoters(former);
    }

    void note(VoterList former, boolean didVote) {
        VoterList now = context.voters();
        context.note(false, "voters are %s%s%s", now, change(" joined", now, former), change(" left", former, now));
        noteUnnamed();
        if (didVote && !context.isVoter() && !isUnnamed()) {
            context.note(false, "this node no longer votes; it still contends");
        }
    }

    private static String change(String what, VoterList in, VoterList other) {
        List<NodeId> some =
                in.ids().stream().filter(id -> other.indexOf(id) < 0).toList();
        return some.isEmpty() || other.number() == 0 ? "" : "; " + some + what;
    }

    /** Asks for the list, if this node has none yet, or has no majority and its list may be old. */
    void ask() {
        VoterList known = context.voters();
        // Under list 1 of the settings the heartbeats are answered with a newer list.
        boolean mayBeOld = known.number() > 1 || context.settings().joins();
        Set<NodeId> asked = new TreeSet<>();
        if (known.number() == 0 || mayBeOld && !connection.isConnected()) {
            asked.addAll(context.settings().voters());
        }
        authority.told().values().forEach(told -> asked.addAll(told.ids()));
        asked.remove(context.self());
        asked.forEach(peer -> context.send(peer, new VotersWanted(known.number())));
    }

    void tell(NodeId node, long number) {
        if (number < context.voters().number()) {
            context.send(node, new DecidedVoters(context.voters()));
        }
    }

    /** Whether the heartbeat is under this node's own number. If not, the two nodes exchange the newer list. */
    boolean isOfNumber(NodeId from, Heartbeat heartbeat) {
        VoterList own = context.voters();
        long number = heartbeat.number();
        if (number < own.number()) {
            tell(from, number);
        } else if (number > own.number()) {
            // Lists are believed from members only, so asking others is of no use.
            if (authority.isMember(from)) {
                context.send(from, new VotersWanted(own.number()));
            }
            onHigher(from, number);
        } else if (number > 1 && heartbeat.hash() != own.hash()) {
            // Paxos decides one list per number. Under number 1 the digest of the settings covers the voters.
            context.noteOnce(
                    "voters",
                    from,
                    "node %s has another list of voters under number %d, so this node does not support it. Two data directories"
                            + " were forced apart, or restored: stop all nodes of the list that is not wanted, and"
                            + " start them with empty data directories and joins(true)",
                    from,
                    number);
        } else {
            return true;
        }
        return false;
    }

    /**
     * Notes a higher number. During each change some nodes learn of it before others; a difference that lasts longer
     * than any change needs an operator.
     */
    private void onHigher(NodeId from, long number) {
        higherSince = OptionalLong.of(higherSince.orElse(context.now()));
        if (!context.isRecent(higherSince.getAsLong())) {
            context.noteOnce(
                    "number",
                    from,
                    "node %s goes by voters of number %d, and this node goes by %s: too few voters have told it that."
                            + " It is not supported. Start one of these voters that knows the later list. If all were"
                            + " replaced, stop this node, and run \"quorate voters adopt\" for its data directory, or"
                            + " correct its settings",
                    from,
                    number,
                    context.voters());
        }
    }

    /** A node has told of a list, and its word on that does not count. */
    void onNotBelieved(NodeId from, VoterList told) {
        if (told.number() > context.voters().number()) {
            onHigher(from, told.number());
        }
    }
}
