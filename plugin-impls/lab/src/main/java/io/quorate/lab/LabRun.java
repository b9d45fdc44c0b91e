package io.quorate.lab;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.testkit.picture.Focus;
import io.quorate.testkit.picture.Picture;
import io.quorate.testkit.picture.Picture.Way;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Transcript;
import io.quorate.testkit.simulation.Experiment;
import io.quorate.testkit.simulation.Experiment.Mode;
import io.quorate.testkit.simulation.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One scenario with one algorithm, in one way or several, as the lab shows it.
 *
 * @param title of the scenario
 * @param story what happens in it; empty if nobody says
 * @param ways  at least one
 * @param failures what went wrong in each, in words
 */
record LabRun(String algorithm, String title, String story, List<Way> ways, List<String> failures) {

    LabRun(String algorithm, String title, String story, Way way) {
        this(algorithm, title, story, List.of(way), List.of());
    }

    /**
     * Runs it.
     *
     * @throws IllegalArgumentException if the algorithm cannot run so in this scenario
     */
    static LabRun of(ElectionAlgorithm algorithm, String title, String story, Scenario scenario, List<LabWay> ways) {
        List<String> failures = new ArrayList<>();
        List<Way> drawn = new ArrayList<>();
        List<String> nodes =
                scenario.setup().nodes().stream().map(NodeId::value).toList();
        for (LabWay way : ways) {
            String name = algorithm.name() + ", " + way.words() + ": " + title + " ("
                    + scenario.setup().voters() + " nodes, seed " + scenario.seed() + ")";
            Recording recording = Experiment.record(
                    scenario,
                    algorithm,
                    mode(way),
                    name,
                    story,
                    words(way, algorithm.name(), nodes),
                    failure -> failures.add(algorithm.name() + ", " + way.words() + ": " + failure));
            drawn.add(way(way, algorithm.name(), recording));
        }
        return new LabRun(algorithm.name(), title, story, drawn, failures);
    }

    private static LabWords words(LabWay way, String algorithm, List<String> nodes) {
        // Under the lease the numbers are those of an election among some of the nodes.
        return new LabWords(algorithm, way.variant(), way == LabWay.LEASE ? List.of() : nodes);
    }

    /** A recording with the notes of the algorithm's document. */
    static Way way(LabWay way, String algorithm, Recording recording) {
        return new Way(way.words(), recording, LabNotes.of(algorithm, way.variant()));
    }

    private static Mode mode(LabWay way) {
        return switch (way) {
            case DOCUMENTED -> Mode.UNLEASED_FAITHFUL;
            case HARDENED -> Mode.UNLEASED_HARDENED;
            case LEASE -> Mode.LEASED;
        };
    }

    /** Those of the ways in which the algorithm can run in this scenario. */
    static List<LabWay> possible(List<LabWay> ways, Scenario scenario) {
        return ways.stream()
                .filter(way ->
                        way == LabWay.LEASE || Experiment.onlyLeased(scenario).isEmpty())
                .toList();
    }

    /** Returns the part that is shown. */
    Focus focus(boolean isWhole) {
        List<Recording> recordings = ways.stream().map(Way::recording).toList();
        return isWhole ? Focus.whole(recordings) : Focus.onChanges(recordings);
    }

    /** All ways, one after the other. Each has its own waits. */
    String text(boolean isWhole) {
        return ways.stream()
                .map(way -> Transcript.of(
                        way.recording(), isWhole ? focus(true) : Focus.onChanges(List.of(way.recording()))))
                .collect(Collectors.joining("\n"));
    }

    String html(boolean isWhole) {
        return Picture.html(algorithm + ": " + title, story, ways, focus(isWhole));
    }

    /**
     * The diagrams alone, for a document.
     *
     * @param fromMillis what is over before is left out
     * @param heightMax  so many pixels at most, without titles
     */
    String svg(long fromMillis, int heightMax) {
        return Picture.svg(ways, focus(false).from(fromMillis * 1000), heightMax);
    }

    /** A file name that says what is in it. */
    String fileName() {
        return fileName(algorithm + " " + title);
    }

    /** These words as a file name, whatever an algorithm of others is called. */
    static String fileName(String words) {
        String name = words.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        return name.replaceAll("^-|-$", "") + ".html";
    }
}
