package io.quorate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the texts of the repository cite must stand in the repository. Code and specs name a document by its path below
 * a module, with a heading of it behind a hash; a decision and a source by its number; and a line or rule of an
 * algorithm by the tag that it has in the algorithm's document. Documents link to files, and name tests by class and
 * method.
 */
final class Citations {

    /** A citation that leads nowhere. {@code file} is relative to the root of the repository. */
    record Finding(String file, int line, String citation) {
        @Override
        public String toString() {
            return file + ":" + line + ": " + citation;
        }
    }

    private static final List<String> MODULES = List.of("plugin-api", "plugin-impls", "integration-tests");
    private static final String ALGORITHMS = "plugin-impls/docs/algorithms/";
    private static final String DECISIONS = "plugin-api/docs/decisions/";
    private static final Map<String, String> DOCUMENTS = Map.of(
            "ballot", "ballot", "bully", "bully", "lcr", "lcr", "tokenring", "token-ring", "threephase", "three-phase");

    // Written so that this file does not find itself.
    private static final Pattern DOCUMENT = Pattern.compile("(?<![\\w/.-])docs/[\\w/-]+\\.md(#[\\w-]+)?");
    private static final Pattern DECISION = Pattern.compile("\\bADR-(\\d{4})\\b");
    private static final Pattern SOURCE = Pattern.compile("\\bsource (\\d{3})\\b");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*Test)\\.(\\w+)`");
    private static final Pattern OUTSIDE = Pattern.compile("\\b(DECISIONS|PROTOCOL|ALGORITHMS|VERIFICATION|TRANSPORT|"
            + "CONVENTIONS|CURATOR-CONTRACT|BASELINE|DEFECTS|HOUSE|DESIGN|SPEED|OPERATIONS|RECONFIG)"
            + "(\\.md|,? section|,? [A-E]?\\d)|\\.\\./sha" + "red");
    private static final Pattern TAG = Pattern.compile("\\b([KGHL]\\d{1,2})(?:-(\\d{1,2}))?\\b");
    private static final Pattern ALGORITHM =
            Pattern.compile("plugin-impls/algorithms/src/main/java/io/quorate/(\\w+)/.*");
    private static final Pattern COMMENT = Pattern.compile("//.*|^\\s*/?\\*.*|/\\*\\*.*");
    private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*?) *$", Pattern.MULTILINE);
    private static final Pattern FENCE = Pattern.compile("^```.*?^```", Pattern.MULTILINE | Pattern.DOTALL);

    private final Map<String, String> texts;
    private final Set<String> files;
    private final Map<String, Set<String>> anchors = new TreeMap<>();
    private final List<Finding> findings = new ArrayList<>();

    private Citations(Map<String, String> texts, Set<String> files) {
        this.texts = texts;
        this.files = files;
        texts.forEach((file, text) -> {
            if (file.endsWith(".md")) {
                anchors.put(file, anchors(text));
            }
        });
    }

    /**
     * All citations that lead nowhere.
     *
     * @param texts what is read, by its path from the root
     * @param files all files there are
     */
    static List<Finding> check(Map<String, String> texts, Set<String> files) {
        Citations citations = new Citations(texts, files);
        texts.forEach(citations::check);
        return citations.findings;
    }

    /** The anchors that GitHub gives to the headings of a document. */
    private static Set<String> anchors(String text) {
        return HEADING.matcher(FENCE.matcher(text).replaceAll(""))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void check(String file, String text) {
        List<String> lines = text.lines().toList();
        boolean isFenced = false;
        for (int index = 0; index < lines.size(); index++) {
            String line = lines.get(index);
            int number = index + 1;
            search(OUTSIDE, line, found -> false, file, number);
            search(DECISION, line, this::isDecision, file, number);
            search(SOURCE, line, this::isSource, file, number);
            search(DOCUMENT, line, this::isDocument, file, number);
            if (file.endsWith(".md")) {
                isFenced ^= line.startsWith("```");
                if (!isFenced) {
                    search(TEST, line, found -> isTest(found.group(1), found.group(2)), file, number);
                    search(LINK, line, found -> isLink(file, found.group(1)), file, number);
                }
            } else {
                tags(file, number, line);
            }
        }
    }

    private void search(Pattern pattern, String line, Predicate<MatchResult> resolves, String file, int number) {
        pattern.matcher(line)
                .results()
                .filter(found -> !resolves.test(found))
                .forEach(found -> findings.add(new Finding(file, number, found.group())));
    }

    private boolean isDecision(MatchResult found) {
        return anchors.getOrDefault(DECISIONS + "decisions.md", Set.of()).contains("adr-" + found.group(1))
                || files.stream().anyMatch(file -> file.startsWith(DECISIONS + found.group(1) + "-"));
    }

    private boolean isSource(MatchResult found) {
        return anchors.getOrDefault(ALGORITHMS + "sources.md", Set.of()).contains("source-" + found.group(1));
    }

    private boolean isDocument(MatchResult found) {
        return MODULES.stream().anyMatch(module -> exists(module + "/" + found.group()));
    }

    /** Whether there is such a class, and such a method in it or in what it extends. */
    private boolean isTest(String type, String method) {
        return texts.entrySet().stream()
                .filter(each -> each.getKey().endsWith("/" + type + ".java"))
                .map(Map.Entry::getValue)
                .anyMatch(text -> {
                    if (Pattern.compile("(void|Stream<DynamicTest>) " + method + "\\(")
                            .matcher(text)
                            .find()) {
                        return true;
                    }
                    Matcher extended =
                            Pattern.compile("class " + type + " extends (\\w+)").matcher(text);
                    return extended.find() && isTest(extended.group(1), method);
                });
    }

    private boolean isLink(String file, String target) {
        if (target.matches("(https?|mailto):.*")) {
            return true;
        }
        if (target.startsWith("#")) {
            return exists(file + target);
        }
        Path folder = Path.of("/" + file).getParent();
        return exists(folder.resolve(target).normalize().toString().substring(1));
    }

    /** Whether there is such a file, or folder, and such a heading in it. */
    private boolean exists(String target) {
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        if (hash >= 0) {
            return anchors.getOrDefault(file, Set.of()).contains(target.substring(hash + 1));
        }
        return files.contains(file) || files.stream().anyMatch(other -> other.startsWith(file + "/"));
    }

    private void tags(String file, int number, String line) {
        Matcher algorithm = ALGORITHM.matcher(file);
        Matcher comment = COMMENT.matcher(line);
        if (!algorithm.matches() || !DOCUMENTS.containsKey(algorithm.group(1)) || !comment.find()) {
            return;
        }
        String words = texts.getOrDefault(ALGORITHMS + DOCUMENTS.get(algorithm.group(1)) + ".md", "")
                + texts.getOrDefault(ALGORITHMS + "common.md", "");
        TAG.matcher(comment.group()).results().forEach(tag -> {
            String second = tag.group(2) == null ? tag.group(1) : tag.group(1).charAt(0) + tag.group(2);
            if (!isWord(words, tag.group(1)) || !isWord(words, second)) {
                findings.add(new Finding(file, number, tag.group()));
            }
        });
    }

    private static boolean isWord(String words, String tag) {
        return Pattern.compile("\\b" + tag + "\\b").matcher(words).find();
    }
}
