package io.quorate.core;

import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.message.VotersMessage.Promise;
import io.quorate.core.step.StepContext;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.PaxosState.Accepted;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The proposer of Paxos: has the voters of the list in force decide which list follows (docs/reconfiguration.md, R5 and
 * R6), in one round at a time. {@link VoterChange} decides when a round begins.
 */
final class Proposer {

    private final StepContext context;
    private final Consumer<VoterList> onDecided;
    /** The counter of the last round for the list in force. */
    private long rounds;

    private VoterList base = VoterList.NONE;
    private List<Member> aim = List.of();
    private Round round;
    /** What is proposed; empty before a majority has promised. */
    private Optional<VoterList> value = Optional.empty();

    private final Map<NodeId, Promise> promises = new TreeMap<>();
    private final Set<NodeId> acceptances = new TreeSet<>();
    /** The voters that have promised a later round than this one, or cannot store a promise. */
    private final Set<NodeId> refusals = new TreeSet<>();
    /** Whether one of the refusals names a round that is made up. */
    private boolean isOutbid;

    /** @param onDecided called with the list that a majority has accepted */
    Proposer(StepContext context, Consumer<VoterList> onDecided) {
        this.context = context;
        this.onDecided = onDecided;
        round = new Round(0, context.self(), context.incarnation());
    }

    /** Another list is in force, and rounds count from its first. */
    void onVoters() {
        rounds = 0;
    }

    /** Begins a new round; {@link #repeat} asks the voters. */
    void prepare(VoterList inForce, List<Member> next) {
        base = inForce;
        aim = next;
        rounds++;
        round = new Round(rounds, context.self(), context.incarnation());
        value = Optional.empty();
        promises.clear();
        acceptances.clear();
        refusals.clear();
        isOutbid = false;
    }

    /** Asks each voter that has not answered yet. */
    void repeat() {
        base.ids().stream()
                .filter(voter -> value.isPresent() ? !acceptances.contains(voter) : !promises.containsKey(voter))
                .forEach(this::ask);
    }

    private void ask(NodeId voter) {
        context.send(voter, value.isPresent() ? new Accept(round, base, value.get()) : new Prepare(round, base));
    }

    /** Whether this is the answer of a voter to the present round. */
    boolean isAnswered(NodeId from, long slot, Round of) {
        return of.equals(round) && slot == base.number() + 1 && base.indexOf(from) >= 0;
    }

    /** The voters that have promised; empty once a value is proposed. */
    Optional<Set<NodeId>> promising() {
        return value.isPresent() ? Optional.empty() : Optional.of(promises.keySet());
    }

    /** Returns the value that is proposed from now on, if this promise makes the majority. */
    Optional<VoterList> onPromise(NodeId from, Promise promise) {
        promises.put(from, promise);
        if (!base.isMajority(promises.size())) {
            return Optional.empty();
        }
        long floor = promises.values().stream().mapToLong(Promise::termMax).reduce(base.floor(), Math::max);
        value = PaxosState.last(promises.values().stream().flatMap(each -> each.accepted().stream()))
                .map(Accepted::value)
                .or(() -> Optional.of(new VoterList(base.number() + 1, floor, aim)));
        return value;
    }

    void onAcceptance(NodeId from) {
        acceptances.add(from);
        if (base.isMajority(acceptances.size())) {
            onDecided.accept(value.orElseThrow());
        }
    }

    /**
     * The voter has promised another round. If that is a lower one, the voter comes up to this one step by step. If it
     * is a later one, the voter refuses: it accepts nothing below (R5), so only a higher round wins it.
     *
     * @return whether it refuses
     */
    boolean onPromised(NodeId from, Round other) {
        if (other.compareTo(round) < 0) {
            ask(from);
            return false;
        }
        // Rounds rise in steps past one that is made up, because otherwise one message could use up all rounds.
        Round near = other.following(round.counter());
        if (!near.equals(other)) {
            isOutbid = true;
            context.noteOnce(
                    "round", from, "%s has promised %s, which is made up: it is outbid step by step", from, other);
        }
        rounds = Math.max(rounds, near.counter());
        refusals.add(from);
        return true;
    }

    void onCannotStore(NodeId from) {
        refusals.add(from);
    }

    /** Whether a voter has refused this round for one that is made up. */
    boolean isOutbid() {
        return isOutbid;
    }

    /**
     * Whether voters that answer and have not refused this round are still a majority: then the round goes on. So one
     * voter that refuses each round does not end it.
     */
    boolean isMajorityLeft(List<NodeId> there) {
        return base.isMajority(
                (int) there.stream().filter(voter -> !refusals.contains(voter)).count());
    }
}
