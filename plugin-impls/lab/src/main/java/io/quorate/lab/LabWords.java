package io.quorate.lab;

import io.quorate.lab.Shape.Items;
import io.quorate.lab.Shape.Pairs;
import io.quorate.lab.Shape.Parts;
import io.quorate.lab.Shape.Plain;
import io.quorate.spi.Variant;
import io.quorate.testkit.picture.Recording;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Messages and states in the words of an algorithm's document, with the processes by their names. Algorithms that the
 * lab does not know keep their own words.
 */
final class LabWords {

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

    /** The whole recording in these words. */
    Recording of(Recording recording) {
        return isKnown ? recording.reworded(this::message, this::step) : recording;
    }

    private Recording.Message message(Recording.Message message) {
        return new Recording.Message(
                message.from(),
                message.to(),
                message.sent(),
                message.ended(),
                message.fate(),
                name(message.name()),
                fields(message.name(), message.fields()),
                message.isRoutine());
    }

    private Recording.Step step(Recording.Step step) {
        int blank = step.event().indexOf(' ');
        boolean isOfMessage = step.kind() == Recording.Step.Kind.MESSAGE && blank > 0;
        String event = isOfMessage
                ? name(step.event().substring(0, blank)) + step.event().substring(blank)
                : step.event();
        return new Recording.Step(step.process(), step.at(), step.kind(), event, state(step.state()));
    }

    /** How the document calls the message that the code calls so. */
    String name(String message) {
        Entry entry = entries.get(message);
        return entry == null ? message : entry.name;
    }

    /** The fields of a message, which are written as those of a record are. */
    String fields(String message, String written) {
        return written.isEmpty() ? written : said(message, "Message[" + written + "]", written);
    }

    /** The variables of a process. */
    String state(String written) {
        return said(STATE, written, written);
    }

    private String said(String what, String record, String otherwise) {
        Optional<Shape> shape = isKnown ? Shape.of(record) : Optional.empty();
        if (shape.isEmpty() || !(shape.get() instanceof Parts parts)) {
            return otherwise;
        }
        Entry entry = entries.get(what);
        Map<String, String> paths = entry == null
                ? parts.byName().keySet().stream()
                        .collect(Collectors.toMap(name -> name, name -> name, (a, b) -> a, LinkedHashMap::new))
                : entry.paths;
        return paths.entrySet().stream()
                .flatMap(path ->
                        parts.at(path.getValue()).map(value -> path.getKey() + "=" + said(value, last(path))).stream())
                .collect(Collectors.joining(" "));
    }

    /** The component itself. The key of a REPORT is a process in F, and a round in H. */
    private static String last(Map.Entry<String, String> path) {
        boolean isRound = path.getKey().equals("round");
        return isRound ? "round" : path.getValue().substring(path.getValue().lastIndexOf('.') + 1);
    }

    private String said(Shape value, String component) {
        if (value instanceof Plain plain) {
            return OF_PROCESSES.contains(component) ? process(plain.text()) : plain.text();
        }
        if (value instanceof Items items) {
            boolean isSet = SETS.contains(component);
            return items.all().stream()
                    .map(item -> said(item, component))
                    .collect(Collectors.joining(",", isSet ? "{" : "(", isSet ? "}" : ")"));
        }
        if (value instanceof Pairs pairs) {
            return pairs.byKey().entrySet().stream()
                    .map(pair -> process(pair.getKey()) + ":" + said(pair.getValue(), "value"))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        // A mark without a process stands for none. In F it has no life of a process.
        Parts parts = (Parts) value;
        boolean isMark = parts.type().equals("Mark");
        if (isMark && new Plain("-1").equals(parts.byName().get("process"))) {
            return "-";
        }
        return parts.byName().entrySet().stream()
                .filter(part -> !(isMark && isDocumented && part.getKey().equals("incarnation")))
                .map(part -> said(part.getValue(), part.getKey()))
                .collect(Collectors.joining(",", "(", ")"));
    }

    private String process(String number) {
        if (number.equals("-1")) {
            return "-";
        }
        boolean isNumber = number.matches("\\d{1,4}");
        return isNumber && Integer.parseInt(number) < processes.size()
                ? processes.get(Integer.parseInt(number))
                : number;
    }
}
