package io.quorate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.quorate.CancelLeadershipException;
import io.quorate.ConnectionState;
import io.quorate.Participant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leadership in turns. */
abstract class SelectorContract extends Contract {

    private static final String REQUEUE_REFUSED = "close() has already been called";
    private static final String NOT_OPEN = "Already closed or has not been started";

    private final ControlledTurns turns = new ControlledTurns();
    private final List<Selector> opened = new ArrayList<>();

    // One that queues again by itself would go on for ever in Curator, also after its client is closed.
    @AfterEach
    void closeSelectors() {
        for (Selector selector : opened) {
            try {
                selector.close();
            } catch (IllegalStateException e) {
                // Justification: the test has closed it, or not started it; there is no way to ask.
                assertThat(e).hasMessage(NOT_OPEN);
            }
        }
    }

    private Selector selector(Client client, String id, Selector.Turn turn) {
        Selector selector = side.selector(client, path, turn);
        selector.setId(id);
        opened.add(selector);
        return selector;
    }

    private Selector leading(Client client) {
        Selector selector = selector(client, "leader", turns);
        selector.start();
        side.eventually("it leads", turns::isLeading);
        return selector;
    }

    private void joined(Selector selector) throws Exception {
        selector.start();
        side.eventually(
                "it queues", () -> opened.stream().allMatch(other -> ids(other).contains(selector.getId())));
    }

    private static List<String> ids(Selector selector) {
        try {
            return selector.getParticipants().stream().map(Participant::getId).toList();
        } catch (Exception e) {
            // Justification: getParticipants declares it; here it is a failure of the test.
            throw new AssertionError(e);
        }
    }

    @Test
    void nullsAndIllegalPathsAreRefused() {
        Client client = side.newClient();
        ExecutorService none = null;
        assertThatNullPointerException()
                .isThrownBy(() -> side.selector(null, path, turns))
                .withMessage("client cannot be null");
        assertThatNullPointerException()
                .isThrownBy(() -> side.selector(client, path, null))
                .withMessage("listener cannot be null");
        assertThatNullPointerException()
                .isThrownBy(() -> side.selector(client, path, none, turns))
                .withMessage("executorService cannot be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> side.selector(client, null, turns))
                .withMessage("Path cannot be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> side.selector(client, "/a/", turns))
                .withMessage("Path must not end with / character");
        assertThatNullPointerException()
                .isThrownBy(() -> side.selector(client, path, turns).setId(null))
                .withMessage("id cannot be null");
    }

    @Test
    void eachStateAllowsWhatItAllows() throws Exception {
        Selector selector = side.selector(connected(), path, turns);
        assertThat(selector.getId()).isEmpty();
        assertThatIllegalStateException().isThrownBy(selector::close).withMessage(NOT_OPEN);
        assertThatIllegalStateException().isThrownBy(selector::requeue).withMessage(REQUEUE_REFUSED);
        selector.start();
        assertThatIllegalStateException().isThrownBy(selector::start).withMessage("Cannot be started more than once");
        selector.close();
        assertThatIllegalStateException().isThrownBy(selector::start).withMessage("Cannot be started more than once");
        assertThatIllegalStateException().isThrownBy(selector::close).withMessage(NOT_OPEN);
        assertThatIllegalStateException().isThrownBy(selector::requeue).withMessage(REQUEUE_REFUSED);
    }

    @Test
    void leadershipLastsUntilTheListenerReturns() throws Exception {
        Client client = connected();
        AtomicBoolean inside = new AtomicBoolean();
        Selector selector = leading(client);
        assertThat(selector.hasLeadership()).isTrue();
        turns.end(() -> inside.set(selector.hasLeadership()));
        side.eventually("it leads no more", () -> !selector.hasLeadership());
        assertThat(inside).isTrue();
        side.eventually("it queues no more", () -> ids(selector).isEmpty());
        assertThat(turns.begun).hasValue(1);
    }

    @Test
    void requeueAnswersFalseWhileItQueuesOrLeads() throws Exception {
        Client client = connected();
        Selector leader = leading(client);
        assertThat(leader.requeue()).isFalse();
        Selector waiting = selector(client, "waiting", new ControlledTurns());
        joined(waiting);
        assertThat(waiting.requeue()).isFalse();
        turns.end();
        side.eventually("it may queue again", leader::requeue);
        assertThat(leader.requeue()).isFalse();
        side.eventually("it queues again", () -> ids(leader).contains("leader"));
    }

    @Test
    void withAutoRequeueItLeadsAgainAndAgain() throws Exception {
        Client client = connected();
        Selector selector = selector(client, "leader", turns);
        selector.autoRequeue();
        selector.start();
        for (int turn = 1; turn <= 3; turn++) {
            int number = turn;
            side.eventually("turn " + turn, () -> turns.begun.get() == number);
            turns.end();
        }
        side.eventually("it leads once more", () -> turns.begun.get() == 4);
        assertThat(turns.atOnceMax).hasValue(1);
    }

    // As testRotatingLeadership of Curator.
    @Test
    void turnsRotateInTheOrderOfQueueing() throws Exception {
        Client client = connected();
        Client other = connected();
        List<ControlledTurns> all = List.of(new ControlledTurns(), new ControlledTurns(), new ControlledTurns());
        List<Selector> selectors = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Selector selector = selector(i == 1 ? other : client, "s" + i, all.get(i));
            selector.autoRequeue();
            joined(selector);
            selectors.add(selector);
        }
        for (int turn = 0; turn < 6; turn++) {
            int leader = turn % 3;
            List<String> queue = List.of("s" + leader, "s" + (leader + 1) % 3, "s" + (leader + 2) % 3);
            side.eventually(
                    "the queue is " + queue,
                    () -> all.get(leader).isLeading()
                            && selectors.stream()
                                    .allMatch(selector -> ids(selector).equals(queue)));
            assertThat(all.stream().filter(ControlledTurns::isLeading)).hasSize(1);
            all.get(leader).end();
        }
    }

    @Test
    void theLeaderIsSeenWithItsId() throws Exception {
        Client client = connected();
        Selector leader = leading(client);
        Selector waiting = selector(connected(), "waiting", new ControlledTurns());
        joined(waiting);
        assertThat(waiting.getLeader()).isEqualTo(new Participant("leader", true));
        assertThat(waiting.getParticipants())
                .containsExactly(new Participant("leader", true), new Participant("waiting", false));
        assertThat(leader.getId()).isEqualTo("leader");
    }

    @Test
    void interruptLeadershipInterruptsTheLeaderOnly() throws Exception {
        Client client = connected();
        Selector leader = leading(client);
        ControlledTurns others = new ControlledTurns();
        Selector waiting = selector(client, "waiting", others);
        joined(waiting);
        waiting.interruptLeadership();
        side.pass(A_WHILE);
        assertThat(ids(waiting)).containsExactly("leader", "waiting");
        leader.interruptLeadership();
        side.eventually("it is interrupted", () -> turns.interrupted.get() == 1);
        side.eventually("the next leads", others::isLeading);
        assertThat(leader.hasLeadership()).isFalse();
    }

    @Test
    void interruptedLeadershipIsFollowedByAnotherTurn() throws Exception {
        Client client = connected();
        Selector selector = selector(client, "leader", turns);
        selector.autoRequeue();
        selector.start();
        for (int turn = 1; turn <= 2; turn++) {
            int number = turn;
            side.eventually("turn " + turn, () -> turns.begun.get() == number && selector.hasLeadership());
            selector.interruptLeadership();
            side.eventually("it is interrupted", () -> turns.interrupted.get() == number);
        }
        side.eventually("it leads again", () -> turns.begun.get() == 3);
    }

    @Test
    void closingInterruptsTheLeaderAndTheNextLeads() throws Exception {
        Client client = connected();
        Selector leader = leading(client);
        ControlledTurns others = new ControlledTurns();
        Selector waiting = selector(connected(), "waiting", others);
        joined(waiting);
        leader.close();
        side.eventually("it is interrupted", () -> turns.interrupted.get() == 1);
        side.eventually("the next leads", others::isLeading);
        assertThat(leader.hasLeadership()).isFalse();
    }

    @Test
    void theListenerMayCloseItsSelector() throws Exception {
        Client client = connected();
        AtomicBoolean wasInterrupted = new AtomicBoolean();
        Selector selector = leading(client);
        turns.end(() -> {
            selector.close();
            wasInterrupted.set(Thread.interrupted());
        });
        side.eventually("its turn is over", () -> turns.ended.get() == 1);
        assertThat(wasInterrupted).isTrue();
        side.eventually("it leads no more", () -> !selector.hasLeadership());
        assertThatIllegalStateException().isThrownBy(selector::requeue).withMessage(REQUEUE_REFUSED);
        side.eventually("nobody queues", () -> ids(selector).isEmpty());
    }

    @Test
    void closingOneThatWaitsTakesItOutOfTheQueue() throws Exception {
        Client client = connected();
        Selector leader = leading(client);
        ControlledTurns second = new ControlledTurns();
        ControlledTurns third = new ControlledTurns();
        Selector waiting = selector(connected(), "second", second);
        joined(waiting);
        joined(selector(client, "third", third));
        waiting.close();
        side.eventually("it is gone", () -> ids(leader).equals(List.of("leader", "third")));
        turns.end();
        side.eventually("the third leads", third::isLeading);
        assertThat(second.begun).hasValue(0);
    }

    @Test
    void anErrorStateInterruptsTheLeader() throws Exception {
        side.policy(Policy.STANDARD);
        Client client = connected();
        Selector selector = leading(client);
        ControlledTurns others = new ControlledTurns();
        joined(selector(connected(), "waiting", others));
        side.expire(client);
        side.eventually("it is interrupted", () -> turns.interrupted.get() == 1);
        side.eventually("the next leads", others::isLeading);
        assertThat(selector.hasLeadership()).isFalse();
    }

    @Test
    void afterALossItIsTheUsersJobToQueueAgain() throws Exception {
        Client client = connected();
        Selector selector = leading(client);
        side.expire(client);
        side.eventually("its turn is over", () -> turns.ended.get() == 1);
        side.pass(A_WHILE);
        assertThat(turns.begun).hasValue(1);
        side.eventually("it may queue again", selector::requeue);
        side.eventually("it leads again", () -> turns.begun.get() == 2);
    }

    @Test
    void withAutoRequeueItLeadsAgainAfterALoss() throws Exception {
        Client client = connected();
        Selector selector = selector(client, "leader", turns);
        selector.autoRequeue();
        selector.start();
        side.eventually("it leads", turns::isLeading);
        side.expire(client);
        side.eventually("it leads again", () -> turns.begun.get() >= 2 && selector.hasLeadership());
        assertThat(turns.atOnceMax).hasValue(1);
    }

    @Test
    void aListenerMayRideOutAShortOutage() throws Exception {
        side.policy(Policy.SESSION);
        Client client = side.newClient();
        List<ConnectionState> states = new CopyOnWriteArrayList<>();
        Selector selector = selector(client, "leader", new WatchfulTurns(turns, states, false));
        client.start();
        selector.start();
        // In Curator, an attempt on a client that is not connected yet may end at once.
        side.eventually("it leads", () -> turns.isLeading() || selector.requeue() && turns.isLeading());
        side.cut(client);
        side.eventually("it is told", () -> states.contains(ConnectionState.SUSPENDED));
        side.heal(client);
        side.eventually("it is told", () -> states.contains(ConnectionState.RECONNECTED));
        assertThat(selector.hasLeadership()).isTrue();
        assertThat(turns.interrupted).hasValue(0);
        turns.end();
    }

    @Test
    void cancelLeadershipExceptionEndsTheTurn() throws Exception {
        side.policy(Policy.SESSION);
        Client client = connected();
        List<ConnectionState> states = new CopyOnWriteArrayList<>();
        Selector selector = selector(client, "leader", new WatchfulTurns(turns, states, true));
        selector.start();
        side.eventually("it leads", turns::isLeading);
        side.cut(client);
        side.eventually("it is interrupted", () -> turns.interrupted.get() == 1);
        side.heal(client);
        side.eventually("it leads no more", () -> !selector.hasLeadership());
    }

    @Test
    void cancelLeadershipExceptionEndsTheWait() throws Exception {
        side.policy(Policy.SESSION);
        Client client = connected();
        leading(connected());
        List<ConnectionState> states = new CopyOnWriteArrayList<>();
        ControlledTurns never = new ControlledTurns();
        Selector waiting = selector(client, "waiting", new WatchfulTurns(never, states, true));
        joined(waiting);
        side.cut(client);
        side.eventually("it is told", () -> states.contains(ConnectionState.SUSPENDED));
        side.heal(client);
        side.eventually("it may queue again", waiting::requeue);
        assertThat(never.begun).hasValue(0);
    }

    // It counts only when stateChanged throws it.
    @Test
    void cancelLeadershipExceptionOfATurnOnlyEndsTheTurn() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Selector selector = selector(connected(), "leader", () -> {
            if (calls.incrementAndGet() == 1) {
                throw new CancelLeadershipException("meant by the test");
            }
            turns.takeLeadership();
        });
        selector.autoRequeue();
        selector.start();
        side.eventually("it leads again", turns::isLeading);
        assertThat(turns.interrupted).hasValue(0);
    }

    private record WatchfulTurns(ControlledTurns turns, List<ConnectionState> states, boolean cancels)
            implements Selector.WatchfulTurn {

        @Override
        public void takeLeadership() {
            turns.takeLeadership();
        }

        @Override
        public void stateChanged(ConnectionState newState) {
            states.add(newState);
            if (cancels && newState == ConnectionState.SUSPENDED) {
                throw new CancelLeadershipException();
            }
        }
    }

    @Test
    void aGivenExecutorIsUsedAndNotShutDown() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "application's own");
            thread.setDaemon(true);
            return thread;
        });
        Selector selector = side.selector(connected(), path, executor, turns);
        selector.start();
        side.eventually("it leads", turns::isLeading);
        assertThat(turns.thread.getName()).isEqualTo("application's own");
        turns.end();
        side.eventually("its turn is over", () -> !selector.hasLeadership());
        selector.close();
        assertThat(executor.isShutdown()).isFalse();
        executor.shutdownNow();
    }

    @Test
    void withoutAnExecutorADaemonThreadIsUsed() throws Exception {
        leading(connected());
        assertThat(turns.thread.isDaemon()).isTrue();
        assertThat(turns.thread.getName()).matches("(Curator|Quorate)-LeaderSelector-\\d+");
    }
}
