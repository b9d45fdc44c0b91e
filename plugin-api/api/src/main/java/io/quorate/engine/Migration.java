package io.quorate.engine;

/**
 * The setting {@code migration=tandem}: docs/migration.md#the-guard. It is a part of the cluster id on the wire, so
 * that nodes with it and nodes without it take no frame of each other, and each says so. A name of a cluster has no
 * plus.
 */
public final class Migration {

    private static final String MARK = "+tandem";

    private Migration() {}

    /** The cluster id of nodes that have the setting. */
    public static String clusterId(String name) {
        return name + MARK;
    }

    /** Whether nodes of this cluster id have the setting. */
    public static boolean isTandem(String clusterId) {
        return clusterId.endsWith(MARK);
    }

    /** The name of the cluster, with the setting or without it. */
    public static String name(String clusterId) {
        return isTandem(clusterId) ? clusterId.substring(0, clusterId.length() - MARK.length()) : clusterId;
    }
}
