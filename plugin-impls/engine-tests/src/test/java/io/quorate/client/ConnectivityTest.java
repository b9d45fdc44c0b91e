package io.quorate.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.Connection;
import io.quorate.testkit.WaitingCall;
import io.quorate.testkit.simulation.FakeEngine;
import org.junit.jupiter.api.Test;

class ConnectivityTest {

    private final FakeEngine engine = new FakeEngine();
    private final Connectivity connectivity = new Connectivity(engine, () -> false);

    /** A node that was stuck counts as LOST until its next turn, and listeners do not hear of that turn. */
    @Test
    void waitSeesAStateThatChangesWithoutASignal() throws Exception {
        WaitingCall<Boolean> waiting = WaitingCall.begun(() -> connectivity.await(Long.MAX_VALUE));
        engine.connect(Connection.CONNECTED);
        assertThat(waiting.awaitAnswer()).isTrue();
    }
}
