package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.DirectoryMessage.Change;
import io.quorate.core.message.DirectoryMessage.Item;
import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.DirectoryMessage.RegistrationsAck;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Connection;
import io.quorate.engine.Epoch;
import io.quorate.engine.LeaseTiming;
import io.quorate.engine.Tenure;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What happens to nodes with very many paths before all of them were looked at. */
class BetweenPortionsTest {

    private static final long MILLI = 1_000_000;
    private static final NodeId N4 = new NodeId("n4");

    private static String path(int i) {
        return "/many/" + i;
    }

    // ---------------------------------------------------------------- a lone node, whose voters are played here

    private final Node lone = new Node(
            VirtualCluster.settings(N1, List.of(N2, N3, N4)),
            new HighestUp(),
            new Birth(1, 0, false),
            (min, max) -> min);
    private final Map<NodeId, Long> heartbeats = new HashMap<>();
    private final Map<NodeId, List<Registrations>> registered = new HashMap<>();
    private long now;

    private void take(List<NodeEffect> effects) {
        for (NodeEffect effect : effects) {
            if (effect instanceof NodeEffect.Send send) {
                if (send.message() instanceof Heartbeat heartbeat) {
                    heartbeats.put(send.to(), heartbeat.sequence());
                } else if (send.message() instanceof Registrations registrations) {
                    registered
                            .computeIfAbsent(send.to(), to -> new ArrayList<>())
                            .add(registrations);
                }
            }
        }
    }

    private void step(NodeEvent event) {
        take(lone.step(now, event));
    }

    private static long life(NodeId voter) {
        return 100 + voter.value().charAt(1);
    }

    private void ack(NodeId voter) {
        Epoch epoch = new Epoch(life(voter), 1);
        step(new NodeEvent.Received(
                voter,
                life(voter),
                new Ack(1, heartbeats.get(voter), epoch, 0, -1, Optional.of(List.of(N1, N2, N3, N4)))));
    }

    private void workOff() {
        while (lone.nextWake() <= now) {
            step(NodeEvent.Wake.INSTANCE);
        }
    }

    private void lastIsAcked(NodeId voter) {
        List<Registrations> batches = registered.getOrDefault(voter, List.of());
        if (!batches.isEmpty()) {
            long last = batches.get(batches.size() - 1).batch();
            step(new NodeEvent.Received(voter, life(voter), new RegistrationsAck(last)));
        }
    }

    /** The lone node contends on so many paths, and no voter has answered yet. */
    private void startAlone(int paths) {
        take(lone.start(now));
        for (int i = 0; i < paths; i++) {
            step(new NodeEvent.Contend(path(i), i, "n1"));
        }
        now += 5 * MILLI;
        workOff();
    }

    /** All voters take what the node registers, for a second. */
    private void allAnswer() {
        for (int i = 0; i < 100; i++) {
            now += 10 * MILLI;
            step(NodeEvent.Wake.INSTANCE);
            workOff();
            List.of(N2, N3, N4).forEach(this::lastIsAcked);
            List.of(N2, N3, N4).forEach(this::ack);
        }
    }

    private static boolean isOf(Change change, int number) {
        return change instanceof Change.Join join && join.registration().id().number() == number
                || change instanceof Change.Leave leave && leave.number() == number;
    }

    private Change lastChangeOf(int number, NodeId voter) {
        Change last = null;
        for (Registrations batch : registered.get(voter)) {
            for (Change change : batch.changes()) {
                last = isOf(change, number) ? change : last;
            }
        }
        return last;
    }

    @Test
    void aVoterThatKnowsOfAContenderIsToldThatItHasLeft() {
        int paths = 1100;
        int late = 1000;
        startAlone(paths);
        ack(N2);
        ack(N4);
        // The walk for n2 is under way, so that for n3 waits.
        ack(N3);
        step(new NodeEvent.RankLast(late, 3_600_000 * MILLI, "test"));
        assertThat(lastChangeOf(late, N3)).as("n3 is told of it").isInstanceOf(Change.Join.class);
        lastIsAcked(N3);
        workOff();
        // n3's word is not heard for longer than a belief; it hears n1, so its epoch goes on.
        for (int i = 0; i < 6; i++) {
            now += 200 * MILLI;
            step(NodeEvent.Wake.INSTANCE);
            workOff();
            ack(N2);
            ack(N4);
        }
        assertThat(lone.connection()).isEqualTo(Connection.CONNECTED);
        step(new NodeEvent.Withdraw(late));
        ack(N3);
        allAnswer();
        assertThat(lastChangeOf(late - 1, N3)).as("all others are told").isInstanceOf(Change.Join.class);
        assertThat(lastChangeOf(paths - 1, N3)).as("all others are told").isInstanceOf(Change.Join.class);
        assertThat(lastChangeOf(late, N3)).isInstanceOf(Change.Leave.class);
    }

    // Nothing is lost here. The voter would keep and tell the path for as long as its support lasts.
    @Test
    void aVoterThatKnowsOfAWatchIsToldOfItsEnd() {
        int paths = 1100;
        startAlone(paths);
        ack(N2);
        ack(N4);
        ack(N3);
        step(new NodeEvent.WatchPath("/w", true));
        assertThat(lastWatch("/w", N3)).as("n3 is told of it").isTrue();
        lastIsAcked(N3);
        workOff();
        step(new NodeEvent.WatchPath("/w", false));
        allAnswer();
        assertThat(lastChangeOf(paths - 1, N3)).as("all is told").isInstanceOf(Change.Join.class);
        assertThat(lastWatch("/w", N3)).isFalse();
    }

    private boolean lastWatch(String path, NodeId voter) {
        boolean last = false;
        for (Registrations batch : registered.get(voter)) {
            for (Change change : batch.changes()) {
                last = change instanceof Change.Watch w && w.path().equals(path) ? w.isWanted() : last;
            }
        }
        return last;
    }

    // ---------------------------------------------------------------- clusters

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 2, new HighestUp());
    private final List<Listings> listed = new ArrayList<>();

    private void lead(int paths) {
        cluster.advance(1500);
        for (int i = 0; i < paths; i++) {
            cluster.contend(N1, path(i));
        }
        cluster.await("n1 leads all", 10_000, () -> {
            for (int i = 0; i < paths; i++) {
                if (!cluster.leaders(path(i)).contains(N1)) {
                    return false;
                }
            }
            return true;
        });
        cluster.advance(500);
    }

    /** The number of the contender of n1 that leads the path. */
    private int leaderOf(String path) {
        return IntStream.rangeClosed(1, 5_000)
                .filter(number -> cluster.tenure(N1, number)
                        .filter(tenure -> tenure.path().equals(path))
                        .isPresent())
                .findFirst()
                .orElseThrow();
    }

    private List<NodeEffect> direct(NodeEvent event) {
        return cluster.node(N1).step(cluster.clock(N1).nanoTime(), event);
    }

    // H1: "A lapse that it has noticed comes first: then nobody is named."
    @Test
    void aTenureThatIsOverIsNotHandedOver() {
        int paths = 700;
        lead(paths);
        int number = cluster.contend(N2, path(paths - 1));
        cluster.advance(1_000);
        assertThat(number).isPositive();
        List<NodeEffect> effects = resignAfterPause(paths);
        assertThat(effects.stream()
                        .anyMatch(e -> e instanceof NodeEffect.Revoked revoked
                                && revoked.reason().equals("it resigned")))
                .as("told that it resigned")
                .isFalse();
        assertThat(effects.stream()
                        .anyMatch(e -> e instanceof NodeEffect.Send send && send.message() instanceof Handover))
                .as("hands over")
                .isFalse();
    }

    private List<NodeEffect> resignAfterPause(int paths) {
        int number = leaderOf(path(paths - 1));
        Tenure tenure = cluster.tenure(N1, number).orElseThrow();
        cluster.pause(N1);
        cluster.advance(900);
        assertThat(tenure.lease().isOver(cluster.clock(N1).nanoTime())).isTrue();
        return direct(new NodeEvent.Resign(number, tenure));
    }

    private void leadWithoutN3(int paths) {
        cluster.drop(f -> f.from().equals(N1) && f.to().equals(N3) && f.message() instanceof Claim);
        lead(paths);
    }

    @Test
    void newLeaderAfterALapseDoesNotRaiseAnAlarm() {
        int paths = 700;
        leadWithoutN3(paths);
        cluster.contend(N3, path(paths - 1));
        cluster.advance(1_000);
        cluster.network(f -> {
            if (f.from().equals(N3) && f.to().equals(N1) && f.message() instanceof Listings l) {
                listed.add(l);
            }
        });
        cluster.cut(N1, N2);
        cluster.advance(600);
        cluster.pause(N1);
        listed.clear();
        cluster.await("n3 leads", 5_000, () -> cluster.leaders(path(paths - 1)).contains(N3));
        cluster.advance(30);
        List<String> notes = new ArrayList<>();
        boolean isTold = false;
        for (Listings l : listed) {
            for (Item item : l.items()) {
                isTold |= item instanceof Item.Listed x && x.registration().token() > 0;
            }
            for (NodeEffect e : direct(new NodeEvent.Received(N3, cluster.incarnation(N3), l))) {
                if (e instanceof NodeEffect.Note note) {
                    notes.add(note.text());
                }
            }
        }
        assertThat(isTold).as("n3's token is told: " + listed).isTrue();
        assertThat(notes).noneMatch(n -> n.contains("assumption of the lease"));
    }

    @Test
    void nobodyWakesANodeForWhatIsLongOver() {
        leadWithoutN3(1200);
        cluster.cut(N1, N2);
        cluster.advance(500);
        cluster.pause(N1);
        cluster.advance(500);
        long at = cluster.clock(N1).nanoTime();
        List<NodeEffect> effects = direct(NodeEvent.Wake.INSTANCE);
        assertThat(effects.stream().filter(NodeEffect.Revoked.class::isInstance).count())
                .isEqualTo(512);
        assertThat(cluster.node(N1).connection()).isEqualTo(Connection.CONNECTED);
        assertThat((cluster.node(N1).nextWake() - at) / MILLI).as("ms from now").isNotNegative();
    }

    @Test
    void aClosingNodeNamesNoneOfItsOwn() {
        int paths = 300;
        lead(paths);
        String last = path(paths - 1);
        cluster.contend(N1, last);
        cluster.advance(1_000);
        int number = leaderOf(last);
        Tenure tenure = cluster.tenure(N1, number).orElseThrow();
        direct(new NodeEvent.Close());
        List<NodeEffect> effects = direct(new NodeEvent.Resign(number, tenure));
        assertThat(effects.stream()
                        .filter(e -> e instanceof NodeEffect.Send send
                                && send.message() instanceof Release release
                                && release.successor().isPresent()
                                && release.successor().get().claimer().node().equals(N1)))
                .isEmpty();
    }

    // With preemption every leader is looked at for a better one.
    @Test
    void preemptionSkipsTenuresThatAreOver() {
        VirtualCluster preempting = new VirtualCluster(2, new HighestUp());
        List<NodeId> voters = List.of(N1, N2, N3);
        voters.forEach(voter -> preempting.add(new NodeSettings(
                "test",
                voter,
                voters,
                new LeaseTiming(200 * MILLI, 1000 * MILLI, 10),
                new Timing(20 * MILLI),
                RankOrder.NODE_ID,
                0,
                true)));
        voters.forEach(preempting::start);
        preempting.advance(1500);
        int paths = 3000;
        for (int i = 0; i < paths; i++) {
            preempting.contend(N1, path(i));
        }
        preempting.await(
                "n1 leads all", 20_000, () -> preempting.node(N1).describe().contains("leads " + paths));
        preempting.advance(2000);
        preempting.pause(N1);
        preempting.advance(1500);
        List<NodeEffect> effects = preempting.node(N1).step(preempting.clock(N1).nanoTime(), NodeEvent.Wake.INSTANCE);
        assertThat(effects.stream().filter(NodeEffect.Revoked.class::isInstance))
                .hasSizeBetween(1, 2 * Node.PATHS_PER_WAKE);
    }

    // A reader finds a lease over that is renewed at that very moment: the tenure has ended, and nobody says so.
    @Test
    void aTenureThatAReaderEndedMakesWay() {
        cluster.advance(2_000);
        int number = cluster.contend(N1, path(0));
        cluster.await("n1 leads", 20_000, () -> cluster.leaders(path(0)).contains(N1));
        cluster.contend(N2, path(0));
        cluster.advance(2_000);
        cluster.tenure(N1, number).orElseThrow().end();
        cluster.step(N1, new NodeEvent.StandBy(Optional.of("test")));
        cluster.await("n2 leads", 20_000, () -> cluster.leaders(path(0)).contains(N2));
    }
}
