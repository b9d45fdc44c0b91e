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
 * @param self       the number of this process, which contends
 * @param contenders how many processes contend
 * @param witnesses  how many processes vote and do not contend
 * @param ring       the contenders in ring order: the same cycle at every process. Immutable
 * @param voters     the processes that count for a majority. Immutable, in an order that differs between JVMs
 */
public record Membership(int self, int contenders, int witnesses, List<Integer> ring, Set<Integer> voters) {

    /**
     * A membership with copies of {@code ring} and {@code voters}.
     *
     * @param self       0 to {@code contenders-1}
     * @param contenders at least 1
     * @param witnesses  at least 0
     * @param ring       holds each of {@code 0 .. contenders-1} once
     * @param voters     each 0 to {@code contenders+witnesses-1}
     * @throws IllegalArgumentException if a part breaks its rule
     * @throws NullPointerException     if {@code ring} or {@code voters} is null or holds null
     */
    public Membership {
        Check.argument(contenders >= 1, "%d contenders: must be at least 1", contenders);
        Check.argument(witnesses >= 0, "%d witnesses: must not be negative", witnesses);
        Check.argument(0 <= self && self < contenders, "self %d: must be one of %d contenders", self, contenders);
        ring = List.copyOf(ring);
        Check.argument(
                ring.size() == contenders && new TreeSet<>(ring).equals(numbers(contenders)),
                "ring %s: must hold each of %d contenders once",
                ring,
                contenders);
        voters = Set.copyOf(voters);
        for (int voter : voters) {
            Check.argument(0 <= voter && voter < contenders + witnesses, "voter %d: is no process", voter);
        }
    }

    /**
     * A membership of processes that all contend and vote, with the ring in the order of their numbers.
     *
     * @param self 0 to {@code size-1}
     * @param size how many processes there are, at least 1
     * @return a membership without witnesses
     * @throws IllegalArgumentException if a number is out of its range
     */
    public static Membership of(int self, int size) {
        TreeSet<Integer> all = numbers(size);
        return new Membership(self, size, 0, new ArrayList<>(all), all);
    }

    /** {@return how many processes there are, witnesses included} */
    public int size() {
        return contenders + witnesses;
    }

    /**
     * Answers whether so many voters are a majority: more than half of all voters.
     *
     * @param count how many voters
     * @return whether they are a majority
     */
    public boolean isMajority(int count) {
        return 2 * count > voters.size();
    }

    /**
     * Answers whether the process counts for a majority.
     *
     * @param process any number
     * @return false if it is no process of this membership
     */
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
