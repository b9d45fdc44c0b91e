package com.example.docs;

import io.quorate.ElectionClient;
import io.quorate.shedlock.QuorateLock;
import io.quorate.shedlock.QuorateLockProvider;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.springframework.context.annotation.Bean;

/** The blocks of docs/shedlock.md, so that they compile. */
final class Examples {

    private Examples() {}

    interface Storage {
        void write(long token, String data);
    }

    static class Locks {
        @Bean
        LockProvider lockProvider(ElectionClient client) {
            return new QuorateLockProvider(client);
        }
    }

    /** Its classes are static. */
    interface Whole {
        public class App {

            public static void main(String[] arguments) {
                ElectionClient client =
                        ElectionClient.builder().from(System.getenv()).build();
                Runtime.getRuntime().addShutdownHook(new Thread(client::close));
                client.start();
                LockingTaskExecutor locks = new DefaultLockingTaskExecutor(new QuorateLockProvider(client));
                Runnable job = () -> System.out.println("writes the report");
                Executors.newSingleThreadScheduledExecutor()
                        .scheduleWithFixedDelay(
                                () -> locks.executeWithLock(
                                        job,
                                        new LockConfiguration(
                                                ClockProvider.now(),
                                                "report",
                                                Duration.ofHours(1),
                                                Duration.ofMillis(100))),
                                0,
                                1,
                                TimeUnit.SECONDS);
            }
        }
    }

    static void write(LockProvider provider, LockConfiguration configuration, Storage storage, String report) {
        Optional<SimpleLock> lock = provider.lock(configuration);
        if (lock.isPresent()) {
            QuorateLock held = (QuorateLock) lock.get();
            storage.write(held.fencingToken(), report);
            held.unlock();
        }
    }
}
