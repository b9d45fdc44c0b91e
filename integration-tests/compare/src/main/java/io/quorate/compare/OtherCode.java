package io.quorate.compare;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Quorate of another commit, with its own {@link CompareNode}.
 *
 * @param commit    its short name
 * @param classPath of its processes
 */
record OtherCode(String commit, String classPath) {

    private static final String MODULE = "integration-tests/compare";
    private static final String CLASS_PATH = "target/class-path.txt";

    /**
     * Builds it, which takes a minute.
     *
     * @param repository that has the commit
     * @param commit     as git understands it
     * @param directory  which must exist, and gets a clone below it
     * @throws IllegalArgumentException if there is no such commit, or it cannot be built
     */
    static OtherCode build(Path repository, String commit, Path directory) {
        // A word that git would take for an option is none.
        String name =
                run(repository, "git", "rev-parse", "--verify", "--short=8", "--end-of-options", commit + "^{commit}");
        Path clone = directory.resolve(name);
        if (Files.notExists(clone)) {
            run(repository, "git", "clone", "--quiet", "--no-checkout", ".", clone.toString());
        }
        run(clone, "git", "checkout", "--quiet", "--detach", name);
        run(
                clone,
                "mvn",
                "-q",
                "-B",
                "-ntp",
                "-DskipTests",
                "-Dspotless.check.skip",
                "package",
                "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath",
                "-Dmdep.outputFile=" + CLASS_PATH,
                "-pl",
                MODULE,
                "-am");
        Path module = clone.resolve(MODULE);
        try {
            return new OtherCode(
                    name,
                    module.resolve("target/classes")
                            + File.pathSeparator
                            + Files.readString(module.resolve(CLASS_PATH)).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers what it says. */
    private static String run(Path directory, String... words) {
        try {
            Process process = new ProcessBuilder(words)
                    .directory(directory.toFile())
                    .redirectError(Redirect.INHERIT)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalArgumentException(
                        "'" + String.join(" ", List.of(words)) + "' ended with " + code + ": " + said.strip());
            }
            return said.strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
