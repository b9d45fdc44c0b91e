package io.quorate.core.directory;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Item;
import io.quorate.core.message.DirectoryMessage.Item.Complete;
import io.quorate.core.message.DirectoryMessage.Item.Listed;
import io.quorate.core.message.DirectoryMessage.Item.Snapshot;
import io.quorate.core.message.DirectoryMessage.Item.Unlisted;
import io.quorate.core.step.StepContext;
import io.quorate.core.voters.PerVoter;
import io.quorate.core.voters.VoterPlaces;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The voters' lists of one path, as this node received them. A contender counts when at least half of the voters that
 * have told everything list it, in the newest version that any of them has.
 */
public final class VoterListings {

    private final Beginnings beginnings;
    private Listing[] byVoter;
    /** So many beginnings were heeded here. */
    private int heeded;

    /**
     * The voters that have begun anew, and told nothing since. With thousands of paths each finds out when it is asked.
     */
    public static final class Beginnings {
        private final StepContext context;
        private final PerVoter<int[]> last;
        private int count;

        /** No voter has. */
        public Beginnings(StepContext context) {
            this.context = context;
            last = context.perVoter(() -> new int[1]);
        }

        /** The voter begins anew: what it has told is void. */
        public void add(int voter) {
            count++;
            last.of(voter)[0] = count;
        }
    }

    /** The list of one voter; unchangeable, because most voters list the same, which is kept once. */
    private record Listing(boolean isComplete, RankedContenders contenders) {
        private static final Listing NONE = new Listing(false, RankedContenders.EMPTY);

        private Listing with(RankedContenders other) {
            return new Listing(isComplete, other);
        }
    }

    /** No voter has told anything. */
    public VoterListings(Beginnings beginnings) {
        this.beginnings = beginnings;
        heeded = beginnings.count;
        byVoter = new Listing[beginnings.context.voterCount()];
    }

    /** The voters have changed. */
    public void onVoters(VoterPlaces places) {
        byVoter = places.carry(byVoter);
    }

    /** Forgets what is void, before anything else is asked or told. Answers whether there may have been some. */
    public boolean heed() {
        if (heeded == beginnings.count) {
            return false;
        }
        for (int voter = 0; voter < byVoter.length; voter++) {
            if (beginnings.last.of(voter)[0] > heeded) {
                byVoter[voter] = null;
            }
        }
        heeded = beginnings.count;
        return true;
    }

    /** The voter tells this. */
    public void apply(int voter, Item item) {
        Listing listing = byVoter[voter] == null ? Listing.NONE : byVoter[voter];
        item.dispatch(new Item.Handler() {
            @Override
            public void on(Listed listed) {
                byVoter[voter] =
                        listing.with(listing.contenders.with(listed.registration(), beginnings.context.ranking()));
            }

            @Override
            public void on(Unlisted unlisted) {
                byVoter[voter] = listing.with(listing.contenders.without(unlisted.contender()));
            }

            @Override
            public void on(Snapshot snapshot) {
                byVoter[voter] = new Listing(
                        snapshot.isComplete(), RankedContenders.of(distinct(snapshot), beginnings.context.ranking()));
            }

            @Override
            public void on(Complete complete) {
                byVoter[voter] = new Listing(true, listing.contenders);
            }
        });
    }

    private static Collection<ContenderRecord> distinct(Snapshot snapshot) {
        Map<ContenderId, ContenderRecord> byId = new LinkedHashMap<>();
        for (ContenderRecord registration : snapshot.registrations()) {
            byId.putIfAbsent(registration.id(), registration);
        }
        return byId.values();
    }

    /** Whether the voter has told everything. */
    public boolean isComplete(int voter) {
        return byVoter[voter] != null && byVoter[voter].isComplete;
    }

    /**
     * The contender has left, as its own node says: it no longer counts, unless it has come back in a newer version.
     * Answers whether any voter listed it.
     */
    public boolean withdraw(ContenderRecord gone) {
        boolean wasListed = false;
        for (int voter = 0; voter < byVoter.length; voter++) {
            Optional<ContenderRecord> listed =
                    byVoter[voter] == null ? Optional.empty() : byVoter[voter].contenders.find(gone.id());
            if (listed.isPresent() && listed.get().version() <= gone.version()) {
                byVoter[voter] = byVoter[voter].with(byVoter[voter].contenders.without(gone.id()));
                wasListed = true;
            }
        }
        return wasListed;
    }

    /** Keeps equal things once: among the voters, and with the list of this node's own voter. */
    public void share(RankedContenders own) {
        for (int voter = 0; voter < byVoter.length; voter++) {
            if (byVoter[voter] != null) {
                byVoter[voter] = shared(voter, own);
            }
        }
    }

    private Listing shared(int voter, RankedContenders own) {
        Listing listing = byVoter[voter];
        RankedContenders contenders = own.shared(listing.contenders);
        for (int other = 0; other < voter; other++) {
            if (listing.equals(byVoter[other])) {
                return byVoter[other];
            }
            if (byVoter[other] != null) {
                contenders = byVoter[other].contenders.shared(contenders);
            }
        }
        return contenders == listing.contenders ? listing : listing.with(contenders);
    }

    /**
     * Whether some other voter has told everything: if this node is cut off, the list of its own voter proves nothing.
     */
    public boolean isKnown() {
        int self = byVoter.length == 1 ? -1 : beginnings.context.voterIndex(beginnings.context.self());
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
        return beginnings.context.voters().isMajority(count);
    }

    /** Whether the voter has told everything and lists the contender in this version. */
    public boolean isListedBy(int voter, ContenderId id, long version) {
        if (!isComplete(voter)) {
            return false;
        }
        Optional<ContenderRecord> listed = byVoter[voter].contenders.find(id);
        return listed.isPresent() && listed.get().version() == version;
    }

    /** The largest stamp on any list. */
    public long stampMax() {
        long max = 0;
        for (Listing listing : byVoter) {
            if (listing != null) {
                for (ContenderRecord registration : listing.contenders) {
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
                for (ContenderRecord registration : listing.contenders) {
                    max = Math.max(max, registration.token());
                }
            }
        }
        return max;
    }

    /** Every contender that counts, those that are still joining included. */
    public RankedContenders contenders() {
        RankedContenders first = null;
        for (Listing listing : byVoter) {
            if (listing != null && listing.isComplete) {
                if (first != null && first != listing.contenders) {
                    return count();
                }
                first = listing.contenders;
            }
        }
        return first == null ? RankedContenders.EMPTY : first;
    }

    private RankedContenders count() {
        Map<ContenderId, Tally> tallies = new LinkedHashMap<>();
        int voices = 0;
        for (Listing listing : byVoter) {
            if (listing != null && listing.isComplete) {
                voices++;
                for (ContenderRecord registration : listing.contenders) {
                    Tally tally = tallies.get(registration.id());
                    if (tally == null) {
                        tally = new Tally();
                        tallies.put(registration.id(), tally);
                    }
                    tally.add(registration);
                }
            }
        }
        List<ContenderRecord> counted = new ArrayList<>(tallies.size());
        for (Tally tally : tallies.values()) {
            if (2 * tally.ayes >= voices) {
                counted.add(tally.newest);
            }
        }
        return RankedContenders.of(counted, beginnings.context.ranking());
    }

    /** How many voters list a contender, and the newest that they say of it. */
    private static final class Tally {
        private int ayes;
        private @Nullable ContenderRecord newest;

        private void add(ContenderRecord registration) {
            ayes++;
            // A voter that does not back the contender tells the same version without its token.
            if (newest == null
                    || registration.version() > newest.version()
                    || registration.version() == newest.version() && registration.token() > newest.token()) {
                newest = registration;
            }
        }
    }
}
