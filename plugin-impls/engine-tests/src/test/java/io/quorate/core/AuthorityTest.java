package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Change.Join;
import io.quorate.core.message.DirectoryMessage.Change.Leave;
import io.quorate.core.message.DirectoryMessage.Change.Watch;
import io.quorate.core.message.DirectoryMessage.Item.Complete;
import io.quorate.core.message.DirectoryMessage.Item.Listed;
import io.quorate.core.message.DirectoryMessage.Item.Snapshot;
import io.quorate.core.message.DirectoryMessage.Item.Unlisted;
import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.DirectoryMessage.ListingsAck;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.DirectoryMessage.RegistrationsAck;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.SupportMessage.Goodbye;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.SupportMessage.Refused;
import io.quorate.core.message.VoteMessage.Challenge;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.message.VoteMessage.Nack;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.message.VoteMessage.Successor;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.message.VotersMessage.Promise;
import io.quorate.core.message.VotersMessage.Ready;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.vote.DurableTerms;
import io.quorate.core.voters.PaxosState.Accepted;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import io.quorate.testkit.simulation.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Messages that nobody should believe: n1 leads, n2 and n3 wait, and somebody lies. The watchdog of the cluster fails a
 * test at the first instant at which two lead, and when a token falls.
 */
class AuthorityTest {

    private static final String PATH = "/app/leader";
    private static final NodeId STRANGER = new NodeId("stranger");
    private static final long[] EDGES = {
        -1, 0, 1, 1L << 40, NodeMessage.NUMBER_MAX, NodeMessage.NUMBER_MAX + 1, Long.MAX_VALUE, Long.MIN_VALUE
    };

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 11, new HighestUp());
    private int first;
    private int second;

    @BeforeEach
    void n1Leads() {
        cluster.advance(1500);
        first = cluster.contend(N1, PATH);
        cluster.await("n1 leads", 1000, () -> cluster.leaders(PATH).contains(N1));
        second = cluster.contend(N2, PATH);
        cluster.contend(N3, PATH);
        cluster.advance(1000);
    }

    private long life(NodeId node) {
        return cluster.node(node).incarnation();
    }

    /** Every message, with {@code n} in each place of a number in turn. */
    private List<NodeMessage> all(long n) {
        Epoch epoch = new Epoch(n, 1);
        ContenderId id = new ContenderId(N1, n, 1);
        Optional<Epoch> none = Optional.empty();
        List<NodeMessage> all = new ArrayList<>(List.of(
                new Heartbeat(n, 0, 1, none, true, true, 0, 7, true, -1),
                new Heartbeat(1, 0, n, none, true, true, 0, 7, true, -1),
                new Heartbeat(1, 0, 1, Optional.of(epoch), true, true, 0, 7, true, -1),
                new Heartbeat(1, 0, 1, Optional.of(new Epoch(1, n)), true, true, 0, 7, true, -1),
                new Heartbeat(1, 0, 1, none, true, true, n, 7, true, -1),
                new Ack(n, 1, new Epoch(1, 1), 0, 0, Optional.empty()),
                new Ack(1, n, new Epoch(1, 1), 0, 0, Optional.empty()),
                new Ack(1, 1, epoch, 0, 0, Optional.empty()),
                new Ack(life(N1), 1, new Epoch(1, 1), n, 0, Optional.empty()),
                new Ack(life(N1), 1, new Epoch(1, 1), 0, n, Optional.of(List.of(STRANGER))),
                new Registrations(epoch, 1, List.of()),
                new Registrations(new Epoch(1, 1), n, List.of()),
                new RegistrationsAck(n),
                new ListingsAck(n)));
        for (ContenderRecord r : List.of(
                new ContenderRecord(id, "p", 1, 0, 0, 1),
                new ContenderRecord(new ContenderId(STRANGER, 1, 1), "p", n, 0, 0, 1),
                new ContenderRecord(new ContenderId(STRANGER, 1, 1), "p", 1, 0, n, 1),
                new ContenderRecord(new ContenderId(STRANGER, 1, 1), "p", 1, 0, 0, n))) {
            all.add(new Registrations(new Epoch(1, 1), 1, List.of(new Join(PATH, r, true))));
            all.add(new Listings(new Epoch(1, 1), 1, List.of(new Listed(PATH, r))));
        }
        all.addAll(List.of(
                new Listings(epoch, 1, List.of()),
                new Listings(new Epoch(1, 1), n, List.of()),
                new Listings(new Epoch(1, 1), 1, List.of(new Unlisted(PATH, id), new Complete(PATH, 1))),
                new Listings(new Epoch(1, 1), 1, List.of(new Complete(PATH, n))),
                new Listings(new Epoch(1, 1), 1, List.of(new Snapshot(PATH, n, true, List.of()))),
                new Claim(PATH, 1, n),
                new Vote(PATH, second, n, new Epoch(1, 1)),
                new Vote(PATH, second, 5, epoch),
                new Nack(PATH, second, n, 5, 0),
                new Nack(PATH, second, 1, n, 0),
                new Nack(PATH, second, 1, 1, n),
                new Release(PATH, 1, n, Optional.empty()),
                new Release(PATH, 1, 1, Optional.of(new Successor(id, 5))),
                new Release(PATH, 1, 1, Optional.of(new Successor(new ContenderId(STRANGER, 1, 1), n))),
                new Challenge(PATH, id, 5),
                new Challenge(PATH, new ContenderId(N1, life(N1), first), n),
                new Handover(PATH, second, n, 5),
                new Handover(PATH, second, 5, n),
                new Elect(n, 1, 0, 1, false, new HighestUp.Ping(1)),
                new Elect(1, n, 0, 1, false, new HighestUp.Ping(1))));
        return all;
    }

    private List<NodeMessage> others() {
        return List.of(
                new Goodbye(),
                new Refused(true, "forged"),
                new Registrations(
                        new Epoch(1, 1), 1, List.of(new Leave(PATH, 1, true, false), new Watch(PATH, true, true))),
                new Claim(PATH, -1, 5),
                new Release(PATH, -1, 5, Optional.empty()),
                new Handover(PATH, -1, 5, 5),
                new Elect(1, 1, -1, 0, false, new HighestUp.Ping(1)),
                new Elect(1, 1, 0, -1, true, new HighestUp.Ping(1)));
    }

    private long refusedBy(NodeId node, NodeId from, long incarnation, NodeMessage message) {
        long before = cluster.node(node).messagesRefused();
        cluster.inject(from, incarnation, node, message);
        return cluster.node(node).messagesRefused() - before;
    }

    private void n1LeadsOn() {
        cluster.advance(5000);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
        assertThat(cluster.token(PATH)).isEqualTo(1);
        for (NodeId node : List.of(N1, N2, N3)) {
            assertThat(cluster.failure(node)).isEmpty();
        }
    }

    @Test
    void onlyVotersAreBelievedInTheirMessages() {
        for (NodeMessage message : all(1)) {
            if (message.sender() == NodeMessage.Sender.VOTER) {
                assertThat(refusedBy(N1, STRANGER, 1_000, message))
                        .as("%s", message)
                        .isEqualTo(1);
            }
        }
        n1LeadsOn();
    }

    // Each number at each edge, from a stranger to every node: nothing stops, nothing falls.
    @Test
    void lyingStrangersHarmNobody() {
        for (long edge : EDGES) {
            for (NodeId node : List.of(N1, N2, N3)) {
                all(edge).forEach(message -> cluster.inject(STRANGER, 1_000, node, message));
                others().forEach(message -> cluster.inject(STRANGER, 1_000, node, message));
            }
            cluster.advance(500);
        }
        n1LeadsOn();
        cluster.crash(N1);
        cluster.await("another leads", 4000, () -> cluster.leader(PATH).isPresent());
        assertThat(cluster.token(PATH)).isLessThan(10);
    }

    @Test
    void numbersOutOfRangeReachNobody() {
        for (long edge : new long[] {-2, NodeMessage.NUMBER_MAX + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            for (NodeMessage message : all(edge)) {
                // The name of an election is any number.
                boolean isName = message instanceof Elect elect && elect.election() == edge;
                assertThat(Wire.carries(message)).as("%s", message).isEqualTo(isName);
            }
        }
        n1LeadsOn();
    }

    // Those that are read: an identity of a directory may be any 64 bits, and a floor needs room above it.
    @Test
    void numbersOutOfRangeAreNotBelieved() {
        List<Member> members = cluster.node(N1).voters().members();
        Round round = new Round(1, N2, life(N2));
        VoterList low = new VoterList(0, 0, List.of());
        VoterList high = new VoterList(2, VoterList.FLOOR_MAX + 1, members);
        VoterList unnamed = new VoterList(2, 0, List.of(new Member(N1, -1, Optional.empty())));
        VoterList good = new VoterList(2, 0, members);
        List<NodeMessage> wrong = new ArrayList<>(List.of(
                new Ready(1, -1, 1, 0, ""),
                new Ready(1, NodeMessage.NUMBER_MAX + 1, 1, 0, ""),
                new Promise(2, round, VoterList.FLOOR_MAX + 1, Optional.empty())));
        for (VoterList list : List.of(low, high, unnamed)) {
            wrong.add(new DecidedVoters(list));
            wrong.add(new Prepare(round, list));
            wrong.add(new Accept(round, list, good));
            wrong.add(new Accept(round, good, list));
            wrong.add(new Promise(2, round, 0, Optional.of(new Accepted(round, list))));
        }
        for (NodeMessage message : wrong) {
            assertThat(Wire.carries(message)).as("%s", message).isTrue();
            assertThat(refusedBy(N1, N2, life(N2), message)).as("%s", message).isEqualTo(1);
        }
        assertThat(refusedBy(N1, N2, 0, new Goodbye())).isEqualTo(1);
        assertThat(refusedBy(N1, N2, Long.MAX_VALUE, new Goodbye())).isEqualTo(1);
        n1LeadsOn();
    }

    @Test
    void nothingComesFromThisNode() {
        for (NodeMessage message : all(1)) {
            assertThat(refusedBy(N1, N1, life(N1) + 1, message))
                    .as("%s", message)
                    .isEqualTo(1);
            assertThat(refusedBy(N1, N1, life(N1), message)).as("%s", message).isEqualTo(1);
        }
        n1LeadsOn();
    }

    // Which life of a voter is the present one is a matter of the links; that it speaks for no other is one of its own.
    @Test
    void aVoterSpeaksOfEpochsOfItsOwnLifeOnly() {
        for (long other : new long[] {life(N2) - 1, life(N2) + 1}) {
            Epoch epoch = new Epoch(other, 1);
            for (NodeMessage message : List.of(
                    new Vote(PATH, first, 1, epoch),
                    new Ack(life(N1), 1, epoch, 0, 0, Optional.empty()),
                    new Listings(epoch, 1, List.of()))) {
                assertThat(refusedBy(N1, N2, life(N2), message))
                        .as("%s", message)
                        .isEqualTo(1);
            }
        }
        n1LeadsOn();
    }

    @Test
    void handoverThatTheLeaderDidNotSendMakesNoLeader() {
        for (NodeId liar : List.of(STRANGER, N3, N1)) {
            for (long claim = 0; claim < 6; claim++) {
                cluster.inject(liar, 1_000, N2, new Handover(PATH, second, 5, claim));
                cluster.advance(300);
                assertThat(cluster.leaders(PATH)).containsExactly(N1);
            }
        }
        n1LeadsOn();
    }

    // Its own terms only rise: one that was raised too far could not claim any more.
    @Test
    void handoverDoesNotUseTheTermsUp() {
        cluster.inject(STRANGER, 1_000, N2, new Handover(PATH, second, 5, NodeMessage.NUMBER_MAX));
        cluster.inject(STRANGER, 1_000, N2, new Handover(PATH, second, NodeMessage.NUMBER_MAX, 5));
        n1LeadsOn();
        cluster.crash(N1);
        cluster.crash(N3);
        cluster.start(N3);
        cluster.await("n2 leads", 6000, () -> cluster.leaders(PATH).contains(N2));
        assertThat(cluster.token(PATH)).isLessThan(1L << 24);
    }

    private void supported(NodeId node, long incarnation) {
        LongFunction<NodeMessage> heartbeat = sequence -> new Heartbeat(
                1, 0, sequence, Optional.empty(), true, true, NodeMessage.NUMBER_MAX, cluster.configHash(), false, -1);
        for (NodeId voter : List.of(N1, N2, N3)) {
            cluster.inject(node, incarnation, voter, heartbeat.apply(1));
        }
    }

    @Test
    void claimsDoNotUseTheTermsUp() {
        for (int i = 0; i < 50; i++) {
            supported(STRANGER, 1_000);
            for (NodeId voter : List.of(N1, N2, N3)) {
                cluster.inject(STRANGER, 1_000, voter, new Claim("/other", 1, NodeMessage.NUMBER_MAX));
                cluster.inject(STRANGER, 1_000, voter, new Claim("/other", 1, 1L << 39));
            }
            cluster.advance(20);
        }
        cluster.advance(3000);
        int number = cluster.contend(N3, "/other");
        cluster.await("n3 leads", 4000, () -> cluster.leaders("/other").contains(N3));
        assertThat(cluster.tenure(N3, number).orElseThrow().token()).isLessThan(1L << 24);
        n1LeadsOn();
    }

    // Of 20,000 heartbeats with rising terms, each was a write to the disk.
    @Test
    void oneWriteIsUnderWayAtATime() {
        NodeSettings settings = Contexts.of(N1).settings();
        Node node = new Node(settings, new HighestUp(), new Birth(5_000_000, 0, true), (min, max) -> min);
        List<NodeEffect> effects = new ArrayList<>(node.start(0));
        for (int i = 1; i <= 20_000; i++) {
            effects.addAll(node.step(
                    1,
                    new NodeEvent.Received(
                            N2,
                            1,
                            new Heartbeat(
                                    1,
                                    0,
                                    i,
                                    Optional.empty(),
                                    true,
                                    true,
                                    (long) i << 20,
                                    Contexts.of(N1).configHash(),
                                    true,
                                    -1))));
        }
        assertThat(effects)
                .filteredOn(NodeEffect.ReserveTerms.class::isInstance)
                .hasSize(1);
        effects = node.step(2, new NodeEvent.TermsReserved(DurableTerms.BLOCK));
        assertThat(effects)
                .filteredOn(NodeEffect.ReserveTerms.class::isInstance)
                .containsExactly(new NodeEffect.ReserveTerms((20_000L << 20) + DurableTerms.BLOCK));
    }
}
