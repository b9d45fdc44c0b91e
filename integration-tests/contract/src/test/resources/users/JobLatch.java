package com.example.users;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;

/** A latch that counts its terms of office. */
public class JobLatch extends LeaderLatch {

    private final AtomicInteger terms = new AtomicInteger();

    public JobLatch(CuratorFramework client, String name, String id) {
        super(client, "/jobs/" + name, id, CloseMode.NOTIFY_LEADER);
        addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                terms.incrementAndGet();
            }

            @Override
            public void notLeader() {}
        });
    }

    @Override
    public void start() throws Exception {
        super.start();
        await();
    }

    @Override
    public void close() throws IOException {
        if (getState() == State.STARTED) {
            super.close();
        }
    }

    public int terms() {
        return terms.get();
    }
}
