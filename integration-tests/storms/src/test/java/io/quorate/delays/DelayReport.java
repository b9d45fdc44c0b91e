package io.quorate.delays;

import io.quorate.delays.DelayTable.Cell;
import io.quorate.delays.DelayTable.Delay;
import io.quorate.spi.Variant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The table of delays as Markdown, and what explains the cells in which a leader does not stay. */
final class DelayReport {

    private static final String HEAD =
            """
            # Slow links

            Each algorithm runs alone, in virtual time, on links that lose nothing and are slower than the
            [δ](../../plugin-impls/docs/algorithms/common.md#model) that it was told. Three to five processes
            start within one δ, and nothing fails. A cell says after how many delays some process changed its
            leader for the last time, in the slowest of 20 runs. Leaders must have settled after 100 delays, and
            must stay until 400. Where they do not, the cell says in how many runs they did, and cites the
            sentence of the documents that explains it. `DelayTableTest` writes this file (`-Drewrite`).
            """;

    /** A row. */
    record Row(String algorithm, Variant variant) {}

    /** A sentence of a document, on one line. */
    record Sentence(String document, String anchor, String text) {}

    private static final Map<Row, Sentence> EXPLANATIONS = new LinkedHashMap<>();

    static {
        explain(
                "bully",
                Variant.FAITHFUL,
                new Sentence(
                        "bully.md",
                        "quirks",
                        "On links slower than δ a process wins because ALIVE comes too late, and its VICTORY may be the"
                                + " last that a process gets."));
        explain(
                "three-phase",
                Variant.FAITHFUL,
                new Sentence(
                        "three-phase.md",
                        "quirks",
                        "F agrees on a live leader if processes only crash, in the middle of any phase too, and no"
                                + " message is late or lost."));
        explain(
                "three-phase",
                Variant.HARDENED,
                new Sentence(
                        "three-phase.md",
                        "hardened",
                        "On links of random delay, hardened three-phase may change the leader again, because S4 ends"
                                + " with the first heartbeat of a followed leader."));
    }

    private final Map<Row, Map<Delay, Cell>> cells = new LinkedHashMap<>();

    private static void explain(String algorithm, Variant variant, Sentence sentence) {
        EXPLANATIONS.put(new Row(algorithm, variant), sentence);
    }

    /** All that explain something. */
    static Collection<Sentence> sentences() {
        return EXPLANATIONS.values();
    }

    /** All rows. */
    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Variant variant : List.of(Variant.HARDENED, Variant.FAITHFUL)) {
            DelayTable.ALGORITHMS.forEach(algorithm -> rows.add(new Row(algorithm, variant)));
        }
        return rows;
    }

    void put(Row row, Delay delay, Cell cell) {
        cells.computeIfAbsent(row, absent -> new LinkedHashMap<>()).put(delay, cell);
    }

    /**
     * The rows in which a leader does not stay in each run, though nothing explains it, and those explained in vain.
     */
    List<Row> unexplained() {
        return cells.keySet().stream()
                .filter(row -> isSettled(row) == EXPLANATIONS.containsKey(row))
                .toList();
    }

    private boolean isSettled(Row row) {
        return cells.get(row).values().stream().allMatch(Cell::isSettled);
    }

    String text() {
        StringBuilder text = new StringBuilder(HEAD);
        for (Variant variant : List.of(Variant.HARDENED, Variant.FAITHFUL)) {
            text.append(variant == Variant.HARDENED ? "\n## Hardened\n\n" : "\n## As documented\n\n");
            text.append("| algorithm | ")
                    .append(DelayTable.DELAYS.stream().map(DelayReport::name).collect(Collectors.joining(" | ")))
                    .append(" |\n|---|")
                    .append("---|".repeat(DelayTable.DELAYS.size()))
                    .append('\n');
            cells.forEach((row, ofRow) -> {
                if (row.variant() == variant) {
                    text.append("| ").append(row.algorithm());
                    ofRow.values().forEach(cell -> text.append(" | ").append(show(row, cell)));
                    text.append(" |\n");
                }
            });
        }
        text.append("\n## Explanations\n");
        EXPLANATIONS.forEach((row, sentence) -> text.append('\n')
                .append("- ")
                .append(row.algorithm())
                .append(row.variant() == Variant.HARDENED ? ", hardened, " : ", as documented, ")
                .append('[')
                .append(sentence.document())
                .append("](")
                .append(link(sentence))
                .append(") says \"")
                .append(sentence.text())
                .append("\"\n"));
        return text.toString();
    }

    private static String name(Delay delay) {
        return delay.isRandom() ? "random, mean " + delay.deltas() + "δ" : delay.deltas() + "δ";
    }

    private static String show(Row row, Cell cell) {
        if (cell.isSettled()) {
            return String.valueOf(cell.slowest());
        }
        Sentence sentence = EXPLANATIONS.get(row);
        String runs = cell.settled() + " of " + cell.runs();
        return sentence == null ? runs : "[" + runs + "](" + link(sentence) + ")";
    }

    private static String link(Sentence sentence) {
        return "../../plugin-impls/docs/algorithms/" + sentence.document() + "#" + sentence.anchor();
    }
}
