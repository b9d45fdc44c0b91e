package io.quorate;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where a latch stands and why, as far as its node knows; {@link #toString} says it in one line, for logs and people.
 *
 * @param latch        the path of the latch, and its id if it has one
 * @param reason       why the latch leads or does not, in one sentence
 * @param fencingToken the token of the present leader, at least 1; empty if no leader is known
 * @param leaseLeft    how long this latch leads if its lease is not renewed, 0 or more; empty if it does not lead. Each
 *                     heartbeat renews the lease. Where no other node votes there is no end: more than a day
 * @param contenders   the contenders of the path: the leader, then the others by rank. Immutable
 * @param supporters   the ids of the voters that support this node; it needs a majority of them to lead. Immutable
 * @param voters       the ids of all voters. Immutable
 */
public record Explanation(
        String latch,
        String reason,
        OptionalLong fencingToken,
        Optional<Duration> leaseLeft,
        List<Contender> contenders,
        List<String> supporters,
        List<String> voters) {

    /**
     * One contender.
     *
     * @param id       as {@link Participant#getId} answers it; may be empty, and need not be unique
     * @param node     the id of its node
     * @param isLeader whether it leads
     * @param rank     its place in the rank order, 1 for the best; 0 if it ranks behind all others, as on standby
     */
    public record Contender(String id, String node, boolean isLeader, int rank) {

        @Override
        public String toString() {
            return (id.isEmpty() ? node : id + " on " + node)
                    + (isLeader ? " (leader)" : "")
                    + (rank == 0 ? " (ranks last)" : "");
        }
    }

    /**
     * No support time is longer. A longer remainder belongs to the only voter, whose support for itself does not end.
     */
    private static final Duration LEASE_MAX = Duration.ofDays(1);

    /**
     * An explanation with copies of the lists.
     *
     * @param latch        not null
     * @param reason       not null
     * @param fencingToken not null; empty if no leader is known
     * @param leaseLeft    not null; empty if the latch does not lead
     * @param contenders   copied
     * @param supporters   copied
     * @param voters       copied
     * @throws NullPointerException if a list is null or holds null
     */
    public Explanation {
        contenders = List.copyOf(contenders);
        supporters = List.copyOf(supporters);
        voters = List.copyOf(voters);
    }

    /** {@return the contender that is known to lead; empty if there is none} */
    public Optional<Contender> leader() {
        return contenders.stream().filter(Contender::isLeader).findFirst();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(latch).append(": ").append(reason);
        leaseLeft.ifPresent(left -> text.append(
                left.compareTo(LEASE_MAX) > 0
                        ? " without an end: no other node votes"
                        : " for " + left.toMillis() + " ms more"));
        if (!contenders.isEmpty()) {
            text.append("; contenders ").append(contenders);
        }
        if (!voters.isEmpty()) {
            text.append("; supported by ")
                    .append(supporters)
                    .append(" of voters ")
                    .append(voters);
        }
        return text.toString();
    }
}
