package io.quorate.testkit.simulation;

import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Finds the nodes and the links that a {@link Fault} names.
 *
 * @param nodes  all that there are
 * @param leader whom {@code leader} means; asked each time
 */
public record Places(List<NodeId> nodes, Supplier<NodeId> leader) {

    static final String LEADER = "leader";

    /** One direction of a link. */
    public record Way(NodeId from, NodeId to) {}

    public Places {
        nodes = List.copyOf(nodes);
    }

    /**
     * The links of {@code a>b}, or of {@code a-b} in both directions; none twice, and none from a node to itself.
     *
     * @throws IllegalArgumentException if it is neither, or names no node
     */
    public List<Way> ways(String where) {
        boolean isBoth = where.indexOf('-') > 0;
        String[] sides = where.split(isBoth ? "-" : ">");
        Check.argument(sides.length == 2, "links '%s': must be '<nodes>-<nodes>' or '<nodes>><nodes>'", where);
        List<NodeId> one = side(sides[0]);
        List<NodeId> other = side(sides[1]);
        List<Way> ways = new ArrayList<>();
        for (NodeId from : one) {
            for (NodeId to : other) {
                Way way = new Way(from, to);
                Way back = new Way(to, from);
                if (!from.equals(to) && !ways.contains(way)) {
                    ways.add(way);
                }
                if (isBoth && !from.equals(to) && !ways.contains(back)) {
                    ways.add(back);
                }
            }
        }
        return ways;
    }

    /** One side of a link: a list of nodes, everybody, or everybody but one. */
    List<NodeId> side(String text) {
        if (text.equals("*")) {
            return nodes;
        }
        if (text.startsWith("!")) {
            NodeId without = node(text.substring(1));
            return nodes.stream().filter(node -> !node.equals(without)).toList();
        }
        List<NodeId> side = new ArrayList<>();
        for (String name : text.split(",")) {
            side.add(node(name));
        }
        return side;
    }

    /**
     * The node of this name, or the leader.
     *
     * @throws IllegalArgumentException if there is none
     */
    public NodeId node(String name) {
        if (name.equals(LEADER)) {
            return leader.get();
        }
        NodeId node = new NodeId(name);
        Check.argument(nodes.contains(node), "node '%s': must be one of %s, or '%s'", name, nodes, LEADER);
        return node;
    }
}
