package io.quorate.endtoend;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.demo.Cluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Clients of one JVM, each with a socket of its own, and the latches that a test starts on them. */
final class OneJvm implements AutoCloseable {

    /** Generous, because a machine may be busy; the usual wait is a second. */
    static final Duration DEADLINE = Duration.ofMinutes(10);

    private final String algorithm;
    private final Map<String, String> addresses;
    private final Map<String, ElectionClient> clients = new LinkedHashMap<>();
    private final List<LeaderLatch> latches = new ArrayList<>();

    OneJvm(String algorithm, String... ids) {
        this.algorithm = algorithm;
        this.addresses = Cluster.freeAddresses(List.of(ids));
    }

    /** Three started clients over the embedded event bus. */
    static OneJvm threeNodes(String algorithm) {
        OneJvm nodes = new OneJvm(algorithm, "n1", "n2", "n3");
        nodes.ids().forEach(id -> nodes.start(id, ElectionClient.builder().peers(nodes.addresses)));
        return nodes;
    }

    /** Three started clients over plain TCP. */
    static OneJvm threeNodesOverTcp(String algorithm) {
        OneJvm nodes = new OneJvm(algorithm, "n1", "n2", "n3");
        nodes.ids().forEach(nodes::startOverTcp);
        return nodes;
    }

    ElectionClient startOverTcp(String id) {
        return start(id, ElectionClient.builder().peers(addresses).transport("tcp"));
    }

    /** A client that names one voter, is named by nobody and listens nowhere. */
    ElectionClient join(String id, String voter, ElectionClient.Builder described) {
        return start(
                id,
                described.peers(Map.of(voter, addresses.get(voter))).joins(true).transport("tcp"));
    }

    List<String> ids() {
        return List.copyOf(addresses.keySet());
    }

    Map<String, String> addresses() {
        return addresses;
    }

    ElectionClient start(String id, ElectionClient.Builder described) {
        ElectionClient client = described.nodeId(id).algorithm(algorithm).build();
        clients.put(id, client);
        client.start();
        return client;
    }

    ElectionClient client(String id) {
        return clients.get(id);
    }

    /** A started latch with {@code id} on the client {@code node}. */
    LeaderLatch latch(String node, String path, String id) throws Exception {
        LeaderLatch latch = new LeaderLatch(clients.get(node), path, id);
        latches.add(latch);
        latch.start();
        return latch;
    }

    /** One started latch per client, named after it. */
    List<LeaderLatch> latchesOn(String path) throws Exception {
        List<LeaderLatch> started = new ArrayList<>();
        for (String id : ids()) {
            started.add(latch(id, path, id));
        }
        return started;
    }

    LeaderLatch awaitLeader(List<LeaderLatch> candidates) {
        await("one of them leads", () -> candidates.stream().anyMatch(LeaderLatch::hasLeadership));
        return candidates.stream()
                .filter(LeaderLatch::hasLeadership)
                .findFirst()
                .orElseThrow(() -> new AssertionError("a leader has lost leadership at once" + describe()));
    }

    /** Waits for {@code condition}; fails with the state of all latches. */
    void await(String what, BooleanSupplier condition) {
        await(what, DEADLINE, Duration.ofMillis(5), condition);
    }

    /** @param interval between two looks, which must not keep the nodes from their work */
    void await(String what, Duration deadline, Duration interval, BooleanSupplier condition) {
        try {
            Awaitility.await()
                    .atMost(deadline)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(interval)
                    .until(condition::getAsBoolean);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("not within " + deadline.toSeconds() + " s: " + what + describe(), e);
        }
    }

    String describe() {
        String nodes = clients.entrySet().stream()
                .map(node -> "\n  " + node.getKey() + " " + node.getValue().getState())
                .collect(Collectors.joining());
        // The first ones of many tell enough.
        return nodes + latches.stream().limit(12).map(OneJvm::describe).collect(Collectors.joining());
    }

    private static String describe(LeaderLatch latch) {
        String participants;
        try {
            participants = latch.getParticipants().toString();
        } catch (Exception e) {
            // Justification: getParticipants declares it, as Curator's does; it tells why it does not know.
            participants = e.toString();
        }
        return "\n  latch " + latch.getId() + " " + latch.getState() + ", leads: " + latch.hasLeadership()
                + ", led last as " + latch.getLastPathIsLeader() + ", sees " + participants;
    }

    static void close(LeaderLatch latch) {
        try {
            latch.close();
        } catch (IOException e) {
            throw new AssertionError("never thrown, says its documentation", e);
        }
    }

    @Override
    public void close() {
        clients.values().forEach(ElectionClient::close);
    }
}
