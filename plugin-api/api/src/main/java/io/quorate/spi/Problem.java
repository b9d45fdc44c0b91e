package io.quorate.spi;

import io.quorate.jvm.Printable;
import java.util.Objects;

/**
 * A fault of a node that lasts until an operator repairs it, although the node works on; immutable.
 *
 * @param kind what is wrong, from a fixed list, for meters and alerts
 * @param text what is wrong and what to do, in one sentence; the parts that come from elsewhere are printable
 */
public record Problem(Kind kind, String text) {

    /** The length of a text. Strangers choose parts of some of them. */
    private static final int TEXT_MAX = 512;

    /** The kinds of problems. */
    public enum Kind {
        /** Terms cannot be stored, so this voter does not vote in new terms. */
        TERMS("terms"),
        /** The list of voters cannot be stored, so this node does not take part in a change of voters. */
        VOTERS("voters"),
        /** The files of the keys could not be read again, so the former keys remain in use. */
        KEYS("keys"),
        /** A peer has another secret, or one of the two has none. */
        SECRET("secret"),
        /**
         * No TLS connection with a peer is possible, because one of the two has no keys, or a certificate is refused.
         */
        TLS("tls"),
        /** Two processes run under one node id. */
        SECOND_PROCESS("second-process"),
        /** A peer has another cluster id, node id or wire version than this node expects, or no room. */
        MISMATCH("mismatch"),
        /** The {@code isLeader} callback of a latch that leads has thrown, so its work may not run. */
        CALLBACK("callback");

        private final String tag;

        Kind(String tag) {
            this.tag = tag;
        }

        /**
         * Returns the name of the kind in meters and in JSON.
         *
         * @return lower-case letters and hyphens
         */
        public String tag() {
            return tag;
        }
    }

    /**
     * A problem.
     *
     * @param kind not null
     * @param text not null; made printable, and cut after 512 characters
     * @throws NullPointerException if a component is null
     */
    public Problem {
        Objects.requireNonNull(kind, "kind");
        text = Printable.of(Objects.requireNonNull(text, "text"), TEXT_MAX);
    }

    @Override
    public String toString() {
        return text;
    }
}
