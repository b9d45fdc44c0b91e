package io.quorate.ops;

import java.util.Map;

/** A request that gets no more than a status and the reason, which names the rule. */
final class Refused extends Exception {

    private static final long serialVersionUID = 1;

    private final int status;
    private final String reason;
    private final transient Map<String, String> headers;

    /**
     * @param status of HTTP, 400 to 599
     * @param reason for the caller; shown as it is
     */
    Refused(int status, String reason) {
        this(status, reason, Map.of());
    }

    /** @param headers of HTTP, beside the usual ones */
    Refused(int status, String reason, Map<String, String> headers) {
        // A refusal is a normal answer: nobody looks at its stack.
        super(reason, null, false, false);
        this.status = status;
        this.reason = reason;
        this.headers = headers;
    }

    int status() {
        return status;
    }

    String reason() {
        return reason;
    }

    Map<String, String> headers() {
        return headers;
    }
}
