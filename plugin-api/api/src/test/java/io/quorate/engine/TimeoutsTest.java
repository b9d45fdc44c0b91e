package io.quorate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What is late is told so, by a thread that keeps nothing of whoever waits. */
class TimeoutsTest {

    @Test
    void onlyWhatIsLateIsCompleted() {
        CompletableFuture<String> inTime = Timeouts.orTimeout(new CompletableFuture<>(), Duration.ofHours(1));
        CompletableFuture<String> late = Timeouts.orTimeout(new CompletableFuture<>(), Duration.ofMillis(1));
        assertThat(late)
                .failsWithin(Duration.ofMinutes(10))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(TimeoutException.class);
        assertThat(inTime).isNotDone();
        inTime.complete("in time");
        assertThat(Timeouts.orTimeout(inTime, Duration.ZERO)).isCompletedWithValue("in time");
    }

    @Test
    void itsThreadIsADaemonOfTheLibrary() throws Exception {
        Thread caller = Thread.currentThread();
        ClassLoader own = caller.getContextClassLoader();
        try (URLClassLoader application = new URLClassLoader(new URL[0], own)) {
            caller.setContextClassLoader(application);
            CompletableFuture<Void> late = new CompletableFuture<>();
            CompletableFuture<Thread> timer = late.handle((nothing, failure) -> Thread.currentThread());
            Timeouts.orTimeout(late, Duration.ofMillis(100));
            Thread thread = timer.get(600, TimeUnit.SECONDS);
            assertThat(thread.getName()).isEqualTo("quorate-timeouts");
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread.getContextClassLoader()).isSameAs(Timeouts.class.getClassLoader());
        } finally {
            caller.setContextClassLoader(own);
        }
    }
}
