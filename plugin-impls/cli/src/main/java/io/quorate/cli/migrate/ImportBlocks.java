package io.quorate.cli.migrate;

import io.quorate.cli.migrate.Header.Import;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Replaces imports. A block of lines that was in the order of the alphabet stays so, as formatters want it. */
final class ImportBlocks {

    private static final Comparator<Import> BY_NAME = Comparator.comparing(Import::name);

    private final String text;
    private final Function<Import, List<String>> names;
    private final Set<String> written = new HashSet<>();

    private ImportBlocks(String text, Function<Import, List<String>> names) {
        this.text = text;
        this.names = names;
    }

    /**
     * The edits that replace each import.
     *
     * @param names what is imported in place of each; itself if it stays
     */
    static List<Edit> edits(String text, List<Import> imports, Function<Import, List<String>> names) {
        ImportBlocks blocks = new ImportBlocks(text, names);
        imports.stream().filter(blocks::isKept).forEach(each -> blocks.written.add(each.statement(each.name())));
        List<Edit> edits = new ArrayList<>();
        for (int from = 0; from < imports.size(); ) {
            int to = blocks.endOfBlock(imports, from);
            List<Import> block = imports.subList(from, to);
            if (!block.stream().allMatch(blocks::isKept)) {
                edits.add(blocks.edit(block, blocks.separator(imports, from)));
            }
            from = to;
        }
        return edits;
    }

    private boolean isKept(Import each) {
        return names.apply(each).equals(List.of(each.name()));
    }

    /** What stands between this import and the next one. */
    private String separator(List<Import> imports, int index) {
        return index + 1 < imports.size()
                ? text.substring(
                        imports.get(index).end(), imports.get(index + 1).start())
                : "";
    }

    private int endOfBlock(List<Import> imports, int from) {
        String separator = separator(imports, from);
        boolean isLines = separator.equals("\n") || separator.equals("\r\n") || separator.equals("\r");
        int to = from + 1;
        while (isLines && to < imports.size() && separator(imports, to - 1).equals(separator)) {
            to++;
        }
        return to;
    }

    /** Whether something stands behind it in its line, such as a comment that says something of this import. */
    private boolean hasTextBehind(Import last) {
        return !text.substring(last.end()).lines().findFirst().orElse("").isBlank();
    }

    private Edit edit(List<Import> block, String separator) {
        record Line(String name, String statement) {}
        List<Line> lines = new ArrayList<>();
        for (Import each : block) {
            if (isKept(each)) {
                lines.add(new Line(each.name(), text.substring(each.start(), each.end())));
                continue;
            }
            for (String name : names.apply(each)) {
                boolean isNew = name.equals(each.name()) || written.add(each.statement(name));
                if (isNew) {
                    lines.add(new Line(name, each.statement(name)));
                }
            }
        }
        boolean isOfOneKind = block.stream().map(Import::isStatic).distinct().count() == 1;
        if (isOfOneKind
                && !hasTextBehind(block.get(block.size() - 1))
                && block.stream().sorted(BY_NAME).toList().equals(block)) {
            lines.sort(Comparator.comparing(Line::name));
        }
        // A block of one line does not say how lines end here.
        String between = block.size() > 1 ? separator : text.contains("\r\n") ? "\r\n" : "\n";
        return new Edit(
                block.get(0).start(),
                block.get(block.size() - 1).end(),
                String.join(between, lines.stream().map(Line::statement).toList()));
    }
}
