package io.quorate.endtoend;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.ops.FlightEvents;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
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
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                if (command.equals("leads")) {
                    System.out.println("leads " + latch.hasLeadership());
                } else {
                    recording.dump(Path.of(command.substring("dump ".length())));
                    System.out.println("dumped");
                }
            }
        }
    }
}
