package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.demo.Cluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three clients over the transport {@code tcp}, in one JVM; the event bus is on the class path as well. */
@Timeout(300)
class ThreeNodesOverTcpTest {

    private static final String PATH = "/app/leader";
    private static final int MANY = 100;

    private static boolean isTcpAlive(String node) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("quorate-tcp-" + node));
    }

    // The leader's client closes, the next one leads; then the closed one comes back and contends.
    @ParameterizedTest
    @ValueSource(strings = {"ballot", "bully"})
    void theLeaderIsLostAndAnotherIsElected(String algorithm) throws Exception {
        try (OneJvm nodes = OneJvm.threeNodesOverTcp(algorithm)) {
            List<LeaderLatch> open = new ArrayList<>(nodes.latchesOn(PATH));
            LeaderLatch first = nodes.awaitLeader(open);
            assertThat(isTcpAlive(first.getId())).isTrue();
            long token = first.fencingToken();

            nodes.client(first.getId()).close();
            assertThat(first.hasLeadership()).isFalse();
            assertThat(isTcpAlive(first.getId())).isFalse();
            open.remove(first);
            LeaderLatch second = nodes.awaitLeader(open);
            long next = second.fencingToken();
            assertThat(next).isGreaterThan(token);

            nodes.startOverTcp(first.getId());
            open.add(nodes.latch(first.getId(), PATH, first.getId()));
            nodes.client(second.getId()).close();
            open.remove(second);
            LeaderLatch third = nodes.awaitLeader(open);
            assertThat(third.fencingToken()).isGreaterThan(next);
        }
    }

    @Test
    void manyPathsAreHandedOverWhenTheirClientCloses() throws Exception {
        try (OneJvm nodes = OneJvm.threeNodesOverTcp("ballot")) {
            Map<String, List<LeaderLatch>> byPath = new LinkedHashMap<>();
            for (int i = 0; i < MANY; i++) {
                byPath.put("/many/" + i, nodes.latchesOn("/many/" + i));
            }
            Map<String, Long> tokens = new LinkedHashMap<>();
            byPath.forEach((path, latches) ->
                    tokens.put(path, nodes.awaitLeader(latches).fencingToken()));
            String closed = nodes.awaitLeader(byPath.get("/many/0")).getId();
            List<String> deposed = byPath.entrySet().stream()
                    .filter(path -> nodes.awaitLeader(path.getValue()).getId().equals(closed))
                    .map(Map.Entry::getKey)
                    .toList();
            nodes.client(closed).close();
            byPath.forEach(
                    (path, latches) -> assertThat(nodes.awaitLeader(latches).fencingToken())
                            .as(path)
                            .isGreaterThanOrEqualTo(tokens.get(path) + (deposed.contains(path) ? 1 : 0)));
        }
    }

    // The voters' lists name the voters alone; who else contends calls them, and is answered.
    @Test
    void aContenderThatNoVoterKnowsLeads() throws Exception {
        OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3");
        try (nodes) {
            nodes.ids().forEach(nodes::startOverTcp);
            Map<String, String> all = new LinkedHashMap<>(nodes.addresses());
            all.putAll(Cluster.freeAddresses(List.of("guest")));
            nodes.start(
                    "guest",
                    ElectionClient.builder().peers(all).voters(nodes.ids()).transport("tcp"));
            LeaderLatch guest = nodes.latch("guest", PATH, "guest");
            long token = nodes.awaitLeader(List.of(guest)).fencingToken();
            LeaderLatch voter = nodes.latch("n1", PATH, "n1");
            nodes.client("guest").close();
            assertThat(nodes.awaitLeader(List.of(voter)).fencingToken()).isGreaterThan(token);
        }
    }
}
