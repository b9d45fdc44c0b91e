package io.quorate.demo;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.Participant;
import io.quorate.history.HistoryFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * The application of the demo: holds one latch and says all the time whether it leads.
 *
 * <p>Arguments: node id, peers, algorithm, data directory, history file. Reads one command per line:
 * {@code participants} asks who contends, {@code close} hands leadership over and closes; the end of the input ends the
 * process. Writes one event per line, which {@link NodeProcess} reads.
 */
public final class DemoNode {

    /** What the nodes contend for. */
    static final String PATH = "/demo/leader";

    private final ElectionClient client;
    private final LeaderLatch latch;

    private DemoNode(ElectionClient client, LeaderLatch latch) {
        this.client = client;
        this.latch = latch;
    }

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws Exception {
        String id = arguments[0];
        ElectionClient client = ElectionClient.builder().clusterId("demo").nodeId(id).peers(arguments[1])
                .algorithm(arguments[2]).dataDirectory(Path.of(arguments[3])).build();
        LeaderLatch latch = new LeaderLatch(client, PATH, id);
        Path historyFile = Path.of(arguments[4]);
        HistoryFile history = HistoryFile.create(historyFile);
        Beliefs beliefs = new Beliefs(history, NodeFiles.client(historyFile), System.nanoTime());
        client.start();
        latch.start();
        say("started " + System.nanoTime());

        Thread poller = new Thread(new Poller(latch, DemoNode::say, beliefs), "poller");
        poller.setDaemon(true);
        poller.start();
        new DemoNode(client, latch).obey();
        // Not closed first: whoever ends the input is done with the cluster and wants no further hand-over.
        Runtime.getRuntime().halt(0);
    }

    private void obey() throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String command = commands.readLine();
        while (command != null) {
            switch (command) {
                case "participants" -> say("participants " + participants());
                case "close" -> {
                    say("closing " + System.nanoTime());
                    client.close();
                    say("closed " + System.nanoTime());
                }
                default -> throw new IllegalArgumentException("unknown command: " + command);
            }
            command = commands.readLine();
        }
    }

    private String participants() {
        try {
            return latch.getParticipants().stream().map(Participant::getId).collect(Collectors.joining(" "));
        } catch (Exception e) {
            // Justification: getParticipants declares it, as Curator's does. The parent asks again, up to its deadline.
            e.printStackTrace();
            return "";
        }
    }

    // One write per line, so that a line is whole or absent when the process is killed.
    private static synchronized void say(String event) {
        byte[] line = (event + "\n").getBytes(StandardCharsets.UTF_8);
        System.out.write(line, 0, line.length);
        System.out.flush();
    }
}
