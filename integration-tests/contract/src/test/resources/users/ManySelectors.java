package com.example.users;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderSelector;
import org.apache.curator.framework.recipes.leader.LeaderSelectorListenerAdapter;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.curator.utils.CloseableExecutorService;

/** Selectors with each kind of threads, and a listener that must not be wrapped. */
public class ManySelectors {

    /** Counts losses. */
    public static final class Losses implements ConnectionStateListener {
        private volatile int count;

        @Override
        public void stateChanged(CuratorFramework client, ConnectionState newState) {
            if (newState == ConnectionState.LOST) {
                count++;
            }
        }

        @Override
        public boolean doNotProxy() {
            return true;
        }

        public int count() {
            return count;
        }
    }

    private static final class Nothing extends LeaderSelectorListenerAdapter {
        @Override
        public void takeLeadership(CuratorFramework client) {}
    }

    private ManySelectors() {}

    public static LeaderSelector onThreads(CuratorFramework client, ExecutorService threads) {
        return new LeaderSelector(client, "/a", threads, new Nothing());
    }

    public static LeaderSelector onClosingThreads(CuratorFramework client, ExecutorService threads) {
        return new LeaderSelector(client, "/b", new CloseableExecutorService(threads), new Nothing());
    }

    @SuppressWarnings("deprecation")
    public static LeaderSelector onFactory(CuratorFramework client, ThreadFactory factory, Executor executor) {
        return new LeaderSelector(client, "/c", factory, executor, new Nothing());
    }
}
