package io.quorate.endtoend;

import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatchListener;
import io.quorate.ops.OpsServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process with a latch on each of many paths, {@code /many/0} and so on, whose id is that of its node. Arguments: node
 * id, peers, the support time, a folder for its data, and, if it is to serve operations, a file with a token.
 *
 * <p>It says {@code ready PORT} when it has started, {@code lost} each time it loses the voters, and answers each
 * command with its first word. The end of the input ends the process.
 */
public final class PathsNode {

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final List<LeaderLatch> latches = new ArrayList<>();
    private final AtomicInteger led = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final String id;
    private final ElectionClient client;

    private PathsNode(String[] arguments) {
        id = arguments[0];
        client = ElectionClient.builder()
                .nodeId(id)
                .peers(arguments[1])
                .transport("tcp")
                .supportDuration(Duration.parse(arguments[2]))
                .dataDirectory(Path.of(arguments[3]))
                .build();
        client.getConnectionStateListenable().addListener((who, state) -> {
            if (state == ConnectionState.LOST) {
                out.println("lost");
            }
        });
    }

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws Exception {
        PathsNode node = new PathsNode(arguments);
        node.client.start();
        int port = 0;
        if (arguments.length > 4) {
            OpsServer server = OpsServer.builder(node.client)
                    .port(0)
                    .tokenFile(Path.of(arguments[4]))
                    .start();
            port = server.address().getPort();
        }
        node.out.println("ready " + port);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            node.obey(command.split(" "));
        }
        Runtime.getRuntime().halt(0);
    }

    private void obey(String[] words) throws Exception {
        switch (words[0]) {
            case "open" -> open(Integer.parseInt(words[1]));
            case "close" -> {
                for (LeaderLatch latch : latches) {
                    latch.close();
                }
                latches.clear();
                out.println("close");
            }
            // How many it leads, and how many leaderships have ended.
            case "led" -> out.println("led " + led + " " + ended);
            // Whether each path has so many contenders, as far as one of a hundred tells.
            case "contended" -> out.println("contended " + areContended(Integer.parseInt(words[1])));
            case "voters" ->
                client.changeVoters(client.voters().number(), words[1].split(","))
                        .whenComplete(
                                (voters, failure) -> out.println("voters " + (failure == null ? voters : failure)));
            case "stop" -> {
                client.close();
                out.println("stop");
            }
            default -> throw new IllegalArgumentException("unknown command: " + String.join(" ", words));
        }
    }

    private void open(int paths) throws Exception {
        LeaderLatchListener counter = new LeaderLatchListener() {
            @Override
            public void isLeader() {
                led.incrementAndGet();
            }

            @Override
            public void notLeader() {
                led.decrementAndGet();
                ended.incrementAndGet();
            }
        };
        for (int i = 0; i < paths; i++) {
            LeaderLatch latch = new LeaderLatch(client, "/many/" + i, id, CloseMode.NOTIFY_LEADER);
            latch.addListener(counter);
            latch.start();
            latches.add(latch);
        }
        out.println("open");
    }

    private boolean areContended(int nodes) {
        try {
            for (int i = 0; i < latches.size(); i += 100) {
                if (latches.get(i).getParticipants().size() != nodes) {
                    return false;
                }
            }
            return true;
        } catch (Exception e) {
            // Justification: getParticipants declares it, as Curator's does; without a majority it has no answer.
            return false;
        }
    }
}
