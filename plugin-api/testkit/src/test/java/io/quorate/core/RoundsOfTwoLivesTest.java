package io.quorate.core;

import static io.quorate.core.ChangingCluster.node;
import static io.quorate.core.ChangingCluster.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.Outdated;
import io.quorate.core.message.Prepare;
import io.quorate.core.message.Ready;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.Seat;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** No two processes propose in the same round, or they could have different lists decided under one number. */
class RoundsOfTwoLivesTest {

    private static final long MILLI = 1_000_000;
    private static final NodeSettings SETTINGS = VirtualCluster.settings(node(1), nodes(1, 2, 3));

    /** The rounds in which n1 proposes in this life, after it has heard that its life has to be above 200. */
    private static List<Round> rounds(long life) {
        Node node = new Node(
                SETTINGS, new HighestUp(), new Node.Birth(life, 0, true, 77, Optional.empty()), (min, max) -> min);
        long now = 0;
        node.start(now);
        // Its disk does not answer, so this is not there after a crash.
        node.step(now += MILLI, new NodeEvent.Received(node(2), 5, new Outdated(200)));
        assertThat(node.incarnation()).isEqualTo(201);
        node.step(now += 2000 * MILLI, NodeEvent.Wake.INSTANCE);
        List<NodeEffect> effects = new ArrayList<>(node.step(
                now, new NodeEvent.ChangeVoters(1, 1, Map.of(node(1), Optional.empty(), node(2), Optional.empty()))));
        long clusterHash = NodeSettings.configHash(SETTINGS, new HighestUp().name(), List.of()) >>> Integer.SIZE;
        for (int other = 2; other <= 3; other++) {
            Ready ready = new Ready(1, 70 + other, 1, clusterHash, "");
            effects.addAll(node.step(now, new NodeEvent.Received(node(other), 5, ready)));
        }
        effects.addAll(node.step(now, new NodeEvent.SeatStored(Seat.at(node.voters()))));
        for (int tick = 0; tick < 3; tick++) {
            effects.addAll(node.step(now += 80 * MILLI, NodeEvent.Wake.INSTANCE));
        }
        List<Round> rounds = new ArrayList<>();
        for (NodeEffect effect : effects) {
            if (effect instanceof NodeEffect.Send send && send.message() instanceof Prepare prepare) {
                rounds.add(prepare.round());
            }
        }
        return rounds.stream().distinct().toList();
    }

    @Test
    void aLifeThatWasAdoptedAndIsNotStoredIsNoPartOfARound() {
        List<Round> first = rounds(100);
        List<Round> second = rounds(101);
        assertThat(first).isNotEmpty();
        assertThat(second).isNotEmpty().doesNotContainAnyElementsOf(first);
    }
}
