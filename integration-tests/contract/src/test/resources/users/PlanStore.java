package com.example.users;

import java.nio.charset.StandardCharsets;
import org.apache.curator.framework.CuratorFramework;

/** Data in ZooKeeper, and no election. */
public class PlanStore {

    private final CuratorFramework client;

    public PlanStore(CuratorFramework client) {
        this.client = client;
    }

    public String read(String name) throws Exception {
        return new String(client.getData().forPath("/plans/" + name), StandardCharsets.UTF_8);
    }
}
