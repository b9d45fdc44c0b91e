package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.LeaderLatch;
import io.quorate.demo.Cluster;
import io.quorate.process.ChildJvm;
import io.quorate.testkit.RealTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/metrics.md: the recording of a leader that was paused says by itself why it does not lead any more. */
@RealTime
class FlightRecordingTest {

    private static final String PATH = "/recorded/leader";
    private static final Duration PAUSE = Duration.ofSeconds(4);

    private static String story(List<RecordedEvent> events) {
        return events.stream().map(RecordedEvent::toString).collect(Collectors.joining());
    }

    /** The one during which the process was paused. After it the node may lead, and lose, the path once more. */
    private static RecordedEvent pausedLeadership(List<RecordedEvent> events) {
        List<RecordedEvent> found = events.stream()
                .filter(event -> event.getEventType().getName().equals("quorate.Leadership")
                        && event.getDuration().compareTo(PAUSE) > 0)
                .toList();
        assertThat(found).as(() -> story(events)).hasSize(1);
        return found.get(0);
    }

    @Test
    void aPausedLeaderIsExplainedByItsRecording(@TempDir Path folder) throws Exception {
        try (OneJvm others = new OneJvm("ballot", "n1", "n2", "n3")) {
            String peers = Cluster.peers(others.addresses());
            ChildJvm leader = ChildJvm.start(
                    "n1",
                    ChildJvm.Command.of(RecordedNode.class, List.of("n1", peers, PATH), ChildJvm.SMALL),
                    folder.resolve("n1.log"));
            try {
                others.startOverTcp("n2");
                others.startOverTcp("n3");
                others.await("n1 leads", () -> leader.ask("leads").equals("true"));
                LeaderLatch next = others.latch("n2", PATH, "n2");
                others.await("n2 contends", () -> next.explain().contenders().size() == 2);

                leader.pause();
                long paused = System.nanoTime();
                others.await(
                        "n2 leads, and the pause is long enough",
                        () -> next.hasLeadership() && System.nanoTime() - paused > PAUSE.toNanos());
                Instant resumed = Instant.now();
                leader.resume();
                others.await("n1 knows", () -> leader.ask("leads").equals("false"));
                others.await(
                        "n1 is told of n2", () -> next.explain().contenders().size() == 2);
                Path file = folder.resolve("n1.jfr");
                leader.ask("dump " + file);

                List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                        .filter(event -> event.getEventType().getName().startsWith("quorate."))
                        .toList();
                RecordedEvent leadership = pausedLeadership(events);
                assertThat(leadership.getString("path")).isEqualTo(PATH);
                assertThat(leadership.getString("reason")).as(story(events)).isNotBlank();
                assertThat(leadership.getEndTime()).isAfter(resumed.minusSeconds(1));
                // The node was not late by itself: it stood still for the whole pause, and that is when it lost the
                // path.
                assertThat(events).as(story(events)).anySatisfy(stall -> {
                    assertThat(stall.getEventType().getName()).isEqualTo("quorate.Stall");
                    assertThat(stall.getDuration("late")).isBetween(PAUSE.minusSeconds(1), PAUSE.plus(OneJvm.DEADLINE));
                    assertThat(Duration.between(stall.getEndTime(), leadership.getEndTime())
                                    .abs())
                            .isLessThan(PAUSE);
                });
                assertThat(events)
                        .as(story(events))
                        .anyMatch(event -> event.getEventType().getName().equals("quorate.Connection")
                                && !event.getString("state").equals("CONNECTED"));
            } finally {
                leader.end();
            }
        }
    }
}
