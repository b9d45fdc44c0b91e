package io.quorate.compare;

import io.quorate.demo.Cluster;
import io.quorate.process.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Three nodes, and nothing else. */
final class QuorateDeployment extends Deployment {

    private final List<String> contenders;
    private final Map<String, String> addresses;
    private final List<ChildJvm> crowds = new ArrayList<>();
    private NodeHandle killed;

    QuorateDeployment(Settings settings) {
        super(settings);
        this.contenders = IntStream.rangeClosed(1, settings.contenders())
                .mapToObj(i -> "c" + i)
                .toList();
        this.addresses = Cluster.freeAddresses(Stream.concat(nodes.stream().map(NodeHandle::id), contenders.stream())
                .toList());
    }

    @Override
    ComparedSide side() {
        return ComparedSide.QUORATE;
    }

    @Override
    void startServers() {
        // There are none.
    }

    @Override
    List<ChildJvm> servers() {
        return crowds;
    }

    @Override
    List<String> arguments(NodeHandle node) {
        return List.of(
                node.id(),
                peers(node.id()),
                Integer.toString(settings.detectionMillis()),
                settings.variant().algorithm(),
                directory.resolve(node.id()).toString(),
                voters(),
                settings.variant().transport());
    }

    /** The others as this node finds them, and where it listens itself. */
    private String peers(String node) {
        return settings.hasLinks() ? links.peers(node, addresses) : Cluster.peers(addresses);
    }

    private String voters() {
        return nodes.stream().map(NodeHandle::id).collect(Collectors.joining(","));
    }

    @Override
    void startContenders(Consumer<String> onLine) {
        crowds.add(ChildJvm.start(
                "contenders",
                command(
                        "contenders",
                        ContendersNode.class,
                        List.of(
                                peers("c1"),
                                voters(),
                                String.join(",", contenders),
                                Integer.toString(settings.detectionMillis()),
                                settings.variant().algorithm(),
                                settings.variant().transport())),
                Map.of(),
                directory.resolve("contenders.log"),
                onLine));
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
