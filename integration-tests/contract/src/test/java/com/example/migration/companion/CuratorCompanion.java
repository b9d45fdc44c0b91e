package com.example.migration.companion;

import io.quorate.tandem.Companion;
import java.io.IOException;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.framework.recipes.leader.Participant;

/** A latch of Curator, which can be started once: there is a new one each time. */
public final class CuratorCompanion implements Companion {

    private final CuratorFramework zooKeeper;
    private final String path;
    private final String id;
    private volatile Runnable changed = () -> {};
    private volatile LeaderLatch latch;

    public CuratorCompanion(CuratorFramework zooKeeper, String path, String id) {
        this.zooKeeper = zooKeeper;
        this.path = path;
        this.id = id;
    }

    @Override
    public void onChange(Runnable wanted) {
        changed = wanted;
    }

    @Override
    public void start() throws Exception {
        LeaderLatch next = new LeaderLatch(zooKeeper, path, id);
        next.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                changed.run();
            }

            @Override
            public void notLeader() {
                changed.run();
            }
        });
        latch = next;
        next.start();
    }

    @Override
    public void close() throws IOException {
        latch.close();
    }

    @Override
    public boolean hasLeadership() {
        return latch.hasLeadership();
    }

    @Override
    public List<String> participants() throws Exception {
        return latch.getParticipants().stream().map(Participant::getId).toList();
    }
}
