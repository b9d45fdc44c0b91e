package io.quorate.demo;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** How the nodes of a {@link Cluster} are started; as it stands, with nothing between them and the machine. */
public interface Launch {

    /** Nodes that reach each other directly. */
    Launch PLAIN = new Launch() {};

    /**
     * The list of peers that a node is given.
     *
     * @param addresses from each id to where that node listens; the node itself must be given its own as it is here
     */
    default String peers(String node, Map<String, String> addresses) {
        return Cluster.peers(addresses);
    }

    /** Folders of classes that take the place of those of the same names. */
    default List<Path> classes(String node) {
        return List.of();
    }

    /** Variables for the environment of the node's process. */
    default Map<String, String> environment(String node) {
        return Map.of();
    }
}
