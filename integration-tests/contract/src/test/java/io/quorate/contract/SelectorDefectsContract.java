package io.quorate.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Where a selector of Quorate differs from Curator's on purpose:
 * <ul>
 * <li>takeLeadership that throws, with autoRequeue(): Curator loops without a pause;
 * <li>takeLeadership that ignores the interrupt of close(): in Curator the closed selector still leads, and the next
 * one does not;
 * <li>no id: Curator shows the address of the host;
 * <li>a selector started before its client: in Curator it fails silently and has to be queued again;
 * <li>a client that is closed under a selector with autoRequeue(): Curator loops without a pause.
 * </ul>
 */
abstract class SelectorDefectsContract extends Contract {

    // The least pause after a failure is 50 ms; Curator needs a few round trips to the server.
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(45);

    @Test
    void selectorPausesAfterItsListenerThrew() throws Exception {
        List<Long> calls = new CopyOnWriteArrayList<>();
        Selector selector = side.selector(connected(), path, () -> {
            calls.add(System.nanoTime());
            throw new IllegalStateException("meant by the test");
        });
        selector.autoRequeue();
        selector.start();
        if (side.isCurator()) {
            side.eventually("it does not pause", () -> shortestPause(calls) < PAUSE_NANOS);
        } else {
            side.eventually("it has thrown often", () -> calls.size() >= 4);
            assertThat(shortestPause(calls)).as("ns").isGreaterThanOrEqualTo(PAUSE_NANOS);
        }
        selector.close();
    }

    private static long shortestPause(List<Long> calls) {
        return IntStream.range(1, calls.size())
                .mapToLong(call -> calls.get(call) - calls.get(call - 1))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    @Test
    void closingDoesNotDependOnTheListener() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        ControlledTurns stubborn = new ControlledTurns() {
            @Override
            public void takeLeadership() {
                begun.incrementAndGet();
                awaitWhateverHappens(gate);
            }
        };
        ControlledTurns others = new ControlledTurns();
        Selector first = side.selector(connected(), path, stubborn);
        first.start();
        side.eventually("it leads", () -> stubborn.begun.get() == 1);
        Client client = connected();
        Selector second = side.selector(client, path, others);
        second.start();
        side.eventually("the second queues", () -> ids(side.latch(client, path)).size() == 2 || side.isCurator());
        first.close();
        if (side.isCurator()) {
            side.pass(A_WHILE);
            assertThat(first.hasLeadership()).isTrue();
            assertThat(others.begun).hasValue(0);
        } else {
            assertThat(first.hasLeadership()).isFalse();
            side.eventually("the next leads", others::isLeading);
        }
        gate.countDown();
        side.eventually("the next leads", others::isLeading);
        assertThat(first.hasLeadership()).isFalse();
    }

    private static void awaitWhateverHappens(CountDownLatch gate) {
        while (gate.getCount() > 0) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                // Justification: it is the listener that this test is about.
                Thread.interrupted();
            }
        }
    }

    @Test
    void withoutAnIdItsIdIsEmpty() throws Exception {
        ControlledTurns turns = new ControlledTurns();
        Selector selector = side.selector(connected(), path, turns);
        selector.start();
        side.eventually("it leads", turns::isLeading);
        assertThat(selector.getId()).isEmpty();
        assertThat(selector.getLeader().isLeader()).isTrue();
        assertThat(selector.getLeader().getId().isEmpty())
                .as(selector.getLeader().toString())
                .isEqualTo(!side.isCurator());
    }

    @Test
    void aSelectorMayBeStartedBeforeItsClient() throws Exception {
        ControlledTurns turns = new ControlledTurns();
        Client client = side.newClient();
        Selector selector = side.selector(client, path, turns);
        selector.start();
        side.pass(A_WHILE);
        client.start();
        if (side.isCurator()) {
            assertThat(client.blockUntilConnected(Real.DEADLINE)).isTrue();
            side.pass(A_WHILE);
            assertThat(turns.begun).hasValue(0);
            assertThat(selector.requeue()).isTrue();
        }
        side.eventually("it leads", turns::isLeading);
    }

    @Test
    void afterItsClientIsClosedASelectorIsQuiet() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
            @Override
            protected void beforeExecute(Thread thread, Runnable task) {
                attempts.incrementAndGet();
            }
        };
        ControlledTurns turns = new ControlledTurns();
        Client client = connected();
        Selector selector = side.selector(client, path, executor, turns);
        selector.autoRequeue();
        selector.start();
        side.eventually("it leads", turns::isLeading);
        client.close();
        if (side.isCurator()) {
            turns.end();
            side.eventually("it loops", () -> attempts.get() > 100);
        } else {
            side.eventually("its turn is over", () -> turns.ended.get() == 1);
            side.pass(A_WHILE);
            assertThat(attempts).hasValue(1);
        }
        selector.close();
        executor.shutdownNow();
    }
}
