package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What existing subclasses and existing tests with mocks need to run. */
class DropInTest {

    /** What a latch has and Curator's has not. */
    private static final List<String> BEYOND_CURATOR = List.of(
            "public CompletionStage<Void> LeaderLatch.transferTo(String)",
            "public CompletionStage<Collection<Participant>> LeaderLatch.getParticipantsAsync()",
            "public CompletionStage<Long> LeaderLatch.awaitAsync()",
            "public CompletionStage<Participant> LeaderLatch.getLeaderAsync()",
            "public Explanation LeaderLatch.explain()",
            "public Optional<Leadership> LeaderLatch.leadership()",
            "public boolean LeaderLatch.resign()",
            "public long LeaderLatch.fencingToken()",
            "public void LeaderLatch.transferTo(String,long,TimeUnit) throws InterruptedException,TimeoutException");

    private static List<String> signatures(Executable[] members) {
        return Arrays.stream(members)
                .filter(member -> !member.isSynthetic())
                .filter(member -> (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0)
                .map(member -> member.toGenericString()
                        .replaceAll("(io\\.quorate|java)\\.([a-z]+\\.)*", "")
                        .replace('$', '.'))
                .sorted()
                .toList();
    }

    @Test
    void aLatchCanBeMocked() throws Exception {
        LeaderLatch latch = mock(LeaderLatch.class);
        when(latch.hasLeadership()).thenReturn(true);
        // Justification: a mock does not wait.
        when(latch.await(1, TimeUnit.SECONDS)).thenReturn(true);
        when(latch.getLeader()).thenReturn(new Participant("x", true));
        LeaderLatchListener listener = mock(LeaderLatchListener.class);
        Executor executor = mock(Executor.class);
        latch.start();
        latch.addListener(listener, executor);
        latch.close(LeaderLatch.CloseMode.NOTIFY_LEADER);
        assertThat(latch.hasLeadership()).isTrue();
        // Justification: a mock does not wait.
        assertThat(latch.await(1, TimeUnit.SECONDS)).isTrue();
        assertThat(latch.getLeader().getId()).isEqualTo("x");
        verify(latch).addListener(listener, executor);
    }

    // As an application is tested that makes a latch of its client. Curator's takes a mock too.
    @Test
    void aLatchOverAMockedClientDoesNotLead() throws Exception {
        LeaderLatch latch = new LeaderLatch(mock(ElectionClient.class), "/p");
        latch.start();
        assertThat(latch.hasLeadership()).isFalse();
        latch.close();
        assertThat(latch.getState()).isEqualTo(LeaderLatch.State.CLOSED);
    }

    /** A subclass as they exist in the wild: every method of a latch's life is overridden. */
    private static final class Recording extends LeaderLatch {
        private final List<String> calls = new ArrayList<>();

        Recording(ElectionClient client) {
            super(client, "/p", "me", CloseMode.NOTIFY_LEADER);
        }

        @Override
        public void start() throws Exception {
            calls.add("start");
            super.start();
        }

        @Override
        public void close() throws IOException {
            calls.add("close");
            super.close();
        }

        @Override
        public void close(CloseMode mode) throws IOException {
            calls.add("close " + mode);
            super.close(mode);
        }

        @Override
        protected boolean cancelStartTask() {
            calls.add("cancelStartTask");
            return super.cancelStartTask();
        }
    }

    // The order in which Curator's class calls them.
    @Test
    void aSubclassIsAskedAtEachStepOfItsLife() throws Exception {
        try (ElectionClient client = Clients.over(new FakeEngine())) {
            Recording latch = new Recording(client);
            latch.start();
            latch.close();
            assertThat(latch.calls).containsExactly("start", "close", "close NOTIFY_LEADER", "cancelStartTask");
        }
    }

    // What Curator's own adapter asks, and those that were written after it.
    @Test
    void aListenerMayAskTheClientForItsErrorPolicy() {
        ConnectionStateErrorPolicy standard = new StandardConnectionStateErrorPolicy();
        try (ElectionClient client = Clients.over(
                new FakeEngine(),
                Clients.config()
                        .connectionTimeout(Duration.ofSeconds(1))
                        .connectionStateErrorPolicy(standard)
                        .build())) {
            assertThat(client.getConnectionStateErrorPolicy()).isSameAs(standard);
        }
        try (ElectionClient client = Clients.over(new FakeEngine())) {
            assertThat(client.getConnectionStateErrorPolicy()).isInstanceOf(SessionConnectionStateErrorPolicy.class);
        }
    }

    // As an application tests its listener, with nothing but a mock of the client.
    @Test
    void theAdapterCancelsAsThePolicyOfAMockedClientSays() {
        ElectionClient client = mock(ElectionClient.class);
        LeaderSelectorListener adapter = new LeaderSelectorListenerAdapter() {
            @Override
            public void takeLeadership(ElectionClient leading) {
                throw new AssertionError("nobody leads here");
            }
        };
        when(client.getConnectionStateErrorPolicy()).thenReturn(new StandardConnectionStateErrorPolicy());
        assertThatThrownBy(() -> adapter.stateChanged(client, ConnectionState.SUSPENDED))
                .isInstanceOf(CancelLeadershipException.class);
        adapter.stateChanged(client, ConnectionState.RECONNECTED);
        when(client.getConnectionStateErrorPolicy()).thenReturn(new SessionConnectionStateErrorPolicy());
        adapter.stateChanged(client, ConnectionState.SUSPENDED);
    }
}
