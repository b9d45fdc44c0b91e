package io.quorate.demo;

import io.quorate.demo.RunHistory.Life;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Where the processes of a {@link Cluster} have their files. */
record NodeFiles(Path directory) {

    private static final String HISTORY = ".history";

    /** What a node keeps over all its lives. */
    Path data(Life life) {
        return directory.resolve(life.node());
    }

    Path log(Life life) {
        return directory.resolve(name(life) + ".log");
    }

    Path history(Life life) {
        return directory.resolve(name(life) + HISTORY);
    }

    /** That of the resource, which belongs to no node. */
    Path resourceHistory() {
        return directory.resolve("resource" + HISTORY);
    }

    /** All that there are so far; the resource's first, because a token is written down before it is used. */
    List<Path> histories() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(HISTORY))
                    .sorted(Comparator.comparing(file -> !file.equals(resourceHistory())))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Which client a history file belongs to. */
    static String client(Path history) {
        String name = history.getFileName().toString();
        return name.substring(0, name.length() - HISTORY.length());
    }

    /** As what a process is known in a history. */
    static String name(Life life) {
        return life.node() + "-" + life.number();
    }
}
