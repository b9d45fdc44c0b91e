package io.quorate.lab;

import io.quorate.testkit.simulation.ElectionScript;
import io.quorate.testkit.simulation.Nearest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A script in the form of the documents' traces: docs/lab.md#scripts. A mistake is answered with its place and
 * its rule.
 */
final class LabScript {

    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final int SIZE_MAX = 9;
    private static final int TIME_MAX = 60_000;
    private static final List<String> LINES = List.of("at", "show", "hide", "----");

    /** The kinds of faults, and how many processes follow each at least and at most. */
    private static final Map<String, List<Integer>> FAULTS = Map.of(
            "crash", List.of(1, 1),
            "start", List.of(1, 2),
            "suspect", List.of(2, 2),
            "restore", List.of(2, 2),
            "split", List.of(1, 1),
            "heal", List.of(0, 0));

    private record Word(String text, int line, int column) {
        IllegalArgumentException wrong(String rule) {
            return new IllegalArgumentException("line " + line + ", column " + column + ": '" + text + "': " + rule);
        }
    }

    private final List<String> kept = new ArrayList<>();
    private int size;
    private int first = 1;
    private boolean isShown;

    private LabScript() {}

    /** Whether the text is a script, and no scenario of the simulator. */
    static boolean is(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .findFirst()
                .filter(line -> line.startsWith("cluster"))
                .isPresent();
    }

    /**
     * Reads it.
     *
     * @param name of the file, for the trace
     * @throws IllegalArgumentException if there is a mistake; says line, column and what is expected there
     */
    static LabTrace read(String name, String text) {
        LabScript script = new LabScript();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            List<Word> words = words(lines.get(i), i + 1);
            if (words.isEmpty()) {
                continue;
            }
            if (words.get(0).text.equals("----")) {
                break;
            }
            if (!words.get(0).text.startsWith("#")) {
                script.check(words);
            }
            script.kept.add(lines.get(i).strip().replaceAll("\\s+", " "));
        }
        if (!script.isShown) {
            throw new IllegalArgumentException(
                    "line " + lines.size() + ": must be followed by a line 'show FROM..UNTIL'");
        }
        return new LabTrace(name, new ElectionScript(String.join("\n", script.kept), script.first));
    }

    private static List<Word> words(String line, int number) {
        List<Word> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find()) {
            words.add(new Word(matcher.group(), number, matcher.start() + 1));
        }
        return words;
    }

    private void check(List<Word> words) {
        if (size == 0) {
            checkHeader(words);
            return;
        }
        Word kind = words.get(0);
        switch (kind.text) {
            case "at" -> checkFault(words);
            case "show" -> checkShow(words);
            case "hide" -> {}
            default -> throw kind.wrong("must be one of " + LINES + Nearest.question(kind.text, LINES));
        }
    }

    // ---------------------------------------------------------------- the first line

    private void checkHeader(List<Word> words) {
        if (words.size() < 3) {
            throw words.get(0).wrong("must be followed by an algorithm and 'faithful' or 'hardened'");
        }
        Word variant = words.get(2);
        if (!List.of("faithful", "hardened").contains(variant.text)) {
            throw variant.wrong("must be 'faithful' or 'hardened'");
        }
        List<Word> settings = words.subList(3, words.size());
        settings.forEach(this::checkSize);
        if (size == 0) {
            throw variant.wrong("must be followed by the number of processes, such as 'of=4'");
        }
        settings.forEach(this::checkSetting);
        Set<String> names = new HashSet<>();
        for (Word setting : settings) {
            if (!names.add(setting.text.replaceFirst("=.*", ""))) {
                throw setting.wrong("must not be there twice");
            }
        }
    }

    private void checkSize(Word setting) {
        String value = setting.text.replaceFirst("^[a-z]+=", "");
        if (setting.text.startsWith("of=")) {
            size = number(setting, value, 1, SIZE_MAX);
        } else if (setting.text.startsWith("first=")) {
            first = number(setting, value, 0, 1);
        }
    }

    private void checkSetting(Word setting) {
        String value = setting.text.replaceFirst("^[a-z]+=", "");
        if (setting.text.startsWith("leader=")) {
            process(setting, value);
        } else if (setting.text.startsWith("absent=")) {
            List.of(value.split("")).forEach(digit -> process(setting, digit));
        } else if (!setting.text.startsWith("of=") && !setting.text.startsWith("first=")) {
            throw setting.wrong("must be of=, leader=, absent= or first=");
        }
    }

    // ---------------------------------------------------------------- faults

    private void checkFault(List<Word> words) {
        if (words.size() < 3) {
            throw words.get(0).wrong("must be followed by a time and a fault, as in 'at 10 crash 4'");
        }
        number(words.get(1), words.get(1).text, 0, TIME_MAX);
        Word fault = words.get(2);
        List<Integer> counts = FAULTS.get(fault.text);
        if (counts == null) {
            throw fault.wrong("must be one of "
                    + FAULTS.keySet().stream().sorted().toList() + Nearest.question(fault.text, FAULTS.keySet()));
        }
        List<Word> processes = words.subList(3, words.size());
        if (processes.size() < counts.get(0)) {
            throw fault.wrong("must be followed by " + counts.get(0) + (counts.get(0) == 1 ? " word" : " words"));
        }
        if (processes.size() > counts.get(1)) {
            throw processes.get(counts.get(1)).wrong("expected the end of the line");
        }
        if (fault.text.equals("split")) {
            checkSplit(processes.get(0));
        } else {
            processes.forEach(process -> process(process, process.text));
        }
    }

    private void checkSplit(Word sides) {
        String digits = sides.text.replace("|", "");
        Predicate<Integer> isThere =
                number -> digits.chars().filter(c -> c == '0' + number).count() == 1;
        boolean hasEach = digits.length() == size && range().stream().allMatch(isThere);
        if (!hasEach || sides.text.length() != size + 1) {
            throw sides.wrong("must have each of the processes once, and one bar, as in '12|34'");
        }
    }

    private void checkShow(List<Word> words) {
        Word range = words.get(words.size() > 1 ? 1 : 0);
        if (words.size() < 2 || !range.text.matches("\\d{1,5}\\.\\.\\d{1,5}")) {
            throw range.wrong("must be 'show FROM..UNTIL', as in 'show 1..100'");
        }
        String[] ends = range.text.split("\\.\\.");
        number(range, ends[1], Integer.parseInt(ends[0]), TIME_MAX);
        isShown = true;
    }

    // ---------------------------------------------------------------- numbers

    private List<Integer> range() {
        List<Integer> all = new ArrayList<>();
        for (int number = first; number < first + size; number++) {
            all.add(number);
        }
        return all;
    }

    private void process(Word word, String written) {
        if (!written.matches("\\d{1,2}") || !range().contains(Integer.parseInt(written))) {
            throw word.wrong("must be a process, one of " + range());
        }
    }

    private static int number(Word word, String written, int min, int max) {
        int value = written.matches("\\d{1,5}") ? Integer.parseInt(written) : -1;
        if (value < min || value > max) {
            throw word.wrong("must be a whole number from " + min + " to " + max);
        }
        return value;
    }
}
