package io.quorate.compare;

import io.quorate.compare.Distribution.Ratio;
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

/** The ratios of an earlier run, in a file, to which later ones are compared: ratios, because machines differ. */
final class Baseline {

    private static final String HEADER = "metric,latches,ratio,low,high";
    private static final int COLUMNS = 5;

    private final Map<String, Ratio> ratios;

    private Baseline(Map<String, Ratio> ratios) {
        this.ratios = ratios;
    }

    static Baseline of(List<Comparison> comparisons) {
        Map<String, Ratio> ratios = new LinkedHashMap<>();
        comparisons.forEach(c -> c.ratio().ifPresent(ratio -> ratios.put(key(c), ratio)));
        return new Baseline(ratios);
    }

    private static String key(Comparison comparison) {
        return comparison.metric().name() + "," + comparison.scale();
    }

    /**
     * Reads a file that {@link #toCsv} has written.
     *
     * @throws IllegalArgumentException if it is not one; names the line
     */
    static Baseline read(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (lines.isEmpty() || !lines.get(0).equals(HEADER)) {
            throw new IllegalArgumentException(file + ": must begin with the line " + HEADER);
        }
        Map<String, Ratio> ratios = new LinkedHashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] fields = line.split(",");
            if (fields.length != COLUMNS || Metric.named(fields[0]).isEmpty()) {
                throw new IllegalArgumentException(file + ": line '" + line + "': must be " + HEADER);
            }
            try {
                ratios.put(fields[0] + "," + Integer.parseInt(fields[1]), new Ratio(Double.parseDouble(fields[2]),
                        Double.parseDouble(fields[3]), Double.parseDouble(fields[4])));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(file + ": line '" + line + "': must be " + HEADER, e);
            }
        }
        return new Baseline(ratios);
    }

    String toCsv() {
        StringBuilder csv = new StringBuilder(HEADER).append('\n');
        ratios.forEach((key, ratio) -> csv.append(String.format(Locale.ROOT, "%s,%.4f,%.4f,%.4f%n", key, ratio.value(),
                ratio.low(), ratio.high())));
        return csv.toString();
    }

    /** What got worse beyond what chance explains: the least that it may be now is above the most that it was. */
    List<String> worse(List<Comparison> now) {
        List<String> worse = new ArrayList<>();
        for (Comparison comparison : now) {
            Optional<Ratio> before = Optional.ofNullable(ratios.get(key(comparison)));
            Optional<Ratio> after = comparison.ratio();
            if (before.isPresent() && after.isPresent() && after.get().low() > before.get().high()) {
                worse.add(comparison.name() + ": ratio " + Summary.number(after.get().value()) + ", was "
                        + Summary.number(before.get().value()));
            }
        }
        return worse;
    }
}
