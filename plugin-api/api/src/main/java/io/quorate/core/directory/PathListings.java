package io.quorate.core.directory;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.Item;
import io.quorate.core.message.Item.Complete;
import io.quorate.core.message.Item.Listed;
import io.quorate.core.message.Item.Snapshot;
import io.quorate.core.message.Item.Unlisted;
import io.quorate.core.message.Registration;
import io.quorate.core.step.Context;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the voters list on one path, as this node was told. A contender counts when at least half of the voters that
 * have told everything list it, in the newest version that any of them has.
 */
public final class PathListings {

    private final Context context;
    private final Listing[] byVoter;

    /** What one voter lists; unchangeable, because most voters list the same, which is kept once. */
    private record Listing(boolean isComplete, Roll roll) {
        private static final Listing NONE = new Listing(false, Roll.EMPTY);

        private Listing with(Roll other) {
            return new Listing(isComplete, other);
        }
    }

    public PathListings(Context context) {
        this.context = context;
        byVoter = new Listing[context.voterCount()];
    }

    /** The voter begins anew. */
    public void clear(int voter) {
        byVoter[voter] = null;
    }

    public void apply(int voter, Item item) {
        Listing listing = byVoter[voter] == null ? Listing.NONE : byVoter[voter];
        item.dispatch(new Item.Handler() {
            @Override
            public void on(Listed listed) {
                byVoter[voter] = listing.with(listing.roll.with(listed.registration(), context.ranking()));
            }

            @Override
            public void on(Unlisted unlisted) {
                byVoter[voter] = listing.with(listing.roll.without(unlisted.contender()));
            }

            @Override
            public void on(Snapshot snapshot) {
                byVoter[voter] = new Listing(snapshot.isComplete(), Roll.of(distinct(snapshot), context.ranking()));
            }

            @Override
            public void on(Complete complete) {
                byVoter[voter] = new Listing(true, listing.roll);
            }
        });
    }

    private static Collection<Registration> distinct(Snapshot snapshot) {
        Map<ContenderId, Registration> byId = new LinkedHashMap<>();
        snapshot.registrations().forEach(registration -> byId.putIfAbsent(registration.id(), registration));
        return byId.values();
    }

    /** Whether the voter has told everything. */
    public boolean isComplete(int voter) {
        return byVoter[voter] != null && byVoter[voter].isComplete;
    }

    /**
     * The contender has left, says its node: that it is still on some lists means nothing, unless it has come back,
     * in a newer version. Answers whether it was on some.
     */
    public boolean withdraw(Registration gone) {
        boolean wasListed = false;
        for (int voter = 0; voter < byVoter.length; voter++) {
            if (byVoter[voter] != null
                    && byVoter[voter].roll.find(gone.id()).filter(r -> r.version() <= gone.version()).isPresent()) {
                byVoter[voter] = byVoter[voter].with(byVoter[voter].roll.without(gone.id()));
                wasListed = true;
            }
        }
        return wasListed;
    }

    /** Keeps once what is equal: among the voters, and with what this node lists itself. */
    public void share(Roll own) {
        for (int voter = 0; voter < byVoter.length; voter++) {
            if (byVoter[voter] != null) {
                byVoter[voter] = shared(voter, own);
            }
        }
    }

    private Listing shared(int voter, Roll own) {
        Listing listing = byVoter[voter];
        Roll roll = own.shared(listing.roll);
        for (int other = 0; other < voter; other++) {
            if (listing.equals(byVoter[other])) {
                return byVoter[other];
            }
            if (byVoter[other] != null) {
                roll = byVoter[other].roll.shared(roll);
            }
        }
        return roll == listing.roll ? listing : listing.with(roll);
    }

    /** Whether some other voter has told everything: what this node keeps itself says nothing if it is cut off. */
    public boolean isKnown() {
        int self = byVoter.length == 1 ? -1 : context.voterIndex(context.self());
        for (int voter = 0; voter < byVoter.length; voter++) {
            if (voter != self && byVoter[voter] != null && byVoter[voter].isComplete) {
                return true;
            }
        }
        return false;
    }

    /** Whether a majority of all voters has told everything and lists the contender in this version. */
    public boolean isListedByMajority(ContenderId id, long version) {
        int count = 0;
        for (int voter = 0; voter < byVoter.length; voter++) {
            count += isListedBy(voter, id, version) ? 1 : 0;
        }
        return context.settings().isMajority(count);
    }

    /** Whether the voter has told everything and lists the contender in this version. */
    public boolean isListedBy(int voter, ContenderId id, long version) {
        return isComplete(voter)
                && byVoter[voter].roll.find(id).filter(r -> r.version() == version).isPresent();
    }

    /** The largest stamp on any list. */
    public long stampMax() {
        long max = 0;
        for (Listing listing : byVoter) {
            if (listing != null) {
                for (Registration registration : listing.roll) {
                    max = Math.max(max, registration.stamp());
                }
            }
        }
        return max;
    }

    /** The highest token on any list. */
    public long tokenMax() {
        long max = 0;
        for (Listing listing : byVoter) {
            if (listing != null) {
                for (Registration registration : listing.roll) {
                    max = Math.max(max, registration.token());
                }
            }
        }
        return max;
    }

    /** Every contender that counts, those that are still joining included. */
    public Roll contenders() {
        Roll first = null;
        for (Listing listing : byVoter) {
            if (listing != null && listing.isComplete) {
                if (first != null && first != listing.roll) {
                    return count();
                }
                first = listing.roll;
            }
        }
        return first == null ? Roll.EMPTY : first;
    }

    private Roll count() {
        Map<ContenderId, Tally> tallies = new LinkedHashMap<>();
        int voices = 0;
        for (Listing listing : byVoter) {
            if (listing != null && listing.isComplete) {
                voices++;
                for (Registration registration : listing.roll) {
                    tallies.computeIfAbsent(registration.id(), id -> new Tally()).add(registration);
                }
            }
        }
        List<Registration> counted = new ArrayList<>(tallies.size());
        for (Tally tally : tallies.values()) {
            if (2 * tally.ayes >= voices) {
                counted.add(tally.newest);
            }
        }
        return Roll.of(counted, context.ranking());
    }

    /** How many voters list a contender, and the newest that they say of it. */
    private static final class Tally {
        private int ayes;
        private Registration newest;

        private void add(Registration registration) {
            ayes++;
            // Of one version, a voter whose vote it does not have tells it without its token.
            if (newest == null || registration.version() > newest.version()
                    || registration.version() == newest.version() && registration.token() > newest.token()) {
                newest = registration;
            }
        }
    }
}
