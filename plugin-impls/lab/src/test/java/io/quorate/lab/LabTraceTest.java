package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The traces of the documents, as the lab draws them: what stands in a document happens in the picture. */
class LabTraceTest {

    private static final Path DOCUMENTS = Path.of("..", "docs", "algorithms");

    @TempDir
    private Path directory;

    private Run lab(String algorithm, String trace, String... more) {
        String[] all = new String[more.length + 4];
        System.arraycopy(
                new String[] {
                    algorithm, trace, "--html", directory.resolve("page.html").toString()
                },
                0,
                all,
                0,
                4);
        System.arraycopy(more, 0, all, 4, more.length);
        return Run.of(all);
    }

    // The figure that every text book has: the one that noticed is told twice that others take over.
    @Test
    void bullyHasThePictureOfTwoAnswers() throws IOException {
        Run run = lab("bully", "B1");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("    25.000  P2 -> P1  ALIVE, arrives 30.000")
                .contains("    25.000  P3 -> P1  ALIVE, arrives 30.000")
                .contains("    50.000  P3        LEADS");
        assertThat(Files.readString(directory.resolve("page.html")))
                .contains("25.000 ms: P2 → P1 ALIVE", "25.000 ms: P3 → P1 ALIVE");
    }

    // A document says at which instant something is received; there an arrow ends.
    @Test
    void documentedDeliveriesAreDrawn() {
        int all = 0;
        for (LabTrace trace : LabTrace.ofDocuments()) {
            String algorithm = trace.script().algorithm();
            Run run = lab(algorithm, trace.name());
            assertThat(run.exitCode()).as(run.err()).isZero();
            all += Documented.receptions(trace).size();
            assertThat(Documented.receptions(trace))
                    .as(trace.name())
                    .allMatch(reception -> Documented.isIn(run.out(), reception), "is an arrow of\n" + run.out());
        }
    }

    @Test
    void eachTraceStandsInTheDocumentOfItsAlgorithm() throws IOException {
        for (LabTrace trace : LabTrace.ofDocuments()) {
            Path document = DOCUMENTS.resolve(trace.script().algorithm() + ".md");
            assertThat(Files.readString(document)).contains("`" + trace.name() + ".txt`", trace.title());
        }
    }

    // The two lists and their ways are those of the figure.
    @Test
    void figureOfTheSourceHasItsTwoLists() {
        Run run = lab("token-ring", "figure 6.21");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("P6 -> P0  ELECTION ids=(P6), arrives 15.000")
                .contains("P5 -> P6  ELECTION ids=(P6,P0,P1,P2,P3,P4,P5), arrives 45.000")
                .contains("P3 -> P4  ELECTION ids=(P3), arrives 15.000")
                .contains("P2 -> P3  ELECTION ids=(P3,P4,P5,P6,P0,P1,P2), arrives 45.000")
                .contains("P2        COORDINATOR from P1 => leader=P6 ring=(P6,P0,P1,P2,P3,P4,P5) part=false S={}")
                .contains("In the end, at 100.000 ms, P6 leads.");
    }

    @Test
    void aTraceRunsAsItsDocumentSays() {
        Run run = lab("bully", "B1", "--seed", "3");
        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run.err()).contains("trace 'B1': its document says how it runs");
        assertThat(lab("lcr", "B1").err()).contains("scenario 'B1': must be one of ");
    }
}
