package io.quorate.compare;

import io.quorate.compare.Result.Ratio;
import io.quorate.compare.Result.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What an earlier run found, in a file: ratios and goals, because machines differ. Later runs are compared to it. */
final class Baseline {

    private static final String HEADER = "metric,scale,algorithm,ratio,low,high,turns,goal";
    private static final String COMMENT = "# ";
    private static final int COLUMNS = 8;
    private static final String REACHED = "reached";
    private static final String MISSED = "missed";

    /** How much greater a ratio may be besides what its spread explains. */
    static final double MARGIN = 0.25;
    /** The same where there are few turns, whose spread says little. */
    static final double MARGIN_OF_FEW = 1;

    private static final int FEW = 5;

    /** The ratio is empty if it had none, the goal too. */
    private record Entry(Optional<Ratio> ratio, int turns, Optional<Boolean> isReached) {}

    private final Map<String, Entry> entries;

    private Baseline(Map<String, Entry> entries) {
        this.entries = entries;
    }

    static Baseline of(List<? extends Result> results) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        results.forEach(c ->
                entries.put(key(c), new Entry(c.ratio(), c.turns(), c.verdict().map(Verdict::isReached))));
        return new Baseline(entries);
    }

    private static String key(Result result) {
        return result.metric().name() + "," + result.scale() + "," + result.algorithm();
    }

    /**
     * Reads a file that {@link #toCsv} has written.
     *
     * @throws IllegalArgumentException if it is not one; names the line, and the rule that it breaks
     */
    static Baseline read(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file).stream()
                    .filter(line -> !line.startsWith(COMMENT))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (lines.isEmpty() || !lines.get(0).equals(HEADER)) {
            throw new IllegalArgumentException(file + ": must begin with the line " + HEADER);
        }
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] columns = line.split(",", -1);
            if (columns.length != COLUMNS || Metric.named(columns[0]).isEmpty()) {
                throw new IllegalArgumentException(file + ": line '" + line + "': must be " + HEADER);
            }
            String key = columns[0] + "," + columns[1] + "," + columns[2];
            try {
                positive("scale", columns[1]);
                if (entries.put(key, entry(columns)) != null) {
                    throw new IllegalArgumentException(key + ": must be there once");
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        file + ": line '" + line + "': must be " + HEADER + ": " + e.getMessage(), e);
            }
        }
        return new Baseline(entries);
    }

    private static int positive(String column, String text) {
        int number = Integer.parseInt(text);
        if (number < 1) {
            throw new IllegalArgumentException(column + " " + number + ": must be at least 1");
        }
        return number;
    }

    private static Entry entry(String[] columns) {
        Optional<Ratio> ratio = columns[3].isEmpty()
                ? Optional.empty()
                : Optional.of(new Ratio(
                        Double.parseDouble(columns[3]),
                        Double.parseDouble(columns[4]),
                        Double.parseDouble(columns[5])));
        Optional<Boolean> isReached =
                switch (columns[7]) {
                    case "" -> Optional.empty();
                    case REACHED -> Optional.of(true);
                    case MISSED -> Optional.of(false);
                    default ->
                        throw new IllegalArgumentException(
                                "goal " + columns[7] + ": must be " + REACHED + ", " + MISSED + " or nothing");
                };
        return new Entry(ratio, positive("turns", columns[6]), isReached);
    }

    /** @param remark under what conditions it was found */
    String toCsv(String remark) {
        StringBuilder csv = new StringBuilder(COMMENT)
                .append(remark)
                .append('\n')
                .append(HEADER)
                .append('\n');
        entries.forEach((key, entry) -> csv.append(key)
                .append(',')
                .append(entry.ratio
                        .map(r -> String.format(Locale.ROOT, "%.4f,%.4f,%.4f", r.value(), r.low(), r.high()))
                        .orElse(",,"))
                .append(',')
                .append(entry.turns)
                .append(',')
                .append(entry.isReached.map(is -> is ? REACHED : MISSED).orElse(""))
                .append('\n'));
        return csv.toString();
    }

    /** What got worse: a goal that was reached and is not, or a ratio beyond what chance and the margin explain. */
    List<String> worse(List<? extends Result> now) {
        List<String> worse = new ArrayList<>();
        for (Result result : now) {
            Entry before = entries.get(key(result));
            if (before != null) {
                worse(before, result)
                        .ifPresent(what -> worse.add(result.name() + ", " + result.algorithm() + ": " + what));
            }
        }
        return worse;
    }

    /** What was found now and not then: nothing says whether it got worse. */
    List<String> unknown(List<? extends Result> now) {
        return now.stream()
                .filter(result -> !entries.containsKey(key(result)))
                .map(result -> result.name() + ", " + result.algorithm())
                .toList();
    }

    /** What was found then and not now, by its name in the file. */
    List<String> missing(List<? extends Result> now) {
        Set<String> found = now.stream().map(Baseline::key).collect(Collectors.toSet());
        return entries.keySet().stream().filter(key -> !found.contains(key)).toList();
    }

    private static Optional<String> worse(Entry before, Result now) {
        String ratios = now.ratio().map(Baseline::text).orElse("none") + ", was "
                + before.ratio.map(Baseline::text).orElse("none");
        Optional<Verdict> verdict = now.verdict();
        if (before.isReached.orElse(false)
                && verdict.isPresent()
                && !verdict.get().isReached()) {
            return Optional.of("goal missed, was reached: " + verdict.get().goal() + "; Quorate's greatest value "
                    + Summary.value(now.quorate().max(), now.metric()) + "; ratio " + ratios);
        }
        double margin = Math.min(before.turns, now.turns()) < FEW ? MARGIN_OF_FEW : MARGIN;
        return before.ratio.isPresent()
                        && now.ratio().isPresent()
                        && isWorse(before.ratio.get(), now.ratio().get(), margin)
                ? Optional.of("ratio " + ratios)
                : Optional.empty();
    }

    private static boolean isWorse(Ratio before, Ratio now, double margin) {
        return isBeyondSpread(before, now) && isBeyondMargin(before, now, margin);
    }

    /** The least that it may be now is above the most that it was. */
    private static boolean isBeyondSpread(Ratio before, Ratio now) {
        return now.low() > before.high();
    }

    private static boolean isBeyondMargin(Ratio before, Ratio now, double margin) {
        return now.value() > before.value() * (1 + margin);
    }

    private static String text(Ratio ratio) {
        return Summary.number(ratio.value()) + " (" + Summary.bounds(ratio) + ")";
    }
}
