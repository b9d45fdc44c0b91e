package io.quorate.core.directory;

import io.quorate.core.message.ContenderRecord;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Who contends on a path and who leads it, as far as this node knows: the part of {@link RankedContenders} that leaves
 * the core. Stamps, weights and versions stay inside.
 *
 * @param contenders in rank order, best first; the leader's entry comes first if there is a leader
 * @param token      the token of the leader's tenure, empty if nobody is known to lead
 */
public record PathView(List<Entry> contenders, OptionalLong token) {

    /** Nobody contends. */
    public static final PathView EMPTY = new PathView(List.of(), OptionalLong.empty());

    public PathView {
        contenders = List.copyOf(contenders);
    }

    /**
     * The view of these contenders.
     *
     * @param leader the one of them that is known to lead
     */
    public static PathView of(RankedContenders ranked, Optional<ContenderRecord> leader) {
        List<Entry> entries = new ArrayList<>();
        int rank = 0;
        for (ContenderRecord registration : ranked) {
            rank++;
            boolean isLeader = leader.filter(registration::equals).isPresent();
            entries.add(isLeader ? 0 : entries.size(), entry(registration, isLeader, rank));
        }
        return new PathView(entries, leader.map(r -> OptionalLong.of(r.token())).orElse(OptionalLong.empty()));
    }

    private static Entry entry(ContenderRecord registration, boolean isLeader, int rank) {
        return new Entry(
                registration.id().node(),
                registration.id().number(),
                registration.participantId(),
                isLeader,
                registration.isLast() ? 0 : rank);
    }

    /** The contender that is known to lead. */
    public Optional<Entry> leader() {
        return contenders.stream().filter(Entry::isLeader).findFirst();
    }

    /**
     * One contender.
     *
     * @param participantId the application's, not necessarily unique
     * @param rank          1 for the best; 0 for one that ranks behind all others
     */
    public record Entry(NodeId node, long number, String participantId, boolean isLeader, int rank) {}
}
