package io.quorate.testkit;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatch.State;
import io.quorate.Participant;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The latch of unit tests: as the real one, with leadership on command. */
class FakeLeaderLatchTest {

    private final FakeLeaderLatch latch = new FakeLeaderLatch("/p", "me", CloseMode.NOTIFY_LEADER);
    private final List<String> events = new ArrayList<>();

    private class Noting extends RecordingListener {
        Noting() {
            super(FakeLeaderLatchTest.this.events);
        }

        @Override
        public void isLeader() {
            note("isLeader " + latch.fencingToken());
        }
    }

    @Test
    void leadershipComesAndGoesAsTheTestSays() throws Exception {
        latch.addListener(new Noting());
        latch.start();
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(events).isEmpty();
        assertThat(latch.grant()).isEqualTo(1);
        assertThat(latch.hasLeadership()).isTrue();
        // Before grant returns, and not later.
        assertThat(events).containsExactly("isLeader 1");
        latch.revoke();
        assertThat(latch.hasLeadership()).isFalse();
        assertThatIllegalStateException().isThrownBy(latch::fencingToken);
        latch.grant(42);
        latch.revoke();
        assertThat(latch.grant()).isEqualTo(43);
        assertThat(events).containsExactly("isLeader 1", "notLeader", "isLeader 42", "notLeader", "isLeader 43");
        latch.close();
        assertThat(events).hasSize(6).last().isEqualTo("notLeader");
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(latch.getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void closeAsyncIsDoneWhenItReturns() throws Exception {
        latch.addListener(new Noting());
        latch.start();
        latch.grant();
        assertThat(latch.closeAsync().toCompletableFuture()).isCompleted();
        assertThat(events).containsExactly("isLeader 1", "notLeader");
        assertThat(latch.getParticipants()).isEmpty();
    }

    @Test
    void itIsClosedInTheModeOfTheConstructor() throws Exception {
        FakeLeaderLatch silent = new FakeLeaderLatch("/p");
        silent.addListener(new Noting());
        silent.start();
        silent.close();
        assertThat(events).isEmpty();
        assertThat(silent.getId()).isEmpty();
        assertThatIllegalStateException().isThrownBy(silent::close);
    }

    @Test
    void itKnowsWhoContends() throws Exception {
        assertThat(latch.getParticipants()).isEmpty();
        latch.start();
        assertThat(latch.getParticipants()).containsExactly(new Participant("me", false));
        assertThat(latch.getLeader().getId()).isEmpty();
        latch.grant();
        assertThat(latch.getLeader()).isEqualTo(new Participant("me", true));
        latch.revoke();
        assertThat(latch.getLeader().isLeader()).isFalse();
        latch.close();
        assertThat(latch.getParticipants()).isEmpty();
    }

    @Test
    void aThreadInAwaitIsWoken() throws Exception {
        latch.start();
        // Justification: nothing makes it lead, however long a slow machine waits.
        assertThat(latch.await(1, MILLISECONDS)).isFalse();
        WaitingCall<Boolean> led = WaitingCall.begun(this::awaited);
        latch.grant();
        assertThat(led.awaitAnswer()).isTrue();
        latch.revoke();
        WaitingCall<Boolean> over = WaitingCall.begun(this::awaited);
        assertThat(over.isDone()).isFalse();
        latch.close();
        assertThatThrownBy(over::awaitAnswer).isInstanceOf(EOFException.class);
    }

    private boolean awaited() throws Exception {
        latch.await();
        return latch.hasLeadership();
    }

    @Test
    void aCallbackMayCloseTheLatch() throws Exception {
        latch.addListener(new Noting() {
            @Override
            public void isLeader() {
                super.isLeader();
                try {
                    latch.close();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                events.add("closed");
            }
        });
        latch.start();
        latch.grant();
        assertThat(events).containsExactly("isLeader 1", "closed", "notLeader");
        assertThat(latch.getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void anExecutorIsUsedIfThereIsOne() throws Exception {
        List<Runnable> handed = new ArrayList<>();
        latch.addListener(new Noting(), handed::add);
        latch.start();
        latch.grant();
        assertThat(events).isEmpty();
        handed.remove(0).run();
        latch.revoke();
        assertThat(events).containsExactly("isLeader 1");
        // As in a cluster: it contends again only when the application has learnt that it does not lead.
        assertThatIllegalStateException().isThrownBy(latch::grant).withMessageContaining("has not returned");
        handed.remove(0).run();
        assertThat(latch.grant()).isEqualTo(2);
    }

    @Test
    void mistakesAreNamed() throws Exception {
        assertThatIllegalStateException().isThrownBy(latch::grant).withMessage("the latch is LATENT: must be STARTED");
        assertThatIllegalStateException().isThrownBy(latch::revoke).withMessageContaining("LATENT");
        latch.start();
        assertThatIllegalStateException().isThrownBy(latch::start).withMessage("Cannot be started more than once");
        assertThatIllegalStateException().isThrownBy(latch::revoke).withMessage("it does not lead");
        latch.grant(7);
        assertThatIllegalStateException().isThrownBy(latch::grant).withMessage("it leads already, with token 7");
        latch.revoke();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> latch.grant(7))
                .withMessage("token 7: must be above the last one, 7");
        latch.close();
        assertThatIllegalStateException().isThrownBy(latch::grant).withMessageContaining("CLOSED");
        assertThatIllegalArgumentException().isThrownBy(() -> new FakeLeaderLatch("no slash"));
    }
}
