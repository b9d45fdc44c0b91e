package io.quorate.contract;

import static io.quorate.testkit.RecordingListener.IS_LEADER;
import static io.quorate.testkit.RecordingListener.NOT_LEADER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ConnectionState;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatch.State;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.WaitingCall;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.curator.framework.api.CuratorClosedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Where Quorate differs from Curator on purpose. Each test states what both do:
 * <ul>
 * <li>closing only the client: Curator's latch goes on believing that it leads, and its waiters wait for ever;
 * <li>closing a latch after its client: an IOException in Curator;
 * <li>an executor that rejects: Curator's waiters are not woken;
 * <li>a null executor: Curator accepts it and fails in the election;
 * <li>the order of listeners: any in Curator, that of adding in Quorate;
 * <li>closing in isLeader: other listeners may hear notLeader first in Curator;
 * <li>the default policy: Standard in Curator, Session in Quorate;
 * <li>leadership regained after SUSPENDED: the same path in Curator, a new and higher token in Quorate;
 * <li>the digits of a path: 10 in Curator, 19 in Quorate.
 * </ul>
 * {@link BlockedCallbackContract}, {@link OutageViewContract} and {@link SelectorDefectsContract} have more.
 */
abstract class KnownDefectsContract extends Contract {

    private String failure(WaitingCall<?> waiting) {
        try {
            return String.valueOf(waiting.answer());
        } catch (Exception e) {
            // Justification: what it is, is what the test is about.
            return e.getClass().getSimpleName();
        }
    }

    @ParameterizedTest
    @EnumSource(CloseMode.class)
    void closingOnlyTheClientEndsLeadership(CloseMode mode) throws Exception {
        Client client = connected();
        Latch first = side.latch(client, path, "first", mode);
        RecordingListener listener = new RecordingListener();
        first.addListener(listener);
        leads(joined(client, first));
        Latch second = joined(connected(), "second");
        hears(listener, IS_LEADER);
        client.close();
        leads(second);
        assertThat(first.hasLeadership()).as("two leaders").isEqualTo(side.isCurator());
        assertThat(first.getState()).isEqualTo(side.isCurator() ? State.STARTED : State.CLOSED);
        if (side.isCurator() || mode == CloseMode.SILENT) {
            hears(listener, IS_LEADER);
        } else {
            hears(listener, IS_LEADER, NOT_LEADER);
        }
    }

    @Test
    void closingOnlyTheClientWakesWaiters() throws Exception {
        leading(connected(), "leader");
        Client client = connected();
        Latch latch = joined(client, "follower");
        WaitingCall<Boolean> waiting = side.waiting(() -> {
            latch.await();
            return true;
        });
        client.close();
        side.pass(A_WHILE);
        if (side.isCurator()) {
            assertThat(waiting.isDone()).isFalse();
            waiting.interrupt();
        } else {
            side.eventually("it ends", waiting::isDone);
            assertThat(failure(waiting)).isEqualTo(EOFException.class.getSimpleName());
        }
    }

    @Test
    void aLatchMayBeClosedAfterItsClient() throws Exception {
        Client client = connected();
        Latch latch = leading(client, "leader");
        client.close();
        if (side.isCurator()) {
            assertThatThrownBy(latch::close)
                    .isExactlyInstanceOf(IOException.class)
                    .hasCauseExactlyInstanceOf(CuratorClosedException.class);
        } else {
            assertThatCode(latch::close).doesNotThrowAnyException();
        }
        assertThat(latch.getState()).isEqualTo(State.CLOSED);
        assertThat(latch.hasLeadership()).isFalse();
        assertThatIllegalStateException()
                .isThrownBy(latch::close)
                .withMessage("Already closed or has not been started");
    }

    @Test
    void anExecutorThatRejectsWakesWaiters() throws Exception {
        Client client = connected();
        Latch leader = leading(client, "leader");
        Latch latch = side.latch(client, path, "next");
        latch.addListener(new RecordingListener(), task -> {
            throw new RejectedExecutionException("meant by the test");
        });
        joined(client, latch);
        WaitingCall<Boolean> waiting = side.waiting(() -> latch.await(1, TimeUnit.HOURS));
        leader.close();
        leads(latch);
        if (side.isCurator()) {
            side.pass(A_WHILE);
            assertThat(waiting.isDone()).as("the lost wake-up").isFalse();
            latch.close();
        } else {
            side.eventually("it is woken", waiting::isDone);
            assertThat(waiting.answer()).isTrue();
        }
    }

    @Test
    void anExecutorThatRejectsHarmsNoOtherListener() throws Exception {
        Latch latch = side.latch(connected(), path);
        // So many that Curator, which calls them in any order, cannot by chance call all of these first.
        List<RecordingListener> others =
                Stream.generate(RecordingListener::new).limit(12).toList();
        for (RecordingListener other : others) {
            latch.addListener(new RecordingListener(), task -> {
                throw new RejectedExecutionException("meant by the test");
            });
            latch.addListener(other);
        }
        latch.start();
        leads(latch);
        if (side.isCurator()) {
            side.pass(A_WHILE);
            assertThat(others).as("some are skipped").anyMatch(other -> other.events.isEmpty());
        } else {
            others.forEach(other -> hears(other, IS_LEADER));
        }
    }

    @Test
    void anExecutorMustNotBeNull() {
        Latch latch = side.latch(side.newClient(), path);
        if (side.isCurator()) {
            assertThatCode(() -> latch.addListener(new RecordingListener(), null))
                    .doesNotThrowAnyException();
        } else {
            assertThatNullPointerException().isThrownBy(() -> latch.addListener(new RecordingListener(), null));
        }
    }

    @Test
    void listenersAreCalledInTheOrderOfAdding() throws Exception {
        Client client = connected();
        List<List<String>> orders = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            Latch latch = side.latch(client, path);
            List<String> order = new CopyOnWriteArrayList<>();
            for (char name = 'a'; name <= 'h'; name++) {
                latch.addListener(new RecordingListener(name + " ", order));
            }
            latch.start();
            side.eventually("all are called", () -> order.size() == 8);
            orders.add(order);
            latch.close();
        }
        assertThat(orders.stream()
                        .allMatch(order -> order.equals(order.stream().sorted().toList())))
                .as(orders.toString())
                .isEqualTo(!side.isCurator());
    }

    @Test
    void latchClosedInIsLeaderNotifiesItsListenersInOrder() throws Exception {
        Latch latch = side.latch(connected(), path, "", CloseMode.NOTIFY_LEADER);
        List<RecordingListener> listeners = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            RecordingListener listener = new RecordingListener() {
                @Override
                public void isLeader() {
                    super.isLeader();
                    closeOnce(latch);
                }
            };
            listeners.add(listener);
            latch.addListener(listener);
        }
        latch.start();
        side.eventually("it is closed", () -> latch.getState() == State.CLOSED);
        side.eventually("all hear notLeader", () -> listeners.stream()
                .allMatch(listener -> listener.events.contains(NOT_LEADER)));
        side.pass(A_WHILE);
        assertThat(listeners.stream().allMatch(listener -> listener.hasSeen(IS_LEADER, NOT_LEADER)))
                .as(listeners.stream().map(listener -> listener.events).toList().toString())
                .isEqualTo(!side.isCurator());
    }

    private static void closeOnce(Latch latch) {
        if (latch.getState() == State.STARTED) {
            try {
                latch.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    // The connection is cut for less than the session lasts.
    @Test
    void withoutAPolicyLeadershipSurvivesSuspended() throws Exception {
        Client client = side.newClient();
        List<ConnectionState> states = new CopyOnWriteArrayList<>();
        client.onStateChange(states::add);
        client.start();
        Latch latch = leading(client, "leader");
        side.cut(client);
        side.eventually("the client is SUSPENDED", () -> states.contains(ConnectionState.SUSPENDED));
        if (side.isCurator()) {
            leadsNoMore(latch);
        } else {
            assertThat(latch.hasLeadership()).isTrue();
            assertThat(states).doesNotContain(ConnectionState.LOST);
        }
    }

    @Test
    void leadershipRegainedHasANewToken() throws Exception {
        side.policy(Policy.STANDARD);
        Client client = connected();
        Latch latch = leading(client, "leader");
        String before = latch.getLastPathIsLeader();
        side.cut(client);
        leadsNoMore(latch);
        side.heal(client);
        leads(latch);
        if (side.isCurator()) {
            assertThat(latch.getLastPathIsLeader()).isEqualTo(before);
        } else {
            assertThat(number(latch.getLastPathIsLeader())).isGreaterThan(number(before));
        }
    }

    @Test
    void thePathEndsInTheToken() throws Exception {
        Latch latch = leading(connected(), "leader");
        assertThat(latch.getLastPathIsLeader()).matches(".*-latch-\\d{" + (side.isCurator() ? 10 : 19) + "}");
    }
}
