package io.quorate.compare;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    private static final int NAME_LENGTH = 8;

    /**
     * Builds it, which takes a minute.
     *
     * @param repository that has the commit
     * @param commit     as git understands it
     * @param directory  which must exist, and gets a directory of the commit
     * @throws IllegalArgumentException if there is no such commit, or it cannot be built
     */
    static OtherCode build(Path repository, String commit, Path directory) {
        Path files = fetched(repository, commit, directory);
        run(
                files,
                "mvn",
                "-q",
                "-B",
                "-ntp",
                "-DskipTests",
                "-Dspotless.check.skip",
                "package",
                "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath",
                "-Dmdep.outputFile=" + CLASS_PATH,
                // As this process has it: what tests need is no part of what is measured.
                "-DincludeScope=runtime",
                "-pl",
                MODULE,
                "-am");
        Path module = files.resolve(MODULE);
        try {
            return new OtherCode(
                    files.getFileName().toString(),
                    module.resolve("target/classes")
                            + File.pathSeparator
                            + Files.readString(module.resolve(CLASS_PATH)).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Brings the files of a commit there, whatever an earlier run has left; what that has built stays.
     *
     * @return the directory that has them
     */
    static Path fetched(Path repository, String commit, Path directory) {
        // A word that git would take for an option is none.
        String id = run(repository, "git", "rev-parse", "--verify", "--end-of-options", commit + "^{commit}");
        if (!id.matches("[0-9a-f]{40,}")) {
            throw new IllegalArgumentException("git takes it for " + id + ": must be one commit");
        }
        Path files = directory.resolve(id.substring(0, NAME_LENGTH));
        run(repository, "git", "init", "--quiet", files.toString());
        // A clone would lack a commit that is on no branch. The repository may be shallow.
        git(files, "fetch", "--quiet", "--depth=1", "--update-shallow", repository.toString(), id);
        git(files, "checkout", "--quiet", "--force", "--detach", id);
        git(files, "clean", "--quiet", "--force", "-d");
        return files;
    }

    /**
     * Says whose files are meant: git itself would look further up, where the user's own are. Version 2 of its protocol
     * gives any commit.
     */
    private static void git(Path files, String... arguments) {
        List<String> words = new ArrayList<>(List.of(
                "git", "-c", "protocol.version=2", "--git-dir=" + files.resolve(".git"), "--work-tree=" + files));
        words.addAll(List.of(arguments));
        run(files, words.toArray(String[]::new));
    }

    /** Answers what it says. */
    private static String run(Path directory, String... words) {
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(directory.toFile()).redirectError(Redirect.INHERIT);
        // A hook of git names the user's repository in them.
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        try {
            Process process = builder.start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalArgumentException(
                        "'" + String.join(" ", List.of(words)) + "' ended with " + code + ": " + said.strip());
            }
            return said.strip();
        } catch (IOException e) {
            throw new IllegalArgumentException("'" + words[0] + "' cannot be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
