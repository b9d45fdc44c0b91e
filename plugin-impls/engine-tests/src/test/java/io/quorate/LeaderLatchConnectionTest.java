package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.client.LatchCallbacks;
import io.quorate.client.LatchContender;
import io.quorate.engine.Connection;
import io.quorate.engine.Tenure;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which thread learns of the connection: leadership ends on the engine's, at once; subclasses are told on another. */
class LeaderLatchConnectionTest {

    private final FakeEngine engine = new FakeEngine();
    private ElectionClient client = Clients.over(engine);

    @AfterEach
    void close() {
        client.close();
    }

    // The lease would last longer: it is the state that ends it, and the engine is told.
    private void endsAt(Connection error) throws Exception {
        client.start();
        LeaderLatch latch = new LeaderLatch(client, "/p");
        latch.start();
        engine.connect(Connection.CONNECTED);
        Tenure tenure = engine.last().grant(1);
        for (Connection next : List.of(Connection.SUSPENDED, Connection.LOST)) {
            assertThat(latch.hasLeadership()).isTrue();
            engine.connect(next);
            if (next == error) {
                break;
            }
        }
        assertThat(tenure.isEnded()).isTrue();
        assertThat(engine.last().reported()).as("before anybody asks").containsExactly(tenure);
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(engine.last().reported()).as("once").containsExactly(tenure);
    }

    @Test
    void withTheSessionPolicyLeadershipSurvivesSuspendedAndEndsWithLost() throws Exception {
        endsAt(Connection.LOST);
    }

    @Test
    void withTheStandardPolicyLeadershipEndsAtSuspended() throws Exception {
        client = Clients.over(
                engine,
                Clients.config()
                        .connectionTimeout(Duration.ofSeconds(1))
                        .connectionStateErrorPolicy(new StandardConnectionStateErrorPolicy())
                        .build());
        endsAt(Connection.SUSPENDED);
    }

    @Test
    void aSubclassIsToldOfEachStateOffTheEnginesThread() throws Exception {
        List<ConnectionState> seen = new CopyOnWriteArrayList<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        client.start();
        LeaderLatch latch = new LeaderLatch(client, "/p") {
            @Override
            protected void handleStateChange(ConnectionState newState) {
                seen.add(newState);
                threads.add(Thread.currentThread());
            }
        };
        engine.connect(Connection.CONNECTED);
        latch.start();
        engine.connect(Connection.SUSPENDED);
        engine.connect(Connection.LOST);
        engine.connect(Connection.RECONNECTED);
        CallbackQueue.drain(latch);
        latch.close();
        engine.connect(Connection.SUSPENDED);
        CallbackQueue.drain(latch);
        assertThat(seen).containsExactly(ConnectionState.SUSPENDED, ConnectionState.LOST, ConnectionState.RECONNECTED);
        assertThat(threads).doesNotContain(Thread.currentThread());
    }

    // The states of a client that has just begun come before its latches have joined.
    @Test
    void latchThatHasNotJoinedIsClosedAlthoughItsCallbackHangs() throws Exception {
        List<Runnable> hanging = new ArrayList<>();
        LatchContender latch =
                new LatchContender("/p", "a", false, new LatchCallbacks(hanging::add, Duration.ofSeconds(1)));
        latch.start(Optional.of(state -> {}));
        latch.connectionChanged(ConnectionState.CONNECTED, false);
        CompletableFuture<Void> returned =
                latch.close(true, false).orElseThrow().tell();
        assertThat(returned).isNotDone();
        latch.awaitCallbacks(returned);
        assertThat(latch.orLimit(returned)).isCompleted();
    }
}
