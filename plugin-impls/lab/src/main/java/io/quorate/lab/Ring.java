package io.quorate.lab;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Membership;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** An order of the processes on a ring, in which each sends to the next one: docs/lab.md#rings. */
final class Ring {

    /** The algorithms of ours that have no ring. */
    private static final Set<String> WITHOUT = Set.of("ballot", "bully", "three-phase");

    private Ring() {}

    /**
     * The algorithm on this ring.
     *
     * @param written process numbers from 1 with commas between them, such as {@code 5,4,3,2,1}
     * @throws IllegalArgumentException if that is no order of processes, or the algorithm has no ring
     */
    static ElectionAlgorithm of(ElectionAlgorithm algorithm, String written) {
        check(algorithm, written);
        List<Integer> ring = numbers(written);
        return LabAlgorithms.creating(
                algorithm, (membership, timing, options) -> algorithm.create(on(ring, membership), timing, options));
    }

    /** Whether the algorithm may send along a ring; one of others may. */
    static boolean isPossible(ElectionAlgorithm algorithm) {
        return !WITHOUT.contains(algorithm.name());
    }

    /** Rejects a ring for an algorithm that has none. */
    static void check(ElectionAlgorithm algorithm, String written) {
        if (!isPossible(algorithm)) {
            throw new IllegalArgumentException("--ring '" + written + "': must be for an algorithm with a ring, lcr or"
                    + " token-ring, and not for " + algorithm.name()
                    + ", because it is the order in which each process sends to the next");
        }
    }

    /** How many processes there are on it. */
    static int size(String written) {
        return numbers(written).size();
    }

    private static List<Integer> numbers(String written) {
        List<Integer> ring = written.matches("[1-9](,[1-9])*")
                ? Arrays.stream(written.split(",", -1))
                        .map(number -> Integer.parseInt(number) - 1)
                        .toList()
                : List.of();
        Set<Integer> all = new TreeSet<>(ring);
        boolean hasEach = IntStream.range(0, ring.size()).allMatch(all::contains);
        if (ring.isEmpty() || !hasEach) {
            throw new IllegalArgumentException("--ring '" + written
                    + "': must have each process once, with commas between them, such as 5,4,3,2,1");
        }
        return ring;
    }

    private static Membership on(List<Integer> ring, Membership membership) {
        return new Membership(
                membership.self(), membership.contenders(), membership.witnesses(), ring, membership.voters());
    }
}
