package io.quorate.testkit.simulation;

import io.quorate.engine.Fatal;
import io.quorate.spi.Check;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.Options;
import io.quorate.spi.Variant;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Words;
import io.quorate.testkit.simulation.BrokenRule.Rule;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Runs a {@link Scenario} and measures what it does to the leadership of the path {@code /a}. It begins to measure at
 * {@link #FAULTS_BEGIN}, when there must be one leader, and goes on for a while after the last fault.
 */
public final class Experiment {

    /** The way in which the leader is decided. */
    public enum Mode {
        /** The algorithm nominates, the quorum lease decides. */
        LEASED,
        /** The hardened variant of the algorithm alone; it keeps its terms on disk (option P). */
        UNLEASED_HARDENED,
        /** The algorithm alone, as its document has it. */
        UNLEASED_FAITHFUL
    }

    /** No fault may come before, in milliseconds: voters are silent for the first lease, then there is an election. */
    public static final long FAULTS_BEGIN = 5000;
    /** The least time from {@link #FAULTS_BEGIN} on that is measured, in milliseconds, with any faults. */
    public static final long FAULTS_LENGTH_MIN = 10_000;
    /** After the last fault it is measured for so long, in milliseconds. */
    public static final long AFTERMATH = 10_000;
    /** What did not end as long as there were faults. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final String PATH = Storm.FIRST_PATH;

    /** The leaders when the faults had been over for the bound, and from then on. */
    public enum End {
        /** Always one. */
        ONE,
        /** Never anybody: for ever, as far as one can see. */
        NONE,
        /** Always two or more: for ever, as far as one can see. */
        SEVERAL,
        /** Now so many, now so many. */
        UNSETTLED
    }

    /**
     * A measurement. Times are in milliseconds.
     *
     * @param leadersMax        how many led at one instant, at most
     * @param together          the longest time for which two or more led
     * @param leaderless        the longest time for which nobody led; {@link #NEVER} if that went on when the faults
     *                          ended, and had lasted longer than the bound
     * @param useless           the same, but a leader counts only while it reaches a majority, both ways
     * @param changes           how often somebody began to lead
     * @param messagesPerSecond that were sent while there were faults
     * @param ends              how it ended; one in one run
     * @param leadersForEver    how many led from then on, if it was {@link End#SEVERAL}, else 0
     */
    public record Figures(
            int leadersMax,
            long together,
            long leaderless,
            long useless,
            int changes,
            long messagesPerSecond,
            Set<End> ends,
            int leadersForEver) {

        /** The worse of both, number by number. */
        public Figures worse(Figures other) {
            Set<End> both = EnumSet.copyOf(ends);
            both.addAll(other.ends);
            return new Figures(
                    Math.max(leadersMax, other.leadersMax),
                    Math.max(together, other.together),
                    Math.max(leaderless, other.leaderless),
                    Math.max(useless, other.useless),
                    Math.max(changes, other.changes),
                    Math.max(messagesPerSecond, other.messagesPerSecond),
                    both,
                    Math.max(leadersForEver, other.leadersForEver));
        }
    }

    private final Scenario scenario;
    private final VirtualCluster cluster;
    private final Injector injector;
    private final String algorithm;
    private final List<NodeId> nodes;
    private final Spell together = new Spell();
    private final Spell leaderless = new Spell();
    private final Spell useless = new Spell();
    private boolean isMeasuring;
    private List<NodeId> leaders = List.of();
    private int leadersMax;
    private int changes;

    private static final class Spell {
        private long begin = NEVER;
        private long longest;
        private boolean isEndless;

        void at(long millis, boolean holds) {
            if (holds) {
                begin = Math.min(begin, millis);
                longest = Math.max(longest, millis - begin);
            } else {
                begin = NEVER;
            }
        }

        void faultsEnd(long now, long bound) {
            isEndless = begin != NEVER && now - begin > bound;
        }

        long longest() {
            return isEndless ? NEVER : longest;
        }
    }

    private Experiment(Scenario scenario, ElectionAlgorithm algorithm, Mode mode) {
        this(scenario, algorithm, mode, node -> algorithm);
    }

    private Experiment(
            Scenario scenario, ElectionAlgorithm algorithm, Mode mode, Function<NodeId, ElectionAlgorithm> ofNode) {
        this.scenario = scenario;
        this.algorithm = algorithm.name();
        this.cluster = new VirtualCluster(scenario.seed(), algorithm);
        this.nodes = scenario.setup().nodes();
        nodes.forEach(node -> add(node, mode, ofNode.apply(node)));
        cluster.delays(Simulation.DELAY_MIN_MICROS, scenario.setup().delayMaxMicros());
        injector = new Injector(cluster, nodes, new Mixture(List.of(algorithm)));
    }

    private void add(NodeId node, Mode mode, ElectionAlgorithm ofNode) {
        switch (mode) {
            case LEASED -> cluster.add(scenario.setup().settings(node), ofNode);
            case UNLEASED_HARDENED ->
                cluster.addUnleased(
                        scenario.setup().settings(node),
                        ofNode,
                        new Options(Variant.HARDENED, false, true),
                        this::observe);
            default -> cluster.addUnleased(scenario.setup().settings(node), ofNode, Options.FAITHFUL, this::observe);
        }
    }

    /** After the faults, and in them if some node reaches a majority, a leased path has a leader within this time. */
    public static long bound(Scenario scenario) {
        return (long) Simulation.BOUND_IN_LEASES * scenario.setup().support();
    }

    /**
     * Runs it. A leased cluster keeps the rules of safety of a {@link Simulation} at every step.
     *
     * @throws BrokenRule if a rule was broken, or there is not one leader when the faults begin
     */
    public static Figures run(Scenario scenario, ElectionAlgorithm algorithm, Mode mode) {
        return new Experiment(scenario, algorithm, mode).run();
    }

    // ---------------------------------------------------------------- looking on

    /** So long the cluster is looked at after the last fault, in milliseconds: what follows from it is seen by then. */
    private static final long LOOK_AFTER = 4000;

    /** A scenario without an end ends here, in milliseconds: no fault of the published ones is so late. */
    private static final long LOOK_UNTIL_MAX = 60_000;

    /** Kinds that say something to a node without a lease, or at least do it no harm. */
    private static final Set<Fault.Kind> ALONE = EnumSet.of(
            Fault.Kind.CUT,
            Fault.Kind.LOSS,
            Fault.Kind.DELAY,
            Fault.Kind.DUPLICATION,
            Fault.Kind.FLAP,
            Fault.Kind.CRASH,
            Fault.Kind.CRASH_AFTER_WRITE,
            Fault.Kind.SHUTDOWN,
            Fault.Kind.PAUSE,
            Fault.Kind.STALL,
            Fault.Kind.SLOW,
            Fault.Kind.WORK,
            Fault.Kind.CLOCK,
            Fault.Kind.WALL,
            Fault.Kind.DISK_FULL,
            Fault.Kind.PRIORITY,
            Fault.Kind.CONTEND,
            Fault.Kind.WATCH);

    /**
     * Why an algorithm cannot run alone in this scenario: it knows voters and no one else, and no contenders that come
     * and go. Empty if it can.
     */
    public static Optional<String> onlyLeased(Scenario scenario) {
        if (scenario.setup().observers() > 0) {
            return Optional.of("observers " + scenario.setup().observers() + ": alone, everybody votes");
        }
        return scenario.faults().stream()
                .filter(fault -> !ALONE.contains(fault.kind()))
                .findFirst()
                .map(fault -> fault.kind() + ": has no meaning without a lease");
    }

    /** As the other one, for a run of which nobody asks whether it fails: the recording says it, too. */
    public static Recording record(
            Scenario scenario, ElectionAlgorithm algorithm, Mode mode, String title, String story) {
        return record(scenario, algorithm, mode, title, story, Words.PLAIN, failure -> {});
    }

    /**
     * Runs it, and answers what was seen: each message, each belief and each tenure. Nothing is measured. A rule that
     * breaks ends the run and stands in the recording, and so does what the algorithm throws.
     *
     * @param words     of messages and states
     * @param onFailure is told of each of these, in words
     * @throws IllegalArgumentException if the algorithm cannot run alone in it, and should; see {@link #onlyLeased}; or
     *                                  if a fault begins so late that nobody would see it
     */
    public static Recording record(
            Scenario scenario,
            ElectionAlgorithm algorithm,
            Mode mode,
            String title,
            String story,
            Words words,
            Consumer<String> onFailure) {
        Optional<String> obstacle = mode == Mode.LEASED ? Optional.empty() : onlyLeased(scenario);
        Check.argument(obstacle.isEmpty(), "%s", obstacle.orElse(""));
        for (Fault fault : scenario.faults()) {
            Check.argument(
                    fault.at() < LOOK_UNTIL_MAX,
                    "fault '%s': must begin before %d ms, when the run ends",
                    fault,
                    LOOK_UNTIL_MAX);
        }
        Deque<Recorder> recorders = new ArrayDeque<>();
        // Without a lease each voter contends, and has its number; under it the numbers are those of an election.
        List<NodeId> nodes = scenario.setup().nodes();
        IntFunction<String> names = number ->
                mode == Mode.LEASED ? "contender " + number : nodes.get(number).value();
        Experiment experiment = new Experiment(
                scenario,
                algorithm,
                mode,
                node -> new WatchedAlgorithm(
                        algorithm, (event, state) -> recorders.element().step(node, event, names, state)));
        recorders.add(new Recorder(experiment.cluster, experiment.nodes, PATH, words));
        if (mode == Mode.LEASED && !scenario.setup().isDurable()) {
            experiment.nodes.forEach(experiment.cluster::diskless);
        }
        return experiment.record(recorders.element(), title, story, onFailure);
    }

    private Recording record(Recorder recorder, String title, String story, Consumer<String> onFailure) {
        Consumer<String> fails = failure -> {
            recorder.mark(failure);
            onFailure.accept(failure);
        };
        try {
            lookOn(recorder);
        } catch (BrokenRule e) {
            fails.accept("RULE BROKEN: " + e.getMessage());
            // Justification: messages and answers of somebody else's algorithm are asked in many places, and may throw
            // anything.
        } catch (Throwable e) {
            Fatal.throwIfFatal(e);
            fails.accept("the run ends: " + e);
        }
        nodes.forEach(node ->
                cluster.failure(node).ifPresent(failure -> fails.accept(node + " failed: " + failure.getMessage())));
        // Under the lease a node goes on without its algorithm.
        nodes.forEach(node -> cluster.process(node).warnings.all().stream()
                .filter(warning -> warning.contains("algorithm " + algorithm + " failed at "))
                .forEach(warning -> fails.accept(node + " warns: " + warning)));
        return recorder.recording(title, story);
    }

    /** How long a run of this scenario is recorded, in milliseconds: a minute at most. */
    private static long lookUntil(Scenario scenario) {
        long lastBegin = scenario.faults().stream().mapToLong(Fault::at).max().orElse(0);
        return Math.min(LOOK_UNTIL_MAX, Math.max(lastBegin, scenario.quietFrom()) + LOOK_AFTER);
    }

    private void lookOn(Recorder recorder) {
        nodes.forEach(node -> injector.start(cluster.process(node)));
        for (Fault fault : scenario.faults()) {
            if (!fault.isContender() && !fault.isOfProcess()) {
                mark(recorder, fault);
            }
            injector.schedule(fault);
        }
        long end = lookUntil(scenario);
        while (cluster.nowMillis() < end) {
            advanceTo(cluster.nowMillis() + 1);
            recorder.look();
        }
    }

    /** The leader is named as the injector finds it at that moment. */
    private void mark(Recorder recorder, Fault fault) {
        cluster.time().at(fault.at() * VirtualTime.MILLI, () -> {
            String leader = cluster.leader(PATH).map(NodeId::value).orElse("leader");
            String text = fault.text(leader);
            recorder.mark(text);
            if (fault.until() > fault.at() && !fault.isForEver()) {
                cluster.time().at(fault.until() * VirtualTime.MILLI, () -> recorder.mark(text + " is over"));
            }
        });
    }

    private Figures run() {
        nodes.forEach(node -> injector.start(cluster.process(node)));
        scenario.faults().forEach(injector::schedule);
        // Faults happen before what is measured at the same instant.
        advanceTo(FAULTS_BEGIN - 1);
        leaders = cluster.leaders(PATH);
        if (leaders.size() != 1) {
            throw new BrokenRule(Rule.LEADER_IN_THE_END, leaders + " lead before the first fault");
        }
        isMeasuring = true;
        cluster.forgetMessages();
        long faultsEnd = Math.max(scenario.quietFrom(), FAULTS_BEGIN + FAULTS_LENGTH_MIN);
        measureUntil(faultsEnd - 1);
        long bound = bound(scenario);
        leaderless.faultsEnd(cluster.nowMillis(), bound);
        useless.faultsEnd(cluster.nowMillis(), bound);
        long messages = cluster.messages().values().stream()
                .mapToLong(Integer::longValue)
                .sum();
        measureUntil(faultsEnd + bound);
        IntSummaryStatistics atEnd = measureEnd(faultsEnd + AFTERMATH);
        nodes.forEach(this::checkFailure);
        return new Figures(
                leadersMax,
                together.longest,
                leaderless.longest(),
                useless.longest(),
                changes,
                messages * 1000 / (faultsEnd - FAULTS_BEGIN),
                EnumSet.of(end(atEnd)),
                atEnd.getMin() > 1 ? atEnd.getMin() : 0);
    }

    private void checkFailure(NodeId node) {
        cluster.failure(node).ifPresent(failure -> {
            throw new BrokenRule(Rule.NO_FAILURE, node + ": " + failure.getMessage());
        });
    }

    private IntSummaryStatistics measureEnd(long millis) {
        IntSummaryStatistics counts = new IntSummaryStatistics();
        while (cluster.nowMillis() < millis) {
            measureUntil(cluster.nowMillis() + 1);
            counts.accept(leaders.size());
        }
        return counts;
    }

    private static End end(IntSummaryStatistics leaders) {
        if (leaders.getMin() > 1) {
            return End.SEVERAL;
        }
        if (leaders.getMin() != leaders.getMax()) {
            return End.UNSETTLED;
        }
        return leaders.getMax() == 0 ? End.NONE : End.ONE;
    }

    private void measureUntil(long millis) {
        while (cluster.nowMillis() < millis) {
            advanceTo(cluster.nowMillis() + 1);
            observe();
        }
    }

    private void advanceTo(long millis) {
        cluster.time().advanceTo(millis * VirtualTime.MILLI);
    }

    /** Called every millisecond, and without a lease at every change: with one, the rules see two leaders. */
    private void observe() {
        if (!isMeasuring) {
            return;
        }
        List<NodeId> before = leaders;
        leaders = cluster.leaders(PATH);
        boolean isUseful = false;
        for (NodeId leader : leaders) {
            changes += before.contains(leader) ? 0 : 1;
            isUseful = isUseful || reachesMajority(leader);
        }
        leadersMax = Math.max(leadersMax, leaders.size());
        together.at(cluster.nowMillis(), leaders.size() > 1);
        leaderless.at(cluster.nowMillis(), leaders.isEmpty());
        useless.at(cluster.nowMillis(), !isUseful);
    }

    private boolean reachesMajority(NodeId leader) {
        if (cluster.process(leader).isPaused()) {
            return false;
        }
        int reached = 1;
        for (NodeId node : nodes) {
            // Looked at every millisecond: no further than the answer needs.
            if (2 * reached > nodes.size()) {
                break;
            }
            reached += !node.equals(leader) && isReached(leader, node) ? 1 : 0;
        }
        return 2 * reached > nodes.size();
    }

    private boolean isReached(NodeId leader, NodeId node) {
        VirtualProcess process = cluster.process(node);
        return process.isRunning()
                && !process.isPaused()
                && !cluster.network().isCut(leader, node)
                && !cluster.network().isCut(node, leader);
    }
}
