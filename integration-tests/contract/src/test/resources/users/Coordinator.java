package com.example.users;

import java.nio.charset.StandardCharsets;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;

/** Leads, and keeps data in ZooKeeper, all by one client. */
public class Coordinator {

    private final CuratorFramework client;
    private final LeaderLatch latch;
    private final InterProcessMutex mutex;
    private final CuratorCache plans;

    public Coordinator(CuratorFramework client) {
        this.client = client;
        this.latch = new LeaderLatch(client, "/plans/leader");
        this.mutex = new InterProcessMutex(client, "/plans/lock");
        this.plans = CuratorCache.build(client, "/plans/all");
    }

    public void publish(String plan) throws Exception {
        if (!latch.hasLeadership()) {
            return;
        }
        mutex.acquire();
        try {
            client.create()
                    .creatingParentsIfNeeded()
                    .withMode(CreateMode.PERSISTENT)
                    .forPath("/plans/all/current", plan.getBytes(StandardCharsets.UTF_8));
        } catch (KeeperException.NodeExistsException e) {
            client.setData().forPath("/plans/all/current", plan.getBytes(StandardCharsets.UTF_8));
        } finally {
            mutex.release();
        }
    }

    public long size() {
        return plans.size();
    }
}
