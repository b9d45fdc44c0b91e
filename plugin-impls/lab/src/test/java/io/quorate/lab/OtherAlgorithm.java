package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** An algorithm that is not on the class path of the lab. */
final class OtherAlgorithm {

    private static final Path EXAMPLE = Path.of(
            "..",
            "..",
            "plugin-impls",
            "testkit",
            "src",
            "test",
            "java",
            "com",
            "example",
            "election",
            "RollCall.java");

    private OtherAlgorithm() {}

    /**
     * Compiles the example of the kit, under another name because the class path has it, with something else in one
     * place. Returns the directory of its classes.
     */
    static Path compiled(Path directory, String place, String other) throws IOException {
        String source = Files.readString(EXAMPLE);
        assertThat(source).contains(place);
        Path written = Files.createDirectories(directory.resolve("source")).resolve("Altered.java");
        Files.writeString(written, source.replace(place, other).replace("RollCall", "Altered"));
        Path classes = Files.createDirectories(directory.resolve("classes"));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-d",
                        classes.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        written.toString());
        assertThat(failed).isZero();
        Path services = Files.createDirectories(classes.resolve("META-INF").resolve("services"));
        Files.writeString(services.resolve("io.quorate.spi.ElectionAlgorithm"), "com.example.election.Altered\n");
        return classes;
    }
}
