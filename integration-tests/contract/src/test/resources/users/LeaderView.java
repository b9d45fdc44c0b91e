package com.example.users;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.Participant;

/** A page for operators: it looks, and never leads. */
public class LeaderView {

    private final LeaderLatch latch;

    public LeaderView(CuratorFramework client, String path) {
        this.latch = new LeaderLatch(client, path);
    }

    public String leader() throws Exception {
        Participant leader = latch.getLeader();
        return leader.isLeader() ? leader.getId() : "nobody";
    }

    public List<String> all() throws Exception {
        return latch.getParticipants().stream().map(Participant::getId).collect(Collectors.toList());
    }
}
