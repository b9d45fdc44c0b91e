package io.quorate.lab;

import io.quorate.jvm.Printable;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;

/** The program {@code quorate lab}: how it begins and how it ends. docs/lab.md#exit-codes. */
public final class Lab {

    /** It is drawn, or listed. */
    static final int YES = 0;

    /** It is not drawn, or what was drawn has failed. */
    static final int NO = 1;

    /** Wrong arguments, as EX_USAGE of sysexits.h and as the other commands of Quorate have it. */
    static final int USAGE = 64;

    /** A fault of this program, as EX_SOFTWARE of sysexits.h. */
    static final int INTERNAL = 70;

    /** The version that the manifest of the jar names. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            Optional<String> version =
                    Optional.ofNullable(Lab.class.getPackage()).map(Package::getImplementationVersion);
            return new String[] {"quorate lab " + version.orElse("(not from a jar)")};
        }
    }

    private Lab() {}

    /**
     * Runs the command of a process, and ends the process.
     *
     * @param arguments as typed
     */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** The command, for one execution. */
    static CommandLine commandLine() {
        CommandLine command = new CommandLine(new LabCommand());
        command.setCaseInsensitiveEnumValuesAllowed(true);
        command.setExpandAtFiles(false);
        command.setParameterExceptionHandler((wrong, arguments) -> misused(wrong));
        command.setExecutionExceptionHandler((failure, line, parsed) -> failed(failure, line));
        return command;
    }

    private static int misused(ParameterException wrong) {
        PrintWriter err = wrong.getCommandLine().getErr();
        String name = wrong.getCommandLine().getCommandSpec().qualifiedName();
        err.println(name + ": " + wrong.getMessage());
        err.println("'" + name + " --help' lists what there is.");
        return USAGE;
    }

    private static int failed(Exception failure, CommandLine command) {
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        if (failure instanceof LabFailed expected) {
            err.println(name + ": " + expected.getMessage());
            return NO;
        }
        err.println(name + ": internal error, which should be reported:");
        failure.printStackTrace(err);
        return INTERNAL;
    }

    /** Makes text from elsewhere fit for a terminal, in its line and without escapes that move things. */
    static String shown(String text) {
        return Printable.of(text, Integer.MAX_VALUE);
    }
}
