package io.quorate.core.message;

import io.quorate.core.settings.WireParts;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.Objects;

/**
 * The holder of a vote: one contender, in one life of its node. The same contender after a restart is another holder,
 * so a node may forget its own terms when it restarts.
 *
 * @param node        the node
 * @param incarnation which life of the node
 * @param number      which contender of the node, counted over all paths
 */
public record ContenderId(NodeId node, long incarnation, long number) implements Comparable<ContenderId> {

    public ContenderId {
        Objects.requireNonNull(node, "node");
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof ContenderId id
                        && number == id.number
                        && incarnation == id.incarnation
                        && node.equals(id.node);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * node.hashCode() + Long.hashCode(incarnation)) + Long.hashCode(number);
    }

    @Override
    public int compareTo(ContenderId other) {
        int byNode = node.compareTo(other.node);
        int byLife = byNode != 0 ? byNode : Long.compare(incarnation, other.incarnation);
        return byLife != 0 ? byLife : Long.compare(number, other.number);
    }

    @Override
    public String toString() {
        return node + "#" + number;
    }

    void writeTo(WireWriter out) {
        WireParts.writeNodeId(node, out);
        out.writeUnsigned(incarnation);
        out.writeUnsigned(number);
    }

    static ContenderId read(WireReader in) throws MalformedInputException {
        return new ContenderId(in.readNodeId(), in.readUnsigned(), in.readUnsigned());
    }
}
