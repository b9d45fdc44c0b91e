package io.quorate.oracles;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A message in the words of a source.
 *
 * @param type   its name there
 * @param fields numbers ({@code Long}), processes ({@code List<Integer>}) or priorities ({@code SortedMap})
 */
record Letter(String type, List<Object> fields) {

    static Letter of(String type, Object... fields) {
        return new Letter(type, List.of(fields));
    }

    boolean is(String asked) {
        return type.equals(asked);
    }

    long number(int field) {
        return (Long) fields.get(field);
    }

    List<Integer> processes(int field) {
        return ((List<?>) fields.get(field)).stream().map(Integer.class::cast).toList();
    }

    SortedMap<Integer, Long> priorities(int field) {
        SortedMap<Integer, Long> priorities = new TreeMap<>();
        ((SortedMap<?, ?>) fields.get(field))
                .forEach((process, priority) -> priorities.put((Integer) process, (Long) priority));
        return priorities;
    }

    @Override
    public String toString() {
        return type + fields;
    }
}
