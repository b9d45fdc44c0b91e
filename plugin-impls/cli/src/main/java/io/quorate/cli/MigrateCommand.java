package io.quorate.cli;

import io.quorate.cli.migrate.Remainder;
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

/** Lists what is left to do by hand after the recipe. Opens no port, and changes nothing. */
@Command(
        name = "migrate",
        description = {
            "Lists what is left to do by hand when you move from Apache Curator, as FILE:LINE: WHAT: WHAT TO DO.",
            "The recipe io.quorate.migration.MigrateFromCurator of OpenRewrite changes the sources.",
            "Ends with 0 if nothing is left to you, else with 1."
        },
        mixinStandardHelpOptions = true)
final class MigrateCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "DIR",
            description = "Everything below it, except hidden directories and what Maven and Gradle make,"
                    + " and the build file of its project.")
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private Path directory;

    @Option(names = "--check", description = "Checks, and changes nothing. There is no other way.")
    private boolean isCheck;

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailed {
        if (!isCheck) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--check: must be given; the recipe changes the sources, docs/migration.md#the-recipe");
        }
        PrintWriter out = spec.commandLine().getOut();
        try {
            return new Remainder(directory, line -> out.println(Shown.whole(line))).list() ? Exit.YES : Exit.NO;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), Shown.whole(String.valueOf(e.getMessage())), e);
        } catch (IOException e) {
            throw new CommandFailed(Exit.NO, Shown.whole("'" + directory + "': cannot be read: " + e));
        }
    }
}
