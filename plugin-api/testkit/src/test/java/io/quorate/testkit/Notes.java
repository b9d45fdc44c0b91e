package io.quorate.testkit;

import io.quorate.LeaderLatchListener;
import java.util.ArrayList;
import java.util.List;

/** Notes each callback, when it came and on which thread. */
public class Notes implements LeaderLatchListener {

    public final List<String> events = new ArrayList<>();
    public final List<String> times = new ArrayList<>();
    public final List<Thread> threads = new ArrayList<>();
    private final SimulatedCluster cluster;

    public Notes(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public void isLeader() {
        note("isLeader");
    }

    @Override
    public void notLeader() {
        note("notLeader");
    }

    public final void note(String event) {
        events.add(event);
        times.add(cluster.now().toNanos() + " " + event);
        threads.add(Thread.currentThread());
    }
}
