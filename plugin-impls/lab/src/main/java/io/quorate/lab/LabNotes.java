package io.quorate.lab;

import io.quorate.spi.Variant;
import io.quorate.testkit.picture.Recording.Message;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The words of the algorithms' documents about the sending of a message. */
final class LabNotes {

    private static final String FILE = "lab-notes.txt";
    private static final int PARTS = 4;

    /**
     * One line of the file.
     *
     * @param words as they stand in the document, with its marks
     */
    record Note(String algorithm, String way, String message, String words) {

        /** Without the marks of the document. */
        String text() {
            return words.replace("**", "").replace(" | ", ": ").replaceAll("(– )+", "");
        }
    }

    private LabNotes() {}

    static List<Note> all() {
        return Resource.lines(FILE)
                .map(line -> line.split(" / ", PARTS))
                .map(parts -> new Note(parts[0], parts[1], parts[2], parts[3]))
                .toList();
    }

    /** The text of the algorithm's document on a message of this variant; empty if it has none. */
    static Function<Message, String> of(String algorithm, Variant variant) {
        String way = variant == Variant.FAITHFUL ? "documented" : variant.name().toLowerCase(Locale.ROOT);
        List<Note> own = all().stream()
                .filter(note -> note.algorithm().equals(algorithm) && note.way().equals(way))
                .toList();
        // A message that only says that its sender lives may have the name of an algorithm's message.
        return message -> own.stream()
                .filter(note -> !message.isRoutine() && note.message().equals(message.name()))
                .map(Note::text)
                .collect(Collectors.joining("\n"));
    }
}
