package io.quorate.lab;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.model.ModelChecker.Links;
import io.quorate.testkit.model.ModelChecker.Moment;
import io.quorate.testkit.model.Step.What;
import io.quorate.testkit.picture.Naming;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Conflict;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Step;
import io.quorate.testkit.picture.Recording.Step.Kind;
import io.quorate.testkit.simulation.Scenario;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * A scenario, such as one that a storm has printed, with the algorithm alone, as steps of the explorer:
 * docs/lab.md#counterexamples-of-others. Each step leads to the state that was recorded.
 */
final class StormRun {

    /** A machine has handled something, or its process has ended. */
    private record Seen(long at, String process, String event, Optional<String> state) {}

    private final List<String> processes;
    private final LabWords words;
    private final StepMatcher matcher;

    private StormRun(ElectionAlgorithm algorithm, LabWay way, List<String> processes) {
        this.processes = processes;
        words = new LabWords(algorithm.name(), way.variant(), processes);
        matcher = new StepMatcher(algorithm, way, processes.size(), OptionalInt.empty(), Links.UNORDERED);
    }

    /**
     * Runs it until two lead at the same time, or to its end.
     *
     * @throws IllegalArgumentException if something in it has no counterpart in the explorer; says what and when
     */
    static SavedRun of(ElectionAlgorithm algorithm, LabWay way, Scenario scenario) {
        int size = scenario.setup().voters();
        if (size < 2 || size > RuleSearch.SIZE_MAX) {
            throw new IllegalArgumentException(
                    "voters " + size + ": must be from 2 to " + RuleSearch.SIZE_MAX + " with --explore");
        }
        Recording recording = LabRun.of(algorithm, "", "", scenario, List.of(way))
                .ways()
                .get(0)
                .recording();
        long end =
                recording.conflicts().stream().mapToLong(Conflict::from).min().orElse(recording.end());
        List<Seen> all = new ArrayList<>();
        for (Step step : recording.steps()) {
            // All start together, before anything else happens.
            if (step.at() > 0 || step.kind() != Kind.OTHER) {
                all.add(new Seen(step.at(), step.process(), step.event(), Optional.of(step.state())));
            }
        }
        recording.marks().stream()
                .filter(mark -> mark.text().equals("is gone"))
                .forEach(
                        mark -> all.add(new Seen(mark.at(), mark.process().orElse(""), mark.text(), Optional.empty())));
        recording.messages().stream()
                .filter(message -> message.fate() == Fate.LOST && !message.isRoutine())
                .forEach(message -> all.add(new Seen(
                        message.ended(),
                        message.to(),
                        "loses " + message.text() + " from " + message.from(),
                        Optional.empty())));
        // A process handles nothing after its end, until it starts.
        all.sort(Comparator.comparingLong(Seen::at).thenComparing(seen -> seen.event.equals("start")));
        StormRun run = new StormRun(algorithm, way, recording.processes());
        all.stream().filter(seen -> seen.at <= end).forEach(run::take);
        return new SavedRun(way, size, OptionalInt.empty(), Links.UNORDERED, run.matcher.steps());
    }

    private void take(Seen seen) {
        int process = processes.indexOf(seen.process);
        String first = seen.event.replaceFirst(" .*", "");
        String middle = seen.event.replaceFirst("\\S+ ", "").replaceFirst(" from \\S+$", "");
        int other = processes.indexOf(seen.event.replaceFirst(".* ", ""));
        Predicate<Moment> isIt =
                switch (first) {
                    case "is" -> is(What.CRASHED, process, -1);
                    case "start" -> is(What.RESTARTED, process, -1);
                    case "suspects" -> is(What.SUSPECTED, process, other);
                    case "trusts" -> is(What.TRUSTED, process, other);
                    case "timer" ->
                        is(What.TIMER, process, -1)
                                .and(moment -> moment.step().words().matches("P\\d " + seen.event + "(, early)?"));
                    case "loses" ->
                        is(What.LOST, process, other)
                                .and(moment -> naming(moment).text().equals(middle));
                    default ->
                        is(What.RECEIVED, process, other)
                                .and(moment -> naming(moment).name().equals(first));
                };
        matcher.take(
                Export.millis(seen.at) + " ms, " + seen.process + ": " + seen.event
                        + seen.state.map(state -> " => " + state).orElse(""),
                isIt.and(moment -> seen.state.isEmpty()
                        || moment.after().isAlive(process)
                                && seen.state
                                        .get()
                                        .equals(words.state(moment.after().state(process)))));
    }

    private Naming naming(Moment moment) {
        return words.of(moment.step().message().orElseThrow().message());
    }

    /** @param other the sender, or the process that is suspected or trusted; -1 if there is none */
    private static Predicate<Moment> is(What what, int process, int other) {
        return moment -> moment.step().what() == what
                && moment.step().process() == process
                && (other < 0
                        || moment.step()
                                .message()
                                .map(sent -> sent.from() == other)
                                .orElse(moment.step().words().endsWith(" P" + other)));
    }
}
