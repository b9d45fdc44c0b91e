package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.lab.LabNotes.Note;
import io.quorate.spi.Variant;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the lab says of a message stands so in the document of its algorithm. */
class LabNotesTest {

    private static final Path DOCUMENTS = Path.of("..", "docs", "algorithms");

    /** Runs take most of the time, and both tests are about the same ones. */
    private static final Map<List<String>, String> RUNS = new ConcurrentHashMap<>();

    @TempDir
    private Path directory;

    private static String plain(String text) {
        return text.replaceAll("\\s+", " ");
    }

    @Test
    void eachNoteStandsInItsDocument() throws IOException {
        assertThat(LabNotes.all()).hasSizeGreaterThan(10);
        for (Note note : LabNotes.all()) {
            String document = plain(Files.readString(DOCUMENTS.resolve(note.algorithm() + ".md")));
            assertThat(document).as(note.algorithm()).contains(plain(note.words()));
        }
    }

    // A note on a message that no run has would be read by nobody.
    @Test
    void eachNoteIsOfAMessageThatIsSent() {
        for (Note note : LabNotes.all()) {
            String run = drawn(List.of(note.algorithm(), note.way()));
            assertThat(run).as(note.toString()).contains("  " + note.message() + " ");
        }
    }

    // A process that passes a message on does another thing than the one that sends it first.
    @Test
    void eachMessageHasANoteForEachWayToSendIt() {
        for (String algorithm : List.of("ballot", "bully", "lcr", "three-phase", "token-ring")) {
            for (String way : List.of("documented", "hardened")) {
                String run = drawn(List.of(algorithm, way));
                Pattern.compile(" -> n\\d  (\\S+)")
                        .matcher(run)
                        .results()
                        .map(found -> found.group(1).replace(",", ""))
                        // The detector sends it, beside the algorithm.
                        .filter(message -> !message.equals("HEARTBEAT"))
                        .distinct()
                        .forEach(message -> assertThat(LabNotes.all())
                                .as("%s, %s: %s", algorithm, way, message)
                                .anyMatch(note -> note.algorithm().equals(algorithm)
                                        && note.way().equals(way)
                                        && note.message().equals(message)));
            }
        }
        for (String algorithm : List.of("lcr", "token-ring")) {
            for (String way : List.of("documented", "hardened")) {
                for (String message : LabNotes.all().stream()
                        .filter(note -> note.algorithm().equals(algorithm))
                        .map(Note::message)
                        .distinct()
                        .toList()) {
                    assertThat(LabNotes.all())
                            .as("%s, %s: %s is passed on", algorithm, way, message)
                            .anyMatch(note -> note.algorithm().equals(algorithm)
                                    && note.way().equals(way)
                                    && note.message().equals(message)
                                    && note.words().toLowerCase(Locale.ROOT).contains("forward"));
                }
            }
        }
    }

    // The lease has an ACK too.
    @Test
    void messageOfTheLeaseHasNoNote() {
        Message routine = new Message("n1", "n2", 0, 0, Fate.ARRIVED, "ACK", "", true);
        assertThat(LabNotes.of("three-phase", Variant.HARDENED).apply(routine)).isEmpty();
    }

    /** Three-phase sends some messages where priorities change only. */
    private String drawn(List<String> algorithmAndWay) {
        return RUNS.computeIfAbsent(
                algorithmAndWay,
                run -> drawn(run, "two halves") + (run.contains("three-phase") ? drawn(run, "priorities change") : ""));
    }

    private String drawn(List<String> run, String scenario) {
        String page = directory.resolve("page.html").toString();
        return Run.of(run.get(0), scenario, "--way", run.get(1), "--all", "--html", page)
                .out();
    }

    @Test
    void aMessageHasItsNoteInThePicture() throws IOException {
        Path page = directory.resolve("page.html");
        Run run = Run.of("bully", "B1", "--html", page.toString());
        assertThat(run.exitCode()).isZero();
        assertThat(Files.readString(page))
                .containsPattern(
                        "P2 → P1 ALIVE[^\n]*\nrule 4: answer ALIVE; start an election unless one runs\nrule 3: send nothing more,"
                                + " wait for VICTORY; none in time: start again</title>");
    }
}
