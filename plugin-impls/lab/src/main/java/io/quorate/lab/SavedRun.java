package io.quorate.lab;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.model.ModelChecker.Links;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

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

    /** A text, a number or null, or a sign; or whatever does not fit. */
    private static final Pattern TOKEN = Pattern.compile("\\s*(\"(?:[^\"\\\\]|\\\\.)*+\"|\\d+|null|[{}\\[\\],:]|$|.)");

    private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-fA-F]{4}|.)");

    /** Reads JSON that is as flat as a saved run. */
    private static final class Reader {
        private final String text;
        private final Matcher tokens;
        private String token = "";

        Reader(String text) {
            this.text = text;
            tokens = TOKEN.matcher(text);
            next();
        }

        private String next() {
            String before = token;
            token = tokens.find() ? tokens.group(1) : "";
            return before;
        }

        private IllegalArgumentException wrong(String rule) {
            String before = text.substring(0, tokens.hitEnd() && token.isEmpty() ? text.length() : tokens.start(1));
            long line = before.chars().filter(c -> c == '\n').count() + 1;
            return new IllegalArgumentException("line " + line + ", column "
                    + (before.length() - before.lastIndexOf('\n')) + ": '" + brief(token) + "': must be " + rule);
        }

        private void expect(String sign) {
            if (!token.equals(sign)) {
                throw wrong("'" + sign + "'");
            }
            next();
        }

        private String string() {
            if (!token.startsWith("\"") || token.length() < 2) {
                throw wrong("a text in quotes");
            }
            String written = next();
            return ESCAPE.matcher(written.substring(1, written.length() - 1)).replaceAll(found -> {
                String sign = found.group(1);
                return Matcher.quoteReplacement(
                        sign.length() > 1 ? Character.toString(Integer.parseInt(sign.substring(1), 16)) : sign);
            });
        }

        private List<String> strings() {
            List<String> strings = new ArrayList<>();
            expect("[");
            while (!token.equals("]")) {
                if (!strings.isEmpty()) {
                    expect(",");
                }
                strings.add(string());
            }
            next();
            return strings;
        }

        /** The values as they are written, but for texts; the steps apart. */
        Map<String, String> object(List<String> steps) {
            Map<String, String> values = new HashMap<>();
            expect("{");
            while (!token.equals("}")) {
                if (!values.isEmpty()) {
                    expect(",");
                }
                String name = string();
                expect(":");
                if (name.equals("steps")) {
                    steps.addAll(strings());
                }
                values.put(name, name.equals("steps") ? "" : token.startsWith("\"") ? string() : next());
            }
            next();
            if (!token.isEmpty()) {
                throw wrong("the end");
            }
            return values;
        }
    }

    SavedRun {
        if (steps.size() > STEPS_MAX) {
            throw new IllegalArgumentException("steps: must be at most " + STEPS_MAX + ", and are " + steps.size());
        }
    }

    /**
     * Reads it.
     *
     * @param algorithm whose run it must be
     * @throws IllegalArgumentException if it is not one; says the place and the rule
     */
    static SavedRun read(String text, ElectionAlgorithm algorithm) {
        List<String> steps = new ArrayList<>();
        Map<String, String> values = new Reader(text).object(steps);
        check(values, "format", List.of(FORMAT));
        check(values, "algorithm", List.of(algorithm.name()));
        check(values, "way", List.of(LabWay.DOCUMENTED.words(), LabWay.HARDENED.words()));
        check(
                values,
                "processes",
                IntStream.rangeClosed(2, RuleSearch.SIZE_MAX)
                        .mapToObj(String::valueOf)
                        .toList());
        int processes = Integer.parseInt(values.getOrDefault("processes", ""));
        List<String> leaders = new ArrayList<>(
                IntStream.range(0, processes).mapToObj(String::valueOf).toList());
        leaders.add("null");
        check(values, "leader", leaders);
        values.putIfAbsent("links", Links.FIFO.name());
        check(values, "links", List.of(Links.FIFO.name(), Links.UNORDERED.name()));
        String leader = values.getOrDefault("leader", "null");
        return new SavedRun(
                values.getOrDefault("way", "").equals(LabWay.HARDENED.words()) ? LabWay.HARDENED : LabWay.DOCUMENTED,
                processes,
                leader.equals("null") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(leader)),
                Links.valueOf(values.getOrDefault("links", "")),
                steps);
    }

    /** A value of a file, in a message. */
    static String brief(String value) {
        return value.length() <= TEXT_MAX ? value : value.substring(0, TEXT_MAX) + "...";
    }

    private static void check(Map<String, String> values, String field, List<String> allowed) {
        String value = values.getOrDefault(field, "missing");
        if (!allowed.contains(value)) {
            throw new IllegalArgumentException(
                    field + " '" + brief(value) + "': must be " + String.join(" or ", allowed));
        }
    }
}
