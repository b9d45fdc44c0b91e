package io.quorate.lab;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a subcommand that writes a page. */
final class PageOptions {

    @Option(names = "--html", paramLabel = "FILE", description = "Where the page goes.")
    private @Nullable Path html;

    /** Writes the page, to the usual file unless another one was chosen, and says where it is. */
    void write(PrintWriter out, String usual, String page) throws LabFailed {
        Path target = html == null ? Path.of(usual) : html;
        LabCommand.write("--html", target, page);
        out.println("\nThe page: " + target);
    }
}
