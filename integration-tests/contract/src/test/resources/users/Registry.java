package com.example.users;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/** Announces itself in ZooKeeper, watches others there, and leads by another client. */
public class Registry {

    private final CuratorFramework data;
    private final CuratorFramework elections;
    private final LeaderLatch latch;
    private final ConnectionStateListener onData = new ConnectionStateListener() {
        @Override
        public void stateChanged(CuratorFramework client, ConnectionState newState) {
            if (newState == ConnectionState.RECONNECTED) {
                announce(client);
            }
        }
    };
    private final BackgroundCallback created = (client, event) -> changed(client, event.getPath());

    public Registry(CuratorFramework data, CuratorFramework elections, String id) {
        this.data = data;
        this.elections = elections;
        this.latch = new LeaderLatch(elections, "/registry/leader", id);
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                announce(data);
            }

            @Override
            public void notLeader() {}
        });
    }

    public void start() throws Exception {
        data.getConnectionStateListenable().addListener(onData);
        elections.getConnectionStateListenable().addListener(new ConnectionStateListener() {
            @Override
            public void stateChanged(CuratorFramework client, ConnectionState newState) {
                if (newState == ConnectionState.LOST) {
                    System.out.println("follower");
                }
            }
        });
        latch.start();
    }

    private void announce(CuratorFramework client) {
        try {
            client.create().withMode(CreateMode.EPHEMERAL).inBackground(created).forPath("/registry/" + latch.getId());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void changed(CuratorFramework client, String path) {
        Watcher watcher = this::onEvent;
        try {
            client.checkExists().usingWatcher(watcher).forPath(path);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void onEvent(WatchedEvent event) {
        if (event.getType() == Watcher.Event.EventType.NodeDeleted) {
            announce(data);
        }
    }
}
