package io.quorate;

import io.quorate.spi.NodeId;

/** A second process runs under the id of this node; this one has stopped for good. */
public final class DuplicateNodeException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /**
     * Made by the node that found out.
     *
     * @param node  the id of both
     * @param own   the incarnation of this process
     * @param other the incarnation of the other process; 0 if it is not known
     */
    public DuplicateNodeException(NodeId node, long own, long other) {
        super("node id '" + node + "': a second process runs under it"
                + (other == 0 ? "" : ", with incarnation " + other) + " (this one is " + own
                + "); give each process its own node id");
    }
}
