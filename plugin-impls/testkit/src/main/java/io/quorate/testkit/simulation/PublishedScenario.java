package io.quorate.testkit.simulation;

import io.quorate.spi.Check;
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
 * A scenario with a name, as the published table has them, and {@code quorate lab} a few more.
 *
 * @param name        as it stands in the tables
 * @param description what happens, in one line
 * @param faults      as the simulator reads them
 * @param settings    that differ from the usual ones
 * @param hasMajority whether some node reaches a majority in spite of the faults
 */
public record PublishedScenario(
        String name, String description, List<String> faults, Map<String, String> settings, boolean hasMajority) {

    private static final String TABLE = "scenarios.txt";
    private static final String LAB = "lab-scenarios.txt";
    /** The path that everybody contends on; faults name its leader. */
    private static final String PATH = "/a";
    /** To the end of every run. */
    private static final long FOR_EVER = 999_999;

    /** The default times, and ranks by node id, so that with and without a lease the same node leads at first. */
    static final Map<String, String> USUAL = Map.of(
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

    public PublishedScenario {
        faults = List.copyOf(faults);
        settings = Map.copyOf(settings);
    }

    /** Those of the published table, in its order. */
    public static List<PublishedScenario> all() {
        return parse(read(TABLE));
    }

    /** The scenarios of the lab: first those that explain the algorithms, then those of the table. */
    public static List<PublishedScenario> ofLab() {
        List<PublishedScenario> both = new ArrayList<>(parse(read(LAB)));
        both.addAll(all());
        return both;
    }

    private static String read(String file) {
        try (InputStream in = PublishedScenario.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
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

    /** How many nodes vote. */
    public int voters() {
        return Integer.parseInt(settings.getOrDefault("voters", USUAL.get("voters")));
    }

    /** The same with another number of nodes. */
    public PublishedScenario withVoters(int count) {
        Map<String, String> others = new TreeMap<>(settings);
        others.put("voters", String.valueOf(count));
        return new PublishedScenario(name, description, faults, others, hasMajority);
    }

    /** The text that the simulator reads. */
    public String text(long seed) {
        Map<String, String> values = new TreeMap<>(USUAL);
        values.putAll(settings);
        StringBuilder text = new StringBuilder("seed " + seed + "\n");
        values.forEach(
                (name, value) -> text.append(name).append(' ').append(value).append('\n'));
        text.append(contenders(voters()));
        faults.forEach(fault -> text.append(fault).append('\n'));
        return text.toString();
    }

    /** Everybody contends for ever. The best in rank comes first, and so leads when the faults begin. */
    static String contenders(int voters) {
        StringBuilder text = new StringBuilder();
        for (int voter = 1; voter <= voters; voter++) {
            int from = voter == voters ? 0 : 2000;
            text.append("at ")
                    .append(from)
                    .append(" until ")
                    .append(FOR_EVER)
                    .append(" contend n")
                    .append(voter)
                    .append(PATH)
                    .append('\n');
        }
        return text.toString();
    }

    /**
     * The scenario as data.
     *
     * @throws IllegalArgumentException if it names nodes that there are not
     */
    public Scenario scenario(long seed) {
        return ScenarioFile.parse(text(seed));
    }
}
