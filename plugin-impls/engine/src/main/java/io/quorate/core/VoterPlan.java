package io.quorate.core;

import io.quorate.VotersNotChangedException;
import io.quorate.core.message.VotersMessage.Ready;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.StepContext;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Chooses the next step of a change of voters, or says why there is none: docs/reconfiguration.md#the-coordinator.
 * Pure: the answer depends on these values only.
 *
 * @param settings    of the coordinator
 * @param clusterHash the digest of the settings that a new voter must share
 * @param votes       whether the coordinator votes under the list in force
 * @param first       the list in force when the change began
 * @param now         the list in force
 * @param wanted      the voters at the end, and the addresses that the request gives
 * @param ready       the answers of the nodes that can take part
 */
record VoterPlan(
        NodeSettings settings,
        long clusterHash,
        boolean votes,
        VoterList first,
        VoterList now,
        Map<NodeId, Optional<HostAndPort>> wanted,
        Map<NodeId, Ready> ready) {

    /** The next step of a change. */
    sealed interface Step {

        /** Majorities of the list in force and of the next one are ready: these voters are proposed. */
        record Propose(List<Member> next) implements Step {}

        /** Nodes that the step needs have not answered; the list is empty if the next voters are not known yet. */
        record Await(List<Member> next) implements Step {}

        /** The change ends; without a failure the wanted voters are in force. */
        record End(Optional<RuntimeException> failure) implements Step {}
    }

    /** Reads what the node knows at this moment. */
    static VoterPlan of(
            StepContext context, VoterList first, Map<NodeId, Optional<HostAndPort>> wanted, Map<NodeId, Ready> ready) {
        return new VoterPlan(
                context.settings(), context.clusterHash(), context.isVoter(), first, context.voters(), wanted, ready);
    }

    // ---------------------------------------------------------------- the request

    /**
     * Why a request cannot begin a change. Without a reason it begins one if its number is that of the list in force.
     * With another number the application repeats a request whose answer was lost.
     *
     * @param number   of the list that the operator has seen
     * @param underWay the voters that another change at this node wants; empty if there is no other
     */
    Optional<RuntimeException> refusal(long number, Optional<Set<NodeId>> underWay) {
        if (now.number() == 0) {
            return refusal("this node has not been told yet who votes. Ask again when it is connected");
        }
        boolean isNamed =
                now.number() == 1 && !settings.joins() && settings.voters().contains(settings.self());
        if (!votes && !isNamed) {
            return refusal("this node does not vote, so the others would not listen. Ask a voter: " + now.ids());
        }
        if (underWay.isPresent()) {
            return refusal(
                    "another change of voters is under way at this node, to " + underWay.get() + ". Wait for its end");
        }
        Optional<NodeId> nowhere =
                wanted.keySet().stream().filter(node -> !hasAddress(node)).findFirst();
        if (nowhere.isPresent()) {
            return Optional.of(new IllegalArgumentException("voter '" + nowhere.get() + "': has no address; give it as "
                    + nowhere.get() + "=host:port, or name it in peers"));
        }
        Optional<Member> moved = now.members().stream().filter(this::isMoved).findFirst();
        if (isReached() && moved.isPresent()) {
            return refusal("the address of " + moved.get().id() + " cannot change alone. Have the others vote"
                    + " without it, and then with it at its new address");
        }
        return number == now.number() || isReached()
                ? Optional.empty()
                : refusal("number " + number + " was expected, and the voters are " + now
                        + ". Look, and ask again if it is still wanted");
    }

    /** Whether an address of the node is known, or the transport needs none. */
    private boolean hasAddress(NodeId node) {
        return settings.addresses().isEmpty()
                || settings.addresses().containsKey(node)
                || node.equals(settings.self())
                || now.indexOf(node) >= 0
                || addressWanted(node).isPresent();
    }

    /** Whether the voter is wanted at another address than the one in the list. */
    private boolean isMoved(Member member) {
        return addressWanted(member.id())
                .filter(address -> !member.address().equals(Optional.of(address)))
                .isPresent();
    }

    // ---------------------------------------------------------------- which step

    /**
     * Chooses the next step: a voter that is gone leaves, or one whose directory is not the named one. Otherwise a
     * wanted node joins, or an unwanted voter leaves, this node last. In this order majorities stay reachable: removing
     * a dead voter never raises the majority, and a live voter that joins raises it by at most its own vote.
     */
    Step next() {
        if (now.members().stream().anyMatch(member -> wanted.containsKey(member.id()) && keepsNothing(member))) {
            return new Step.End(Optional.of(
                    new IllegalStateException("voters cannot be changed: this cluster keeps its terms in memory, and"
                            + " a restart would forget who votes. Stop the whole cluster, give every node a"
                            + " dataDirectory, then change")));
        }
        List<Member> next =
                new ArrayList<>(now.members().stream().map(this::filledIn).toList());
        Optional<Member> gone = next.stream().filter(this::isGone).findFirst();
        Optional<NodeId> added =
                wanted.keySet().stream().filter(node -> now.indexOf(node) < 0).findFirst();
        Optional<Member> unwanted = next.stream()
                .filter(member -> !wanted.containsKey(member.id()))
                .min((one, other) -> Boolean.compare(isSelf(one), isSelf(other)));
        if (gone.isPresent()) {
            next.remove(gone.get());
        } else if (added.isPresent() && (VoterList.isSize(now.size() + 1) || unwanted.isEmpty())) {
            Ready newcomer = ready.get(added.get());
            if (newcomer == null) {
                // Without its answer the list could not name its store id (R9).
                return new Step.Await(List.of());
            }
            if (newcomer.store() == 0) {
                return refuse(
                        added.get() + " has no dataDirectory, and a voter needs one. Give it one, and start it again");
            }
            if (newcomer.clusterHash() != clusterHash) {
                return refuse(
                        added.get() + ": cluster id, support time or drift differ from those of " + settings.self());
            }
            next.add(new Member(added.get(), newcomer.store(), addressOf(added.get())));
        } else if (unwanted.isPresent() && added.isPresent() && isSelf(unwanted.get())) {
            // The list is full, so this node would leave first, and a removed voter is not believed.
            return refuse(settings.self() + " would have to leave before " + added.get()
                    + " comes, as the list is full, and would have no word in the rest. Ask a voter that stays");
        } else if (unwanted.isPresent()) {
            next.remove(unwanted.get());
        } else if (unnamed(next).isEmpty()) {
            // No node is left to join or leave, and the list names all directories.
            return new Step.End(Optional.empty());
        }
        // From list 2 on, only its voters are believed.
        if (!votes && now.number() > 1) {
            return refuse(settings.self() + " no longer votes, and has no word in the rest. Ask a voter that stays");
        }
        // R9: an unnamed voter could not vote. R5: a list has 1 to 15 voters.
        return unnamed(next).isEmpty() && VoterList.isSize(next.size()) ? propose(next) : new Step.Await(next);
    }

    /**
     * Proposes these voters if that can end well: without a live majority of the present list none is decided, and
     * without one of the next list there would be no leader.
     */
    Step propose(List<Member> next) {
        boolean isMajorityThere =
                now.isMajority(there(now.members()).size()) && 2 * there(next).size() > next.size();
        return isMajorityThere ? new Step.Propose(next) : new Step.Await(next);
    }

    private Step.End refuse(String reason) {
        return new Step.End(refusal(reason));
    }

    /** The failure for the application, which says what is in force if earlier steps of the change are done. */
    Optional<RuntimeException> refusal(String reason) {
        return Optional.of(new VotersNotChangedException(
                now.number() == first.number() || isReached()
                        ? reason
                        : now + " is in force, and " + wanted.keySet() + " is not: " + reason
                                + ". Ask again with the same list"));
    }

    // ---------------------------------------------------------------- who is there

    /** The present voters and the wanted ones. */
    Set<NodeId> involved() {
        Set<NodeId> all = new TreeSet<>(now.ids());
        all.addAll(wanted.keySet());
        return all;
    }

    /** Whether the list in force has the ids that are wanted. */
    boolean isReached() {
        return wanted.keySet().equals(Set.copyOf(now.ids()));
    }

    /** Those of the members that answer, with the directory that the list names. */
    List<NodeId> there(List<Member> some) {
        return some.stream().filter(this::isThere).map(Member::id).toList();
    }

    private boolean isThere(Member member) {
        Ready answer = ready.get(member.id());
        boolean isAny = member.store() == 0 && now.number() == 1;
        return answer != null && (isAny || member.store() != 0 && member.store() == answer.store());
    }

    /** Whether the node answers with another directory than the one that votes, or is silent and may leave. */
    private boolean isGone(Member member) {
        return ready.containsKey(member.id()) ? !isThere(member) : !wanted.containsKey(member.id());
    }

    /**
     * Whether the voter answers and never had a data directory. A voter that has lost its directory counts as another
     * node.
     */
    private boolean keepsNothing(Member member) {
        Ready answer = ready.get(member.id());
        return now.number() == 1 && answer != null && answer.store() == 0;
    }

    private boolean isSelf(Member member) {
        return member.id().equals(settings.self());
    }

    /** Fills in the store id: list 1 names none, and the first change names those of all that answer (R9). */
    private Member filledIn(Member member) {
        Ready answer = ready.get(member.id());
        return new Member(
                member.id(),
                now.number() == 1 && answer != null ? answer.store() : member.store(),
                addressOf(member.id()));
    }

    /**
     * A wanted voter that has not answered, so that the list would not name its directory: it could not vote. A voter
     * that answers under a later list without being named rejoins in steps of its own.
     */
    Optional<NodeId> unnamed(List<Member> next) {
        return next.stream()
                .filter(member -> member.store() == 0)
                .map(Member::id)
                .filter(id -> wanted.containsKey(id) && !ready.containsKey(id))
                .findFirst();
    }

    /** Where the node is reached, as far as the request, the lists or the settings say. */
    Optional<HostAndPort> addressOf(NodeId node) {
        return addressWanted(node)
                .or(() -> now.member(node).flatMap(Member::address))
                .or(() -> first.member(node).flatMap(Member::address))
                .or(() -> Optional.ofNullable(settings.addresses().get(node)));
    }

    private Optional<HostAndPort> addressWanted(NodeId node) {
        return wanted.getOrDefault(node, Optional.empty());
    }
}
