package io.quorate.cli;

import io.quorate.cli.Nodes.Said;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A node's view of the leader of a path.
 *
 * @param node     its id; empty if it does not say so, as an older one
 * @param contends whether it contends; if not, it knows nothing
 * @param leads    whether it leads itself
 * @param leader   the latch that leads; empty if it knows of none
 * @param token    of that leader; empty if it knows of none
 * @param reason   one sentence
 * @param leaving  why it leads and leaves when its work is finished; empty if it does not
 */
record LeaderAnswer(
        Optional<String> node,
        boolean contends,
        boolean leads,
        Optional<LatchId> leader,
        Optional<Long> token,
        String reason,
        Optional<String> leaving) {

    static LeaderAnswer read(int status, JsonObject body) throws NoAnswer {
        if (status == 404) {
            return new LeaderAnswer(
                    body.optionalText("node"),
                    false,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    body.optionalText("error").orElse(""),
                    Optional.empty());
        }
        // 503 is that of a node that does not lead, and of one that cannot tell.
        if (status != 200 && (status != 503 || body.optionalText("path").isEmpty())) {
            throw NodeStatus.unexpected(status, body);
        }
        return new LeaderAnswer(
                body.optionalText("node"),
                true,
                body.truth("leads"),
                LatchId.in(body, "leader"),
                body.optionalNumber("token"),
                body.text("reason"),
                body.optionalText("leaving"));
    }

    static List<Said<LeaderAnswer>> of(Nodes nodes, String path) throws InterruptedException {
        return nodes.ask("/leader" + Nodes.query("path", path), LeaderAnswer::read);
    }

    /**
     * The leader with the highest token, because a token only rises. If several nodes name it, its own answer counts.
     */
    static Optional<Said<LeaderAnswer>> newest(List<Said<LeaderAnswer>> all) {
        return all.stream()
                .filter(each -> each.said()
                        .filter(answer -> answer.leader.isPresent() && answer.token.isPresent())
                        .isPresent())
                .max(Comparator.comparingLong((Said<LeaderAnswer> each) -> tokenOf(each))
                        .thenComparing(LeaderAnswer::isLeader));
    }

    /** The view that nodes of one cluster share, or that there is no leader; empty if this one does not contend. */
    Optional<?> tenure() {
        return contends ? Optional.of(List.of(leader, token)) : Optional.empty();
    }

    static boolean isLeader(Said<LeaderAnswer> each) {
        return each.said().filter(LeaderAnswer::leads).isPresent();
    }

    static long tokenOf(Said<LeaderAnswer> each) {
        return each.said().flatMap(LeaderAnswer::token).orElse(0L);
    }
}
