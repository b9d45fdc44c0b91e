package io.quorate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The rules of style that a machine can check, for one Java file. The formatter does the rest. */
final class Tidy {

    /** What may be wrong. */
    enum Rule {
        OPEN_TASK,
        DISABLED_TEST,
        CONSOLE,
        SLEEP,
        ABSOLUTE_PATH
    }

    /** One thing that is wrong. {@code file} is relative to the root of the repository. */
    record Finding(String file, int line, Rule rule) {
        @Override
        public String toString() {
            return file + ":" + line + ": " + rule;
        }
    }

    // Written so that this file does not find itself.
    private static final Pattern OPEN_TASK = Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b");
    private static final Pattern DISABLED_TEST = Pattern.compile("@Dis" + "abled\\b");
    private static final Pattern CONSOLE = Pattern.compile("\\bSystem\\.(out|err)\\b");
    private static final Pattern SLEEP = Pattern.compile("\\bThread\\.sl" + "eep\\b");
    private static final Pattern ABSOLUTE_PATH =
            Pattern.compile("(\\W|^)(/(home|Users|root|work|tmp|opt|var|mnt)/" + "|[A-Z]:\\\\\\\\)");

    private final String file;
    private final List<Finding> findings = new ArrayList<>();

    private Tidy(Path file) {
        this.file = file.toString().replace('\\', '/');
    }

    /** Everything that is wrong with {@code text}, the content of {@code file}. */
    static List<Finding> check(Path file, String text) {
        Tidy tidy = new Tidy(file);
        List<String> lines = text.lines().toList();
        for (int index = 0; index < lines.size(); index++) {
            tidy.line(index + 1, lines.get(index));
        }
        return tidy.findings;
    }

    private void found(int line, Rule rule) {
        findings.add(new Finding(file, line, rule));
    }

    private void line(int number, String line) {
        search(OPEN_TASK, number, line, Rule.OPEN_TASK);
        search(DISABLED_TEST, number, line, Rule.DISABLED_TEST);
        search(ABSOLUTE_PATH, number, line, Rule.ABSOLUTE_PATH);
        boolean isOfLibrary = file.startsWith("plugin-");
        if (isOfLibrary && file.contains("/src/main/")) {
            search(CONSOLE, number, line, Rule.CONSOLE);
        } else if (isOfLibrary) {
            search(SLEEP, number, line, Rule.SLEEP);
        }
    }

    private void search(Pattern pattern, int number, String line, Rule rule) {
        if (pattern.matcher(line).find()) {
            found(number, rule);
        }
    }
}
