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
import io.quorate.core.voters.Round;
import io.quorate.core.voters.Seat;
import io.quorate.core.voters.VoterList;
import io.quorate.spi.NodeId;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a voter promises and accepts about who votes next: docs/reconfiguration.md, R4 and R5. Nothing leaves before it
 * is durable; one write is under way at a time, and what is asked for meanwhile is asked for again.
 */
final class Acceptor implements NodeMessage.ToAcceptor {

    /**
     * A list that was accepted is left alone for so many support times after the last word of a coordinator: whoever
     * waits for older support to run out (R4) needs no more than one.
     */
    private static final int LEFT_OPEN_SUPPORTS = 2;

    private final StepContext context;
    private final long store;
    private final Owner owner;
    /** As it is on the disk. */
    private Seat stored;
    /** What the disk is to have; differs from {@link #stored} while a write is under way, or has failed. */
    private Seat wanted;

    private boolean hasIdentity;
    private boolean isWriting;
    private Optional<Answer> answer = Optional.empty();
    /** Why the last write failed; empty if it did not. */
    private Optional<String> failure = Optional.empty();
    /** When this voter takes in hand what nobody brings to its end; empty while nothing is accepted, or it is new. */
    private OptionalLong endsAt = OptionalLong.empty();

    /** What leaves when a write is done. */
    private record Answer(NodeId to, long slot, Round round, Kind kind) {
        private enum Kind {
            PROMISE,
            /** Of a lower round: the coordinator asks again. */
            STEP,
            ACCEPTANCE
        }
    }

    /** What an acceptor asks of the node that it is part of. */
    interface Owner {

        /** A configuration is decided that is newer than the node's. */
        void onDecided(VoterList config);

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

        /** This voter has accepted a list, and nobody has brought it to its end for long. */
        void onLeftOpen(VoterList value);

        /** The highest term that this voter knows on any path. */
        long termMax();
    }

    /**
     * Of a node that begins.
     *
     * @param store    the identity of the data directory; 0 if there is none, and nothing is promised
     * @param isStored whether that and the seat are on the disk
     */
    Acceptor(StepContext context, long store, Seat seat, boolean isStored, Owner owner) {
        hasIdentity = isStored;
        this.context = context;
        this.store = store;
        this.owner = owner;
        stored = seat;
        wanted = seat;
    }

    /** The identity of the data directory; 0 if there is none. */
    long store() {
        return store;
    }

    /**
     * Somebody asks how this node stands: the identity of its directory is told when it is durable. Whoever comes to vote
     * is silent until it can support: its vote would be needed before, and a leader of one voter lose its leadership. If
     * the list has its id, and another directory, it answers: it leaves first.
     */
    @Override
    public void onReadyQuery(NodeId from, ReadyQuery message) {
        if (context.voters().indexOf(context.self()) < 0 && store != 0 && owner.quarantineLeft() > 0) {
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

    /** The node knows a newer configuration. */
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
            promise(from);
        } else if (owner.olderSupport() > 0) {
            context.send(from, new NotPromised(slot, round, Optional.empty(), owner.olderSupport(), ""));
        } else if (!stored.mayPromise(slot, round)) {
            refuse(from, slot, round);
        } else if (near.equals(round)) {
            write(stored.promise(slot, round), new Answer(from, slot, round, Answer.Kind.PROMISE));
        } else {
            follow(from, slot, round, near);
        }
    }

    /** A promise that is a step towards the round: whoever has to outbid others by so much asks again. */
    private void follow(NodeId from, long slot, Round round, Round near) {
        if (owner.olderSupport() <= 0) {
            write(stored.promise(slot, near), new Answer(from, slot, round, Answer.Kind.STEP));
        }
    }

    private void promise(NodeId to) {
        context.send(
                to, new Promise(stored.slot(), stored.promised().orElseThrow(), owner.termMax(), stored.accepted()));
    }

    @Override
    public void onAccept(NodeId from, Accept message) {
        Round round = message.round();
        if (!isAsked(from, message.base())) {
            return;
        }
        endsAt = OptionalLong.empty();
        long slot = message.base().number() + 1;
        Round near = near(from, round);
        if (stored.hasAccepted(slot, round)) {
            context.send(from, new Acceptance(slot, round));
        } else if (!stored.mayAccept(slot, round, message.value())) {
            refuse(from, slot, round);
        } else if (!near.equals(round)) {
            follow(from, slot, round, near);
        } else {
            write(stored.accept(slot, round, message.value()), new Answer(from, slot, round, Answer.Kind.ACCEPTANCE));
        }
    }

    private void refuse(NodeId to, long slot, Round round) {
        context.send(to, new NotPromised(slot, round, stored.promised(), 0, ""));
    }

    /** Whether this node is one of those who decide what follows the base, and knows it; and can answer now. */
    private boolean isAsked(NodeId from, VoterList base) {
        if (base.number() > context.voters().number()) {
            owner.onDecided(base);
        } else if (base.number() < context.voters().number()) {
            context.send(from, new DecidedVoters(context.voters()));
            return false;
        }
        boolean isOne = store != 0 && base.hash() == context.voters().hash() && context.selfVoter() >= 0;
        return isOne && !isWriting && stored.config().number() == base.number();
    }

    /**
     * The round that is followed: that one, or one below it. No honest one is far above the one before, unless somebody
     * has promised one that was made up; if it were promised, one message could use up all that there are.
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

    private void want(Seat next) {
        if (!next.equals(wanted)) {
            wanted = next;
            answer = Optional.empty();
            start();
        }
    }

    private void write(Seat next, Answer then) {
        wanted = next;
        answer = Optional.of(then);
        start();
    }

    private void start() {
        if (!isWriting) {
            isWriting = true;
            context.emit(new NodeEffect.StoreSeat(store, wanted));
        }
    }

    /** The write has succeeded. */
    void onStored(Seat seat) {
        isWriting = false;
        hasIdentity = true;
        stored = seat;
        if (failure.isPresent()) {
            failure = Optional.empty();
            context.note(false, "who votes can be stored again");
        }
        if (!stored.equals(wanted)) {
            start();
            return;
        }
        answer.ifPresent(due -> {
            switch (due.kind) {
                case PROMISE -> promise(due.to);
                case STEP -> refuse(due.to, due.slot, due.round);
                case ACCEPTANCE -> context.send(due.to, new Acceptance(due.slot, due.round));
            }
        });
        answer = Optional.empty();
    }

    /** The write has failed: nothing is said of it, and what was decided is written once per heartbeat. */
    void onFailed(String reason) {
        isWriting = false;
        if (failure.isEmpty()) {
            context.note(
                    true,
                    "who votes cannot be stored: this voter promises nothing about a change of voters: %s",
                    reason);
        }
        failure = Optional.of(reason);
        answer.ifPresent(
                due -> context.send(due.to, new NotPromised(due.slot, due.round, Optional.empty(), 0, reason)));
        answer = Optional.empty();
        // Not a seat made anew: what is promised under this number stays, whatever addresses the list has by now.
        wanted = stored.learn(context.voters());
    }

    /** Once per heartbeat: the disk may have room again, and a coordinator be gone. */
    void onHeartbeatPeriod() {
        if (!wanted.equals(stored)) {
            start();
        }
        endWhatIsOpen();
    }

    /**
     * R11: what this voter has accepted may be decided, and others may know that and be served by nobody who does not. So
     * it becomes the coordinator if no other is heard. Of several the first in the list begins, and the others hear it.
     */
    private void endWhatIsOpen() {
        boolean isOpen = stored.accepted().isPresent()
                && stored.config().number() == context.voters().number()
                && context.selfVoter() >= 0;
        long patience = LEFT_OPEN_SUPPORTS * context.settings().lease().support();
        if (!isOpen) {
            endsAt = OptionalLong.empty();
        } else if (endsAt.isEmpty()) {
            long turn = context.selfVoter() * context.settings().lease().heartbeat();
            endsAt = OptionalLong.of(context.now() + patience + turn);
        } else if (context.now() - endsAt.getAsLong() >= 0) {
            endsAt = OptionalLong.of(context.now() + context.jitter().between(patience, 2 * patience));
            owner.onLeftOpen(stored.accepted().orElseThrow().value());
        }
    }
}
