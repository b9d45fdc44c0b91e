package com.example.docs;

import io.quorate.ElectionClient;
import io.quorate.shedlock.QuorateLock;
import io.quorate.shedlock.QuorateLockProvider;
import java.time.Duration;
import java.util.Optional;
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

    static void run(ElectionClient client, Runnable job) {
        LockingTaskExecutor locks = new DefaultLockingTaskExecutor(new QuorateLockProvider(client));
        locks.executeWithLock(
                job,
                new LockConfiguration(
                        ClockProvider.now(), "daily-report", Duration.ofHours(1), Duration.ofSeconds(30)));
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
