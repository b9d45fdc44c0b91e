package io.quorate.cli;

/** The end of a command that cannot do what it was asked for: one line for people, and an exit code for scripts. */
final class CommandFailed extends Exception {

    private static final long serialVersionUID = 1;

    private final int exitCode;

    /**
     * @param exitCode one of {@link Exit}
     * @param message  for the caller; names value and rule
     */
    CommandFailed(int exitCode, String message) {
        // Nobody looks at its stack.
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
