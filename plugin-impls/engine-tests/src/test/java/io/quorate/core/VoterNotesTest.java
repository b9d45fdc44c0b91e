package io.quorate.core;

import static io.quorate.core.ChangingCluster.node;
import static io.quorate.core.ChangingCluster.nodes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Configuration;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.Acceptance;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What n3 logs and answers while others come to vote: each event once. n1 to n3 vote at first. */
class VoterNotesTest {

    private static final long SECOND = 1_000_000_000;
    private static final long STORE = 73;

    private final List<String> notes = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    private final List<PaxosState> writes = new ArrayList<>();
    private final Node node = nodeOf(VirtualCluster.settings(node(3), nodes(1, 2, 3)), Optional.empty());
    private long now;

    private static Node nodeOf(NodeSettings settings, Optional<PaxosState> paxos) {
        return new Node(settings, new HighestUp(), new Birth(1, 0, true, STORE, paxos), (min, max) -> min);
    }

    /** Of each voter n the directory 70 + n. */
    private static VoterList list(long number, int... voters) {
        return new VoterList(
                number,
                0,
                IntStream.of(voters)
                        .mapToObj(n -> new Member(node(n), 70 + n, Optional.empty()))
                        .toList());
    }

    private void take(List<NodeEffect> effects) {
        for (NodeEffect effect : effects) {
            if (effect instanceof NodeEffect.Note note) {
                notes.add((note.isWarning() ? "WARN " : "INFO ") + note.text());
            } else if (effect instanceof NodeEffect.ChangeEnded ended) {
                ends.add(ended.failure().map(Throwable::getMessage).orElse("done"));
            } else if (effect instanceof NodeEffect.StorePaxosState store) {
                writes.add(store.paxos());
            } else if (effect instanceof NodeEffect.ReserveTerms terms) {
                step(new NodeEvent.TermsReserved(terms.upTo()));
            }
        }
    }

    private void step(NodeEvent event) {
        take(node.step(now, event));
    }

    private void hears(int from, NodeMessage message) {
        step(new NodeEvent.Received(node(from), 1, message));
    }

    private void start() {
        take(node.start(now));
        for (int i = 0; i < 6; i++) {
            now += SECOND / 2;
            step(NodeEvent.Wake.INSTANCE);
        }
    }

    private void ask(NodeId... wanted) {
        Map<NodeId, Optional<HostAndPort>> voters = new TreeMap<>();
        for (NodeId each : wanted) {
            voters.put(each, Optional.empty());
        }
        step(new NodeEvent.ChangeVoters(1, node.voters().number(), voters));
    }

    @Test
    void joinedAndRemovedVotersAreLoggedOnce() {
        start();
        hears(1, new DecidedVoters(list(2, 1, 2, 3, 4)));
        hears(1, new DecidedVoters(list(3, 2, 3, 4)));
        hears(2, new DecidedVoters(list(3, 2, 3, 4)));
        hears(2, new DecidedVoters(list(4, 2, 4)));
        assertThat(notes)
                .containsExactly(
                        "INFO voters are number 2: [n1, n2, n3, n4]; [n4] joined",
                        "INFO voters are number 3: [n2, n3, n4]; [n1] left",
                        "INFO voters are number 4: [n2, n4]; [n3] left",
                        "INFO this node no longer votes; it still contends");
    }

    @Test
    void aDirectoryThatTheListDoesNotNameIsSaidAtTheSwitchAndAtTheStart() {
        VoterList other = new VoterList(2, 0, List.of(new Member(node(3), 99, Optional.empty())));
        String unnamed = "WARN number 2: [n3] does not name the data directory of this node: it does not vote. Ask for"
                + " the same voters again to take it in";
        start();
        hears(1, new DecidedVoters(other));
        assertThat(notes).contains(unnamed);
        assertThat(node.describe()).contains("does not vote, because number 2: [n3] does not name its data directory");
        notes.clear();
        take(nodeOf(VirtualCluster.settings(node(3), nodes(1, 2, 3)), Optional.of(PaxosState.at(other)))
                .start(now));
        assertThat(notes).containsExactly(unnamed);
    }

    @Test
    void aDiskThatFailsIsSaidOnceAndThatItWorksAgain() {
        start();
        hears(1, new DecidedVoters(list(2, 1, 2, 3, 4)));
        notes.clear();
        for (int i = 0; i < 3; i++) {
            step(new NodeEvent.PaxosStateFailed("no space left"));
            now += SECOND;
            step(NodeEvent.Wake.INSTANCE);
        }
        step(new NodeEvent.PaxosStateStored(writes.get(writes.size() - 1)));
        assertThat(notes.stream().filter(note -> note.contains("the voter list")))
                .containsExactly(
                        "WARN cannot store the voter list; refusing to take part in voter changes: no" + " space left",
                        "INFO can store the voter list again");
    }

    @Test
    void anotherListUnderTheSameNumberIsSaidOnce() {
        start();
        hears(1, new DecidedVoters(list(2, 1, 2, 3, 4)));
        notes.clear();
        Heartbeat heartbeat = new Heartbeat(2, 4711, 1, Optional.empty(), true, true, 0, 7, true, -1);
        for (int i = 0; i < 3; i++) {
            hears(1, heartbeat);
        }
        assertThat(notes)
                .containsExactly(
                        "WARN node n1 has another list of voters under number 2, so this node does not support it. Two data"
                                + " directories were forced apart, or restored: stop all nodes of the list that is not wanted,"
                                + " and start them with empty data directories and joins(true)");
    }

    // In every change some are told before others.
    @Test
    void aHigherNumberOfWhichNoVoterTellsIsSaidWhenItLasts() {
        start();
        notes.clear();
        Heartbeat heartbeat = new Heartbeat(2, 4711, 1, Optional.empty(), true, true, 0, 7, true, -1);
        for (int i = 0; i < 20; i++) {
            hears(9, heartbeat);
            now += SECOND;
        }
        assertThat(notes)
                .containsExactly(
                        "WARN node n9 goes by voters of number 2, and this node goes by number 1: [n1, n2, n3]:"
                                + " too few voters have told it that. It is not supported. Start one of these voters that knows"
                                + " the later list. If all were replaced, stop this node, and run \"quorate voters adopt\" for"
                                + " its data directory, or correct its settings");
    }

    // n1 has proposed it, and neither it nor n2 is heard any more.
    @Test
    void changeThatCannotCompleteIsLogged() {
        start();
        notes.clear();
        VoterList base = node.voters();
        hears(1, new Accept(new Round(1, node(1), 1), base, list(2, 1, 2, 3, 4)));
        step(new NodeEvent.PaxosStateStored(writes.get(writes.size() - 1)));
        for (int i = 0; i < 200; i++) {
            now += SECOND / 10;
            step(NodeEvent.Wake.INSTANCE);
        }
        assertThat(notes.stream().filter(note -> note.contains("left open")))
                .containsExactly(
                        "WARN number 2: [n1, n2, n3, n4] was proposed and left open. It comes into force when a"
                                + " majority of [n1, n2, n3] and one of [n1, n2, n3, n4] answer, and now [n3] do: bring the"
                                + " others back");
    }

    // It was under way when its sender left.
    @Test
    void messagesOfAFormerVoterAreNotWarnings() {
        start();
        hears(1, new DecidedVoters(list(2, 2, 3)));
        notes.clear();
        Vote late = new Vote("/p", 1, 1, new Epoch(1, 1));
        hears(1, late);
        assertThat(notes).isEmpty();
        now += 3 * SECOND;
        hears(1, late);
        assertThat(notes).containsExactly("WARN Vote of n1 (incarnation 1) is not believed: it is for voters to send");
    }

    @Test
    void settingsThatContradictAChangeThatWasBegunDoNotStart() {
        PaxosState begun = PaxosState.at(VoterList.first(nodes(1, 2, 3))).promise(2, new Round(1, node(1), 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> nodeOf(VirtualCluster.settings(node(3), nodes(3, 4)), Optional.of(begun)))
                .withMessage("voters [n3, n4]: a change of the voters [n1, n2, n3] was begun, and the data directory"
                        + " holds its state. Start with these voters");
    }

    @Test
    void ignoredNodeLearnsWhomToAsk() {
        Node newcomer = nodeOf(VirtualCluster.settings(node(9), nodes(1, 2, 3)).joining(), Optional.empty());
        take(newcomer.start(0));
        take(newcomer.step(1, new NodeEvent.Received(node(1), 1, new DecidedVoters(list(2, 1, 2)))));
        take(newcomer.step(1, new NodeEvent.Received(node(2), 1, new DecidedVoters(list(2, 1, 2)))));
        take(newcomer.step(
                2, new NodeEvent.ChangeVoters(1, 2, Map.of(node(1), Optional.empty(), node(9), Optional.empty()))));
        assertThat(ends)
                .containsExactly("this node does not vote, so the others would" + " not listen. Ask a voter: [n1, n2]");
    }

    @Test
    void aChangeThatIsUnderWayEndsWithItsNode() {
        start();
        ask(node(1), node(3));
        step(new NodeEvent.Close());
        while (!node.isStopped()) {
            step(new NodeEvent.Close());
        }
        assertThat(ends).containsExactly("this node has stopped");
    }

    // All have accepted, and the node does not hear of it: so may the list come into force all the same.
    @Test
    void aChangeThatMayHaveBeenMadeIsUnknownWhenItsNodeEnds() {
        ChangingCluster nodes = new ChangingCluster(7);
        VirtualCluster cluster = nodes.cluster;
        nodes.start(3, 3);
        cluster.drop(
                flight -> flight.message() instanceof Acceptance && flight.to().equals(node(1)));
        boolean[] isAccepted = {false};
        cluster.network(flight -> isAccepted[0] |= flight.message() instanceof Acceptance);
        cluster.changeVoters(node(1), 1, ChangingCluster.nodes(1, 2));
        cluster.await("accepted", 20_000, () -> isAccepted[0]);
        cluster.step(node(1), new NodeEvent.Close());
        cluster.advance(20);
        assertThat(cluster.changes(node(1)))
                .containsExactly("number 2 as [n1, n2] was proposed and not confirmed before this node stopped: it may"
                        + " come into force by itself, with the next change, or never. Ask again with the same list");
        cluster.crash(node(1));
        cluster.heal();
        cluster.advance(2000);
        // Whoever comes next finds it.
        nodes.change(2, 2, 3);
        assertThat(nodes.number(2)).isGreaterThan(1);
    }

    // The last question is whether a directory is lost: it takes a while where a voter is away.
    @Test
    void aChangeThatIsInForceIsDoneWhenItsNodeEnds() {
        ChangingCluster changing = new ChangingCluster(7);
        VirtualCluster cluster = changing.cluster;
        changing.start(3, 5);
        assertThat(changing.change(1, 1, 2)).isEqualTo("done");
        assertThat(changing.change(1, 1, 2, 3)).isEqualTo("done");
        cluster.crash(node(3));
        cluster.advance(3000);
        cluster.changeVoters(node(1), 3, nodes(1, 2, 3, 4));
        cluster.await(
                "number 4", 20_000, () -> List.of(1, 2, 4).stream().allMatch(number -> changing.number(number) == 4));
        cluster.advance(300);
        assertThat(cluster.changes(node(1))).hasSize(2);
        cluster.process(node(1)).shutdown();
        cluster.advance(100);
        assertThat(cluster.changes(node(1))).hasSize(3).containsOnly("done");
    }

    // Sent by a node that did not know the newer list yet.
    @Test
    void votersOfAFormerListAreNoDifference() {
        ChangingCluster changing = new ChangingCluster(7);
        VirtualCluster cluster = changing.cluster;
        changing.start(3, 3);
        assertThat(changing.change(1, 1, 2)).isEqualTo("done");
        Configuration former =
                new Configuration("test", nodes(1, 2, 3), 1_000_000_000L, 10, true, "other", RankOrder.JOIN_ORDER);
        cluster.inject(node(2), cluster.incarnation(node(2)), node(1), former);
        assertThat(cluster.node(node(1)).describe()).contains("algorithm").doesNotContain("must be equal");
    }
}
