package io.quorate;

/** Nobody knows whether a change of voters has happened, or will: too few voters have answered. */
public class VotersUnknownException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message what was proposed, and what to do
     */
    public VotersUnknownException(String message) {
        super(message);
    }
}
