package io.quorate.fencing;

/**
 * A write was refused, because a leader with a higher token has come to the guard before. The sender no longer leads:
 * it should stop its work, and not try again with this token.
 */
public final class StaleTokenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is led. */
    private final String path;
    /** The one that is refused. */
    private final long token;
    /** The highest that the guard has seen. */
    private final long highest;

    /**
     * The message names all three.
     *
     * @param path    what is led
     * @param token   the one that is refused
     * @param highest the highest that the guard has seen
     */
    public StaleTokenException(String path, long token, long highest) {
        super(path + ": token " + token + " is refused, because the guard has seen token " + highest
                + ". Another leader has written since, so stop this work");
        this.path = path;
        this.token = token;
        this.highest = highest;
    }

    /** {@return what is led} */
    public String path() {
        return path;
    }

    /** {@return the token that is refused, which is below {@link #highest}} */
    public long token() {
        return token;
    }

    /** {@return the highest token that the guard has seen on this path} */
    public long highest() {
        return highest;
    }
}
