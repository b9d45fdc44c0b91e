package io.quorate.core;

import io.quorate.core.NodeMessage.Complete;
import io.quorate.core.NodeMessage.Item;
import io.quorate.core.NodeMessage.Listed;
import io.quorate.core.NodeMessage.Unlisted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the voters list on one path, as this node was told. A contender counts when a majority of the voters that have
 * told everything lists it, in the newest version that any of them has.
 */
final class PathListings {

    private final Context context;
    private final Listing[] byVoter;
    private List<Registration> contenders;

    private static final class Listing {
        private boolean isComplete;
        private long term;
        private List<Registration> entries = List.of();
    }

    PathListings(Context context) {
        this.context = context;
        byVoter = new Listing[context.voterCount()];
    }

    /** The voter begins anew. */
    void clear(int voter) {
        byVoter[voter] = null;
        contenders = null;
    }

    void apply(int voter, Item item) {
        if (byVoter[voter] == null) {
            byVoter[voter] = new Listing();
        }
        Listing listing = byVoter[voter];
        contenders = null;
        if (item instanceof Listed listed) {
            List<Registration> entries = without(listing.entries, listed.registration().id());
            entries.add(shared(listed.registration()));
            listing.entries = List.copyOf(entries);
        } else if (item instanceof Unlisted unlisted) {
            listing.entries = List.copyOf(without(listing.entries, unlisted.contender()));
        } else if (item instanceof Complete complete) {
            listing.isComplete = true;
            listing.term = Math.max(listing.term, complete.term());
        }
    }

    /** Whether some other voter has told everything: what this node keeps itself says nothing if it is cut off. */
    boolean isKnown() {
        int self = byVoter.length == 1 ? -1 : context.voterIndex(context.self());
        for (int voter = 0; voter < byVoter.length; voter++) {
            if (voter != self && byVoter[voter] != null && byVoter[voter].isComplete) {
                return true;
            }
        }
        return false;
    }

    /** Whether a majority of all voters has told everything and lists the contender in this version. */
    boolean isListedByMajority(ContenderId id, long version) {
        int count = 0;
        for (Listing listing : byVoter) {
            if (listing != null && listing.isComplete
                    && listing.entries.stream().anyMatch(r -> r.id().equals(id) && r.version() == version)) {
                count++;
            }
        }
        return context.settings.isMajority(count);
    }

    /** The largest stamp on any list. */
    long stampMax() {
        long max = 0;
        for (Listing listing : byVoter) {
            if (listing != null) {
                for (Registration registration : listing.entries) {
                    max = Math.max(max, registration.stamp());
                }
            }
        }
        return max;
    }

    /** The highest term that a voter has told. */
    long termMax() {
        long max = 0;
        for (Listing listing : byVoter) {
            if (listing != null) {
                max = Math.max(max, listing.term);
                for (Registration registration : listing.entries) {
                    max = Math.max(max, registration.token());
                }
            }
        }
        return max;
    }

    /** Every contender that counts, those that are still joining included, in the order of their ids. */
    List<Registration> contenders() {
        if (contenders == null) {
            contenders = count();
        }
        return contenders;
    }

    private List<Registration> count() {
        Map<ContenderId, Integer> ayes = new TreeMap<>();
        Map<ContenderId, Registration> newest = new TreeMap<>();
        for (Listing listing : byVoter) {
            if (listing != null && listing.isComplete) {
                for (Registration registration : listing.entries) {
                    ayes.merge(registration.id(), 1, Integer::sum);
                    newest.merge(registration.id(), registration, (a, b) -> a.version() >= b.version() ? a : b);
                }
            }
        }
        int voices = completeCount();
        ayes.forEach((id, count) -> {
            if (2 * count <= voices) {
                newest.remove(id);
            }
        });
        return List.copyOf(newest.values());
    }

    private int completeCount() {
        int count = 0;
        for (Listing listing : byVoter) {
            count += listing != null && listing.isComplete ? 1 : 0;
        }
        return count;
    }

    private static List<Registration> without(List<Registration> entries, ContenderId id) {
        List<Registration> others = new ArrayList<>(entries.size() + 1);
        entries.stream().filter(r -> !r.id().equals(id)).forEach(others::add);
        return others;
    }

    /** An equal registration that another voter has told already: most lists are alike, and are kept once. */
    private Registration shared(Registration registration) {
        for (Listing listing : byVoter) {
            if (listing != null) {
                Optional<Registration> equal = listing.entries.stream().filter(registration::equals).findFirst();
                if (equal.isPresent()) {
                    return equal.get();
                }
            }
        }
        return registration;
    }

    /** By token, for the leader among contenders. */
    static Optional<Registration> leader(List<Registration> contenders) {
        return contenders.stream().filter(Registration::isLeading)
                .max(Comparator.comparingLong(Registration::token));
    }
}
