package com.example.users;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateErrorPolicy;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Makes clients with its own error policy. */
public final class StrictClient {

    /** Everything that is no good connection ends leadership. */
    private static final class Strict implements ConnectionStateErrorPolicy {
        @Override
        public boolean isErrorState(ConnectionState state) {
            return !state.isConnected();
        }
    }

    private StrictClient() {}

    public static CuratorFramework connect(String servers) {
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .sessionTimeoutMs(10_000)
                .connectionTimeoutMs(5_000)
                .retryPolicy(new ExponentialBackoffRetry(1_000, 3))
                .connectionStateErrorPolicy(new Strict())
                .build();
        client.start();
        return client;
    }
}
