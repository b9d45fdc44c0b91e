package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.Health;
import io.quorate.LeaderLatch;
import io.quorate.Voters;
import io.quorate.demo.Cluster;
import io.quorate.runtime.StoredVoters;
import io.quorate.testkit.RealTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/operations.md#voters, and what is left when a majority is lost; over sockets and with files. */
@RealTime
class ChangeOfVotersInOneJvmTest {

    private static final String PATH = "/app/leader";

    /** Of one attempt: what a voter has stored would count in the next one. */
    private Path directory;

    private ElectionClient.Builder durable(String id) {
        return ElectionClient.builder().transport("tcp").dataDirectory(directory.resolve(id));
    }

    private ElectionClient startNewcomer(OneJvm nodes, String address) {
        Map<String, String> peers =
                new LinkedHashMap<>(Map.of("n1", nodes.addresses().get("n1"), "n4", address));
        return nodes.start("n4", durable("n4").peers(peers).joins(true));
    }

    private static Voters change(ElectionClient client, String... voters) throws Exception {
        return client.changeVoters(client.voters().number(), voters)
                .toCompletableFuture()
                .get(600, TimeUnit.SECONDS);
    }

    private static void awaitUp(OneJvm nodes, String id) {
        nodes.await(id + " is up", () -> nodes.client(id).health().isReady(Health.Readiness.CONNECTED));
    }

    @Test
    void aVoterIsReplacedAndAMajorityThatIsLostIsNotNeeded(@TempDir Path root) throws Exception {
        directory = Files.createTempDirectory(root, "attempt");
        String newcomer = Cluster.freeAddresses(List.of("n4")).get("n4");
        long token;
        try (OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3")) {
            for (String id : nodes.ids()) {
                nodes.start(id, durable(id).peers(nodes.addresses()));
            }
            LeaderLatch leader = nodes.latch("n1", PATH, "n1");
            nodes.awaitLeader(List.of(leader));
            token = leader.fencingToken();
            startNewcomer(nodes, newcomer);
            awaitUp(nodes, "n4");
            assertThat(change(nodes.client("n2"), "n1", "n2", "n4=" + newcomer)).hasToString("number 3: [n1, n2, n4]");
            assertThat(leader.fencingToken()).isEqualTo(token);
            nodes.client("n3").close();
            nodes.await(
                    "the new one supports the leader",
                    () -> leader.explain().supporters().equals(List.of("n1", "n2", "n4")));
            // It has stored who votes, and needs the settings no more.
            nodes.client("n4").close();
            startNewcomer(nodes, newcomer);
            assertThat(nodes.client("n4").voters()).hasToString("number 3: [n1, n2, n4]");
            nodes.await("it votes again", () -> leader.explain().supporters().contains("n4"));
        }
        long floor = token + 1_000_000;
        try (StoredVoters stored = StoredVoters.open(directory.resolve("n4"))) {
            assertThat(stored.nodeId()).isEqualTo("n4");
            assertThat(stored.leftOut(List.of("n4"))).containsExactly("n1", "n2");
            assertThat(stored.force(floor, List.of("n4"))).hasToString("number 1000003: [n4]");
        }
        try (OneJvm nodes = new OneJvm("ballot", "n1")) {
            startNewcomer(nodes, newcomer);
            LeaderLatch alone = nodes.latch("n4", PATH, "n4");
            nodes.awaitLeader(List.of(alone));
            assertThat(alone.fencingToken()).isGreaterThan(floor).isGreaterThan(1L << 32);
            assertThat(nodes.client("n4").voters()).hasToString("number 1000003: [n4]");
        }
    }

    // docs/kubernetes.md#a-volume-that-is-lost: a pod keeps its name, so the node keeps its id and its settings.
    @Test
    void aVoterThatLostItsDirectoryVotesAgainUnderItsId(@TempDir Path root) throws Exception {
        directory = Files.createTempDirectory(root, "attempt");
        try (OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3")) {
            for (String id : nodes.ids()) {
                nodes.start(id, durable(id).peers(nodes.addresses()));
            }
            LeaderLatch leader = nodes.latch("n2", PATH, "n2");
            nodes.awaitLeader(List.of(leader));
            long token = leader.fencingToken();
            nodes.client("n1").close();
            assertThat(change(nodes.client("n2"), "n2", "n3")).hasToString("number 2: [n2, n3]");
            Files.move(directory.resolve("n1"), directory.resolve("lost"));
            nodes.start("n1", durable("n1").peers(nodes.addresses()));
            nodes.await("it knows who votes", () -> nodes.client("n1").voters().number() == 2);
            assertThat(change(nodes.client("n2"), "n1", "n2", "n3")).hasToString("number 3: [n1, n2, n3]");
            nodes.client("n3").close();
            nodes.await(
                    "it supports the leader",
                    () -> leader.explain().supporters().equals(List.of("n1", "n2")));
            assertThat(leader.fencingToken()).isEqualTo(token);
        }
    }

    // docs/kubernetes.md#from-three-pods-to-five: the new pods have the settings of the others, which name who votes.
    @Test
    void nodesWithTheSettingsOfTheOthersComeToVote(@TempDir Path root) throws Exception {
        directory = Files.createTempDirectory(root, "attempt");
        try (OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3", "n4", "n5")) {
            for (String id : nodes.ids()) {
                nodes.start(id, durable(id).peers(nodes.addresses()).voters("n1", "n2", "n3"));
            }
            LeaderLatch leader = nodes.latch("n1", PATH, "n1");
            nodes.awaitLeader(List.of(leader));
            long token = leader.fencingToken();
            awaitUp(nodes, "n4");
            awaitUp(nodes, "n5");
            assertThat(change(nodes.client("n2"), "n1", "n2", "n3", "n4", "n5"))
                    .hasToString("number 3: [n1, n2, n3, n4, n5]");
            nodes.client("n2").close();
            nodes.client("n3").close();
            nodes.await(
                    "the new ones support the leader",
                    () -> leader.explain().supporters().equals(List.of("n1", "n4", "n5")));
            assertThat(leader.fencingToken()).isEqualTo(token);
        }
    }

    // There each node names all others, and nobody needs an address with the list.
    @Test
    void aVoterIsReplacedOverTheEventBus(@TempDir Path root) throws Exception {
        directory = Files.createTempDirectory(root, "attempt");
        try (OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3", "n4")) {
            for (String id : nodes.ids()) {
                ElectionClient.Builder described = ElectionClient.builder()
                        .transport("vertx")
                        .dataDirectory(directory.resolve(id))
                        .peers(nodes.addresses());
                nodes.start(id, id.equals("n4") ? described.joins(true) : described.voters("n1", "n2", "n3"));
            }
            LeaderLatch leader = nodes.latch("n1", PATH, "n1");
            nodes.awaitLeader(List.of(leader));
            long token = leader.fencingToken();
            awaitUp(nodes, "n4");
            assertThat(change(nodes.client("n1"), "n1", "n2", "n4")).hasToString("number 3: [n1, n2, n4]");
            nodes.client("n3").close();
            nodes.await(
                    "the new one supports the leader",
                    () -> leader.explain().supporters().equals(List.of("n1", "n2", "n4")));
            assertThat(leader.fencingToken()).isEqualTo(token);
        }
    }
}
