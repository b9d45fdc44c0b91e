package io.quorate.testkit.simulation;

import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.spi.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/protocol.md#authority: a lying contender harms the paths on which it contends, and no others. */
class UsedUpTermsTest {

    private static final NodeId LIAR = new NodeId("c1");
    private static final NodeId N1 = new NodeId("n1");
    private static final List<NodeId> VOTERS = List.of(N1, new NodeId("n2"), new NodeId("n3"));

    private void oneClaimUsesUpNoTerms(boolean isDurable) {
        VirtualCluster cluster = new VirtualCluster(1, new HighestUp());
        for (NodeId voter : VOTERS) {
            cluster.add(VirtualCluster.settings(voter, VOTERS));
            if (!isDurable) {
                cluster.diskless(voter);
            }
        }
        cluster.add(VirtualCluster.settings(LIAR, VOTERS));
        VOTERS.forEach(cluster::start);
        cluster.start(LIAR);
        cluster.advance(3_000);
        for (NodeId voter : VOTERS) {
            cluster.inject(LIAR, cluster.incarnation(LIAR), voter, new Claim("/mine", 99, 1L << 61));
        }
        cluster.advance(500);
        cluster.crash(LIAR);
        cluster.advance(30_000);
        cluster.contend(N1, "/app/leader");
        cluster.await("somebody leads another path", 30_000, () -> cluster.leader("/app/leader")
                .isPresent());
    }

    @Test
    void aClaimOnOnePathUsesUpNoTermsOfOthers() {
        oneClaimUsesUpNoTerms(true);
    }

    @Test
    void aClaimOnOnePathUsesUpNoTermsOfOthersWithoutDisks() {
        oneClaimUsesUpNoTerms(false);
    }
}
