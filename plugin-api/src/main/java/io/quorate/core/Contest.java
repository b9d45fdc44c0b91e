package io.quorate.core;

import io.quorate.core.NodeMessage.Elect;
import io.quorate.core.NodeMessage.ElectionId;
import io.quorate.core.NodeMessage.Handover;
import io.quorate.core.NodeMessage.Leads;
import io.quorate.core.NodeMessage.Nack;
import io.quorate.core.NodeMessage.Superseded;
import io.quorate.core.NodeMessage.Vote;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * One path, as a node sees it that contends there: who else does, who leads, whom the algorithm nominates, and whether
 * it is time to claim. {@link Claims} does the claiming.
 */
final class Contest {

    /** Only this many contenders, by rank, may claim although they are not the nominee. */
    private static final int PATIENT_MAX = 3;

    final String path;
    private final Context context;
    private final Node node;
    private final Contests contests;
    private final PathListings listings;
    private final List<Contender> own = new ArrayList<>(1);
    private boolean isWatched;

    /** The highest term and token heard of on this path. */
    private long termSeen;
    private long tokenSeen;

    private final Nomination nomination;
    private OptionalLong electionNotBefore = OptionalLong.empty();
    private OptionalLong patienceEnds = OptionalLong.empty();
    private Timers.Handle wake;
    private long wakeAt;
    private Optional<ContenderId> lastHolder = Optional.empty();

    Contest(Context context, Node node, Contests contests, String path) {
        this.context = context;
        this.node = node;
        this.contests = contests;
        this.path = path;
        this.listings = new PathListings(context);
        this.nomination = new Nomination(context, node, this);
    }

    // ---------------------------------------------------------------- who is here

    List<Contender> own() {
        return own;
    }

    Optional<Contender> own(int number) {
        return own.stream().filter(c -> c.number == number).findFirst();
    }

    boolean isWatched() {
        return isWatched;
    }

    void watched(boolean wanted) {
        isWatched = wanted;
    }

    boolean isUnused() {
        return own.isEmpty() && !isWatched;
    }

    boolean isKnown() {
        return listings.isKnown();
    }

    long termSeen() {
        return Math.max(termSeen, listings.termMax());
    }

    void sawTerm(long term) {
        termSeen = Math.max(termSeen, term);
    }

    /** All contenders that have their place, best rank first. Of this node's own, this node knows best. */
    List<Registration> ranked() {
        List<Registration> all = new ArrayList<>();
        for (Registration registration : listings.contenders()) {
            if (registration.isJoined() && !registration.id().node().equals(context.self())) {
                all.add(registration);
            }
        }
        for (Contender contender : own) {
            if (contender.stage == Contender.Stage.QUEUED) {
                all.add(contender.registration(context));
            }
        }
        all.sort(Registration.ranking(context.settings.rankOrder()));
        return all;
    }

    /** The contender that leads, as far as this node knows. */
    Optional<Registration> holder() {
        return PathListings.leader(ranked());
    }

    PathView view() {
        List<Registration> ranked = ranked();
        Optional<Registration> leader = PathListings.leader(ranked);
        List<PathView.Entry> entries = new ArrayList<>();
        leader.ifPresent(r -> entries.add(entry(r, true)));
        ranked.stream().filter(r -> !leader.equals(Optional.of(r))).forEach(r -> entries.add(entry(r, false)));
        return new PathView(entries, leader.map(r -> OptionalLong.of(r.token())).orElse(OptionalLong.empty()));
    }

    private static PathView.Entry entry(Registration registration, boolean isLeader) {
        return new PathView.Entry(registration.id().node(), registration.id().number(), registration.participantId(),
                isLeader);
    }

    void onItem(int voter, NodeMessage.Item item) {
        listings.apply(voter, item);
    }

    void clearListing(int voter) {
        listings.clear(voter);
    }

    /** Everything of one batch was applied: places are taken, and the contest is looked at again. */
    void onListingsChanged() {
        for (Contender contender : own) {
            if (contender.stage == Contender.Stage.JOINING
                    && listings.isListedByMajority(contender.id(context), contender.version)) {
                // DECISIONS 26: behind everybody that a majority of voters has listed.
                contender.stamp = listings.stampMax() + 1;
                contender.stage = Contender.Stage.QUEUED;
                contests.changed(contender);
            }
        }
        reconsider();
    }

    // ---------------------------------------------------------------- is it time to elect, or to claim

    /**
     * Looks at the path anew. Called whenever something changed that may matter, and at the instants that it asked for
     * itself; what it does depends on the present state only.
     */
    void reconsider() {
        Optional<Contender> best = bestOwn();
        Optional<Registration> holder = holder();
        noteHolder(holder);
        boolean isOursLeading = own.stream().anyMatch(c -> c.candidate.isLeading());
        if (best.isEmpty() || isOursLeading || !node.isConnected()) {
            rest();
            return;
        }
        if (own.stream().anyMatch(c -> c.candidate.isClaiming())) {
            return;
        }
        if (holder.isPresent() && node.isUp(holder.get().id().node())) {
            // DECISIONS 17: while a leader is up, the path is quiet.
            rest();
            best.get().failures = 0;
            nomination.forgive();
            return;
        }
        if (holder.isEmpty() && patienceEnds.isEmpty()) {
            patienceEnds = patience();
        }
        if (electionNotBefore.isPresent() && electionNotBefore.getAsLong() - context.now() > 0) {
            wakeAt(electionNotBefore.getAsLong());
        } else {
            electionNotBefore = OptionalLong.empty();
            elect();
        }
        claimIfDue(best.get());
    }

    /** The contender that stands for this node: its best one in the queue. */
    private Optional<Contender> bestOwn() {
        Comparator<Registration> ranking = Registration.ranking(context.settings.rankOrder());
        return own.stream().filter(c -> c.stage == Contender.Stage.QUEUED)
                .min((a, b) -> ranking.compare(a.registration(context), b.registration(context)));
    }

    /** A leader that goes without having been suspected has released: its successor is claiming already. */
    private void noteHolder(Optional<Registration> holder) {
        holder.ifPresent(r -> tokenSeen = Math.max(tokenSeen, r.token()));
        Optional<ContenderId> id = holder.map(Registration::id);
        if (id.isEmpty() && lastHolder.isPresent() && node.isUp(lastHolder.get().node())) {
            electionNotBefore = OptionalLong.of(context.now() + context.settings.timing().deltas(4));
        }
        lastHolder = id;
    }

    private void rest() {
        nomination.stop();
        patienceEnds = OptionalLong.empty();
        if (wake != null) {
            wake.cancel();
            wake = null;
        }
    }

    /** DECISIONS 20: only the first three that are up, one after the other. */
    private OptionalLong patience() {
        List<NodeId> up = nodes().stream().filter(node::isUp).toList();
        int position = up.indexOf(context.self());
        if (position < 0 || position >= PATIENT_MAX) {
            return OptionalLong.empty();
        }
        long support = context.settings.lease().support();
        return OptionalLong.of(context.now() + support + support * position / 2
                + context.jitter.between(0, support / 4));
    }

    Optional<String> algorithmFailure() {
        return nomination.failure();
    }

    private void elect() {
        List<NodeId> nodes = nodes();
        if (nodes.size() == 1) {
            // An election with one contender has one outcome.
            nomination.stop();
        } else {
            nomination.elect(new ElectionId(tokenKnown(), digest()), nodes);
        }
    }

    /** The highest token of this path that this node has heard of; it names the election that follows. */
    private long tokenKnown() {
        return Math.max(tokenSeen, listings.tokenMax());
    }

    /** Names the contending nodes, in the order of their rank and each in its present life. */
    private long digest() {
        Set<NodeId> seen = new TreeSet<>();
        Digest digest = new Digest();
        for (Registration registration : ranked()) {
            if (seen.add(registration.id().node())) {
                digest.add(registration.id().node().value()).add(registration.id().incarnation());
            }
        }
        return digest.value();
    }

    /** The algorithm has named another nominee, or none. */
    void onNominee() {
        bestOwn().filter(c -> c.candidate.isIdle()).ifPresent(this::claimIfDue);
    }

    private void claimIfDue(Contender contender) {
        boolean isNominee = nomination.isRunning() ? nomination.nominee().equals(Optional.of(context.self()))
                : nodes().size() == 1 && electionNotBefore.isEmpty();
        boolean isImpatient = patienceEnds.isPresent() && patienceEnds.getAsLong() - context.now() <= 0;
        boolean wasHanded = contender.handedOver.isPresent();
        if (!isNominee && !isImpatient && !wasHanded) {
            patienceEnds.ifPresent(this::wakeAt);
            return;
        }
        OptionalLong obstacle = contests.claims().obstacle(contender);
        if (obstacle.isPresent()) {
            wakeAt(obstacle.getAsLong());
        } else {
            contests.claims().claim(this, contender);
        }
    }

    /** Looks again then, if not before. */
    private void wakeAt(long instant) {
        if (wake != null && wakeAt - instant <= 0) {
            return;
        }
        if (wake != null) {
            wake.cancel();
        }
        wakeAt = instant;
        wake = context.timers.set(instant, () -> {
            wake = null;
            reconsider();
        });
    }

    /** The contending nodes, each once, best rank first. */
    List<NodeId> nodes() {
        Set<NodeId> nodes = new LinkedHashSet<>();
        ranked().forEach(r -> nodes.add(r.id().node()));
        return List.copyOf(nodes);
    }

    /** The first contender by rank, other than {@code leaver}, that is up: DECISIONS 24. */
    Optional<Registration> successor(Contender leaver) {
        return ranked().stream().filter(r -> !r.id().equals(leaver.id(context)) && node.isUp(r.id().node()))
                .findFirst();
    }

    // ---------------------------------------------------------------- messages

    void onUpChanged(NodeId changed) {
        if (own.isEmpty()) {
            return;
        }
        nomination.onUpChanged(changed);
        if (lastHolder.map(ContenderId::node).equals(Optional.of(changed)) || nomination.isRunning()) {
            reconsider();
        }
    }

    void onElect(NodeId from, Elect message) {
        Optional<Registration> holder = holder();
        if (holder.isPresent() && node.isUp(holder.get().id().node())) {
            context.send(from, new Leads(path, holder.get().id(), holder.get().token()));
            return;
        }
        if (message.election().token() < tokenKnown()) {
            context.send(from, new Superseded(path, new ElectionId(tokenKnown(), 0)));
            return;
        }
        sawToken(message.election().token());
        nomination.onMessage(from, message);
    }

    private void sawToken(long token) {
        if (token > tokenKnown()) {
            tokenSeen = token;
            reconsider();
        }
    }

    void onSuperseded(Superseded message) {
        sawToken(message.election().token());
    }

    /** Somebody knows a leader that the voters have not listed here yet: their word will come. */
    void onLeads(Leads message) {
        if (message.token() >= tokenKnown()) {
            tokenSeen = message.token();
            nomination.stop();
            electionNotBefore = OptionalLong.of(context.now() + context.settings.lease().heartbeat());
            reconsider();
        }
    }

    void onHandover(Handover message) {
        Optional<Contender> contender = own(message.number()).filter(c -> c.stage == Contender.Stage.QUEUED);
        sawTerm(message.tenure().term());
        if (contender.isPresent() && !contender.get().candidate.isLeading()) {
            contender.get().handedOver = Optional.of(message.tenure());
            contender.get().isQuiet = false;
            contests.claims().onHandover(this, contender.get());
        }
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
