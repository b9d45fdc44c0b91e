package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.lab.LabNotes.Note;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the lab says of a message stands so in the document of its algorithm. */
class LabNotesTest {

    private static final Path DOCUMENTS = Path.of("..", "docs", "algorithms");

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
        // Runs take most of the time, and the notes of one way of an algorithm are about the same run.
        Map<List<String>, String> runs = new HashMap<>();
        for (Note note : LabNotes.all()) {
            String run = runs.computeIfAbsent(List.of(note.algorithm(), note.way()), this::drawn);
            assertThat(run).as(note.toString()).contains("  " + note.message() + " ");
        }
    }

    private String drawn(List<String> algorithmAndWay) {
        String page = directory.resolve("page.html").toString();
        return Run.of(algorithmAndWay.get(0), "two halves", "--way", algorithmAndWay.get(1), "--all", "--html", page)
                .out();
    }

    @Test
    void aMessageHasItsNoteInThePicture() throws IOException {
        Path page = directory.resolve("page.html");
        Run run = Run.of("bully", "B1", "--html", page.toString());
        assertThat(run.exitCode()).isZero();
        assertThat(Files.readString(page))
                .containsPattern(
                        "P2 → P1 ALIVE[^\n]*\nrule 4: answer ALIVE; start an election unless one runs</title>");
    }
}
