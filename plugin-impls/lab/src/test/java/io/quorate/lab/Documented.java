package io.quorate.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the golden traces of the documents say, read without the code that draws them. */
final class Documented {

    private static final Path TRACES = Path.of("..", "algorithms", "src", "test", "resources", "traces");
    private static final Pattern RECEPTION = Pattern.compile("(\\d+) +(P\\d+) ([A-Z]+)\\S* from (\\d+) .*");

    /**
     * A line such as {@code 25 P2 ELECTION from 1}.
     *
     * @param name of the message, as the document writes it
     */
    record Reception(String at, String to, String name, String from) {}

    private Documented() {}

    static List<Reception> receptions(LabTrace trace) {
        List<Reception> found = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(TRACES.resolve(trace.name() + ".txt"))) {
                Matcher matcher = RECEPTION.matcher(line);
                if (matcher.matches()) {
                    found.add(new Reception(
                            matcher.group(1), matcher.group(2), matcher.group(3), "P" + matcher.group(4)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /**
     * Whether some arrow of the text ends there then. A document may write more of a name.
     */
    static boolean isIn(String text, Reception reception) {
        String name = reception.name.substring(0, Math.min(3, reception.name.length()));
        return Pattern.compile("  " + reception.from + " -> " + reception.to + " +" + name + "[A-Z]*[^\n]*, arrives "
                        + reception.at + "\\.000\n")
                .matcher(text)
                .find();
    }
}
