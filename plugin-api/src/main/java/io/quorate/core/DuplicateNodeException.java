package io.quorate.core;

import io.quorate.spi.NodeId;

/** Another process runs under this node's id; this one has stopped. */
public final class DuplicateNodeException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    DuplicateNodeException(NodeId node, long own, long other) {
        super("node id '" + node + "': a second process runs under it, with incarnation " + other + " (this one is "
                + own + "); give each process its own node id");
    }
}
