package io.quorate.spi;


/** Another process runs under this node's id; this one has stopped. */
public final class DuplicateNodeException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** {@code own} is the incarnation of this process, {@code other} that of the one that was heard. */
    public DuplicateNodeException(NodeId node, long own, long other) {
        super("node id '" + node + "': a second process runs under it, with incarnation " + other + " (this one is "
                + own + "); give each process its own node id");
    }
}
