package io.quorate.nemesis;

import io.quorate.spi.Check;
import io.quorate.testkit.Mutants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** The library with one line changed, for nodes to run with. */
final class MutatedClasses {

    private static final Path SOURCES = Path.of("..", "..", "plugin-api", "api", "src", "main", "java");

    private MutatedClasses() {
    }

    /**
     * Changes and compiles one file.
     *
     * @param directory gets the source and the classes
     * @param original  text that stands in the file exactly once
     */
    static void write(Path directory, String file, String original, String mutated) {
        try {
            String source = Files.readString(SOURCES.resolve(file));
            Path changed = directory.resolve(Path.of(file).getFileName());
            Files.writeString(changed, Mutants.changed(source, original, mutated));
            int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-d",
                    directory.toString(), "-cp", System.getProperty("java.class.path"), changed.toString());
            Check.argument(code == 0, "%s: does not compile with '%s'", file, mutated);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
