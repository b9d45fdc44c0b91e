package io.quorate.endtoend;

import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatchListener;
import io.quorate.ops.OpsServer;
import io.quorate.process.NodeMain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process with a latch on each of many paths, {@code /many/0} and so on, whose id is that of its node. Arguments: node
 * id, peers, data directory, the support time, and, if it is to serve operations, a file with a token.
 *
 * <p>It says {@code ready PORT} when it has started, {@code lost} each time it loses the voters, and answers each
 * command with its first word. The end of the input ends the process.
 */
public final class PathsNode {

    private final List<LeaderLatch> latches = new ArrayList<>();
    private final AtomicInteger led = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final String id;
    private final ElectionClient client;

    private PathsNode(String[] arguments) {
        id = arguments[0];
        client = NodeMain.client(arguments)
                .supportDuration(Duration.parse(arguments[3]))
                .build();
        client.getConnectionStateListenable().addListener((who, state) -> {
            if (state == ConnectionState.LOST) {
                NodeMain.say("lost");
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
        NodeMain.say("ready " + port);
        NodeMain.obeyToTheEnd(node::obey);
    }

    private void obey(String[] words) throws Exception {
        switch (words[0]) {
            case "open" -> open(Integer.parseInt(words[1]));
            case "close" -> {
                for (LeaderLatch latch : latches) {
                    latch.close();
                }
                latches.clear();
                NodeMain.say("close");
            }
            // How many it leads, and how many leaderships have ended.
            case "led" -> NodeMain.say("led " + led + " " + ended);
            // Whether each path has so many contenders, as far as one of a hundred tells.
            case "contended" -> NodeMain.say("contended " + areContended(Integer.parseInt(words[1])));
            case "voters" ->
                client.changeVoters(client.voters().number(), words[1].split(","))
                        .whenComplete(
                                (voters, failure) -> NodeMain.say("voters " + (failure == null ? voters : failure)));
            case "stop" -> {
                client.close();
                NodeMain.say("stop");
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
        NodeMain.say("open");
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
