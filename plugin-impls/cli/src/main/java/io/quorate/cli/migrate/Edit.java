package io.quorate.cli.migrate;

import java.util.Comparator;
import java.util.List;

/** What stands between two places of a text is replaced. */
record Edit(int start, int end, String replacement) {

    /** Makes all of them, none of which overlap. */
    static String apply(String text, List<Edit> edits) {
        StringBuilder edited = new StringBuilder(text);
        edits.stream()
                .sorted(Comparator.comparingInt(Edit::start).reversed())
                .forEach(edit -> edited.replace(edit.start, edit.end, edit.replacement));
        return edited.toString();
    }
}
