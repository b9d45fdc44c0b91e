package io.quorate.platforms;

import io.quorate.platforms.Platform.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of platforms in the README: what ran, on which JDK. */
final class PlatformTable {

    private static final Path README = Path.of("..", "..", "README.md");
    private static final String HEAD =
            "| platform | its versions | " + Transport.TCP.artifact + " | " + Transport.VERTX.artifact + " |";
    private static final String RULE = "|---|---|---|---|";

    private static final Pattern CELL = Pattern.compile("JDK (\\d+(, \\d+)*)");

    private PlatformTable() {}

    /**
     * A row.
     *
     * @param ran the JDKs on which the platform ran, for each transport
     */
    static String row(Platform platform, Map<Transport, Set<Integer>> ran) {
        return "| " + platform.name() + " | " + platform.brings() + " | " + cell(ran.get(Transport.TCP)) + " | "
                + cell(ran.get(Transport.VERTX)) + " |";
    }

    private static String cell(Set<Integer> jdks) {
        return jdks.isEmpty()
                ? "no"
                : "JDK " + new TreeSet<>(jdks).stream().map(Object::toString).collect(Collectors.joining(", "));
    }

    /** The row as it were if nothing had run on these JDKs. */
    static String without(String row, Set<Integer> missing) {
        return CELL.matcher(row)
                .replaceAll(cell -> cell(Stream.of(cell.group(1).split(", "))
                        .map(Integer::valueOf)
                        .filter(jdk -> !missing.contains(jdk))
                        .collect(Collectors.toSet())));
    }

    /** The rows that the README has. */
    static List<String> committed() throws IOException {
        List<String> lines = Files.readAllLines(README);
        int head = lines.indexOf(HEAD);
        if (head < 0) {
            throw new IllegalStateException(README + ": has no line '" + HEAD + "'");
        }
        List<String> rows = new ArrayList<>();
        for (int i = head + 2; i < lines.size() && lines.get(i).startsWith("|"); i++) {
            rows.add(lines.get(i));
        }
        return rows;
    }

    /** Puts these rows into the README in place of those that it has. */
    static void write(List<String> rows) throws IOException {
        String text = Files.readString(README);
        Files.writeString(README, text.replace(table(committed()), table(rows)));
    }

    private static String table(List<String> rows) {
        return HEAD + "\n" + RULE + "\n" + String.join("\n", rows) + "\n";
    }
}
