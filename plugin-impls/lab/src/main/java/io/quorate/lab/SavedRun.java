package io.quorate.lab;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.model.ModelChecker.Links;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A run of the explorer: docs/lab.md#a-saved-run.
 *
 * @param leader whom all are told of at the start
 * @param links  in which order the messages of one link arrive
 * @param steps  in the words of the page
 */
record SavedRun(LabWay way, int processes, OptionalInt leader, Links links, List<String> steps) {

    /** The page has the same bound. */
    static final int STEPS_MAX = 1000;

    private static final int TEXT_MAX = 100;
    private static final String FORMAT = "quorate-lab run 1";

    /** Possessive, so that its length does not matter. */
    private static final String TEXT = "\"(?:[^\"\\\\]|\\\\.)*+\"";

    private static final String STEPS = "\\[\\s*+(?:TEXT\\s*+(?:,\\s*+TEXT\\s*+)*+)?+]";

    /** Name, value, and what follows. */
    private static final Pattern FIELD =
            Pattern.compile(("\\s*+(TEXT)\\s*+:\\s*+(TEXT|\\d++|null|" + STEPS + ")\\s*+([,}])").replace("TEXT", TEXT));

    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|(.))");

    private static final String CONTROLS = "bfnrt";

    SavedRun {
        checkSteps(steps.size());
    }

    static void checkSteps(int count) {
        if (count > STEPS_MAX) {
            throw new IllegalArgumentException("steps: must be at most " + STEPS_MAX + ", and are " + count);
        }
    }

    /**
     * Reads it.
     *
     * @param algorithm whose run it must be
     * @throws IllegalArgumentException if it is not one; says the place and the rule
     */
    static SavedRun read(String text, ElectionAlgorithm algorithm) {
        Map<String, String> fields = fields(text);
        checkText(fields, "format", FORMAT);
        checkText(fields, "algorithm", algorithm.name());
        String way = checkText(fields, "way", LabWay.DOCUMENTED.words(), LabWay.HARDENED.words());
        IntStream sizes = IntStream.rangeClosed(2, RuleSearch.SIZE_MAX);
        int processes = Integer.parseInt(check(fields, "processes", sizes.mapToObj(String::valueOf)));
        Stream<String> all = IntStream.range(0, processes).mapToObj(String::valueOf);
        String leader = check(fields, "leader", Stream.concat(all, Stream.of("null")));
        fields.putIfAbsent("links", StateGraph.quoted(Links.FIFO.name()));
        String links = checkText(fields, "links", Links.FIFO.name(), Links.UNORDERED.name());
        String steps = fields.getOrDefault("steps", "missing");
        if (!steps.startsWith("[")) {
            throw new IllegalArgumentException("steps " + brief(steps) + ": must be a list of texts");
        }
        Stream<MatchResult> texts = Pattern.compile(TEXT).matcher(steps).results();
        return new SavedRun(
                way.contains(LabWay.HARDENED.words()) ? LabWay.HARDENED : LabWay.DOCUMENTED,
                processes,
                leader.equals("null") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(leader)),
                links.contains(Links.FIFO.name()) ? Links.FIFO : Links.UNORDERED,
                texts.map(one -> unescaped(one.group())).toList());
    }

    /** The values as they are written, by name. */
    private static Map<String, String> fields(String text) {
        Map<String, String> fields = new HashMap<>();
        Matcher field = FIELD.matcher(text);
        int at = text.indexOf('{') + 1;
        for (String follows = ","; follows.equals(","); follows = field.group(3)) {
            if (!field.region(at, text.length()).lookingAt()) {
                throw wrong(text, at, "must be a field such as \"leader\": 2 or \"steps\": [], without objects");
            }
            if (fields.put(unescaped(field.group(1)), field.group(2)) != null) {
                throw wrong(text, at, "must be there once");
            }
            at = field.end();
        }
        if (!text.substring(at).isBlank()) {
            throw wrong(text, at, "must be the end");
        }
        return fields;
    }

    private static IllegalArgumentException wrong(String text, int at, String rule) {
        String rest = text.substring(at).stripLeading();
        String line = rest.lines().findFirst().orElse("");
        String before = text.substring(0, text.length() - rest.length());
        return new IllegalArgumentException("line " + before.split("\n", -1).length + ", column "
                + (before.length() - before.lastIndexOf('\n')) + ": '" + brief(line) + "': " + rule);
    }

    /** The text that is written in quotes. */
    private static String unescaped(String written) {
        return ESCAPE.matcher(written.substring(1, written.length() - 1)).replaceAll(found -> {
            String sign = found.group(2);
            if (sign == null) {
                return Matcher.quoteReplacement(Character.toString(Integer.parseInt(found.group(1), 16)));
            }
            int control = CONTROLS.indexOf(sign);
            return Matcher.quoteReplacement(control < 0 ? sign : "\b\f\n\r\t".substring(control, control + 1));
        });
    }

    /** A value of a file, in a message. */
    static String brief(String value) {
        return value.length() <= TEXT_MAX ? value : value.substring(0, TEXT_MAX) + "...";
    }

    /** Returns the value, which must be one of these, as JSON has them. */
    private static String check(Map<String, String> fields, String name, Stream<String> allowed) {
        String written = fields.getOrDefault(name, "missing");
        String value = written.startsWith("\"") ? StateGraph.quoted(unescaped(written)) : written;
        List<String> all = allowed.toList();
        if (!all.contains(value)) {
            throw new IllegalArgumentException(name + " " + brief(value) + ": must be " + String.join(" or ", all));
        }
        return value;
    }

    private static String checkText(Map<String, String> fields, String name, String... allowed) {
        return check(fields, name, Stream.of(allowed).map(StateGraph::quoted));
    }
}
