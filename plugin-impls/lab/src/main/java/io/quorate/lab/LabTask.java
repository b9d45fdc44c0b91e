package io.quorate.lab;

import io.quorate.testkit.model.AlgorithmFailed;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** A command of the lab: how it says what is wrong. */
@Command(mixinStandardHelpOptions = true, versionProvider = Lab.Version.class)
abstract class LabTask implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        try {
            if (spec.parent() != null
                    && hasArguments(spec.parent().commandLine().getParseResult())) {
                throw new IllegalArgumentException("must stand before its options and arguments");
            }
            return run(out);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), Lab.shown(String.valueOf(e.getMessage())), e);
        } catch (AlgorithmFailed e) {
            throw new LabFailed(Lab.shown(String.valueOf(e.getMessage())));
        } finally {
            out.flush();
        }
    }

    private static boolean hasArguments(ParseResult parsed) {
        return !parsed.matchedOptions().isEmpty()
                || !parsed.matchedPositionals().isEmpty();
    }

    /**
     * Runs it, and returns the exit code.
     *
     * @throws IllegalArgumentException if an argument is wrong; names value and rule
     */
    abstract int run(PrintWriter out) throws Exception;
}
