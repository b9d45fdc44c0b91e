package com.example.users;

import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.retry.RetryNTimes;
import org.apache.curator.utils.CloseableUtils;

/** Starts a client for others, and ends it. */
public class Connection implements AutoCloseable {

    private final CuratorFramework client;

    public Connection(String servers) throws InterruptedException {
        client = CuratorFrameworkFactory.newClient(servers, new RetryNTimes(3, 100));
        client.start();
        if (!client.blockUntilConnected(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("no connection to " + servers);
        }
    }

    public CuratorFramework client() {
        return client;
    }

    public boolean isUp() {
        return client.getState() == CuratorFrameworkState.STARTED
                && client.getZookeeperClient().isConnected();
    }

    @Override
    public void close() {
        CloseableUtils.closeQuietly(client);
    }
}
