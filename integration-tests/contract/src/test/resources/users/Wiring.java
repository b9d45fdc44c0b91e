package com.example.users;

import java.util.Objects;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;

/** Gives one client to all parts of an application. */
public class Wiring {

    private final CuratorFramework shared;

    public Wiring(CuratorFramework shared) {
        this.shared = Objects.requireNonNull(shared);
    }

    public JobLatch jobs(String id) {
        return new JobLatch(shared, "nightly", id);
    }

    public LeaderView view() {
        return new LeaderView(shared, "/jobs/nightly");
    }

    public PlanStore plans() {
        return new PlanStore(shared);
    }

    public InterProcessMutex mutex() {
        return new InterProcessMutex(shared, "/lock");
    }

    public static LeaderLatch alone(CuratorFramework client) {
        LeaderLatch latch = new LeaderLatch(client, "/alone");
        client.start();
        return latch;
    }
}
