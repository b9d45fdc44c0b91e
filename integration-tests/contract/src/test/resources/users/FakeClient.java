package com.example.users;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.recipes.leader.LeaderLatch;

/** A client of a test, which is given its state, and one with a server. */
abstract class FakeClient implements CuratorFramework {

    private final AtomicBoolean isOpen = new AtomicBoolean();

    @Override
    public void start() {
        isOpen.set(true);
    }

    @Override
    public CuratorFrameworkState getState() {
        return isOpen.get() ? CuratorFrameworkState.STARTED : CuratorFrameworkState.LATENT;
    }

    /** {@link CuratorFramework} is what it stands for. */
    static LeaderLatch latch(CuratorFramework client) {
        LeaderLatch latch = new LeaderLatch(client, "/fake");
        return latch;
    }
}
