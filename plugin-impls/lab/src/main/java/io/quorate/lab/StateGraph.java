package io.quorate.lab;

import io.quorate.testkit.model.Exploration;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.ModelChecker.Moment;
import io.quorate.testkit.model.ModelChecker.Sent;
import io.quorate.testkit.model.ModelChecker.World;
import io.quorate.testkit.model.Step;
import io.quorate.testkit.picture.Naming;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The states of an election and what leads from one to another, as the explorer has them: docs/lab.md#the-graph. It is
 * complete, or holds the states that are nearest to the start.
 */
final class StateGraph {

    /** More of them make a page that a browser opens slowly. */
    static final int STATES_MAX = 10_000;

    /** What follows is not in the graph. */
    static final int BEYOND = -1;

    /**
     * Something that can happen in a state.
     *
     * @param to      the number of the next state, or {@link #BEYOND}
     * @param words   what happens; no other edge of the state has the same
     * @param kind    such as {@code deliver}
     * @param process to which it happens
     * @param message the number of the message that it is about, or -1
     * @param sent    the numbers of the messages that the process sends then
     */
    record Edge(int to, String words, String kind, int process, int message, boolean isFault, List<Integer> sent) {}

    /** Puts values of JSON into an array. */
    static final Collector<CharSequence, ?, String> ARRAY = Collectors.joining(",", "[", "]");

    private final Exploration exploration;
    private final LabWords words;
    private final Function<Message, String> notes;
    private final int statesMax;
    /** States that are in the graph and were not left, in the order in which they come next. */
    private final Deque<Integer> open = new ArrayDeque<>();

    private final Map<Long, Integer> numbers = new HashMap<>();
    private final List<World> worlds = new ArrayList<>();
    /** By state; none if it was not left. */
    private final Map<Integer, List<Edge>> edges = new HashMap<>();

    private final Map<Sent, Integer> messages = new LinkedHashMap<>();

    /** The graph as JSON, without the braces around it. */
    private String json = "";

    /**
     * Looks at the states that are nearest to the end of a run.
     *
     * @param run    steps that happen first, in the words of edges; their states are in the graph
     * @throws IllegalArgumentException if one of them cannot happen; says which, and what can
     */
    StateGraph(ModelChecker model, LabWords words, Function<Message, String> notes, List<String> run, int statesMax) {
        this(new Exploration(model), words, notes, statesMax);
        List<Integer> path = new ArrayList<>(List.of(numberOf(exploration.first(), true)));
        for (int number = 0; number < run.size(); number++) {
            World here = worlds.get(path.get(number));
            path.add(numberOf(step(exploration, words, here, run.get(number), "steps[" + number + "]"), true));
        }
        open.clear();
        open.addAll(path.subList(run.size(), path.size()));
        unfold();
        // A long run has more neighbours than there is room for.
        path.forEach(this::leave);
        unfold();
        json = written();
    }

    /** The state and those that follow immediately, as the state with number 0 and the others. */
    StateGraph around(Exploration known, World first) {
        StateGraph graph = new StateGraph(known, words, notes, STATES_MAX);
        graph.leave(graph.numberOf(first, true));
        graph.json = graph.written();
        return graph;
    }

    private StateGraph(Exploration exploration, LabWords words, Function<Message, String> notes, int statesMax) {
        this.exploration = exploration;
        this.words = words;
        this.notes = notes;
        this.statesMax = statesMax;
    }

    /** Returns the world after the step, whose words are those of an edge. */
    static World step(Exploration exploration, LabWords words, World from, String wanted, String place) {
        List<Moment> moments = exploration.next(from);
        return moments.stream()
                .filter(moment -> words(words, moment.step()).equals(wanted))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException(place + " '" + SavedRun.brief(wanted) + "': must be one of "
                                + moments.stream()
                                        .map(moment -> "'" + words(words, moment.step()) + "'")
                                        .collect(Collectors.joining(", "))))
                .after();
    }

    private void unfold() {
        while (!open.isEmpty() && worlds.size() < statesMax) {
            leave(open.remove());
        }
    }

    String json() {
        return json;
    }

    /** How many states there are. */
    int size() {
        return worlds.size();
    }

    /** Whether there are no others. */
    boolean isWhole() {
        return edges.size() == worlds.size()
                && edges.values().stream().flatMap(List::stream).noneMatch(edge -> edge.to == BEYOND);
    }

    /** All that can happen in the state; empty if nothing can, or if the graph does not say. */
    List<Edge> edges(int state) {
        return edges.getOrDefault(state, List.of());
    }

    World world(int state) {
        return worlds.get(state);
    }

    private int numberOf(World world, boolean isWanted) {
        Integer known = numbers.get(exploration.fingerprint(world));
        if (known != null) {
            return known;
        }
        if (worlds.size() >= statesMax && !isWanted) {
            return BEYOND;
        }
        open.add(worlds.size());
        numbers.put(exploration.fingerprint(world), worlds.size());
        worlds.add(world);
        return worlds.size() - 1;
    }

    private List<Edge> leave(int number) {
        List<Edge> known = edges.get(number);
        if (known != null) {
            return known;
        }
        List<Edge> out = new ArrayList<>();
        for (Moment moment : exploration.next(worlds.get(number))) {
            Step step = moment.step();
            out.add(new Edge(
                    numberOf(moment.after(), false),
                    words(words, step),
                    kind(step),
                    step.process(),
                    step.message().map(this::numberOf).orElse(-1),
                    moment.isFault(),
                    step.sent().stream().map(this::numberOf).toList()));
        }
        edges.put(number, out);
        return out;
    }

    private int numberOf(Sent message) {
        return messages.computeIfAbsent(message, sent -> messages.size());
    }

    private static String kind(Step step) {
        return switch (step.what()) {
            case RECEIVED -> "deliver";
            case IGNORED -> "ignore";
            case LOST -> "drop";
            case COPIED -> "copy";
            case STARTED -> "start";
            case RESTARTED -> "restart";
            case CRASHED -> "crash";
            case TIMER -> "timer";
            case SUSPECTED -> "suspect";
            case TRUSTED -> "trust";
            case PRIORITIES -> "priorities";
        };
    }

    String words(Step step) {
        return words(words, step);
    }

    /** Describes a step, with the message as the document writes it. */
    static String words(LabWords words, Step step) {
        if (step.message().isEmpty()) {
            return step.words();
        }
        Sent sent = step.message().get();
        String got = "P" + sent.to() + " gets " + words.of(sent.message()).text() + " from P" + sent.from();
        return switch (step.what()) {
            case IGNORED -> got + " of a former life";
            case LOST -> got + ", but it is lost";
            case COPIED -> got + ", and will again";
            default -> got;
        };
    }

    private Message shown(Sent sent) {
        Naming naming = words.of(sent.message());
        return new Message(
                "P" + sent.from(), "P" + sent.to(), 0, 0, Fate.ARRIVED, naming.name(), naming.fields(), false);
    }

    // ---------------------------------------------------------------- JSON

    /** Each text once, because most stand in thousands of states. */
    private static final class Table {
        private final Map<String, Integer> numbers = new LinkedHashMap<>();

        int of(String text) {
            return numbers.computeIfAbsent(text, added -> numbers.size());
        }

        String json() {
            return numbers.keySet().stream().map(StateGraph::quoted).collect(ARRAY);
        }
    }

    private String written() {
        Table texts = new Table();
        Table locals = new Table();
        String states = range(worlds.size())
                .mapToObj(number -> state(number, texts, locals))
                .collect(Collectors.joining(",\n", "[", "]"));
        // They are arrays, and were put into a table of texts to have each once.
        String processes = String.join(",\n", locals.numbers.keySet());
        String sent = messages.keySet().stream()
                .map(message -> message(message, texts))
                .collect(Collectors.joining(",\n", "[", "]"));
        String rules = ElectionRule.ofStates().stream()
                .map(rule -> "[" + quoted(rule.written()) + "," + quoted(rule.meaning()) + "]")
                .collect(ARRAY);
        return "\"isWhole\":" + isWhole() + ",\n\"rules\":" + rules + ",\n\"messages\":" + sent + ",\n\"locals\":["
                + processes + "],\n\"states\":" + states + ",\n\"texts\":" + texts.json();
    }

    private String message(Sent sent, Table texts) {
        Message shown = shown(sent);
        return "[" + sent.from() + "," + sent.to() + "," + texts.of(shown.name()) + "," + texts.of(shown.fields()) + ","
                + texts.of(notes.apply(shown)) + "," + sent.incarnation() + "]";
    }

    private String state(int number, Table texts, Table locals) {
        World world = worlds.get(number);
        List<ElectionRule> rules = ElectionRule.ofStates();
        List<Edge> out = edges.get(number);
        return "[" + array(range(world.size()).map(process -> locals.of(local(world, process, texts)))) + ","
                + array(range(world.messages()).map(index -> numberOf(world.message(index)))) + ","
                + array(range(rules.size()).filter(rule -> rules.get(rule).isBrokenIn(world))) + ","
                + (out == null
                        ? "null"
                        : out.stream().map(edge -> edge(edge, texts)).collect(ARRAY)) + "]";
    }

    private String local(World world, int process, Table texts) {
        if (!world.isAlive(process)) {
            return "[0]";
        }
        String timers = world.timers(process).stream().map(StateGraph::quoted).collect(ARRAY);
        return "[1," + world.leader(process).orElse(-1) + "," + world.isParticipating(process) + ","
                + texts.of(words.state(world.state(process))) + "," + timers + ","
                + array(range(world.size()).filter(other -> world.suspects(process, other))) + "]";
    }

    private static String edge(Edge edge, Table texts) {
        return "[" + edge.to + "," + texts.of(edge.words) + "," + texts.of(edge.kind) + "," + edge.process + ","
                + edge.message + "," + (edge.isFault ? 1 : 0) + ","
                + array(edge.sent.stream().mapToInt(id -> id)) + "]";
    }

    private static IntStream range(int count) {
        return IntStream.range(0, count);
    }

    private static String array(IntStream numbers) {
        return numbers.mapToObj(String::valueOf).collect(ARRAY);
    }

    /** A text of JSON that may also stand in a page of HTML. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else if (c < ' ' || c > '~' || c == '<' || c == '&') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                quoted.append((char) c);
            }
        });
        return quoted.append('"').toString();
    }
}
