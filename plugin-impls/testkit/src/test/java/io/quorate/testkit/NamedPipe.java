package io.quorate.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;

/** A pipe in the file system, in the place of a file. Its opening waits for a writer, and no interrupt ends that. */
public final class NamedPipe {

    private NamedPipe() {}

    /** Makes one, or skips the test on a system that has none. */
    public static Path in(Path directory) throws InterruptedException {
        Path pipe = directory.resolve("pipe");
        try {
            int made = new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
            assumeTrue(made == 0, "this system has pipes in its file system");
        } catch (IOException e) {
            assumeTrue(false, "this system has no mkfifo");
        }
        return pipe;
    }
}
