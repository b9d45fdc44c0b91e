package io.quorate.engine;

import io.quorate.spi.NodeId;
import java.util.List;
import java.util.OptionalLong;

/**
 * Where a contender stands, as far as its node knows. The facade makes the application's {@code Explanation} of it. The
 * core cannot make that one: it does not know the facade, and no reading of the node's clock may leave the node.
 *
 * @param reason     why it leads or not, in one sentence
 * @param path       who contends with it
 * @param leaseEnd   until when it leads unless the lease is renewed, by the node's clock; empty if it does not lead
 * @param supporters the voters that support its node
 * @param voters     all voters
 */
public record Situation(
        String reason, PathView path, OptionalLong leaseEnd, List<NodeId> supporters, List<NodeId> voters) {

    public Situation {
        supporters = List.copyOf(supporters);
        voters = List.copyOf(voters);
    }

    /** A contender that takes no part. */
    public static Situation outside(String reason) {
        return new Situation(reason, PathView.EMPTY, OptionalLong.empty(), List.of(), List.of());
    }
}
