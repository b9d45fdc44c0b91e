package io.quorate.testkit.simulation;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.core.Contexts;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Goodbye;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.Effect;
import io.quorate.spi.Event;
import io.quorate.spi.Mark;
import io.quorate.spi.NodeId;
import io.quorate.spi.Options;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The mode without a lease: three members n1 to n3, numbers 0 to 2, heartbeat 100, suspicion 300. */
class UnleasedNodeTest {

    private static final Event.Saved SAVED = new Event.Saved(new byte[] {7});

    private final RecordingAlgorithm algorithm = new RecordingAlgorithm();

    private static NodeSettings settings(NodeId self, List<NodeId> voters) {
        return new NodeSettings(
                "test", self, voters, new LeaseTiming(100, 1100, 10), new Timing(10), RankOrder.NODE_ID, 0, false);
    }

    private UnleasedNode node(NodeId self, long incarnation) {
        return new UnleasedNode(
                settings(self, Contexts.VOTERS),
                algorithm,
                Options.HARDENED,
                new UnleasedNode.Birth(incarnation, Event.Saved.NOTHING),
                (min, max) -> max);
    }

    private static List<UnleasedNode.Output> wake(UnleasedNode node, long now) {
        return node.step(now, NodeEvent.Wake.INSTANCE);
    }

    private static NodeEvent received(NodeId from, long incarnation, NodeMessage message) {
        return new NodeEvent.Received(from, incarnation, message);
    }

    private static List<NodeMessage> sent(List<UnleasedNode.Output> effects, NodeId to) {
        return effects.stream()
                .filter(e ->
                        e instanceof UnleasedNode.Output.Send send && send.to().equals(to))
                .map(e -> ((UnleasedNode.Output.Send) e).message())
                .toList();
    }

    /** What a node of this kind sends every period. */
    private NodeMessage heartbeatOf(NodeId self) {
        return sent(node(self, 1).start(0), N2).get(0);
    }

    /** The message of the election that n1 in life 1 sends to n2, before or after it heard of n2 in some life. */
    private NodeMessage electOfN1(Optional<Long> lifeOfN2) {
        RecordingAlgorithm pinging = new RecordingAlgorithm();
        UnleasedNode n1 = new UnleasedNode(
                settings(N1, Contexts.VOTERS),
                pinging,
                Options.HARDENED,
                new UnleasedNode.Birth(1, Event.Saved.NOTHING),
                (min, max) -> max);
        n1.start(0);
        lifeOfN2.ifPresent(life -> n1.step(1, received(N2, life, new Goodbye())));
        pinging.wants(new Effect.Send(1, new HighestUp.Ping(5)));
        return sent(n1.step(300, NodeEvent.Wake.INSTANCE), N2).stream()
                .filter(Elect.class::isInstance)
                .findFirst()
                .orElseThrow();
    }

    // ---------------------------------------------------------------- heartbeats and suspicions

    @Test
    void heartbeatsGoToAllOthersAtTheStartAndEveryPeriod() {
        UnleasedNode node = node(N2, 1);
        assertThat(sent(node.start(0), N1)).hasSize(1).hasOnlyElementsOfType(Heartbeat.class);
        assertThat(node.nextWake()).isEqualTo(100);
        assertThat(wake(node, 99)).isEmpty();
        List<UnleasedNode.Output> period = wake(node, 100);
        assertThat(sent(period, N1)).hasSize(1);
        assertThat(sent(period, N3)).hasSize(1);
        assertThat(sent(period, N2)).isEmpty();
    }

    @Test
    void silentPeerIsSuspectedAfterThreeHeartbeatsAndTrustedWhenItIsHeard() {
        UnleasedNode node = node(N2, 1);
        node.start(0);
        node.step(50, received(N1, 1, heartbeatOf(N1)));
        wake(node, 299);
        assertThat(algorithm.afterStart()).isEmpty();
        wake(node, 300);
        assertThat(algorithm.afterStart()).containsExactly(new Event.Suspected(2));
        wake(node, 350);
        assertThat(algorithm.afterStart()).containsExactly(new Event.Suspected(2), new Event.Suspected(0));
        node.step(360, received(N1, 1, heartbeatOf(N1)));
        node.step(361, received(N1, 1, heartbeatOf(N1)));
        assertThat(algorithm.afterStart())
                .endsWith(new Event.Suspected(0), new Event.Trusted(0))
                .hasSize(3);
        wake(node, 661);
        assertThat(algorithm.afterStart())
                .endsWith(new Event.Trusted(0), new Event.Suspected(0))
                .hasSize(4);
    }

    // docs/algorithms/three-phase.md#under-the-lease.
    @Test
    void priorityOfANodeReachesTheElectionOfEach() {
        UnleasedNode n1 = node(N1, 1);
        n1.start(0);
        n1.priority(10, -7);
        n1.priority(20, -7);
        Event changed = new Event.PrioritiesChanged(List.of(-7L, 1L, 2L));
        assertThat(algorithm.afterStart()).containsExactly(changed);
        NodeMessage heartbeat = sent(wake(n1, 100), N2).get(0);
        UnleasedNode n2 = node(N2, 1);
        n2.start(0);
        n2.step(101, received(N1, 1, heartbeat));
        n2.step(102, received(N1, 1, heartbeat));
        assertThat(algorithm.afterStart()).containsExactly(changed, changed);
    }

    // Only the leader of three-phase keeps the list, so a change that comes while no process leads is for the next one.
    @Test
    void nodeThatComesToLeadTellsItsElectionWhatChangedBefore() {
        UnleasedNode node = node(N2, 1);
        node.start(0);
        node.priority(10, 9);
        Event changed = new Event.PrioritiesChanged(List.of(0L, 9L, 2L));
        assertThat(algorithm.afterStart()).containsExactly(changed);
        algorithm.forget();
        Event vote = new Event.Received(0, new HighestUp.Ping(5));
        algorithm.leader(OptionalInt.of(1));
        node.step(20, received(N1, 1, electOfN1(Optional.empty())));
        assertThat(algorithm.events()).as("it leads").containsExactly(vote, changed);
        node.step(30, received(N1, 1, electOfN1(Optional.empty())));
        assertThat(algorithm.events()).as("it still leads").containsExactly(vote, changed, vote);
        algorithm.leader(OptionalInt.of(0));
        node.step(40, received(N1, 1, electOfN1(Optional.empty())));
        assertThat(algorithm.events()).as("another leads").containsExactly(vote, changed, vote, vote);
    }

    @Test
    void nodeThatComesToLeadTellsItsElectionNothingIfNoPriorityHasChanged() {
        UnleasedNode node = node(N2, 1);
        node.start(0);
        algorithm.leader(OptionalInt.of(1));
        node.step(20, received(N1, 1, electOfN1(Optional.empty())));
        assertThat(algorithm.afterStart()).containsExactly(new Event.Received(0, new HighestUp.Ping(5)));
    }

    // The next life begins with the number again, as under the lease with what is configured.
    @Test
    void priorityIsForgottenInTheNextLife() {
        UnleasedNode n2 = node(N2, 1);
        n2.start(0);
        UnleasedNode n1 = node(N1, 1);
        n1.start(0);
        n1.priority(10, 9);
        n2.step(101, received(N1, 1, sent(wake(n1, 100), N2).get(0)));
        n2.step(200, received(N1, 2, sent(node(N1, 2).start(0), N2).get(0)));
        assertThat(algorithm.afterStart()).endsWith(new Event.PrioritiesChanged(List.of(0L, 1L, 2L)));
    }

    // docs/algorithms/common.md#failure-detector: only the detector changes suspicions; a late message of a dead
    // process must not.
    @Test
    void messagesOfTheElectionAreNoSignOfLife() {
        UnleasedNode node = node(N2, 1);
        node.start(0);
        node.step(290, received(N1, 1, electOfN1(Optional.empty())));
        wake(node, 300);
        assertThat(algorithm.afterStart()).contains(new Event.Suspected(0));
    }

    @Test
    void nodeOfAnotherConfigurationIsNotHeard() {
        UnleasedNode other = new UnleasedNode(
                settings(N1, List.of(N1, N2)),
                algorithm,
                Options.HARDENED,
                new UnleasedNode.Birth(1, Event.Saved.NOTHING),
                (min, max) -> max);
        UnleasedNode faithful = new UnleasedNode(
                settings(N3, Contexts.VOTERS),
                algorithm,
                Options.FAITHFUL,
                new UnleasedNode.Birth(1, Event.Saved.NOTHING),
                (min, max) -> max);
        NodeMessage foreign = sent(other.start(0), N2).get(0);
        NodeMessage faithfulOne = sent(faithful.start(0), N2).get(0);
        algorithm.forget();
        UnleasedNode node = node(N2, 1);
        node.start(0);
        node.step(200, received(N1, 1, foreign));
        node.step(200, received(N3, 1, faithfulOne));
        node.step(200, received(new NodeId("n9"), 1, heartbeatOf(N1)));
        wake(node, 300);
        assertThat(algorithm.afterStart()).containsExactly(new Event.Suspected(0), new Event.Suspected(2));
    }

    // ---------------------------------------------------------------- lives

    @Test
    void messagesOfAFormerLifeAreDropped() {
        UnleasedNode node = node(N2, 1);
        node.start(0);
        node.step(10, received(N1, 2, heartbeatOf(N1)));
        node.step(20, received(N1, 1, electOfN1(Optional.of(1L))));
        assertThat(algorithm.afterStart()).isEmpty();
        node.step(200, received(N1, 1, heartbeatOf(N1)));
        wake(node, 310);
        assertThat(algorithm.afterStart()).as("a late heartbeat is none").contains(new Event.Suspected(0));
        node.step(311, received(N1, 2, electOfN1(Optional.of(1L))));
        assertThat(algorithm.afterStart()).contains(new Event.Received(0, new HighestUp.Ping(5)));
    }

    @Test
    void messagesForAFormerLifeAreDropped() {
        UnleasedNode node = node(N2, 2);
        node.start(0);
        node.step(10, received(N1, 1, electOfN1(Optional.of(1L))));
        assertThat(algorithm.afterStart()).isEmpty();
        node.step(20, received(N1, 1, electOfN1(Optional.of(2L))));
        assertThat(algorithm.afterStart()).containsExactly(new Event.Received(0, new HighestUp.Ping(5)));
        node.step(30, received(N1, 1, electOfN1(Optional.empty())));
        assertThat(algorithm.afterStart()).as("the sender knew of no life yet").hasSize(2);
    }

    @Test
    void nextLifeGetsTheSavedState() {
        UnleasedNode first = node(N2, 1);
        first.start(0);
        algorithm.wants(new Effect.Save(SAVED));
        assertThat(wake(first, 300)).contains(new UnleasedNode.Output.Save(SAVED));
        algorithm.forget();
        new UnleasedNode(
                        settings(N2, Contexts.VOTERS),
                        algorithm,
                        Options.HARDENED,
                        new UnleasedNode.Birth(2, SAVED),
                        (min, max) -> max)
                .start(0);
        assertThat(algorithm.events()).containsExactly(new Event.Start(2, SAVED, OptionalInt.empty()));
    }

    // ---------------------------------------------------------------- the algorithm

    @Test
    void leaderAndMarkAreThoseOfTheAlgorithm() {
        UnleasedNode node = node(N2, 1);
        node.start(0);
        assertThat(node.leader()).isEmpty();
        Mark mark = new Mark(4, 1, 0);
        algorithm.leader(OptionalInt.of(1));
        algorithm.wants(new Effect.Nominate(1, mark));
        List<UnleasedNode.Output> effects = node.step(10, received(N1, 1, electOfN1(Optional.empty())));
        assertThat(effects).containsExactly(new UnleasedNode.Output.LeaderNamed(Optional.of(N2), mark));
        assertThat(node.isLeading()).isTrue();
        assertThat(node.mark()).isEqualTo(mark);
    }

    // Gossip ballot election, line 14: no indication.
    @Test
    void leaderThatTheAlgorithmDropsInSilenceIsNone() {
        UnleasedNode node = node(N2, 1);
        node.start(0);
        algorithm.leader(OptionalInt.of(1));
        algorithm.wants(new Effect.Nominate(1, new Mark(4, 1, 0)));
        node.step(10, received(N1, 1, electOfN1(Optional.empty())));
        algorithm.leader(OptionalInt.empty());
        List<UnleasedNode.Output> effects = node.step(20, received(N1, 1, electOfN1(Optional.empty())));
        assertThat(effects).containsExactly(new UnleasedNode.Output.LeaderNamed(Optional.empty(), Mark.NONE));
        assertThat(node.isLeading()).isFalse();
    }

    @Test
    void timerThatWasReplacedOrCancelledNeverFires() {
        UnleasedNode node = node(N2, 1);
        algorithm.wants(
                new Effect.SetTimer("T", 10, 40),
                new Effect.SetTimer("T", 50, 60),
                new Effect.SetTimer("U", 20),
                new Effect.CancelTimer("U"),
                new Effect.CancelTimer("V"));
        node.start(0);
        assertThat(node.nextWake()).as("drawn by the jitter").isEqualTo(60);
        wake(node, 59);
        assertThat(algorithm.afterStart()).isEmpty();
        wake(node, 60);
        assertThat(algorithm.afterStart()).containsExactly(new Event.TimerFired("T"));
    }

    // A ring of one.
    @Test
    void loneMemberHearsItself() {
        algorithm.wants(new Effect.Send(0, new HighestUp.Ping(1)));
        UnleasedNode node = new UnleasedNode(
                settings(N1, List.of(N1)),
                algorithm,
                Options.HARDENED,
                new UnleasedNode.Birth(1, Event.Saved.NOTHING),
                (min, max) -> max);
        assertThat(node.start(0)).hasOnlyElementsOfType(UnleasedNode.Output.Warning.class);
        assertThat(algorithm.afterStart()).containsExactly(new Event.Received(0, new HighestUp.Ping(1)));
    }

    @Test
    void algorithmThatThrowsStopsTheNode() {
        UnleasedNode node = node(N2, 1);
        node.start(0);
        algorithm.leader(OptionalInt.of(1));
        node.step(10, received(N1, 1, electOfN1(Optional.empty())));
        algorithm.leader(OptionalInt.of(17));
        List<UnleasedNode.Output> effects = node.step(20, received(N1, 1, electOfN1(Optional.empty())));
        assertThat(effects)
                .hasSize(2)
                .contains(new UnleasedNode.Output.LeaderNamed(Optional.empty(), Mark.NONE))
                .hasAtLeastOneElementOfType(UnleasedNode.Output.Failed.class);
        assertThat(node.isLeading()).isFalse();
        assertThat(wake(node, 1000)).as("nor heartbeats").isEmpty();
        assertThat(node.nextWake()).isGreaterThan(1_000_000);
    }

    @Test
    void nodeSaysThatTwoMayLead() {
        assertThat(node(N2, 1).start(0))
                .anyMatch(effect -> effect instanceof UnleasedNode.Output.Warning note
                        && note.text().contains("two nodes may lead at the same time"));
    }

    @Test
    void nodeThatDoesNotVoteIsRefused() {
        assertThatThrownBy(() -> new UnleasedNode(
                        settings(new NodeId("o1"), Contexts.VOTERS),
                        algorithm,
                        Options.HARDENED,
                        new UnleasedNode.Birth(1, Event.Saved.NOTHING),
                        (min, max) -> max))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("o1");
    }
}
