package io.quorate.compare;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Curator, as its documentation shows it. */
final class CuratorLatchClient implements LatchClient {

    private static final int CONNECTION_TIMEOUT_MILLIS = 15_000;

    private final String id;
    private final CuratorFramework client;

    CuratorLatchClient(String id, String servers, int sessionTimeoutMillis) {
        this.id = id;
        this.client = CuratorFrameworkFactory.newClient(
                servers, sessionTimeoutMillis, CONNECTION_TIMEOUT_MILLIS, new ExponentialBackoffRetry(1000, 3));
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
