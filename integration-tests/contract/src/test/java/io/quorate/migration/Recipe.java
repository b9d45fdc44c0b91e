package io.quorate.migration;

import io.quorate.cli.Quorate;
import io.quorate.cli.migrate.Migration;
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
 * The outcome of {@code quorate migrate} in a directory.
 *
 * @param exitCode of the command
 * @param out      what it wrote, with the names of files relative to the directory
 * @param files    the texts of all files then, by their names
 */
public record Recipe(int exitCode, String out, Map<String, String> files) {

    private static final Pattern PLACE = Pattern.compile("(\\w+\\.java):(\\d+): (.*)");

    /** A line that is left to somebody. */
    public record Place(String file, int line, String what) {}

    /** Writes these files into an empty directory, and carries them over. */
    public static Recipe of(Path directory, Map<String, String> files) {
        write(directory, files);
        return run(directory);
    }

    /** Writes these files into a directory. */
    static void write(Path directory, Map<String, String> files) {
        files.forEach((name, text) -> {
            try {
                Files.writeString(directory.resolve(name), text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Carries what is in a directory over, in this JVM. */
    static Recipe run(Path directory) {
        return run(directory, false);
    }

    /** As {@link #run(Path)}; writes nothing if it is dry. */
    static Recipe run(Path directory, boolean isDry) {
        try {
            List<String> said = new ArrayList<>();
            boolean isAll = new Migration(directory, isDry, said::add).run();
            return new Recipe(isAll ? 0 : 1, relative(said, directory), read(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Carries what is in a directory over, by the command in a process of its own. */
    static Recipe ofProcess(Path directory) {
        try {
            List<String> arguments = List.of("migrate", directory.toString());
            Path log = Files.createTempFile("migrate", ".txt");
            ChildJvm migrate =
                    ChildJvm.start("migrate", ChildJvm.Command.of(Quorate.class, arguments, ChildJvm.SMALL), log);
            int exitCode = migrate.awaitExit();
            String said = relative(migrate.output(), directory);
            Files.delete(log);
            return new Recipe(exitCode, said, read(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String relative(List<String> lines, Path directory) {
        return lines.stream()
                .map(line -> line.replace(directory + File.separator, "") + "\n")
                .collect(Collectors.joining());
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
