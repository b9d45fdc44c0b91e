package io.quorate.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The events that one process has seen, one line each, only ever added to. Every life of a process has a file of its
 * own: a line that was torn when it was killed is then the last one, and not in the middle. Safe for any thread.
 */
public final class HistoryFile implements AutoCloseable {

    private final FileChannel file;

    private HistoryFile(FileChannel file) {
        this.file = file;
    }

    /**
     * A new file.
     *
     * @throws UncheckedIOException if it exists, or cannot be created
     */
    public static HistoryFile create(Path path) {
        try {
            return new HistoryFile(FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds events at the end; they are there when this returns, even if the process is killed then. */
    public synchronized void add(HistoryEvent... events) {
        StringBuilder lines = new StringBuilder();
        for (HistoryEvent event : events) {
            lines.append(event).append('\n');
        }
        ByteBuffer bytes = ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8));
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The events of several files. They may be in any order: {@link HistoryCheck} goes by their times.
     *
     * @throws IllegalArgumentException if a line that ends is no event; says which
     * @throws UncheckedIOException     if a file cannot be read
     */
    public static List<HistoryEvent> merge(Collection<Path> files) {
        List<HistoryEvent> events = new ArrayList<>();
        for (Path path : files) {
            try {
                read(path.getFileName().toString(), Files.readString(path), events);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return events;
    }

    private static void read(String name, String text, List<HistoryEvent> events) {
        int number = 0;
        int begin = 0;
        // A last line without an end was torn, and even what looks whole may lack digits.
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
            number++;
            try {
                events.add(HistoryEvent.parse(text.substring(begin, end)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(name + " line " + number + ": " + e.getMessage(), e);
            }
            begin = end + 1;
        }
    }
}
