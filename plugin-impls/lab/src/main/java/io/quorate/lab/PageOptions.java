package io.quorate.lab;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a command that writes a page, and how files are written. */
final class PageOptions {

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Where the page goes. Default a name that says what it shows.")
    private @Nullable Path html;

    boolean isChosen() {
        return html != null;
    }

    /** The file of the page, the usual one unless another one was chosen. */
    Path target(String usual) {
        return html == null ? Path.of(usual) : html;
    }

    /** Writes the page, and says where it is. */
    void write(PrintWriter out, String what, String usual, String page) throws LabFailed {
        write("--html", target(usual), page);
        out.println("\nThe " + what + ": " + target(usual));
    }

    /** Writes a file that the option of this name chooses. */
    static void write(String option, Path target, String text) throws LabFailed {
        try {
            // The name is known before, and another user of the directory may have put a link or a pipe there.
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)
                    && !Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException("must be a regular file, not a link to one, or not be there yet");
            }
            Files.writeString(
                    target,
                    text,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw new LabFailed(option + " '" + target + "': cannot be written: " + e);
        }
    }
}
