package io.quorate.contract;

import static io.quorate.testkit.RecordingListener.IS_LEADER;
import static io.quorate.testkit.RecordingListener.NOT_LEADER;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatchListener;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.WaitingCall;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a callback without an executor holds up while it blocks. In both: {@code await} without a time-out, and a
 * {@code close} that tells the listeners. In Curator, which runs it on its own threads and under the latch's lock, also
 * {@code await} with a time-out, a silent {@code close}, the election of every other latch of the client, and the end
 * of its own leadership, so that two lead; in Quorate nothing else, and these for 30 s at most. In real time only,
 * because in virtual time callbacks run on the test's thread.
 */
abstract class BlockedCallbackContract extends Contract {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void openGate() {
        gate.countDown();
    }

    private final class Blocking implements LeaderLatchListener {
        @Override
        public void isLeader() {
            begun.countDown();
            awaitGate();
        }

        @Override
        public void notLeader() {
            // Only the beginning of leadership blocks here.
        }
    }

    private void awaitGate() {
        try {
            gate.await(Real.DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            // Justification: a client that is closed interrupts its threads; the callback then ends.
            Thread.currentThread().interrupt();
        }
    }

    private Latch blocked(Client client) throws Exception {
        Latch latch = side.latch(client, path, "blocked");
        latch.addListener(new Blocking());
        latch.start();
        assertThat(begun.await(Real.DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(latch.hasLeadership()).isTrue();
        return latch;
    }

    /** In Curator it does not return while the callback blocks. */
    private void returnsAlthoughBlocked(WaitingCall<?> call) {
        if (side.isCurator()) {
            side.pass(A_WHILE);
            assertThat(call.isDone()).isFalse();
            gate.countDown();
        }
        side.eventually("it returns", call::isDone);
        assertThat(gate.getCount()).as("the gate").isEqualTo(side.isCurator() ? 0 : 1);
    }

    private void returnsWhenTheGateIsOpen(WaitingCall<?> call) {
        side.pass(A_WHILE);
        assertThat(call.isDone()).isFalse();
        gate.countDown();
        side.eventually("it returns", call::isDone);
    }

    @Test
    void awaitWithoutATimeOutWaitsForTheCallback() throws Exception {
        Latch latch = blocked(connected());
        returnsWhenTheGateIsOpen(side.waiting(() -> {
            latch.await();
            return true;
        }));
    }

    @Test
    void aNotifyingCloseWaitsForTheCallback() throws Exception {
        Latch latch = blocked(connected());
        returnsWhenTheGateIsOpen(side.waiting(() -> {
            latch.close(CloseMode.NOTIFY_LEADER);
            return true;
        }));
    }

    @Test
    void awaitReturns() throws Exception {
        Latch latch = blocked(connected());
        // Justification: the test waits for the return.
        returnsAlthoughBlocked(side.waiting(() -> latch.await(10, TimeUnit.MILLISECONDS)));
    }

    @Test
    void closeReturns() throws Exception {
        Latch latch = blocked(connected());
        returnsAlthoughBlocked(side.waiting(() -> {
            latch.close();
            return true;
        }));
        assertThat(latch.hasLeadership()).isFalse();
    }

    @Test
    void anotherLatchOfTheClientIsElected() throws Exception {
        Client client = connected();
        blocked(client);
        Latch unrelated = side.latch(client, path + "/unrelated");
        unrelated.start();
        if (side.isCurator()) {
            side.pass(A_WHILE);
            assertThat(unrelated.hasLeadership()).isFalse();
            gate.countDown();
        }
        leads(unrelated);
    }

    @Test
    void leadershipEndsWhenTheServiceIsGone() throws Exception {
        Client client = connected();
        Latch latch = blocked(client);
        side.cut(client);
        side.pass(side.session().plus(A_WHILE));
        assertThat(latch.hasLeadership()).isEqualTo(side.isCurator());
        gate.countDown();
        leadsNoMore(latch);
    }

    @Test
    void aLeaderThatHasExpiredDoesNotLeadBesideTheNext() throws Exception {
        Client client = connected();
        Latch first = blocked(client);
        Latch second = joined(connected(), "second");
        side.expire(client);
        leads(second);
        side.pass(A_WHILE);
        assertThat(first.hasLeadership()).as("two leaders").isEqualTo(side.isCurator());
        assertThat(second.hasLeadership()).isTrue();
        gate.countDown();
        leadsNoMore(first);
    }

    // The remedy that Curator offers.
    @Test
    void withAnExecutorNeitherHasTwoLeaders() throws Exception {
        Client client = connected();
        Latch first = side.latch(client, path, "blocked");
        first.addListener(
                new Blocking(),
                task -> new WaitingCall<>(() -> {
                    task.run();
                    return true;
                }));
        first.start();
        assertThat(begun.await(Real.DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Latch second = joined(connected(), "second");
        side.expire(client);
        leads(second);
        leadsNoMore(first);
        assertThat(gate.getCount()).isEqualTo(1);
    }

    @Test
    void closingCallsNotLeaderOnAnotherThread() throws Exception {
        Latch latch = side.latch(connected(), path, "", CloseMode.NOTIFY_LEADER);
        RecordingListener listener = new RecordingListener();
        latch.addListener(listener);
        latch.start();
        hears(listener, IS_LEADER);
        latch.close();
        hears(listener, IS_LEADER, NOT_LEADER);
        assertThat(listener.threads.get(1) == Thread.currentThread()).isEqualTo(side.isCurator());
        assertThat(listener.threads.get(0)).isNotSameAs(Thread.currentThread());
    }
}
