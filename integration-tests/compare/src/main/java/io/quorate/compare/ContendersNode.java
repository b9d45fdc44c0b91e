package io.quorate.compare;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.process.NodeMain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process with many nodes of Quorate that contend for one path and do not vote. Arguments: peers, voters, ids of the
 * nodes, detection time in ms, algorithm, transport. It says {@code = <path> <leader>} once all agree, and runs until its input
 * ends.
 */
public final class ContendersNode {

    static final String PATH = "/contenders";

    private ContendersNode() {}

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws Exception {
        List<LeaderLatch> latches = new ArrayList<>();
        for (String id : arguments[2].split(",")) {
            ElectionClient client = ElectionClient.builder()
                    .clusterId("compare")
                    .nodeId(id)
                    .peers(arguments[0])
                    .voters(arguments[1].split(","))
                    .algorithm(arguments[4])
                    .transport(arguments[5])
                    .heartbeat(QuorateLatchClient.heartbeat(Integer.parseInt(arguments[3])))
                    .supportDuration(Duration.ofMillis(Integer.parseInt(arguments[3])))
                    .build();
            client.start();
            LeaderLatch latch = new LeaderLatch(client, PATH, id);
            latch.start();
            latches.add(latch);
        }
        String leader = "";
        while (leader.isEmpty() || !agree(latches, leader)) {
            leader = latches.get(0).getLeader().getId();
        }
        NodeMain.say("= " + PATH + " " + leader);
        // Nobody says anything.
        NodeMain.obeyToTheEnd(words -> {});
    }

    private static boolean agree(List<LeaderLatch> latches, String leader) throws Exception {
        for (LeaderLatch latch : latches) {
            if (!latch.getLeader().getId().equals(leader)
                    || latch.getParticipants().size() != latches.size()) {
                TimeUnit.MILLISECONDS.sleep(20);
                return false;
            }
        }
        return true;
    }
}
