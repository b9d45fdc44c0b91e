package io.quorate.core.path;

import io.quorate.core.collection.SmallLists;
import io.quorate.core.directory.RankedContenders;
import io.quorate.core.directory.VoterListings;
import io.quorate.core.election.PathNomination;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Item;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.path.ContenderState.Joining;
import io.quorate.core.path.ContenderState.Placed;
import io.quorate.core.path.ContenderState.Registered;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.core.voters.VoterPlaces;
import io.quorate.engine.PathView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One path, as this node sees it: who contends there, who leads, the highest term that was heard of, and what
 * {@link Succession} remembers from one evaluation to the next.
 */
final class ContendedPath {

    final String path;

    // The memory of Succession, which alone changes it.
    /** Null while there is nothing to elect, and nothing to remember of former elections. */
    @Nullable
    PathNomination nomination;

    /** Who led when the path was last evaluated; null if nobody did. */
    @Nullable
    ContenderId lastHolder;

    /** Until this instant the path is left to the successor of a leader that has released. */
    OptionalLong electionNotBefore = OptionalLong.empty();
    /**
     * From this instant on, a contender claims although it is not nominated; one that others rank before waits for its
     * turn besides.
     */
    OptionalLong firstPatienceEnds = OptionalLong.empty();
    /** When the holder of this node's own vote is asked again; empty while nothing is asked of it. */
    OptionalLong askAgainAt = OptionalLong.empty();

    private final StepContext context;
    private final VoterListings listings;
    private List<LocalContender> own = List.of();
    /** Whether the application wants to know who contends here. */
    boolean isWatched;

    private long termSeen;
    /** {@link #ranked}, until something changes. */
    private @Nullable RankedContenders ranked;
    /** Whether the voters have changed since the listings were counted. */
    private boolean isRecountDue;
    /** When it is evaluated again, if not before; null if that need not be. */
    private Timers.@Nullable Handle wake;

    ContendedPath(StepContext context, VoterListings.Beginnings beginnings, String path) {
        this.context = context;
        this.path = path;
        this.listings = new VoterListings(beginnings);
    }

    private VoterListings listings() {
        if (listings.heed()) {
            ranked = null;
        }
        return listings;
    }

    // ---------------------------------------------------------------- this node's own contenders

    List<LocalContender> own() {
        return own;
    }

    /** The contender that stands for this node: its best one in the queue. */
    Optional<LocalContender> bestOwn() {
        LocalContender best = null;
        for (LocalContender contender : own) {
            if (contender.state() instanceof Placed && (best == null || isBetter(contender, best))) {
                best = contender;
            }
        }
        return Optional.ofNullable(best);
    }

    private boolean isBetter(LocalContender one, LocalContender other) {
        return context.ranking().compare(one.registration(context), other.registration(context)) < 0;
    }

    boolean isAnyClaiming() {
        for (LocalContender contender : own) {
            if (contender.isClaiming()) {
                return true;
            }
        }
        return false;
    }

    boolean isAnyLeading() {
        for (LocalContender contender : own) {
            if (contender.isLeading()) {
                return true;
            }
        }
        return false;
    }

    void add(LocalContender contender) {
        own = SmallLists.with(own, contender);
    }

    void remove(LocalContender contender) {
        own = SmallLists.without(own, contender);
    }

    Optional<LocalContender> own(long number) {
        for (LocalContender contender : own) {
            if (contender.number == number) {
                return Optional.of(contender);
            }
        }
        return Optional.empty();
    }

    // ---------------------------------------------------------------- who is here

    /** Whether this node is to be told of the path although no contender of it may be registered there. */
    boolean isListening() {
        boolean isListening = isWatched;
        for (LocalContender contender : own) {
            isListening |= !(contender.state() instanceof Registered);
        }
        return isListening;
    }

    /** Whether the voter has told everything that it lists. */
    boolean hasListing(int voter) {
        return listings().isComplete(voter);
    }

    /** This node's contenders that are registered, and that the voter does not list as they are now. */
    List<LocalContender> unlisted(int voter) {
        List<LocalContender> unlisted = new ArrayList<>(0);
        for (LocalContender contender : own) {
            if (contender.state() instanceof Registered
                    && !listings().isListedBy(voter, contender.id(context), contender.version)) {
                unlisted.add(contender);
            }
        }
        return unlisted;
    }

    boolean isUnused() {
        return own.isEmpty() && !isWatched;
    }

    boolean isKnown() {
        return listings().isKnown();
    }

    long termSeen() {
        return Math.max(termSeen, listings().tokenMax());
    }

    void sawTerm(long term) {
        termSeen = Math.max(termSeen, term);
    }

    /** All contenders that have their place, best rank first. For its own contenders this node goes by itself. */
    RankedContenders ranked() {
        VoterListings present = listings();
        if (ranked == null) {
            ranked = rank(present.contenders());
        }
        return ranked;
    }

    void ownChanged() {
        ranked = null;
    }

    private RankedContenders rank(RankedContenders listed) {
        List<ContenderRecord> all = new ArrayList<>();
        for (ContenderRecord registration : listed) {
            if (registration.isJoined() && !registration.id().node().equals(context.self())) {
                all.add(registration);
            }
        }
        for (LocalContender contender : own) {
            if (contender.state() instanceof Placed) {
                all.add(listed.shared(contender.registration(context)));
            }
        }
        return listed.shared(RankedContenders.of(all, context.ranking()));
    }

    /** The leader that voters have told of, or the last one until they tell otherwise. */
    Optional<ContenderRecord> holder() {
        return ranked().leader();
    }

    /** A contender of another node that leads with this token or a higher one; null if there is none. */
    @Nullable
    ContenderRecord rival(long token) {
        for (ContenderRecord registration : ranked()) {
            if (registration.token() >= token && !registration.id().node().equals(context.self())) {
                return registration;
            }
        }
        return null;
    }

    /** The application's view of it, with the leader that this node knows. */
    PathView view(Optional<ContenderRecord> leader) {
        return ranked().view(leader);
    }

    // ---------------------------------------------------------------- what voters list

    void onItem(int voter, Item item) {
        listings().apply(voter, item);
        sawTerm(item.term());
        ranked = null;
    }

    /** Answers whether that was news to this node. */
    boolean onLeft(ContenderRecord gone) {
        boolean isNews = listings().withdraw(gone);
        if (isNews) {
            ranked = null;
        }
        return isNews;
    }

    /** The voters have changed: contenders that fewer than a majority had listed may be listed by a majority now. */
    void onVoters(VoterPlaces places) {
        listings.onVoters(places);
        ranked = null;
        isRecountDue = true;
    }

    /** Whether the listings have to be counted anew; answers so once, and the caller counts them. */
    boolean takeRecount() {
        boolean isDue = isRecountDue;
        isRecountDue = false;
        return isDue;
    }

    /** One batch was applied: equal lists are kept once. */
    void share(RankedContenders contenders) {
        listings().share(contenders);
    }

    /** Whether a majority of voters has confirmed by now that this node's contender joins. */
    boolean isConfirmed(LocalContender contender) {
        return contender.state() instanceof Joining
                && listings().isListedByMajority(contender.id(context), contender.version);
    }

    /** ADR-0026: the contender queues behind all that a majority of voters has listed. */
    long nextStamp() {
        return Math.min(listings().stampMax() + 1, NodeMessage.NUMBER_MAX);
    }

    /** Whether the term is above every token that voters have told: nobody leads or has led in it. */
    boolean isAboveTokens(long term) {
        return term > listings().tokenMax();
    }

    // ---------------------------------------------------------------- evaluations

    /** Evaluates the path again then, if not before. */
    void wakeAt(long instant) {
        if (wake != null && wake.deadline() - instant <= 0) {
            return;
        }
        sleep();
        wake = context.timers().set(instant, () -> {
            wake = null;
            context.agenda().add(path);
        });
    }

    /** Cancels the next evaluation: time alone is no reason for one. */
    void sleep() {
        if (wake != null) {
            wake.cancel();
            wake = null;
        }
    }

    /** The error of the algorithm on this path, since there was a leader. */
    Optional<String> algorithmFailure() {
        return nomination == null ? Optional.empty() : nomination.failure();
    }
}
