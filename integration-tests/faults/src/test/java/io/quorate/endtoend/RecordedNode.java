package io.quorate.endtoend;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.ops.FlightEvents;
import io.quorate.process.NodeMain;
import java.nio.file.Path;
import jdk.jfr.Recording;

/**
 * A process that leads and is recorded. Arguments: node id, peers, path. The commands are {@code leads}, which asks, and
 * {@code dump FILE}; each has one line as its answer. The end of the input ends the process.
 */
public final class RecordedNode {

    private RecordedNode() {}

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws Exception {
        try (Recording recording = new Recording();
                ElectionClient client = ElectionClient.builder()
                        .nodeId(arguments[0])
                        .peers(arguments[1])
                        .transport("tcp")
                        .build()) {
            recording.enable("jdk.GarbageCollection");
            recording.start();
            client.addMonitor(new FlightEvents(client.nodeId()));
            client.start();
            LeaderLatch latch = new LeaderLatch(client, arguments[2], arguments[0]);
            latch.start();
            NodeMain.obey(words -> {
                if (words[0].equals("leads")) {
                    NodeMain.say("leads " + latch.hasLeadership());
                } else {
                    // The name of a folder may have blanks.
                    String file = String.join(" ", words).substring("dump ".length());
                    recording.dump(Path.of(file));
                    NodeMain.say("dump");
                }
            });
        }
    }
}
