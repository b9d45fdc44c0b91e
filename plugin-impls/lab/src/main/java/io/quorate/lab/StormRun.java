package io.quorate.lab;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.model.ModelChecker.Links;
import io.quorate.testkit.model.ModelChecker.World;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Conflict;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Mark;
import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.picture.Recording.Step;
import io.quorate.testkit.picture.Recording.Step.Kind;
import io.quorate.testkit.picture.Transcript;
import io.quorate.testkit.simulation.Scenario;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * A scenario, such as one that a storm has printed, with the algorithm alone, as steps of the explorer:
 * docs/lab.md#counterexamples-of-others. Each step leads to the state that was recorded.
 */
final class StormRun {

    /**
     * A machine has handled something, its process has ended, or a message to it was lost.
     *
     * @param words a regular expression for those of the explorer's step, after the process
     * @param state of the machine afterwards, if it has handled something
     */
    private record Seen(long at, String process, String event, String words, Optional<String> state) {}

    private final Recording recording;
    private final LabWords words;
    private final StepMatcher matcher;

    private StormRun(ElectionAlgorithm algorithm, LabWay way, Recording recording) {
        this.recording = recording;
        int size = recording.processes().size();
        words = new LabWords(algorithm.name(), way.variant(), recording.processes());
        matcher = new StepMatcher(algorithm, way, size, OptionalInt.empty(), Links.UNORDERED);
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
        LabRun recorded = LabRun.of(algorithm, "", "", scenario, List.of(way));
        StormRun run = new StormRun(algorithm, way, recorded.ways().get(0).recording());
        List<Seen> seen = run.seen();
        SavedRun.checkSteps(seen.size());
        seen.forEach(run::take);
        return new SavedRun(way, size, OptionalInt.empty(), Links.UNORDERED, run.matcher.steps());
    }

    private List<Seen> seen() {
        List<Seen> all = new ArrayList<>();
        for (Step step : recording.steps()) {
            // All start together, before anything else happens.
            if (step.at() > 0 || step.kind() != Kind.OTHER) {
                all.add(new Seen(step.at(), step.process(), step.event(), words(step), Optional.of(step.state())));
            }
        }
        for (Mark mark : recording.marks()) {
            if (mark.process().isPresent() && mark.text().equals("is gone")) {
                all.add(new Seen(mark.at(), mark.process().get(), mark.text(), "crashes", Optional.empty()));
            }
        }
        for (Message message : recording.messages()) {
            if (message.fate() == Fate.LOST && !message.isRoutine() && isForOneThatRuns(message)) {
                String event = "loses " + message.text() + " from " + message.from();
                String lost = Pattern.quote(
                        "gets " + message.text() + " from " + number(message.from()) + ", but it is lost");
                all.add(new Seen(message.ended(), message.to(), event, lost, Optional.empty()));
            }
        }
        long end =
                recording.conflicts().stream().mapToLong(Conflict::from).min().orElse(recording.end());
        // A process handles nothing after its end, until it starts.
        return all.stream()
                .filter(seen -> seen.at <= end)
                .sorted(Comparator.comparingLong(Seen::at).thenComparing(seen -> seen.event.equals("start")))
                .toList();
    }

    /** In the explorer, what is sent to a process that does not run cannot be lost. */
    private boolean isForOneThatRuns(Message message) {
        return recording.lives().stream()
                .anyMatch(life -> life.process().equals(message.to())
                        && life.from() <= message.ended()
                        && message.ended() < life.until());
    }

    private String words(Step step) {
        String event = step.event();
        String other = number(event.replaceFirst(".* ", ""));
        return switch (step.kind()) {
            case SUSPICION -> "(wrongly )?" + event.replaceFirst(" .*", " ") + other;
            case TIMER -> Pattern.quote(event) + "(, early)?";
            case MESSAGE -> "gets " + Pattern.quote(event.replaceFirst(" from .*", "")) + "( .*)? from " + other;
            case OTHER -> event.equals("start") ? "restarts" : Pattern.quote(event);
        };
    }

    private String number(String process) {
        return "P" + recording.processes().indexOf(process);
    }

    private void take(Seen seen) {
        int process = recording.processes().indexOf(seen.process);
        Pattern step = Pattern.compile("P" + process + " " + seen.words, Pattern.DOTALL);
        matcher.take(
                Transcript.millis(seen.at) + " ms, " + seen.process + ": " + seen.event
                        + seen.state.map(state -> " => " + state).orElse(""),
                moment -> step.matcher(StateGraph.words(words, moment.step())).matches()
                        && (seen.state.isEmpty() || seen.state.equals(state(moment.after(), process))));
    }

    private Optional<String> state(World world, int process) {
        return world.isAlive(process) ? Optional.of(words.state(world.state(process))) : Optional.empty();
    }
}
