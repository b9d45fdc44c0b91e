package io.quorate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds what a slow machine may break in tests of the default build: comparisons with a clock, sleeps and short waits.
 * An exception has a {@code // Justification:} directly above. A test of a suite has its tag. It reads text,
 * so it knows neither types nor what a called method does.
 */
final class Slowness {

    /** What may be wrong. */
    enum Rule {
        /** A time of this machine's clock is compared, or subtracted from another. */
        CLOCK,
        SLEEP,
        /** A limit for a test, or for a part of one, that a slow machine exceeds. */
        TIMEOUT,
        /** Waits for less than ten minutes, so that it may be over before what it waits for. */
        SHORT_WAIT,
        /** Is repeated on a stalled machine, and is not in a suite. */
        REPEATED,
        /** Names the suite "real" by its tag. {@code @RealTime} also repeats the test on a stalled machine. */
        NOT_REPEATED
    }

    /** One thing that is wrong. {@code file} is relative to the root of the repository. */
    record Finding(String file, int line, Rule rule) {
        @Override
        public String toString() {
            return file + ":" + line + ": " + rule;
        }
    }

    /** From one place of the text to another. */
    private record Span(int begin, int end) {
        boolean contains(int place) {
            return begin <= place && place < end;
        }
    }

    private static final long SECONDS_MIN = 600;

    private static final Map<String, Double> SECONDS = new TreeMap<>(Map.of(
            "NANOS", 1e-9, "MICROS", 1e-6, "MILLIS", 1e-3, "SECONDS", 1.0, "MINUTES", 60.0, "HOURS", 3600.0, "DAYS",
            86400.0));

    // ---------------------------------------------------------------- what is looked for

    private static final String NOW = "(?:System\\.(?:nanoTime|currentTimeMillis)|Instant\\.now)\\(\\)";
    /** Not the arrow of a lambda, nor an assignment. */
    private static final String COMPARES_NEXT = "\\s*(?:-(?![>=])|[<>]|\\.(?:isBefore|isAfter|compareTo)\\()";

    private static final String COMPARES_BEFORE = "(?:-|(?<!-)[<>]=?|\\.(?:isBefore|isAfter|compareTo)\\()\\s*";

    private static final Pattern CLOCK = Pattern.compile(NOW + COMPARES_NEXT + "|" + COMPARES_BEFORE + NOW
            + "|assertThat\\(\\s*" + NOW + "|\\b(?:Duration|ChronoUnit\\.\\w+)\\.between\\(");
    private static final Pattern CLOCK_VARIABLE = Pattern.compile("\\b(\\w+)\\s*=\\s*" + NOW);

    private static final Pattern SLEEP = Pattern.compile("\\b(?:Thread|[A-Z]+S)\\.sl" + "eep\\(|\\bparkNanos\\(");

    private static final Pattern TIMEOUT =
            Pattern.compile("\\bassertTimeout\\w*\\(|@Timeout\\b\\(?(?:value = )?(\\d*)(, unit)?");

    private static final String NUMBER = "(?<number>[1-9][\\d_]*)L?";
    private static final Pattern WAIT = Pattern.compile(
            "\\.(?:await|poll|get|offer|tryAcquire|awaitTermination|waitFor|orTimeout|atMost|succeedsWithin|failsWithin"
                    + "|blockUntilConnected)\\((?:[^();]*,\\s*)?" + NUMBER
                    + ",\\s*(?:TimeUnit\\.)?(?<unit>[A-Z]+?)(?:ECONDS)?\\)");
    private static final Pattern WAIT_BY_DURATION =
            Pattern.compile("\\.(?:atMost|succeedsWithin|failsWithin|timeout|wait)"
                    + "\\(\\s*Duration\\.of(?<unit>[A-Z]\\w+)\\(" + NUMBER + "\\)\\)");
    private static final Pattern WAIT_MILLIS = Pattern.compile("\\.(?:setSoTimeout|join|wait)\\(" + NUMBER + "\\)");
    /** Ends after ten seconds. */
    private static final Pattern WAIT_BY_DEFAULT =
            Pattern.compile("(?<![\\w.])await\\(\\)\\s*\\.(?!atMost)|\\.during\\(\\s*Duration\\.");

    private static final Pattern REPEATED = Pattern.compile("@ExtendWith\\([^)]*\\bRepeatedWhenStalled\\.class");
    private static final Pattern TAG = Pattern.compile("@(?:Tag\\(\"(?<suite>\\w[\\w-]*)\"\\)|RealTime\\b)");
    private static final Path DECLARES_REAL_TIME = Path.of("RealTime.java");

    private static final Pattern TEST = Pattern.compile("@(?:Parameterized|Repeated)?Test(?:Factory)?\\b");

    private static final Pattern TYPE = Pattern.compile(
            "(?m)^(?:[a-z]+ )*(?:class|interface) (\\w+)(?:<[^{;]*?>)?(?:\\s+extends ([\\w.]+))?[^{;]*\\{");

    /** Texts come first, so that a text with two slashes is not taken for a comment. */
    private static final Pattern NO_CODE =
            Pattern.compile("\"\"\"[\\s\\S]*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)+'"
                    + "|/\\*[\\s\\S]*?\\*/|//[^\\n]*");

    private final String file;
    private final String text;
    /** The text, with blanks in place of comments and texts. */
    private final String code;

    private final List<String> lines;
    private final List<Span> suites = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();

    private Slowness(Path file, String text) {
        this.file = file.toString().replace('\\', '/');
        this.text = text;
        this.code = NO_CODE.matcher(text).replaceAll(found -> found.group().replaceAll("[^\\n]", " "));
        this.lines = text.lines().toList();
        TAG.matcher(text).results().filter(this::isCode).forEach(tag -> suites.add(annotated(tag.start())));
    }

    /**
     * Everything that is wrong in these files.
     *
     * @param files what they contain, by their paths from the root of the repository
     */
    static List<Finding> check(Map<Path, String> files) {
        Map<String, Slowness> types = new HashMap<>();
        List<Slowness> all = new ArrayList<>();
        new TreeMap<>(files).forEach((file, text) -> {
            Slowness read = new Slowness(file, text);
            all.add(read);
            types.put(read.packageName() + file.getFileName().toString().replace(".java", ""), read);
        });
        List<Finding> findings = new ArrayList<>();
        all.forEach(each -> {
            each.checkDefaultBuild(types);
            each.checkSuite();
            findings.addAll(each.findings);
        });
        return findings;
    }

    // ---------------------------------------------------------------- rules

    private void checkDefaultBuild(Map<String, Slowness> types) {
        if (superTypes(types).stream().anyMatch(type -> type.isWhole())) {
            return;
        }
        search(CLOCK, Rule.CLOCK);
        CLOCK_VARIABLE.matcher(code).results().forEach(variable -> {
            String name = "\\b" + variable.group(1) + "\\b";
            Matcher used = Pattern.compile(name + COMPARES_NEXT + "|" + COMPARES_BEFORE + name)
                    .matcher(code);
            used.region(variable.end(), endOfBlock(variable.end()));
            used.results().forEach(each -> found(each.start(), Rule.CLOCK));
        });
        search(SLEEP, Rule.SLEEP);
        TIMEOUT.matcher(code).results().filter(Slowness::isShort).forEach(each -> found(each.start(), Rule.TIMEOUT));
        for (Pattern wait : List.of(WAIT, WAIT_BY_DURATION, WAIT_MILLIS)) {
            Matcher found = wait.matcher(code);
            while (found.find()) {
                if (seconds(found, wait == WAIT_MILLIS ? "MILLIS" : found.group("unit")) < SECONDS_MIN) {
                    found(found.start(), Rule.SHORT_WAIT);
                }
            }
        }
        search(WAIT_BY_DEFAULT, Rule.SHORT_WAIT);
        search(REPEATED, Rule.REPEATED);
    }

    private void checkSuite() {
        Matcher tag = TAG.matcher(text);
        while (tag.find()) {
            if (isCode(tag)
                    && "real".equals(tag.group("suite"))
                    && !Path.of(file).endsWith(DECLARES_REAL_TIME)) {
                findings.add(new Finding(file, lineOf(tag.start()), Rule.NOT_REPEATED));
            }
        }
    }

    private static boolean isShort(MatchResult timeout) {
        String seconds = timeout.group(1);
        return seconds == null
                || seconds.isEmpty()
                || timeout.group(2) != null
                || Long.parseLong(seconds) < SECONDS_MIN;
    }

    private static double seconds(Matcher wait, String unit) {
        String name = unit.toUpperCase(java.util.Locale.ROOT);
        return Double.parseDouble(wait.group("number").replace("_", ""))
                * SECONDS.entrySet().stream()
                        .filter(each -> each.getKey().startsWith(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("unknown unit " + unit))
                        .getValue();
    }

    private void search(Pattern pattern, Rule rule) {
        pattern.matcher(code).results().forEach(each -> found(each.start(), rule));
    }

    private void found(int place, Rule rule) {
        if (!isInSuite(place) && !isJustified(place)) {
            Finding finding = new Finding(file, lineOf(place), rule);
            if (!findings.contains(finding)) {
                findings.add(finding);
            }
        }
    }

    // ---------------------------------------------------------------- what stands around a place

    private int lineOf(int place) {
        return 1 + (int) text.substring(0, place).chars().filter(c -> c == '\n').count();
    }

    private boolean isCode(MatchResult found) {
        return code.charAt(found.start()) == '@';
    }

    /** Above its statement, or above the variable in it that holds an earlier time. */
    private boolean isJustified(int place) {
        int first = firstLine(lineOf(place));
        if (isJustifiedLine(first)) {
            return true;
        }
        String statement = String.join(" ", lines.subList(first - 1, lineOf(place)));
        Matcher variable = CLOCK_VARIABLE.matcher(code);
        boolean isFound = false;
        while (variable.find() && variable.start() <= place) {
            boolean isUsed = Pattern.compile("\\b" + variable.group(1) + "\\b")
                    .matcher(statement)
                    .find();
            isFound |= isUsed
                    && endOfBlock(variable.end()) > place
                    && isJustifiedLine(firstLine(lineOf(variable.start())));
        }
        return isFound;
    }

    /** The first line of the statement that goes on in this line. */
    private int firstLine(int line) {
        List<String> codeLines = code.lines().toList();
        int first = line;
        while (first > 1 && codeLines.get(first - 2).matches(".*[^;{}\\s]\\s*")) {
            first--;
        }
        return first;
    }

    private boolean isJustifiedLine(int line) {
        for (int above = line - 1; above >= 1 && lines.get(above - 1).strip().startsWith("//"); above--) {
            if (lines.get(above - 1).contains("Justification:")) {
                return true;
            }
        }
        return false;
    }

    /** From an annotation to the end of what has it. */
    private Span annotated(int begin) {
        int depth = 0;
        for (int place = begin; place < code.length(); place++) {
            char c = code.charAt(place);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth == 0 && c == ';') {
                return new Span(begin, place + 1);
            }
            if (depth == 0 && c == '{') {
                return new Span(begin, endOfBlock(place + 1));
            }
        }
        return new Span(begin, code.length());
    }

    /** The end of the block in which this place is. */
    private int endOfBlock(int begin) {
        int depth = 0;
        for (int place = begin; place < code.length(); place++) {
            char c = code.charAt(place);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (depth < 0) {
                return place + 1;
            }
        }
        return code.length();
    }

    // ---------------------------------------------------------------- types

    private String packageName() {
        Matcher found = Pattern.compile("(?m)^package ([\\w.]+);").matcher(code);
        return found.find() ? found.group(1) + "." : "";
    }

    /** Whether the first type of the file is in a suite, or all tests of the file are. */
    private boolean isWhole() {
        Matcher type = TYPE.matcher(code);
        List<MatchResult> tests = TEST.matcher(code).results().toList();
        return type.find() && isInSuite(type.end() - 1)
                || !tests.isEmpty()
                        && tests.stream()
                                .allMatch(test ->
                                        isInSuite(annotated(test.start()).end() - 1));
    }

    private boolean isInSuite(int place) {
        return suites.stream().anyMatch(suite -> suite.contains(place));
    }

    /** The file, and those of the classes that its first type extends, as far as they were read. */
    private List<Slowness> superTypes(Map<String, Slowness> types) {
        List<Slowness> found = new ArrayList<>();
        Optional<Slowness> next = Optional.of(this);
        while (next.isPresent() && !found.contains(next.get())) {
            found.add(next.get());
            next = next.get().superType(types);
        }
        return found;
    }

    private Optional<Slowness> superType(Map<String, Slowness> types) {
        Matcher type = TYPE.matcher(code);
        if (!type.find() || type.group(2) == null) {
            return Optional.empty();
        }
        Matcher imported = Pattern.compile("(?m)^import ([\\w.]+\\." + type.group(2) + ");")
                .matcher(code);
        return Optional.ofNullable(types.get(imported.find() ? imported.group(1) : packageName() + type.group(2)));
    }
}
