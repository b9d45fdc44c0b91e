package io.quorate.spi;

/** By what contenders are ranked; the best rank is the "highest identifier" of the documents. */
public enum RankOrder {
    /** First come, first to lead, as with Curator. */
    JOIN_ORDER,
    /** The highest node id leads. */
    NODE_ID,
    /** The highest configured priority leads; first come among equals. */
    PRIORITY,
    /** A hash of path and node: spreads the leaders of many paths over the nodes. */
    SPREAD
}
