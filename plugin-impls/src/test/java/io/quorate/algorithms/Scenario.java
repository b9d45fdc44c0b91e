package io.quorate.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A recorded scenario below {@code src/test/resources/traces}. Its first line that is no comment reads
 * <pre>
 * unit ballot faithful process=1 of=3               events on the left, recorded effects on the right of each bar
 * cluster bully hardened of=4 leader=4 absent=3     faults, a line ----, and the recorded trace
 * </pre>
 * with delta 10 and latency 5. Faults are {@code at 1 crash 4}, {@code start 2}, {@code suspect 1 4},
 * {@code restore 1 4}, {@code split 12|34} and {@code heal}; {@code show 1..60} says what is recorded, and
 * {@code show 50..120 indications} only events that indicate a leader. {@code -Drewrite} records anew.
 */
public final class Scenario {

    private static final Path DIRECTORY = Path.of("src", "test", "resources", "traces");

    private final List<String> lines;
    private final Map<String, String> settings;
    private final Notation notation;
    private final ElectionAlgorithm algorithm;
    private final Options options;

    private Scenario(List<String> lines, Function<Variant, Notation> notations) {
        this.lines = lines;
        String[] words = header().split(" +");
        this.settings = Arrays.stream(words).filter(word -> word.contains("="))
                .collect(Collectors.toMap(word -> word.split("=")[0], word -> word.split("=")[1]));
        Variant variant = Variant.valueOf(words[2].toUpperCase(Locale.ROOT));
        this.notation = notations.apply(variant);
        this.options = new Options(variant, false, false);
        this.algorithm = ServiceLoader.load(ElectionAlgorithm.class).stream().map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals(words[1])).findFirst().orElseThrow();
    }

    /** Runs the scenario and compares with what is recorded; the effects of one event are compared as a multiset. */
    public static void check(String name, Function<Variant, Notation> notations) {
        Path file = DIRECTORY.resolve(name + ".txt");
        try {
            List<String> recorded = Files.readAllLines(file);
            Scenario scenario = new Scenario(recorded, notations);
            List<String> actual = scenario.header().startsWith("unit") ? scenario.runUnit() : scenario.runCluster();
            if (System.getProperty("rewrite") != null) {
                Files.write(file, actual);
            } else {
                assertThat(normalised(actual)).as(name).containsExactlyElementsOf(normalised(recorded));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> normalised(List<String> lines) {
        return lines.stream().map(line -> {
            String[] sides = line.split("\\|", 2);
            if (sides.length < 2 || line.startsWith("at ") || line.startsWith("#")) {
                return line;
            }
            String effects = Arrays.stream(sides[1].split(";")).map(String::trim).sorted()
                    .collect(Collectors.joining("; "));
            return sides[0].trim().replaceAll(" +", " ") + " | " + effects;
        }).toList();
    }

    private String header() {
        return lines.stream().filter(line -> !line.startsWith("#")).findFirst().orElseThrow();
    }

    private int setting(String name) {
        return Integer.parseInt(settings.getOrDefault(name, "0"));
    }

    private Election create(int process) {
        return algorithm.create(Membership.of(process, setting("of")), new Timing(10), options);
    }

    private static String shown(List<String> effects) {
        return effects.isEmpty() ? "-" : String.join("; ", effects);
    }

    // ---------------------------------------------------------------- one machine

    private List<String> runUnit() {
        Machine machine = new Machine(create(setting("process") - 1), notation);
        return lines.stream().map(line -> line.matches("\\d+ .*") ? replay(machine, line) : line).toList();
    }

    /** The first word of a line is a time, which the machine ignores, or (after an {@code &}) repeats it. */
    private static String replay(Machine machine, String line) {
        String left = line.substring(0, line.indexOf('|'));
        List<String> effects = new ArrayList<>();
        for (String event : left.split("&")) {
            effects.addAll(machine.on(event.trim().replaceFirst("^\\d+ +", "").replaceFirst("^P\\d+ +", "")));
        }
        return left + "| " + shown(effects);
    }

    // ---------------------------------------------------------------- a cluster

    private List<String> runCluster() {
        List<String> script = lines.subList(0, lines.indexOf("----") + 1);
        List<String> trace = new ArrayList<>();
        AlgorithmCluster cluster = new AlgorithmCluster(algorithm, setting("of"), setting("of"), this::create);
        String[] show = script.stream().filter(line -> line.startsWith("show ")).findFirst().orElseThrow()
                .split(" |\\.\\.");
        cluster.observe((process, event, effects) -> {
            if (cluster.now() >= Long.parseLong(show[1]) && (show.length == 3 || isIndication(effects))) {
                trace.add(line(cluster.now(), process, notation.show(event), shown(notation.show(effects))));
            }
        });
        OptionalInt leader = setting("leader") == 0 ? OptionalInt.empty() : OptionalInt.of(setting("leader") - 1);
        for (int process = 0; process < setting("of"); process++) {
            if (process != setting("absent") - 1) {
                int started = process;
                cluster.at(0, () -> cluster.start(started, leader));
            }
        }
        for (String line : script) {
            if (line.startsWith("at ")) {
                String[] words = line.split(" ");
                cluster.at(Long.parseLong(words[1]), () -> perform(cluster, trace, words));
            }
        }
        cluster.runUntil(Long.parseLong(show[2]));
        List<String> actual = new ArrayList<>(script);
        actual.addAll(trace);
        return actual;
    }

    private static boolean isIndication(List<Effect> effects) {
        return effects.stream().anyMatch(effect -> effect instanceof Effect.Nominate);
    }

    private static String line(long time, int process, String event, String effects) {
        return String.format("%-4d P%d %-26s | %s", time, process + 1, event, effects).stripTrailing();
    }

    private static void perform(AlgorithmCluster cluster, List<String> trace, String... words) {
        int process = words.length > 3 && !words[2].equals("split") ? Integer.parseInt(words[3]) - 1 : -1;
        switch (words[2]) {
            case "crash" -> {
                cluster.crash(process);
                trace.add(line(cluster.now(), process, "CRASH", ""));
            }
            case "start" -> cluster.start(process);
            case "suspect" -> cluster.setSuspected(process, Integer.parseInt(words[4]) - 1, true);
            case "restore" -> cluster.setSuspected(process, Integer.parseInt(words[4]) - 1, false);
            case "split" -> cluster.cut((one, other) -> isFirst(words[3], one) != isFirst(words[3], other));
            case "heal" -> cluster.cut((one, other) -> false);
            default -> throw new IllegalArgumentException("unknown fault " + words[2]);
        }
    }

    private static boolean isFirst(String split, int process) {
        return split.indexOf(String.valueOf(process + 1)) < split.indexOf('|');
    }
}
