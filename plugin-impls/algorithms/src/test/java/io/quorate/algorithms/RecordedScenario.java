package io.quorate.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.testkit.simulation.ElectionCluster;
import io.quorate.testkit.simulation.ElectionScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A recorded scenario below {@code src/test/resources/traces}. Its first line that is no comment reads
 * <pre>
 * unit ballot faithful process=1 of=3               events on the left, recorded effects on the right of each bar
 * cluster bully hardened of=4 leader=4 absent=3     faults, a line ----, and the recorded trace
 * </pre>
 * with delta 10 and latency 5. {@link ElectionScript} says what faults there are. {@code show 50..120 indications}
 * records only events that indicate a leader, and {@code hide ACK START} leaves out the messages of these names where
 * they had no effect.
 * {@code -Drewrite} records anew.
 */
public final class RecordedScenario {

    private static final Path DIRECTORY = Path.of("src", "test", "resources", "traces");

    private final List<String> lines;
    private final Map<String, String> settings;
    private final Notation notation;
    private final ElectionAlgorithm algorithm;
    private final Options options;
    private final Machines machines;

    /** Makes the machines of a scenario, where those of the algorithm's own {@code create} will not do. */
    @FunctionalInterface
    public interface Machines {
        /** A machine; {@code settings} are what the first line of the scenario sets. */
        Election create(
                ElectionAlgorithm algorithm, Membership membership, Options options, Map<String, String> settings);
    }

    private RecordedScenario(List<String> lines, Function<Variant, Notation> notations, Machines machines) {
        this.lines = lines;
        String[] words = header().split(" +");
        this.settings = Arrays.stream(words)
                .filter(word -> word.contains("="))
                .collect(Collectors.toMap(word -> word.split("=")[0], word -> word.split("=")[1]));
        Variant variant = Variant.valueOf(words[2].toUpperCase(Locale.ROOT));
        this.notation = notations.apply(variant);
        this.options = new Options(variant, false, false);
        this.algorithm = ServiceLoader.load(ElectionAlgorithm.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals(words[1]))
                .findFirst()
                .orElseThrow();
        this.machines = machines;
    }

    /** Runs the scenario and compares with what is recorded; the effects of one event are compared as a multiset. */
    public static void check(String name, Function<Variant, Notation> notations) {
        check(
                name,
                notations,
                (algorithm, membership, options, settings) -> algorithm.create(membership, new Timing(10), options));
    }

    /** The same with machines of the test's own. */
    public static void check(String name, Function<Variant, Notation> notations, Machines machines) {
        Path file = DIRECTORY.resolve(name + ".txt");
        try {
            List<String> recorded = Files.readAllLines(file);
            RecordedScenario scenario = new RecordedScenario(recorded, notations, machines);
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
        return lines.stream()
                .map(line -> {
                    String[] sides = line.split("\\|", 2);
                    if (sides.length < 2 || line.startsWith("at ") || line.startsWith("#")) {
                        return line;
                    }
                    String effects = Arrays.stream(sides[1].split(";"))
                            .map(String::trim)
                            .sorted()
                            .collect(Collectors.joining("; "));
                    return sides[0].trim().replaceAll(" +", " ") + " | " + effects;
                })
                .toList();
    }

    private String header() {
        return lines.stream().filter(line -> !line.startsWith("#")).findFirst().orElseThrow();
    }

    private int setting(String name) {
        return Integer.parseInt(settings.getOrDefault(name, "0"));
    }

    /** The number of the process that is written so. */
    private int process(String written) {
        return Integer.parseInt(written) - notation.first();
    }

    private Election create(int process) {
        return machines.create(algorithm, Membership.of(process, setting("of")), options, settings);
    }

    private static String shown(List<String> effects) {
        return effects.isEmpty() ? "-" : String.join("; ", effects);
    }

    // ---------------------------------------------------------------- one machine

    private List<String> runUnit() {
        Machine machine = new Machine(create(process(settings.get("process"))), notation);
        return lines.stream()
                .map(line -> line.matches("\\d+ .*") ? replay(machine, line) : line)
                .toList();
    }

    /** The first word of a line is a time; after an {@code &} it may be left out. */
    private String replay(Machine machine, String line) {
        String left = line.substring(0, line.indexOf('|'));
        List<String> effects = new ArrayList<>();
        long now = 0;
        for (String part : left.split("&")) {
            String event = part.trim();
            if (Character.isDigit(event.charAt(0))) {
                now = Long.parseLong(event.replaceFirst(" .*", ""));
                event = event.replaceFirst("^\\d+ +", "").replaceFirst("^P\\d+ +", "");
            }
            boolean isLed = event.equals("start") && settings.containsKey("leader");
            effects.addAll(machine.on(now, isLed ? "start leader=" + settings.get("leader") : event));
        }
        return left + "| " + shown(effects);
    }

    // ---------------------------------------------------------------- a cluster

    private List<String> runCluster() {
        List<String> text = lines.subList(0, lines.indexOf("----") + 1);
        ElectionScript script = new ElectionScript(String.join("\n", text), notation.first());
        List<String> trace = new ArrayList<>();
        ElectionCluster cluster = script.cluster(algorithm, this::create);
        String[] show = script.show();
        List<String> hidden = text.stream()
                .filter(line -> line.startsWith("hide "))
                .flatMap(line -> Arrays.stream(line.split(" ")).skip(1))
                .toList();
        cluster.observe((process, event, effects) -> {
            if (cluster.now() >= Long.parseLong(show[1])
                    && (show.length == 3 || isIndication(effects))
                    && !(effects.isEmpty()
                            && hidden.contains(notation.show(event).replaceFirst("\\(.*", "")))) {
                String shown = shown(notation.show(effects, cluster.election(process)));
                trace.add(line(cluster.now(), process, notation.show(event), shown));
            }
        });
        script.schedule(cluster, words -> {
            if (words[0].equals("crash")) {
                trace.add(line(cluster.now(), process(words[1]), "CRASH", ""));
            }
        });
        cluster.runUntil(Long.parseLong(show[2]));
        List<String> actual = new ArrayList<>(text);
        actual.addAll(trace);
        return actual;
    }

    private static boolean isIndication(List<Effect> effects) {
        return effects.stream().anyMatch(effect -> effect instanceof Effect.Nominate);
    }

    private String line(long time, int process, String event, String effects) {
        return String.format("%-4d P%d %-26s | %s", time, process + notation.first(), event, effects)
                .stripTrailing();
    }
}
