package io.quorate.lab;

import io.quorate.lab.CausalLog.Event;
import io.quorate.testkit.picture.Recording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A recorded run as a module of TLA+: docs/lab.md#export. */
final class TlaTrace {

    private static final String GONE = "[runs |-> FALSE]";
    private static final String UNKNOWN = "[runs |-> TRUE]";

    private static final Pattern ATOM = Pattern.compile("[^,:(){}]+");
    private static final Pattern FUNCTION = Pattern.compile("\\{([^{}]*:[^{}]*)}");

    private TlaTrace() {}

    /** The module, with one line for each event and the states of all processes in it. */
    static String of(String module, Recording recording, List<Event> events) {
        Map<String, String> states = new LinkedHashMap<>();
        recording.processes().forEach(process -> states.put(process, GONE));
        List<String> lines = new ArrayList<>();
        for (Event event : events) {
            if (event.words().equals("starts")) {
                states.put(event.process(), UNKNOWN);
            } else if (event.words().equals("is gone")) {
                states.put(event.process(), GONE);
            }
            event.state().ifPresent(state -> states.put(event.process(), record(state)));
            lines.add("[at |-> " + event.at() + ", process |-> " + quoted(event.process()) + ", event |-> "
                    + quoted(event.words()) + ",\n state |-> "
                    + states.entrySet().stream()
                            .map(one -> name(one.getKey()) + " |-> " + one.getValue())
                            .collect(Collectors.joining(", ", "[", "]"))
                    + "]");
        }
        return "---- MODULE " + module + " ----\nEXTENDS Integers, Sequences, TLC\n\\* " + ascii(recording.title())
                + "\nTrace == <<\n" + String.join(",\n", lines) + "\n>>\n====\n";
    }

    /** The variables of a state such as {@code leader=n4 S={n5}}; a state of others is one text. */
    static String record(String state) {
        if (!state.matches("([\\w.]+=[^= ]+)( [\\w.]+=[^= ]+)*")) {
            return "[runs |-> TRUE, text |-> " + quoted(state) + "]";
        }
        return List.of(state.split(" ")).stream()
                .map(variable -> variable.split("=", 2))
                .map(sides -> name(sides[0]) + " |-> " + value(sides[1]))
                .collect(Collectors.joining(", ", "[runs |-> TRUE, ", "]"));
    }

    /** A sequence, a set, a function if there are colons, or an atom, whose parts may be such values too. */
    private static String value(String written) {
        String quoted = ATOM.matcher(written)
                .replaceAll(atom -> Matcher.quoteReplacement(atom(atom.group())))
                .replace(",", ", ")
                .replace("(", "<<")
                .replace(")", ">>");
        return FUNCTION.matcher(quoted)
                .replaceAll(function -> Matcher.quoteReplacement("("
                        + function.group(1)
                                .replaceAll(", (?=[^,<>{}]*:)", " @@ ")
                                .replace(":", " :> ") + ")"));
    }

    private static String atom(String atom) {
        return atom.matches("-?\\d{1,9}")
                ? atom
                : atom.matches("true|false") ? atom.toUpperCase(Locale.ROOT) : quoted(atom);
    }

    private static String name(String name) {
        return name.replaceAll("\\W", "_").replaceFirst("^(?=[0-9])", "_");
    }

    private static String quoted(String value) {
        return '"' + ascii(value).replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static String ascii(String value) {
        return value.replaceAll("[^ -~]", "?");
    }
}
