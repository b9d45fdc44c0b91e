package io.quorate.lab;

import io.quorate.lab.RuleSearch.Faults;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.Step;
import io.quorate.testkit.simulation.Nearest;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A page on which the reader chooses what happens next: docs/lab.md#explorer. It has the states of the machines in it,
 * and needs nothing else.
 *
 * @param graph what can happen
 * @param story what the page begins with
 * @param leader whom all processes know as the leader at first, if they do
 * @param run   the steps that are taken when the page opens
 */
record Explorer(
        ElectionAlgorithm algorithm,
        LabWay way,
        int size,
        StateGraph graph,
        String story,
        OptionalInt leader,
        List<String> run) {

    /** A larger page opens slowly, and does not fit into a mail. */
    static final int BYTES_MAX = 5_000_000;

    /** How many processes a page has unless it is told another number. */
    static final int NODES = 3;

    private static final String PAGE = "explorer.html";
    private static final Pattern PART = Pattern.compile("\\{(title|story|graph)}");

    /** The faults that a page has unless it is told others: with these, the graphs of most algorithms are complete. */
    private static final Map<String, String> LISTED = Map.of(
            "ballot documented", "crash,restart",
            "ballot hardened", "crash,restart",
            "bully documented", "crash,restart,loss",
            "bully hardened", "crash,restart,loss",
            "lcr documented", "crash,restart,copy",
            "lcr hardened", "crash,restart",
            "three-phase documented", "crash",
            "three-phase hardened", "crash",
            "token-ring documented", "crash,restart,loss",
            "token-ring hardened", "crash,restart");

    private static final List<String> KINDS = List.of("crash", "restart", "loss", "copy", "early", "suspicion");

    /**
     * The page of an algorithm, in which all processes know the highest one as the leader at first.
     *
     * @param size   the number of processes
     * @param faults such as {@code crash,loss}, each of which may happen once; empty for those that are listed
     */
    static Explorer of(ElectionAlgorithm algorithm, LabWay way, int size, String faults) {
        if (size < 2 || size > RuleSearch.SIZE_MAX) {
            throw new IllegalArgumentException("--nodes " + size + ": must be from 2 to " + RuleSearch.SIZE_MAX
                    + " with --explore, because the page has each order of events");
        }
        String chosen = faults.isEmpty() ? listed(algorithm, way) : faults;
        ModelChecker model = faults(chosen)
                .in(RuleSearch.model(algorithm, way.variant(), size))
                .initialLeader(size - 1);
        StateGraph graph = graph(algorithm, way, size, model, List.of());
        return new Explorer(
                algorithm,
                way,
                size,
                graph,
                begin(graph, size) + " Choose what happens next. Each of these faults may happen once: "
                        + chosen.replace(",", ", ") + ". " + extent(graph),
                OptionalInt.of(size - 1),
                List.of());
    }

    /** The page of a run that breaks a rule. It opens at the end of the run. */
    static Explorer of(ElectionAlgorithm algorithm, LabWay way, int size, Faults faults, List<Step> run, String story) {
        ModelChecker model = faults.in(RuleSearch.model(algorithm, way.variant(), size));
        StateGraph graph = graph(algorithm, way, size, model, run);
        return new Explorer(
                algorithm, way, size, graph, story + " " + extent(graph), OptionalInt.empty(), graph.words(run));
    }

    /** The faults that are listed for the algorithm; for one of others, a crash and a restart. */
    static String listed(ElectionAlgorithm algorithm, LabWay way) {
        return LISTED.getOrDefault(algorithm.name() + " " + way.words(), "crash,restart");
    }

    private static StateGraph graph(
            ElectionAlgorithm algorithm, LabWay way, int size, ModelChecker model, List<Step> run) {
        LabWords words = LabWords.ofCheck(algorithm, way, size);
        int statesMax = StateGraph.STATES_MAX;
        StateGraph graph = new StateGraph(model, words, LabNotes.of(algorithm.name(), way.variant()), run, statesMax);
        while (graph.json.length() > BYTES_MAX) {
            statesMax /= 2;
            graph = new StateGraph(model, words, LabNotes.of(algorithm.name(), way.variant()), run, statesMax);
        }
        return graph;
    }

    /** Not every algorithm takes over the leader that it is told at its start. */
    private static String begin(StateGraph graph, int size) {
        boolean areLed = IntStream.range(0, size)
                .allMatch(process -> graph.world(0).leader(process).equals(OptionalInt.of(size - 1)));
        return areLed ? "All processes know P" + (size - 1) + " as the leader." : "No process knows a leader.";
    }

    private static String extent(StateGraph graph) {
        return graph.isWhole()
                ? "The page has all " + graph.size() + " states that there are."
                : "The page has the " + graph.size() + " states nearest to the start, and says where it ends.";
    }

    private static Faults faults(String written) {
        List<String> kinds = Arrays.asList(written.split(",", -1));
        for (String kind : kinds) {
            if (!KINDS.contains(kind)) {
                throw new IllegalArgumentException("--faults '" + written + "': '" + kind + "' must be one of "
                        + String.join(", ", KINDS) + Nearest.question(kind, KINDS));
            }
            if (Collections.frequency(kinds, kind) > 1) {
                throw new IllegalArgumentException("--faults '" + written + "': '" + kind + "' must be there once");
            }
        }
        List<Integer> counts =
                KINDS.stream().map(kind -> kinds.contains(kind) ? 1 : 0).toList();
        return new Faults(
                written, counts.get(0), counts.get(1), counts.get(2), counts.get(3), counts.get(4), counts.get(5));
    }

    /** A file name that says what is in it. */
    String fileName() {
        return LabRun.fileName(algorithm.name() + " " + way.words() + " explorer");
    }

    /** The graph with what identifies a run in it: docs/lab.md#the-graph. */
    String json() {
        return "{\"algorithm\":" + StateGraph.quoted(algorithm.name()) + ",\"way\":" + StateGraph.quoted(way.words())
                + ",\"processes\":" + quoted(LabWords.names(size)) + ",\"leader\":"
                + (leader.isPresent() ? String.valueOf(leader.getAsInt()) : "null")
                + ",\"run\":" + (run.isEmpty() ? "null" : quoted(run)) + ",\n" + graph.json + "}";
    }

    private static String quoted(List<String> texts) {
        return texts.stream().map(StateGraph::quoted).collect(StateGraph.ARRAY);
    }

    String html() {
        Map<String, String> parts = Map.of(
                "title", escaped(algorithm.name() + ", " + way.words() + ": explorer"),
                "story", escaped(story),
                "graph", json());
        return PART.matcher(Resource.text(PAGE))
                .replaceAll(found -> Matcher.quoteReplacement(parts.get(found.group(1))));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
