package io.quorate.shedlock;

import io.quorate.ElectionClient;
import io.quorate.process.NodeMain;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;

/**
 * A process with a job of 200 ms each second, under a lock. It says that it is connected, and when each run begins and
 * ends. Arguments: node id, peers, data directory. It ends when its input does.
 */
final class JobNode {

    static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration WORK = Duration.ofMillis(200);
    // Much longer than the test: what frees the lock of a killed process is its lease.
    private static final Duration LOCK_AT_MOST = Duration.ofHours(1);

    private JobNode() {}

    public static void main(String[] arguments) throws Exception {
        ElectionClient client = NodeMain.client(arguments).build();
        client.start();
        client.blockUntilConnected();
        NodeMain.say("connected " + System.nanoTime());
        LockingTaskExecutor locks = new DefaultLockingTaskExecutor(new QuorateLockProvider(client));
        ScheduledExecutorService schedule = Executors.newSingleThreadScheduledExecutor();
        Runnable job = JobNode::work;
        schedule.scheduleAtFixedRate(
                () -> locks.executeWithLock(
                        job, new LockConfiguration(ClockProvider.now(), "job", LOCK_AT_MOST, Duration.ZERO)),
                0,
                PERIOD.toMillis(),
                TimeUnit.MILLISECONDS);
        // Nobody says anything.
        NodeMain.obeyToTheEnd(words -> {});
    }

    private static void work() {
        NodeMain.say("begin " + System.nanoTime());
        try {
            Thread.sleep(WORK.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        NodeMain.say("end " + System.nanoTime());
    }
}
