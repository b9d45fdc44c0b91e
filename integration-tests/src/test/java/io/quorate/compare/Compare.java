package io.quorate.compare;

import io.quorate.compare.Deployment.Settings;
import io.quorate.compare.Trials.Extent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Compares Quorate with Curator on ZooKeeper on this machine, in turns, each with real processes of its own, and writes
 * what it found. Ends everything that it has started.
 */
@Command(name = "compare", mixinStandardHelpOptions = true)
public final class Compare implements Callable<Integer> {

    @Option(names = "--full", description = "an hour instead of five minutes")
    private boolean isFull;
    @Option(names = "--algorithm", defaultValue = "ballot", description = "Quorate's; default ${DEFAULT-VALUE}")
    private String algorithm;
    @Option(names = "--detection", defaultValue = "1000",
            description = "session time-out and support duration in ms; default ${DEFAULT-VALUE}")
    private int detectionMillis;
    @Option(names = "--only", split = ",", description = "trials: ${COMPLETION-CANDIDATES}")
    private Set<TrialName> only = EnumSet.noneOf(TrialName.class);
    @Option(names = "--rounds", description = "turns of both sides; default 2, with --full 5")
    private Integer rounds;
    @Option(names = "--seed", defaultValue = "1", description = "of the waits between faults")
    private long seed;
    @Option(names = "--out", required = true, description = "directory of the results")
    private Path out;

    @Option(names = "--baseline", description = "ratios.csv of an earlier run: names what got worse, and ends with 2")
    private Optional<Path> baseline = Optional.empty();

    /** What can be left out. */
    enum TrialName {
        CALM("start, hand-over"),
        CRASH("SIGKILL of the leader"),
        CUT("network cut around the leader, both ways and one way each"),
        VOTER("SIGKILL of a server or voter"),
        PAUSE("SIGSTOP of the leader for three detection times"),
        STABLE("idle, then busy"),
        MANY("many latches"),
        COST("calls"),
        CONTENDERS("nodes that do not vote; Quorate alone, and not in quick mode unless named");

        private final String title;

        TrialName(String title) {
            this.title = title;
        }
    }

    private static final int[] CONTENDERS = {10, 25, 50};

    /** What a trial needs. */
    private record Shape(int heap, boolean hasLinks, int contenders) {
    }

    private static final Shape SMALL = new Shape(512, false, 0);

    private final List<Timeline> timelines = new ArrayList<>();
    private Sink sink;
    private Extent extent;
    private Random random;

    /** Exit code 0 if everything could be measured, 1 if not, 2 if something is worse than in the run before. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Compare()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(out);
        sink = new Sink(out.resolve("samples.csv"));
        extent = isFull ? new Extent(12, 4, 300, 60, 20, 5) : new Extent(1, 1, 40, 4, 5, 2);
        if (only.isEmpty()) {
            only.addAll(EnumSet.allOf(TrialName.class));
            if (!isFull) {
                only.remove(TrialName.CONTENDERS);
            }
        }
        random = new Random(seed);
        int turns = rounds != null ? rounds : isFull ? 5 : 2;
        for (int round = 1; round <= turns; round++) {
            for (Side side : Side.values()) {
                sink.turn(round, side);
                turn(round, side);
            }
        }
        List<Comparison> comparisons = Comparison.of(sink.samples());
        List<Alone> alone = Alone.of(sink.samples());
        String summary = Summary.of(comparisons) + Summary.ofAlone(alone);
        Files.writeString(out.resolve("summary.txt"), summary);
        Files.writeString(out.resolve("report.html"), HtmlReport.of(comparisons, alone, timelines, subtitle(turns)));
        Files.writeString(out.resolve("ratios.csv"), Baseline.of(comparisons).toCsv());
        System.out.println(summary);
        System.out.println("report: " + out.resolve("report.html"));
        return baseline.map(file -> judge(Baseline.read(file).worse(comparisons))).orElse(0);
    }

    private static int judge(List<String> worse) {
        worse.forEach(line -> System.out.println("worse than before: " + line));
        return worse.isEmpty() ? 0 : 2;
    }

    private String subtitle(int turns) {
        return String.format("%s mode, %d turns of each side, %d processors, Java %s; detection time %d ms; algorithm"
                + " %s; idle after %d s without work", isFull ? "Full" : "Quick", turns,
                Runtime.getRuntime().availableProcessors(), System.getProperty("java.version"), detectionMillis,
                algorithm, extent.settling());
    }

    private void turn(int round, Side side) {
        run(round, side, TrialName.CALM, SMALL, trials -> {
            trials.coldStart();
            trials.start();
            trials.handOver();
        });
        run(round, side, TrialName.CRASH, SMALL, connected(Trials::crash));
        run(round, side, TrialName.CUT, new Shape(SMALL.heap, true, 0),
                connected(trials -> new CutTrial(trials).run()));
        run(round, side, TrialName.VOTER, SMALL, connected(Trials::voterCrash));
        run(round, side, TrialName.PAUSE, SMALL, connected(Trials::pause));
        run(round, side, TrialName.STABLE, SMALL, connected(Trials::stability));
        for (int latches : isFull ? new int[] {100, 1000, 10_000} : new int[] {1000}) {
            run(round, side, TrialName.MANY, new Shape(2048, false, 0), connected(trials -> trials.many(latches)));
        }
        run(round, side, TrialName.COST, SMALL, connected(trials -> new CostTrials(trials).calls()));
        for (int contenders : side == Side.QUORATE ? CONTENDERS : new int[0]) {
            run(round, side, TrialName.CONTENDERS, new Shape(SMALL.heap, false, contenders),
                    connected(trials -> new CostTrials(trials).contenders(contenders)));
        }
    }

    private static Consumer<Trials> connected(Consumer<Trials> trial) {
        return trials -> {
            trials.connect();
            trial.accept(trials);
        };
    }

    private void run(int round, Side side, TrialName name, Shape shape, Consumer<Trials> trial) {
        if (!only.contains(name)) {
            return;
        }
        long begin = System.nanoTime();
        System.out.printf("round %d, %s, %s ...", round, side.label(), name);
        System.out.flush();
        sink.settled(0);
        try (Deployment deployment = side.deploy(new Settings(detectionMillis, algorithm, shape.heap, shape.hasLinks,
                shape.contenders))) {
            Trials trials = new Trials(name.title, deployment, sink, extent, random);
            trial.accept(trials);
            if (round == 1) {
                timelines.add(trials.timeline());
            }
        }
        System.out.printf(" %d s%n", (System.nanoTime() - begin) / 1_000_000_000);
    }
}
