package io.quorate.lab;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Mark;
import io.quorate.spi.Message;
import io.quorate.spi.Variant;
import io.quorate.testkit.picture.Naming;
import io.quorate.testkit.picture.Words;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Messages and states in the words of an algorithm's document, with the processes by their names. Algorithms that the
 * lab does not know keep their own words.
 */
final class LabWords implements Words {

    private static final String FILE = "lab-words.txt";
    private static final String STATE = "state";
    private static final int COLUMNS = 5;

    /** Components whose numbers are processes. */
    private static final Set<String> OF_PROCESSES =
            Set.of("closer", "id", "ids", "key", "leader", "process", "ring", "suspects", "trust", "visited");

    /** Those of them that have no order. */
    private static final Set<String> SETS = Set.of("suspects", "trust");

    /**
     * A line of the file.
     *
     * @param paths by the name that the document has
     */
    private record Entry(String algorithm, String way, String what, String name, Map<String, String> paths) {

        static Entry of(String line) {
            // The last column may be empty.
            String[] columns = (line + " ").split(" / ", COLUMNS);
            Map<String, String> paths = new LinkedHashMap<>();
            for (String field : columns[COLUMNS - 1].strip().split(" ")) {
                String[] sides = field.split("=", 2);
                paths.put(sides[0], sides[sides.length - 1]);
            }
            paths.remove("");
            return new Entry(columns[0], columns[1], columns[2], columns[3], paths);
        }
    }

    private final boolean isKnown;
    private final boolean isDocumented;
    private final Map<String, Entry> entries;
    private final List<String> processes;

    /** @param processes the names of the processes by number; empty if numbers stay numbers */
    LabWords(String algorithm, Variant variant, List<String> processes) {
        List<Entry> own = Resource.lines(FILE)
                .map(Entry::of)
                .filter(entry -> entry.algorithm.equals(algorithm))
                .toList();
        this.isKnown = !own.isEmpty();
        this.isDocumented = variant == Variant.FAITHFUL;
        String way = isDocumented ? "documented" : "hardened";
        this.entries = own.stream()
                .filter(entry -> entry.way.equals(way))
                .collect(Collectors.toMap(Entry::what, entry -> entry));
        this.processes = List.copyOf(processes);
    }

    /** The words of a check, whose processes are P0, P1 and so on. */
    static LabWords ofCheck(ElectionAlgorithm algorithm, LabWay way, int size) {
        return new LabWords(algorithm.name(), way.variant(), names(size));
    }

    static List<String> names(int size) {
        return IntStream.range(0, size).mapToObj(process -> "P" + process).toList();
    }

    @Override
    public Naming of(Object message) {
        Naming plain = Naming.of(message);
        if (!isKnown || !(message instanceof Record fields)) {
            return plain;
        }
        // Messages of the lease may have the same names.
        Entry entry = message instanceof Message ? entries.get(plain.name()) : null;
        return Naming.cut(entry == null ? plain.name() : entry.name, said(entry, fields));
    }

    @Override
    public String state(Object state) {
        return isKnown && state instanceof Record variables
                ? said(entries.get(STATE), variables)
                : Naming.written(state);
    }

    private String said(@Nullable Entry entry, Record record) {
        Map<String, String> paths = entry == null
                ? parts(record).keySet().stream()
                        .collect(Collectors.toMap(name -> name, name -> name, (a, b) -> a, LinkedHashMap::new))
                : entry.paths;
        return paths.entrySet().stream()
                .map(path -> path.getKey() + "=" + said(at(record, path.getValue()), last(path)))
                .collect(Collectors.joining(" "));
    }

    /** The component itself. The key of a REPORT is a process in F, and a round in H. */
    private static String last(Map.Entry<String, String> path) {
        boolean isRound = path.getKey().equals("round");
        return isRound ? "round" : path.getValue().substring(path.getValue().lastIndexOf('.') + 1);
    }

    /** Follows a path such as {@code held.version.epoch}; in a list, it does so in each item. */
    private static Object at(Object value, String path) {
        if (path.isEmpty()) {
            return value;
        }
        if (value instanceof Collection<?> items) {
            return items.stream().map(item -> at(item, path)).toList();
        }
        String[] names = path.split("\\.", 2);
        Object part = Objects.requireNonNull(parts((Record) value).get(names[0]), path);
        return at(part, names.length == 1 ? "" : names[1]);
    }

    /** The JVM makes new ones for each question, and a picture asks for each state. */
    private static final ClassValue<RecordComponent[]> COMPONENTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> record) {
            RecordComponent[] components = record.getRecordComponents();
            for (RecordComponent component : components) {
                component.getAccessor().setAccessible(true);
            }
            return components;
        }
    };

    /** The components of a record by their names, in their order. */
    private static Map<String, Object> parts(Record record) {
        Map<String, Object> parts = new LinkedHashMap<>();
        for (RecordComponent component : COMPONENTS.get(record.getClass())) {
            try {
                parts.put(component.getName(), component.getAccessor().invoke(record));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(component + ": cannot be read", e);
            }
        }
        return parts;
    }

    private String said(Object value, String component) {
        if (value instanceof Collection<?> items) {
            boolean isSet = SETS.contains(component);
            return items.stream()
                    .map(item -> said(item, component))
                    .collect(Collectors.joining(",", isSet ? "{" : "(", isSet ? "}" : ")"));
        }
        if (value instanceof Map<?, ?> pairs) {
            return pairs.entrySet().stream()
                    .map(pair -> process(pair.getKey()) + ":" + said(pair.getValue(), "value"))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        // A record that overrides toString keeps its text, such as a contender of the lease.
        if (value instanceof Record record
                && record.toString().startsWith(record.getClass().getSimpleName() + "[")) {
            // A mark without a process stands for none. In F it has no life of a process.
            boolean isMark = value instanceof Mark;
            return isMark && ((Mark) value).process() < 0
                    ? "-"
                    : parts(record).entrySet().stream()
                            .filter(part ->
                                    !(isMark && isDocumented && part.getKey().equals("incarnation")))
                            .map(part -> said(part.getValue(), part.getKey()))
                            .collect(Collectors.joining(",", "(", ")"));
        }
        return OF_PROCESSES.contains(component) ? process(value) : String.valueOf(value);
    }

    private String process(Object number) {
        if (!(number instanceof Integer || number instanceof Long)) {
            return String.valueOf(number);
        }
        long process = ((Number) number).longValue();
        return process == -1
                ? "-"
                : 0 <= process && process < processes.size() ? processes.get((int) process) : String.valueOf(number);
    }
}
