package io.quorate.compare;

import io.quorate.demo.Cluster;
import java.util.List;
import java.util.stream.Collectors;

/** Three nodes, and nothing else. */
final class QuorateDeployment extends Deployment {

    private final String peers;
    private NodeHandle killed;

    QuorateDeployment(Settings settings) {
        super(settings);
        this.peers = Cluster.freeAddresses(nodes.stream().map(NodeHandle::id).toList()).entrySet().stream()
                .map(Object::toString).collect(Collectors.joining(","));
    }

    @Override
    Side side() {
        return Side.QUORATE;
    }

    @Override
    void startServers() {
        // There are none.
    }

    @Override
    List<ChildJvm> servers() {
        return List.of();
    }

    @Override
    List<String> arguments(NodeHandle node) {
        return List.of(node.id(), peers, Integer.toString(settings.detectionMillis()), settings.algorithm(),
                directory.resolve(node.id()).toString());
    }

    @Override
    long killVoter(NodeHandle leader) {
        killed = nodes.stream().filter(node -> node != leader).findFirst().orElseThrow();
        return killed.process().kill();
    }

    @Override
    void restoreVoter() {
        killed.process().end();
        start(killed);
        killed.answer();
    }
}
