package com.example.users;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;

/** Elects below a namespace. */
public class BillingElection {

    private final LeaderLatch latch;

    public BillingElection(CuratorFramework client, String host) {
        CuratorFramework billing = client.usingNamespace("billing");
        latch = new LeaderLatch(billing, "/leader", host);
    }

    public void start() throws Exception {
        latch.start();
    }

    public boolean mayBill() {
        return latch.hasLeadership();
    }
}
