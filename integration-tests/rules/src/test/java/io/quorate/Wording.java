package io.quorate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds phrases that a reader has to read twice. From the root of the repository,
 * {@code java integration-tests/rules/src/test/java/io/quorate/Wording.java} prints how many there are of each rule in
 * each kind of text, which is the form of the budgets. With a rule and a kind as arguments it prints the phrases.
 */
final class Wording {

    /** The kinds of text. Each has its own budgets. */
    enum Kind {
        /** Comments of what ships. */
        MAIN,
        /** Comments of all other code: tests, test programs, examples. */
        TESTS,
        /** String literals of what ships: log lines, errors, output of the command line. */
        STRINGS,
        /** Markdown without its code. */
        DOCUMENTS,
        /** Names of test methods, split into words. */
        NAMES,
        /** Subjects of commits. */
        COMMITS;

        private static final Set<Kind> COMMENTS = EnumSet.of(MAIN, TESTS);
        private static final Set<Kind> PROSE = EnumSet.of(MAIN, TESTS, DOCUMENTS);
        private static final Set<Kind> ALL = EnumSet.allOf(Kind.class);
    }

    /**
     * The rules. A blank in a pattern stands for any white space, ¶ for the beginning of a paragraph, and § for the
     * beginning of a noun phrase in Javadoc. The reported phrase begins behind the first group.
     */
    enum Rule {
        /** Sentences that begin with a relative clause. Questions, Javadoc tags and the Javadoc of fields may. */
        HEADLESS(
                Kind.ALL,
                "(^[\\s¶]*|[.!?][)\"]* (?!that |those |which )|¶ )"
                        + "(?:[Ww]ho|[Ww]hoever|[Ww]hose|[Ww]hat|[Ww]hatever|[Tt]hat which"
                        + "|[Oo]ne (?:that|who|whose)|[Tt]hose (?:that|who|whose)|that|those|which)\\b"
                        + "(?![^.!?]*\\?)(?: [\\w'-]+){1,3}",
                "subject and verb first"),
        LATE_SUBJECT(
                Kind.ALL,
                "(^(?=of )|(?:^[\\s¶]*|[.!?:;] |[¶§] )(?=O))[Oo]f (?:an?|the|those|its|one|two|several|this)\\b"
                        + "(?: [\\w'-]+){0,2}",
                "subject and verb first"),
        WHOEVER(Kind.ALL, "()\\b[Ww]hoever\\b", "anyone who, or the noun that is meant"),
        NEGATED_NOUN(
                Kind.ALL,
                "()\\b(?=[a-z]++ no )"
                        + "(?!(?:is|are|was|were|be|been|being|has|have|had|having|with|there|of|in|by|that|and|or|but|if"
                        + "|when|as|for|on|at|to|from|than|because|so|where|under|while|though|although|since|until"
                        + "|after|before|which|what|who|how|why|into|also|still|yet|then|therefore|thus|hence|nor|not"
                        + "|it|they|say|says|said)\\b)[a-z]++ no"
                        + " (?!(?:longer|more|matter|later|sooner|less|fewer|one|sense|difference)\\b)[\\w'-]+",
                "does not + verb; no stands only before a count, or after there is"),
        LOOSE_BOUND(Kind.ALL, "()\\b[Ss]o (?:many|much|few|long)\\b(?! as\\b)", "at most N, the first N, until"),
        ANSWERS(Kind.COMMENTS, "(^[\\s¶§]*|§ )[Aa]nswers\\b(?! (?:to|of|from|that|which)\\b)", "Returns"),
        QUAINT(
                Kind.ALL,
                "()\\b(?=[ABFMNOSTabfimnostw])"
                        + "(?:[Aa]new|[Oo]f late|[Aa]ll the same|[Bb]esides|[Ff]or good(?! reason)|[Aa]t once"
                        + "|[Mm]end(?:s|ed|ing)?|(?:[Tt]akes?|took|taken|taking) in|in hand|to be had"
                        + "|of (?:its|their) own|[Ss]omebody|[Nn]obody"
                        + "|(?:is|are|was|were)(?: not)? to"
                        + " (?!(?:an?|the|this|that|these|those|its|their|each|all|one|blame)\\b)[a-z]+)\\b",
                "again, recently, anyway, also, permanently, immediately, fix, start, unavailable, X's, someone,"
                        + " the process that is meant, must"),
        /** Only before what begins like a clause, so that most labels and lists go unnoticed. */
        COLON(
                Kind.PROSE,
                "()\\b\\w++ [(\"]*+\\w++[)\"]*+: (?:an?|the|its?|they|this|that|these|those|there|then|so|no|nobody"
                        + "|nothing|none|one|some|another|each|every) (?!(?:[\\w'-]+ ){0,3}[\\w'-]+,? (?:and|or) )[\\w'-]+",
                "because, so, such as, or two sentences"),
        /** The form of a subject, see {@link #isImperative}. */
        IMPERATIVE(EnumSet.of(Kind.COMMITS), "(?!)", "part: imperative, at most 72 characters");

        private final Set<Kind> kinds;
        private final Pattern pattern;
        private final String instead;

        Rule(Set<Kind> kinds, String regex, String instead) {
            this.kinds = kinds;
            this.pattern = Pattern.compile(regex.replace(" ", "\\s+"));
            this.instead = instead;
        }
    }

    /** A phrase that breaks a rule. {@code file} is relative to the root of the repository, or the id of a commit. */
    record Finding(Rule rule, Kind kind, String file, int line, String phrase) {
        String row() {
            return rule + " " + kind;
        }

        @Override
        public String toString() {
            return file + ":" + line + ": '" + phrase + "'; write: " + rule.instead;
        }
    }

    /** The rules for subjects bind all commits after this one. */
    private static final String LAST_FREE_COMMIT = "d8cac105";

    private static final int SUBJECT_MAX = 72;

    /** A test writes this document. */
    private static final String WRITTEN = "integration-tests/docs/scenarios.md";

    private static final String LITERAL = "(?:\"\"\"[\\s\\S]*?\"\"\"|\"[^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+\")";

    /** Literals joined by a plus are one text, and so are line comments below each other. */
    private static final Pattern TOKEN = Pattern.compile("'(?:[^'\\\\\\n]|\\\\.)++'"
            + "|(?<string>" + LITERAL + "(?:\\s*+\\+\\s*+" + LITERAL + ")*+)"
            + "|(?<comment>/\\*[\\s\\S]*?\\*/|//[^\\n]*+(?:\\n *+//[^\\n]*+)*+)"
            + "|@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\\b"
            + "[^{};]*?\\b(?:void|\\w+<\\w+>) (?<name>\\w+)\\(");

    private static final Pattern JOINT = Pattern.compile("\"\"\"|(?<!\\\\)\"(?:\\s*\\+\\s*\")?");
    private static final Pattern MARKS = Pattern.compile("^/\\*+|\\*/$|^//|\\n *+(?://|\\*(?!/))");
    private static final Pattern PRE = Pattern.compile("<pre>[\\s\\S]*?</pre>|<!--[\\s\\S]*?-->|https?://\\S+");
    private static final Pattern CODE =
            Pattern.compile("\\{@\\w+[^{}]*+(?:\\{[^{}]*+\\}[^{}]*+)*+\\}|<code>[\\s\\S]*?</code>|(`+)[\\s\\S]*?\\1");
    private static final Pattern TAG = Pattern.compile("@(?:return|param\\s+\\S+|throws\\s+\\S+)");
    private static final Pattern PARAGRAPH =
            Pattern.compile("</?(?:p|li|ul|ol|dl|dt|dd|table|tr|td|th|h\\d)>|@(?!return|param|throws)\\w+");
    private static final Pattern LINK = Pattern.compile("(?<=\\])\\([^)\\s]*\\)|[\\[\\]*]");

    /** The end of a declaration without parameters, or a constant of an enum. */
    private static final Pattern FIELD = Pattern.compile(
            "\\s*+(?:@\\w+(?:\\([^()]*\\))?\\s+)*+(?:[\\w<>\\[\\],.?@ ]++[=;]|[A-Z][A-Z_\\d]*+\\s*[(,;{}])");

    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");
    private static final Pattern BLOCK = Pattern.compile("\\s*(?:$|[-+|>#]|\\*\\s|\\d+\\.\\s|```|~~~)[\\s\\S]*");

    private static final Pattern SUBJECT =
            Pattern.compile("[a-z][\\w./-]*(?:, [\\w./-]+)*: (?<claim>(?<verb>[a-z][\\w-]*)(?: .+)?)");
    private static final Set<String> NO_VERBS = Set.of(
            ("a an the this these those that which who whoever whose whom what whatever when where why how while if"
                            + " because as since until though each every all both some any several many few more most"
                            + " no not none nobody nothing never somebody someone one two three only also now then there"
                            + " here it he she they we you i its their our your my his her is are was were be been has"
                            + " have had does can may must should will would of in on at for from with without by after"
                            + " before between under into so and or but")
                    .split(" "));
    private static final Pattern INFLECTED = Pattern.compile("(?!(?:alias|bias|embed|shed|shred|wed|bring|cling|fling"
            + "|ping|ring|sing|spring|string|swing|wring)$)\\w*(?:[^su]s|[^e]ed|ing)");

    private final String file;
    private final List<Finding> findings = new ArrayList<>();

    private static final Set<String> NOT_SOURCES = Set.of("target", ".git");

    private Wording(String file) {
        this.file = file.replace('\\', '/');
    }

    /** Finds everything in {@code text}, the content of {@code file}. */
    static List<Finding> check(String file, String text) {
        Wording wording = new Wording(file);
        if (wording.file.endsWith(".md")) {
            wording.document(text);
        } else {
            wording.code(text);
        }
        return wording.findings;
    }

    /** Finds everything in the files below {@code root}. */
    static List<Finding> files(Path root) throws IOException {
        List<Finding> findings = new ArrayList<>();
        for (String file : sources(root)) {
            if ((file.endsWith(".md") || file.endsWith(".java")) && !file.equals(WRITTEN)) {
                findings.addAll(check(file, Files.readString(root.resolve(file))));
            }
        }
        return findings;
    }

    /**
     * Lists the files below {@code root}, with slashes in their paths. It does not open folders in which modules build
     * meanwhile, because files come and go there.
     */
    static List<String> sources(Path root) throws IOException {
        List<String> files = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return NOT_SOURCES.contains(String.valueOf(folder.getFileName()))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(root.relativize(file).toString().replace('\\', '/'));
                return FileVisitResult.CONTINUE;
            }
        });
        Collections.sort(files);
        return files;
    }

    /** Finds everything in the subject of a commit. */
    static List<Finding> subject(String commit, String subject) {
        Wording wording = new Wording(commit);
        if (!isImperative(subject)) {
            wording.findings.add(new Finding(Rule.IMPERATIVE, Kind.COMMITS, commit, 1, subject));
        }
        wording.search(Kind.COMMITS, 1, subject.replaceFirst("^[^:]*: ", ""));
        return wording.findings;
    }

    /** Finds everything in the subjects of commits, or returns nothing if the history is not there. */
    static Optional<List<Finding>> subjects(Path root) throws IOException {
        return git(root, "log", "--no-merges", "--format=%h %s", LAST_FREE_COMMIT + "..HEAD")
                .map(lines -> lines.stream()
                        .map(line -> line.split(" ", 2))
                        .flatMap(line -> subject(line[0], line[1]).stream())
                        .toList());
    }

    /** Returns the lines that git prints, or nothing if it fails. */
    static Optional<List<String>> git(Path root, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        // A git hook sets variables that name another repository.
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            // Justification: without git there is no history.
            return Optional.empty();
        }
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? Optional.of(printed.lines().toList()) : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Whether a subject has a part, and a claim whose first word can be an imperative. Nouns go unnoticed. */
    static boolean isImperative(String subject) {
        Matcher found = SUBJECT.matcher(subject);
        return subject.length() <= SUBJECT_MAX
                && found.matches()
                && !NO_VERBS.contains(found.group("verb"))
                && !INFLECTED.matcher(found.group("verb")).matches();
    }

    /** Counts the findings by rule and kind, including pairs without any. */
    static Map<String, Integer> counts(List<Finding> findings) {
        Map<String, Integer> counts = new TreeMap<>();
        for (Rule rule : Rule.values()) {
            rule.kinds.forEach(kind -> counts.put(rule + " " + kind, 0));
        }
        findings.forEach(each -> counts.merge(each.row(), 1, Integer::sum));
        return counts;
    }

    private void code(String text) {
        boolean ships = file.startsWith("plugin-") && file.contains("/src/main/");
        Matcher token = TOKEN.matcher(text);
        int line = 1;
        int counted = 0;
        while (token.find()) {
            line += lines(text, counted, token.start());
            counted = token.start();
            if (token.start("comment") >= 0) {
                boolean isField = text.startsWith("/**", token.start())
                        && FIELD.matcher(text)
                                .region(token.end(), text.length())
                                .lookingAt();
                search(ships ? Kind.MAIN : Kind.TESTS, line, (isField ? "§ " : "") + comment(token.group()));
            } else if (token.start("string") >= 0 && ships) {
                search(Kind.STRINGS, line, (isJoined(text, token.start()) ? "+" : "") + string(token.group()));
            } else if (token.start("name") >= 0) {
                String words = HUMP.matcher(token.group("name")).replaceAll(" ").toLowerCase(Locale.ROOT);
                search(Kind.NAMES, line + lines(text, counted, token.start("name")), words);
            }
        }
    }

    /** Whether a plus stands before the literal, which then does not begin a sentence. */
    private static boolean isJoined(String text, int literal) {
        int before = literal - 1;
        while (before > 0 && Character.isWhitespace(text.charAt(before))) {
            before--;
        }
        return before >= 0 && text.charAt(before) == '+';
    }

    private static String comment(String comment) {
        String text = masked(MARKS, comment, ' ');
        text = text.contains("<pre>") || text.contains("://") ? masked(PRE, text, ' ') : text;
        if (text.indexOf('@') < 0 && text.indexOf('<') < 0 && text.indexOf('`') < 0) {
            return text;
        }
        text = masked(CODE, text, 'X');
        return PARAGRAPH.matcher(TAG.matcher(text).replaceAll("§")).replaceAll("¶ ");
    }

    private static String string(String literal) {
        return JOINT.matcher(literal).replaceAll("").replace("\\n", " ");
    }

    /** Replaces all but the ends of lines. */
    private static String masked(Pattern pattern, String text, char mask) {
        StringBuilder masked = null;
        for (Matcher found = pattern.matcher(text); found.find(); ) {
            masked = masked == null ? new StringBuilder(text) : masked;
            for (int at = found.start(); at < found.end(); at++) {
                if (text.charAt(at) != '\n') {
                    masked.setCharAt(at, mask);
                }
            }
        }
        return masked == null ? text : masked.toString();
    }

    private static int lines(String text, int from, int to) {
        int lines = 0;
        for (int at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
            lines++;
        }
        return lines;
    }

    /** A paragraph, a heading, an item of a list and a cell of a table are each read on their own. */
    private void document(String text) {
        StringBuilder block = new StringBuilder();
        boolean isFenced = false;
        int line = 0;
        int begin = 1;
        for (String next : masked(PRE, text, ' ').concat("\n\n").split("\n", -1)) {
            line++;
            if (isFenced || BLOCK.matcher(next).matches() || block.indexOf("#") == 0) {
                block(begin, block.toString());
                block.setLength(0);
                begin = line;
            }
            boolean isFence = next.strip().startsWith("```") || next.strip().startsWith("~~~");
            block.append(isFenced || isFence ? "" : next).append('\n');
            isFenced ^= isFence;
        }
    }

    private void block(int line, String text) {
        String prose = masked(LINK, masked(CODE, text, 'X'), ' ');
        if (prose.strip().startsWith("|")) {
            // A cell holds a noun phrase or a label.
            for (String cell : prose.split("\\|")) {
                search(Kind.DOCUMENTS, line, "| " + cell.replace(':', ' '));
            }
        } else {
            search(Kind.DOCUMENTS, line, prose.replaceFirst("^(\\s*)(?:[-+>#]+|\\d+\\.)", "$1"));
        }
    }

    private void search(Kind kind, int line, String text) {
        for (Rule rule : Rule.values()) {
            if (rule.kinds.contains(kind)
                    && (rule != Rule.COLON || text.indexOf(':') >= 0)
                    && (rule != Rule.NEGATED_NOUN || text.contains("no"))) {
                for (Matcher found = rule.pattern.matcher(text); found.find(); ) {
                    String phrase = text.substring(found.end(1), found.end()).replaceAll("\\s+", " ");
                    findings.add(new Finding(rule, kind, file, line + lines(text, 0, found.end(1)), phrase));
                }
            }
        }
    }

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of("");
        List<Finding> findings = new ArrayList<>(files(root));
        subjects(root).ifPresent(findings::addAll);
        if (arguments.length == 0) {
            counts(findings).forEach((row, count) -> System.out.println(row + " " + count));
        } else {
            findings.stream()
                    .filter(each -> each.row().equals(String.join(" ", arguments)))
                    .forEach(System.out::println);
        }
    }
}
