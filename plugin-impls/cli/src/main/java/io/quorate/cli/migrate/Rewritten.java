package io.quorate.cli.migrate;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What becomes of a file.
 *
 * @param before      as it was
 * @param after       as it is to be; the same if nothing is to be changed
 * @param places      what is left to somebody, by their lines before
 * @param firstImport its line, from 1; 0 if there is none
 * @param lastImport  the line of the last one
 */
record Rewritten(String before, String after, List<Place> places, int firstImport, int lastImport) {

    boolean isChanged() {
        return !before.equals(after);
    }

    /** How many lines are more than before: all of them imports. */
    private int shift() {
        return (int) (after.lines().count() - before.lines().count());
    }

    /** The same places by their lines in the changed file. */
    List<Place> placesAfter() {
        return places.stream()
                .map(place -> new Place(lineAfter(place.line()), place.what(), place.advice()))
                .toList();
    }

    private int lineAfter(int line) {
        if (line < firstImport) {
            return line;
        }
        if (line > lastImport) {
            return line + shift();
        }
        // An import that stays may stand elsewhere among them, and is the same.
        int found = after.lines()
                .toList()
                .subList(firstImport - 1, lastImport + shift())
                .indexOf(before.lines().skip(line - 1L).findFirst().orElse(""));
        return found < 0 ? line : firstImport + found;
    }

    /** The lines that go, with a minus, and those that come, with a plus. Only imports change their number. */
    List<String> changes() {
        List<String> old = before.lines().toList();
        List<String> fresh = after.lines().toList();
        int from = Math.max(0, firstImport - 1);
        List<String> changes = new ArrayList<>();
        pairs(old.subList(0, from), fresh.subList(0, from), changes);
        Set<String> gone = new LinkedHashSet<>(old.subList(from, lastImport));
        Set<String> come = new LinkedHashSet<>(fresh.subList(from, lastImport + shift()));
        gone.stream().filter(line -> !come.contains(line)).forEach(line -> changes.add("-" + line));
        come.stream().filter(line -> !gone.contains(line)).forEach(line -> changes.add("+" + line));
        pairs(old.subList(lastImport, old.size()), fresh.subList(lastImport + shift(), fresh.size()), changes);
        return changes;
    }

    private static void pairs(List<String> old, List<String> fresh, List<String> changes) {
        for (int i = 0; i < old.size(); i++) {
            if (!old.get(i).equals(fresh.get(i))) {
                changes.add("-" + old.get(i));
                changes.add("+" + fresh.get(i));
            }
        }
    }
}
