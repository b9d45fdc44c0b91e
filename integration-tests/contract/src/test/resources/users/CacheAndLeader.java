package com.example.users;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.PathChildrenCache;
import org.apache.curator.framework.recipes.cache.PathChildrenCacheEvent;
import org.apache.curator.framework.recipes.cache.PathChildrenCacheListener;
import org.apache.curator.framework.recipes.leader.LeaderSelector;
import org.apache.curator.framework.recipes.leader.LeaderSelectorListener;
import org.apache.curator.framework.state.ConnectionState;

/** Takes turns, and follows children of a node, each by its own client. */
@SuppressWarnings("deprecation")
public class CacheAndLeader implements LeaderSelectorListener, PathChildrenCacheListener {

    private final LeaderSelector selector;
    private final PathChildrenCache children;
    private final Map<String, String> seen = new ConcurrentHashMap<>();

    public CacheAndLeader(CuratorFramework elections, CuratorFramework zooKeeper) {
        this.selector = new LeaderSelector(elections, "/orders/turn", this);
        this.children = new PathChildrenCache(zooKeeper, "/orders/all", true);
        children.getListenable().addListener(this);
    }

    @Override
    public void takeLeadership(CuratorFramework client) throws Exception {
        children.start();
    }

    @Override
    public void stateChanged(CuratorFramework client, ConnectionState newState) {
        if (newState == ConnectionState.LOST) {
            seen.clear();
        }
    }

    @Override
    public void childEvent(CuratorFramework client, PathChildrenCacheEvent event) throws Exception {
        String path = event.getData().getPath();
        seen.put(path, new String(client.getData().forPath(path)));
    }

    public void start() {
        selector.start();
    }
}
