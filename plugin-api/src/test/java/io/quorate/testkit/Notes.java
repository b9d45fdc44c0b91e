package io.quorate.testkit;

import io.quorate.LeaderLatchListener;
import java.util.ArrayList;
import java.util.List;

/** Notes each callback, when it came and on which thread. */
class Notes implements LeaderLatchListener {

    final List<String> events = new ArrayList<>();
    final List<String> times = new ArrayList<>();
    final List<Thread> threads = new ArrayList<>();
    private final SimulatedCluster cluster;

    Notes(SimulatedCluster cluster) {
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

    final void note(String event) {
        events.add(event);
        times.add(cluster.now().toNanos() + " " + event);
        threads.add(Thread.currentThread());
    }
}
