package com.example.app;

// docs: begin
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** An application: one of its processes does the job, and it stops when it must not any more. */
final class NightlyJob implements LeaderLatchListener, AutoCloseable {

    private final LeaderLatch latch;
    private final List<Long> written = new ArrayList<>();
    private boolean isScheduled;

    NightlyJob(ElectionClient client) throws Exception {
        this(new LeaderLatch(client, "/jobs/nightly"));
    }

    NightlyJob(LeaderLatch latch) throws Exception {
        this.latch = latch;
        latch.addListener(this);
        latch.start();
    }

    @Override
    public void isLeader() {
        isScheduled = true;
    }

    @Override
    public void notLeader() {
        isScheduled = false;
    }

    boolean isScheduled() {
        return isScheduled;
    }

    /** What a timer calls while the job is scheduled. */
    boolean run() {
        if (!latch.hasLeadership()) {
            return false;
        }
        written.add(latch.fencingToken());
        return true;
    }

    /** The fencing tokens of what was written. */
    List<Long> written() {
        return written;
    }

    @Override
    public void close() throws IOException {
        latch.close(LeaderLatch.CloseMode.NOTIFY_LEADER);
    }
}
// docs: end
