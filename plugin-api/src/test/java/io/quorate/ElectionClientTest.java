package io.quorate;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.core.Connection;
import io.quorate.testkit.FakeEngine;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The life of a client, its connection states, and waiting for them. */
@Timeout(30)
class ElectionClientTest {

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = ElectionClient.over(engine);

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void aClientIsStartedOnceAndClosedForEver() {
        assertThat(client.getState()).isEqualTo(ElectionClient.State.LATENT);
        client.start();
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STARTED);
        assertThatIllegalStateException().isThrownBy(client::start).withMessage("Cannot be started more than once");
        client.close();
        client.close();
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
        assertThatIllegalStateException().isThrownBy(client::start).withMessage("Cannot be started more than once");
        assertThat(engine.starts()).isEqualTo(1);
        assertThat(engine.closes()).isEqualTo(1);
    }

    @Test
    void aClientClosedBeforeItsStartStaysClosed() {
        client.close();
        assertThatIllegalStateException().isThrownBy(client::start).withMessage("Cannot be started more than once");
        assertThat(engine.starts()).isZero();
    }

    @Test
    void aFailedStartLeavesNothingRunningAndIsNotRetried() throws Exception {
        engine.failStart(new IOException("term file is locked"));
        LeaderLatch latch = new LeaderLatch(client, "/p");
        latch.start();
        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(client::start)
                .withMessage("term file is locked");
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
        assertThat(engine.closes()).isEqualTo(1);
        assertThatThrownBy(latch::await).isInstanceOf(EOFException.class);
        assertThatIllegalStateException().isThrownBy(client::start).withMessage("Cannot be started more than once");
    }

    @Test
    void blockUntilConnectedWaitsForAMajority() throws Exception {
        client.start();
        assertThat(client.blockUntilConnected(1, MILLISECONDS)).isFalse();
        CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(this::blockForAnHour);
        engine.connect(Connection.CONNECTED);
        assertThat(waiting.get(20, SECONDS)).isTrue();
        client.blockUntilConnected();
        assertThat(client.blockUntilConnected(0, null)).isTrue();
        engine.connect(Connection.SUSPENDED);
        assertThat(client.blockUntilConnected(1, MILLISECONDS)).isFalse();
        engine.connect(Connection.RECONNECTED);
        assertThat(client.blockUntilConnected(0, SECONDS)).isTrue();
    }

    private boolean blockForAnHour() {
        try {
            return client.blockUntilConnected(1, HOURS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void blockUntilConnectedEndsWithTheClient() {
        CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(this::blockForAnHour);
        client.start();
        client.close();
        assertThatThrownBy(() -> waiting.get(20, SECONDS)).hasCauseInstanceOf(ClientClosedException.class);
        assertThatThrownBy(client::blockUntilConnected).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void blockUntilConnectedSaysWhyTheEngineStopped() {
        client.start();
        CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(this::blockForAnHour);
        IllegalStateException cause = new IllegalStateException("two processes");
        engine.fail(cause);
        assertThatThrownBy(() -> waiting.get(20, SECONDS)).hasCause(cause);
        engine.connect(Connection.CONNECTED);
        assertThatThrownBy(client::blockUntilConnected).isSameAs(cause);
    }

    @Test
    void listenersSeeEachStateInOrderOffTheEnginesThread() {
        List<ConnectionState> states = new CopyOnWriteArrayList<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        CountDownLatch isTold = new CountDownLatch(4);
        ConnectionStateListener listener = (source, state) -> {
            assertThat(source).isSameAs(client);
            states.add(state);
            threads.add(Thread.currentThread());
            isTold.countDown();
        };
        client.getConnectionStateListenable().addListener(listener);
        client.start();
        engine.connect(Connection.NONE);
        engine.connect(Connection.CONNECTED);
        engine.connect(Connection.SUSPENDED);
        engine.connect(Connection.LOST);
        engine.connect(Connection.RECONNECTED);
        Recorder.await(isTold, states);
        assertThat(states).containsExactly(ConnectionState.CONNECTED, ConnectionState.SUSPENDED, ConnectionState.LOST,
                ConnectionState.RECONNECTED);
        assertThat(threads).doesNotContain(Thread.currentThread());
        client.getConnectionStateListenable().removeListener(listener);
        assertThatNullPointerException().isThrownBy(() -> client.getConnectionStateListenable().addListener(null));
    }

    // What cannot be sent is refused by the engine; the fault is that latch's alone.
    @Test
    void aLatchThatTheEngineRefusesDoesNotKeepTheOthersOut() throws Exception {
        LeaderLatch refused = new LeaderLatch(client, "/refused");
        LeaderLatch joined = new LeaderLatch(client, "/p");
        refused.start();
        joined.start();
        engine.refuse("/refused");
        client.start();
        assertThat(engine.candidacies()).hasSize(1);
        assertThatIllegalArgumentException().isThrownBy(new LeaderLatch(client, "/refused")::start);
        refused.close();
        joined.close();
    }

    @Test
    void aListenerMayCloseTheClient() {
        CountDownLatch isClosed = new CountDownLatch(1);
        client.getConnectionStateListenable().addListener((source, state) -> {
            source.close();
            isClosed.countDown();
        });
        client.start();
        engine.connect(Connection.CONNECTED);
        Recorder.await(isClosed, client.getState());
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
    }
}
