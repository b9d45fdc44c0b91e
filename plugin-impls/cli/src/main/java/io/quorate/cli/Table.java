package io.quorate.cli;

import java.util.ArrayList;
import java.util.List;

/** Columns of text. A row may end early: then its last cell may be as long as it likes. */
final class Table {

    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final int columns;

    Table(String... heads) {
        columns = heads.length;
        rows.add(List.of(heads));
    }

    void row(String... cells) {
        rows.add(List.of(cells));
    }

    String text() {
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                if (row.size() == columns || i < row.size() - 1) {
                    widths[i] = Math.max(widths[i], row.get(i).length());
                }
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                String cell = row.get(i);
                boolean isLast = i == row.size() - 1;
                line.append(cell).append(isLast ? "" : " ".repeat(widths[i] - cell.length()) + GAP);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
