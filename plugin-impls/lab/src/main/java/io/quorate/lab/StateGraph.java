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
import java.util.ArrayList;
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
    private final Map<Long, Integer> numbers = new HashMap<>();
    private final List<World> worlds = new ArrayList<>();
    /** By state; none if it was not left. */
    private final Map<Integer, List<Edge>> edges = new HashMap<>();

    private final Map<Sent, Integer> messages = new LinkedHashMap<>();

    /** The graph as JSON, without the braces around it. */
    final String json;

    /**
     * Looks at the states.
     *
     * @param run what happens first of all, in the words of edges; its states are in the graph
     * @throws IllegalArgumentException if nothing of these words can happen then; says where
     */
    StateGraph(ModelChecker model, LabWords words, Function<Message, String> notes, List<Step> run, int statesMax) {
        this.exploration = new Exploration(model);
        this.words = words;
        this.notes = notes;
        this.statesMax = statesMax;
        int at = numberOf(exploration.first());
        for (Step step : run) {
            String wanted = words(step);
            at = leave(at).stream()
                    .filter(edge -> edge.words.equals(wanted))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("step '" + wanted + "': cannot happen here"))
                    .to;
        }
        for (int number = 0; number < worlds.size() && worlds.size() < statesMax; number++) {
            leave(number);
        }
        json = written();
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

    /** The words of edges for steps of a check. */
    List<String> words(List<Step> run) {
        return run.stream().map(this::words).toList();
    }

    private int numberOf(World world) {
        Integer known = numbers.get(exploration.fingerprint(world));
        if (known != null) {
            return known;
        }
        if (worlds.size() >= statesMax) {
            return BEYOND;
        }
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
                    numberOf(moment.after()),
                    words(step),
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

    /** Describes a step, with the message as the document writes it. */
    private String words(Step step) {
        if (step.message().isEmpty()) {
            return step.words();
        }
        Sent sent = step.message().get();
        String got = "P" + sent.to() + " gets " + shown(sent).text() + " from P" + sent.from();
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
        String states = IntStream.range(0, worlds.size())
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
                + texts.of(notes.apply(shown)) + "]";
    }

    private String state(int number, Table texts, Table locals) {
        World world = worlds.get(number);
        String processes = IntStream.range(0, world.size())
                .mapToObj(process -> String.valueOf(locals.of(local(world, process, texts))))
                .collect(ARRAY);
        String onTheirWay = IntStream.range(0, world.messages())
                .mapToObj(index -> String.valueOf(numberOf(world.message(index))))
                .collect(ARRAY);
        List<ElectionRule> rules = ElectionRule.ofStates();
        String broken = IntStream.range(0, rules.size())
                .filter(rule -> rules.get(rule).isBrokenIn(world))
                .mapToObj(String::valueOf)
                .collect(ARRAY);
        List<Edge> out = edges.get(number);
        String next = out == null
                ? "null"
                : out.stream().map(edge -> edge(edge, texts)).collect(ARRAY);
        return "[" + processes + "," + onTheirWay + "," + broken + "," + next + "]";
    }

    private String local(World world, int process, Table texts) {
        if (!world.isAlive(process)) {
            return "[0]";
        }
        String timers = world.timers(process).stream().map(StateGraph::quoted).collect(ARRAY);
        String suspects = IntStream.range(0, world.size())
                .filter(other -> world.suspects(process, other))
                .mapToObj(String::valueOf)
                .collect(ARRAY);
        return String.format(
                Locale.ROOT,
                "[1,%d,%b,%d,%s,%s]",
                world.leader(process).orElse(-1),
                world.isParticipating(process),
                texts.of(words.state(world.state(process))),
                timers,
                suspects);
    }

    private static String edge(Edge edge, Table texts) {
        return "[" + edge.to + "," + texts.of(edge.words) + "," + texts.of(edge.kind) + "," + edge.process + ","
                + edge.message + "," + (edge.isFault ? 1 : 0) + ","
                + edge.sent.stream().map(String::valueOf).collect(ARRAY) + "]";
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
