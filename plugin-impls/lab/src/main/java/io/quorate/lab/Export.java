package io.quorate.lab;

import io.quorate.lab.CausalLog.Event;
import io.quorate.lab.CausalLog.Kind;
import io.quorate.testkit.picture.Focus;
import io.quorate.testkit.picture.Picture;
import io.quorate.testkit.picture.Picture.Way;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.picture.Transcript;
import io.quorate.testkit.simulation.Nearest;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A recorded run in the form of another tool: docs/lab.md#export. */
record Export(Format format, Path file) {

    /** The expression that ShiViz uses if it has no other. */
    static final String SHIVIZ_PARSER = "(?<event>.*)\\n(?<host>\\S*) (?<clock>{.*})";

    private static final Pattern COLOUR = Pattern.compile("(--\\w+): (#\\w+);");
    private static final Pattern VARIABLE = Pattern.compile("var\\((--\\w+)\\)(?=[^<]*</style>)");

    /** The forms, with the ending of their files. */
    enum Format {
        SHIVIZ("shiviz"),
        PLANTUML("puml"),
        MERMAID("mmd"),
        JSONL("jsonl"),
        TLA("tla"),
        SVG("svg");

        private final String ending;

        Format(String ending) {
            this.ending = ending;
        }

        String written() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Reads the value of the option.
     *
     * @param wanted FORMAT=FILE, or a file whose ending says the format
     */
    static Export of(String wanted) {
        String[] parts = wanted.split("=", 2);
        boolean isNamed = parts.length == 2 && parts[0].matches("[A-Za-z]+");
        String file = isNamed ? parts[1] : wanted;
        String said = isNamed ? parts[0] : wanted.substring(wanted.lastIndexOf('.') + 1);
        Format format = Arrays.stream(Format.values())
                .filter(one -> said.equalsIgnoreCase(isNamed ? one.written() : one.ending))
                .findFirst()
                .orElseThrow(() -> wrong(wanted, said));
        Path path = Path.of(file);
        if (file.isEmpty() || path.getFileName() == null) {
            throw new IllegalArgumentException("--export '" + wanted + "': must name a file");
        }
        if (format == Format.TLA && !path.getFileName().toString().matches("[A-Za-z]\\w*\\.tla")) {
            throw new IllegalArgumentException("--export '" + wanted
                    + "': must be a file such as Run.tla, with letters, digits and _, because its module has its name");
        }
        return new Export(format, path);
    }

    private static IllegalArgumentException wrong(String wanted, String said) {
        List<String> names = Arrays.stream(Format.values()).map(Format::written).toList();
        String endings =
                Arrays.stream(Format.values()).map(one -> "." + one.ending).collect(Collectors.joining(", "));
        return new IllegalArgumentException("--export '" + wanted + "': must be FORMAT=FILE, with one of "
                + String.join(", ", names) + ", or a file that ends with one of " + endings
                + Nearest.question(said, names));
    }

    /** The content of the file. */
    String text(Way way, Focus focus) {
        Recording recording = way.recording();
        List<Event> events = CausalLog.of(recording, focus);
        return switch (format) {
            case SHIVIZ -> shiviz(events);
            case PLANTUML -> sequence(false, recording, events);
            case MERMAID -> sequence(true, recording, events);
            case JSONL -> jsonLines(way.name(), recording, events);
            case TLA -> TlaTrace.of(String.valueOf(file.getFileName()).replaceFirst("\\.tla$", ""), recording, events);
            case SVG -> plain(Picture.svg(List.of(way), focus, HEIGHT_MAX));
        };
    }

    /** A longer picture is pressed together, as on the page. */
    private static final int HEIGHT_MAX = 60_000;

    /** Programs for slides know neither variables nor dark screens, and would draw neither lines nor arrows. */
    private static String plain(String svg) {
        Map<String, String> light = new LinkedHashMap<>(Map.of("--mine", "currentColor"));
        COLOUR.matcher(svg).results().forEach(colour -> light.putIfAbsent(colour.group(1), colour.group(2)));
        String used = svg.replaceFirst("(?s):root.*?} }\n", "").replace("{ --mine:", "{ color:");
        return VARIABLE.matcher(used).replaceAll(variable -> light.get(variable.group(1)));
    }

    // ---------------------------------------------------------------- lines

    private static String shiviz(List<Event> events) {
        return events.stream()
                .filter(event -> !event.process().isEmpty())
                .map(event -> Transcript.millis(event.at()) + " " + Lab.shown(event.words()) + "\n" + event.process()
                        + " " + clock(event) + "\n")
                .collect(Collectors.joining("", SHIVIZ_PARSER + "\n\n", ""));
    }

    private static String clock(Event event) {
        return event.clock().entrySet().stream()
                .map(one -> StateGraph.quoted(one.getKey()) + ":" + one.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String jsonLines(String way, Recording recording, List<Event> events) {
        String first = "{\"title\":" + StateGraph.quoted(recording.title()) + ",\"way\":" + StateGraph.quoted(way)
                + ",\"processes\":"
                + recording.processes().stream().map(StateGraph::quoted).collect(StateGraph.ARRAY) + ",\"end\":"
                + Transcript.millis(recording.end()) + "}\n";
        return events.stream().map(event -> json(recording, event)).collect(Collectors.joining("", first, ""));
    }

    private static String json(Recording recording, Event event) {
        StringBuilder line = new StringBuilder("{\"at\":" + Transcript.millis(event.at()));
        UnaryOperator<String> quoted = StateGraph::quoted;
        line.append(event.process().isEmpty() ? "" : ",\"process\":" + quoted.apply(event.process()))
                .append(",\"kind\":" + quoted.apply(event.kind().written()))
                .append(",\"words\":" + quoted.apply(event.words()));
        if (event.message() >= 0) {
            Message message = recording.messages().get(event.message());
            line.append(",\"message\":" + event.message())
                    .append(",\"from\":" + quoted.apply(message.from()) + ",\"to\":" + quoted.apply(message.to()))
                    .append(",\"name\":" + quoted.apply(message.name()))
                    .append(",\"fields\":" + quoted.apply(message.fields()))
                    .append(",\"fate\":" + quoted.apply(fate(message)));
        }
        event.state().ifPresent(state -> line.append(",\"state\":" + quoted.apply(state)));
        return line.append(event.process().isEmpty() ? "" : ",\"clock\":" + clock(event))
                .append("}\n")
                .toString();
    }

    private static String fate(Message message) {
        return message.fate().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    // ---------------------------------------------------------------- sequence diagrams

    /** An arrow stands where its message arrives, and says both times, because these languages draw it level. */
    private static String sequence(boolean isMermaid, Recording recording, List<Event> events) {
        List<String> processes = recording.processes();
        StringBuilder text = new StringBuilder(isMermaid ? "sequenceDiagram\n" : "@startuml\n");
        Line line = (form, parts) -> text.append(String.format(Locale.ROOT, form + "\n", parts));
        UnaryOperator<String> escaped = words -> referenced(words, isMermaid ? "#" : "&#");
        UnaryOperator<String> id = process -> "p" + processes.indexOf(process);
        line.add("title %s", escaped.apply(recording.title()));
        String participant = isMermaid ? "participant %s as %s" : "participant \"%2$s\" as %1$s";
        processes.forEach(process -> line.add(participant, id.apply(process), escaped.apply(process)));
        for (Event event : events) {
            String at = Transcript.millis(event.at());
            String words = escaped.apply(at + " " + event.words());
            if (event.message() >= 0) {
                Message message = recording.messages().get(event.message());
                boolean hasArrived = message.fate() == Fate.ARRIVED;
                String times = hasArrived ? Transcript.millis(message.sent()) + " to " + at : at + " " + fate(message);
                String arrow = isMermaid ? hasArrived ? "->>" : "-x" : hasArrived ? "->" : "->x";
                if (hasArrived == (event.kind() != Kind.SEND)) {
                    String shown = escaped.apply(message.text() + " (" + times + ")");
                    line.add("%s %s %s : %s", id.apply(message.from()), arrow, id.apply(message.to()), shown);
                }
            } else if (event.process().isEmpty()) {
                line.add(isMermaid ? "Note over p0,p%s: %s" : "== %2$s ==", processes.size() - 1, words);
            } else {
                line.add("note over %s : %s", id.apply(event.process()), words);
            }
        }
        return text.append(isMermaid ? "" : "@enduml\n").toString();
    }

    private interface Line {
        void add(String form, Object... parts);
    }

    /** Keeps letters, digits and signs without a meaning in either language; others become references. */
    private static String referenced(String text, String begin) {
        return text.codePoints()
                .map(c -> Character.isISOControl(c) ? '\uFFFD' : c)
                .mapToObj(c -> c < 128 && Character.toString(c).matches("[A-Za-z0-9 .,()]")
                        ? Character.toString(c)
                        : begin + c + ";")
                .collect(Collectors.joining());
    }
}
