package io.quorate.runtime;

import io.quorate.spi.NodeId;
import java.util.Optional;

/** The result of {@link Links#open}. */
public sealed interface DecodedFrame {

    /**
     * A frame for the core.
     *
     * @param passed           the frame
     * @param isNewIncarnation whether its life takes the place of the one before by it
     */
    record Accepted(Checked.Passed passed, boolean isNewIncarnation) implements DecodedFrame {

        /** The sender. */
        NodeId from() {
            return passed.envelope().from();
        }

        /** Which life of {@link #from} sent it. */
        long incarnation() {
            return passed.envelope().fromIncarnation();
        }
    }

    /**
     * A frame that is dropped.
     *
     * @param reason           why
     * @param from             who sent it, as far as the frame could be read; empty for {@link Reason#MALFORMED}
     *                         and {@link Reason#OTHER_VERSION}; for {@link Reason#WITHOUT_MAC} and
     *                         {@link Reason#OTHER_SECRET} who has proved to the transport to have sent it
     * @param incarnation      which life of {@code from} sent it; 0 if {@code from} is empty
     * @param unanswered       its sequence, if its sender is to be {@linkplain Links#question asked}; else 0
     * @param theirs           what the frame says in place of what it should: for {@link Reason#OTHER_VERSION} the
     *                         version, for {@link Reason#OTHER_CLUSTER} the cluster id, for {@link Reason#NOT_FOR_US}
     *                         the receiver; anybody may have written it. For {@link Reason#FORGED} the node that has
     *                         proved to have sent it. Else empty
     */
    record Dropped(Reason reason, Optional<NodeId> from, long incarnation, long unanswered, String theirs)
            implements DecodedFrame, Checked {

        /** The culprit, if it is known. A forger may invent a name for each frame, so all forgers count as one. */
        Optional<NodeId> accused() {
            return reason == Reason.FORGED ? Optional.of(new NodeId(theirs)) : from;
        }
    }

    /** Why a frame is dropped, in the order in which it is tested. */
    enum Reason {
        /** Not an envelope, or one that no node can have written. */
        MALFORMED,
        /** An envelope of a version that this node does not speak: {@link WireVersions}. */
        OTHER_VERSION,
        /** Without a MAC, while this node has a secret. */
        WITHOUT_MAC,
        /** With a MAC under another secret or for another cluster, or changed on its way. */
        OTHER_SECRET,
        /** In the name of another node than the one that has proved to have sent it. */
        FORGED,
        /** From a node of another cluster. */
        OTHER_CLUSTER,
        /** For another node: an address in the configuration points to the wrong process. */
        NOT_FOR_US,
        /** With a MAC, while this node has no secret and cannot check it. */
        WITH_MAC,
        /** It has our own id, with another incarnation: a second process runs under this id. */
        OWN_ID,
        /** From an unknown node that is no voter, while {@link Links#PEERS_MAX} are known and were heard lately. */
        TOO_MANY_PEERS,
        /**
         * From a life of the sender that has no place: it is over, or has just begun and is asked now, or another one
         * has the place.
         */
        UNPROVED_LIFE,
        /** For another life of this node: its sender has not heard of this one yet. */
        OTHER_LIFE_OF_US,
        /** For another life of this node, by a peer that knew this one: a second process runs under this id. */
        OTHER_PROCESS_OF_US,
        /** A copy of a frame that was accepted before, or 64 and more below the highest one. */
        STALE_SEQUENCE,
        /** The message is for voters only to send, and this life is not {@linkplain Link#isBelieved believed}. */
        NOT_BELIEVED
    }
}
