package io.quorate.demo;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Deletes a directory when this JVM is killed, which can then no longer do so itself. */
final class DirectoryGuard implements AutoCloseable {

    /** Twice, because a node that is just being started may still make files. Ctrl-C must not end it. */
    private static final String SCRIPT = "trap '' INT TERM HUP; read -r word; test \"$word\" = keep"
            + " || { rm -rf \"$0\"; sleep 3; rm -rf \"$0\"; }";

    private final Process shell;

    DirectoryGuard(Path directory) {
        try {
            shell = new ProcessBuilder("sh", "-c", SCRIPT, directory.toString())
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on the directory stays. */
    @Override
    public void close() {
        try (OutputStream input = shell.getOutputStream()) {
            input.write("keep\n".getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // Justification: somebody ended the shell, which is all that was wanted.
        }
    }
}
