package io.quorate.runtime;

import static io.quorate.runtime.Drivers.PATH;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.PathView;
import io.quorate.runtime.Drivers.Listener;
import io.quorate.testkit.RealTime;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Resigning and transferring over real drivers; driver 1 leads, and 2 and 3 wait. */
@RealTime
class ElectionDriverHandoverTest extends WithDrivers {

    private Listener first;
    private Listener second;
    private Listener third;

    @BeforeEach
    void driverOneLeads() throws IOException {
        drivers.startAll();
        first = drivers.contend(1);
        drivers.awaitLeader(first);
        second = drivers.contend(2);
        drivers.await("the second is listed", () -> contenders() == 2);
        third = drivers.contend(3);
        drivers.await("all three are listed", () -> contenders() == 3);
    }

    private int contenders() {
        CompletableFuture<PathView> view = Drivers.view(drivers.get(1), PATH);
        return view.isDone() ? view.join().contenders().size() : 0;
    }

    private static CompletableFuture<Void> transfer(Listener from, String to) {
        CompletionStage<Void> done = from.candidacy.transferTo(to);
        return done.toCompletableFuture();
    }

    @Test
    void transferIsCompleteWhenTheSuccessorLeads() {
        CompletableFuture<Void> done = transfer(first, "p3");
        assertThat(done).succeedsWithin(600, TimeUnit.SECONDS);
        drivers.awaitLeader(third);
        assertThat(first.leads()).isFalse();
        assertThat(second.calls).isEmpty();
    }

    @Test
    void refusedTransferSaysWhyAndChangesNothing() {
        assertThat(transfer(first, "p9"))
                .failsWithin(600, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(IllegalArgumentException.class)
                .withMessageContaining("'p9'");
        assertThat(transfer(second, "p3"))
                .failsWithin(600, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(IllegalStateException.class)
                .withMessageContaining("does not lead");
        assertThat(first.leads()).isTrue();
    }

    @Test
    void transferOfAClosedDriverFails() {
        drivers.get(1).close();
        assertThat(transfer(first, "p2"))
                .failsWithin(600, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(IllegalStateException.class)
                .withMessageContaining("is closed");
    }

    @Test
    void transferThatWaitsFailsWhenTheDriverIsClosed() {
        drivers.network.drop(flight -> flight.from().equals(drivers.id(1)));
        CompletableFuture<Void> done = transfer(first, "p2");
        drivers.get(1).close();
        assertThat(done).failsWithin(600, TimeUnit.SECONDS);
    }

    @Test
    void transferThatWaitsFailsWhenItsContenderLeaves() {
        drivers.network.drop(flight -> flight.from().equals(drivers.id(1)));
        CompletableFuture<Void> done = transfer(first, "p2");
        first.candidacy.leave();
        assertThat(done)
                .failsWithin(600, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(IllegalStateException.class)
                .withMessageContaining("was closed before");
    }

    // Its condition may send it away at the moment at which it is closed.
    @Test
    void nextContenderFollowsALeaderThatLeavesTwice() {
        first.candidacy.leave();
        first.candidacy.leave();
        drivers.awaitLeader(second);
        first.candidacy.leave();
        first.candidacy.rejoin();
        assertThat(drivers.get(1).describe()).doesNotContain("stopped");
        assertThat(second.tenure.isEnded()).isFalse();
    }

    @Test
    void nextContenderFollowsAResignation() {
        first.tenure.end();
        first.candidacy.resign(first.tenure);
        drivers.awaitLeader(second);
        assertThat(third.calls).isEmpty();
    }
}
