package io.quorate.cli;

/** Why an address gave no answer that a command can use; a row of its output, never its end. */
final class NoAnswer extends Exception {

    private static final long serialVersionUID = 1;

    private final String reason;

    /** @param reason one sentence, without control characters */
    NoAnswer(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
