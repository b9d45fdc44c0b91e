package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ElectionClient;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keeps a witness from starting. That one starts, votes and ends is shown by processes of their own. */
class VoterCommandTest {

    private static final String PEERS = "n1=127.0.0.1:7401,n2=127.0.0.1:7402,w=127.0.0.1:7403";

    @TempDir
    private Path directory;

    private static void assertRefused(Run run, String message) {
        assertThat(run.err()).startsWith("quorate voter: ").contains(message);
        assertThat(run.exitCode()).isEqualTo(64);
    }

    @Test
    void allFaultsOfTheSettingsAreSaid() {
        Run run = Run.of("voter", "--set", "quorate.node-id=w", "--set", "quorate.peer=x", "--set", "quorate.drift=99");
        assertRefused(run, "key quorate.peer: there is no such setting; the nearest is quorate.peers");
        assertThat(run.err()).contains("driftPercent 99: must be from 0 to 49").contains("peers: must be given");
    }

    @Test
    void otherKeysAreNoSettings() {
        assertRefused(Run.of("voter", "--set", "node-id=w"), "--set node-id: must be a key that begins with quorate.");
    }

    // It would be a process that does nothing at all.
    @Test
    void aWitnessIsAVoter() throws IOException {
        Path file = Files.writeString(directory.resolve("w.properties"), "quorate.node-id=w\nquorate.peers=" + PEERS);
        assertRefused(
                Run.of("voter", "--settings", file.toString(), "--set", "quorate.voters=n1,n2"),
                "nodeId 'w': must be one of the voters [n1, n2]: a witness does nothing but vote");
    }

    // The environment, then the file, then what is typed.
    @Test
    void theNearestSettingCounts() throws IOException {
        Path file =
                Files.writeString(directory.resolve("w.properties"), "quorate.node-id=of-file\nquorate.voters=n1\n");
        Map<String, String> environment = Map.of(
                "QUORATE_NODE_ID", "of-environment", "QUORATE_PEERS", PEERS, "QUORATE_VOTERS", "n2", "PATH", "x");
        assertRefused(Run.of(Run.NONE, environment, "voter"), "nodeId 'of-environment': must be one of the peers");
        assertRefused(
                Run.of(Run.NONE, environment, "voter", "--settings", file.toString()),
                "nodeId 'of-file': must be one of the peers");
        assertRefused(
                Run.of(Run.NONE, environment, "voter", "--settings", file.toString(), "--set", "quorate.node-id=n2"),
                "nodeId 'n2': must be one of the voters [n1]");
    }

    // The event bus is not in this jar, so the message names what is.
    @Test
    void theTransportIsTcp() {
        assertRefused(
                Run.of(
                        "voter",
                        "--set",
                        "quorate.node-id=w",
                        "--set",
                        "quorate.peers=" + PEERS,
                        "--set",
                        "quorate.transport=vertx"),
                "vertx");
    }

    private static Run withPort(int port, String... more) {
        String[] arguments = {
            "voter", "--set", "quorate.node-id=w", "--set", "quorate.peers=w=127.0.0.1:" + port, more[0], more[1]
        };
        return Run.of(arguments);
    }

    @Test
    void aPortThatIsTakenIsSaid() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Run node = withPort(taken.getLocalPort(), "--http", "0");
            assertThat(node.err()).startsWith("quorate voter: cannot start: ").contains("" + taken.getLocalPort());
            assertThat(node.exitCode()).isEqualTo(1);

            Run http = withPort(7403, "--http", "" + taken.getLocalPort());
            assertThat(http.err()).startsWith("quorate voter: cannot start: cannot listen at 127.0.0.1:");
            assertThat(http.exitCode()).isEqualTo(1);

            assertRefused(
                    withPort(7403, "--http", "65536"), "--http: Bad configuration: port 65536: must be 0 to 65535");
        }
    }

    // So that systemd starts another one, and the journal says why.
    @Test
    void aNodeThatStopsByItselfIsTheEnd() throws Exception {
        FakeEngine engine = new FakeEngine();
        try (ElectionClient client = Clients.over(engine)) {
            client.start();
            engine.fail(new IllegalStateException("two processes"));
            assertThatThrownBy(() -> VoterCommand.awaitEnd(client))
                    .isInstanceOfSatisfying(CommandFailed.class, end -> assertThat(end.exitCode())
                            .isEqualTo(1))
                    .hasMessage("the node has stopped by itself: two processes");
        }
        ElectionClient closed = Clients.over(new FakeEngine());
        closed.start();
        closed.close();
        assertThat(VoterCommand.awaitEnd(closed)).isZero();
    }

    @Test
    void aFileThatIsMissingIsSaid() {
        assertRefused(Run.of("voter", "--settings", directory + "/none"), "cannot be read");
    }
}
