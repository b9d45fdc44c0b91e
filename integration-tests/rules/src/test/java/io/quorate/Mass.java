package io.quorate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What whoever carries the code on has to hold in the head, in numbers. From the root of the repository:
 * {@code java integration-tests/rules/src/test/java/io/quorate/Mass.java}. Some of the numbers have budgets
 * ({@code MassTest}).
 */
final class Mass {

    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
    /** A text block, a string and a character may hold what looks like a comment. */
    private static final Pattern LITERAL =
            Pattern.compile("(?s)\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])+'");

    private static final Pattern NOT_COUNTED = Pattern.compile("\\s*|(import|package) .*");
    /** A method whose only statement hands its parameters to another object. */
    private static final Pattern FORWARD =
            Pattern.compile("(@Override)?\\n    (?:public |private |protected |static |final )*"
                    + "[\\w<>\\[\\]?,. ]+ (\\w+)\\(([^)]*)\\)[^{;]*\\{\\s*"
                    + "(?:return )?(?:\\w+\\.)+(\\w+)\\(([\\w, ]*)\\);\\s*\\}");

    private static final String API = "plugin-api/api";
    private static final String ENGINE = "plugin-impls/engine";
    private static final String SOURCES = "/src/main/java/io/quorate/";

    private Mass() {}

    /** Counts what has a budget, which is the lines of each artifact that ships and the size of what is read most. */
    static Map<String, Integer> budgeted(Path root) throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        for (Path file : files(root, ".java")) {
            String name = file.toString().replace('\\', '/');
            if (!name.startsWith("plugin-") || !name.contains("/src/main/")) {
                continue;
            }
            String code = withoutComments(Files.readString(root.resolve(file)));
            int lines = lines(code);
            counts.merge("lines of " + name.replaceFirst("/src/.*", ""), lines, Integer::sum);
            boolean isCore = name.startsWith(ENGINE + SOURCES + "core/");
            if (isCore) {
                counts.merge("lines of the core", lines, Integer::sum);
                counts.merge("lines of the longest class of the core", lines, Math::max);
            }
            if (isCore || name.startsWith(ENGINE) || name.startsWith(API)) {
                counts.merge("parameters of a constructor", parametersMax(file, code), Math::max);
            }
            if (name.startsWith(API + SOURCES + "spi/") && !name.endsWith("package-info.java")) {
                counts.merge("types of the SPI", 1, Integer::sum);
            }
        }
        return counts;
    }

    /** Records are lists of values, however long. */
    private static int parametersMax(Path file, String code) {
        String type = file.getFileName().toString().replace(".java", "");
        if (Pattern.compile("\\brecord " + type + "\\b").matcher(code).find()) {
            return 0;
        }
        Matcher constructors = Pattern.compile(
                        "\\n    (?:public |protected |private )?" + type + "\\(([^{;]*)\\)[^{;()]*\\{")
                .matcher(code);
        return constructors
                .results()
                .mapToInt(found -> found.group(1).isBlank()
                        ? 0
                        : 1
                                + (int) found.group(1)
                                        .replaceAll("<[^()]*?>", "")
                                        .chars()
                                        .filter(c -> c == ',')
                                        .count())
                .max()
                .orElse(0);
    }

    public static void main(String[] arguments) throws IOException {
        Map<String, Integer> product = new TreeMap<>();
        Map<String, Integer> test = new TreeMap<>();
        Map<String, Integer> filesOfPackage = new TreeMap<>();
        int forwards = 0;
        int forwardsOfOneName = 0;
        for (Path file : files(".java")) {
            String name = file.toString().replace('\\', '/');
            String code = withoutComments(Files.readString(file));
            String artifact = name.replaceFirst("/src/.*", "");
            boolean ships = name.startsWith("plugin-") && name.contains("/src/main/");
            (ships ? product : test).merge(artifact, lines(code), Integer::sum);
            if (ships) {
                filesOfPackage.merge(name.replaceFirst("/[^/]*$", "").replaceFirst(".*/java/", ""), 1, Integer::sum);
            }
            if (ships && (artifact.equals("plugin-api/api") || artifact.equals("plugin-impls/engine"))) {
                forwards += forwards(code, false);
                forwardsOfOneName += forwards(code, true);
                if (name.contains("/io/quorate/core/")) {
                    product.merge("plugin-impls/engine: core alone", lines(code), Integer::sum);
                }
            }
        }
        System.out.println("code lines without comments, imports and empty lines");
        print("  product ", product);
        print("  tests ", test);
        int shipped = sum(product) - product.getOrDefault("plugin-impls/engine: core alone", 0);
        System.out.printf(
                "  product in all %,d%n  tests in all %,d, %.2f a line of product%n",
                shipped, sum(test), (double) sum(test) / shipped);
        Path core = Path.of("plugin-impls/engine/src/main/java/io/quorate/core");
        System.out.printf(
                "messages %d, events %d, effects %d, forwards in the API %d, of one name and no interface's %d%n",
                records(core.resolve("message"), "\\w+Message"),
                records(core.resolve("step/NodeEvent.java"), "NodeEvent|\\w+"),
                records(core.resolve("step/NodeEffect.java"), "NodeEffect|\\w+"),
                forwards,
                forwardsOfOneName);
        System.out.printf(
                "words of the glossary %d%n",
                Files.readAllLines(Path.of("plugin-api/docs/glossary.md")).stream()
                                // What follows are words that are not used.
                                .takeWhile(line -> !line.startsWith("| not this "))
                                .filter(line -> line.startsWith("| "))
                                .count()
                        - 1);
        System.out.printf(
                "files a package: most %d, mean %.1f, packages %d%n",
                filesOfPackage.values().stream().mapToInt(each -> each).max().orElse(0),
                (double) sum(filesOfPackage) / filesOfPackage.size(),
                filesOfPackage.size());
        System.out.printf(
                "poms %d, lines of the root pom %d%n",
                files("pom.xml").size(), Files.readAllLines(Path.of("pom.xml")).size());
        int words = 0;
        for (Path file : files(".md")) {
            words += Files.readString(file).split("\\s+").length;
        }
        System.out.printf("words of the documents %,d%n", words);
    }

    private static List<Path> files(String end) throws IOException {
        return files(Path.of("."), end);
    }

    private static List<Path> files(Path root, String end) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(file -> file.toString().endsWith(end))
                    .map(root::relativize)
                    .filter(file -> !file.toString().contains("target/"))
                    .sorted()
                    .toList();
        }
    }

    private static String withoutComments(String code) {
        Matcher literals = LITERAL.matcher(code);
        // The same number of lines, and nothing in them that looks like a comment.
        String plain = literals.replaceAll(
                found -> "\"" + "\n\"".repeat((int) found.group().lines().count() - 1) + "\"");
        return COMMENT.matcher(plain).replaceAll("");
    }

    private static int lines(String code) {
        return (int) code.lines()
                .filter(line -> !NOT_COUNTED.matcher(line).matches())
                .count();
    }

    /** Those of one name have the form {@code x(y) { z.x(y); }}, and nothing wants them but their callers. */
    private static int forwards(String code, boolean ofOneName) {
        int count = 0;
        for (Matcher method = FORWARD.matcher(code); method.find(); ) {
            String parameters =
                    method.group(3).replaceAll("[^,]* (\\w+)\\s*", "$1").replace(",", ", ");
            boolean isOfOneName = method.group(1) == null && method.group(2).equals(method.group(4));
            if (parameters.equals(method.group(5)) && (isOfOneName || !ofOneName)) {
                count++;
            }
        }
        return count;
    }

    private static int records(Path where, String of) throws IOException {
        int count = 0;
        Pattern record = Pattern.compile("\\brecord \\w+(?:<[^>]*>)?\\((?s:[^{]*?)\\)\\s*implements (?:" + of + ")\\b");
        try (Stream<Path> files = Files.walk(where)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                count += (int) record.matcher(withoutComments(Files.readString(file)))
                        .results()
                        .count();
            }
        }
        return count;
    }

    private static int sum(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(each -> each).sum();
    }

    private static void print(String title, Map<String, Integer> counts) {
        counts.forEach((name, count) -> System.out.printf("%s%-45s %,7d%n", title, name, count));
    }
}
