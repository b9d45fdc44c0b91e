package com.example.users;

import java.io.Closeable;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.CancelLeadershipException;
import org.apache.curator.framework.recipes.leader.LeaderSelector;
import org.apache.curator.framework.recipes.leader.LeaderSelectorListener;
import org.apache.curator.framework.state.ConnectionState;

/** Works until it is interrupted, then lets another one work. */
public class TurnTaker implements LeaderSelectorListener, Closeable {

    private final LeaderSelector selector;
    private final Runnable work;

    public TurnTaker(CuratorFramework client, String path, Runnable work) {
        this.work = work;
        this.selector = new LeaderSelector(client, path, this);
        selector.autoRequeue();
    }

    public void start() {
        selector.start();
    }

    @Override
    public void takeLeadership(CuratorFramework client) throws Exception {
        while (!Thread.currentThread().isInterrupted()) {
            work.run();
        }
    }

    @Override
    public void stateChanged(CuratorFramework client, ConnectionState newState) {
        if (newState == ConnectionState.SUSPENDED || newState == ConnectionState.LOST) {
            throw new CancelLeadershipException();
        }
    }

    @Override
    public void close() {
        selector.close();
    }
}
