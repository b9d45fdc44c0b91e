package io.quorate.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.history.HistoryEvent.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFileTest {

    private static final HistoryEvent ONE = new HistoryEvent(Kind.ACQUIRED, "n1-1", "/a", 1, 10, 20);
    private static final HistoryEvent TWO = new HistoryEvent(Kind.RELEASED, "n1-1", "/a", 1, 30, 40);
    private static final HistoryEvent THREE = new HistoryEvent(Kind.ACQUIRED, "n2-1", "/a", 2, 50, 60);

    @TempDir
    private Path directory;

    private Path write(String name, HistoryEvent... events) {
        Path path = directory.resolve(name);
        try (HistoryFile file = HistoryFile.create(path)) {
            file.add(events);
        }
        return path;
    }

    @Test
    void filesAreMerged() {
        Path first = write("first", ONE, TWO);
        Path second = write("second", THREE);
        assertThat(HistoryFile.merge(List.of(second, first))).containsExactlyInAnyOrder(ONE, TWO, THREE);
        assertThat(HistoryFile.merge(List.of(write("empty")))).isEmpty();
    }

    @Test
    void addedEventsAreReadableBeforeTheFileIsClosed() {
        Path path = directory.resolve("open");
        try (HistoryFile file = HistoryFile.create(path)) {
            file.add(ONE);
            assertThat(HistoryFile.merge(List.of(path))).containsExactly(ONE);
            file.add(TWO);
            assertThat(HistoryFile.merge(List.of(path))).containsExactly(ONE, TWO);
        }
    }

    // "... 50 6" reads as an event, and is none.
    @Test
    void aTornLastLineIsLeftOutWhereverItIsTorn() throws IOException {
        Path path = write("torn", ONE, THREE);
        String text = Files.readString(path);
        for (int length = ONE.toString().length() + 1; length < text.length(); length++) {
            Files.writeString(path, text.substring(0, length));
            assertThat(HistoryFile.merge(List.of(path)))
                    .as("%d characters", length)
                    .containsExactly(ONE);
        }
    }

    @Test
    void aTornLineInTheMiddleIsRefused() throws IOException {
        Path path = write("torn", ONE, THREE);
        Files.writeString(path, Files.readString(path).replaceFirst(" 10 20", " 1"));
        assertThatThrownBy(() -> HistoryFile.merge(List.of(path)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("torn line 1: event 'acquired n1-1 /a 1 1'");
    }

    // A second life in the same file could follow a torn line.
    @Test
    void aFileIsNotWrittenTwice() {
        Path path = write("once", ONE);
        assertThatThrownBy(() -> HistoryFile.create(path)).isInstanceOf(UncheckedIOException.class);
    }
}
