package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cli.LabNotes.Note;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        for (Note note : LabNotes.all()) {
            Run run = Run.of(
                    "lab",
                    note.algorithm(),
                    "two halves",
                    "--way",
                    note.way(),
                    "--all",
                    "--html",
                    directory.resolve("page.html").toString());
            assertThat(run.out()).as(note.toString()).contains("  " + note.message() + " ");
        }
    }

    @Test
    void aMessageHasItsNoteInThePicture() throws IOException {
        Path page = directory.resolve("page.html");
        Run run = Run.of("lab", "bully", "B1", "--html", page.toString());
        assertThat(run.exitCode()).isZero();
        assertThat(Files.readString(page))
                .containsPattern(
                        "P2 → P1 ALIVE [^\n]*\nrule 4: answer ALIVE; start an election unless one runs</title>");
    }
}
