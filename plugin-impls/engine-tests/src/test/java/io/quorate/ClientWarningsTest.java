package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.runtime.FileTermStore;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.simulation.HighestUp;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client that is made says of its configuration, and what it does not say. The class path is this test's. */
class ClientWarningsTest {

    private static final String SECRET = "correct horse battery staple";

    private final ClassLoader original = Thread.currentThread().getContextClassLoader();

    @TempDir
    private Path directory;

    /** Carries nothing. */
    public static final class Nowhere implements TransportProvider {
        @Override
        public String name() {
            return "nowhere";
        }

        @Override
        public Transport create(Settings settings) {
            return new Transport() {
                @Override
                public void start(Receiver receiver) {
                    // Nothing arrives.
                }

                @Override
                public void send(NodeId to, byte[] frame) {
                    // Nothing leaves.
                }

                @Override
                public void close() {
                    // Nothing was opened.
                }

                @Override
                public Optional<Instant> certificateEnd() {
                    return Optional.of(Instant.EPOCH);
                }
            };
        }
    }

    @BeforeEach
    void provide() throws IOException {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(TransportProvider.class.getName()), Nowhere.class.getName());
        Files.writeString(services.resolve(ElectionAlgorithm.class.getName()), HighestUp.class.getName());
        Thread.currentThread()
                .setContextClassLoader(
                        new URLClassLoader(new URL[] {directory.toUri().toURL()}, original));
    }

    @AfterEach
    void restore() throws IOException {
        ((URLClassLoader) Thread.currentThread().getContextClassLoader()).close();
        Thread.currentThread().setContextClassLoader(original);
    }

    private static ElectionClient.Builder node() {
        return ElectionClient.builder()
                .algorithm(new HighestUp().name())
                .transport("nowhere")
                .from(Map.of("QUORATE_NODE_ID", "n1", "QUORATE_PEERS", "n1=h1:1,n2=h2:1,n3=h3:1"));
    }

    /** What is logged while such a client is made, runs and is closed. */
    private static List<String> logged(ElectionClient.Builder builder) {
        try (CapturedLog log = CapturedLog.atInfo(ElectionClient.class)) {
            ElectionClient client = builder.build();
            client.start();
            client.close();
            return log.lines();
        }
    }

    @Test
    void aDataDirectoryHoldsTheTermsOfThisNodeOfThisCluster() throws IOException {
        Path data = directory.resolve("data");
        logged(node().clusterId("c").from(Map.of("QUORATE_DATA_DIRECTORY", data.toString())));
        try (FileTermStore store = new FileTermStore(data, new NodeId("n1"), "c")) {
            assertThat(store.open().termCeiling()).isPositive();
        }
    }

    @Test
    void aClientKnowsTheEndOfItsCertificate() {
        try (ElectionClient client = node().build()) {
            assertThat(client.certificateEnd()).contains(Instant.EPOCH);
        }
    }

    // A transport that is the only one need not be named; one that is named is not replaced by another.
    @Test
    void theOnlyTransportIsTakenUnlessAnotherIsNamed() {
        Map<String, String> settings =
                Map.of("QUORATE_NODE_ID", "n1", "QUORATE_PEERS", "n1=h1:1", "QUORATE_PLAINTEXT", "true");
        String algorithm = new HighestUp().name();
        ElectionClient.builder().algorithm(algorithm).from(settings).build().close();
        assertThatIllegalArgumentException()
                .isThrownBy(ElectionClient.builder()
                        .algorithm(algorithm)
                        .transport("vertx")
                        .from(settings)::build)
                .withMessageStartingWith("transport 'vertx': is not on the class path; found nowhere (");
    }

    private static List<String> warnings(List<String> lines) {
        return lines.stream().filter(line -> line.startsWith("WARN")).toList();
    }

    @Test
    void plainTextIsWarnedOfOnce() {
        assertThat(warnings(logged(node())))
                .singleElement()
                .asString()
                .contains("Node n1: neither secret nor TLS, and addresses beyond this machine, such as h1:1");
    }

    @Test
    void explicitPlainTextIsNotWarnedAbout() {
        assertThat(warnings(logged(node().from(Map.of("QUORATE_PLAINTEXT", "true")))))
                .isEmpty();
    }

    @Test
    void aSecretIsInNoLine() {
        List<String> lines = logged(node().secret(SECRET.getBytes(StandardCharsets.UTF_8)));
        assertThat(warnings(lines)).isEmpty();
        assertThat(lines).isNotEmpty().noneMatch(line -> line.contains("horse"));
    }

    @Test
    void variablesThatAreNoSettingsAreWarnedOf() {
        assertThat(warnings(
                        logged(node().from(Map.of("QUORATE_PLAINTEXT", "true", "QUORATE_SERVICE_HOST", "10.0.0.1")))))
                .singleElement()
                .asString()
                .contains("Node n1: variables of the environment that are no settings: QUORATE_SERVICE_HOST");
    }
}
