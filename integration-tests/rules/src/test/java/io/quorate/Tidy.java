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
        ABSOLUTE_PATH,
        /** Catches all that code of others may declare, and not what it may throw all the same. */
        HALF_CAUGHT,
        /** An appender may throw, or hold up the thread on which leases depend. */
        LOG_OF_THE_CALLER,
        /** Its thread lives as long as the JVM, and keeps the context class loader of its first user. */
        TIMER_OF_THE_JDK,
        /** Names and messages have the digits and letters of the machine's language, such as Arabic digits. */
        LOCALE_OF_THE_MACHINE,
        /** A class path shows an application, an algorithm or a transport of others what no module exports to them. */
        PACKAGE_OF_OURS
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
    private static final Pattern LOCALE_OF_THE_MACHINE =
            Pattern.compile("\\.formatted\\(|String\\.format\\((?!Locale\\.|$)|\\.to(Upper|Lower)Case\\(\\)");
    private static final Pattern LOG = Pattern.compile("\\bLoggerFactory\\b");
    private static final Pattern PACKAGE_OF_OURS =
            Pattern.compile("\\bio\\.quorate\\.(client|core|engine|jvm|machine|ring|runtime|settings|transport)\\b");

    /** The modules in which everything is caught. */
    private static final List<String> CATCHING = List.of(
            "plugin-api/api/src/main/",
            "plugin-impls/engine/src/main/",
            "plugin-impls/spring-boot/src/main/",
            "plugin-impls/tandem/src/main/",
            "plugin-impls/camel/src/main/",
            "plugin-impls/cdi/src/main/",
            "plugin-impls/tcp/src/main/",
            "plugin-impls/vertx/src/main/");

    /** A program, which nobody takes out of service without its JVM. */
    private static final String PROGRAM = "plugin-impls/cli/";

    /** The modules that run on threads of nodes. */
    private static final List<String> OF_NODES = List.of(
            "plugin-api/api/src/main/",
            "plugin-impls/engine/src/main/",
            "plugin-impls/tandem/src/main/",
            "plugin-impls/tcp/src/main/",
            "plugin-impls/vertx/src/main/");

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
        if (CATCHING.stream().anyMatch(file::startsWith)) {
            search(HALF_CAUGHT, number, line, Rule.HALF_CAUGHT);
        }
        if (OF_NODES.stream().anyMatch(file::startsWith) && !file.endsWith("/NodeLog.java")) {
            search(LOG, number, line, Rule.LOG_OF_THE_CALLER);
        }
        if (file.contains("/com/example/")) {
            search(PACKAGE_OF_OURS, number, line, Rule.PACKAGE_OF_OURS);
        }
        boolean isOfLibrary = file.startsWith("plugin-");
        if (isOfLibrary && file.contains("/src/main/")) {
            search(CONSOLE, number, line, Rule.CONSOLE);
            search(LOCALE_OF_THE_MACHINE, number, line, Rule.LOCALE_OF_THE_MACHINE);
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
