package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ElectionClient;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bad settings are refused, each with its value and its rule. */
class OpsServerSettingsTest {

    private final ElectionClient client = Clients.over(new FakeEngine());

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        client.close();
    }

    private OpsServer.Builder builder() {
        return OpsServer.builder(client).port(0);
    }

    private static void assertRefused(OpsServer.Builder builder, String... faults) {
        assertThatIllegalArgumentException()
                .isThrownBy(builder::start)
                .withMessage("Bad configuration: " + String.join("; ", faults));
    }

    @Test
    void itListensOnThisMachineAlone() {
        try (OpsServer server = builder().start()) {
            assertThat(server.address().getAddress().getHostAddress()).isEqualTo("127.0.0.1");
            assertThat(server.address().getPort()).isPositive();
        }
        try (OpsServer server = builder().address("localhost").start()) {
            assertThat(server.address().getAddress().isLoopbackAddress()).isTrue();
        }
    }

    @Test
    void thePortIsRequired() {
        assertRefused(OpsServer.builder(client), "port -1: must be 0 to 65535; 0 takes a free one");
        assertRefused(builder().port(65536), "port 65536: must be 0 to 65535; 0 takes a free one");
    }

    @Test
    void theTimeoutHasARange() {
        assertRefused(builder().timeout(Duration.ZERO), "timeout PT0S: must be more than 0, and at most PT1H");
        assertRefused(
                builder().timeout(Duration.ofHours(1).plusNanos(1)),
                "timeout PT1H0.000000001S: must be more than 0, and at most PT1H");
    }

    @Test
    void theAddressIsOneOfThisMachine() {
        assertRefused(builder().address(" "), "address ' ': must be a name or an address of this machine");
        assertRefused(builder().address("[::1"), "address '[::1': must be a name or an address of this machine");
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        try (OpsServer first = builder().start()) {
            int taken = first.address().getPort();
            assertThatThrownBy(() -> builder().port(taken).start())
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageStartingWith("cannot listen at 127.0.0.1:" + taken + ": ");
        }
    }

    @Test
    void theTokenFileIsRead() throws IOException {
        Path missing = folder.resolve("missing");
        assertThatIllegalArgumentException()
                .isThrownBy(builder().tokenFile(missing)::start)
                .withMessageStartingWith("Bad configuration: tokenFile '" + missing
                        + "': cannot be read: java.nio.file.NoSuchFileException");
        assertThatIllegalArgumentException()
                .isThrownBy(builder().tokenFile(folder)::start)
                .withMessageStartingWith("Bad configuration: tokenFile '" + folder + "': cannot be read: ");
    }

    private void assertNoToken(String content, String fault) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), content);
        assertRefused(
                builder().tokenFile(file),
                "tokenFile '" + file + "': " + fault + ": must be one line of 16 or more letters, digits and -._~+/,"
                        + " as openssl rand -base64 32 makes it");
    }

    @Test
    void theTokenFileHoldsAToken() throws IOException {
        assertNoToken("", "is empty");
        assertNoToken(" \r\n", "is empty");
        assertNoToken("fifteen-letters", "has no token");
        assertNoToken("sixteen-letters!!!", "has no token");
        assertNoToken("two-lines-of-the\nlength-of-a-token", "has no token");
        for (String content : new String[] {"sixteen-letters0", "sixteen-letters0==\r\n", "x".repeat(4096)}) {
            Path file = Files.writeString(folder.resolve("token"), content);
            builder().tokenFile(file).start().close();
        }
    }

    @Test
    @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theTokenFileIsAFileOfText() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        for (Path file : List.of(pipe, Path.of("/dev/zero"))) {
            assertRefused(
                    builder().tokenFile(file),
                    "tokenFile '" + file + "': cannot be read: must be a regular file, or a link to one");
        }
        Path token = Files.writeString(folder.resolve("token"), "x".repeat(4097));
        assertRefused(
                builder().tokenFile(token),
                "tokenFile '" + token + "': is longer than 4096 bytes: must be another file");
        Files.writeString(token, "\uFEFFsixteen-letters0");
        assertRefused(
                builder().tokenFile(token),
                "tokenFile '" + token
                        + "': begins with a byte order mark, the bytes EF BB BF: must be text without one");
    }

    @Test
    void aTokenFileThatEveryUserMayReadOrChangeIsWarnedOf() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "sixteen-letters0");
        try (CapturedLog log = new CapturedLog()) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
            builder().tokenFile(file).start().close();
            // Jetty has a line of its own when it is closed before its first thread has run.
            assertThat(log.lines("WARN io.quorate")).isEmpty();
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--rw-"));
            builder().tokenFile(file).start().close();
            assertThat(log.lines("WARN io.quorate"))
                    .singleElement()
                    .asString()
                    .contains("tokenFile '" + file + "': can be read and changed by every user of this machine");
        }
    }

    @Test
    void aTokenLeavesThisMachineOverHttpsOnly() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "sixteen-letters0");
        assertRefused(
                builder().address("0.0.0.0").tokenFile(file),
                "tokenFile '" + file + "': must not be set with address '0.0.0.0', which is no loopback address, unless"
                        + " tls is set: the token would travel in plain text");
    }

    @Test
    void allFaultsAreNamedAtOnce() {
        Path missing = folder.resolve("missing");
        assertRefused(
                OpsServer.builder(client).address("").timeout(Duration.ZERO).tokenFile(missing),
                "port -1: must be 0 to 65535; 0 takes a free one",
                "timeout PT0S: must be more than 0, and at most PT1H",
                "address '': must be a name or an address of this machine",
                "tokenFile '" + missing + "': cannot be read: java.nio.file.NoSuchFileException: " + missing);
    }

    @Test
    void nullIsRefusedAtOnce() {
        assertThatNullPointerException()
                .isThrownBy(() -> OpsServer.builder(null))
                .withMessage("client");
        assertThatNullPointerException()
                .isThrownBy(() -> builder().address(null))
                .withMessage("address");
        assertThatNullPointerException()
                .isThrownBy(() -> builder().tokenFile(null))
                .withMessage("tokenFile");
        assertThatNullPointerException()
                .isThrownBy(() -> builder().timeout(null))
                .withMessage("timeout");
    }
}
