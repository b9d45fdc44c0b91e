package com.example.shedlock;

import io.quorate.ElectionClient;
import io.quorate.shedlock.QuorateLock;
import io.quorate.shedlock.QuorateLockProvider;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** A job that all processes schedule, and one runs. */
public final class ShedLockApp {

    private ShedLockApp() {}

    /** The environment has its node id, its peers and its data directory. */
    public static void main(String[] arguments) {
        ElectionClient client = ElectionClient.builder().from(System.getenv()).build();
        QuorateLockProvider provider = new QuorateLockProvider(client);
        ScheduledExecutorService schedule = Executors.newSingleThreadScheduledExecutor();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            // A job that runs comes to its end first.
            schedule.shutdown();
            awaitEnd(schedule);
            client.close();
        }));
        client.start();
        schedule.scheduleAtFixedRate(() -> runJob(provider), 0, 200, TimeUnit.MILLISECONDS);
    }

    private static void runJob(QuorateLockProvider provider) {
        Optional<SimpleLock> lock =
                provider.lock(new LockConfiguration(ClockProvider.now(), "report", Duration.ofHours(1), Duration.ZERO));
        if (lock.isPresent()) {
            QuorateLock held = (QuorateLock) lock.get();
            System.out.println("writes a report with token " + held.fencingToken());
            held.unlock();
        }
    }

    private static void awaitEnd(ScheduledExecutorService schedule) {
        try {
            schedule.awaitTermination(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
