package io.quorate.migration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Two versions of an application, one for Curator and one for Quorate, and how they differ line by line. */
public final class Twins {

    private static final Path EXAMPLE = Path.of("src", "test", "java", "com", "example", "migration");
    private static final Pattern CURATOR_IMPORT = Pattern.compile("import org\\.apache\\.curator\\.[\\w.]+;");
    private static final Pattern QUORATE_IMPORT = Pattern.compile("import io\\.quorate\\.\\w+;");
    private static final Pattern CURATOR_CLIENT =
            Pattern.compile("CuratorFramework client = CuratorFrameworkFactory\\s*\\.newClient\\([^;{}]*\\);");
    private static final Pattern QUORATE_CLIENT =
            Pattern.compile("ElectionClient client = ElectionClient\\s*\\.builder\\(\\)[^;{}]*\\.build\\(\\);");

    /** In what the twins may differ; {@code OTHER} is what they may not. */
    enum Kind {
        PACKAGE,
        IMPORT,
        CLIENT_TYPE,
        CLIENT_CONSTRUCTION,
        OTHER
    }

    /** Lines that stand in one twin only, one after the other and at the same place. */
    record Hunk(List<String> removed, List<String> added) {

        Kind kind() {
            if (removed.equals(List.of("package com.example.migration.curator;"))
                    && added.equals(List.of("package com.example.migration.quorate;"))) {
                return Kind.PACKAGE;
            }
            if (removed.stream().allMatch(CURATOR_IMPORT.asMatchPredicate())
                    && added.stream().allMatch(QUORATE_IMPORT.asMatchPredicate())) {
                return Kind.IMPORT;
            }
            if (removed.stream()
                    .map(line -> line.replaceAll("\\bCuratorFramework\\b", "ElectionClient"))
                    .toList()
                    .equals(added)) {
                return Kind.CLIENT_TYPE;
            }
            return CURATOR_CLIENT.matcher(joined(removed)).matches()
                            && QUORATE_CLIENT.matcher(joined(added)).matches()
                    ? Kind.CLIENT_CONSTRUCTION
                    : Kind.OTHER;
        }

        private static String joined(List<String> lines) {
            return lines.stream().map(String::strip).collect(Collectors.joining(" "));
        }

        private Stream<String> lines() {
            return Stream.concat(
                    removed.stream().map(line -> "-" + line), added.stream().map(line -> "+" + line));
        }

        @Override
        public String toString() {
            return kind() + "\n" + lines().map(line -> "    " + line + "\n").collect(Collectors.joining());
        }
    }

    private final Map<String, List<Hunk>> hunks = new TreeMap<>();
    private final int lines;

    private Twins(Map<String, String> curator, Map<String, String> quorate) {
        if (!curator.keySet().equals(quorate.keySet())) {
            throw new IllegalArgumentException("not the same files: " + curator.keySet() + ", " + quorate.keySet());
        }
        curator.forEach((file, text) -> hunks.put(
                file, diff(text.lines().toList(), quorate.get(file).lines().toList())));
        this.lines = quorate.values().stream()
                .mapToInt(text -> (int) text.lines().count())
                .sum();
    }

    /** The two that stand in this repository. */
    public static Twins read() {
        return of(sources("curator"), sources("quorate"));
    }

    /** From the name of each file to its text. */
    static Twins of(Map<String, String> curator, Map<String, String> quorate) {
        return new Twins(curator, quorate);
    }

    /** The files of one of the two. */
    static Map<String, String> sources(String twin) {
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> files = Files.list(EXAMPLE.resolve(twin))) {
            for (Path file : files.toList()) {
                sources.put(file.getFileName().toString(), Files.readString(file));
            }
            return sources;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Hunk> hunks() {
        return hunks.values().stream().flatMap(List::stream).toList();
    }

    /** How long one of the two is. */
    int lines() {
        return lines;
    }

    /** All that differs but the packages: for each file the imports first. */
    public String changes() {
        StringBuilder text = new StringBuilder();
        hunks.forEach((file, all) -> {
            text.append("--- ").append(file).append('\n');
            List<Hunk> imports =
                    all.stream().filter(hunk -> hunk.kind() == Kind.IMPORT).toList();
            Hunk imported = new Hunk(
                    imports.stream().flatMap(hunk -> hunk.removed.stream()).toList(),
                    imports.stream().flatMap(hunk -> hunk.added.stream()).toList());
            Stream<Hunk> others =
                    all.stream().filter(hunk -> hunk.kind() != Kind.IMPORT && hunk.kind() != Kind.PACKAGE);
            Stream.concat(Stream.of(imported), others).flatMap(Hunk::lines).forEach(line -> text.append(line)
                    .append('\n'));
        });
        return text.toString();
    }

    /** By a longest common subsequence. */
    private static List<Hunk> diff(List<String> before, List<String> after) {
        int[][] common = new int[before.size() + 1][after.size() + 1];
        for (int i = before.size() - 1; i >= 0; i--) {
            for (int j = after.size() - 1; j >= 0; j--) {
                common[i][j] = before.get(i).equals(after.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        List<Hunk> hunks = new ArrayList<>();
        Hunk hunk = new Hunk(new ArrayList<>(), new ArrayList<>());
        int i = 0;
        int j = 0;
        while (i < before.size() || j < after.size()) {
            boolean isCommon =
                    i < before.size() && j < after.size() && before.get(i).equals(after.get(j));
            if (isCommon) {
                add(hunk, hunks);
                hunk = new Hunk(new ArrayList<>(), new ArrayList<>());
                i++;
                j++;
            } else if (j == after.size() || i < before.size() && common[i + 1][j] >= common[i][j + 1]) {
                hunk.removed.add(before.get(i++));
            } else {
                hunk.added.add(after.get(j++));
            }
        }
        add(hunk, hunks);
        return hunks;
    }

    private static void add(Hunk hunk, List<Hunk> hunks) {
        if (!hunk.removed.isEmpty() || !hunk.added.isEmpty()) {
            hunks.add(hunk);
        }
    }
}
