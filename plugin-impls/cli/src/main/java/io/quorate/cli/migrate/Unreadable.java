package io.quorate.cli.migrate;

/** A file that is left as it is, because it cannot be read in the way that is needed. The message has the rule. */
final class Unreadable extends Exception {

    private static final long serialVersionUID = 1;

    Unreadable(String rule) {
        // Nobody looks at its stack.
        super(rule, null, false, false);
    }
}
