package io.quorate.lab;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Variant;
import io.quorate.testkit.simulation.ElectionScript;
import java.util.ArrayList;
import java.util.List;

/**
 * A trace of an algorithm's document, which the lab draws as it stands there, or a script of that form.
 *
 * @param name such as {@code B1}
 */
record LabTrace(String name, ElectionScript script) {

    /**
     * Those of the documents that have a cluster, with the machines that the algorithm makes itself; the others are
     * about one process.
     */
    private static final List<String> NAMES =
            List.of("A5 B1 B2 B3-faithful B3-hardened B4 B5 C1 C2 C3 C4 D1 D2 D3 D4-faithful D5 D6 E1 E2".split(" "));

    /** Figures of the sources, which no document has as a trace. */
    private static final List<String> FIGURES = List.of("figure 6.21");

    /** All traces of documents, by name. */
    static List<LabTrace> ofDocuments() {
        return NAMES.stream()
                .map(name ->
                        new LabTrace(name, new ElectionScript(Resource.text("traces/" + name + ".txt"), first(name))))
                .toList();
    }

    /** Those, and the figures. */
    static List<LabTrace> all() {
        List<LabTrace> all = new ArrayList<>(ofDocuments());
        FIGURES.forEach(name -> all.add(LabScript.read(name, Resource.text("scripts/" + name + ".txt"))));
        return all;
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
        LabWords words = new LabWords(algorithm.name(), script.variant(), script.processes());
        return new LabRun(
                algorithm.name(), name, title(), LabRun.way(way, algorithm.name(), script.record(algorithm, words)));
    }
}
