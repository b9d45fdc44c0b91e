package io.quorate.contract;

import static io.quorate.testkit.RecordingListener.IS_LEADER;
import static io.quorate.testkit.RecordingListener.NOT_LEADER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.testkit.RecordingListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who is told what, when, and on which thread. */
abstract class ListenerContract extends Contract {

    private static final String POOL_THREAD = "listener's own thread";

    private Latch withListener(Client client, String id, RecordingListener listener) throws Exception {
        Latch latch = side.latch(client, path, id);
        latch.addListener(listener);
        return joined(client, latch);
    }

    private static ExecutorService oneThread() {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, POOL_THREAD);
            thread.setDaemon(true);
            return thread;
        });
    }

    @Test
    void theFlagIsSetBeforeIsLeaderAndClearedBeforeNotLeader() throws Exception {
        side.policy(Policy.STANDARD);
        Client client = connected();
        Latch latch = side.latch(client, path);
        List<String> seen = new CopyOnWriteArrayList<>();
        latch.addListener(new RecordingListener("", seen) {
            @Override
            public void isLeader() {
                note("is " + latch.hasLeadership());
            }

            @Override
            public void notLeader() {
                note("not " + latch.hasLeadership());
            }
        });
        latch.start();
        leads(latch);
        side.expire(client);
        side.eventually("it leads, does not, and leads again", () -> seen.size() >= 3);
        assertThat(seen).startsWith("is true", "not false", "is true");
    }

    @Test
    void callsAlternate() throws Exception {
        Client client = connected();
        RecordingListener listener = new RecordingListener();
        Latch latch = leads(withListener(client, "leader", listener));
        for (int calls = 1; calls <= 3; calls += 2) {
            int before = calls;
            side.eventually("isLeader is called", () -> listener.events.size() >= before);
            side.expire(client);
            side.eventually("notLeader is called", () -> listener.events.size() > before);
            leads(latch);
        }
        side.eventually("the last isLeader is called", () -> listener.events.size() >= 5);
        for (int call = 0; call < listener.events.size(); call++) {
            assertThat(listener.events.get(call))
                    .as(listener.events.toString())
                    .isEqualTo(call % 2 == 0 ? IS_LEADER : NOT_LEADER);
        }
    }

    @Test
    void onlyTheLeadersListenersAreCalled() throws Exception {
        RecordingListener leader = new RecordingListener();
        RecordingListener follower = new RecordingListener();
        Latch first = leads(withListener(connected(), "first", leader));
        Latch second = withListener(connected(), "second", follower);
        hears(leader, IS_LEADER);
        hears(follower);
        first.close();
        leads(second);
        hears(follower, IS_LEADER);
        hears(leader, IS_LEADER);
    }

    @Test
    void everyListenerIsCalledOnce() throws Exception {
        Client client = connected();
        Latch latch = side.latch(client, path, "leader", CloseMode.NOTIFY_LEADER);
        List<RecordingListener> listeners = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            RecordingListener listener = new RecordingListener();
            listeners.add(listener);
            latch.addListener(listener);
        }
        leads(joined(client, latch));
        side.eventually("all are called", () -> listeners.stream().noneMatch(seen -> seen.events.isEmpty()));
        latch.close();
        listeners.forEach(listener -> hears(listener, IS_LEADER, NOT_LEADER));
    }

    @Test
    void theSameListenerAddedTwiceIsCalledOnce() throws Exception {
        Latch latch = side.latch(connected(), path);
        RecordingListener listener = new RecordingListener();
        latch.addListener(listener);
        latch.addListener(listener);
        latch.start();
        hears(listener, IS_LEADER);
    }

    @Test
    void theSecondAddReplacesTheExecutor() throws Exception {
        ExecutorService executor = oneThread();
        Latch latch = side.latch(connected(), path);
        RecordingListener listener = new RecordingListener();
        latch.addListener(listener);
        latch.addListener(listener, executor);
        latch.start();
        hears(listener, IS_LEADER);
        assertThat(listener.threads).extracting(Thread::getName).containsExactly(POOL_THREAD);
        executor.shutdown();
    }

    @Test
    void anExecutorIsUsedForEveryCall() throws Exception {
        ExecutorService executor = oneThread();
        Latch latch = side.latch(connected(), path, "", CloseMode.NOTIFY_LEADER);
        RecordingListener listener = new RecordingListener();
        latch.addListener(listener, executor);
        latch.start();
        hears(listener, IS_LEADER);
        latch.close();
        hears(listener, IS_LEADER, NOT_LEADER);
        assertThat(listener.threads).extracting(Thread::getName).containsExactly(POOL_THREAD, POOL_THREAD);
        executor.shutdown();
    }

    @Test
    void aLateListenerHearsOfTheEndOnly() throws Exception {
        Latch latch = side.latch(connected(), path, "", CloseMode.NOTIFY_LEADER);
        latch.start();
        leads(latch);
        side.pass(A_WHILE);
        RecordingListener late = new RecordingListener();
        latch.addListener(late);
        hears(late);
        latch.close();
        hears(late, NOT_LEADER);
    }

    @Test
    void aRemovedListenerHearsNothing() throws Exception {
        Latch latch = side.latch(connected(), path, "", CloseMode.NOTIFY_LEADER);
        RecordingListener removed = new RecordingListener();
        RecordingListener kept = new RecordingListener();
        latch.addListener(removed);
        latch.addListener(kept);
        latch.removeListener(null);
        latch.removeListener(new RecordingListener());
        latch.start();
        hears(kept, IS_LEADER);
        latch.removeListener(removed);
        latch.close();
        hears(kept, IS_LEADER, NOT_LEADER);
        hears(removed, IS_LEADER);
    }

    @Test
    void aListenerMustNotBeNull() {
        Latch latch = side.latch(side.newClient(), path);
        assertThatNullPointerException().isThrownBy(() -> latch.addListener(null));
        assertThatNullPointerException().isThrownBy(() -> latch.addListener(null, Runnable::run));
    }

    @Test
    void aListenerThatThrowsChangesNothing() throws Exception {
        Client client = connected();
        Latch latch = side.latch(client, path, "leader", CloseMode.NOTIFY_LEADER);
        List<RecordingListener> others =
                Stream.generate(RecordingListener::new).limit(3).toList();
        AtomicInteger thrown = new AtomicInteger();
        latch.addListener(others.get(0));
        latch.addListener(new RecordingListener() {
            @Override
            public void isLeader() {
                thrown.incrementAndGet();
                throw new IllegalStateException("meant by the test");
            }

            @Override
            public void notLeader() {
                thrown.incrementAndGet();
                throw new AssertionError("meant by the test");
            }
        });
        latch.addListener(others.get(1));
        latch.addListener(others.get(2));
        latch.start();
        latch.await();
        others.forEach(other -> hears(other, IS_LEADER));
        assertThat(latch.hasLeadership()).isTrue();
        assertThat(thrown).hasValue(1);
        latch.close();
        others.forEach(other -> hears(other, IS_LEADER, NOT_LEADER));
        assertThat(thrown).hasValue(2);
    }

    // Blocking calls: Curator's own thread of events serves them, too.
    @Test
    void isLeaderMayAskWhoLeads() throws Exception {
        Client client = connected();
        Latch latch = side.latch(client, path, "leader");
        List<String> seen = new CopyOnWriteArrayList<>();
        latch.addListener(new RecordingListener("", seen) {
            @Override
            public void isLeader() {
                note(leader(latch).getId());
                note(ids(latch).toString());
            }
        });
        latch.start();
        side.eventually("it is answered", () -> seen.size() == 2);
        assertThat(seen).containsExactly("leader", "[leader]");
    }

    @Test
    void aListenerMayChangeTheListeners() throws Exception {
        Latch latch = side.latch(connected(), path, "", CloseMode.NOTIFY_LEADER);
        RecordingListener added = new RecordingListener();
        List<String> events = new CopyOnWriteArrayList<>();
        RecordingListener listener = new RecordingListener("", events) {
            @Override
            public void isLeader() {
                super.isLeader();
                latch.addListener(added);
                latch.removeListener(this);
            }
        };
        latch.addListener(listener);
        latch.start();
        side.eventually("isLeader is called", () -> !events.isEmpty());
        side.pass(A_WHILE);
        latch.close();
        side.eventually("notLeader is called", () -> added.events.contains(NOT_LEADER));
        assertThat(events).containsExactly(IS_LEADER);
    }
}
