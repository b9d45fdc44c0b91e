package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.LeaderLatch;
import io.quorate.Profile;
import io.quorate.ops.OpsServer;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands and the endpoints of quorate-ops understand each other. The cluster lives in virtual time. */
class EndpointsTest {

    private static final String PATH = "/app/leader";

    @TempDir
    private Path directory;

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));
    private final List<LeaderLatch> latches = new ArrayList<>();
    private final List<OpsServer> servers = new ArrayList<>();
    private Path tokenFile;

    @BeforeEach
    void contend() throws Exception {
        tokenFile = Files.writeString(directory.resolve("token"), "0123456789abcdef");
        for (String node : cluster.nodes()) {
            LeaderLatch latch = new LeaderLatch(cluster.client(node), PATH, "latch of " + node);
            latch.start();
            cluster.awaitLeader(PATH);
            latches.add(latch);
            servers.add(OpsServer.builder(cluster.client(node))
                    .port(0)
                    .timeout(Duration.ofHours(1))
                    .tokenFile(tokenFile)
                    .start());
        }
        cluster.advance(Profile.DEFAULT.supportDuration());
    }

    @AfterEach
    void close() {
        servers.forEach(OpsServer::close);
        cluster.close();
    }

    /** Time passes while the command waits. */
    private Run run(String... arguments) throws InterruptedException, ExecutionException {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        for (OpsServer server : servers) {
            all.addAll(List.of("--url", "http://127.0.0.1:" + server.address().getPort()));
        }
        // Not on the common pool, which has one thread on two processors: the HTTP client answers there since JDK 25.
        CompletableFuture<Run> running = CompletableFuture.supplyAsync(
                () -> Run.of(all.toArray(String[]::new)), work -> new Thread(work).start());
        while (true) {
            try {
                // Justification: virtual time passes while the command waits.
                return running.get(1, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                cluster.advance(Duration.ofMillis(1));
            }
        }
    }

    private Run change(String... arguments) throws InterruptedException, ExecutionException {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of("--force", "--token-file", tokenFile.toString()));
        return run(all.toArray(String[]::new));
    }

    @Test
    void statusIsUnderstood() throws Exception {
        Run run = run("status");
        assertThat(run.out()).containsPattern("n1 +yes +UP +3 of 3 +" + PATH).contains("\nHEALTHY\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void theLeaderIsUnderstood() throws Exception {
        Run run = run("who", PATH);
        assertThat(run.out()).matches("latch of n1 on n1 leads /app/leader with token \\d+\\R");
        assertThat(run.exitCode()).isZero();
        assertThat(run("who", "/other").exitCode()).isEqualTo(1);
    }

    @Test
    void reasonsAreUnderstood() throws Exception {
        Run run = run("why", PATH);
        assertThat(run.out())
                .containsPattern(": it leads with token \\d+, for \\d+ ms more")
                .contains("contenders: latch of n1 on n1 (leader), latch of n2 on n2, latch of n3 on n3")
                .contains("supported by: n1, n2, n3; voters: n1, n2, n3");
        assertThat(run.exitCode()).isZero();
        assertThat(run("why", "/other").exitCode()).isEqualTo(1);
    }

    @Test
    void changesAreUnderstood() throws Exception {
        change("transfer", PATH, "latch of n3");
        cluster.advance(Profile.DEFAULT.supportDuration());
        Run run = run("log", PATH);
        assertThat(run.out())
                .containsPattern("n1 no longer leads with token \\d+: it was transferred to n3")
                .contains("n3 leads with token");
        assertThat(run.exitCode()).isZero();
        assertThat(run("log", "--limit", "200").exitCode()).isZero();
    }

    @Test
    void leadershipIsTransferred() throws Exception {
        Run run = change("transfer", PATH, "latch of n3");
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).matches("latch of n3 on n3 leads /app/leader with token \\d+\\R");
        assertThat(run("who", PATH).out()).startsWith("latch of n3 on n3 leads");
    }

    @Test
    void aLeaderThatLeavesIsUnderstood() throws Exception {
        latches.get(0).drain(leadership -> new CompletableFuture<Void>(), Duration.ofMinutes(9));
        latches.get(0).transferTo("latch of n3");
        cluster.advance(Duration.ofSeconds(1));
        String why = "its work is being finished, for PT9M at most: it was transferred to n3";
        assertThat(run("status").out()).contains("\nHEALTHY\n  n1 leaves /app/leader: " + why);
        assertThat(run("status", "-o", "json").out())
                .contains("\"leaving\":[{\"path\":\"/app/leader\",\"reason\":\"" + why)
                .contains("\"leaving\":[]");
        assertThat(run("who", PATH).out()).contains(", and leaves: " + why);
    }

    @Test
    void aSuccessorThatIsUnknownIsRefused() throws Exception {
        Run run = change("transfer", PATH, "nobody");
        assertThat(run.err()).contains(": answers 400: ").contains("nobody");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void aNodeIsPutOnStandby() throws Exception {
        assertThat(change("standby", "n2", "on").out()).isEqualTo("n2 is on standby\n");
        assertThat(run("status").out()).containsPattern("n2 +yes +STANDBY");
        assertThat(change("standby", "n2", "off").exitCode()).isZero();
        assertThat(run("status").out()).containsPattern("n2 +yes +UP");
    }

    @Test
    void aNodeIsGivenAnotherPriority() throws Exception {
        Run run = change("priority", "n2", "7");
        assertThat(run.out()).as(run.err()).isEqualTo("n2 has priority 7\n");
    }

    @Test
    void leadersAreMovedByRankAndEvenly() throws Exception {
        change("transfer", PATH, "latch of n3");
        cluster.advance(Profile.DEFAULT.supportDuration());
        assertThat(run("rebalance", "--dry-run", "--by", "priority").out())
                .contains("/app/leader  latch of n3 on n3  latch of n1 on n1  latch of n1 on n1 ranks best")
                .contains("n1    0      1\nn2    0      0\nn3    1      0\n");
        assertThat(change("rebalance").out()).endsWith("nothing to move\n");
        assertThat(change("rebalance", "--by", "priority").out()).endsWith("moved 1 path\n");
        assertThat(run("who", PATH).out()).startsWith("latch of n1 on n1 leads");
    }

    // Of another cluster, perhaps.
    @Test
    void anotherTokenIsRefused() throws Exception {
        Path other = Files.writeString(directory.resolve("other"), "fedcba9876543210");
        Run run = run("standby", "n2", "on", "--force", "--token-file", other.toString());
        assertThat(run.err()).contains(": answers 401: ");
        assertThat(run.exitCode()).isEqualTo(1);
    }
}
