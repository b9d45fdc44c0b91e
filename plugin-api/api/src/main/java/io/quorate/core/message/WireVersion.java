package io.quorate.core.message;

/**
 * The versions of frames that a node speaks. A version adds kinds of messages to the one before, and changes nothing
 * else. To each peer a node speaks the highest version that both speak.
 */
public final class WireVersion {

    /** What every peer can read, and what is spoken to a peer of which no more is known. */
    public static final int OLDEST = 2;

    /** From here on the envelope says which version its sender speaks at most; so it is the version of each offer. */
    public static final int FIRST_THAT_SAYS = 3;

    /** From here on the voters can change. */
    public static final int FIRST_WITH_CHANGES = 3;

    /** The highest version of this library. */
    public static final int NEWEST = 3;

    /** The versions as a log line has them. */
    public static final String RANGE = OLDEST + " to " + NEWEST;

    private WireVersion() {}

    /** Whether a frame of this version can be read here. */
    public static boolean isSpoken(int version) {
        return OLDEST <= version && version <= NEWEST;
    }
}
