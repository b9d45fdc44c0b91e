package io.quorate.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A command that has run.
 *
 * @param out what it wrote to standard output
 * @param err what it wrote to standard error
 */
record Run(int exitCode, String out, String err) {

    /** Nobody to ask. */
    static final Terminal NONE = new Terminal() {
        @Override
        public boolean isThere() {
            return false;
        }

        @Override
        public @Nullable String ask(String question) {
            throw new AssertionError("asked: " + question);
        }
    };

    /** Somebody who answers the same to each question. */
    static final class Somebody implements Terminal {
        private final @Nullable String answer;
        private final List<String> questions = new ArrayList<>();
        private volatile @Nullable Runnable stop;

        Somebody(@Nullable String answer) {
            this.answer = answer;
        }

        @Override
        public boolean isThere() {
            return true;
        }

        @Override
        public @Nullable String ask(String question) {
            questions.add(question);
            return answer;
        }

        @Override
        public Stopping onInterrupt(Runnable action) {
            stop = action;
            return () -> stop = null;
        }

        /** Types Ctrl-C. */
        void interrupt() {
            Runnable action = stop;
            if (action != null) {
                action.run();
            }
        }

        /** Whether the end of the process waits for the command. */
        boolean isWaitedFor() {
            return stop != null;
        }

        List<String> questions() {
            return questions;
        }
    }

    static Run of(String... arguments) {
        return of(NONE, Map.of(), arguments);
    }

    static Run of(Terminal terminal, Map<String, String> environment, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = commandLine(terminal, environment, out, err).execute(arguments);
        return new Run(exitCode, out.toString(), err.toString());
    }

    /** For a test that reads while the command runs. */
    static CommandLine commandLine(
            Terminal terminal, Map<String, String> environment, StringWriter out, StringWriter err) {
        CommandLine command = Quorate.commandLine(terminal, environment);
        // A busy machine must not be shown as a node that does not answer.
        command.setDefaultValueProvider(option ->
                option instanceof OptionSpec named && named.longestName().equals("--timeout") ? "10m" : null);
        return command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    }
}
