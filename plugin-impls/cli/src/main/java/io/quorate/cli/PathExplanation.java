package io.quorate.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a node stands on a path, and why.
 *
 * @param node       its id; empty if it does not say so, as an older one
 * @param contends   whether it contends; if not, there is the reason and nothing else
 * @param leaseLeft  in milliseconds; empty if it does not lead
 * @param contenders the leader, then the others by rank
 * @param supporters the voters that support it
 */
record PathExplanation(
        Optional<String> node,
        boolean contends,
        boolean leads,
        Optional<LatchId> leader,
        Optional<Long> token,
        String reason,
        Optional<Long> leaseLeft,
        List<Contender> contenders,
        List<String> supporters,
        List<String> voters) {

    record Contender(LatchId latch, boolean isLeader) {
        @Override
        public String toString() {
            return latch + (isLeader ? " (leader)" : "");
        }
    }

    static PathExplanation read(int status, JsonObject body) throws NoAnswer {
        if (status == 404) {
            return new PathExplanation(
                    body.optionalText("node"),
                    false,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    body.optionalText("error").orElse(""),
                    Optional.empty(),
                    List.of(),
                    List.of(),
                    List.of());
        }
        if (status != 200) {
            throw NodeStatus.unexpected(status, body);
        }
        List<Contender> contenders = new ArrayList<>();
        for (JsonObject each : body.objects("contenders")) {
            contenders.add(new Contender(LatchId.of(each), each.truth("leader")));
        }
        return new PathExplanation(
                body.optionalText("node"),
                true,
                body.truth("leads"),
                LatchId.in(body, "leader"),
                body.optionalNumber("token"),
                body.text("reason"),
                body.optionalNumber("leaseLeft"),
                contenders,
                body.texts("supporters"),
                body.texts("voters"));
    }
}
