package io.quorate.lab;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * A command that has run.
 *
 * @param out what it wrote to standard output
 * @param err what it wrote to standard error
 */
record Run(int exitCode, String out, String err) {

    static Run of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Lab.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Run(exitCode, out.toString(), err.toString());
    }
}
