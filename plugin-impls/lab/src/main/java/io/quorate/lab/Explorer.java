package io.quorate.lab;

import io.quorate.lab.RuleSearch.Faults;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.ModelChecker.Links;
import io.quorate.testkit.model.Step;
import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.simulation.Nearest;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A page on which the reader chooses what happens next: docs/lab.md#explorer. It has the states of the machines in it,
 * and needs nothing else.
 *
 * @param saved the run at whose end the page opens
 * @param graph what can happen
 * @param story what the page begins with
 */
record Explorer(ElectionAlgorithm algorithm, SavedRun saved, ModelChecker model, StateGraph graph, String story) {

    /** A larger page opens slowly, and does not fit into a mail. */
    static final int BYTES_MAX = 5_000_000;

    /** How many processes a page has unless it is told another number. */
    static final int NODES = 3;

    private static final String ENDS = ", and says where it ends.";

    /** The faults that a page has unless it is told others: with these, the graphs of most algorithms are complete. */
    private static final Map<String, String> LISTED = Map.of(
            "bully documented", "crash,restart,loss",
            "bully hardened", "crash,restart,loss",
            "lcr documented", "crash,restart,copy",
            "three-phase documented", "crash",
            "three-phase hardened", "crash",
            "token-ring documented", "crash,restart,loss");

    /** With the words of the steps that are such faults, in the order of {@link Faults}. */
    private static final Map<String, String> KINDS = new LinkedHashMap<>();

    static {
        KINDS.put("crash", "P\\d crashes");
        KINDS.put("restart", "P\\d restarts");
        KINDS.put("loss", ".*, but it is lost");
        KINDS.put("copy", ".*, and will again");
        KINDS.put("early", ".*, early");
        KINDS.put("suspicion", "P\\d wrongly suspects.*");
    }

    /**
     * The page of an algorithm, which opens at the end of a run.
     *
     * @param saved     without steps for a page that opens at the start
     * @param faults    such as {@code crash,loss}, each of which may happen once, and those of the run; empty for those
     *                  that are listed
     * @param statesMax how many states the page has at most
     */
    static Explorer of(ElectionAlgorithm algorithm, SavedRun saved, String faults, int statesMax) {
        int size = saved.processes();
        if (size < 2 || size > RuleSearch.SIZE_MAX) {
            throw new IllegalArgumentException("--nodes " + size + ": must be from 2 to " + RuleSearch.SIZE_MAX
                    + " with --explore, because the page has each order of events");
        }
        String chosen = faults.isEmpty() ? listed(algorithm, saved.way()) : faults;
        ModelChecker model = faults(chosen, saved.steps())
                .in(RuleSearch.model(algorithm, saved.way().variant(), size));
        model.links(saved.links());
        saved.leader().ifPresent(model::initialLeader);
        StateGraph graph = graph(algorithm, saved, model, statesMax);
        String story = begin(graph, saved) + " Choose what happens next. Each of these faults may happen once: "
                + chosen.replace(",", ", ") + ". " + extent(graph, saved);
        return new Explorer(algorithm, saved, model, graph, story);
    }

    /** The page of a run that breaks a rule. It opens at the end of the run. */
    static Explorer of(ElectionAlgorithm algorithm, LabWay way, int size, Faults faults, List<Step> run, String story) {
        ModelChecker model = faults.in(RuleSearch.model(algorithm, way.variant(), size));
        LabWords words = LabWords.ofCheck(algorithm, way, size);
        List<String> steps =
                run.stream().map(step -> StateGraph.words(words, step)).toList();
        SavedRun saved = new SavedRun(way, size, OptionalInt.empty(), Links.FIFO, steps);
        StateGraph graph = graph(algorithm, saved, model, StateGraph.STATES_MAX);
        return new Explorer(algorithm, saved, model, graph, story + " " + extent(graph, saved));
    }

    /** The faults that are listed for the algorithm; otherwise a crash and a restart. */
    static String listed(ElectionAlgorithm algorithm, LabWay way) {
        return LISTED.getOrDefault(algorithm.name() + " " + way.words(), "crash,restart");
    }

    private static StateGraph graph(ElectionAlgorithm algorithm, SavedRun saved, ModelChecker model, int most) {
        LabWords words = LabWords.ofCheck(algorithm, saved.way(), saved.processes());
        Function<Message, String> notes =
                LabNotes.of(algorithm.name(), saved.way().variant());
        StateGraph graph = new StateGraph(model, words, notes, saved.steps(), most);
        // The states of the run are always there, so a page may be larger.
        for (int statesMax = most; graph.json().length() > BYTES_MAX && statesMax > 0; ) {
            statesMax /= 2;
            graph = new StateGraph(model, words, notes, saved.steps(), statesMax);
        }
        return graph;
    }

    /** Not every algorithm takes over the leader that it is told at its start. */
    private static String begin(StateGraph graph, SavedRun saved) {
        boolean areLed = saved.leader().isPresent()
                && IntStream.range(0, saved.processes())
                        .allMatch(process -> graph.world(0).leader(process).equals(saved.leader()));
        return areLed
                ? "All processes know P" + saved.leader().getAsInt() + " as the leader."
                : "No process knows a leader.";
    }

    private static String extent(StateGraph graph, SavedRun saved) {
        return graph.isWhole()
                ? "The page has all " + graph.size() + " states that there are."
                : "The page has the " + graph.size() + " states nearest to the "
                        + (saved.steps().isEmpty() ? "start" : "end of the run") + ENDS;
    }

    /** @param run which may have more of a fault than the page adds */
    private static Faults faults(String written, List<String> run) {
        List<String> kinds = Arrays.asList(written.split(",", -1));
        for (String kind : kinds) {
            if (!KINDS.containsKey(kind)) {
                throw new IllegalArgumentException("--faults '" + written + "': '" + kind + "' must be one of "
                        + String.join(", ", KINDS.keySet()) + Nearest.question(kind, KINDS.keySet()));
            }
            if (Collections.frequency(kinds, kind) > 1) {
                throw new IllegalArgumentException("--faults '" + written + "': '" + kind + "' must be there once");
            }
        }
        int[] most = KINDS.entrySet().stream()
                .mapToInt(kind -> Math.max(kinds.contains(kind.getKey()) ? 1 : 0, (int) run.stream()
                        .filter(step -> step.matches(kind.getValue()))
                        .count()))
                .toArray();
        return new Faults(written, most[0], most[1], most[2], most[3], most[4], most[5]);
    }

    /** A file name that says what is in it. */
    String fileName() {
        return LabRun.fileName(algorithm.name() + " " + saved.way().words() + " explorer");
    }

    /** The graph with what identifies a run in it: docs/lab.md#the-graph. */
    String json(boolean isServed) {
        OptionalInt leader = saved.leader();
        return "{\"algorithm\":" + StateGraph.quoted(algorithm.name()) + ",\"way\":"
                + StateGraph.quoted(saved.way().words()) + ",\"processes\":"
                + quoted(LabWords.names(saved.processes())) + ",\"leader\":"
                + (leader.isPresent() ? String.valueOf(leader.getAsInt()) : "null")
                + (saved.links() == Links.FIFO ? "" : ",\"links\":\"" + saved.links() + "\"") + ",\"isServed\":"
                + isServed + ",\"run\":" + (saved.steps().isEmpty() ? "null" : quoted(saved.steps())) + ",\n"
                + graph.json() + "}";
    }

    private static String quoted(List<String> texts) {
        return texts.stream().map(StateGraph::quoted).collect(StateGraph.ARRAY);
    }

    /** Returns what the page begins with. */
    String story(boolean isServed) {
        return isServed ? story.replace(ENDS, "; the server has all others.") : story;
    }

    /** @param isServed whether the page may ask a server for more states */
    String html(boolean isServed) {
        String title = algorithm.name() + ", " + saved.way().words() + ": explorer";
        return Resource.filled(
                "explorer.html",
                Map.of(
                        "title", Resource.escaped(title),
                        "story", Resource.escaped(story(isServed)),
                        "graph", json(isServed)));
    }
}
