package io.quorate.compare;

import io.quorate.compare.Deployment.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What runs in the turn of a side, in which order, and on what processes. */
final class TrialRunner {

    /**
     * What all turns have in common.
     *
     * @param variants of Quorate with which all is measured, one after the other
     * @param others   those that are compared with the first where an election is needed
     * @param latches  how many there are where they are many; the first in each turn, the others in the first turn
     */
    record Plan(
            Set<TrialName> trials,
            Extent extent,
            int detectionMillis,
            List<Variant> variants,
            List<Variant> others,
            List<Integer> latches) {}

    /** What processes are needed. */
    private record Shape(
            Variant variant, int heapMegabytes, boolean hasLinks, int contenders, Optional<Container> container) {

        private static Shape small(Variant variant) {
            return new Shape(variant, 512, false, 0, Optional.empty());
        }

        private static Shape large(Variant variant) {
            return new Shape(variant, 2048, false, 0, Optional.empty());
        }

        private Shape linked() {
            return new Shape(variant, heapMegabytes, true, contenders, container);
        }

        private Shape with(int nodesThatDoNotVote) {
            return new Shape(variant, heapMegabytes, hasLinks, nodesThatDoNotVote, container);
        }

        private Shape in(Container small) {
            return new Shape(variant, heapMegabytes, hasLinks, contenders, Optional.of(small));
        }
    }

    /** A trial, which may begin with the start of the processes itself. */
    private record Step(TrialName name, boolean isFromNothing, Consumer<Trials> trial) {

        private static Step fromNothing(TrialName name, Consumer<Trials> trial) {
            return new Step(name, true, trial);
        }

        private static Step connected(TrialName name, Consumer<Trials> trial) {
            return new Step(name, false, trial);
        }
    }

    private static final int[] CONTENDERS = {10, 25, 50};
    private static final int[] CONTAINER_LATCHES = {1, 100};
    /** What bytes on the wire are measured in. */
    private static final Set<TrialName> COUNT_BYTES = EnumSet.of(TrialName.IDLE, TrialName.MANY, TrialName.CONTENDERS);

    private final Plan plan;
    private final Sink sink;
    private final Random random;
    private final List<Timeline> timelines = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final Set<String> remarks = new LinkedHashSet<>();
    private int round;
    private ComparedSide side;

    TrialRunner(Plan plan, Sink sink, Random random) {
        this.plan = plan;
        this.sink = sink;
        this.random = random;
    }

    /** Of the first turn of each side, so far. */
    List<Timeline> timelines() {
        return timelines;
    }

    /** What else a reader of the figures has to know, so far. */
    Set<String> remarks() {
        return remarks;
    }

    /** What could not be measured, so far. */
    List<String> failures() {
        return failures;
    }

    /** @param turn from 1 */
    void run(int turn, ComparedSide ofSide) {
        round = turn;
        side = ofSide;
        if (side == ComparedSide.CURATOR) {
            runAll(plan.variants.get(0));
            return;
        }
        plan.variants.forEach(this::runAll);
        plan.others.forEach(this::compare);
        for (int contenders : CONTENDERS) {
            run(
                    Shape.small(plan.variants.get(0)).with(contenders),
                    plan.extent,
                    Step.connected(TrialName.CONTENDERS, trials -> new CostTrials(trials).contenders(contenders)));
        }
        if (plan.trials.contains(TrialName.FLOOR)) {
            sink.turn(round, side, FloorTrial.LABEL);
            sink.settled(0);
            new FloorTrial(sink, plan.extent).run();
        }
    }

    /** What one turn is enough for, or takes too long for more. */
    private void runOnce(Variant variant) {
        for (int latches : plan.latches.subList(1, plan.latches.size())) {
            many(variant, latches, false);
        }
        if (plan.trials.contains(TrialName.CONTAINERS) && !CpuQuota.isPossible()) {
            remarks.add("Small containers were not measured: no control group can be made here.");
            return;
        }
        for (Container container : Container.values()) {
            for (int latches : CONTAINER_LATCHES) {
                run(
                        Shape.small(variant).in(container),
                        plan.extent,
                        Step.fromNothing(
                                TrialName.CONTAINERS, trials -> new ContainerTrial(trials).run(container, latches)));
            }
        }
    }

    private void many(Variant variant, int latches, boolean isIdleMeasured) {
        sink.turn(round, side, variant.label());
        if (plan.trials.contains(TrialName.MANY) && sink.isLessNotDone(Metric.ALL_LED, latches)) {
            sink.notDone(Metric.ALL_LED, latches, 0, OptionalLong.empty());
            return;
        }
        run(Shape.large(variant), plan.extent, Step.connected(TrialName.MANY, trials -> new ManyTrial(trials, latches)
                .run(isIdleMeasured)));
    }

    private void runAll(Variant variant) {
        // None of these leaves anything to the next one but warm processes; whoever disturbs more comes later.
        run(
                Shape.large(variant),
                plan.extent,
                Step.fromNothing(TrialName.CALM, Trials::calm),
                Step.connected(TrialName.COST, trials -> new CostTrials(trials).run(round == 1)),
                Step.connected(TrialName.STABLE, Trials::stability),
                Step.connected(TrialName.PAUSE, Trials::pause),
                Step.connected(TrialName.CRASH, Trials::crash),
                Step.connected(TrialName.VOTER, Trials::voterCrash));
        run(Shape.small(variant).linked(), plan.extent, Step.connected(TrialName.CUT, trials -> new CutTrial(trials)
                .run(Cut.values())));
        run(Shape.small(variant), plan.extent, Step.fromNothing(TrialName.FIRST, Trials::firstHandOvers));
        run(Shape.small(variant), plan.extent, Step.connected(TrialName.IDLE, Trials::idle));
        many(variant, plan.latches.get(0), true);
        if (round == 1) {
            runOnce(variant);
        }
    }

    /** Where there must be an election. An orderly hand-over needs none, and nothing else happens while one leads. */
    private void compare(Variant variant) {
        Shape small = Shape.small(variant);
        Extent extent = plan.extent.ofEachAlgorithm();
        run(
                small,
                extent,
                Step.fromNothing(TrialName.ALGORITHMS, Trials::coldStart),
                Step.connected(TrialName.ALGORITHMS, Trials::crash));
        run(small.linked(), extent, Step.connected(TrialName.ALGORITHMS, trials -> new CutTrial(trials).run(Cut.BOTH)));
    }

    /** All steps that were chosen, one after the other on the same processes. */
    private void run(Shape shape, Extent extent, Step... steps) {
        List<Step> chosen = Arrays.stream(steps)
                .filter(step -> plan.trials.contains(step.name))
                .toList();
        if (chosen.isEmpty()) {
            return;
        }
        sink.turn(round, side, shape.variant.label());
        if (chosen.stream().anyMatch(step -> COUNT_BYTES.contains(step.name))) {
            sink.add(Metric.OTHER_BYTES, ProcessUsage.loopbackBytesPerSecond());
        }
        int next = 0;
        while (next < chosen.size()) {
            next += run(shape, extent, chosen.subList(next, chosen.size()));
        }
    }

    /** Up to the first that fails; answers how many these are, that one included. */
    private int run(Shape shape, Extent extent, List<Step> steps) {
        int begun = 0;
        try (Deployment deployment = side.deploy(new Settings(
                plan.detectionMillis,
                shape.variant,
                shape.heapMegabytes,
                shape.hasLinks,
                shape.contenders,
                shape.container))) {
            for (Step step : steps) {
                begun++;
                String title = title(step, shape.variant);
                run(step, new Trials(title, deployment, sink, extent, random), begun == 1);
            }
        } catch (IllegalStateException e) {
            System.out.println(" failed: " + e.getMessage());
            failures.add("Not measured in round " + round + ", " + side.label() + ", "
                    + steps.get(Math.max(1, begun) - 1).name + ": " + e.getMessage());
        }
        return Math.max(1, begun);
    }

    private String title(Step step, Variant variant) {
        if (step.name == TrialName.ALGORITHMS) {
            return variant.label();
        }
        return variant.equals(plan.variants.get(0)) ? step.name.title() : step.name.title() + ", " + variant.label();
    }

    private void run(Step step, Trials trials, boolean isFirst) {
        long begin = System.nanoTime();
        System.out.printf("round %d, %s, %s ...", round, trials.deployment().label(), step.name);
        System.out.flush();
        sink.settled(0);
        if (!isFirst) {
            trials.clear();
        } else if (!step.isFromNothing) {
            trials.connect();
        }
        step.trial.accept(trials);
        if (round == 1) {
            timelines.add(trials.timeline());
        }
        System.out.printf(" %d s%n", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin));
    }
}
