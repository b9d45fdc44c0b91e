package io.quorate.core;

import static io.quorate.core.ChangingCluster.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VotersMessage.NotPromised;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that starts with a list that it has stored: no others vote than before, in this life. */
class StoredListTest {

    // Clock.nanoTime has any origin. After the quarantine nobody is supported under an older number.
    @ParameterizedTest
    @ValueSource(longs = {0, 1_000_000_000_000_000L, -1_000_000_000_000_000L, Long.MAX_VALUE - 1_000_000})
    void aRestartedVoterPromisesAfterItsQuarantine(long origin) {
        List<NodeId> ids = Contexts.VOTERS;
        List<Member> members = new ArrayList<>();
        ids.forEach(id -> members.add(new Member(id, 7, Optional.empty())));
        VoterList second = new VoterList(2, 0, members);
        Node node = new Node(
                VirtualCluster.settings(Contexts.N1, ids),
                new HighestUp(),
                new Birth(1, 1 << 20, true, 7, Optional.of(PaxosState.at(second))),
                (min, max) -> min);
        node.start(origin);
        long now = origin;
        for (int i = 0; i < 30; i++) {
            now += 100_000_000;
            node.step(now, NodeEvent.Wake.INSTANCE);
        }
        NodeMessage asked = new Prepare(new Round(1, Contexts.N2, 5), second);
        List<NodeEffect> effects = node.step(now, new NodeEvent.Received(Contexts.N2, 5, asked));
        assertThat(effects)
                .as("three support times after the start")
                .noneMatch(e -> e instanceof NodeEffect.Send s && s.message() instanceof NotPromised)
                .anyMatch(NodeEffect.StorePaxosState.class::isInstance);
    }

    // docs/protocol.md#timing: "16 votes of a voter at a heartbeat". n1 and n2 start; then n3 is there again.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aVoterThatComesBackIsAskedForSixteenVotesAtFirst(boolean isLater) {
        ChangingCluster nodes = new ChangingCluster(7);
        VirtualCluster cluster = nodes.cluster;
        nodes.start(4, 4);
        if (isLater) {
            assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
            cluster.advance(3000);
        }
        for (int i = 1; i <= 4; i++) {
            cluster.crash(node(i));
        }
        cluster.advance(2000);
        cluster.start(node(1));
        cluster.start(node(2));
        if (!isLater) {
            cluster.start(node(4));
        }
        cluster.advance(3000);
        for (int i = 0; i < 300; i++) {
            cluster.contend(node(1), "/p" + i);
        }
        cluster.await("n1 leads all", 20_000, () -> {
            for (int i = 0; i < 300; i++) {
                if (!cluster.leaders("/p" + i).contains(node(1))) {
                    return false;
                }
            }
            return true;
        });
        cluster.advance(3000);
        List<Long> claims = new ArrayList<>();
        cluster.network(f -> {
            if (f.message() instanceof Claim && f.to().equals(node(3))) {
                claims.add(cluster.nowMillis());
            }
        });
        cluster.start(node(3));
        cluster.await("n3 is asked", 10_000, () -> !claims.isEmpty());
        cluster.advance(1);
        assertThat(claims).as("in the first millisecond").hasSizeLessThanOrEqualTo(16);
    }
}
