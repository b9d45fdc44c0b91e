package io.quorate.cli.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Belief;
import io.quorate.testkit.picture.Recording.Lead;
import io.quorate.testkit.picture.Recording.Mark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the lines of nodes. Times are made up: no process does anything. */
class SightingsTest {

    private static final long MICRO = 1000;
    private static final List<String> NODES = List.of("n1", "n2");

    @TempDir
    private Path directory;

    private final Sightings sightings = new Sightings();
    private Child child;

    @BeforeEach
    void start() throws Exception {
        child = new Child("n1", List.of(javaProgram(), "-version"), directory.resolve("log"), new Child.Listener() {
            @Override
            public void onLine(Child from, String line) {}

            @Override
            public void onEnd(Child from) {}
        });
        sightings.add(0, "n1", "runs");
    }

    @AfterEach
    void end() throws Exception {
        child.kill();
    }

    private static String javaProgram() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private Recording recording(long untilMicros) throws IOException {
        return sightings.recording("title", "story", NODES, 0, untilMicros * MICRO, 1);
    }

    private static Lead lead(long from, long until, long token) {
        return new Lead("n1", from, until, PlayPlan.PATH, OptionalLong.of(token));
    }

    // The clock of the node is 500 behind ours: the line that took no time says so, and the slow ones do not count.
    @Test
    void theFastestLineTellsHowClocksDiffer() throws IOException {
        sightings.heard(900 * MICRO, child, 100 * MICRO + " now");
        sightings.heard(1000 * MICRO, child, 500 * MICRO + " leads 7");
        sightings.heard(1900 * MICRO, child, 1200 * MICRO + " leads -");
        assertThat(recording(3000).leads()).containsExactly(lead(1000, 1700, 7));
    }

    // Its lines took as long as a turn of a busy machine, and its bar went so far into that of the next leader: a red
    // field, and an end with 1, which were false.
    @Test
    void slowLinesOfTheSameClockMoveNoBar() throws IOException {
        long now = System.nanoTime();
        sightings.heard(now + 900 * MICRO, child, now + 100 * MICRO + " leads 7");
        sightings.heard(now + 1900 * MICRO, child, now + 1200 * MICRO + " leads -");
        assertThat(sightings
                        .recording("title", "story", NODES, now, now + 3000 * MICRO, 1)
                        .leads())
                .containsExactly(lead(100, 1200, 7));
    }

    @Test
    void aKilledNodeLeadsNoMoreWhateverItStillSays() throws IOException {
        sightings.heard(100 * MICRO, child, 100 * MICRO + " leads 1");
        sightings.heard(150 * MICRO, child, 150 * MICRO + " knows n1");
        assertThat(sightings.leader()).contains("n1");
        sightings.add(200 * MICRO, "n1", "is gone");
        sightings.heard(201 * MICRO, child, 201 * MICRO + " leads 2");
        Recording recording = recording(300);
        assertThat(recording.leads()).containsExactly(lead(100, 200, 1));
        assertThat(recording.beliefs()).containsExactly(new Belief("n1", 150, 200, "n1"));
        assertThat(recording.marks()).extracting(Mark::text).containsExactly("starts", "is gone");
    }

    // It answers nobody while it is stopped, even if it leads on afterwards.
    @Test
    void theBarOfAStoppedNodeEnds() throws IOException {
        sightings.heard(100 * MICRO, child, 100 * MICRO + " leads 1");
        sightings.add(200 * MICRO, "n1", "stops");
        sightings.add(250 * MICRO, "n1", "goes on");
        sightings.heard(260 * MICRO, child, 190 * MICRO + " leads -");
        sightings.heard(260 * MICRO, child, 260 * MICRO + " leads 1");
        sightings.heard(300 * MICRO, child, 280 * MICRO + " leads -");
        assertThat(recording(400).leads()).containsExactly(lead(100, 190, 1), lead(260, 280, 1));
        assertThat(recording(400).lives()).hasSize(3);
    }

    // Another one leads by then: a red field, and an end with 1, which were false.
    @Test
    void whoGoesOnDoesNotLeadBeforeItHasSaidSo() throws IOException {
        sightings.heard(100 * MICRO, child, 100 * MICRO + " leads 1");
        sightings.add(200 * MICRO, "n1", "stops");
        sightings.add(250 * MICRO, "n1", "goes on");
        assertThat(recording(400).leads()).containsExactly(lead(100, 200, 1));
    }

    // An algorithm wrote it. Ten minutes later, when all is drawn, it was an internal error.
    @Test
    void whatNoNodeSaysIsRefusedAtOnce() {
        assertThatThrownBy(() -> sightings.heard(100 * MICRO, child, "7 rounds so far"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown line of n1: 7 rounds so far");
    }

    @Test
    void whatANodeSaysOfItselfIsMarked() throws IOException {
        sightings.mark(50 * MICRO, "cut n1-n2");
        sightings.heard(100 * MICRO, child, 100 * MICRO + " state LOST");
        assertThat(recording(400).marks()).extracting(Mark::text).containsExactly("starts", "cut n1-n2", "is LOST");
    }

    @Test
    void timesAreThoseOfTheScenario() throws IOException {
        sightings.heard(800 * MICRO, child, 800 * MICRO + " leads 1");
        Recording recording = sightings.recording("title", "story", NODES, 0, 1600 * MICRO, 8);
        assertThat(recording.end()).isEqualTo(200);
        assertThat(recording.leads()).containsExactly(lead(100, 200, 1));
    }

    @Test
    void moreThanAnybodyReadsIsRefused() {
        for (int i = 0; i <= 10_000; i++) {
            sightings.mark(i, "again");
        }
        assertThatThrownBy(() -> recording(400))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more than 10000 times");
    }
}
