package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static io.quorate.core.Contexts.VOTERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.engine.Connection;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * When heartbeats leave, who wants to be answered at once, and what the others' acknowledgements leave with. Three
 * voters in virtual time, default times: heartbeat 200 ms, support 1000 ms, at most 1 ms on the way.
 */
class HeartbeatsTest {

    private static final String PATH = "/app/leader";
    private static final NodeId OBSERVER = new NodeId("o1");
    private static final long MILLI = 1_000_000;
    private static final long HEARTBEAT = 200 * MILLI;

    /** A message, and when it was sent. */
    private record Sent(long at, NodeId from, NodeId to, NodeMessage message) {

        boolean isWithin(long nanos, Sent other) {
            return other.at <= at && at - other.at <= nanos;
        }
    }

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 42, new HighestUp());
    private final Set<Flight> known = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Sent> sent = new ArrayList<>();

    /** Forgets what was sent so far, and lets time pass. */
    private void watch(long millis) {
        sent.clear();
        cluster.drop(flight -> {
            // It is asked again when the message arrives.
            if (known.add(flight) && flight.message() instanceof NodeMessage message) {
                sent.add(new Sent(now(), flight.from(), flight.to(), message));
            }
            return false;
        });
        cluster.advance(millis);
    }

    private long now() {
        return cluster.clock(N1).nanoTime();
    }

    private List<Sent> sent(NodeId from, NodeId to, Class<? extends NodeMessage> type) {
        List<Sent> found = sent.stream()
                .filter(s -> s.from.equals(from) && s.to.equals(to) && type.isInstance(s.message))
                .toList();
        assertThat(found).as("%s from %s to %s", type.getSimpleName(), from, to).isNotEmpty();
        return found;
    }

    private static boolean isUrgent(Sent heartbeat) {
        return ((Heartbeat) heartbeat.message).urgent();
    }

    /** All voters contend, and this one leads. */
    private void leadBy(NodeId leader) {
        cluster.advance(1500);
        cluster.contend(leader, PATH);
        cluster.await("a leader", 1000, () -> cluster.leaders(PATH).equals(List.of(leader)));
        VOTERS.stream().filter(voter -> !voter.equals(leader)).forEach(voter -> cluster.contend(voter, PATH));
        // Between two heartbeats.
        cluster.advance(2050);
    }

    private void addObserver() {
        cluster.add(VirtualCluster.settings(OBSERVER, VOTERS));
        cluster.start(OBSERVER);
    }

    // ---------------------------------------------------------------- who wants to be answered at once

    @Test
    void leaderWantsToBeAnsweredAtOnceAndWhoWaitsDoesNot() {
        leadBy(N2);
        watch(3000);
        assertThat(sent(N2, N1, Heartbeat.class)).allMatch(HeartbeatsTest::isUrgent);
        assertThat(sent(N1, N2, Heartbeat.class)).noneMatch(HeartbeatsTest::isUrgent);
        assertThat(sent(N1, N3, Heartbeat.class)).noneMatch(HeartbeatsTest::isUrgent);
    }

    @Test
    void claimingNodeAsksForImmediateAnswers() {
        cluster.advance(3000);
        cluster.drop(flight -> flight.message() instanceof Vote);
        cluster.contend(N1, PATH);
        watch(3000);
        assertThat(sent(N1, N2, Heartbeat.class)).anyMatch(HeartbeatsTest::isUrgent);
        assertThat(cluster.leaders(PATH)).isEmpty();
    }

    // It cannot know whether support is all it lacks; and nobody else leads a cluster that starts.
    @Test
    void nodeWithoutAMajorityAsksForImmediateAnswers() {
        watch(900);
        assertThat(sent(N1, N2, Heartbeat.class)).allMatch(HeartbeatsTest::isUrgent);
    }

    // The majority depends on each of those that are left.
    @Test
    void whileAVoterIsMissingAllWantToBeAnsweredAtOnce() {
        leadBy(N2);
        cluster.crash(N3);
        cluster.advance(3 * 200 + 200);
        watch(1000);
        assertThat(sent(N1, N2, Heartbeat.class)).allMatch(HeartbeatsTest::isUrgent);
    }

    @Test
    void nodeMissingAnAcknowledgementAsksForImmediateAnswers() {
        leadBy(N2);
        cluster.drop(flight -> flight.message() instanceof Ack
                && flight.from().equals(N3)
                && flight.to().equals(N1));
        cluster.advance(3 * 200);
        watch(1000);
        assertThat(sent(N1, N3, Heartbeat.class)).allMatch(HeartbeatsTest::isUrgent);
        assertThat(sent(N1, N2, Heartbeat.class)).noneMatch(HeartbeatsTest::isUrgent);
    }

    // ---------------------------------------------------------------- what acknowledgements leave with

    @Test
    void waitingVoterIsAnsweredWithTheNextHeartbeat() {
        leadBy(N2);
        watch(3000);
        for (NodeId to : List.of(N1, N3)) {
            List<Sent> heartbeats = sent(N2, to, Heartbeat.class);
            assertThat(sent(N2, to, Ack.class))
                    .allMatch(ack -> heartbeats.stream().anyMatch(h -> h.at == ack.at));
        }
    }

    // The first of them with a heartbeat, the second although that has just left.
    @Test
    void leadersAreAnsweredAtOnce() {
        leadBy(N2);
        cluster.contend(N3, "/other");
        cluster.advance(2000);
        watch(3000);
        for (NodeId leader : List.of(N2, N3)) {
            List<Sent> heartbeats = sent(leader, N1, Heartbeat.class);
            assertThat(sent(N1, leader, Ack.class))
                    .allMatch(isSoonAfter(heartbeats))
                    .hasSizeBetween(14, 16);
        }
    }

    // Its voters send it no heartbeats with which an acknowledgement could leave.
    @Test
    void contenderThatDoesNotVoteIsAnsweredImmediately() {
        addObserver();
        leadBy(N2);
        watch(3000);
        List<Sent> heartbeats = sent(OBSERVER, N1, Heartbeat.class);
        assertThat(heartbeats).noneMatch(HeartbeatsTest::isUrgent);
        assertThat(sent(N1, OBSERVER, Ack.class))
                .allMatch(isSoonAfter(heartbeats))
                .hasSizeBetween(14, 16);
    }

    // ---------------------------------------------------------------- when they leave

    @Test
    void heartbeatsOfThoseWhoWaitLeaveWithTheAnswerToTheLeader() {
        leadBy(N2);
        watch(3000);
        for (NodeId from : List.of(N1, N3)) {
            List<Sent> answers = sent(from, N2, Ack.class);
            for (NodeId to : VOTERS) {
                if (!to.equals(from)) {
                    assertThat(sent(from, to, Heartbeat.class))
                            .hasSizeBetween(14, 16)
                            .allMatch(h -> answers.stream().anyMatch(ack -> ack.at == h.at));
                }
            }
        }
    }

    // Of two that want to be answered at once, the first voter sets the pace.
    @Test
    void secondLeaderFallsIntoStepToo() {
        leadBy(N2);
        cluster.contend(N3, "/other");
        cluster.advance(2000);
        watch(3000);
        assertThat(cluster.leaders("/other")).containsExactly(N3);
        assertThat(gaps(sent(N2, N1, Heartbeat.class))).allMatch(gap -> gap == HEARTBEAT);
        assertThat(sent(N3, N1, Heartbeat.class))
                .allMatch(HeartbeatsTest::isUrgent)
                .allMatch(isSoonAfter(sent(N2, N3, Heartbeat.class)));
    }

    // Two leaders ask for an answer; nobody sends a second heartbeat because of the second question.
    @Test
    void nobodySendsTwiceInHalfAPeriod() {
        leadBy(N2);
        cluster.contend(N3, "/other");
        cluster.advance(1000);
        watch(3000);
        for (NodeId from : VOTERS) {
            NodeId to = from.equals(N1) ? N2 : N1;
            assertThat(gaps(sent(from, to, Heartbeat.class))).allMatch(gap -> gap >= HEARTBEAT / 2);
        }
    }

    // Of those there may be hundreds, each with a time of its own.
    @Test
    void onlyVotersSetThePace() {
        addObserver();
        cluster.advance(2000);
        cluster.contend(OBSERVER, PATH);
        cluster.advance(2000);
        watch(3000);
        assertThat(sent(OBSERVER, N1, Heartbeat.class)).allMatch(HeartbeatsTest::isUrgent);
        assertThat(gaps(sent(N1, N2, Heartbeat.class))).allMatch(gap -> gap == HEARTBEAT);
    }

    @Test
    void whileAVoterIsMissingNobodyWaitsForAnother() {
        leadBy(N2);
        cluster.crash(N3);
        cluster.advance(1000);
        watch(3000);
        assertThat(gaps(sent(N1, N2, Heartbeat.class))).allMatch(gap -> gap == HEARTBEAT);
    }

    @Test
    void withoutALeaderTheOthersGoOnByThemselves() {
        leadBy(N2);
        watch(300);
        cluster.crash(N2);
        cluster.advance(850);
        assertThat(gaps(sent(N1, N3, Heartbeat.class)))
                .hasSizeGreaterThanOrEqualTo(5)
                .allMatch(gap -> gap <= HEARTBEAT + HEARTBEAT / 8);
        assertThat(cluster.leaders(PATH)).isEmpty();
        assertThat(cluster.connections(N1)).containsExactly(Connection.CONNECTED);
    }

    // An outage that is longer than the suspicion and shorter than the lease: a whole period might be too long then.
    @Test
    void suspendedNodeAsksOften() {
        for (int millis = 0; millis < HEARTBEAT / MILLI; millis += 20) {
            VirtualCluster other = VirtualCluster.ofVoters(3, 7, new HighestUp());
            other.advance(1500);
            other.contend(N2, PATH);
            other.await("n2 leads", 1000, () -> other.leaders(PATH).contains(N2));
            other.advance(2000 + millis);
            other.isolate(N2);
            other.await("suspended", 1000, () -> last(other.connections(N2)) == Connection.SUSPENDED);
            other.advance(20);
            other.heal();
            other.advance(2000);
            assertThat(other.connections(N2))
                    .as("%d ms", millis)
                    .containsExactly(Connection.CONNECTED, Connection.SUSPENDED, Connection.RECONNECTED);
            assertThat(other.token(PATH)).isEqualTo(1);
        }
    }

    private static Connection last(List<Connection> connections) {
        return connections.get(connections.size() - 1);
    }

    // At any moment of a period: suspected three periods after its last heartbeat, succeeded when its support is over.
    @Test
    void leaderThatDiesIsSuspectedAndSucceededInTime() {
        leadBy(N2);
        for (int trial = 0; trial < 10; trial++) {
            NodeId leader = cluster.leader(PATH).orElseThrow();
            NodeId other = leader.equals(N1) ? N3 : N1;
            cluster.advance(3000 + trial * 17);
            cluster.crash(leader);
            assertThat(cluster.await(
                            "suspicion", 1000, () -> !cluster.node(other).isUp(leader)))
                    .isBetween(2L * 200, 3L * 200 + 2);
            cluster.await("a successor", 1000 + 200 + 50 - 2 * 200, () -> !cluster.leaders(PATH)
                    .isEmpty());
            cluster.start(leader);
            cluster.advance(2000);
            cluster.contend(leader, PATH);
        }
    }

    // What is watched for silence and for lapses is put off by each heartbeat, and wakes nobody while those arrive.
    @Test
    void nothingWakesANodeButHeartbeats() {
        leadBy(N2);
        for (NodeId node : List.of(N1, N2)) {
            Set<Long> wakes = new TreeSet<>();
            for (int millis = 0; millis < 3000; millis++) {
                wakes.add(cluster.node(node).nextWake());
                cluster.advance(1);
            }
            assertThat(wakes).as("%s", node).hasSizeBetween(14, 17);
        }
    }

    /** At the latest when one message could have been answered. */
    private static Predicate<Sent> isSoonAfter(List<Sent> causes) {
        return s -> causes.stream().anyMatch(cause -> s.isWithin(MILLI, cause));
    }

    private static List<Long> gaps(List<Sent> messages) {
        List<Long> gaps = new ArrayList<>();
        for (int i = 1; i < messages.size(); i++) {
            gaps.add(messages.get(i).at - messages.get(i - 1).at);
        }
        return gaps;
    }
}
