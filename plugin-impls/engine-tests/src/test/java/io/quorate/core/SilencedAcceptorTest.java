package io.quorate.core;

import static io.quorate.core.ChangingCluster.from1to;
import static io.quorate.core.ChangingCluster.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.Acceptance;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.message.VotersMessage.Promise;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A voter that is told BUSY by a voter, with another life, promises nothing until two support times later:
 * docs/protocol.md#one-process-per-id. Under list 1 any directory is the voter's, so each of two processes under the id
 * could make another list of three voters decided.
 */
class SilencedAcceptorTest {

    private static final long OTHER = 99;

    private final ChangingCluster nodes = new ChangingCluster(7);
    private final VirtualCluster cluster = nodes.cluster;
    private final List<Object> answers = new ArrayList<>();

    @BeforeEach
    void threeVote() {
        nodes.start(3, 3);
        cluster.network(flight -> {
            if (flight.from().equals(node(2))) {
                answers.add(flight.message());
            }
        });
    }

    private VoterList base() {
        return cluster.node(node(2)).voters();
    }

    private VoterList withoutN1() {
        List<Member> members = base().members().stream()
                .filter(each -> !each.id().equals(node(1)))
                .toList();
        return new VoterList(2, 0, members);
    }

    @Test
    void silencedVotersDoNotPromise() {
        assertThat(base().ids()).isEqualTo(from1to(3));
        cluster.step(node(2), new NodeEvent.PlaceTaken(node(1), OTHER, true));
        Round round = new Round(1, node(3), cluster.incarnation(node(3)));
        cluster.inject(node(3), cluster.incarnation(node(3)), node(2), new Prepare(round, base()));
        cluster.advance(900);
        assertThat(answers).noneMatch(Promise.class::isInstance);
    }

    // n1 and n3 have promised, and n3 has lost n1 since.
    @Test
    void silencedVotersDoNotAccept() {
        cluster.step(node(2), new NodeEvent.PlaceTaken(node(1), OTHER, true));
        Round round = new Round(1, node(3), cluster.incarnation(node(3)));
        cluster.inject(node(3), cluster.incarnation(node(3)), node(2), new Accept(round, base(), withoutN1()));
        cluster.advance(900);
        assertThat(answers).noneMatch(Acceptance.class::isInstance);
    }
}
