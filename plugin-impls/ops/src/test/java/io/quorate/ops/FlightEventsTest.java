package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.quorate.ClientMonitor.DrainOutcome;
import io.quorate.ClientMonitor.Leader;
import io.quorate.ConnectionState;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/metrics.md: what stands in a recording. */
class FlightEventsTest {

    private static final String PATH = "/app/leader";

    @TempDir
    Path folder;

    private final FlightEvents events = new FlightEvents("n1");

    private static Recording recording() {
        Recording recording = new Recording();
        recording.start();
        return recording;
    }

    /** The events of this name, in the order of their ends. */
    private List<RecordedEvent> recorded(Recording recording, String name) throws IOException {
        Path file = folder.resolve(name + "-" + System.nanoTime() + ".jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("quorate." + name))
                .toList();
    }

    // ---------------------------------------------------------------- each event

    @Test
    void aLeadershipHasADurationAndTheReasonOfItsEnd() throws IOException {
        try (Recording recording = recording()) {
            events.leads(PATH, 7);
            events.leads("/other", 1);
            // Justification: a lower bound. A leadership that lasts longer on a slow machine is as good.
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < 30_000_000) {
                Thread.onSpinWait();
            }
            events.leadsNoMore(PATH, 7, "it was closed");
            List<RecordedEvent> found = recorded(recording, "Leadership");
            assertThat(found).hasSize(1);
            RecordedEvent leadership = found.get(0);
            assertThat(leadership.getString("node")).isEqualTo("n1");
            assertThat(leadership.getString("path")).isEqualTo(PATH);
            assertThat(leadership.getLong("token")).isEqualTo(7);
            assertThat(leadership.getString("reason")).isEqualTo("it was closed");
            // The Flight Recorder has a clock of its own.
            assertThat(leadership.getDuration()).isGreaterThan(Duration.ofMillis(20));
            assertThat(leadership.getStackTrace()).isNull();
            assertThat(leadership.getEventType().getCategoryNames()).containsExactly("Quorate");
        }
    }

    @Test
    void aLeadershipThatBeganBeforeTheRecordingHasItsEndInIt() throws IOException {
        events.leads(PATH, 7);
        try (Recording recording = recording()) {
            events.leadsNoMore(PATH, 7, "it was closed");
            List<RecordedEvent> found = recorded(recording, "Leadership");
            assertThat(found).hasSize(1);
            assertThat(found.get(0).getString("reason")).isEqualTo("it was closed");
            assertThat(found.get(0).getLong("token")).isEqualTo(7);
            assertThat(found.get(0).getDuration()).isZero();
        }
    }

    // A node that stops by itself may tell the end of each leadership before, or not.
    @Test
    void theEndOfTheNodeEndsEachLeadershipOnce() throws IOException {
        try (Recording recording = recording()) {
            events.leads(PATH, 7);
            events.leads("/other", 1);
            events.leadsNoMore("/other", 1, "it was told");
            events.stopped("two processes");
            List<RecordedEvent> found = recorded(recording, "Leadership");
            assertThat(found).extracting(event -> event.getString("path")).containsExactlyInAnyOrder(PATH, "/other");
            assertThat(found)
                    .extracting(event -> event.getString("reason"))
                    .containsExactlyInAnyOrder("two processes", "it was told");
        }
    }

    @Test
    void finishedWorkIsThere() throws IOException {
        try (Recording recording = recording()) {
            events.drained(PATH, DrainOutcome.TIMED_OUT, Duration.ofSeconds(40));
            List<RecordedEvent> found = recorded(recording, "Drain");
            assertThat(found).hasSize(1);
            assertThat(found.get(0).getString("node")).isEqualTo("n1");
            assertThat(found.get(0).getString("path")).isEqualTo(PATH);
            assertThat(found.get(0).getString("outcome")).isEqualTo("TIMED_OUT");
            assertThat(found.get(0).getDuration("took")).isEqualTo(Duration.ofSeconds(40));
        }
    }

    @Test
    void changesOfLeadersAreThere() throws IOException {
        try (Recording recording = recording()) {
            events.leaderChanged(PATH, Optional.empty(), Optional.of(new Leader("the id", "n2", 3)));
            events.leaderChanged(PATH, Optional.empty(), Optional.empty());
            List<RecordedEvent> found = recorded(recording, "LeaderChange");
            assertThat(found).hasSize(2);
            assertThat(found.get(0).getString("leader")).isEqualTo("the id");
            assertThat(found.get(0).getString("leaderNode")).isEqualTo("n2");
            assertThat(found.get(0).getLong("token")).isEqualTo(3);
            assertThat(found.get(1).getString("path")).isEqualTo(PATH);
            assertThat(found.get(1).getString("leaderNode")).isEmpty();
            assertThat(found.get(1).getLong("token")).isZero();
        }
    }

    @Test
    void connectionsHaveAReason() throws IOException {
        try (Recording recording = recording()) {
            events.connectionChanged(ConnectionState.SUSPENDED, "no majority");
            events.stopped("it is closed");
            List<RecordedEvent> found = recorded(recording, "Connection");
            assertThat(found).extracting(event -> event.getString("state")).containsExactly("SUSPENDED", "STOPPED");
            assertThat(found)
                    .extracting(event -> event.getString("reason"))
                    .containsExactly("no majority", "it is closed");
        }
    }

    @Test
    void stallsSayByHowMuch() throws IOException {
        try (Recording recording = recording()) {
            events.stalled(Duration.ofMillis(700));
            List<RecordedEvent> found = recorded(recording, "Stall");
            assertThat(found).hasSize(1);
            assertThat(found.get(0).getDuration("late")).isEqualTo(Duration.ofMillis(700));
        }
    }

    // ---------------------------------------------------------------- slow callbacks

    private void callbacks() {
        for (int millis : new int[] {0, 19, 20, 50}) {
            events.callbackReturned(PATH, "isLeader", Duration.ofMillis(millis), millis == 50);
        }
    }

    @Test
    void slowCallbacksAreThere() throws IOException {
        try (Recording recording = recording()) {
            callbacks();
            List<RecordedEvent> found = recorded(recording, "Callback");
            assertThat(found)
                    .extracting(event -> event.getDuration("took"))
                    .containsExactly(Duration.ofMillis(20), Duration.ofMillis(50));
            assertThat(found).extracting(event -> event.getBoolean("hasThrown")).containsExactly(false, true);
            assertThat(found).extracting(event -> event.getString("callback")).containsOnly("isLeader");
        }
    }

    @ParameterizedTest
    @CsvSource({"0 ns, 4", "19 ms, 3", "19001 us, 2", "1 s, 0", "a while, 2", "20 years, 2", "-1 ms, 2"})
    void aRecordingSaysWhichCallbacksAreSlow(String setting, int count) throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable("quorate.Callback").with("tookAtLeast", setting);
            recording.start();
            callbacks();
            assertThat(recorded(recording, "Callback")).hasSize(count);
        }
    }

    @Test
    void ofTwoRecordingsTheOneThatWantsMoreCounts() throws IOException {
        try (Recording few = new Recording();
                Recording many = new Recording()) {
            few.enable("quorate.Callback").with("tookAtLeast", "40 ms");
            many.enable("quorate.Callback").with("tookAtLeast", "19 ms");
            few.start();
            many.start();
            callbacks();
            assertThat(recorded(many, "Callback")).hasSize(3);
        }
    }

    // ---------------------------------------------------------------- all of them

    @Test
    void unrecordedEventIsAbsent() throws IOException {
        try (Recording recording = new Recording()) {
            for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
                recording.disable(type.getName());
            }
            recording.disable("quorate.Leadership");
            recording.enable("quorate.Stall");
            recording.start();
            events.leads(PATH, 1);
            events.leadsNoMore(PATH, 1, "of the test");
            events.stalled(Duration.ofMillis(1));
            assertThat(recorded(recording, "Leadership")).isEmpty();
            assertThat(recorded(recording, "Stall")).hasSize(1);
        }
    }

    // In virtual time: only what happened, and in which order, is that of a cluster.
    @Test
    void aRecordingTellsTheStoryOfALostLeadership() throws Exception {
        try (SimulatedCluster cluster =
                        new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));
                Recording recording = recording()) {
            cluster.client("n1").addMonitor(events);
            LeaderLatch latch = new LeaderLatch(cluster.client("n1"), PATH, "n1");
            latch.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    cluster.advance(Duration.ofMillis(30));
                }

                @Override
                public void notLeader() {
                    // Quick.
                }
            });
            latch.start();
            cluster.awaitLeader(PATH);
            cluster.advance(Duration.ofSeconds(3));
            cluster.pause("n1");
            cluster.advance(Duration.ofSeconds(5));
            cluster.resume("n1");
            cluster.advance(Duration.ofSeconds(1));
            assertThat(recorded(recording, "Stall")).anySatisfy(stall -> assertThat(stall.getDuration("late"))
                    .isBetween(Duration.ofSeconds(4), Duration.ofSeconds(6)));
            assertThat(recorded(recording, "Leadership")).isNotEmpty().allSatisfy(leadership -> assertThat(
                            leadership.getString("reason"))
                    .isNotBlank());
            assertThat(recorded(recording, "Connection"))
                    .extracting(event -> event.getString("state"))
                    .contains("CONNECTED");
            assertThat(recorded(recording, "LeaderChange")).isNotEmpty();
            assertThat(recorded(recording, "Callback"))
                    .extracting(event -> event.getString("callback"))
                    .containsOnly("isLeader");
        }
    }

    @Test
    void nullIsRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> new FlightEvents(null))
                .withMessage("node");
    }
}
