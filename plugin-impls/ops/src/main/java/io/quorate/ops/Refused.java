package io.quorate.ops;

/** A request that gets no more than a status and the reason, which names the rule. */
final class Refused extends Exception {

    private static final long serialVersionUID = 1;

    private final int status;
    private final String reason;

    /**
     * @param status of HTTP, 400 to 599
     * @param reason for whoever has asked; shown as it is
     */
    Refused(int status, String reason) {
        // A refusal is a normal answer: nobody looks at its stack.
        super(reason, null, false, false);
        this.status = status;
        this.reason = reason;
    }

    int status() {
        return status;
    }

    String reason() {
        return reason;
    }
}
