package io.quorate.compare;

import io.quorate.demo.PluginNames;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Compares Quorate with Curator on ZooKeeper on this machine, in turns, each with real processes of its own, and writes
 * what it found. Ends everything that it has started.
 */
@Command(name = "compare", mixinStandardHelpOptions = true, exitCodeOnInvalidInput = 1)
public final class Compare implements Callable<Integer> {

    private static final int DETECTION_MILLIS = 1000;
    private static final List<String> ALGORITHMS = List.of("ballot", "bully", "lcr", "token-ring", "three-phase");

    @Option(names = "--full", description = "an hour instead of minutes")
    private boolean isFull;

    @Option(names = "--algorithm", defaultValue = "ballot", description = "Quorate's; default ${DEFAULT-VALUE}")
    private String algorithm;

    @Option(
            names = "--transports",
            split = ",",
            defaultValue = "vertx,tcp",
            description = "Quorate's, the first of which has the ratios; default ${DEFAULT-VALUE}")
    private List<String> transports;

    @Option(
            names = "--detection",
            defaultValue = "" + DETECTION_MILLIS,
            description = "session time-out and support duration in ms; default ${DEFAULT-VALUE}")
    private int detectionMillis;

    @Option(names = "--only", split = ",", description = "trials: ${COMPLETION-CANDIDATES}")
    private Set<TrialName> only = EnumSet.noneOf(TrialName.class);

    @Option(
            names = "--latches",
            split = ",",
            description = "how many are many, the first in each turn and the others in the first turn;"
                    + " default 1000,10000, with --full 1000,10000,100000")
    private List<Integer> latches;

    @Option(names = "--rounds", defaultValue = "2", description = "turns of all; default ${DEFAULT-VALUE}")
    private int rounds;

    @Option(names = "--against", description = "a commit with which each turn measures Quorate too")
    private Optional<String> against = Optional.empty();

    @Option(names = "--seed", defaultValue = "1", description = "of the waits between faults")
    private long seed;

    @Option(names = "--out", required = true, description = "directory of the results")
    private Path out;

    @Option(names = "--baseline", description = "ratios.csv of an earlier run: names what got worse, and ends with 2")
    private Optional<Path> baseline = Optional.empty();

    @Option(
            names = "--committed",
            description = "the same for a quick run without --baseline, but what got worse is only named")
    private Optional<Path> committed = Optional.empty();

    @Spec
    private CommandSpec spec;

    /** Exit code 0 if everything could be measured, 1 if not, 2 if something is worse than in the run before. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Compare()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        Optional<Baseline> before = baseline.or(this::usual).map(Baseline::read);
        Files.createDirectories(out);
        TrialRunner.Plan plan = plan();
        Sink sink = new Sink(out.resolve("samples.csv"));
        TrialRunner runner = new TrialRunner(plan, sink, new Random(seed));
        for (int round = 1; round <= rounds; round++) {
            for (ComparedSide side : ComparedSide.values()) {
                runner.run(round, side);
            }
        }
        Findings findings = Findings.of(
                        sink.samples(),
                        sink.notDone(),
                        plan.variants().stream().map(Variant::label).toList(),
                        detectionMillis)
                .with(runner.failures())
                .with(runner.remarks());
        String conditions = conditions();
        String summary = Summary.of(findings);
        Files.writeString(out.resolve("summary.txt"), summary);
        Files.writeString(out.resolve("report.html"), HtmlReport.of(findings, runner.timelines(), conditions));
        Files.writeString(out.resolve("ratios.csv"), Baseline.of(findings.all()).toCsv(conditions));
        System.out.println(summary);
        System.out.println("report: " + out.resolve("report.html"));
        List<String> worse =
                before.map(earlier -> earlier.worse(findings.all())).orElse(List.of());
        before.ifPresent(earlier -> sayWhatIsNotCompared(earlier, findings.all()));
        worse.forEach(line -> System.out.println("worse than before: " + line));
        return exitCode(runner.failures(), worse, baseline.isPresent());
    }

    /** What a run that was to measure less lacks is no news. */
    private void sayWhatIsNotCompared(Baseline earlier, List<Result> now) {
        earlier.unknown(now).forEach(name -> System.out.println("not measured before: " + name));
        if (only.isEmpty() && latches == null) {
            earlier.missing(now).forEach(name -> System.out.println("measured before, and not now: " + name));
        }
    }

    /** @param isAsked whether it was asked for a comparison with an earlier run */
    static int exitCode(List<String> failures, List<String> worse, boolean isAsked) {
        if (!failures.isEmpty()) {
            return 1;
        }
        return isAsked && !worse.isEmpty() ? 2 : 0;
    }

    /** What a run is compared with if nothing is named. */
    private Optional<Path> usual() {
        boolean isUsual = !isFull && against.isEmpty() && detectionMillis == DETECTION_MILLIS;
        return committed.filter(file -> isUsual && Files.exists(file));
    }

    private TrialRunner.Plan plan() {
        if (rounds < 1) {
            throw new ParameterException(spec.commandLine(), "--rounds " + rounds + ": must be at least 1");
        }
        if (latches != null && latches.stream().anyMatch(count -> count < 1)) {
            throw new ParameterException(spec.commandLine(), "--latches " + latches + ": each must be at least 1");
        }
        for (String transport : transports) {
            if (!PluginNames.TRANSPORTS.contains(transport)) {
                throw new ParameterException(
                        spec.commandLine(), "--transports " + transport + ": must be of " + PluginNames.TRANSPORTS);
            }
        }
        return new TrialRunner.Plan(
                TrialName.chosen(only, isFull),
                extent(),
                detectionMillis,
                variants(),
                ALGORITHMS.stream()
                        .filter(other -> !other.equals(algorithm))
                        .map(other -> Variant.of(other, transports.get(0)))
                        .toList(),
                latches != null ? latches : isFull ? List.of(1000, 10_000, 100_000) : List.of(1000, 10_000));
    }

    private List<Variant> variants() {
        List<Variant> variants = new ArrayList<>(transports.stream()
                .map(transport -> Variant.of(algorithm, transport))
                .toList());
        against.map(this::built)
                .ifPresent(other -> variants.addAll(
                        variants.stream().map(variant -> variant.with(other)).toList()));
        return variants;
    }

    private OtherCode built(String commit) {
        try {
            return OtherCode.build(Path.of("").toAbsolutePath(), commit, out.toAbsolutePath());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--against " + commit + ": " + e.getMessage(), e);
        }
    }

    private Extent extent() {
        return isFull ? Extent.FULL : Extent.QUICK;
    }

    private String conditions() {
        return String.format(
                Locale.ROOT,
                "%s mode, %d turns of each side, %d processors, load %.1f at the end,"
                        + " Java %s; detection time %d ms; algorithm %s; transports %s; idle with many latches after %d s without"
                        + " work; containers for %d s",
                isFull ? "Full" : "Quick",
                rounds,
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                System.getProperty("java.version"),
                detectionMillis,
                algorithm,
                String.join(", ", transports),
                extent().settling(),
                extent().quota());
    }
}
