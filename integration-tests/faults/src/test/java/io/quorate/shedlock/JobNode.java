package io.quorate.shedlock;

import io.quorate.ElectionClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

    public static void main(String[] arguments) throws IOException, InterruptedException {
        ElectionClient client = ElectionClient.builder()
                .nodeId(arguments[0])
                .peers(arguments[1])
                .dataDirectory(Path.of(arguments[2]))
                .transport("tcp")
                .build();
        client.start();
        client.blockUntilConnected();
        say("connected " + System.nanoTime());
        LockingTaskExecutor locks = new DefaultLockingTaskExecutor(new QuorateLockProvider(client));
        ScheduledExecutorService schedule = Executors.newSingleThreadScheduledExecutor();
        Runnable job = JobNode::work;
        schedule.scheduleAtFixedRate(
                () -> locks.executeWithLock(
                        job, new LockConfiguration(ClockProvider.now(), "job", LOCK_AT_MOST, Duration.ZERO)),
                0,
                PERIOD.toMillis(),
                TimeUnit.MILLISECONDS);
        while (System.in.read() >= 0) {
            // Nobody says anything.
        }
        Runtime.getRuntime().halt(0);
    }

    private static void work() {
        say("begin " + System.nanoTime());
        try {
            Thread.sleep(WORK.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        say("end " + System.nanoTime());
    }

    // One write per line, so that a line is whole or absent when the process is killed.
    private static void say(String event) {
        byte[] line = (event + "\n").getBytes(StandardCharsets.UTF_8);
        System.out.write(line, 0, line.length);
        System.out.flush();
    }
}
