package io.quorate.runtime;

/**
 * The versions of frames that a node speaks; to each peer it speaks the highest that both speak.
 *
 * @param oldest what every peer can read, and what is spoken to a peer of which no more is known
 * @param newest the highest one; each frame says it
 */
record WireVersions(int oldest, int newest) {

    /** The versions of this library. */
    static final WireVersions OURS = new WireVersions(3, 3);

    boolean has(int version) {
        return oldest <= version && version <= newest;
    }

    /** As a log line has them. */
    @Override
    public String toString() {
        return oldest == newest ? Integer.toString(oldest) : oldest + " to " + newest;
    }
}
