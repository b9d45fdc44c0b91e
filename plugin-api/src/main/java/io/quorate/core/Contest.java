package io.quorate.core;

import io.quorate.core.NodeMessage.Handover;
import io.quorate.core.NodeMessage.Nack;
import io.quorate.core.NodeMessage.Vote;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One path, as a node sees it that contends there: who else does, who leads, whom the algorithm nominates, and whether
 * it is time to claim. {@link Claims} does the claiming.
 */
final class Contest {

    /** Only this many contenders, by rank, may claim although they are not the nominee. */
    private static final int PATIENT_MAX = 3;

    /** Only this many nodes, by rank, elect: in an election everybody may talk to everybody. */
    static final int ELECTORS_MAX = 7;

    final String path;
    /** Of {@link Contests} alone. */
    boolean isOnAgenda;
    private final Context context;
    private final Node node;
    private final Contests contests;
    private final PathListings listings;
    private List<Contender> own = List.of();
    private boolean isWatched;

    /** The highest term heard of on this path. */
    private long termSeen;
    /** {@link #ranked}, until something changes. */
    private Roll ranked;

    /** Null while there is nothing to elect, and nothing to remember of former elections. */
    private Nomination nomination;
    private OptionalLong electionNotBefore = OptionalLong.empty();
    private OptionalLong patienceEnds = OptionalLong.empty();
    private boolean isAskedFor;
    private long askAgainAt;
    private Timers.Handle wake;
    /** Who led when this was last looked at; null if nobody did. */
    private ContenderId lastHolder;

    Contest(Context context, Node node, Contests contests, String path) {
        this.context = context;
        this.node = node;
        this.contests = contests;
        this.path = path;
        this.listings = new PathListings(context);
    }

    // ---------------------------------------------------------------- who is here

    void add(Contender contender) {
        own = SmallLists.with(own, contender);
    }

    void remove(Contender contender) {
        own = SmallLists.without(own, contender);
    }

    Optional<Contender> own(long number) {
        return OwnContenders.find(own, number);
    }

    boolean isWatched() {
        return isWatched;
    }

    void watched(boolean wanted) {
        isWatched = wanted;
    }

    /** Whether this node is to be told of the path although no contender of it may be registered there. */
    boolean isListening() {
        return isWatched || own.stream().anyMatch(contender -> contender.stage == Contender.Stage.OUT);
    }

    /** Whether the voter has told everything that it lists. */
    boolean hasListing(int voter) {
        return listings.isComplete(voter);
    }

    /** This node's contenders that are registered, and that the voter does not list as they are now. */
    List<Contender> unlisted(int voter) {
        return own.stream().filter(contender -> contender.stage != Contender.Stage.OUT
                && !listings.isListedBy(voter, contender.id(context), contender.version)).toList();
    }

    boolean isUnused() {
        return own.isEmpty() && !isWatched;
    }

    boolean isKnown() {
        return listings.isKnown();
    }

    long termSeen() {
        return Math.max(termSeen, listings.tokenMax());
    }

    void sawTerm(long term) {
        termSeen = Math.max(termSeen, term);
    }

    /** All contenders that have their place, best rank first. Of this node's own, this node knows best. */
    Roll ranked() {
        if (ranked == null) {
            ranked = rank();
        }
        return ranked;
    }

    /** Something about a contender of this node has changed. */
    void ownChanged() {
        ranked = null;
    }

    private Roll rank() {
        List<Registration> all = new ArrayList<>();
        Roll listed = listings.contenders();
        for (Registration registration : listed) {
            if (registration.isJoined() && !registration.id().node().equals(context.self())) {
                all.add(registration);
            }
        }
        for (Contender contender : own) {
            if (contender.stage == Contender.Stage.QUEUED) {
                all.add(listed.shared(contender.registration(context)));
            }
        }
        return listed.shared(Roll.of(all, context.ranking));
    }

    /** The contender that leads, as far as this node knows. */
    Optional<Registration> holder() {
        return ranked().leader();
    }

    PathView view() {
        return PathView.of(ranked());
    }

    void onItem(int voter, NodeMessage.Item item) {
        listings.apply(voter, item);
        if (item instanceof NodeMessage.Listed listed && listed.registration().isLeading()) {
            contests.elections().onTaking(listed.registration().id().node());
        }
        if (item instanceof NodeMessage.Snapshot snapshot) {
            sawTerm(snapshot.term());
        } else if (item instanceof NodeMessage.Complete complete) {
            sawTerm(complete.term());
        }
        ranked = null;
    }

    /** Answers whether that was news to this node. */
    boolean onLeft(Registration gone) {
        boolean isNews = listings.withdraw(gone);
        if (isNews) {
            ranked = null;
        }
        return isNews;
    }

    void clearListing(int voter) {
        listings.clear(voter);
        ranked = null;
    }

    /** Everything of one batch was applied: places are taken, and the contest is looked at again. */
    void onListingsChanged() {
        listings.share(node.roster().map(roster -> roster.roll(path)).orElse(Roll.EMPTY));
        for (Contender contender : own) {
            if (contender.stage == Contender.Stage.JOINING
                    && listings.isListedByMajority(contender.id(context), contender.version)) {
                // ADR-0026: behind everybody that a majority of voters has listed.
                contender.stamp = Math.min(listings.stampMax() + 1, NodeMessage.NUMBER_MAX);
                contender.stage = Contender.Stage.QUEUED;
                contests.changed(contender);
            }
        }
        yieldToHigherToken();
        lookAgain();
    }

    /**
     * A majority of voters cannot have voted for another while a tenure of this node is valid. If they say that they
     * did, an assumption of the lease does not hold: a clock runs wrong, or a voter has forgotten what it promised.
     * Then the one with the lower token stops, whatever its lease says.
     */
    private void yieldToHigherToken() {
        Optional<Registration> leader = holder();
        for (Contender contender : own) {
            Optional<Tenure> tenure = contender.candidate.tenure();
            if (tenure.isPresent() && leader.isPresent() && leader.get().token() > tenure.get().token()) {
                context.note(true, "%s: %s leads with token %d, and this node with %d: an assumption of the lease does"
                        + " not hold. Look at the clocks of all nodes, and whether data directories were restored or"
                        + " exchanged", path, leader.get().id(), leader.get().token(), tenure.get().token());
                contests.dropOut(contender, leader.get().id() + " leads with the higher token "
                        + leader.get().token());
                return;
            }
        }
    }

    // ---------------------------------------------------------------- is it time to elect, or to claim

    /**
     * Looks at the path anew. Called whenever something changed that may matter, and at the instants that it asked for
     * itself; what it does depends on the present state only.
     */
    void reconsider() {
        Optional<Contender> best = OwnContenders.best(own, context);
        Optional<Registration> holder = holder();
        noteHolder(holder);
        if (best.isEmpty() || OwnContenders.isAny(own, Candidate::isLeading) || !node.isConnected()) {
            rest();
            return;
        }
        if (OwnContenders.isAny(own, Candidate::isClaiming)) {
            return;
        }
        if (holder.isPresent() && node.isUp(holder.get().id().node())) {
            // ADR-0017: while a leader is up, the path is quiet.
            rest();
            best.get().failures = 0;
            // Everybody is trusted again.
            nomination = null;
            return;
        }
        if (holder.isPresent()) {
            patienceEnds = OptionalLong.empty();
        } else if (patienceEnds.isEmpty()) {
            patienceEnds = patience();
        }
        if (isBeingTaken()) {
            wakeAt(electionNotBefore.getAsLong());
        } else {
            electionNotBefore = OptionalLong.empty();
            elect();
        }
        claimIfDue(best.get());
    }

    /** A leader that goes without having been suspected has released: its successor is claiming already. */
    private void noteHolder(Optional<Registration> holder) {
        if (holder.isEmpty() && lastHolder != null && node.isUp(lastHolder.node())) {
            electionNotBefore = OptionalLong.of(context.now() + context.settings.timing().deltas(4));
        }
        lastHolder = holder.map(Registration::id).orElse(null);
    }

    /** The successor claims already, unless this voter knows that the votes are free: then it did not want to. */
    private boolean isBeingTaken() {
        return electionNotBefore.isPresent() && electionNotBefore.getAsLong() - context.now() > 0
                && !(context.selfVoter >= 0 && node.votesAreFree(path));
    }

    private void rest() {
        if (nomination != null) {
            nomination.stop();
            nomination = nomination.isForgettable() ? null : nomination;
        }
        patienceEnds = OptionalLong.empty();
        if (wake != null) {
            wake.cancel();
            wake = null;
        }
    }

    /** ADR-0020: only the first three that are up, one after the other. */
    private OptionalLong patience() {
        int position = 0;
        for (Registration best : ranked().bestOfEachNode()) {
            if (best.id().node().equals(context.self())) {
                break;
            }
            position += node.isUp(best.id().node()) ? 1 : 0;
        }
        if (position >= PATIENT_MAX) {
            return OptionalLong.empty();
        }
        long support = context.settings.lease().support();
        return OptionalLong.of(context.now() + support + support * position / 2
                + context.jitter.between(0, support / 4));
    }

    Optional<String> algorithmFailure() {
        return nomination == null ? Optional.empty() : nomination.failure();
    }

    private void elect() {
        List<Registration> electors = electors();
        if (electors.size() == 1 || !Roll.hasAnyOf(context.self(), electors)) {
            // An election with one contender has one outcome.
            if (nomination != null) {
                nomination.stop();
            }
        } else {
            nomination().elect(electors);
        }
    }

    /** Who takes part in an election. Those that have died are not listed any more by the time the votes are free. */
    List<Registration> electors() {
        List<Registration> best = ranked().bestOfEachNode();
        return best.subList(0, Math.min(ELECTORS_MAX, best.size()));
    }

    private Nomination nomination() {
        if (nomination == null) {
            nomination = new Nomination(context, node, contests.elections(), this);
        }
        return nomination;
    }

    private boolean isElecting() {
        return nomination != null && nomination.isRunning();
    }

    private void claimIfDue(Contender contender) {
        boolean isNominee = isElecting() ? nomination.nominee().equals(Optional.of(context.self()))
                : ranked().isOfOneNode() && electionNotBefore.isEmpty();
        boolean isImpatient = patienceEnds.isPresent() && patienceEnds.getAsLong() - context.now() <= 0;
        if (!isNominee && !isImpatient) {
            patienceEnds.ifPresent(this::wakeAt);
            return;
        }
        OptionalLong obstacle = contests.claims().obstacle(contender);
        if (obstacle.isPresent()) {
            wakeAt(obstacle.getAsLong());
            askForOwnVote(contender);
        } else {
            contests.claims().claim(this, contender);
        }
    }

    /**
     * This node's own vote is another's that is up and does not lead: its release was lost, perhaps. Nobody would ever
     * find out, because a challenge follows from a claim, and with its own vote given away this node does not claim.
     */
    private void askForOwnVote(Contender contender) {
        if (isAskedFor && askAgainAt - context.now() > 0) {
            wakeAt(askAgainAt);
            return;
        }
        isAskedFor = node.challengeOwnVote(contender);
        if (isAskedFor) {
            askAgainAt = context.now() + context.settings.lease().heartbeat();
            wakeAt(askAgainAt);
        }
    }

    /** Looks again then, if not before. */
    private void wakeAt(long instant) {
        if (wake != null && wake.deadline() - instant <= 0) {
            return;
        }
        if (wake != null) {
            wake.cancel();
        }
        wake = context.timers.set(instant, () -> {
            wake = null;
            lookAgain();
        });
    }

    void lookAgain() {
        contests.look(this);
    }

    /** The first contender by rank, other than {@code leaver}, that is up: ADR-0024. */
    Optional<Registration> successor(Contender leaver) {
        for (Registration other : ranked()) {
            if (!other.id().equals(leaver.id(context)) && node.isUp(other.id().node())) {
                return Optional.of(other);
            }
        }
        return Optional.empty();
    }

    // ---------------------------------------------------------------- messages

    void onUpChanged(NodeId changed) {
        if (own.isEmpty()) {
            return;
        }
        boolean wasLeader = lastHolder != null && lastHolder.node().equals(changed);
        if (wasLeader || isElecting()) {
            lookAgain();
        }
    }

    void onHandover(NodeId from, Handover message) {
        // From a contender, not from a voter: terms far above all in use are neither followed nor given back, because
        // a term that a contender has given back is one that it has used.
        long highest = Math.max(message.term(), message.claim());
        if (highest - Math.max(termSeen(), node.termKnown()) > Voter.CLAIM_LEAP_MAX) {
            context.noteOnce("term", from, "%s: the hand-over in term %d by %s is not believed: it is more than 2^24"
                    + " above %d, the highest term that is known here", path, highest, from, node.termKnown());
            return;
        }
        Optional<Contender> contender = own(message.number()).filter(c -> c.stage == Contender.Stage.QUEUED);
        sawTerm(message.term());
        if (contender.isPresent() && !contender.get().candidate.isLeading()) {
            contender.get().isQuiet = false;
            contests.claims().onHandover(this, contender.get(), message);
        } else {
            contests.returns().decline(message);
        }
    }

    /** Whether nobody can lead, or have led, in this term. */
    boolean isAboveTokens(long term) {
        return term > listings.tokenMax();
    }

    void onVote(int voter, Vote message) {
        sawTerm(message.term());
        own(message.number()).ifPresent(c -> contests.claims().onVote(this, c, voter, message));
    }

    void onNack(int voter, Nack message) {
        sawTerm(message.term());
        own(message.number()).ifPresent(c -> contests.claims().onNack(this, c, voter, message));
    }
}
