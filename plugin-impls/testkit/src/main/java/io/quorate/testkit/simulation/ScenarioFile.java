package io.quorate.testkit.simulation;

import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A scenario that somebody wrote: the text of a {@link Scenario}, in which settings may be left out, and contenders if
 * everybody contends. Errors name line and column.
 */
public final class ScenarioFile {

    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final Pattern NAME = Pattern.compile("[^->,!/]+");
    private static final Pattern PATH = Pattern.compile("/[^>]*");
    private static final String SEED = "seed";

    /** What each word of a fault is, in its order. */
    private static final List<String> FAULT =
            List.of("'at'", "a time in ms", "'until'", "a time in ms", "a kind of fault", "where", "an amount");

    private static final int WORDS_MIN = 6;
    private static final int KIND = 4;
    private static final int WHERE = 5;
    private static final int AMOUNT = 6;

    private record Word(String text, int line, int column) {
        IllegalArgumentException wrong(String rule) {
            return wrong(0, text, rule);
        }

        /** The part of the word that begins so far in it is wrong. */
        IllegalArgumentException wrong(int offset, String part, String rule) {
            return new IllegalArgumentException(
                    "line " + line + ", column " + (column + offset) + ": '" + part + "': " + rule);
        }
    }

    private final List<List<Word>> settings = new ArrayList<>();
    private final List<List<Word>> faults = new ArrayList<>();

    private ScenarioFile(String text) {
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            List<Word> words = words(lines.get(i), i + 1);
            if (!words.isEmpty() && !words.get(0).text.startsWith("#")) {
                (words.get(0).text.equals("at") ? faults : settings).add(words);
            }
        }
    }

    private static List<Word> words(String line, int number) {
        List<Word> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find()) {
            words.add(new Word(matcher.group(), number, matcher.start() + 1));
        }
        return words;
    }

    /**
     * Reads a scenario.
     *
     * @throws IllegalArgumentException if it is none; says line, column and what was expected there
     */
    public static Scenario parse(String text) {
        return new ScenarioFile(text).scenario();
    }

    // ---------------------------------------------------------------- settings

    private Scenario scenario() {
        Map<String, String> values = new TreeMap<>(PublishedScenario.USUAL);
        values.put(SEED, "1");
        Map<String, Word> written = new TreeMap<>();
        for (List<Word> words : settings) {
            Word name = words.get(0);
            if (!values.containsKey(name.text)) {
                throw name.wrong(
                        "must be 'at' or one of " + values.keySet() + Nearest.question(name.text, values.keySet()));
            }
            if (words.size() != 2) {
                throw new IllegalArgumentException(
                        after(words) + ": '" + name.text + "' must be followed by one value");
            }
            if (written.put(name.text, words.get(1)) != null) {
                throw name.wrong("must not be there twice");
            }
            values.put(name.text, words.get(1).text);
        }
        StringBuilder text = new StringBuilder();
        values.forEach(
                (name, value) -> text.append(name).append(' ').append(value).append('\n'));
        return withFaults(withSettings(text.toString(), written), written.size() < values.size());
    }

    private static Scenario withSettings(String text, Map<String, Word> written) {
        try {
            Scenario scenario = Scenario.parse(text);
            scenario.setup().settings(new NodeId("n1"));
            return scenario;
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            String place = written.entrySet().stream()
                    .filter(entry -> message.contains(entry.getKey()))
                    .map(entry -> "line " + entry.getValue().line + ", column " + entry.getValue().column + ": ")
                    .findFirst()
                    .orElse("");
            throw new IllegalArgumentException(place + message, e);
        }
    }

    // ---------------------------------------------------------------- faults

    /** @param isShort whether settings were left out; where none was, nothing else was either */
    private Scenario withFaults(Scenario scenario, boolean isShort) {
        List<Fault> all = new ArrayList<>();
        faults.forEach(words -> all.add(fault(words, scenario.setup().nodes())));
        if (isShort && all.stream().noneMatch(Fault::isContender)) {
            PublishedScenario.contenders(scenario.setup().voters())
                    .lines()
                    .map(Fault::parse)
                    .forEach(all::add);
        }
        return scenario.withFaults(all);
    }

    private static Fault fault(List<Word> words, List<NodeId> nodes) {
        if (words.size() < WORDS_MIN) {
            throw new IllegalArgumentException(after(words) + ": expected " + FAULT.get(words.size())
                    + "; a fault is 'at <ms> until <ms> <kind> <where> [<amount>]'");
        }
        if (words.size() > FAULT.size()) {
            throw words.get(FAULT.size()).wrong("expected the end of the line");
        }
        long at = time(words.get(1));
        if (!words.get(2).text.equals("until")) {
            throw words.get(2).wrong("expected 'until'");
        }
        long until = time(words.get(3));
        if (until < at) {
            throw words.get(3).wrong("a fault must not end before it begins at " + at);
        }
        Fault.Kind kind = kind(words.get(KIND));
        checkWhere(kind, words.get(WHERE), nodes);
        Optional<Word> amount = words.size() > AMOUNT ? Optional.of(words.get(AMOUNT)) : Optional.empty();
        try {
            return new Fault(
                    at,
                    until,
                    kind,
                    words.get(WHERE).text,
                    amount.map(ScenarioFile::number).orElse(0L));
        } catch (IllegalArgumentException e) {
            String place = amount.map(word -> "line " + word.line + ", column " + word.column)
                    .orElse(after(words));
            // An error of the number itself has its place already.
            String message = String.valueOf(e.getMessage());
            throw message.startsWith("line ") ? e : new IllegalArgumentException(place + ": " + message, e);
        }
    }

    private static Fault.Kind kind(Word word) {
        List<String> names =
                List.of(Fault.Kind.values()).stream().map(Fault.Kind::toString).toList();
        if (!names.contains(word.text)) {
            throw word.wrong("must be one of " + names + Nearest.question(word.text, names));
        }
        return Fault.Kind.of(word.text);
    }

    private static void checkWhere(Fault.Kind kind, Word where, List<NodeId> nodes) {
        String form = form(kind);
        if (!where.text.matches(form(kind).contains("links") ? "[^->/]+[->][^->/]+" : pattern(kind))) {
            throw where.wrong("must be " + form);
        }
        List<String> names = new ArrayList<>(nodes.stream().map(NodeId::value).toList());
        names.add("leader");
        Matcher matcher = NAME.matcher(PATH.matcher(where.text)
                .replaceFirst(path -> "/".repeat(path.group().length())));
        boolean isFirst = true;
        while (matcher.find()) {
            String name = matcher.group();
            boolean isNode = !(isFirst && (kind == Fault.Kind.LIE || kind == Fault.Kind.LOST_AT_WORK));
            if (isNode && !name.equals("*") && !names.contains(name)) {
                throw where.wrong(
                        matcher.start(),
                        name,
                        "must be one of " + names + ", '*' or '!' and a node" + Nearest.question(name, names));
            }
            isFirst = false;
        }
    }

    private static String form(Fault.Kind kind) {
        return switch (kind) {
            case CUT, LOSS, DELAY, DUPLICATION, FLAP -> "links, as 'n1-n2,n3', 'leader-*' or, one way, 'n1>!n1'";
            case CONTEND, CONTEND_MANY, RESIGN, AWAY, WATCH -> "a node and a path, as 'n1/a'";
            case TRANSFER -> "a node, a path and a node, as 'leader/a>n2'";
            case CHANGE -> "a node and the voters, as 'n1>n1,n2,o1'";
            case LOST_AT_WORK -> "'crash', 'crash_after_write', 'cut' or 'pause' and a node, as 'crash>n1'";
            case LIE -> "'stranger', 'former', 'contender' or 'voter' and nodes, as 'stranger>n1,n2'";
            default -> "a node, as 'n1' or 'leader'";
        };
    }

    private static String pattern(Fault.Kind kind) {
        return switch (kind) {
            case CONTEND, CONTEND_MANY, RESIGN, AWAY, WATCH -> "[^->,!/*]+/[^>]+";
            case TRANSFER -> "[^->,!/*]+/[^>]+>[^->,!/*]+";
            case CHANGE -> "[^->,!/*]+>[^->!/*]+";
            case LOST_AT_WORK -> "(crash|crash_after_write|cut|pause)>[^->,!/*]+";
            case LIE -> "(stranger|former|contender|voter)>[^->/]+";
            default -> "[^->,!/*]+";
        };
    }

    private static long time(Word word) {
        long time = number(word);
        if (time < 0 || time > Storm.FOR_EVER) {
            throw word.wrong("must be from 0 to " + Storm.FOR_EVER + " ms");
        }
        return time;
    }

    private static long number(Word word) {
        try {
            return Long.parseLong(word.text);
        } catch (NumberFormatException e) {
            throw word.wrong("must be a whole number");
        }
    }

    /** The place behind the last word. */
    private static String after(List<Word> words) {
        Word last = words.get(words.size() - 1);
        return "line " + last.line + ", column " + (last.column + last.text.length());
    }
}
