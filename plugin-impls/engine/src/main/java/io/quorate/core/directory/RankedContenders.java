package io.quorate.core.directory;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.engine.PathView;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The contenders of one path, best rank first. Immutable, so that equal lists are shared: with ten thousand paths they
 * are most of a node's memory.
 *
 * <p>Loops, where streams would be shorter: these methods run for each path when a leader dies, in code that is not
 * compiled yet, and to compile the streams takes more time than to run the loops.
 */
public final class RankedContenders implements Iterable<ContenderRecord> {

    /** Nobody contends. */
    public static final RankedContenders EMPTY = new RankedContenders(new ContenderRecord[0]);

    /** Up to so many are sorted by insertion. */
    private static final int SHORT = 16;

    private final ContenderRecord[] entries;

    private RankedContenders(ContenderRecord[] entries) {
        this.entries = entries;
    }

    /** Ranks these registrations, which have different ids and any order. */
    public static RankedContenders of(Collection<ContenderRecord> registrations, Comparator<ContenderRecord> ranking) {
        ContenderRecord[] sorted = registrations.toArray(new ContenderRecord[0]);
        sort(sorted, ranking);
        return new RankedContenders(sorted);
    }

    /** Most paths have few contenders, and those are nearly in order. */
    private static void sort(ContenderRecord[] entries, Comparator<ContenderRecord> ranking) {
        if (entries.length > SHORT) {
            Arrays.sort(entries, ranking);
            return;
        }
        for (int i = 1; i < entries.length; i++) {
            ContenderRecord next = entries[i];
            int at = i;
            for (; at > 0 && ranking.compare(entries[at - 1], next) > 0; at--) {
                entries[at] = entries[at - 1];
            }
            entries[at] = next;
        }
    }

    /** These contenders with this registration, which takes the place of the one with its id. */
    RankedContenders with(ContenderRecord registration, Comparator<ContenderRecord> ranking) {
        List<ContenderRecord> changed = others(registration.id());
        Optional<ContenderRecord> known = find(registration.id());
        changed.add(known.isPresent() ? registration.withNamesOf(known.get()) : registration);
        return of(changed, ranking);
    }

    /** These contenders, but the one with this id. */
    public RankedContenders without(ContenderId id) {
        List<ContenderRecord> left = others(id);
        return left.isEmpty() ? EMPTY : new RankedContenders(left.toArray(new ContenderRecord[0]));
    }

    private List<ContenderRecord> others(ContenderId id) {
        List<ContenderRecord> others = new ArrayList<>(entries.length + 1);
        for (ContenderRecord registration : entries) {
            if (!registration.id().equals(id)) {
                others.add(registration);
            }
        }
        return others;
    }

    Optional<ContenderRecord> find(ContenderId id) {
        for (ContenderRecord registration : entries) {
            if (registration.id().equals(id)) {
                return Optional.of(registration);
            }
        }
        return Optional.empty();
    }

    /** The equal registration that stands here already; the given one if there is none. */
    public ContenderRecord shared(ContenderRecord registration) {
        Optional<ContenderRecord> known = find(registration.id());
        return known.isPresent() && registration.equals(known.get()) ? known.get() : registration;
    }

    /** This one if the other is equal, else the other. */
    public RankedContenders shared(RankedContenders other) {
        return equals(other) ? this : other;
    }

    /** The leader; the one with the highest token, if several say that they lead. */
    public Optional<ContenderRecord> leader() {
        ContenderRecord leader = null;
        for (ContenderRecord registration : entries) {
            if (registration.isLeading() && (leader == null || registration.token() > leader.token())) {
                leader = registration;
            }
        }
        return Optional.ofNullable(leader);
    }

    /** ADR-0026: for the algorithm, a node stands with its best contender. Best rank first. */
    public List<ContenderRecord> bestOfEachNode() {
        List<ContenderRecord> best = new ArrayList<>(entries.length);
        Set<NodeId> nodes = new HashSet<>();
        for (ContenderRecord registration : entries) {
            if (nodes.add(registration.id().node())) {
                best.add(registration);
            }
        }
        return best;
    }

    /** Whether one of these is of this node. */
    public static boolean hasAnyOf(NodeId node, Iterable<ContenderRecord> registrations) {
        for (ContenderRecord registration : registrations) {
            if (registration.id().node().equals(node)) {
                return true;
            }
        }
        return false;
    }

    /** Whether there are contenders, all of one node. */
    public boolean isOfOneNode() {
        for (ContenderRecord registration : entries) {
            if (!registration.id().node().equals(entries[0].id().node())) {
                return false;
            }
        }
        return entries.length > 0;
    }

    /** The best in rank. There must be one. */
    public ContenderRecord first() {
        return entries[0];
    }

    boolean isEmpty() {
        return entries.length == 0;
    }

    /** Best rank first. */
    public Stream<ContenderRecord> stream() {
        return Arrays.stream(entries);
    }

    @Override
    public Iterator<ContenderRecord> iterator() {
        return Arrays.asList(entries).iterator();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RankedContenders contenders && Arrays.equals(entries, contenders.entries);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(entries);
    }

    @Override
    public String toString() {
        return Arrays.toString(entries);
    }

    /**
     * Makes the view that leaves the core, which keeps stamps, weights and versions.
     *
     * @param leader the one of these that is known to lead
     */
    public PathView view(Optional<ContenderRecord> leader) {
        List<PathView.Entry> all = new ArrayList<>();
        int rank = 0;
        for (ContenderRecord each : entries) {
            rank++;
            boolean isLeader = leader.filter(each::equals).isPresent();
            all.add(isLeader ? 0 : all.size(), entry(each, isLeader, rank));
        }
        return new PathView(all, leader.map(r -> OptionalLong.of(r.token())).orElse(OptionalLong.empty()));
    }

    private static PathView.Entry entry(ContenderRecord record, boolean isLeader, int rank) {
        return new PathView.Entry(
                record.id().node(), record.id().number(), record.participantId(), isLeader, record.isLast() ? 0 : rank);
    }
}
