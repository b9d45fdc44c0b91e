package io.quorate.lab;

import io.quorate.lab.CausalLog.Event;
import io.quorate.testkit.picture.Recording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A recorded run as a module of TLA+: docs/lab.md#export. */
final class TlaTrace {

    private static final String GONE = "[runs |-> FALSE]";
    private static final String UNKNOWN = "[runs |-> TRUE]";

    private final String text;
    private int at;

    private TlaTrace(String text) {
        this.text = text;
    }

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
        if (!state.matches("([\\w.]+=[^= ]*)( [\\w.]+=[^= ]*)*")) {
            return "[runs |-> TRUE, text |-> " + quoted(state) + "]";
        }
        return List.of(state.split(" ")).stream()
                .map(variable -> variable.split("=", 2))
                .map(sides -> name(sides[0]) + " |-> " + new TlaTrace(sides[1]).value())
                .collect(Collectors.joining(", ", "[runs |-> TRUE, ", "]"));
    }

    private String value() {
        int begin = at;
        char first = at < text.length() ? text.charAt(at) : ' ';
        if (first == '(' || first == '{') {
            return items(first == '(' ? ')' : '}');
        }
        while (at < text.length() && ",:(){}".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String atom = text.substring(begin, at);
        return atom.matches("-?\\d{1,9}")
                ? atom
                : atom.matches("true|false") ? atom.toUpperCase(Locale.ROOT) : quoted(atom);
    }

    /** A set, or a function if there are colons, or a sequence. */
    private String items(char end) {
        List<String> items = new ArrayList<>();
        boolean isFunction = false;
        at++;
        while (at < text.length() && text.charAt(at) != end) {
            String item = value();
            if (at < text.length() && text.charAt(at) == ':') {
                isFunction = true;
                at++;
                item += " :> " + value();
            }
            items.add(item);
            at += at < text.length() && text.charAt(at) == ',' ? 1 : 0;
        }
        at++;
        return end == ')'
                ? "<<" + String.join(", ", items) + ">>"
                : isFunction ? "(" + String.join(" @@ ", items) + ")" : "{" + String.join(", ", items) + "}";
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
