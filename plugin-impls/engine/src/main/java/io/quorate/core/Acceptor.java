package io.quorate.core;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.Acceptance;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.NotPromised;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.message.VotersMessage.Promise;
import io.quorate.core.message.VotersMessage.Ready;
import io.quorate.core.message.VotersMessage.ReadyQuery;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.StepContext;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.spi.NodeId;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A voter's promises and acceptances about the next voter list: docs/reconfiguration.md, R4 and R5. No answer leaves
 * before it is durable. One write is under way at a time; a request that comes meanwhile is dropped, and the
 * coordinator repeats it.
 */
final class Acceptor implements NodeMessage.ToAcceptor {

    /**
     * A voter leaves an accepted list alone for so many support times after the last message of a coordinator. A
     * coordinator that waits for older support to run out (R4) needs one.
     */
    private static final int LEFT_OPEN_SUPPORTS = 2;

    private final StepContext context;
    private final long store;
    private final Owner owner;
    /** The state as it is on the disk. */
    private PaxosState stored;
    /** The state that the disk is to have; differs from {@link #stored} while a write is under way, or has failed. */
    private PaxosState wanted;

    private boolean hasIdentity;
    private boolean isWriting;
    private Optional<Answer> answer = Optional.empty();
    /** Why the last write failed; empty if it did not. */
    private Optional<String> failure = Optional.empty();
    /**
     * When this voter completes a change that nobody else has completed; empty while it has accepted nothing, or only
     * just.
     */
    private OptionalLong endsAt = OptionalLong.empty();

    /** The request that is answered when a write is done. */
    private record Answer(NodeId to, long slot, Round round) {}

    interface Owner {

        /** That node says that a voter list was decided that is newer than the node's. */
        void onTold(NodeId from, VoterList later);

        /**
         * How long support still lives that this voter gave under a number below its present one, in nanoseconds; 0 if
         * none does.
         */
        long olderSupport();

        /**
         * How long this node supports nobody yet because a former life may have promised the opposite, in nanoseconds;
         * 0 if that is over.
         */
        long quarantineLeft();

        /** Why this node does not vote although the list has its id, and asking for the same list does not help. */
        Optional<String> exclusion();

        /** This voter has accepted a list, and nobody has completed the change for a while. */
        void onLeftOpen(VoterList value);

        /** The highest term that this voter knows on any path. */
        long termMax();
    }

    /**
     * An acceptor at the start of its node.
     *
     * @param store    the identity of the data directory; 0 if there is none, and nothing is promised
     * @param isStored whether that and the state are on the disk
     */
    Acceptor(StepContext context, long store, PaxosState paxos, boolean isStored, Owner owner) {
        hasIdentity = isStored;
        this.context = context;
        this.store = store;
        this.owner = owner;
        stored = paxos;
        wanted = paxos;
    }

    /** The identity of the data directory; 0 if there is none. */
    long store() {
        return store;
    }

    /**
     * Answers how this node stands; the store id is told when it is durable. It answers when its quarantine is over.
     * Before, its vote would be needed, the leader of a sole voter would lose its leadership, and of two processes with
     * one id the list would name the one that must not vote. A node whose id is in the list with another store id
     * answers at once, because it has to leave first.
     */
    @Override
    public void onReadyQuery(NodeId from, ReadyQuery message) {
        boolean mayVote = context.isVoter() || context.voters().indexOf(context.self()) < 0;
        if (mayVote && store != 0 && owner.quarantineLeft() > 0) {
            return;
        }
        Optional<String> exclusion = owner.exclusion();
        if (exclusion.isPresent()) {
            ready(from, message.query(), store, exclusion.get());
        } else if (store == 0 || hasIdentity) {
            ready(from, message.query(), store, "");
        } else {
            start();
            failure.ifPresent(reason -> ready(from, message.query(), 0, reason));
        }
    }

    private void ready(NodeId to, long query, long identity, String reason) {
        context.send(to, new Ready(query, identity, context.voters().number(), context.clusterHash(), reason));
    }

    /** The node knows a newer list. */
    void learn(VoterList config) {
        if (store != 0) {
            want(wanted.learn(config));
        }
    }

    @Override
    public void onPrepare(NodeId from, Prepare message) {
        Round round = message.round();
        if (!isAsked(from, message.base())) {
            return;
        }
        endsAt = OptionalLong.empty();
        long slot = message.base().number() + 1;
        Round near = near(from, round);
        if (stored.hasPromised(slot, round)) {
            // The promise was lost: it is on the disk, so it is sent again.
            promise(from);
        } else if (owner.olderSupport() > 0) {
            // R4: a lease may still rest on support that this voter gave under an older number.
            context.send(from, new NotPromised(slot, round, Optional.empty(), owner.olderSupport(), ""));
        } else if (!stored.mayPromise(slot, round)) {
            // R5: a higher round was promised, or the slot is decided.
            refuse(from, slot, round);
        } else {
            // R4: the promise is durable before the answer leaves.
            write(stored.promise(slot, near), new Answer(from, slot, round));
        }
    }

    private void promise(NodeId to) {
        context.send(
                to, new Promise(stored.slot(), stored.promised().orElseThrow(), owner.termMax(), stored.accepted()));
    }

    @Override
    public void onAccept(NodeId from, Accept message) {
        Round round = message.round();
        // In its quarantine another process may promise under this id, so it accepts nothing either.
        if (!isAsked(from, message.base()) || owner.quarantineLeft() > 0) {
            return;
        }
        endsAt = OptionalLong.empty();
        long slot = message.base().number() + 1;
        Round near = near(from, round);
        if (stored.hasAccepted(slot, round)) {
            context.send(from, new Acceptance(slot, round));
        } else if (!stored.mayAccept(slot, round, message.value())) {
            refuse(from, slot, round);
        } else if (near.equals(round)) {
            write(stored.accept(slot, round, message.value()), new Answer(from, slot, round));
        } else if (owner.olderSupport() <= 0) {
            write(stored.promise(slot, near), new Answer(from, slot, round));
        }
    }

    private void refuse(NodeId to, long slot, Round round) {
        context.send(to, new NotPromised(slot, round, stored.promised(), 0, ""));
    }

    /** Whether this node is a voter of the base list, knows that list, and can answer now. */
    private boolean isAsked(NodeId from, VoterList base) {
        if (base.number() > context.voters().number()) {
            owner.onTold(from, base);
        } else if (base.number() < context.voters().number()) {
            context.send(from, new DecidedVoters(context.voters()));
            return false;
        }
        boolean isOne = store != 0 && base.hash() == context.voters().hash() && context.isVoter();
        return isOne && !isWriting && stored.config().number() == base.number();
    }

    /**
     * The round that is promised: the one that was asked for, or one below it. Without the bound, one message with a
     * round that is made up could use up all rounds. An honest round is far above the one before only if somebody has
     * promised one that was made up.
     */
    private Round near(NodeId from, Round round) {
        long known = stored.promised().map(Round::counter).orElse(0L);
        Round near = round.following(known);
        if (!near.equals(round)) {
            context.noteOnce(
                    "round",
                    from,
                    "%s of %s is far above %d: it is made up, or outbids one that is, and is followed step by step",
                    round,
                    from,
                    known);
        }
        return near;
    }

    private void want(PaxosState next) {
        if (!next.equals(wanted)) {
            wanted = next;
            answer = Optional.empty();
            start();
        }
    }

    private void write(PaxosState next, Answer then) {
        wanted = next;
        answer = Optional.of(then);
        start();
    }

    private void start() {
        if (!isWriting) {
            isWriting = true;
            context.emit(new NodeEffect.StorePaxosState(store, wanted));
        }
    }

    void onStored(PaxosState paxos) {
        isWriting = false;
        hasIdentity = true;
        stored = paxos;
        if (failure.isPresent()) {
            failure = Optional.empty();
            context.note(false, "can store the voter list again");
        }
        if (!stored.equals(wanted)) {
            start();
            return;
        }
        answer.ifPresent(this::answer);
        answer = Optional.empty();
    }

    private void answer(Answer due) {
        if (stored.hasAccepted(due.slot, due.round)) {
            context.send(due.to, new Acceptance(due.slot, due.round));
        } else if (stored.hasPromised(due.slot, due.round)) {
            promise(due.to);
        } else {
            // The promise is a step towards the round, whose coordinator asks again.
            refuse(due.to, due.slot, due.round);
        }
    }

    /** The write has failed: the coordinator is told why. A decided list is written again at the next heartbeat. */
    void onFailed(String reason) {
        isWriting = false;
        if (failure.isEmpty()) {
            context.note(true, "cannot store the voter list; refusing to take part in voter changes: %s", reason);
        }
        failure = Optional.of(reason);
        answer.ifPresent(
                due -> context.send(due.to, new NotPromised(due.slot, due.round, Optional.empty(), 0, reason)));
        answer = Optional.empty();
        // The former state is kept, not made anew: a promise for this number must stay, although addresses may differ.
        wanted = stored.learn(context.voters());
    }

    /** Called once per heartbeat: the disk may have room again, or a coordinator may be gone. */
    void onHeartbeatPeriod() {
        if (!wanted.equals(stored)) {
            start();
        }
        endWhatIsOpen();
    }

    /**
     * R11: the list that this voter has accepted may be decided, and a node that knows so gets no support from voters
     * that do not. So this voter becomes the coordinator if it hears no other. The first voter in the list begins, and
     * the others hear it.
     */
    private void endWhatIsOpen() {
        boolean isOpen = stored.accepted().isPresent()
                && stored.config().number() == context.voters().number()
                && context.isVoter();
        long patience = LEFT_OPEN_SUPPORTS * context.lease().support();
        if (!isOpen) {
            endsAt = OptionalLong.empty();
        } else if (endsAt.isEmpty()) {
            long turn = context.selfVoter() * context.lease().heartbeat();
            endsAt = OptionalLong.of(context.now() + patience + turn);
        } else if (context.now() - endsAt.getAsLong() >= 0) {
            endsAt = OptionalLong.of(context.now() + context.jitter().between(patience, 2 * patience));
            owner.onLeftOpen(stored.accepted().orElseThrow().value());
        }
    }
}
