package io.quorate.core;

import io.quorate.core.directory.ContenderDirectory;
import io.quorate.core.message.Ack;
import io.quorate.core.message.Challenge;
import io.quorate.core.message.Claim;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.Elect;
import io.quorate.core.message.Epoch;
import io.quorate.core.message.Heard;
import io.quorate.core.message.Heartbeat;
import io.quorate.core.message.Inquiry;
import io.quorate.core.message.Nack;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.Refused;
import io.quorate.core.message.Registrations;
import io.quorate.core.message.Release;
import io.quorate.core.message.Vote;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.core.support.Configurations;
import io.quorate.core.support.Heartbeats;
import io.quorate.core.support.NodeLiveness;
import io.quorate.core.support.SupportGiven;
import io.quorate.core.vote.Ballot;
import io.quorate.core.vote.OwnVote;
import io.quorate.core.vote.Takings;
import io.quorate.spi.Message;
import io.quorate.spi.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** What a node does because it is a voter: it grants support, holds ballots, and keeps the directory of contenders. */
final class Voter implements OwnVote.Voted {

    /** Terms are made durable in blocks of this many, so that no vote waits for the disk. */
    static final long TERM_BLOCK = 1L << 16;

    /** What a voter says of terms may be this far above what is known here; one beyond is nonsense. */
    static final long TERM_LEAP_MAX = 1L << 40;

    /** Beyond this term no voter's word is followed: so many are left that they are never used up. */
    private static final long TERM_LAST = NodeMessage.NUMBER_MAX / 2;

    private final StepContext context;
    private final SupportGiven support;
    private final NodeLiveness liveness;
    private final Heartbeats heartbeats;
    private final Configurations configurations;
    private final Takings takings;
    private final Owner owner;
    private final ContenderDirectory<BallotPage> directory;
    private final boolean isDurable;
    private final Map<NodeId, Timers.Handle> lapses = new TreeMap<>();
    /** Acknowledgements to voters that can wait for this node's next heartbeat to them. */
    private final Map<NodeId, Ack> delayed = new TreeMap<>();

    private long ceiling;
    /** Up to where terms are to be durable; and what the write that is under way makes durable, 0 for none. */
    private long wanted;

    private long reserving;
    private Optional<String> reserveFailure = Optional.empty();
    private long termMax;

    /** What a voter asks of the node that it is part of. */
    interface Owner {

        /** This voter supports its own node from now on. */
        void onQuarantineOver();

        /** Another claims the same path, and goes first. Answers whether there was a claim to give up. */
        boolean standBack(ContenderId own);
    }

    Voter(
            StepContext context,
            SupportGiven support,
            NodeLiveness liveness,
            Heartbeats heartbeats,
            Configurations configurations,
            Takings takings,
            long termCeiling,
            Owner owner) {
        this.context = context;
        this.support = support;
        this.liveness = liveness;
        this.heartbeats = heartbeats;
        this.configurations = configurations;
        this.takings = takings;
        this.owner = owner;
        this.isDurable = configurations.isDurable();
        this.ceiling = isDurable ? termCeiling : NodeMessage.NUMBER_MAX;
        this.directory = new ContenderDirectory<>(context, support, termCeiling, this::newPage);
        this.termMax = termCeiling;
    }

    private BallotPage newPage(String path) {
        return new BallotPage(path, directory.floor(), support);
    }

    ContenderDirectory<BallotPage> directory() {
        return directory;
    }

    @Override
    public long termMax() {
        return termMax;
    }

    // ---------------------------------------------------------------- quarantine

    /** ADR-0005: silent until every support that a former life may have given has run out. */
    void start() {
        context.timers().set(context.now() + context.settings().lease().support(), () -> {
            directory.raiseFloor(isDurable ? 0 : termMax);
            support.endQuarantine();
            owner.onQuarantineOver();
        });
        if (isDurable) {
            reserve(ceiling + TERM_BLOCK);
        }
        inquire();
    }

    void onHeartbeatPeriod() {
        directory.sweep();
        support.sweep();
        if (support.isSilent()) {
            inquire();
        }
        if (isDurable && reserveFailure.isPresent()) {
            // The disk may have room again.
            reserve(Math.max(ceiling + TERM_BLOCK, termMax + TERM_BLOCK));
        }
    }

    private void inquire() {
        for (NodeId peer : context.settings().voters()) {
            if (!peer.equals(context.self())) {
                context.send(peer, new Inquiry());
            }
        }
    }

    /** ADR-0004: another process under this id was alive after this one began. */
    boolean isDuplicate(Heard heard) {
        return support.isSilent() && heard.incarnation() != context.incarnation();
    }

    // ---------------------------------------------------------------- terms on disk: ADR-0007

    @Override
    public void onTermHeard(long term) {
        // Without a disk terms come from wall clocks, and those may differ by any amount.
        boolean isAbsurd = isDurable && term - Math.max(ceiling, termMax) > TERM_LEAP_MAX || term > TERM_LAST;
        if (term <= termMax || isAbsurd) {
            return;
        }
        termMax = term;
        reserveAhead();
    }

    private void reserveAhead() {
        if (isDurable && termMax > ceiling - TERM_BLOCK / 2) {
            reserve(termMax + TERM_BLOCK);
        }
    }

    /** One write is under way at a time: whatever is asked for meanwhile is one more write after it. */
    private void reserve(long upTo) {
        wanted = Math.max(wanted, upTo);
        if (reserving == 0 && wanted > ceiling) {
            reserving = wanted;
            context.emit(new NodeEffect.ReserveTerms(wanted));
        }
    }

    void onTermsReserved(long upTo) {
        reserving = 0;
        ceiling = Math.max(ceiling, upTo);
        reserve(wanted);
        if (reserveFailure.isPresent()) {
            reserveFailure = Optional.empty();
            context.note(false, "terms can be stored again: this voter votes in terms up to %d", ceiling);
        }
    }

    void onReserveFailed(String reason) {
        reserving = 0;
        wanted = ceiling;
        if (reserveFailure.isEmpty()) {
            context.note(
                    true,
                    "terms cannot be stored: this voter keeps its votes and gives none above term %d: %s",
                    ceiling,
                    reason);
        }
        reserveFailure = Optional.of(reason);
    }

    // ---------------------------------------------------------------- support

    void onHeartbeat(NodeId from, long incarnation, Heartbeat heartbeat) {
        if (!agrees(from, heartbeat)) {
            return;
        }
        if (context.voterIndex(from) >= 0) {
            onTermHeard(heartbeat.termMax());
        }
        if (!support.hasRoomFor(from)) {
            refuse(
                    from,
                    "voter " + context.self() + " knows " + SupportGiven.NODES_MAX + " nodes that do not vote, and"
                            + " supports no more; it forgets whoever is silent for " + StepContext.SUPPORTS_KEPT
                            + " support times");
            return;
        }
        Optional<Long> supported = support.incarnationOf(from);
        boolean isFormer = supported.isPresent() && incarnation < supported.get();
        boolean isRival =
                supported.isPresent() && incarnation > supported.get() && support.isSupported(from, supported.get());
        if (isFormer || isRival) {
            // Left over from a life that is gone, or a second process while the first one is supported.
            if (isRival) {
                context.noteOnce(
                        "rival",
                        from,
                        "a second process runs under the id of node %s, with incarnation %d,"
                                + " while the one with incarnation %d is alive: it gets no support",
                        from,
                        incarnation,
                        supported.get());
            }
            return;
        }
        liveness.onHeartbeat(from, incarnation, heartbeat);
        endIfLapsed(from);
        Epoch before = support.epochOf(from, incarnation);
        Optional<Epoch> epoch = support.onHeartbeat(from, incarnation, heartbeat.renounced());
        if (before != null && !epoch.equals(Optional.of(before))) {
            // It gave its support back: what it reported in that epoch is over, and it may have nothing new to report.
            endSession(from);
        }
        if (epoch.isPresent()) {
            watchForLapse(from);
            delayed.put(
                    from,
                    new Ack(
                            incarnation,
                            heartbeat.sequence(),
                            epoch.get(),
                            termMax,
                            liveness.upVersion(),
                            liveness.reportFor(heartbeat.upVersion())));
            int index = context.voterIndex(from);
            if (heartbeat.urgent() || index < 0) {
                acknowledge(from);
            }
            if (heartbeat.urgent() && index >= 0) {
                heartbeats.follow(index);
            }
        }
    }

    /** The acknowledgement of the node's newest heartbeat leaves, if it has not left yet. */
    void acknowledge(NodeId to) {
        Ack ack = delayed.remove(to);
        if (ack != null) {
            liveness.acknowledged(to, ack.sequence());
            context.send(to, ack);
        }
    }

    /**
     * Whether the configurations agree in what must be equal. A node that differs is told of this one's configuration,
     * and answers with its own, so that both say what differs.
     */
    private boolean agrees(NodeId from, Heartbeat heartbeat) {
        long difference = heartbeat.configHash() ^ context.configHash();
        boolean isMixed = context.voterIndex(from) >= 0 && heartbeat.durable() != isDurable;
        boolean mustDiffer = difference >>> Integer.SIZE != 0 || isMixed;
        if (mustDiffer) {
            configurations.tell(from);
        } else if (difference != 0) {
            configurations.tellNowAndThen(from);
        }
        return !mustDiffer;
    }

    private void refuse(NodeId from, String reason) {
        context.noteOnce("no support", from, "no support for node %s: %s", from, reason);
        context.send(from, new Refused(true, reason));
    }

    /** One timer per supported node; each heartbeat puts it off, so that it wakes nobody while all is well. */
    private void watchForLapse(NodeId peer) {
        Timers.Handle former = lapses.put(peer, context.timers().set(support.until(peer), () -> {
            lapses.remove(peer);
            endIfLapsed(peer);
        }));
        if (former != null) {
            former.cancel();
        }
    }

    private void endIfLapsed(NodeId peer) {
        if (support.hasLapsed(peer)) {
            support.forget(peer);
            endSession(peer);
        }
    }

    private void endSession(NodeId peer) {
        directory.end(peer);
    }

    void onGoodbye(NodeId from, long incarnation) {
        if (support.onGoodbye(from, incarnation)) {
            endSession(from);
            liveness.onGoodbye(from);
        }
    }

    /** A node reports its contenders. Answers who has left. */
    List<ContenderDirectory.Departure> onRegistrations(NodeId from, long incarnation, Registrations message) {
        return directory.onRegistrations(from, incarnation, message);
    }

    // ---------------------------------------------------------------- votes

    void onClaim(NodeId from, long incarnation, Claim claim) {
        onClaim(claim.path(), new ContenderId(from, incarnation, claim.number()), claim.term());
    }

    private void onClaim(String path, ContenderId claimer, long term) {
        if (!support.isSupported(claimer.node(), claimer.incarnation())) {
            return;
        }
        if (term - Math.max(termMax, isDurable ? ceiling : 0) > StepContext.CLAIM_LEAP_MAX) {
            context.noteOnce(
                    "term",
                    claimer.node(),
                    "%s: the claim of term %d by %s is refused: it is more than 2^24"
                            + " above %d, the highest term that is known here",
                    path,
                    term,
                    claimer,
                    termMax);
            return;
        }
        takings.onTaking(claimer.node());
        if (!directory.hasRoomForVote(path, claimer)) {
            context.noteOnce(
                    "votes ahead",
                    claimer.node(),
                    "%s: the claim by %s is refused: its node holds this"
                            + " voter's vote on paths where it is not registered, and their names have %d characters together",
                    path,
                    claimer,
                    ContenderDirectory.NAMES_AHEAD_MAX);
            return;
        }
        BallotPage page = directory.page(path);
        standBack(page, claimer);
        boolean hadVote =
                page.ballot().isLive(support) && page.ballot().holder().equals(Optional.of(claimer));
        Ballot.Verdict verdict = page.ballot().onClaim(page.shared(claimer), term, support, ceiling);
        if (verdict instanceof Ballot.Voted voted) {
            termMax = Math.max(termMax, term);
            reserveAhead();
            if (!hadVote) {
                directory.onVoted(page, claimer);
            }
            context.send(claimer.node(), new Vote(path, claimer.number(), term, voted.epoch()));
        } else if (verdict instanceof Ballot.NotVoted refusal) {
            context.send(
                    claimer.node(),
                    new Nack(
                            path,
                            claimer.number(),
                            term,
                            refusal.term(),
                            refusal.holder().isPresent() ? Math.max(1, refusal.remaining()) : 0));
            refusal.holder()
                    .ifPresent(holder -> context.send(holder.node(), new Challenge(path, holder, refusal.term())));
        } else if (verdict instanceof Ballot.NotReserved && term > reserving) {
            reserve(term + TERM_BLOCK);
        }
        directory.forgetIfUnused(page);
    }

    /**
     * Voters that claim at one instant each have their own vote and get no other; so all but the least of them give
     * theirs to the least.
     */
    private void standBack(BallotPage page, ContenderId claimer) {
        Optional<ContenderId> own = page.ballot()
                .holder()
                .filter(holder ->
                        holder.node().equals(context.self()) && claimer.node().compareTo(holder.node()) < 0);
        own.filter(holder -> owner.standBack(holder)).ifPresent(holder -> page.ballot()
                .onRelease(holder, page.ballot().term(), closable()));
    }

    /** The vote is free, and goes to the successor if one is named: its own claim need not come first. */
    void onRelease(NodeId from, long incarnation, Release release) {
        ContenderId contender = new ContenderId(from, incarnation, release.number());
        Optional<BallotPage> page =
                directory.find(release.path()).filter(p -> p.ballot().onRelease(contender, release.term(), closable()));
        release.successor()
                .filter(s -> support.isSupported(from, incarnation))
                .ifPresent(s -> onClaim(release.path(), s.claimer(), s.term()));
        if (page.isPresent()) {
            directory.forgetIfUnused(page.get());
            context.agenda().add(release.path());
        }
    }

    /** Up to which term a release may close a ballot: what is durable, and not far above what is in use. */
    private long closable() {
        return Math.min(ceiling, termMax + TERM_BLOCK);
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

    /** ADR-0025: a voter that does not contend answers those algorithms that count voters. */
    void answerAsWitness(NodeId from, Elect elect) {
        if (!context.algorithm().countsVoters() || support.isSilent()) {
            return;
        }
        Optional<Message> answer;
        try {
            answer = context.algorithm().answerAsWitness(elect.to(), elect.message());
        } catch (RuntimeException e) {
            // Justification: somebody else's algorithm. Whoever asked goes without this answer.
            return;
        }
        answer.ifPresent(message -> context.send(
                from, new Elect(elect.election(), elect.birth(), elect.to(), elect.from(), false, message)));
    }

    // ---------------------------------------------------------------- for explanations

    boolean isInQuarantine() {
        return support.isSilent();
    }

    Optional<String> reserveFailure() {
        return reserveFailure;
    }
}
