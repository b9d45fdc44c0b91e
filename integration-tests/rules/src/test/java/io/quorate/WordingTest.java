package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.quorate.Wording.Finding;
import io.quorate.Wording.Kind;
import io.quorate.Wording.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The wording of comments, log lines, documents, test names and commits only gets better. Each rule has a budget in each
 * kind of text, and {@code -Drewrite} lowers budgets to what is left.
 */
class WordingTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Path BUDGETS = Path.of("src", "test", "resources", "wording-budget.txt");
    private static final int SHOWN_MAX = 40;

    private static final String MAIN = "plugin-api/api/src/main/java/A.java";
    private static final String TEST = "plugin-impls/engine-tests/src/test/java/ATest.java";
    private static final String DOCUMENT = "plugin-api/docs/a.md";

    @Test
    void filesStayWithinTheirBudgets() throws IOException {
        List<Finding> findings = Wording.files(ROOT);
        // A walk that misses a kind of text would find nothing wrong with it.
        assertThat(findings).extracting(Finding::file).anyMatch(file -> file.startsWith("plugin-impls/"));
        Map<String, Integer> counts = Wording.counts(findings);
        counts.keySet().removeIf(WordingTest::isOfCommits);
        compare(findings, counts);
    }

    @Test
    void commitsStayWithinTheirBudgets() throws IOException {
        List<Finding> findings = Wording.subjects(ROOT).orElseGet(() -> abort("no git, or a history without its past"));
        Map<String, Integer> counts = Wording.counts(findings);
        counts.keySet().removeIf(row -> !isOfCommits(row));
        compare(findings, counts);
    }

    private static boolean isOfCommits(String row) {
        return row.endsWith(" " + Kind.COMMITS);
    }

    private static void compare(List<Finding> findings, Map<String, Integer> counts) throws IOException {
        Map<String, Integer> budgets = read(Files.readAllLines(BUDGETS));
        if (System.getProperty("rewrite") != null) {
            budgets = lowered(budgets, counts);
            Files.writeString(BUDGETS, written(budgets));
        }
        assertThat(complaints(budgets, counts, findings, changed())).isEmpty();
    }

    private static Map<String, Integer> read(List<String> lines) {
        Map<String, Integer> budgets = new TreeMap<>();
        for (String line : lines) {
            int blank = line.lastIndexOf(' ');
            budgets.put(line.substring(0, blank), Integer.valueOf(line.substring(blank + 1)));
        }
        return budgets;
    }

    private static String written(Map<String, Integer> budgets) {
        return budgets.entrySet().stream()
                .map(budget -> budget.getKey() + " " + budget.getValue() + "\n")
                .collect(Collectors.joining());
    }

    /** Returns each budget, or its count if that is lower. A rule that has no budget gets none. */
    private static Map<String, Integer> lowered(Map<String, Integer> budgets, Map<String, Integer> counts) {
        Map<String, Integer> lowered = new TreeMap<>(budgets);
        lowered.replaceAll((row, budget) -> Math.min(budget, counts.getOrDefault(row, budget)));
        return lowered;
    }

    /** Files that differ from the commit before the last one. They hold what made a count rise. */
    private static Set<String> changed() throws IOException {
        Set<String> changed = new HashSet<>();
        Wording.git(ROOT, "diff", "--name-only", "HEAD~1").ifPresent(changed::addAll);
        Wording.git(ROOT, "ls-files", "--full-name", "--others", "--exclude-standard")
                .ifPresent(changed::addAll);
        return changed;
    }

    private static List<String> complaints(
            Map<String, Integer> budgets, Map<String, Integer> counts, List<Finding> findings, Set<String> changed) {
        List<String> complaints = new ArrayList<>();
        counts.forEach((row, count) -> {
            int budget = budgets.getOrDefault(row, 0);
            if (count < budget) {
                complaints.add(row + ": " + count + " are left of " + budget + "; lower the budget: -Drewrite does it");
            } else if (count > budget) {
                complaints.add(row + ": " + count + " exceed the budget of " + budget + "; fix " + (count - budget)
                        + ", changed files come first");
                findings.stream()
                        .filter(each -> each.row().equals(row))
                        .sorted(Comparator.comparing(each -> !changed.contains(each.file())))
                        .limit(SHOWN_MAX)
                        .forEach(each -> complaints.add(each.toString()));
            }
        });
        return complaints;
    }

    // ---------------------------------------------------------------- the budgets

    @Test
    void rewriteLowersBudgetsAndNeverRaisesThem() {
        Map<String, Integer> budgets = Map.of("COLON MAIN", 3, "COLON TESTS", 1, "QUAINT COMMITS", 2);
        Map<String, Integer> counts = Map.of("COLON MAIN", 2, "COLON TESTS", 5, "QUAINT MAIN", 7);
        assertThat(lowered(budgets, counts)).isEqualTo(Map.of("COLON MAIN", 2, "COLON TESTS", 1, "QUAINT COMMITS", 2));
        assertThat(read(written(budgets).lines().toList())).isEqualTo(budgets);
    }

    @Test
    void countsMustEqualTheirBudgets() {
        List<Finding> findings = new ArrayList<>(Collections.nCopies(
                50, Wording.check("a/A.java", "// It starts anew.").get(0)));
        findings.addAll(Wording.check("b/B.java", "// It starts anew."));
        Map<String, Integer> counts = Map.of("QUAINT TESTS", 51);
        assertThat(complaints(Map.of("QUAINT TESTS", 51), counts, findings, Set.of()))
                .isEmpty();
        assertThat(complaints(Map.of("QUAINT TESTS", 52), counts, findings, Set.of()))
                .singleElement()
                .asString()
                .contains("-Drewrite");
        assertThat(complaints(Map.of(), counts, findings, Set.of("b/B.java")))
                .hasSize(1 + SHOWN_MAX)
                .element(1)
                .asString()
                .startsWith("b/B.java:1: 'anew'; write: again");
    }

    @Test
    void everyPairOfRuleAndKindIsCounted() {
        assertThat(Wording.counts(List.of()))
                .hasSize(7 * 6 - 4 + 3 + 1)
                .containsEntry("HEADLESS NAMES", 0)
                .containsEntry("IMPERATIVE COMMITS", 0)
                .doesNotContainKeys("COLON STRINGS", "ANSWERS DOCUMENTS", "IMPERATIVE MAIN");
    }

    // ---------------------------------------------------------------- each rule finds, and spares

    private static List<String> rows(List<Finding> findings) {
        return findings.stream().map(Finding::row).toList();
    }

    private static List<String> in(Kind kind, String sentence) {
        String text =
                switch (kind) {
                    case MAIN, TESTS -> "int a; // " + sentence;
                    case STRINGS -> "String a = \"" + sentence.replace("\"", "\\\"") + "\";";
                    case NAMES -> "@Test void " + camel(sentence) + "() {}";
                    default -> sentence;
                };
        return switch (kind) {
            case COMMITS ->
                rows(Wording.subject("1234567", "core: " + text)).stream()
                        .filter(row -> !row.startsWith("IMPERATIVE"))
                        .toList();
            case MAIN, STRINGS -> rows(Wording.check(MAIN, text));
            case DOCUMENTS -> rows(Wording.check(DOCUMENT, text));
            default -> rows(Wording.check(TEST, text));
        };
    }

    private static String camel(String sentence) {
        StringBuilder name = new StringBuilder();
        for (String word : sentence.replaceAll("[^\\w ]", "").split(" ")) {
            name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
        }
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    private static void finds(Rule rule, Set<Kind> kinds, String... sentences) {
        for (String sentence : sentences) {
            for (Kind kind : kinds) {
                assertThat(in(kind, sentence)).as(kind + ": " + sentence).contains(rule + " " + kind);
            }
        }
    }

    private static void spares(String... sentences) {
        for (String sentence : sentences) {
            for (Kind kind : Kind.values()) {
                assertThat(in(kind, sentence)).as(kind + ": " + sentence).isEmpty();
            }
        }
    }

    @Test
    void headlessSentencesAreFound() {
        finds(
                Rule.HEADLESS,
                Set.of(Kind.values()),
                "Who has withdrawn hears of it.",
                "Whoever asks is told.",
                "Whose lease is over stops.",
                "What is late is dropped.",
                "Whatever comes is read.",
                "One that waits is served.",
                "Those that vote are asked.",
                "That which is read counts.",
                "that is dropped",
                "those are dropped",
                "which is dropped");
        Set<Kind> sentences = Set.of(Kind.MAIN, Kind.TESTS, Kind.STRINGS, Kind.DOCUMENTS);
        finds(Rule.HEADLESS, sentences, "It waits. What is late is dropped.", "(It waits.) What is late is dropped.");
        spares(
                "A voter drops stale answers.",
                "It sends what is left.",
                "Whosoever is no word of ours.",
                "The node knows who leads.",
                "Whether it leads is open.");
        assertThat(in(Kind.MAIN, "It waits. Who leads now? The first one.")).isEmpty();
        assertThat(in(Kind.DOCUMENTS, "What happens then? It waits.")).isEmpty();
        assertThat(in(Kind.DOCUMENTS, "That is why it waits.")).isEmpty();
    }

    @Test
    void nounPhrasesOfJavadocAreSpared() {
        assertThat(rows(Wording.check(MAIN, "/** What is late is dropped. */\nclass A {}")))
                .containsExactly("HEADLESS MAIN");
        assertThat(rows(Wording.check(MAIN, "/** What is late is dropped. */\nint a(int b) { }")))
                .containsExactly("HEADLESS MAIN");
        assertThat(rows(Wording.check(MAIN, "/** It waits. <p>What is late is dropped. */\nint a;")))
                .containsExactly("HEADLESS MAIN");
        for (String phrase : List.of(
                "/** What may be wrong. */\nprivate static final List<String> a = 1;",
                "/** What may be wrong. */\n@A(1)\nint a;",
                "/** What may be wrong. */\nA_B(1),",
                "/**\n * Waits.\n *\n * @param a what is late\n * @return what is left\n */\nint a(int a) { }")) {
            assertThat(rows(Wording.check(MAIN, phrase))).as(phrase).isEmpty();
        }
    }

    @Test
    void lateSubjectsAreFound() {
        for (String word : List.of("a", "an", "the", "those", "its", "one", "this", "two", "several")) {
            finds(Rule.LATE_SUBJECT, Set.of(Kind.values()), "Of " + word + " voter none is left.");
            finds(Rule.LATE_SUBJECT, Set.of(Kind.COMMITS, Kind.NAMES), "of " + word + " voter none is left");
        }
        Set<Kind> sentences = Set.of(Kind.MAIN, Kind.TESTS, Kind.STRINGS, Kind.DOCUMENTS);
        finds(Rule.LATE_SUBJECT, sentences, "It waits. Of the voters none is left.", "It waits: Of the voters.");
        for (String comment : List.of("/** @return Of the voter */", "/** <p>Of the voter. */")) {
            assertThat(rows(Wording.check(MAIN, comment))).containsExactly("LATE_SUBJECT MAIN");
        }
        assertThat(in(Kind.MAIN, "of the voter")).isEmpty();
        spares("The vote of the voter. Often a vote. Of course.");
    }

    @Test
    void relativePronounsAreFoundInsideSentences() {
        finds(Rule.WHOEVER, Set.of(Kind.values()), "It tells whoever asks.");
        spares("It tells anyone.");
    }

    @Test
    void negatedNounsAreFound() {
        finds(
                Rule.NEGATED_NOUN,
                Set.of(Kind.values()),
                "It ends no tenure.",
                "Nodes may end no tenure.",
                "It answered no question.");
        spares(
                "There is no leader, and no other node has no vote.",
                "It leads no longer, answers no more, and makes no difference.",
                "With no limit, by no means, if no node votes.",
                "It does not end a tenure.");
    }

    @Test
    void looseBoundsAreFound() {
        finds(
                Rule.LOOSE_BOUND,
                Set.of(Kind.values()),
                "Ends so many of them.",
                "So long it waits.",
                "It costs so much.",
                "It has so few.");
        spares("It waits so long as it leads.", "It ends at most two of them.");
    }

    @Test
    void answersAreFoundAtTheBeginningOfJavadoc() {
        finds(Rule.ANSWERS, Set.of(Kind.MAIN, Kind.TESTS), "Answers whether it leads.", "answers the number");
        assertThat(rows(Wording.check(MAIN, "/** Waits. @return answers the number */")))
                .containsExactly("ANSWERS MAIN");
        assertThat(in(Kind.MAIN, "Answers to claims come late.")).isEmpty();
        assertThat(in(Kind.MAIN, "A voter answers claims.")).isEmpty();
        assertThat(in(Kind.DOCUMENTS, "Answers whether it leads.")).isEmpty();
    }

    @Test
    void quaintWordsAreFound() {
        finds(
                Rule.QUAINT,
                Set.of(Kind.values()),
                "It starts anew.",
                "It failed of late.",
                "It leads all the same.",
                "Besides, it leads.",
                "It stops for good.",
                "It stops at once.",
                "Mend the file.",
                "This mends files.",
                "It takes in frames.",
                "It has work in hand.",
                "It is not to be had.",
                "It has a thread of its own.",
                "Somebody reads it.",
                "It tells nobody.",
                "They are to stop.",
                "It is not to lead.");
        spares(
                "It starts again, beside the others.",
                "It waits for good reason.",
                "They keep for good reasons.",
                "The rule is to the point.",
                "The amendment takes an hour.",
                "It is too late.");
    }

    @Test
    void colonsInPlaceOfReasonsAreFound() {
        finds(
                Rule.COLON,
                Set.of(Kind.MAIN, Kind.TESTS, Kind.DOCUMENTS),
                "It stops here: the lease is over.",
                "It stops (here): nobody leads.");
        spares(
                "Justification: the lease is over.",
                "The modes are: leader, follower.",
                "The files are these: the lock, and the log.",
                "It stops here because the lease is over.",
                "They are:");
        assertThat(in(Kind.STRINGS, "frame of n2: the life is unknown")).isEmpty();
        assertThat(in(Kind.DOCUMENTS, "| a | it stops here: the lease is over |"))
                .isEmpty();
    }

    // ---------------------------------------------------------------- each kind is read

    private static List<String> places(String file, String text) {
        return Wording.check(file, text).stream()
                .map(each -> each.kind() + " " + each.line() + " " + each.phrase())
                .toList();
    }

    @Test
    void commentsAreReadAcrossTheirLines() {
        assertThat(places(MAIN, "class A {\n/**\n * It\n * waits. Of\n * the voter.\n */"))
                .containsExactly("MAIN 4 Of the voter");
        assertThat(places(MAIN, "// It starts\n    // at\n    // once.")).containsExactly("MAIN 2 at once");
        assertThat(places(MAIN, "int a; /* so\n many */ int b; // anew"))
                .containsExactly("MAIN 1 so many", "MAIN 2 anew");
        assertThat(places("plugin-api\\api\\src\\main\\java\\A.java", "// anew"))
                .containsExactly("MAIN 1 anew");
        assertThat(places("integration-tests/demo/src/main/java/A.java", "// anew"))
                .containsExactly("TESTS 1 anew");
        assertThat(places(TEST, "// anew")).containsExactly("TESTS 1 anew");
    }

    @Test
    void codeInCommentsIsNoProse() {
        assertThat(places(MAIN, "/** {@code anew}, {@link A#b() anew}, <pre>\n at once\n</pre> and `anew` */"))
                .isEmpty();
        assertThat(places(MAIN, "/** See {@code a}. What is late is dropped. */"))
                .containsExactly("MAIN 1 What is late is");
        assertThat(places(MAIN, "int anew = besides;")).isEmpty();
    }

    @Test
    void literalsOfTheProductAreRead() {
        assertThat(places(MAIN, "a(\"a \\\" // b\", 'c', \"it starts anew\"); // fine"))
                .containsExactly("STRINGS 1 anew");
        assertThat(places(MAIN, "char c = '\"'; // anew")).containsExactly("MAIN 1 anew");
        assertThat(places(MAIN, "String a = \"\"\"\n    a \"quote\"\n    at once\n    \"\"\"; // anew"))
                .containsExactly("STRINGS 3 at once", "MAIN 4 anew");
        assertThat(places(MAIN, "a(\"it stops at \"\n    + \"once\")")).containsExactly("STRINGS 1 at once");
        assertThat(places(MAIN, "a(\"drop \" + b + \"what is late\")")).isEmpty();
        assertThat(places(MAIN, "a(\"what\", \"what is late\")")).containsExactly("STRINGS 1 what is late");
        assertThat(places(TEST, "a(\"it starts anew\")")).isEmpty();
    }

    @Test
    void documentsAreReadWithoutTheirCode() {
        assertThat(places(DOCUMENT, "# A\n\n```java\n// anew\n```\n\nIt `anew`\nstarts [at\nonce](anew.md)."))
                .containsExactly("DOCUMENTS 8 at once");
        assertThat(places(DOCUMENT, "# What is missing\nIt waits.\n- One that waits\n  is served.\n"))
                .containsExactly("DOCUMENTS 1 What is missing", "DOCUMENTS 3 One that waits is served");
        assertThat(places(DOCUMENT, "A list\n\n    ~~~\n    anew\n    ~~~\n1. What is late is dropped."))
                .containsExactly("DOCUMENTS 6 What is late is");
        assertThat(places(DOCUMENT, "| what it costs | nobody |\n|---|---|\n")).containsExactly("DOCUMENTS 1 nobody");
        assertThat(places(DOCUMENT, "It waits. <!-- anew -->")).isEmpty();
    }

    @Test
    void namesOfTestsAreRead() {
        String test = "class A {\n    @ParameterizedTest\n    @ValueSource(ints = 1)\n    void %s(int a) {}\n}";
        assertThat(places(TEST, test.formatted("ofAClosedClientNothingIsShown")))
                .containsExactly("NAMES 4 of a closed client");
        assertThat(places(TEST, test.formatted("whoComesHasNoTurnYet"))).containsExactly("NAMES 4 who comes has no");
        assertThat(places(TEST, test.formatted("newcomersWaitForNextRound"))).isEmpty();
        assertThat(places(TEST, test.formatted("offersAreRead"))).isEmpty();
        assertThat(places(TEST, "@TestFactory Stream<DynamicTest> whatIsLate() {}"))
                .containsExactly("NAMES 1 what is late");
        assertThat(places(TEST, "@BeforeEach void whatIsLate() {}")).isEmpty();
    }

    @Test
    void subjectsOfCommitsAreImperative() {
        for (String subject : List.of(
                "bully: ignore COORDINATOR from a suspected node",
                "core: reject copies that arrive on an admitted bus connection",
                "core: process lists in order",
                "docs: address the reader",
                "tests: pass",
                "docs, tests: focus",
                "spring-boot: embed a server",
                "core: feed nodes",
                "wt/x.y: rename",
                "rules: " + "x".repeat(65))) {
            assertThat(Wording.isImperative(subject)).as(subject).isTrue();
        }
        for (String subject : List.of(
                "ignore COORDINATOR from a suspected node",
                "core: ",
                "core:ignore it",
                "core: Ignore it",
                "Core: ignore it",
                "core: who comes to a line stands behind all that are there",
                "core: what is late of a former batch answers no question of this one",
                "core: whoever asked a voter waits",
                "core: of a closed client nothing is left",
                "tests: one frame for the programs",
                "tests: that it waits",
                "docs: the comparison anew",
                "docs: a raised term",
                "tests: turns, patience and answers",
                "core: ignores it",
                "core: ignored it",
                "core: ignoring it",
                "Revert \"core: ignore it\"",
                "rules: " + "x".repeat(66))) {
            assertThat(Wording.isImperative(subject)).as(subject).isFalse();
            assertThat(rows(Wording.subject("1234567", subject))).contains("IMPERATIVE COMMITS");
        }
        assertThat(Wording.subject("1234567", "core: who leads").get(0).toString())
                .isEqualTo("1234567:1: 'core: who leads'; write: part: imperative, at most 72 characters");
    }

    @Test
    void historyThatGitDoesNotHaveIsSkipped() throws IOException {
        assertThat(Wording.git(ROOT, "log", "0000000..HEAD")).isEmpty();
    }
}
