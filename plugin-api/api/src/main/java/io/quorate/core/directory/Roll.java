package io.quorate.core.directory;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.Registration;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The contenders of one path, best rank first. It does not change, so that all who say the same of a path can share
 * one: at ten thousand paths, that is most of a node's memory.
 *
 * <p>Loops, where streams would be shorter: these methods run for each path when a leader dies, in code that is not
 * compiled yet, and to compile the streams takes more time than to run the loops.
 */
public final class Roll implements Iterable<Registration> {

    public static final Roll EMPTY = new Roll(new Registration[0]);

    /** Up to so many are sorted by insertion. */
    private static final int SHORT = 16;

    private final Registration[] entries;

    private Roll(Registration[] entries) {
        this.entries = entries;
    }

    /** Of registrations with different ids, in any order. */
    public static Roll of(Collection<Registration> registrations, Comparator<Registration> ranking) {
        Registration[] sorted = registrations.toArray(Registration[]::new);
        sort(sorted, ranking);
        return new Roll(sorted);
    }

    /** Most rolls are short, and in order but for one. */
    private static void sort(Registration[] entries, Comparator<Registration> ranking) {
        if (entries.length > SHORT) {
            Arrays.sort(entries, ranking);
            return;
        }
        for (int i = 1; i < entries.length; i++) {
            Registration next = entries[i];
            int at = i;
            for (; at > 0 && ranking.compare(entries[at - 1], next) > 0; at--) {
                entries[at] = entries[at - 1];
            }
            entries[at] = next;
        }
    }

    /** With this registration in the place of the one that has its id, if there is one. */
    Roll with(Registration registration, Comparator<Registration> ranking) {
        List<Registration> changed = others(registration.id());
        changed.add(find(registration.id()).map(registration::withNamesOf).orElse(registration));
        return of(changed, ranking);
    }

    Roll without(ContenderId id) {
        List<Registration> left = others(id);
        return left.isEmpty() ? EMPTY : new Roll(left.toArray(Registration[]::new));
    }

    private List<Registration> others(ContenderId id) {
        List<Registration> others = new ArrayList<>(entries.length + 1);
        for (Registration registration : entries) {
            if (!registration.id().equals(id)) {
                others.add(registration);
            }
        }
        return others;
    }

    Optional<Registration> find(ContenderId id) {
        for (Registration registration : entries) {
            if (registration.id().equals(id)) {
                return Optional.of(registration);
            }
        }
        return Optional.empty();
    }

    /** The equal registration that stands here already; the given one if there is none. */
    public Registration shared(Registration registration) {
        return find(registration.id()).filter(registration::equals).orElse(registration);
    }

    /** This one if the other is equal, else the other. */
    public Roll shared(Roll other) {
        return equals(other) ? this : other;
    }

    /** The leader: by token, if there should be several. */
    public Optional<Registration> leader() {
        Registration leader = null;
        for (Registration registration : entries) {
            if (registration.isLeading() && (leader == null || registration.token() > leader.token())) {
                leader = registration;
            }
        }
        return Optional.ofNullable(leader);
    }

    /** ADR-0026: for the algorithm, a node stands with its best contender. Best rank first. */
    public List<Registration> bestOfEachNode() {
        List<Registration> best = new ArrayList<>(entries.length);
        for (Registration registration : entries) {
            if (!hasAnyOf(registration.id().node(), best)) {
                best.add(registration);
            }
        }
        return best;
    }

    /** Whether some contender is of this node. */
    public boolean hasAnyOf(NodeId node) {
        return hasAnyOf(node, this);
    }

    /** Whether one of these is of this node. */
    public static boolean hasAnyOf(NodeId node, Iterable<Registration> registrations) {
        for (Registration registration : registrations) {
            if (registration.id().node().equals(node)) {
                return true;
            }
        }
        return false;
    }

    /** Whether there are contenders, all of one node. */
    public boolean isOfOneNode() {
        for (Registration registration : entries) {
            if (!registration.id().node().equals(entries[0].id().node())) {
                return false;
            }
        }
        return entries.length > 0;
    }

    /** The best in rank, of a roll that is not empty. */
    public Registration first() {
        return entries[0];
    }

    boolean isEmpty() {
        return entries.length == 0;
    }

    public Stream<Registration> stream() {
        return Arrays.stream(entries);
    }

    @Override
    public Iterator<Registration> iterator() {
        return Arrays.asList(entries).iterator();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Roll roll && Arrays.equals(entries, roll.entries);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(entries);
    }

    @Override
    public String toString() {
        return Arrays.toString(entries);
    }
}
