package io.quorate.lab;

import io.quorate.jvm.SettingFile;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.model.AlgorithmFailed;
import io.quorate.testkit.simulation.Nearest;
import io.quorate.testkit.simulation.PublishedScenario;
import io.quorate.testkit.simulation.Scenario;
import io.quorate.testkit.simulation.ScenarioFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A choice of what to show of an algorithm. A choice that cannot be shown is an {@link IllegalArgumentException}.
 *
 * @param nodes in place of the scenario's
 * @param seed  in place of the scenario's
 * @param ways  none for all that are possible
 * @param ring  the order in which processes send to each other; that of their numbers if null
 */
record LabChoice(
        ElectionAlgorithm chosen,
        @Nullable Integer nodes,
        @Nullable Long seed,
        List<LabWay> ways,
        @Nullable String ring) {

    /** What somebody wants to see first who names an algorithm only. */
    static final String FIRST_SCENARIO = "leader dies";

    private static final int NODES_MAX = 9;

    /** The longest scenario file, with many comments. */
    private static final int FILE_BYTES_MAX = 1_000_000;

    /** Describes the lab in ten lines. */
    static String overview(String classPath) {
        return """
                quorate lab runs an election in virtual time, prints it, and draws it as a page of HTML:
                  quorate lab bully                      the leader dies: as documented, hardened, under the lease
                  quorate lab bully B1                   a trace of the algorithm's document
                  quorate lab lcr "leader cut off"       a scenario; --nodes 5 --seed 7 --way lease choose more
                  quorate lab lcr --ring 5,4,3,2,1       the processes in another order on the ring
                  quorate lab lcr --scenario FILE        a scenario or a script of your own
                  quorate lab --break bully:OneLeader    the shortest run that breaks a rule
                  quorate lab bully --explore            a page on which you choose what happens next
                """
                + "Algorithms: " + String.join(", ", LabAlgorithms.on(classPath).names())
                + "\n'quorate lab --list' lists scenarios, traces and rules; 'quorate lab --help' all options and the commands"
                + " all, skeleton and grade.\n";
    }

    /** All scenarios, traces and rules. */
    static String list(String classPath) {
        StringBuilder text = new StringBuilder(
                "Algorithms: " + String.join(", ", LabAlgorithms.on(classPath).names())
                        + "\n\nScenarios, with times in milliseconds from the start:\n");
        PublishedScenario.ofLab().forEach(one -> row(text, 28, one.name(), one.description()));
        text.append(
                "\nTraces of the algorithms' documents and figures of their sources, in which delta is 10 ms and a message takes 5 ms:\n");
        LabTrace.all().forEach(trace -> row(text, 28, trace.script().algorithm() + " " + trace.name(), trace.title()));
        text.append("\nRules, of which --break ALGORITHM:RULE looks for the shortest run that breaks it:\n");
        for (ElectionRule rule : ElectionRule.values()) {
            row(text, 38, rule.written(), rule.meaning());
        }
        return text.toString();
    }

    private static void row(StringBuilder text, int wide, String name, String words) {
        text.append(String.format(Locale.ROOT, "  %-" + wide + "s%s\n", name, words));
    }

    /** The algorithm of this name. */
    static ElectionAlgorithm algorithm(String classPath, String name) {
        return LabAlgorithms.on(classPath).of(name);
    }

    /** A scenario of the lab, or a trace of the algorithm's document; without a name the first scenario. */
    LabRun published(@Nullable String scenario) {
        String name = scenario == null ? FIRST_SCENARIO : scenario;
        Map<String, LabTrace> traces = new LinkedHashMap<>();
        LabTrace.all().stream().filter(one -> one.isOf(chosen)).forEach(one -> traces.put(one.name(), one));
        LabTrace trace = traces.get(name);
        if (trace != null) {
            return ofDocument(trace);
        }
        Map<String, PublishedScenario> all = new LinkedHashMap<>();
        PublishedScenario.ofLab().forEach(one -> all.put(one.name(), one));
        PublishedScenario found = all.get(name);
        if (found == null) {
            List<String> names = Stream.concat(all.keySet().stream(), traces.keySet().stream())
                    .toList();
            throw new IllegalArgumentException("scenario '" + name + "': must be one of " + String.join(", ", names)
                    + Nearest.question(name, names));
        }
        int usual = ring == null ? found.voters() : Ring.size(ring);
        PublishedScenario sized = found.withVoters(nodes == null ? usual : checkedNodes(nodes));
        Scenario runs;
        try {
            runs = sized.scenario(seed == null ? 1 : seed);
        } catch (IllegalArgumentException e) {
            // The place is one in a text that nobody has written.
            String message = String.valueOf(e.getMessage()).replaceFirst("^line \\d+, column \\d+: ", "");
            throw new IllegalArgumentException(
                    "scenario '" + name + "' with " + sized.voters() + " nodes: " + message, e);
        }
        return run(name, found.description(), runs);
    }

    private LabRun ofDocument(LabTrace trace) {
        if (nodes != null || seed != null || !ways.isEmpty() || ring != null) {
            throw new IllegalArgumentException("trace '" + trace.name()
                    + "': its document says how it runs, so --nodes, --seed, --way and --ring do not");
        }
        return trace.run(chosen);
    }

    private LabRun ofScript(Path from, String text) {
        if (nodes != null || seed != null || !ways.isEmpty()) {
            throw new IllegalArgumentException("a script says how it runs, so --nodes, --seed and --way do not");
        }
        LabTrace trace = LabScript.read(name(from), text);
        if (!trace.isOf(chosen)) {
            throw new IllegalArgumentException("is a script for "
                    + trace.script().algorithm() + ", so ALGORITHM must be this one, and not " + chosen.name());
        }
        ElectionAlgorithm machines = onRing(trace.script().size());
        return AlgorithmFailed.asked(chosen, () -> "its script", () -> trace.run(machines));
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName()).replaceFirst("\\.[a-z]+$", "");
    }

    /** The algorithm on the wanted ring. */
    private ElectionAlgorithm onRing(int size) {
        if (ring == null) {
            return chosen;
        }
        if (Ring.size(ring) != size) {
            throw new IllegalArgumentException(
                    "--ring '" + ring + "': must have each of the " + size + " processes once");
        }
        return Ring.of(chosen, ring);
    }

    /** A scenario that somebody wrote; beside it there must be no name of one. */
    LabRun ofFile(@Nullable String scenario, Path from) {
        if (scenario != null) {
            throw new IllegalArgumentException(
                    "scenario '" + scenario + "': must be a name or --scenario FILE, and not both");
        }
        Scenario parsed;
        try {
            String text = text(from);
            if (LabScript.is(text)) {
                return ofScript(from, text);
            }
            if (seed != null || nodes != null) {
                text = text.replaceAll(
                        "(?m)^\\h*" + (seed == null ? "voters" : nodes == null ? "seed" : "(seed|voters)") + "\\h.*$",
                        "");
                text += (seed == null ? "" : "\nseed " + seed)
                        + (nodes == null ? "" : "\nvoters " + checkedNodes(nodes));
            }
            parsed = ScenarioBounds.checked(ScenarioFile.parse(text));
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException("--scenario '" + from + "': " + e.getMessage(), e);
        }
        return run(name(from), "", parsed);
    }

    /** Reads a file that a person wrote or another program printed. */
    static String text(Path from) throws IOException {
        if (Files.notExists(from)) {
            throw new IOException("must be a file that exists");
        }
        byte[] bytes = SettingFile.bytes(from, FILE_BYTES_MAX);
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IOException("must be text in UTF-8", e);
        }
        // Some editors write a mark of the encoding before the first line.
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private LabRun run(String name, String story, Scenario runs) {
        if (ring != null && ways.contains(LabWay.LEASE)) {
            throw new IllegalArgumentException(
                    "--ring '" + ring + "': must stand without --way lease, where ranks decide on the ring");
        }
        List<LabWay> all = ring == null ? List.of(LabWay.values()) : List.of(LabWay.DOCUMENTED, LabWay.HARDENED);
        List<LabWay> wanted = ways.isEmpty() ? LabRun.possible(all, runs) : ways;
        return LabRun.of(
                onRing(runs.setup().voters()),
                name,
                story,
                runs,
                wanted.stream().distinct().toList());
    }

    private static int checkedNodes(int count) {
        if (count < 1 || count > NODES_MAX) {
            throw new IllegalArgumentException("--nodes " + count + ": must be from 1 to " + NODES_MAX);
        }
        return count;
    }
}
