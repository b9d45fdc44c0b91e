package io.quorate.migration;

import io.quorate.cli.Quorate;
import io.quorate.process.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command {@code quorate migrate} in a process of its own, and what it made of a directory.
 *
 * @param exitCode of the process
 * @param out      what it wrote, with the names of files relative to the directory
 * @param files    the texts of all files then, by their names
 */
public record Recipe(int exitCode, String out, Map<String, String> files) {

    private static final Pattern PLACE = Pattern.compile("(\\w+\\.java):(\\d+): (.*)");

    /** A line that is left to somebody. */
    public record Place(String file, int line, String what) {}

    /** Writes these files into an empty directory, and carries them over. */
    public static Recipe of(Path directory, Map<String, String> files) {
        files.forEach((name, text) -> {
            try {
                Files.writeString(directory.resolve(name), text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return run(directory);
    }

    /** Carries what is in a directory over. */
    static Recipe run(Path directory, String... options) {
        try {
            List<String> arguments = new ArrayList<>(List.of("migrate", directory.toString()));
            arguments.addAll(List.of(options));
            Path log = Files.createTempFile("migrate", ".txt");
            ChildJvm migrate = ChildJvm.start("migrate", ChildJvm.Command.of(Quorate.class, arguments, List.of()), log);
            int exitCode = migrate.awaitExit();
            String said = migrate.output().stream()
                    .map(line -> line.replace(directory + File.separator, "") + "\n")
                    .collect(Collectors.joining());
            Files.delete(log);
            return new Recipe(exitCode, said, read(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The texts of the files in a directory, by their names. */
    static Map<String, String> read(Path directory) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.list(directory)) {
            for (Path file : all.toList()) {
                files.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return files;
    }

    /** All places, in the order of files and lines. */
    public List<Place> places() {
        return out.lines()
                .map(PLACE::matcher)
                .filter(matcher -> matcher.matches())
                .map(matcher -> new Place(matcher.group(1), Integer.parseInt(matcher.group(2)), matcher.group(3)))
                .toList();
    }
}
