package io.quorate.contract;

import static io.quorate.testkit.RecordingListener.IS_LEADER;
import static io.quorate.testkit.RecordingListener.NOT_LEADER;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatch.State;
import io.quorate.testkit.BlockingListener;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.WaitingCall;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What closing a latch ends, and whom it tells. */
abstract class CloseContract extends Contract {

    private static final String ANSWERED_EOF = "EOFException";

    private Latch latchThatCloses(Client client, CloseMode mode) throws Exception {
        return side.latch(client, path, "", mode);
    }

    @ParameterizedTest
    @EnumSource(CloseMode.class)
    void theModeOfTheConstructorSaysWhetherListenersAreTold(CloseMode mode) throws Exception {
        Latch latch = latchThatCloses(connected(), mode);
        RecordingListener listener = closedWhileLeading(latch, latch::close);
        hearsAsIn(mode, listener);
    }

    @ParameterizedTest
    @CsvSource({"SILENT,NOTIFY_LEADER", "NOTIFY_LEADER,SILENT", "NOTIFY_LEADER,NOTIFY_LEADER"})
    void theModeOfTheCallCountsMore(CloseMode constructed, CloseMode called) throws Exception {
        Latch latch = latchThatCloses(connected(), constructed);
        RecordingListener listener = closedWhileLeading(latch, () -> latch.close(called));
        hearsAsIn(called, listener);
    }

    @Test
    void withoutAModeClosingIsSilent() throws Exception {
        Latch latch = side.latch(connected(), path);
        hearsAsIn(CloseMode.SILENT, closedWhileLeading(latch, latch::close));
        Latch named = side.latch(connected(), path, "id");
        hearsAsIn(CloseMode.SILENT, closedWhileLeading(named, named::close));
    }

    private interface Closing {
        void close() throws IOException;
    }

    private RecordingListener closedWhileLeading(Latch latch, Closing closing) throws Exception {
        RecordingListener listener = new RecordingListener();
        latch.addListener(listener);
        latch.start();
        leads(latch);
        hears(listener, IS_LEADER);
        closing.close();
        return listener;
    }

    private void hearsAsIn(CloseMode mode, RecordingListener listener) {
        if (mode == CloseMode.NOTIFY_LEADER) {
            hears(listener, IS_LEADER, NOT_LEADER);
        } else {
            hears(listener, IS_LEADER);
        }
    }

    /** Takes its time in {@code notLeader}. */
    private static final class Slow extends RecordingListener {
        @Override
        public void notLeader() {
            Real.sleep(A_WHILE.toMillis());
            super.notLeader();
        }
    }

    private Latch ledWith(RecordingListener listener) throws Exception {
        Latch latch = latchThatCloses(connected(), CloseMode.NOTIFY_LEADER);
        latch.addListener(listener);
        latch.start();
        leads(latch);
        hears(listener, IS_LEADER);
        return latch;
    }

    // So that the application may close next what its listener uses.
    @Test
    void whenANotifyingCloseReturnsNotLeaderHasRun() throws Exception {
        Slow listener = new Slow();
        ledWith(listener).close();
        assertThat(listener.events).containsExactly(IS_LEADER, NOT_LEADER);
    }

    @Test
    void anInterruptedThreadClosesInTheSameWay() throws Exception {
        RecordingListener listener = new RecordingListener();
        Latch latch = ledWith(listener);
        Thread.currentThread().interrupt();
        latch.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(listener.events).containsExactly(IS_LEADER, NOT_LEADER);
    }

    // The executor has the task when close() returns, also while its only thread is still in isLeader.
    @Test
    void anExecutorThatIsShutDownAfterwardsCallsNotLeader() throws Exception {
        BlockingListener listener = BlockingListener.inIsLeader();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Latch latch = latchThatCloses(connected(), CloseMode.NOTIFY_LEADER);
        latch.addListener(listener, executor);
        latch.start();
        leads(latch);
        side.eventually("it is called", listener::isCalled);
        latch.close();
        executor.shutdown();
        listener.open();
        assertThat(executor.awaitTermination(Real.DEADLINE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(listener.events).containsExactly(IS_LEADER, NOT_LEADER);
    }

    @Test
    void aListenerWithAnExecutorIsNotWaitedFor() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Latch latch = latchThatCloses(connected(), CloseMode.NOTIFY_LEADER);
        RecordingListener listener = new RecordingListener() {
            @Override
            public void notLeader() {
                try {
                    gate.await(Real.DEADLINE.toSeconds(), TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                super.notLeader();
            }
        };
        latch.addListener(
                listener,
                task -> new WaitingCall<>(() -> {
                    task.run();
                    return true;
                }));
        latch.start();
        leads(latch);
        hears(listener, IS_LEADER);
        latch.close();
        assertThat(listener.events).containsExactly(IS_LEADER);
        gate.countDown();
        hears(listener, IS_LEADER, NOT_LEADER);
    }

    @Test
    void ofTwoThreadsOneClosesAndTheOtherIsRefused() throws Exception {
        Slow listener = new Slow();
        Latch latch = ledWith(listener);
        List<WaitingCall<Integer>> closing = new ArrayList<>();
        for (int thread = 0; thread < 2; thread++) {
            closing.add(new WaitingCall<>(() -> {
                latch.close();
                return listener.events.size();
            }));
        }
        side.eventually("both return", () -> closing.stream().allMatch(WaitingCall::isDone));
        List<String> answers = new ArrayList<>();
        for (WaitingCall<Integer> call : closing) {
            try {
                answers.add("closed after " + call.answer());
            } catch (IllegalStateException e) {
                answers.add(e.getMessage());
            }
        }
        assertThat(answers).containsExactlyInAnyOrder("closed after 2", "Already closed or has not been started");
        hears(listener, IS_LEADER, NOT_LEADER);
    }

    @Test
    void closeNotifiesOnlyListenersOfALeader() throws Exception {
        Client client = connected();
        leading(client, "leader");
        Latch latch = side.latch(client, path, "follower", CloseMode.NOTIFY_LEADER);
        RecordingListener listener = new RecordingListener();
        latch.addListener(listener);
        joined(client, latch);
        latch.close();
        hears(listener);
    }

    @Test
    void inNotLeaderTheLatchIsClosedAndDoesNotLead() throws Exception {
        Latch latch = latchThatCloses(connected(), CloseMode.NOTIFY_LEADER);
        List<String> seen = new CopyOnWriteArrayList<>();
        latch.addListener(new RecordingListener() {
            @Override
            public void notLeader() {
                seen.add(latch.getState() + " " + latch.hasLeadership());
            }
        });
        latch.start();
        leads(latch);
        latch.close();
        side.eventually("notLeader is called", () -> !seen.isEmpty());
        assertThat(seen).containsExactly(State.CLOSED + " " + false);
    }

    @ParameterizedTest
    @EnumSource(CloseMode.class)
    void whenCloseReturnsLeadershipIsOver(CloseMode mode) throws Exception {
        Latch latch = leading(connected(), "leader");
        latch.close(mode);
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(latch.getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void theNextInTheQueueLeads() throws Exception {
        Latch first = leading(connected(), "first");
        Client client = connected();
        Latch second = joined(client, "second");
        Latch third = joined(connected(), "third");
        first.close();
        leads(second);
        assertThat(third.hasLeadership()).isFalse();
        second.close();
        leads(third);
    }

    @Test
    void aClosedLatchIsNoLongerSeen() throws Exception {
        Client client = connected();
        Latch first = leading(client, "first");
        Latch second = joined(connected(), "second");
        first.close();
        side.eventually("one is left", () -> ids(second).equals(List.of("second")));
        // Another process may learn of a contender later.
        side.eventually("one is left for the other", () -> ids(first).equals(List.of("second")));
    }

    @Test
    void aFollowerLeavesWithoutDisturbingTheLeader() throws Exception {
        Client client = connected();
        Latch leader = side.latch(client, path, "leader");
        RecordingListener listener = new RecordingListener();
        leader.addListener(listener);
        leads(joined(client, leader));
        Latch follower = joined(connected(), "follower");
        follower.close();
        side.eventually("the follower is gone", () -> ids(leader).equals(List.of("leader")));
        hears(listener, IS_LEADER);
        assertThat(leader.hasLeadership()).isTrue();
    }

    // A queue of three, of which the middle one leaves: the last one must still be woken.
    @Test
    void aFollowerThatLeavesDoesNotBreakTheQueue() throws Exception {
        Latch first = leading(connected(), "first");
        Client client = connected();
        Latch second = joined(client, "second");
        Latch third = joined(connected(), "third");
        second.close();
        side.eventually("two are left", () -> ids(first).equals(List.of("first", "third")));
        first.close();
        leads(third);
    }

    @Test
    void blockedWaitersAreWoken() throws Exception {
        Client client = connected();
        leading(client, "leader");
        Latch latch = joined(client, "follower");
        WaitingCall<String> unbounded = side.waiting(endOf(latch));
        WaitingCall<Boolean> bounded = side.waiting(() -> latch.await(1, TimeUnit.HOURS));
        assertThat(unbounded.isDone() || bounded.isDone()).isFalse();
        latch.close();
        side.eventually("both return", () -> unbounded.isDone() && bounded.isDone());
        assertThat(unbounded.answer()).isEqualTo(ANSWERED_EOF);
        assertThat(bounded.answer()).isFalse();
    }

    // Also while there is no client that it could contend with.
    @Test
    void waitersOfALatchThatHasNotJoinedAreWoken() throws Exception {
        Latch latch = side.latch(side.newClient(), path);
        latch.start();
        WaitingCall<String> waiting = side.waiting(endOf(latch));
        latch.close();
        side.eventually("it returns", waiting::isDone);
        assertThat(waiting.answer()).isEqualTo(ANSWERED_EOF);
    }

    private static Callable<String> endOf(Latch latch) {
        return () -> {
            try {
                latch.await();
                return "leads";
            } catch (EOFException e) {
                return ANSWERED_EOF;
            }
        };
    }

    @ParameterizedTest
    @EnumSource(CloseMode.class)
    void isLeaderMayCloseItsLatch(CloseMode mode) throws Exception {
        Client client = connected();
        Latch latch = side.latch(client, path, "hasty", mode);
        List<String> events = new CopyOnWriteArrayList<>();
        RecordingListener listener = new RecordingListener("", events) {
            @Override
            public void isLeader() {
                super.isLeader();
                try {
                    latch.close();
                } catch (IOException e) {
                    note(e.toString());
                }
            }
        };
        latch.addListener(listener);
        latch.start();
        side.eventually("it is closed", () -> latch.getState() == State.CLOSED);
        assertThat(latch.hasLeadership()).isFalse();
        hearsAsIn(mode, listener);
        leading(client, "next");
    }

    @Test
    void aListenerAddedToAClosedLatchIsNeverCalled() throws Exception {
        Client client = connected();
        Latch latch = leading(client, "first");
        latch.close();
        RecordingListener listener = new RecordingListener();
        latch.addListener(listener);
        leading(client, "second");
        hears(listener);
    }

    @Test
    void aLatchMayBeClosedBeforeItHasJoined() throws Exception {
        Client client = connected();
        for (int i = 0; i < 20; i++) {
            Latch latch = side.latch(client, path, "brief");
            latch.start();
            latch.close();
        }
        Latch last = leading(client, "last");
        side.eventually("nobody else is left", () -> ids(last).equals(List.of("last")));
    }
}
