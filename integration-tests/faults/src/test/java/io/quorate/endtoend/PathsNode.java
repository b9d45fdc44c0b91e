package io.quorate.endtoend;

import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.ops.OpsServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A process with a latch on each of many paths, {@code /many/0} and so on, whose id is that of its node. Arguments: node
 * id, peers, how many paths, a file with a token, the support time.
 *
 * <p>It says {@code http PORT} when its latches are started, and {@code lost} when it loses the voters. {@code led}
 * asks how many paths it leads. The end of the input ends the process.
 */
public final class PathsNode {

    private PathsNode() {}

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        ElectionClient client = ElectionClient.builder()
                .nodeId(arguments[0])
                .peers(arguments[1])
                .transport("tcp")
                .supportDuration(Duration.parse(arguments[4]))
                .build();
        client.getConnectionStateListenable().addListener((who, state) -> {
            if (state == ConnectionState.LOST) {
                out.println("lost");
            }
        });
        client.start();
        for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
            new LeaderLatch(client, "/many/" + i, arguments[0]).start();
        }
        OpsServer server = OpsServer.builder(client)
                .port(0)
                .tokenFile(Path.of(arguments[3]))
                .start();
        out.println("http " + server.address().getPort());
        obey(client, out);
        Runtime.getRuntime().halt(0);
    }

    private static void obey(ElectionClient client, PrintStream out) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            if (!command.equals("led")) {
                throw new IllegalArgumentException("unknown command: " + command);
            }
            out.println("led " + client.health().leads().size());
        }
    }
}
