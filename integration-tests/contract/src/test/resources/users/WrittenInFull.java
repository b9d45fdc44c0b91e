package com.example.users;

import static org.apache.curator.framework.recipes.leader.LeaderLatch.CloseMode.NOTIFY_LEADER;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.*;
import org.apache.curator.framework.recipes.leader.*;

/** Latches by path, with imports of all and with full names. */
public class WrittenInFull {

    private final Map<String, LeaderLatch> latches = new ConcurrentHashMap<>();
    private final CuratorFramework client;

    public WrittenInFull(CuratorFramework client) {
        this.client = client;
        client.getConnectionStateListenable().addListener(this::changed);
    }

    private void changed(CuratorFramework source, org.apache.curator.framework.state.ConnectionState state) {
        if (state == org.apache.curator.framework.state.ConnectionState.LOST) {
            latches.clear();
        }
    }

    public Participant leader(String path) throws Exception {
        LeaderLatch latch = new LeaderLatch(client, path, "", NOTIFY_LEADER);
        latches.put(path, latch);
        latch.start();
        return latch.hasLeadership() ? new Participant(latch.getId(), true) : latch.getLeader();
    }

    public static Class<?> latchType() throws ClassNotFoundException {
        // Not in the recipes of org.apache.curator before 2.0.
        return Class.forName("org.apache.curator.framework.recipes.leader.LeaderLatch");
    }
}
