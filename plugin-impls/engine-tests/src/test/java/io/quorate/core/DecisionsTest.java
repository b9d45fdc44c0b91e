package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static io.quorate.core.Contexts.VOTERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.DuplicateNodeException;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.SupportMessage.Goodbye;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.VoteMessage.Challenge;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.message.VoteMessage.Nack;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Tenure;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The safety decisions 1 to 12, each as a scenario of whole nodes; the rules of single parts are tested with them. */
class DecisionsTest {

    private static final String PATH = "/app/leader";

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 7, new HighestUp());
    private final List<Flight> seen = new ArrayList<>();

    private void record() {
        cluster.drop(flight -> {
            seen.add(flight);
            return false;
        });
    }

    private <T extends NodeMessage> List<T> seen(Class<T> type) {
        return seen.stream()
                .map(Flight::message)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private int lead(NodeId node) {
        cluster.advance(1500);
        int number = cluster.contend(node, PATH);
        cluster.await("a leader", 1000, () -> cluster.leaders(PATH).equals(List.of(node)));
        return number;
    }

    /** n2 restarts, so its terms begin at its ceiling, and the leader has to raise its term to win it back. */
    private long bump(int number) {
        cluster.crash(N2);
        cluster.advance(10);
        cluster.start(N2);
        record();
        cluster.await("a claim above the token", 4000, () -> seen(Claim.class).stream()
                .anyMatch(c -> c.term() > 60_000));
        cluster.advance(500);
        long raised = seen(Claim.class).stream().mapToLong(Claim::term).max().orElseThrow();
        assertThat(cluster.tenure(N1, number).orElseThrow().token())
                .as("the token stays")
                .isEqualTo(1);
        return raised;
    }

    // Voters may back the leader at any term between its token and its term: none of these may be given back.
    @Test
    void decision01_challengeOfATermThatTheTenureCoversIsNotAnswered() {
        int number = lead(N1);
        long raised = bump(number);
        long life = incarnation(N1);
        seen.clear();
        ContenderId holder = new ContenderId(N1, life, number);
        for (long term : new long[] {1, 2, 100, raised - 1, raised}) {
            cluster.inject(N3, incarnation(N3), N1, new Challenge(PATH, holder, term));
        }
        cluster.advance(200);
        assertThat(seen(Release.class)).isEmpty();
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
        cluster.inject(N3, incarnation(N3), N1, new Challenge(PATH, new ContenderId(N1, life, number + 1), 1));
        assertThat(seen(Release.class))
                .as("a vote that nobody needs is given back")
                .containsExactly(new Release(PATH, number + 1, 1, Optional.empty()));
    }

    // A leader has asked a voter to vote for this contender, which leads by other votes: it may come to need that one.
    @Test
    void decision01_voteAboveTheTermOfATenureIsKeptUntilItEnds() {
        int number = lead(N1);
        ContenderId holder = new ContenderId(N1, incarnation(N1), number);
        record();
        cluster.inject(N3, incarnation(N3), N1, new Challenge(PATH, holder, 90));
        assertThat(seen(Release.class)).isEmpty();
        cluster.holdsBack(N1);
        cluster.resign(N1, number);
        seen.clear();
        cluster.inject(N3, incarnation(N3), N1, new Challenge(PATH, holder, 90));
        assertThat(seen(Release.class)).containsExactly(new Release(PATH, number, 90, Optional.empty()));
    }

    @Test
    void decision01_leaderWhoseRaiseFailsKeepsItsTenureAndReleasesNothing() {
        int number = lead(N1);
        cluster.drop(f -> f.message() instanceof Vote && f.from().equals(N2));
        cluster.crash(N2);
        cluster.start(N2);
        record();
        cluster.advance(6000);
        long claimed = seen(Claim.class).get(seen(Claim.class).size() - 1).term();
        cluster.inject(N2, incarnation(N2), N1, new Nack(PATH, number, claimed, 70_000, 0));
        cluster.advance(1000);
        assertThat(seen(Claim.class)).anyMatch(c -> c.term() == 70_001);
        assertThat(seen(Claim.class)).as("it goes on trying").hasSizeGreaterThan(5);
        assertThat(seen(Release.class)).isEmpty();
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
        assertThat(cluster.token(PATH)).isEqualTo(1);
    }

    // A restarted node is another holder: what its former life was voted for does not count for it.
    @Test
    void decision02_formerLifeIsAnotherHolder() {
        int number = lead(N1);
        long former = incarnation(N1);
        cluster.crash(N1);
        cluster.start(N1);
        record();
        cluster.inject(N2, incarnation(N2), N1, new Challenge(PATH, new ContenderId(N1, former, number), 1));
        cluster.advance(10);
        assertThat(seen(Release.class))
                .as("no release on behalf of a former life")
                .isEmpty();
        int again = cluster.contend(N1, PATH);
        cluster.await(
                "the new life leads", 5000, () -> cluster.tenure(N1, again).isPresent());
        assertThat(cluster.token(PATH)).isGreaterThan(1);
    }

    @Test
    void decision02_nodeThatDoesNotVoteLeadsByTheVotesOfOthersOnly() {
        NodeId observer = new NodeId("o1");
        cluster.add(VirtualCluster.settings(observer, VOTERS));
        cluster.start(observer);
        record();
        lead(observer);
        assertThat(seen)
                .as("nobody asks it for support or votes")
                .noneMatch(f ->
                        f.to().equals(observer) && (f.message() instanceof Heartbeat || f.message() instanceof Claim));
        cluster.isolate(N1, N2);
        cluster.await(
                "no majority, no leader", 1000, () -> cluster.leaders(PATH).isEmpty());
    }

    // All latches closed, the path forgotten, and still the next token is higher.
    @Test
    void decision03_tokensRiseAcrossAForgottenPath() {
        for (int round = 0; round < 4; round++) {
            int number = cluster.contend(N1, PATH);
            cluster.await("a leader", 3000, () -> cluster.leader(PATH).isPresent());
            cluster.withdraw(N1, number);
            cluster.advance(3000);
            assertThat(cluster.node(N2).pageCount()).as("pages of n2").isZero();
        }
        assertThat(cluster.log().stream()
                        .filter(VirtualCluster.Change::isGranted)
                        .map(VirtualCluster.Change::token))
                .hasSize(4)
                .doesNotHaveDuplicates()
                .isSorted();
    }

    @Test
    void decision04_secondProcessUnderAnIdIsRefusedAndFails() {
        lead(N1);
        Node process = startUnder(N1);
        List<NodeEffect> effects = List.of();
        for (int millis = 1; millis <= 5301; millis += 100) {
            assertThat(effects).noneMatch(NodeEffect.Failed.class::isInstance);
            effects = process.step(millis, new NodeEvent.PlaceTaken(N2, incarnation(N1), true));
        }
        assertThat(effects)
                .filteredOn(NodeEffect.Failed.class::isInstance)
                .singleElement()
                .satisfies(e -> assertThat(((NodeEffect.Failed) e).cause())
                        .isInstanceOf(DuplicateNodeException.class)
                        .hasMessageContaining("'n1'")
                        .hasMessageContaining(String.valueOf(incarnation(N1)))
                        .hasMessageContaining("incarnation"));
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }

    // What a pause or a slow link kept back is no sign of life: the process that sent it may be long gone.
    @Test
    void decision04_lateFramesOfADeadProcessAreNoSignOfLife() {
        cluster.advance(1500);
        record();
        cluster.advance(500);
        Flight last = seen.stream()
                .filter(f -> f.from().equals(N1) && f.to().equals(N2) && f.message() instanceof Heartbeat)
                .reduce((a, b) -> b)
                .orElseThrow();
        cluster.crash(N1);
        cluster.start(N1);
        cluster.advance(200);
        cluster.deliver(last);
        cluster.advance(3000);
        assertThat(cluster.failure(N1)).isEmpty();
    }

    // A node sends nothing to itself over the network: whoever wrote such a frame has forged it.
    @Test
    void decision04_nodeThatHearsItsOwnIdGoesOn() {
        int number = lead(N1);
        Tenure tenure = cluster.tenure(N1, number).orElseThrow();
        cluster.step(N1, new NodeEvent.OwnIdHeard(99));
        cluster.inject(N1, 99, N1, new Goodbye());
        assertThat(tenure.isEnded()).isFalse();
        assertThat(cluster.failure(N1)).isEmpty();
    }

    // Whatever a former life may have promised has run out before this one answers anybody.
    @Test
    void decision05_restartedVoterIsSilentForTheSupportTime() {
        cluster.advance(1500);
        cluster.crash(N2);
        cluster.start(N2);
        record();
        cluster.advance(999);
        assertThat(seen)
                .noneMatch(f -> f.from().equals(N2) && (f.message() instanceof Ack || f.message() instanceof Vote));
        cluster.advance(300);
        assertThat(seen).anyMatch(f -> f.from().equals(N2) && f.message() instanceof Ack);
    }

    @Test
    void decision05_clusterOfOneIsQuarantinedToo() {
        VirtualCluster single = VirtualCluster.ofVoters(1, 7, new HighestUp());
        single.contend(N1, PATH);
        single.advance(999);
        assertThat(single.leaders(PATH)).isEmpty();
        single.await("it leads", 300, () -> single.leader(PATH).isPresent());
        single.advance(60_000);
        assertThat(single.leaders(PATH)).containsExactly(N1);
    }

    // Two latches of one node never share a token.
    @Test
    void decision06_tenureBelongsToOneContender() {
        int first = lead(N1);
        int second = cluster.contend(N1, PATH);
        cluster.advance(500);
        cluster.contend(N2, PATH);
        cluster.advance(500);
        long token = cluster.token(PATH);
        cluster.withdraw(N1, first);
        cluster.await("the sibling leads, which came before n2", 500, () -> cluster.tenure(N1, second)
                .isPresent());
        assertThat(cluster.token(PATH)).isGreaterThan(token);
    }

    @Test
    void decision07_votesOnlyInTermsThatAreDurable() {
        Node voter = startUnder(N1);
        quarantineOver(voter, List.of());
        voter.step(1100, heartbeatFrom(N2));
        List<NodeEffect> effects = voter.step(1101, new NodeEvent.Received(N2, 1, claim(5)));
        assertThat(messages(effects, Vote.class)).as("nothing is durable yet").isEmpty();
        voter.step(1102, new NodeEvent.TermsReserved(65_536));
        effects = voter.step(1103, new NodeEvent.Received(N2, 1, claim(5)));
        assertThat(messages(effects, Vote.class)).hasSize(1);
        effects = voter.step(1104, new NodeEvent.Received(N2, 1, claim(60_000)));
        assertThat(effects)
                .as("the next block is asked for ahead of need")
                .anyMatch(e -> e instanceof NodeEffect.ReserveTerms r && r.upTo() > 65_536);
    }

    @Test
    void decision07_fullDiskKeepsTheVotesAndIsExplained() {
        Node voter = startUnder(N1);
        quarantineOver(voter, List.of(new NodeEvent.TermsReserved(65_536)));
        voter.step(1100, heartbeatFrom(N2));
        assertThat(messages(voter.step(1101, new NodeEvent.Received(N2, 1, claim(5))), Vote.class))
                .hasSize(1);
        List<NodeEffect> notes = voter.step(1102, new NodeEvent.ReserveFailed("no space left on device"));
        assertThat(notes)
                .anyMatch(e -> e instanceof NodeEffect.Note n && n.text().contains("no space left"));
        assertThat(voter.describe()).contains("no space left on device");
        assertThat(messages(voter.step(1103, new NodeEvent.Received(N2, 1, claim(5))), Vote.class))
                .hasSize(1);
        assertThat(messages(voter.step(1104, new NodeEvent.Received(N2, 1, claim(70_000))), Vote.class))
                .isEmpty();
    }

    @Test
    void decision07_votersWithAndWithoutADiskRefuseEachOther() {
        cluster.crash(N3);
        cluster.diskless(N3);
        cluster.start(N3);
        cluster.advance(3000);
        assertThat(cluster.node(N3).describe())
                .contains("n1 is configured differently: data directory of a voter none here and present at n1");
        assertThat(cluster.node(N1).describe()).contains("n3 is configured differently");
        assertThat(cluster.connections(N3)).isEmpty();
    }

    // The successor may claim only a tenure that has ended already, with the highest term it reached.
    @Test
    void decision08_tenureEndsBeforeItIsHandedOverWithItsHighestTerm() {
        int number = lead(N1);
        cluster.contend(N3, PATH);
        long raised = bump(number);
        Tenure tenure = cluster.tenure(N1, number).orElseThrow();
        List<Boolean> endedWhenSent = new ArrayList<>();
        cluster.drop(f -> {
            if (f.message() instanceof Handover) {
                endedWhenSent.add(tenure.isEnded());
            }
            return false;
        });
        cluster.step(N1, new NodeEvent.Withdraw(number));
        assertThat(endedWhenSent).isNotEmpty().doesNotContain(false);
        assertThat(seen(Handover.class).get(0).term()).isEqualTo(raised);
        cluster.await("n3 leads", 500, () -> cluster.leaders(PATH).equals(List.of(N3)));
    }

    // What was handed over too early, or never, is claimed once. Its holder alone frees the votes, so n1 leads on.
    @Test
    void decision08_handoverIsUsedForOneClaimOnly() {
        lead(N1);
        int second = cluster.contend(N2, PATH);
        cluster.advance(500);
        record();
        cluster.inject(N1, incarnation(N1), N2, new Handover(PATH, second, 0, 0));
        cluster.advance(3000);
        assertThat(seen(Claim.class).stream().filter(c -> c.number() == second).count())
                .as("sent to two voters, repeated three times, and each seen when it leaves and when it comes")
                .isBetween(4L, 16L);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
        assertThat(cluster.token(PATH)).isEqualTo(1);
    }

    @Test
    void decision11_differentConfigurationsRefuseEachOtherAndSaySo() {
        NodeSettings other = VirtualCluster.settings(N3, VOTERS);
        cluster.crash(N3);
        cluster.add(new NodeSettings("other", N3, VOTERS, other.lease(), other.timing(), other.rankOrder(), 0, false));
        cluster.start(N3);
        cluster.advance(3000);
        assertThat(cluster.connections(N3)).isEmpty();
        assertThat(cluster.node(N3).describe())
                .contains(
                        "n1 is configured differently: cluster id other here and test at n1; must be equal on all nodes");
        assertThat(cluster.node(N1).describe()).contains("supported by [n1, n2]");
    }

    @Test
    void decision11_whoHasNotSaidForMinutesThatItDiffersIsNotToldOfAndMakesRoom() {
        cluster.advance(1500);
        for (int i = 0; i < 100; i++) {
            foreignFrames(i);
        }
        assertThat(cluster.node(N1).describe())
                .contains("frames of kind 0", "frames of kind 63")
                .doesNotContain("frames of kind 64");
        cluster.advance(121_000);
        assertThat(cluster.node(N1).describe()).doesNotContain("frames of kind");
        foreignFrames(64);
        assertThat(cluster.node(N1).describe()).contains("frames of kind 64");
    }

    private void foreignFrames(int kind) {
        cluster.step(N1, new NodeEvent.ForeignFrames("kind " + kind, N3, "frames of kind " + kind));
    }

    // ---------------------------------------------------------------- a single node

    private long incarnation(NodeId node) {
        return cluster.node(node).incarnation();
    }

    private static Node startUnder(NodeId id) {
        NodeSettings settings = Contexts.of(id).settings();
        Node node = new Node(settings, new HighestUp(), new Birth(5_000_000, 0, true), (min, max) -> min);
        node.start(0);
        return node;
    }

    private static void quarantineOver(Node node, List<NodeEvent> first) {
        first.forEach(event -> node.step(1, event));
        node.step(1100, NodeEvent.Wake.INSTANCE);
    }

    private static NodeEvent heartbeatFrom(NodeId from) {
        return new NodeEvent.Received(
                from,
                1,
                new Heartbeat(
                        1,
                        0,
                        1,
                        Optional.empty(),
                        true,
                        true,
                        0,
                        Contexts.of(N1).configHash(),
                        true,
                        -1));
    }

    private static Claim claim(long term) {
        return new Claim(PATH, 1, term);
    }

    private static <T extends NodeMessage> List<T> messages(List<NodeEffect> effects, Class<T> type) {
        return effects.stream()
                .filter(NodeEffect.Send.class::isInstance)
                .map(e -> ((NodeEffect.Send) e).message())
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }
}
