package io.quorate.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code quorate}: what it takes, and how it ends. */
@Command(
        name = "quorate",
        description =
                "Looks at a Quorate cluster, changes it, checks its settings, runs a witness, and migrates sources from"
                        + " Curator.",
        mixinStandardHelpOptions = true,
        versionProvider = Quorate.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            StatusCommand.class,
            WhoCommand.class,
            WhyCommand.class,
            LogCommand.class,
            TransferCommand.class,
            StandbyCommand.class,
            PriorityCommand.class,
            RebalanceCommand.class,
            VotersCommand.class,
            VoterCommand.class,
            CheckCommand.class,
            MigrateCommand.class,
            LabCommand.class
        })
public final class Quorate implements Runnable {

    private final Terminal terminal;
    private final Map<String, String> environment;

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    /** The version that the manifest of the jar names. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            Optional<String> version =
                    Optional.ofNullable(Quorate.class.getPackage()).map(Package::getImplementationVersion);
            return new String[] {"quorate " + version.orElse("(not from a jar)")};
        }
    }

    private Quorate(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = Map.copyOf(environment);
    }

    /**
     * Runs the command of a process, and ends the process.
     *
     * @param arguments as typed
     */
    public static void main(String[] arguments) {
        // The stream of System would hide that the reader has gone away.
        OutputStream output = new FileOutputStream(FileDescriptor.out);
        PrintWriter out = new PrintWriter(new OutputStreamWriter(output, Charset.defaultCharset()), true);
        int exitCode =
                commandLine(Terminal.OF_PROCESS, System.getenv()).setOut(out).execute(arguments);
        out.flush();
        System.exit(exitCode);
    }

    /** All commands, for one execution. */
    static CommandLine commandLine(Terminal terminal, Map<String, String> environment) {
        CommandLine commands = new CommandLine(new Quorate(terminal, environment));
        commands.setCaseInsensitiveEnumValuesAllowed(true);
        commands.setExpandAtFiles(false);
        commands.setParameterExceptionHandler((wrong, arguments) -> misused(wrong));
        commands.setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command));
        return commands;
    }

    private static int misused(ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println(name + ": " + wrong.getMessage());
        command.getErr().println("'" + name + " --help' lists what there is.");
        return Exit.USAGE;
    }

    private static int failed(Exception failure, CommandLine command) {
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        if (failure instanceof CommandFailed expected) {
            err.println(name + ": " + expected.getMessage());
            return expected.exitCode();
        }
        if (failure instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return Exit.NO;
        }
        err.println(name + ": internal error, which should be reported:");
        failure.printStackTrace(err);
        return Exit.INTERNAL;
    }

    /** There is no command: that is a slip. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    Terminal terminal() {
        return terminal;
    }

    /** Immutable. */
    Map<String, String> environment() {
        return environment;
    }
}
