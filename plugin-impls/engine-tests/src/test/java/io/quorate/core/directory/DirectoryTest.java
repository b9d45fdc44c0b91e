package io.quorate.core.directory;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static io.quorate.core.Contexts.VOTERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Change.Join;
import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.DirectoryMessage.RegistrationsAck;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.SupportMessage.Refused;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.support.SupportGiven;
import io.quorate.engine.Connection;
import io.quorate.engine.Epoch;
import io.quorate.engine.PathView;
import io.quorate.spi.NodeId;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The directory of contenders: what the voters list, and what each node is told of it. */
class DirectoryTest {

    private static final String PATH = "/app/leader";
    private static final NodeId STRANGER = new NodeId("stranger");

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 21, new HighestUp());

    private int lead(NodeId node) {
        cluster.advance(1500);
        int number = cluster.contend(node, PATH);
        cluster.await(node + " leads", 1000, () -> cluster.leaders(PATH).contains(node));
        return number;
    }

    private List<NodeId> listed(NodeId at) {
        return cluster.view(at, PATH)
                .map(view ->
                        view.contenders().stream().map(PathView.Entry::node).toList())
                .orElse(List.of());
    }

    private Optional<NodeId> leaderAt(NodeId at) {
        return cluster.view(at, PATH).flatMap(PathView::leader).map(PathView.Entry::node);
    }

    // Its notLeader callback runs, say: it sees who leads, and may complete a transfer.
    @Test
    void contenderThatIsOutSeesLeaderAndDepartures() {
        cluster.holdsBack(N1);
        int number = lead(N1);
        int second = cluster.contend(N2, PATH);
        cluster.advance(100);
        int third = cluster.contend(N3, PATH);
        cluster.advance(1000);
        cluster.resign(N1, number);
        cluster.await("n2 leads", 1000, () -> cluster.leaders(PATH).contains(N2));
        cluster.advance(20);
        assertThat(leaderAt(N1)).contains(N2);
        cluster.withdraw(N3, third);
        cluster.advance(20);
        assertThat(listed(N1)).containsExactly(N2);
        cluster.withdraw(N2, second);
        cluster.advance(20);
        assertThat(listed(N1)).isEmpty();
        cluster.step(N1, new NodeEvent.Rejoin(number));
        cluster.await("n1 leads again", 1000, () -> cluster.leaders(PATH).contains(N1));
        assertThat(listed(N1)).as("no ghosts").containsExactly(N1);
    }

    // With no loss at all, half of them had no leader a minute later: each node took one that had left for the leader.
    @Test
    void manyPathsResignedAtOnceAreAllLedAgain() {
        int paths = Effort.of(1500, 600);
        cluster.advance(1500);
        Map<Integer, NodeId> contenders = new TreeMap<>();
        for (int i = 0; i < paths; i++) {
            for (int n = 0; n < 3; n++) {
                NodeId node = VOTERS.get((i + n) % 3);
                contenders.put(cluster.contend(node, "/many/" + i), node);
            }
        }
        cluster.advance(6000);
        for (int round = 0; round < 3; round++) {
            contenders.forEach((number, node) -> {
                if (cluster.tenure(node, number).isPresent()) {
                    cluster.resign(node, number);
                }
            });
            cluster.advance(4000);
            for (int i = 0; i < paths; i++) {
                String path = "/many/" + i;
                assertThat(cluster.leaders(path)).as(path).hasSize(1);
                for (NodeId node : VOTERS) {
                    PathView view = cluster.view(node, path).orElseThrow();
                    assertThat(view.leader().map(PathView.Entry::node))
                            .as("%s at %s", path, node)
                            .isEqualTo(cluster.leader(path));
                    assertThat(view.contenders()).as("%s at %s", path, node).hasSize(3);
                }
            }
        }
    }

    // One lost batch, and an hour later still nobody led.
    @Test
    void listsAreRightAgainAfterWhateverWasLost() {
        for (int seed = 0; seed < 40; seed++) {
            VirtualCluster lossy = VirtualCluster.ofVoters(3, seed, new HighestUp());
            lossy.advance(1500);
            List<Integer> numbers = new ArrayList<>();
            VOTERS.forEach(node -> numbers.add(lossy.contend(node, PATH)));
            lossy.advance(1000);
            int[] count = {seed};
            lossy.drop(f -> (f.message() instanceof Listings
                            || f.message() instanceof Registrations
                            || f.message() instanceof RegistrationsAck
                            || f.message() instanceof Release
                            || f.message() instanceof Handover)
                    && ++count[0] % 3 == 0);
            for (int turn = 0; turn < 12; turn++) {
                int who = (turn + seed) % 3;
                NodeId node = VOTERS.get(who);
                if (lossy.tenure(node, numbers.get(who)).isPresent()) {
                    lossy.resign(node, numbers.get(who));
                } else {
                    lossy.withdraw(node, numbers.get(who));
                    numbers.set(who, lossy.contend(node, PATH));
                }
                lossy.advance(7 * seed % 50);
            }
            lossy.heal();
            lossy.advance(4000);
            assertThat(lossy.leaders(PATH))
                    .as("seed %d\n%s", seed, lossy.describe())
                    .hasSize(1);
            for (NodeId node : VOTERS) {
                PathView view = lossy.view(node, PATH).orElseThrow();
                assertThat(view.contenders()).as("seed %d at %s", seed, node).hasSize(3);
                assertThat(view.leader().map(PathView.Entry::node))
                        .as("seed %d at %s", seed, node)
                        .isEqualTo(lossy.leader(PATH));
            }
        }
    }

    // Nobody claims the path any more, so nobody would ever find out that the vote is needed by nobody.
    @Test
    void goneContenderDoesNotHoldAVote() {
        cluster.advance(1500);
        for (int i = 0; i < 100; i++) {
            String path = "/short/" + i;
            int number = cluster.contend(N1, path);
            cluster.await("n1 leads", 1000, () -> cluster.leaders(path).contains(N1));
            cluster.drop(f -> f.message() instanceof Release);
            cluster.withdraw(N1, number);
            cluster.advance(5);
            cluster.heal();
        }
        cluster.advance(1000);
        for (NodeId node : VOTERS) {
            assertThat(cluster.node(node).pageCount()).as("pages of %s", node).isZero();
        }
    }

    private void strangerIsSupported(NodeId stranger, boolean isNew) {
        for (NodeId voter : VOTERS) {
            cluster.inject(
                    stranger,
                    1_000,
                    voter,
                    new Heartbeat(1, 0, 1, Optional.empty(), true, true, 0, cluster.configHash(), false, -1));
        }
    }

    // 60,000 claims of long paths filled the heap. The votes run out with the stranger's support, and so do the pages.
    @Test
    void claimsWithoutARegistrationAreFew() {
        cluster.advance(1500);
        strangerIsSupported(STRANGER, true);
        for (int i = 0; i < 5_000; i++) {
            cluster.inject(STRANGER, 1_000, N1, new Claim(longPath(i), 1, 1));
        }
        assertThat(cluster.node(N1).pageCount()).isEqualTo(ContenderDirectory.NAMES_AHEAD_MAX / LONG);
        int number = lead(N2);
        assertThat(cluster.tenure(N2, number)).as("nobody else is hindered").isPresent();
        cluster.advance(3000);
        assertThat(cluster.node(N1).pageCount()).isEqualTo(1);
    }

    private static final int LONG = 2_000;

    private static String longPath(int number) {
        return "/" + String.format("%0" + (LONG - 1) + "d", number);
    }

    /** Of the stranger, in the epoch in which the voter supports it. */
    private void register(NodeId voter, Epoch epoch, long batch, String path, int number) {
        ContenderId id = new ContenderId(STRANGER, 1_000, number);
        cluster.inject(
                STRANGER,
                1_000,
                voter,
                new Registrations(
                        epoch, batch, List.of(new Join(path, new ContenderRecord(id, "s", 1, 0, 0, batch), false))));
    }

    @Test
    void namesOfOneNodeHaveABudgetAndWhoeverExceedsItIsTold() {
        cluster.advance(1500);
        List<NodeMessage> answers = new ArrayList<>();
        List<Epoch> epochs = new ArrayList<>();
        cluster.network(f -> {
            if (f.to().equals(STRANGER) && f.message() instanceof NodeMessage message) {
                answers.add(message);
            }
            if (f.to().equals(STRANGER) && f.from().equals(N1) && f.message() instanceof Ack ack) {
                epochs.add(ack.epoch());
            }
        });
        strangerIsSupported(STRANGER, true);
        int fits = ContenderDirectory.NAMES_PER_NODE_MAX / (LONG + 1);
        for (int i = 1; i <= fits + 50; i++) {
            if (i % 1000 == 0) {
                strangerIsSupported(STRANGER, false);
            }
            register(N1, epochs.get(0), i, longPath(i), i);
        }
        assertThat(cluster.node(N1).pageCount()).isBetween(fits - 1, fits);
        assertThat(answers)
                .filteredOn(Refused.class::isInstance)
                .isNotEmpty()
                .allMatch(m -> !((Refused) m).isOfSupport()
                        && ((Refused) m).reason().contains("" + ContenderDirectory.NAMES_PER_NODE_MAX));
        cluster.advance(2000);
        assertThat(cluster.node(N1).pageCount()).as("its support has run out").isZero();
    }

    // Room for the path and its first contender, and one character: that it leads then needs no room, and whoever found
    // none is registered when there is some, also where the voter lists the path already.
    @Test
    void atTheEndOfTheBudgetWhatIsListedChangesAndTheRestFollows() {
        cluster.advance(1500);
        int left = ContenderDirectory.NAMES_PER_NODE_MAX
                - PATH.length()
                - N1.value().length()
                - 1;
        for (int i = 0; i < left / LONG; i++) {
            watch(longPath(i), true);
        }
        watch("/" + "x".repeat(left % LONG - 1), true);
        cluster.advance(8000);
        int number = cluster.contend(N1, PATH);
        cluster.contend(N2, PATH);
        cluster.await("n1 leads", 4000, () -> cluster.leaders(PATH).contains(N1));
        cluster.advance(1000);
        assertThat(leaderAt(N2)).contains(N1);
        int second = cluster.contend(N1, PATH);
        cluster.advance(4000);
        assertThat(listed(N2)).containsExactly(N1, N2);
        assertThat(cluster.node(N1).explain(second).reason())
                .contains(
                        " leads with token ",
                        "; it is joining: ",
                        "; voter n1 does not list all of this node: the names of a node");
        assertThat(cluster.node(N1).describe()).contains("not all listed by n2: the names of a node");
        watch(longPath(10_000), true);
        cluster.advance(4000);
        assertThat(cluster.view(N1, longPath(10_000))).isEmpty();
        watch(longPath(0), false);
        watch(longPath(1), false);
        cluster.await("the second is listed", 4000, () -> listed(N2).equals(List.of(N1, N2, N1)));
        cluster.await("the path is told of", 4000, () -> cluster.view(N1, longPath(10_000))
                .isPresent());
        assertThat(cluster.tenure(N1, number)).isPresent();
    }

    private void watch(String path, boolean wanted) {
        cluster.step(N1, new NodeEvent.WatchPath(path, wanted));
    }

    // A voter tells of a leader only what its own vote bears out.
    @Test
    void leaderClaimWithoutVotesIsNotBelieved() {
        lead(N1);
        cluster.contend(N2, PATH);
        cluster.advance(500);
        List<Epoch> epochs = new ArrayList<>();
        cluster.network(f -> {
            if (f.to().equals(STRANGER) && f.message() instanceof Ack ack) {
                epochs.add(ack.epoch());
            }
        });
        strangerIsSupported(STRANGER, true);
        for (int v = 0; v < 3; v++) {
            ContenderId id = new ContenderId(STRANGER, 1_000, 1);
            cluster.inject(
                    STRANGER,
                    1_000,
                    VOTERS.get(v),
                    new Registrations(
                            epochs.get(v),
                            1,
                            List.of(new Join(PATH, new ContenderRecord(id, "s", 1, 0, 1L << 50, 1), true))));
        }
        cluster.advance(100);
        assertThat(listed(N2)).contains(STRANGER);
        for (NodeId node : List.of(N1, N2)) {
            assertThat(leaderAt(node)).contains(N1);
        }
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
        cluster.crash(N1);
        cluster.await("n2 leads", 4000, () -> cluster.leaders(PATH).contains(N2));
        assertThat(cluster.token(PATH)).isLessThan(10);
    }

    // Pods with changing names reach that without any attacker: after 512 of them nobody new was supported, in silence.
    @Test
    void nodesThatDieWithoutAGoodbyeMakeRoom() {
        cluster.advance(1500);
        List<NodeMessage> refusals = new ArrayList<>();
        cluster.network(f -> {
            if (f.message() instanceof Refused refused) {
                refusals.add(refused);
            }
        });
        for (int i = 0; i < 5_000; i++) {
            strangerIsSupported(new NodeId("pod-" + i), true);
            cluster.advance(30);
        }
        assertThat(refusals).isEmpty();
        assertThat(cluster.node(N1).nodesKnown()).isLessThan(SupportGiven.NODES_MAX);
        cluster.crash(N3);
        cluster.advance(500);
        cluster.start(N3);
        cluster.advance(3000);
        assertThat(cluster.node(N3).connection()).isEqualTo(Connection.CONNECTED);
    }

    @Test
    void refusedNodeIsToldAndVotersAlwaysHaveRoom() {
        cluster.advance(1500);
        cluster.crash(N3);
        cluster.advance(12_000);
        List<NodeMessage> refusals = new ArrayList<>();
        cluster.network(f -> {
            if (f.message() instanceof Refused refused) {
                refusals.add(refused);
            }
        });
        for (int i = 0; i < SupportGiven.NODES_MAX + 1; i++) {
            strangerIsSupported(new NodeId("pod-" + i), true);
        }
        assertThat(refusals).as("by the two voters that are there").hasSize(2).allMatch(r -> ((Refused) r)
                .reason()
                .contains("512 nodes"));
        cluster.start(N3);
        cluster.advance(3000);
        assertThat(cluster.node(N3).connection()).isEqualTo(Connection.CONNECTED);
    }

    // A round trip of 120 ms is longer than a batch is waited for at first, which is 80 ms.
    @Test
    void slowLinksDelayTheDirectoryAndDoNotStopIt() {
        VirtualCluster slow = VirtualCluster.ofVoters(3, 5, new HighestUp());
        slow.delays(60_000, 60_001);
        slow.advance(3000);
        for (int path = 0; path < 500; path++) {
            slow.contend(N1, "/a/path/with/a/long/name/number/" + path);
        }
        slow.advance(20_000);
        long led = IntStream.range(0, 500)
                .filter(path ->
                        slow.leader("/a/path/with/a/long/name/number/" + path).isPresent())
                .count();
        assertThat(led).isEqualTo(500);
    }
}
