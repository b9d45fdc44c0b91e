package io.quorate.core;

import io.quorate.core.directory.ContenderDirectory;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.ListingsAck;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Goodbye;
import io.quorate.core.message.VoteMessage.Challenge;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.message.VoteMessage.Nack;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.message.VoteMessage.Successor;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.core.support.Configurations;
import io.quorate.core.support.Heartbeats;
import io.quorate.core.support.NodeLiveness;
import io.quorate.core.support.SupportGiven;
import io.quorate.core.support.SupportGranter;
import io.quorate.core.vote.Ballot;
import io.quorate.core.vote.DurableTerms;
import io.quorate.core.vote.OwnVote;
import io.quorate.engine.Fatal;
import io.quorate.spi.Message;
import io.quorate.spi.NodeId;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The voter of a node: it grants support, holds ballots, and keeps the directory of contenders. */
final class Voter implements OwnVote.Ballots, NodeMessage.ToVoter, SupportGranter.Owner {

    /**
     * The number of support times for which a voter promises nothing after it has heard of another process under its
     * id. In the first one all that either has promised runs out, and in the second one what this node learns late.
     */
    private static final int SILENCED_SUPPORTS = 2;

    private final StepContext context;
    private final SupportGiven support;
    private final NodeLiveness liveness;
    private final Owner owner;
    private final boolean isDurable;
    private final DurableTerms terms;
    private final SupportGranter granter;
    private final ContenderDirectory<BallotPage> directory;

    /** Ends the quarantine, or has ended it; null before the start. */
    private Timers.@Nullable Handle quarantine;

    private boolean isYoung = true;

    /** The parts of its node that a voter needs. */
    interface Owner {

        /** This voter supports its own node from now on. */
        void onQuarantineOver();

        /**
         * A better claimer claims the same path as a contender of this node, which gives its claim up. Answers whether
         * there was one.
         */
        boolean standBack(ContenderId own);

        /** The contender's own node told this voter that it has left, before the other voters could. */
        void onLeft(String path, ContenderRecord gone);

        /** The voter no longer supports its own node, until {@link #onQuarantineOver}. */
        void onSilenced();
    }

    Voter(
            StepContext context,
            SupportGiven support,
            NodeLiveness liveness,
            Heartbeats heartbeats,
            Configurations configurations,
            long termCeiling,
            Owner owner) {
        this.context = context;
        this.support = support;
        this.liveness = liveness;
        this.owner = owner;
        this.isDurable = configurations.isDurable();
        this.terms = new DurableTerms(context, isDurable, termCeiling);
        this.granter = new SupportGranter(context, support, liveness, heartbeats, configurations, this);
        this.directory = new ContenderDirectory<>(context, support, termCeiling, this::newPage);
    }

    private BallotPage newPage(String path) {
        return new BallotPage(path, directory.floor(), support);
    }

    ContenderDirectory<BallotPage> directory() {
        return directory;
    }

    // ---------------------------------------------------------------- quarantine

    /**
     * ADR-0005: the voter is silent until all support that a former life may have given has run out. The quarantine
     * holds for a node with a directory that does not vote, too: it may have voted in a former life, or may come to
     * vote.
     */
    void start() {
        quarantineFor(context.lease().support());
        if (context.isVoter()) {
            terms.start();
        }
    }

    private void quarantineFor(long nanos) {
        quarantine = context.timers().replace(quarantine, context.now() + nanos, () -> {
            isYoung = false;
            directory.raiseFloor(isDurable ? 0 : terms.highest());
            support.endQuarantine();
            if (context.isVoter()) {
                owner.onQuarantineOver();
            }
        });
    }

    /**
     * This node has done nothing for longer than a support time. By now another process under its id may have its place
     * at each voter, which could not tell it so. It promises nothing until it has called them again.
     */
    void onStoodStill() {
        silenceFor(context.lease().support());
    }

    /**
     * A voter hears another life of this id in place of this one, so each of the two could give the vote of this id.
     * This one promises nothing for a while (docs/protocol.md#one-process-per-id).
     */
    void onPlaceTaken() {
        silenceFor(SILENCED_SUPPORTS * context.lease().support());
    }

    private void silenceFor(long nanos) {
        if (!support.isSilent()) {
            support.silence();
            support.endEpochs();
            directory.endAll();
            owner.onSilenced();
        }
        quarantineFor(nanos);
    }

    /** Whether the quarantine with which this life begins is not over. */
    boolean isYoung() {
        return isYoung;
    }

    /**
     * This node no longer votes, and nobody tells it anything. If it votes again later, all nodes begin anew with it.
     */
    void onVotesNoMore() {
        support.endEpochs();
        directory.endAll();
        terms.onVotesNoMore();
    }

    /** How much of the quarantine is left, in nanoseconds; 0 after its end. */
    long quarantineLeft() {
        return support.isSilent() && quarantine != null ? Math.max(1, quarantine.deadline() - context.now()) : 0;
    }

    void onHeartbeatPeriod() {
        directory.sweep();
        support.sweep();
        if (context.isVoter()) {
            terms.retry();
        }
    }

    // ---------------------------------------------------------------- terms

    @Override
    public long termMax() {
        return terms.highest();
    }

    @Override
    public void onTermHeard(long term) {
        terms.onHeard(term);
    }

    /** The terms in which it may vote. */
    DurableTerms terms() {
        return terms;
    }

    // ---------------------------------------------------------------- support

    /** The part that answers heartbeats. */
    SupportGranter granter() {
        return granter;
    }

    @Override
    public void onSupportEnded(NodeId node) {
        directory.end(node);
    }

    @Override
    public void onGoodbye(NodeId from, long incarnation, Goodbye goodbye) {
        granter.onGoodbye(from, incarnation);
    }

    @Override
    public void onRegistrations(NodeId from, long incarnation, Registrations registrations) {
        directory
                .onRegistrations(from, incarnation, registrations)
                .forEach(leaver -> owner.onLeft(leaver.path(), leaver.gone()));
    }

    @Override
    public void onListingsAck(NodeId from, ListingsAck ack) {
        directory.onListingsAck(from, ack.batch());
    }

    // ---------------------------------------------------------------- votes

    @Override
    public void onClaim(NodeId from, long incarnation, Claim claim) {
        onClaim(claim.path(), new ContenderId(from, incarnation, claim.number()), claim.term());
    }

    private void onClaim(String path, ContenderId claimer, long term) {
        // A vote is tied to an epoch of support, so without support there is none. The claimer claims again.
        if (!support.isSupported(claimer.node(), claimer.incarnation())) {
            return;
        }
        // A vote in a term that is made up would raise the terms of the path for ever.
        if (terms.isFarAhead(term)) {
            context.noteOnce(
                    "term",
                    claimer.node(),
                    "%s: the claim of term %d by %s is refused: it is too far above %d,"
                            + " the highest term that is known here",
                    path,
                    term,
                    claimer,
                    terms.highest());
            return;
        }
        // The limits of registrations do not cover votes ahead of them, so these have a bound of their own.
        if (!directory.hasRoomForVote(path, claimer)) {
            context.noteOnce(
                    "votes ahead",
                    claimer.node(),
                    "%s: the claim by %s is refused: its node holds this voter's vote on paths where it is not"
                            + " registered, and their names have %d characters together",
                    path,
                    claimer,
                    ContenderDirectory.NAMES_AHEAD_MAX);
            return;
        }
        BallotPage page = directory.page(path);
        standBack(page, claimer);
        boolean hadVote =
                page.ballot().isLive(support) && page.ballot().holder().equals(Optional.of(claimer));
        // The vote that it had may be below its token: it may lead by votes of others, and this voter does not tell of
        // it yet.
        boolean isUntold = directory.isUnbacked(page, claimer);
        Ballot.Verdict verdict = page.ballot().onClaim(page.shared(claimer), term, support, terms.ceiling());
        if (verdict instanceof Ballot.Voted voted) {
            terms.onVoted(term);
            // A repetition that changes nothing has nothing to tell.
            if (!hadVote || isUntold) {
                directory.onVoted(page, claimer);
            }
            context.send(claimer.node(), new Vote(path, claimer.number(), term, voted.epoch()));
        } else if (verdict instanceof Ballot.NotVoted refusal) {
            // With a holder, a live vote stands in the way: it is never overwritten, but its holder may give it back.
            context.send(
                    claimer.node(),
                    new Nack(
                            path,
                            claimer.number(),
                            term,
                            refusal.term(),
                            refusal.holder().isPresent() ? Math.max(1, refusal.remaining()) : 0));
            if (refusal.holder().isPresent()) {
                ContenderId holder = refusal.holder().get();
                context.send(holder.node(), new Challenge(path, holder, refusal.term()));
            }
        } else if (verdict instanceof Ballot.NotReserved) {
            // A restart would forget a vote above the ceiling. The claimer repeats, and by then the ceiling is higher.
            terms.onNeeded(term);
        }
        directory.forgetIfUnused(page);
    }

    /**
     * Voters that claim at one instant each have their own vote and get no other. So all but the one with the lowest
     * node id give their vote to that one.
     */
    private void standBack(BallotPage page, ContenderId claimer) {
        ContenderId holder = page.ballot().holder().orElse(null);
        if (holder != null
                && holder.node().equals(context.self())
                && claimer.node().compareTo(holder.node()) < 0
                && owner.standBack(holder)) {
            page.ballot().onRelease(holder, page.ballot().term(), terms.closable());
        }
    }

    /**
     * The vote is free. It goes to the successor, as if its claim had come, if one is named and its node is up, because
     * the support for a node that has gone down holds the vote back longer than an election takes. The successor is
     * also registered here, so its node knows the epoch of the vote, and renounces it if it does not hear this voter.
     */
    @Override
    public void onRelease(NodeId from, long incarnation, Release release) {
        ContenderId contender = new ContenderId(from, incarnation, release.number());
        BallotPage page = directory.find(release.path()).orElse(null);
        boolean isFreed = page != null && page.ballot().onRelease(contender, release.term(), terms.closable());
        Successor successor = release.successor().orElse(null);
        if (successor != null
                && page != null
                && support.isSupported(from, incarnation)
                && liveness.isUp(successor.claimer().node())
                && directory.registered(page, successor.claimer()).isPresent()) {
            onClaim(release.path(), successor.claimer(), successor.term());
        }
        if (page != null && isFreed) {
            directory.forgetIfUnused(page);
            context.agenda().add(release.path());
        }
    }

    @Override
    public OptionalLong freeAt(String path, ContenderId contender) {
        Optional<BallotPage> page = directory.find(path);
        if (page.isEmpty() || !page.get().ballot().isLiveForAnother(contender, support)) {
            return OptionalLong.empty();
        }
        NodeId holder = page.get().ballot().holder().orElseThrow().node();
        return OptionalLong.of(context.now() + support.remaining(holder));
    }

    @Override
    public boolean challenge(String path, ContenderId contender) {
        Optional<Ballot> ballot =
                directory.find(path).map(BallotPage::ballot).filter(b -> b.isLiveForAnother(contender, support));
        Optional<ContenderId> holder = ballot.flatMap(Ballot::holder).filter(h -> liveness.isUp(h.node()));
        holder.ifPresent(
                h -> context.send(h.node(), new Challenge(path, h, ballot.get().term())));
        return holder.isPresent();
    }

    @Override
    public boolean isFree(String path) {
        Optional<BallotPage> page = directory.find(path);
        return page.isEmpty() || !page.get().ballot().isLive(support);
    }

    @Override
    public long votedTerm(String path) {
        Optional<BallotPage> page = directory.find(path);
        return page.isPresent() ? page.get().ballot().term() : directory.floor();
    }

    /** ADR-0025: a voter that does not contend answers for algorithms that count voters. */
    @Override
    public void onElect(NodeId from, Elect elect) {
        if (!context.countsVoters() || support.isSilent()) {
            return;
        }
        Optional<Message> answer;
        try {
            answer = context.algorithm().answerAsWitness(elect.to(), elect.message());
        } catch (Throwable e) {
            // Justification: somebody else's algorithm. The sender goes without this answer.
            Fatal.throwIfFatal(e);
            context.noteOnce(
                    "witness",
                    from,
                    "algorithm %s failed as a witness, at a message of %s: %s; no answer",
                    context.algorithmName(),
                    from,
                    e);
            return;
        }
        answer.ifPresent(message -> context.send(
                from, new Elect(elect.election(), elect.birth(), elect.to(), elect.from(), false, message)));
    }

    /** Says why it does not vote at the moment, for logs and error messages. */
    String describe() {
        return (support.isSilent() ? ", in quarantine" : "")
                + terms.failure().map(", cannot store terms: "::concat).orElse("");
    }
}
