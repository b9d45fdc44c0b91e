package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.step.Connection;
import io.quorate.core.step.Tenure;
import io.quorate.testkit.simulation.FakeEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the connection does to leadership, and what subclasses see of it. */
@Timeout(30)
class LeaderLatchConnectionTest {

    private final FakeEngine engine = new FakeEngine();

    /** A subclass as they exist in the wild. */
    private static final class Watching extends LeaderLatch {
        private final List<ConnectionState> seen = new CopyOnWriteArrayList<>();
        private final List<Thread> threads = new CopyOnWriteArrayList<>();
        private final List<Boolean> cancelled = new CopyOnWriteArrayList<>();

        Watching(ElectionClient client, LeaderLatchListener injected) {
            super(client, "/p");
            addListener(injected);
        }

        @Override
        protected void handleStateChange(ConnectionState newState) {
            seen.add(newState);
            threads.add(Thread.currentThread());
            super.handleStateChange(newState);
        }

        @Override
        protected boolean cancelStartTask() {
            cancelled.add(super.cancelStartTask());
            return cancelled.get(0);
        }
    }

    private ElectionClient client(ConnectionStateErrorPolicy policy) {
        return ElectionClient.over(engine, "", Duration.ofSeconds(1), policy);
    }

    @Test
    void withTheSessionPolicyLeadershipSurvivesSuspendedAndEndsWithLost() throws Exception {
        try (ElectionClient client = ElectionClient.over(engine)) {
            client.start();
            LeaderLatch latch = new LeaderLatch(client, "/p");
            latch.start();
            engine.connect(Connection.CONNECTED);
            Tenure tenure = engine.last().grant(1);
            engine.connect(Connection.SUSPENDED);
            assertThat(latch.hasLeadership()).isTrue();
            engine.connect(Connection.LOST);
            assertThat(latch.hasLeadership()).isFalse();
            assertThat(engine.last().reported()).containsExactly(tenure);
        }
    }

    // On the engine's thread and at once: no callback or pool thread is needed for it.
    @Test
    void withTheStandardPolicyLeadershipEndsAtSuspended() throws Exception {
        try (ElectionClient client = client(new StandardConnectionStateErrorPolicy())) {
            client.start();
            LeaderLatch latch = new LeaderLatch(client, "/p");
            latch.start();
            Tenure tenure = engine.last().grant(1);
            engine.connect(Connection.CONNECTED);
            assertThat(latch.hasLeadership()).isTrue();
            engine.connect(Connection.SUSPENDED);
            assertThat(tenure.isEnded()).isTrue();
            assertThat(latch.hasLeadership()).isFalse();
            assertThat(engine.last().reported()).containsExactly(tenure);
        }
    }

    @Test
    void thePoliciesNameCuratorsErrorStates() {
        ConnectionStateErrorPolicy standard = new StandardConnectionStateErrorPolicy();
        ConnectionStateErrorPolicy session = new SessionConnectionStateErrorPolicy();
        assertThat(ConnectionState.values()).filteredOn(standard::isErrorState)
                .containsExactly(ConnectionState.SUSPENDED, ConnectionState.LOST);
        assertThat(ConnectionState.values()).filteredOn(session::isErrorState).containsExactly(ConnectionState.LOST);
    }

    @Test
    void aSubclassIsToldOfEachStateOffTheEnginesThread() throws Exception {
        try (ElectionClient client = ElectionClient.over(engine)) {
            client.start();
            Watching latch = new Watching(client, new Recorder());
            engine.connect(Connection.CONNECTED);
            latch.start();
            engine.connect(Connection.SUSPENDED);
            engine.connect(Connection.LOST);
            engine.connect(Connection.RECONNECTED);
            Recorder.drain(latch);
            latch.close();
            engine.connect(Connection.SUSPENDED);
            Recorder.drain(latch);
            assertThat(latch.seen).containsExactly(ConnectionState.SUSPENDED, ConnectionState.LOST,
                    ConnectionState.RECONNECTED);
            assertThat(latch.threads).doesNotContain(Thread.currentThread());
        }
    }

    // A blocked or lazy override must not keep a leader alive.
    @Test
    void leadershipEndsAlthoughTheSubclassBlocks() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (ElectionClient client = ElectionClient.over(engine)) {
            client.start();
            LeaderLatch latch = new LeaderLatch(client, "/p") {
                @Override
                protected void handleStateChange(ConnectionState newState) {
                    Recorder.await(gate, newState);
                }
            };
            latch.start();
            engine.last().grant(1);
            engine.connect(Connection.SUSPENDED);
            engine.connect(Connection.LOST);
            assertThat(latch.hasLeadership()).isFalse();
            gate.countDown();
        }
    }

    @Test
    void aListenerInjectedByASubclassIsCalled() throws Exception {
        try (ElectionClient client = ElectionClient.over(engine)) {
            client.start();
            Recorder injected = new Recorder();
            Watching latch = new Watching(client, injected);
            latch.start();
            engine.last().grant(1);
            Recorder.drain(latch);
            assertThat(injected.events).containsExactly("isLeader");
        }
    }

    @Test
    void closeCancelsTheStartTaskWhichIsThereUntilTheClientIsConnected() throws Exception {
        try (ElectionClient client = ElectionClient.over(engine)) {
            Watching waiting = new Watching(client, new Recorder());
            waiting.start();
            waiting.close();
            assertThat(waiting.cancelled).containsExactly(true);
            client.start();
            assertThat(engine.candidacies()).isEmpty();
            engine.connect(Connection.CONNECTED);
            Watching joined = new Watching(client, new Recorder());
            joined.start();
            joined.close();
            assertThat(joined.cancelled).containsExactly(false);
        }
    }
}
