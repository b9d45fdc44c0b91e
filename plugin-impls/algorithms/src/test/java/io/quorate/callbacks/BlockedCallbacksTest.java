package io.quorate.callbacks;

import static io.quorate.complaints.Contenders.PATH;
import static io.quorate.complaints.Contenders.SUPPORT;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderSelector;
import io.quorate.LeaderSelectorListenerAdapter;
import io.quorate.complaints.Contenders;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.ManualExecutor;
import io.quorate.testkit.RecordingListener;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A callback that blocks for ten seconds delays nothing but itself: whatever is asserted here happens while it blocks.
 */
class BlockedCallbacksTest {

    private static final Duration BLOCKED = Duration.ofSeconds(10);

    private final Contenders contenders = new Contenders(ClusterSettings.ofVoters(3));
    private final ElectionClient client = contenders.cluster().client("n1");
    private final List<String> done = new ArrayList<>();

    @AfterEach
    void nothingWasLeftOut() {
        contenders.close();
        assertThat(done).containsExactly("others elect", "leadership ended in time", "closed", "returned");
    }

    /** What one thread of the application does in its callback. */
    private void block(BooleanSupplier leads, Closeable own) {
        Duration end = contenders.cluster().now().plus(BLOCKED);
        contenders.cluster().heal();
        try {
            othersElect();
            leadershipEndsInTime(leads);
            own.close();
            assertThat(leads.getAsBoolean()).isFalse();
            done.add("closed");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        contenders.cluster().advance(end.minus(contenders.cluster().now()));
        done.add("returned");
    }

    private void othersElect() throws Exception {
        RecordingListener listener = new RecordingListener();
        LeaderLatch other = new LeaderLatch(client, "/other");
        other.addListener(listener);
        other.start();
        // Justification: virtual time, which passes while the test waits.
        assertThat(other.await(3, SECONDS)).isTrue();
        contenders.cluster().advance(Duration.ofMillis(1));
        assertThat(listener.events).containsExactly("isLeader");
        other.close();
        done.add("others elect");
    }

    private void leadershipEndsInTime(BooleanSupplier leads) throws Exception {
        contenders.join("n2");
        boolean hasLed = leads.getAsBoolean();
        contenders.cluster().isolate("n1");
        contenders.cluster().advance(SUPPORT);
        assertThat(leads.getAsBoolean()).isFalse();
        // Justification: virtual time, which passes while the test waits.
        assertThat(contenders.latch("n2").await(1, SECONDS))
                .as("the next's await() returns")
                .isTrue();
        assertThat(contenders.told("n2").size()).isLessThanOrEqualTo(1);
        contenders.cluster().heal();
        done.add(hasLed ? "leadership ended in time" : "it did not lead");
    }

    private LeaderLatch started(LeaderLatch latch) {
        Contenders.start(latch);
        return latch;
    }

    /** Blocks in its first call. */
    private final class Blocking extends RecordingListener {
        private LeaderLatch latch;
        private boolean hasBlocked;

        @Override
        public void isLeader() {
            if (!hasBlocked) {
                hasBlocked = true;
                block(latch::hasLeadership, latch);
            }
        }
    }

    @Test
    void aListener() {
        Blocking blocking = new Blocking();
        blocking.latch = new LeaderLatch(client, PATH);
        blocking.latch.addListener(blocking);
        started(blocking.latch);
        contenders.cluster().advance(BLOCKED);
    }

    // The thread is the test's: the executor has accepted the callback long before.
    @Test
    void aListenerWithAnExecutorOfItsOwn() {
        List<Runnable> executor = new ArrayList<>();
        Blocking blocking = new Blocking();
        blocking.latch = new LeaderLatch(client, PATH);
        blocking.latch.addListener(blocking, executor::add);
        started(blocking.latch);
        contenders.cluster().awaitLeader(PATH);
        contenders.cluster().advance(SUPPORT);
        assertThat(executor).hasSize(1);
        executor.get(0).run();
        contenders.cluster().advance(SUPPORT);
    }

    @Test
    void aConnectionStateListener() {
        LeaderLatch latch = started(new LeaderLatch(client, PATH));
        contenders.cluster().awaitLeader(PATH);
        client.getConnectionStateListenable().addListener((source, state) -> {
            if (state == ConnectionState.SUSPENDED && done.isEmpty()) {
                block(latch::hasLeadership, latch);
            }
        });
        suspend();
    }

    @Test
    void aSubclassThatHandlesStateChanges() {
        started(new LeaderLatch(client, PATH) {
            @Override
            protected void handleStateChange(ConnectionState newState) {
                if (newState == ConnectionState.SUSPENDED && done.isEmpty()) {
                    block(this::hasLeadership, this);
                }
            }
        });
        contenders.cluster().awaitLeader(PATH);
        suspend();
    }

    private void suspend() {
        contenders.cluster().isolate("n1");
        contenders.cluster().advance(Duration.ofMillis(620));
        contenders.cluster().heal();
        contenders.cluster().advance(SUPPORT);
    }

    @Test
    void aSelectorThatLeads() {
        ManualExecutor attempts = new ManualExecutor();
        LeaderSelector[] selector = new LeaderSelector[1];
        selector[0] = new LeaderSelector(client, PATH, attempts, new LeaderSelectorListenerAdapter() {
            @Override
            public void takeLeadership(ElectionClient source) {
                block(selector[0]::hasLeadership, selector[0]);
            }
        });
        selector[0].start();
        attempts.runNext();
    }
}
