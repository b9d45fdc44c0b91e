package io.quorate.cli;

import io.quorate.cli.migrate.Migration;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Carries the sources of an application over from Curator. Opens no port. */
@Command(
        name = "migrate",
        description = {
            "Carries Java sources over from Apache Curator: imports, full names, and the type of the client.",
            "Leaves alone what it does not know, and lists it as FILE:LINE: WHAT: WHAT TO DO.",
            "Ends with 0 if nothing is left to you, else with 1."
        },
        mixinStandardHelpOptions = true)
final class MigrateCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "DIR",
            description = "Everything below it, except hidden directories and what Maven and Gradle make.")
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private Path directory;

    @Option(names = "--dry-run", description = "Shows what would be changed, and writes nothing.")
    private boolean isDry;

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailed {
        PrintWriter out = spec.commandLine().getOut();
        try {
            Migration migration = new Migration(directory, isDry, line -> out.println(Shown.whole(line)));
            return migration.run() ? Exit.YES : Exit.NO;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), Shown.whole(String.valueOf(e.getMessage())), e);
        } catch (IOException e) {
            throw new CommandFailed(Exit.NO, Shown.whole("'" + directory + "': cannot be read: " + e));
        }
    }
}
