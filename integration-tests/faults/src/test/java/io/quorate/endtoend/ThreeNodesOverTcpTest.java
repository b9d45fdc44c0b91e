package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.Profile;
import io.quorate.demo.Cluster;
import io.quorate.testkit.RealTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three clients over the transport {@code tcp}, in one JVM; the event bus is on the class path as well. */
@RealTime
class ThreeNodesOverTcpTest {

    private static final String PATH = "/app/leader";
    private static final int MANY = 100;
    private static final int GUESTS = 50;

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

    // It is told of the other voters, and needs no more of them than of the one that it names.
    @Test
    void aContenderThatNamesOneVoterLeadsAndIsForgotten() throws Exception {
        try (OneJvm nodes = OneJvm.threeNodesOverTcp("ballot")) {
            List<LeaderLatch> latches = nodes.latchesOn(PATH);
            LeaderLatch first = nodes.awaitLeader(latches);
            nodes.join("guest", "n2", ElectionClient.builder());
            LeaderLatch guest = nodes.latch("guest", PATH, "guest");
            nodes.await("it is listed", () -> first.explain().contenders().size() == 4);
            assertThat(nodes.client("guest").voters()).hasToString("number 1: [n1, n2, n3]");
            long token = first.fencingToken();
            // The voters go on voting, and contend no more.
            latches.forEach(OneJvm::close);
            assertThat(nodes.awaitLeader(List.of(guest)).fencingToken()).isGreaterThan(token);
            nodes.await(
                    "all voters support it", () -> guest.explain().supporters().equals(List.of("n1", "n2", "n3")));
            nodes.client("n2").close();
            nodes.await(
                    "the others support it", () -> guest.explain().supporters().equals(List.of("n1", "n3")));
            assertThat(guest.hasLeadership()).isTrue();
            nodes.client("guest").close();
            LeaderLatch again = nodes.latch("n1", PATH, "n1");
            nodes.awaitLeader(List.of(again));
            nodes.await("it is forgotten", () -> again.explain().contenders().size() == 1);
        }
    }

    /** Fifty-three nodes share one process, and a busy machine must not depose their leader. */
    private static ElectionClient.Builder calm() {
        return ElectionClient.builder().profile(Profile.CALM);
    }

    // Each is named by nobody, and none can reach another.
    @Test
    void fiftyOfThemAgree() throws Exception {
        try (OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3")) {
            for (String id : nodes.ids()) {
                nodes.start(id, calm().peers(nodes.addresses()).transport("tcp"));
            }
            List<LeaderLatch> guests = new ArrayList<>();
            for (int i = 1; i <= GUESTS; i++) {
                nodes.join("c" + i, "n1", calm());
                guests.add(nodes.latch("c" + i, PATH, "c" + i));
            }
            long token = 0;
            for (int change = 0; change < 3; change++) {
                LeaderLatch leader = nodes.awaitLeader(guests);
                assertThat(leader.fencingToken()).isGreaterThan(token);
                token = leader.fencingToken();
                int left = guests.size();
                nodes.await("all know who leads", () -> guests.stream()
                        .allMatch(guest -> guest.explain()
                                        .leader()
                                        .filter(known -> known.id().equals(leader.getId()))
                                        .isPresent()
                                && guest.explain().contenders().size() == left));
                guests.remove(leader);
                nodes.client(leader.getId()).close();
            }
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
