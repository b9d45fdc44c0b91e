package io.quorate.engine;

import io.quorate.spi.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The contenders and the leader of a path, as far as this node knows them. Stamps, weights and versions stay inside the
 * engine.
 *
 * @param contenders in rank order, best first; the leader's entry comes first if there is a leader
 * @param token      the token of the leader's tenure, empty if no leader is known
 */
public record PathView(List<Entry> contenders, OptionalLong token) {

    /** Nobody contends. */
    public static final PathView EMPTY = new PathView(List.of(), OptionalLong.empty());

    public PathView {
        contenders = List.copyOf(contenders);
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
    public record Entry(NodeId node, long number, String participantId, boolean isLeader, int rank) {
        /** The application's name for it, and its node. */
        public String name() {
            return participantId + " at " + node;
        }
    }
}
