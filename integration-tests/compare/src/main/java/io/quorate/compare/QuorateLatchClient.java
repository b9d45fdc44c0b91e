package io.quorate.compare;

import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.demo.PluginNames;
import java.nio.file.Path;
import java.time.Duration;

/** Quorate, with times in proportion to those of its default profile. */
final class QuorateLatchClient implements LatchClient {

    private final String id;
    private final ElectionClient client;

    /** @param detectionMillis how long a voter supports a node that it does not hear */
    // Justification: one parameter per argument of the process.
    QuorateLatchClient(String id, String peers, String voters, int detectionMillis, PluginNames plugins, Path data) {
        this.id = id;
        this.client = ElectionClient.builder()
                .clusterId("compare")
                .nodeId(id)
                .peers(peers)
                .voters(voters.split(","))
                .algorithm(plugins.algorithm())
                .transport(plugins.transport())
                .heartbeat(heartbeat(detectionMillis))
                .supportDuration(Duration.ofMillis(detectionMillis))
                .dataDirectory(data)
                .build();
    }

    /** In proportion to the default profile. */
    static Duration heartbeat(int detectionMillis) {
        return Duration.ofMillis(detectionMillis * 15L / 100);
    }

    @Override
    public void connect(Runnable onSuspended, Runnable onLost) throws Exception {
        client.getConnectionStateListenable().addListener((source, state) -> {
            if (state == ConnectionState.SUSPENDED) {
                onSuspended.run();
            } else if (state == ConnectionState.LOST) {
                onLost.run();
            }
        });
        client.start();
        client.blockUntilConnected();
    }

    @Override
    public Latch open(String path, Runnable onLeader, Runnable onLost) throws Exception {
        LeaderLatch latch = new LeaderLatch(client, path, id, LeaderLatch.CloseMode.NOTIFY_LEADER);
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                onLeader.run();
            }

            @Override
            public void notLeader() {
                onLost.run();
            }
        });
        latch.start();
        return new Latch() {
            @Override
            public boolean hasLeadership() {
                return latch.hasLeadership();
            }

            @Override
            public void close() throws Exception {
                latch.close();
            }

            @Override
            public String leader() throws Exception {
                return latch.getLeader().getId();
            }

            @Override
            public int participants() throws Exception {
                return latch.getParticipants().size();
            }
        };
    }
}
