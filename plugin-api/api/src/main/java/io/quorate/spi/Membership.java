package io.quorate.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The processes of one election, as this process sees them; fixed for the life of the election.
 *
 * <p>Processes are numbered. {@code 0 .. contenders-1} contend, <b>in the order of their rank: the highest number has
 * the best rank</b>, which is what the documents call the highest identifier. {@code contenders .. size-1} are
 * witnesses: they vote but do not contend, and take part only in algorithms that
 * {@linkplain ElectionAlgorithm#countsVoters() count voters}.
 *
 * @param self       the number of this process, a contender
 * @param contenders how many processes contend, at least 1
 * @param witnesses  how many processes vote only
 * @param ring       every contender once, in ring order: the same cycle at every process
 * @param voters     the processes that are counted for a majority
 */
public record Membership(int self, int contenders, int witnesses, List<Integer> ring, Set<Integer> voters) {

    /** @throws IllegalArgumentException if the parts do not fit each other */
    public Membership {
        Check.argument(contenders >= 1, "%d contenders: must be at least 1", contenders);
        Check.argument(witnesses >= 0, "%d witnesses: must not be negative", witnesses);
        Check.argument(0 <= self && self < contenders, "self %d: must be one of %d contenders", self, contenders);
        ring = List.copyOf(ring);
        Check.argument(ring.size() == contenders && new TreeSet<>(ring).equals(numbers(contenders)),
                "ring %s: must hold each of %d contenders once", ring, contenders);
        voters = Set.copyOf(voters);
        for (int voter : voters) {
            Check.argument(0 <= voter && voter < contenders + witnesses, "voter %d: is no process", voter);
        }
    }

    /** {@code size} processes that all contend and vote, with the ring in the order of their numbers. */
    public static Membership of(int self, int size) {
        TreeSet<Integer> all = numbers(size);
        return new Membership(self, size, 0, new ArrayList<>(all), all);
    }

    /** All processes, witnesses included. */
    public int size() {
        return contenders + witnesses;
    }

    /** Whether this many voters are a majority of all voters. */
    public boolean isMajority(int count) {
        return 2 * count > voters.size();
    }

    /** Whether the process is counted for a majority. */
    public boolean isVoter(int process) {
        return voters.contains(process);
    }

    private static TreeSet<Integer> numbers(int size) {
        TreeSet<Integer> numbers = new TreeSet<>();
        for (int number = 0; number < size; number++) {
            numbers.add(number);
        }
        return numbers;
    }
}
