package io.quorate.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The times in which a process answered without a break that it leads. */
record Spells(List<Spell> all) {

    /** The first yes was given at the latest at one of these moments, the last one not before the other. */
    record Spell(long from, long to) {}

    /** From what {@link #toString} wrote. */
    static Spells parse(String text) {
        long[] moments = text.isBlank()
                ? new long[0]
                : Arrays.stream(text.strip().split(" "))
                        .mapToLong(Long::parseLong)
                        .toArray();
        List<Spell> spells = new ArrayList<>();
        for (int i = 0; i < moments.length; i += 2) {
            spells.add(new Spell(moments[i], moments[i + 1]));
        }
        return new Spells(spells);
    }

    /** For how many nanoseconds both led, as far as their answers prove it. */
    long overlap(Spells other) {
        long overlap = 0;
        for (Spell mine : all) {
            for (Spell theirs : other.all) {
                overlap += Math.max(0, Math.min(mine.to, theirs.to) - Math.max(mine.from, theirs.from));
            }
        }
        return overlap;
    }

    @Override
    public String toString() {
        return all.stream().map(spell -> spell.from + " " + spell.to).collect(Collectors.joining(" "));
    }
}
