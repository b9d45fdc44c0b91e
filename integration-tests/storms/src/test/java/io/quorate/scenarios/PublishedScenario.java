package io.quorate.scenarios;

import io.quorate.spi.Check;
import io.quorate.testkit.simulation.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One entry of {@code scenarios.txt}.
 *
 * @param name        as it stands in the tables
 * @param description what happens, in one line
 * @param faults      as the simulator reads them
 * @param settings    that differ from the usual ones
 * @param hasMajority whether some node reaches a majority in spite of the faults
 */
record PublishedScenario(
        String name, String description, List<String> faults, Map<String, String> settings, boolean hasMajority) {

    private static final String FILE = "/scenarios.txt";
    /** The path that everybody contends on; faults name its leader. */
    private static final String PATH = "/a";
    /** To the end of every run. */
    private static final long FOR_EVER = 999_999;

    /** The default times, and ranks by node id, so that with and without a lease the same node leads at first. */
    private static final Map<String, String> USUAL = Map.of(
            "voters",
            "5",
            "observers",
            "0",
            "durable",
            "true",
            "rank",
            "NODE_ID",
            "preempt",
            "false",
            "heartbeat",
            "200",
            "support",
            "1000",
            "drift",
            "10",
            "delay-max-micros",
            "1000");

    /** All of them, in the order of the file. */
    static List<PublishedScenario> all() {
        try (InputStream in = PublishedScenario.class.getResourceAsStream(FILE)) {
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @throws IllegalArgumentException if an entry is without a name or a description */
    static List<PublishedScenario> parse(String text) {
        List<PublishedScenario> all = new ArrayList<>();
        String entries = text.lines().filter(line -> !line.startsWith("#")).collect(Collectors.joining("\n"));
        for (String entry : entries.strip().split("\n\\s*\n")) {
            List<String> lines = entry.lines().map(String::strip).toList();
            Check.argument(
                    lines.get(0).startsWith("scenario ") && lines.size() > 1,
                    "entry '%s': must begin with a line 'scenario <name>' and a description",
                    entry);
            List<String> faults =
                    lines.stream().filter(line -> line.startsWith("at ")).toList();
            Map<String, String> settings = new TreeMap<>();
            lines.stream()
                    .map(line -> line.split(" ", 2))
                    .filter(words -> USUAL.containsKey(words[0]))
                    .forEach(words -> settings.put(words[0], words[1]));
            all.add(new PublishedScenario(
                    lines.get(0).substring("scenario ".length()),
                    lines.get(1),
                    faults,
                    settings,
                    !lines.contains("no majority")));
        }
        return all;
    }

    int voters() {
        return Integer.parseInt(settings.getOrDefault("voters", USUAL.get("voters")));
    }

    /** The text that the simulator reads. */
    String text(long seed) {
        Map<String, String> values = new TreeMap<>(USUAL);
        values.putAll(settings);
        StringBuilder text = new StringBuilder("seed " + seed + "\n");
        values.forEach(
                (name, value) -> text.append(name).append(' ').append(value).append('\n'));
        for (int voter = 1; voter <= voters(); voter++) {
            // The best in rank comes first, and so leads when the faults begin.
            int from = voter == voters() ? 0 : 2000;
            text.append("at ")
                    .append(from)
                    .append(" until ")
                    .append(FOR_EVER)
                    .append(" contend n")
                    .append(voter)
                    .append(PATH)
                    .append('\n');
        }
        faults.forEach(fault -> text.append(fault).append('\n'));
        return text.toString();
    }

    Scenario scenario(long seed) {
        return Scenario.parse(text(seed));
    }
}
