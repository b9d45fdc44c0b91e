package io.quorate.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.demo.Cluster;
import io.quorate.shedlock.QuorateLockProvider.Limits;
import io.quorate.testkit.RealTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a provider does by real time: it waits for a first election, and leaves what is idle. */
@RealTime
class FirstLockTest {

    private static final Duration GENEROUS = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(200);

    private ElectionClient client;

    @BeforeEach
    void make() {
        Map<String, String> addresses = Cluster.freeAddresses(List.of("n1"));
        client = ElectionClient.builder()
                .nodeId("n1")
                .peers(addresses)
                .transport("tcp")
                .build();
    }

    @AfterEach
    void close() {
        client.close();
    }

    private void start() throws InterruptedException {
        client.start();
        assertThat(client.blockUntilConnected(600, TimeUnit.SECONDS)).isTrue();
    }

    private static LockConfiguration configuration(String name) {
        return new LockConfiguration(Instant.EPOCH, name, GENEROUS, Duration.ZERO);
    }

    // The node is alone, so the first call that waits long enough has the lock.
    @Test
    void theFirstCallWaitsForTheFirstElection() throws InterruptedException {
        start();
        Limits patient = new Limits(GENEROUS, GENEROUS, GENEROUS, 10);
        try (QuorateLockProvider provider = new QuorateLockProvider(client, "/jobs", patient, System::nanoTime)) {
            Optional<SimpleLock> lock = provider.lock(configuration("a"));
            assertThat(lock).isPresent();
            assertThat(client.health().leads()).containsOnlyKeys("/jobs/a");
        }
    }

    // Nobody can lead, and the second call would not come back in the time of this test if it waited too.
    @Test
    void laterCallsWaitNoMore() {
        Limits impatient = new Limits(SHORT, GENEROUS, GENEROUS, 10);
        try (QuorateLockProvider provider = new QuorateLockProvider(client, "/jobs", impatient, System::nanoTime)) {
            assertThat(provider.lock(configuration("a"))).isEmpty();
            long before = System.nanoTime();
            int calls = 0;
            while (calls < 1_000) {
                assertThat(provider.lock(configuration("a"))).isEmpty();
                calls++;
            }
            assertThat(System.nanoTime() - before)
                    .isLessThan(SHORT.multipliedBy(calls).toNanos());
        }
    }

    @Test
    void anInterruptEndsTheWait() {
        Limits patient = new Limits(Duration.ofHours(1), GENEROUS, GENEROUS, 10);
        try (QuorateLockProvider provider = new QuorateLockProvider(client, "/jobs", patient, System::nanoTime)) {
            Thread.currentThread().interrupt();
            assertThat(provider.lock(configuration("a"))).isEmpty();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aClosedClientHoldsUpNobody() {
        client.close();
        Limits patient = new Limits(Duration.ofHours(1), GENEROUS, GENEROUS, 10);
        try (QuorateLockProvider provider = new QuorateLockProvider(client, "/jobs", patient, System::nanoTime)) {
            assertThat(provider.lock(configuration("a"))).isEmpty();
        }
    }

    @Test
    void idlePathsAreLeftAndTheThreadEnds() throws InterruptedException {
        start();
        Limits impatient = new Limits(GENEROUS, SHORT, SHORT.dividedBy(10), 10);
        try (QuorateLockProvider provider = new QuorateLockProvider(client, "/jobs", impatient, System::nanoTime)) {
            SimpleLock lock = provider.lock(configuration("a")).orElseThrow();
            provider.lock(configuration("b")).orElseThrow().unlock();
            Awaitility.await().atMost(GENEROUS).until(() -> provider.size() == 1);
            // The node hears of it a moment later.
            Awaitility.await()
                    .atMost(GENEROUS)
                    .until(() -> client.health().leads().keySet().equals(Set.of("/jobs/a")));
            lock.unlock();
            Awaitility.await().atMost(GENEROUS).until(() -> provider.size() == 0);
            Awaitility.await().atMost(GENEROUS).until(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("quorate-shedlock")));
            assertThat(provider.lock(configuration("a"))).isPresent();
        }
    }
}
