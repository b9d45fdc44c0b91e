package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.simulation.FoundAlgorithms;
import io.quorate.testkit.simulation.PublishedScenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The pictures in documents are what the lab draws, and stand in the document that they belong to; {@code -Drewrite}
 * draws anew.
 */
class LabPicturesTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final int HEIGHT = 1000;
    private static final FoundAlgorithms ALGORITHMS = LabAlgorithms.on("");

    private static void assertIsDrawn(Path picture, String drawn) throws IOException {
        if (System.getProperty("rewrite") != null) {
            Files.createDirectories(picture.getParent());
            Files.writeString(picture, drawn);
        } else {
            assertThat(drawn).as("%s; -Drewrite draws it", picture).isEqualTo(Files.readString(picture));
        }
    }

    private static LabRun run(String algorithm, String scenario, int nodes, List<LabWay> ways) {
        PublishedScenario published = PublishedScenario.ofLab().stream()
                .filter(one -> one.name().equals(scenario))
                .findFirst()
                .orElseThrow()
                .withVoters(nodes);
        return LabRun.of(ALGORITHMS.of(algorithm), scenario, published.description(), published.scenario(7), ways);
    }

    @ParameterizedTest
    @CsvSource({"ballot, A5", "bully, B1", "lcr, C2", "token-ring, D1", "three-phase, E1"})
    void aDocumentShowsOneOfItsTraces(String algorithm, String name) throws IOException {
        LabTrace trace = LabTrace.all().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        Path documents = ROOT.resolve("plugin-impls").resolve("docs").resolve("algorithms");
        String picture = "pictures/" + name + ".svg";
        assertIsDrawn(
                documents.resolve(picture), trace.run(ALGORITHMS.of(algorithm)).svg(0, HEIGHT));
        assertThat(Files.readString(documents.resolve(algorithm + ".md"))).contains("](" + picture + ")");
    }

    @ParameterizedTest
    @CsvSource({"README.md, plugin-api/docs/pictures/lease.svg", "plugin-api/docs/architecture.md, pictures/lease.svg"})
    void whatTheLeaseAddsIsShown(String document, String picture) throws IOException {
        assertIsDrawn(
                ROOT.resolve("plugin-api").resolve("docs").resolve("pictures").resolve("lease.svg"),
                run("bully", "leader cut off", 3, List.of(LabWay.DOCUMENTED, LabWay.LEASE))
                        .svg(5000, 490));
        assertThat(Files.readString(ROOT.resolve(document))).contains("](" + picture + ")");
    }
}
