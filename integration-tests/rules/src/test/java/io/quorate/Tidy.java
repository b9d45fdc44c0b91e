package io.quorate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules of style that a machine can check, for one Java file. The formatter does the rest. */
final class Tidy {

    /** What may be wrong. */
    enum Rule {
        OPEN_TASK,
        DISABLED_TEST,
        CONSOLE,
        SLEEP,
        ABSOLUTE_PATH,
        /** Catches all that code of others may declare, and not what it may throw all the same. */
        HALF_CAUGHT,
        /** An appender may throw, or hold up the thread on which leases depend. */
        LOG_OF_THE_CALLER,
        /** Its thread lives as long as the JVM, and keeps the context class loader of its first user. */
        TIMER_OF_THE_JDK,
        /** A sentence of a comment that begins with "Of a ...": the reader waits for the subject. */
        LATE_SUBJECT,
        /** "whoever" in a comment: the noun that is meant is clearer. */
        WHOEVER
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

    private static final Pattern HALF_CAUGHT = Pattern.compile("RuntimeException \\| Error\\b");
    private static final Pattern TIMER_OF_THE_JDK =
            Pattern.compile("\\.orTimeout\\(.*TimeUnit\\.|\\bcompleteOnTimeout\\(|\\bdelayedExecutor\\(");
    private static final Pattern LOG = Pattern.compile("\\bLoggerFactory\\b");

    /** Behind the beginning of a comment, of a paragraph or a tag in it, or the end of a sentence. */
    private static final Pattern LATE_SUBJECT = Pattern.compile(
            "(^|[.!?:;] |<p>|<li>|@return |@param \\S+ |@throws \\S+ )Of (an?|the|those|its|one|this) ");

    private static final Pattern WHOEVER = Pattern.compile("\\b[Ww]hoever\\b");

    /** Texts come first, so that a text with two slashes is not taken for a comment. */
    private static final Pattern COMMENT =
            Pattern.compile("\"\"\"[\\s\\S]*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)+'"
                    + "|(?<comment>/\\*[\\s\\S]*?\\*/|//[^\\n]*(?:\\n *//[^\\n]*)*)");

    /** The marks of a comment, which do not belong to its sentences. */
    private static final Pattern MARKS = Pattern.compile("^/\\*+|\\*/$|(?:^|\\n) *(?://|\\*(?!/))");

    /** The modules in which everything is caught. */
    private static final List<String> CATCHING = List.of(
            "plugin-api/api/src/main/",
            "plugin-impls/spring-boot/src/main/",
            "plugin-impls/camel/src/main/",
            "plugin-impls/cdi/src/main/",
            "plugin-impls/tcp/src/main/",
            "plugin-impls/vertx/src/main/");

    /** A program, which nobody takes out of service without its JVM. */
    private static final String PROGRAM = "plugin-impls/cli/";

    /** The modules that run on threads of nodes. */
    private static final List<String> OF_NODES =
            List.of("plugin-api/api/src/main/", "plugin-impls/tcp/src/main/", "plugin-impls/vertx/src/main/");

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
        if (tidy.file.startsWith("plugin-") && tidy.file.contains("/src/main/")) {
            tidy.comments(text);
        }
        return tidy.findings;
    }

    /** A sentence may go on in the next line, so each comment is read as a whole. */
    private void comments(String text) {
        Matcher found = COMMENT.matcher(text);
        while (found.find()) {
            if (found.group("comment") != null) {
                String before = text.substring(0, found.start());
                int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
                String comment = MARKS.matcher(found.group("comment"))
                        .replaceAll(" ")
                        .replaceAll("\\s+", " ")
                        .strip();
                search(LATE_SUBJECT, line, comment, Rule.LATE_SUBJECT);
                search(WHOEVER, line, comment, Rule.WHOEVER);
            }
        }
    }

    private void found(int line, Rule rule) {
        findings.add(new Finding(file, line, rule));
    }

    private void line(int number, String line) {
        search(OPEN_TASK, number, line, Rule.OPEN_TASK);
        search(DISABLED_TEST, number, line, Rule.DISABLED_TEST);
        search(ABSOLUTE_PATH, number, line, Rule.ABSOLUTE_PATH);
        if (CATCHING.stream().anyMatch(file::startsWith)) {
            search(HALF_CAUGHT, number, line, Rule.HALF_CAUGHT);
        }
        if (OF_NODES.stream().anyMatch(file::startsWith) && !file.endsWith("/NodeLog.java")) {
            search(LOG, number, line, Rule.LOG_OF_THE_CALLER);
        }
        boolean isOfLibrary = file.startsWith("plugin-");
        if (isOfLibrary && file.contains("/src/main/")) {
            search(CONSOLE, number, line, Rule.CONSOLE);
            if (!file.startsWith(PROGRAM)) {
                search(TIMER_OF_THE_JDK, number, line, Rule.TIMER_OF_THE_JDK);
            }
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
