package io.quorate.core.support;

import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import org.jspecify.annotations.Nullable;

/** A ballot's view of this voter's support for nodes. */
public interface Supporters {

    /** The epoch in which this life of the node is supported now; null if it has no support. */
    @Nullable
    Epoch epochOf(NodeId node, long incarnation);

    /** How long the support of the node lasts at least, in nanoseconds. */
    long remaining(NodeId node);
}
