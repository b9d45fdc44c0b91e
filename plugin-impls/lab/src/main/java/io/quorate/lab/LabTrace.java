package io.quorate.lab;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Variant;
import io.quorate.testkit.picture.Picture.Way;
import io.quorate.testkit.simulation.ElectionScript;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A trace of an algorithm's document, which the lab draws as it stands there.
 *
 * @param name such as {@code B1}
 */
record LabTrace(String name, ElectionScript script) {

    /**
     * Those of the documents that have a cluster, with the machines that the algorithm makes itself; the others are
     * about one process.
     */
    private static final List<String> NAMES = List.of(
            "A5",
            "B1",
            "B2",
            "B3-faithful",
            "B3-hardened",
            "B4",
            "B5",
            "C1",
            "C2",
            "C3",
            "C4",
            "D1",
            "D2",
            "D3",
            "D4-faithful",
            "D5",
            "D6",
            "E1",
            "E2");

    /** All of them, by name. */
    static List<LabTrace> all() {
        return NAMES.stream().map(LabTrace::read).toList();
    }

    private static LabTrace read(String name) {
        String file = "traces/" + name + ".txt";
        try (InputStream in = LabTrace.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + ": is missing in this program");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new LabTrace(name, new ElectionScript(text, first(name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first process of the document: three-phase, whose traces are E, counts from 0 as its source does. */
    private static int first(String name) {
        return name.startsWith("E") ? 0 : 1;
    }

    /** The words of the document, without its name of the trace. */
    String title() {
        return script.title().replaceFirst("^[A-Z0-9]+ \\([^)]*\\): ", "");
    }

    boolean isOf(ElectionAlgorithm algorithm) {
        return script.algorithm().equals(algorithm.name());
    }

    /** There is one way: the one that the document has. */
    LabRun run(ElectionAlgorithm algorithm) {
        LabWay way = script.variant() == Variant.FAITHFUL ? LabWay.DOCUMENTED : LabWay.HARDENED;
        return new LabRun(
                algorithm.name(),
                name,
                title(),
                new Way(way.words(), script.record(algorithm), LabNotes.of(algorithm.name(), script.variant())));
    }
}
