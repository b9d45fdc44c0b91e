package io.quorate.lab;

import io.quorate.lab.RuleSearch.Faults;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.model.Exploration;
import io.quorate.testkit.model.ModelChecker.Links;
import io.quorate.testkit.model.ModelChecker.Moment;
import io.quorate.testkit.model.ModelChecker.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Follows a run that was seen elsewhere with steps of the explorer. Several ways that look alike are all followed. */
final class StepMatcher {

    /** Runs that look alike. */
    private static final int FOLLOWED_MAX = 1000;

    private record Followed(World world, List<String> steps) {}

    private final Exploration exploration;
    private final LabWords words;
    private List<Followed> followed;

    /** Begins at the start of all processes, with as many faults as the run may need. */
    StepMatcher(ElectionAlgorithm algorithm, LabWay way, int size, OptionalInt leader, Links links) {
        int most = SavedRun.STEPS_MAX;
        var model =
                new Faults("all", most, most, most, 0, most, most).in(RuleSearch.model(algorithm, way.variant(), size));
        model.links(links);
        leader.ifPresent(model::initialLeader);
        exploration = new Exploration(model);
        words = LabWords.ofCheck(algorithm, way, size);
        followed = List.of(new Followed(exploration.first(), List.of()));
    }

    /**
     * Takes the step that was seen.
     *
     * @param seen names the step and its place in a message
     * @param isIt whether a step is the one that was seen
     * @throws IllegalArgumentException if there is no such step; says what there is
     */
    void take(String seen, Predicate<Moment> isIt) {
        Map<Long, Followed> found = new LinkedHashMap<>();
        for (Followed one : followed) {
            for (Moment moment : exploration.next(one.world)) {
                if (found.size() < FOLLOWED_MAX && isIt.test(moment)) {
                    List<String> steps = new ArrayList<>(one.steps);
                    steps.add(StateGraph.words(words, moment.step()));
                    found.putIfAbsent(exploration.fingerprint(moment.after()), new Followed(moment.after(), steps));
                }
            }
        }
        if (found.isEmpty()) {
            String possible = exploration.next(followed.get(0).world).stream()
                    .map(moment -> StateGraph.words(words, moment.step()))
                    .collect(Collectors.joining("; "));
            throw new IllegalArgumentException(
                    seen + ": must be a step of the explorer with the same outcome. There can be: " + possible);
        }
        followed = List.copyOf(found.values());
    }

    /** Whether the world so far is one that was seen. */
    boolean isSomewhere(Predicate<World> isIt) {
        return followed.stream().map(Followed::world).anyMatch(isIt);
    }

    List<String> steps() {
        return followed.get(0).steps;
    }
}
