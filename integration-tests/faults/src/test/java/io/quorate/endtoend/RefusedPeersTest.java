package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.cli.Quorate;
import io.quorate.ops.OpsServer;
import io.quorate.ops.QuorateMeters;
import io.quorate.process.ChildJvm;
import io.quorate.process.ChildJvms;
import io.quorate.spi.Problem;
import io.quorate.testkit.RealTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/operations.md#problems, in the outage that they are for. One of three nodes over sockets has another secret than
 * the others. Each view of an operator names the secret, on both sides, until it is repaired.
 */
@RealTime
class RefusedPeersTest {

    private static final String PATH = "/app/leader";
    private static final byte[] SECRET = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OTHER = "fedcba9876543210fedcba9876543210".getBytes(StandardCharsets.US_ASCII);

    private final OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3");
    private final ChildJvms commands = new ChildJvms();
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        commands.close();
        nodes.close();
    }

    private ElectionClient start(String node, byte[] secret) {
        return nodes.start(
                node,
                ElectionClient.builder()
                        .peers(nodes.addresses())
                        .transport("tcp")
                        .secret(secret));
    }

    private String get(OpsServer server, String endpoint) {
        try {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                            + server.address().getPort() + endpoint))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** The output of the operators' command about this node. */
    private String status(OpsServer server, Path directory) throws InterruptedException {
        ChildJvm command = commands.add(ChildJvm.start(
                "quorate",
                ChildJvm.Command.of(
                        Quorate.class,
                        List.of(
                                "status",
                                "--timeout",
                                "60s",
                                "--url",
                                "http://127.0.0.1:" + server.address().getPort()),
                        ChildJvm.SMALL),
                directory.resolve("status-" + server.address().getPort() + ".log")));
        command.awaitExit();
        return String.join("\n", command.output());
    }

    private static double meter(ElectionClient client) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (QuorateMeters meters = new QuorateMeters(client)) {
            meters.bindTo(registry);
            return registry.get("quorate.problems")
                    .tag("kind", "secret")
                    .gauge()
                    .value();
        }
    }

    private void assertNamed(ElectionClient client, LeaderLatch latch, Path directory) throws InterruptedException {
        assertThat(client.health().reason()).contains("secret");
        assertThat(latch.explain().toString()).contains("secret");
        assertThat(meter(client)).isPositive();
        try (OpsServer server = OpsServer.builder(client).port(0).start()) {
            assertThat(get(server, "/ready")).contains("secret");
            assertThat(get(server, "/live")).contains("secret");
            assertThat(get(server, "/status")).contains("\"problems\"").contains("secret");
            assertThat(status(server, directory)).contains("secret");
        }
    }

    private static boolean hasSecretProblem(ElectionClient client) {
        return client.problems().stream().anyMatch(problem -> problem.kind() == Problem.Kind.SECRET);
    }

    @Test
    void eachSideNamesTheSecretWhereverAnOperatorLooks(@TempDir Path directory) throws Exception {
        ElectionClient first = start("n1", SECRET);
        ElectionClient second = start("n2", SECRET);
        ElectionClient wrong = start("n3", OTHER);
        LeaderLatch ofFirst = nodes.latch("n1", PATH, "n1");
        LeaderLatch ofWrong = nodes.latch("n3", PATH, "n3");
        nodes.await("each side knows", () -> List.of(first, second, wrong).stream()
                .allMatch(RefusedPeersTest::hasSecretProblem));
        nodes.await("the two with one secret have a leader", ofFirst::hasLeadership);
        assertThat(ofWrong.hasLeadership()).isFalse();
        assertNamed(wrong, ofWrong, directory);
        assertNamed(first, ofFirst, directory);

        OneJvm.close(ofWrong);
        wrong.close();
        ElectionClient repaired = start("n3", SECRET);
        nodes.await("nothing is refused", () -> List.of(first, second, repaired).stream()
                .allMatch(client -> client.problems().isEmpty()
                        && client.health().supporters().size() == 3));
        assertThat(first.health().reason()).doesNotContain("secret");
        assertThat(meter(first)).isZero();
        assertThat(meter(repaired)).isZero();
    }
}
