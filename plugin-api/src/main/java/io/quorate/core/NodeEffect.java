package io.quorate.core;

import io.quorate.spi.NodeId;

/** What a {@link Node} wants done, in this order. */
public sealed interface NodeEffect {

    /** Send, best effort. Messages of one step to one node travel together. */
    record Send(NodeId to, NodeMessage message) implements NodeEffect {
    }

    /** Make terms up to this one durable and answer with {@link NodeEvent.TermsReserved} or a failure. */
    record ReserveTerms(long upTo) implements NodeEffect {
    }

    /** Adopt this incarnation, in the envelope and in the store. */
    record AdoptIncarnation(long incarnation) implements NodeEffect {
    }

    /** A contender of this node leads. */
    record Granted(int number, Tenure tenure) implements NodeEffect {
    }

    /** A tenure that was granted has ended; {@code reason} is a sentence for the log. */
    record Revoked(int number, Tenure tenure, String reason) implements NodeEffect {
    }

    /** Answers {@link NodeEvent.TransferTo}: the tenure has ended, and this contender was told to follow. */
    record TransferBegun(int number, ContenderId successor) implements NodeEffect {
    }

    /** Answers {@link NodeEvent.TransferTo}: nothing has changed, and why. */
    record TransferRefused(int number, RuntimeException cause) implements NodeEffect {
    }

    /** The node's standing with the voters changed. */
    record ConnectionChanged(Connection connection) implements NodeEffect {
    }

    /** What this node knows of a path has changed. */
    record ViewChanged(String path) implements NodeEffect {
    }

    /** The node has stopped voting and leading for good. */
    record Failed(RuntimeException cause) implements NodeEffect {
    }

    /** Something an operator should read. Bounded: at most one per peer, or path, and change of state. */
    record Note(boolean isWarning, String text) implements NodeEffect {
    }
}
