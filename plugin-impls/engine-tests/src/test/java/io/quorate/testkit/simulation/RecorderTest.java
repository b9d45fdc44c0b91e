package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.election.RollCall;
import io.quorate.spi.NodeId;
import io.quorate.spi.Options;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.simulation.Experiment.Mode;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is recorded of a run is what happened in it, and to record changes nothing. */
class RecorderTest {

    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N3 = new NodeId("n3");
    private static final List<NodeId> VOTERS = List.of(N1, new NodeId("n2"), N3);

    private static VirtualCluster cluster() {
        VirtualCluster cluster = VirtualCluster.ofVoters(3, 7, new RollCall());
        VOTERS.forEach(voter -> cluster.contend(voter, "/a"));
        return cluster;
    }

    /** The first leader is killed, and starts again. */
    private static void run(VirtualCluster cluster) {
        cluster.await("a leader", 4000, () -> cluster.leader("/a").isPresent());
        NodeId first = cluster.leader("/a").orElseThrow();
        cluster.crash(first);
        cluster.await("the next", 4000, () -> cluster.leader("/a").isPresent());
        cluster.start(first);
        cluster.advance(1500);
    }

    @Test
    void aRecordedRunIsTheSameRun() {
        VirtualCluster alone = cluster();
        run(alone);
        VirtualCluster watched = cluster();
        new Recorder(watched, VOTERS, "/a");
        run(watched);
        assertThat(watched.log()).isEqualTo(alone.log()).hasSizeGreaterThan(1);
        assertThat(watched.messages()).isEqualTo(alone.messages());
        assertThat(watched.digest()).isEqualTo(alone.digest());
    }

    @Test
    void leadsAreTheTenuresOfTheLog() {
        VirtualCluster cluster = cluster();
        Recorder recorder = new Recorder(cluster, VOTERS, "/a");
        run(cluster);
        Recording recording = recorder.recording("a title", "a story");
        List<String> granted = cluster.log().stream()
                .filter(VirtualCluster.Change::isGranted)
                .map(change -> change.node() + " " + change.token() + " " + change.atMillis())
                .toList();
        assertThat(recording.leads())
                .extracting(lead -> lead.process() + " " + lead.token().orElseThrow() + " " + lead.from() / 1000)
                .isEqualTo(granted)
                .hasSizeGreaterThan(1);
        assertThat(recording.conflicts()).isEmpty();
        assertThat(recording.title()).isEqualTo("a title");
        assertThat(recording.end()).isEqualTo(cluster.time().now() / 1000);
    }

    @Test
    void everyMessageIsThereWithItsFate() {
        VirtualCluster cluster = new VirtualCluster(7, new RollCall());
        VOTERS.forEach(voter -> cluster.add(VirtualCluster.settings(voter, VOTERS)));
        List<String> sent = new ArrayList<>();
        Recorder recorder = new Recorder(cluster, VOTERS, "/a");
        cluster.network(flight -> sent.add(flight.from() + ">" + flight.to()));
        VOTERS.forEach(cluster::start);
        cluster.advance(1000);
        cluster.isolate(N1);
        cluster.advance(1000);
        cluster.heal();
        cluster.crash(N3);
        cluster.advance(10);
        Recording recording = recorder.recording("", "");
        assertThat(recording.messages()).hasSizeBetween(sent.size() - 20, sent.size());
        assertThat(recording.messages())
                .filteredOn(message -> message.fate() == Fate.LOST)
                .isNotEmpty()
                .allMatch(message -> message.from().equals("n1") != message.to().equals("n1"));
        assertThat(recording.messages())
                .filteredOn(message -> message.fate() == Fate.MISSED)
                .allMatch(message -> message.to().equals("n3"));
        assertThat(recording.messages()).isSortedAccordingTo((a, b) -> Long.compare(a.sent(), b.sent()));
        assertThat(recording.messages())
                .filteredOn(message -> message.fate() == Fate.ARRIVED)
                .allMatch(message -> message.ended() - message.sent() >= Simulation.DELAY_MIN_MICROS);
    }

    @Test
    void crashesAndPausesAreSeen() {
        VirtualCluster cluster = cluster();
        Recorder recorder = new Recorder(cluster, VOTERS, "/a");
        cluster.advance(100);
        cluster.pause(N1);
        cluster.advance(100);
        cluster.resume(N1);
        cluster.advance(300);
        cluster.crash(N1);
        cluster.advance(100);
        Recording recording = recorder.recording("", "");
        assertThat(recording.marks())
                .filteredOn(mark -> mark.process().equals(Optional.of("n1")))
                .extracting(Recording.Mark::text)
                .containsExactly("starts", "is stopped", "goes on", "is gone");
        assertThat(recording.lives())
                .filteredOn(life -> life.process().equals("n1"))
                .extracting(Recording.Life::isPaused)
                .containsExactly(false, true, false);
    }

    // Two halves without a lease: each has a leader, and that is seen at the instant at which it begins.
    @Test
    void withoutALeaseTwoLeadersAreAConflict() {
        PublishedScenario halves = PublishedScenario.all().stream()
                .filter(one -> one.name().equals("partition 3 | 2"))
                .findFirst()
                .orElseThrow();
        Recording alone = Experiment.record(halves.scenario(1), new RollCall(), Mode.UNLEASED_HARDENED, "", "");
        assertThat(alone.conflicts()).isNotEmpty();
        assertThat(alone.conflicts().get(0).leaders()).hasSize(2).contains("n5");
        assertThat(alone.beliefs()).extracting(Recording.Belief::leader).contains("n5", "n3");
        Recording leased = Experiment.record(halves.scenario(1), new RollCall(), Mode.LEASED, "", "");
        assertThat(leased.conflicts()).isEmpty();
        assertThat(leased.leads()).hasSizeGreaterThan(1);
    }

    @Test
    void onlyTheNewestMessagesAreKept() {
        VirtualCluster cluster = new VirtualCluster(1, new RollCall());
        VOTERS.forEach(
                voter -> cluster.addUnleased(VirtualCluster.settings(voter, VOTERS), Options.HARDENED, () -> {}));
        Recorder recorder = new Recorder(cluster, VOTERS, "/a");
        int more = 100;
        IntStream.range(0, Recorder.MESSAGES_MAX + more).forEach(number -> cluster.network()
                .send(new VirtualCluster.Flight(N1, N3, "message " + number, 1, 0)));
        cluster.advance(10);
        Recording recording = recorder.recording("", "");
        assertThat(recording.messages()).hasSize(Recorder.MESSAGES_MAX);
        assertThat(recording.forgotten()).isEqualTo(more);
        assertThat(recording.messages()).extracting(Message::name).containsOnly("STRING");
    }

    // Each look goes through all tenures: a test of a thousand paths would take ten times as long.
    @Test
    void manyPathsAreNotShown() {
        for (int paths : new int[] {Recorder.TENURES_MAX, Recorder.TENURES_MAX + 1}) {
            VirtualCluster cluster = VirtualCluster.ofVoters(3, 7, new RollCall());
            IntStream.range(0, paths).forEach(number -> cluster.contend(N1, "/p" + number));
            Recorder recorder = new Recorder(cluster, VOTERS, "/p0");
            cluster.await("leaders", 4000, () -> IntStream.range(0, paths)
                    .allMatch(number -> cluster.leader("/p" + number).isPresent()));
            cluster.advance(100);
            Recording recording = recorder.recording("", "");
            boolean isShown = paths == Recorder.TENURES_MAX;
            assertThat(recording.leads().stream().filter(lead -> lead.until() == recording.end()))
                    .hasSize(isShown ? paths : 0);
            assertThat(recording.marks().stream().filter(mark -> mark.text().contains("no longer shown")))
                    .hasSize(isShown ? 0 : 1);
        }
    }

    // A frame of a test with many paths is large, and most tests pass: what was sent is free as without a recorder.
    @Test
    void theBytesOfAFrameAreNotKept() {
        VirtualCluster cluster = new VirtualCluster(1, new RollCall());
        VOTERS.forEach(
                voter -> cluster.addUnleased(VirtualCluster.settings(voter, VOTERS), Options.HARDENED, () -> {}));
        Recorder recorder = new Recorder(cluster, VOTERS, "/a");
        byte[] frame = new byte[77];
        WeakReference<byte[]> reference = new WeakReference<>(frame);
        cluster.network().send(new VirtualCluster.Flight(N1, N3, frame, 1, 0));
        frame = null;
        cluster.advance(10);
        System.gc();
        assertThat(reference.get()).isNull();
        assertThat(recorder.recording("", "").messages())
                .extracting(Message::text)
                .containsExactly("FRAME 77 bytes");
    }
}
