package io.quorate;

/** A change of voters did not happen, or only some of its steps did; the message says which voters are in force. */
public class VotersNotChangedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message what was not done, why, and what to do
     */
    public VotersNotChangedException(String message) {
        super(message);
    }
}
