package io.quorate.runtime;

import static io.quorate.runtime.Drivers.PATH;
import static io.quorate.runtime.Drivers.assertFails;
import static io.quorate.runtime.Drivers.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quorate.ClientMonitor;
import io.quorate.core.message.NodeMessage;
import io.quorate.engine.Connection;
import io.quorate.engine.Engine;
import io.quorate.engine.PathView;
import io.quorate.engine.Tenure;
import io.quorate.runtime.Drivers.Listener;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportException;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.LocalNetwork.LocalTransport;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A running node: real threads and real time, in one JVM. */
class ElectionDriverTest extends WithDrivers {

    private static <T> T get(CompletableFuture<T> future) {
        return future.orTimeout(600, TimeUnit.SECONDS).join();
    }

    // ---------------------------------------------------------------- electing

    @Test
    void threeDriversElectAndHandOver() throws IOException {
        List<String> calls = callsOfALeaderThatHandsOver();
        // More than one tenure, if the machine was too busy to keep the first.
        for (int i = 0; i < calls.size(); i++) {
            assertThat(calls.get(i)).isEqualTo(i % 2 == 0 ? "granted" : "ended");
        }
        assertThat(calls).endsWith("ended");
    }

    @RealTime
    @Test
    void leaderThatHandsOverHadOneTenure() throws IOException {
        assertThat(callsOfALeaderThatHandsOver()).containsExactly("granted", "ended");
    }

    /** Closes the leader of three, and waits for its successor. Returns what the closed one was told. */
    private List<String> callsOfALeaderThatHandsOver() throws IOException {
        drivers.startAll();
        Listener[] listeners = {drivers.contend(1), drivers.contend(2), drivers.contend(3)};
        drivers.await("all see three contenders", () -> List.of(1, 2, 3).stream()
                .allMatch(n -> view(drivers.get(n), PATH).getNow(null) != null
                        && view(drivers.get(n), PATH).join().contenders().size() == 3));
        int first = awaitLeader(listeners);
        long token = tokens(listeners[first]).get(tokens(listeners[first]).size() - 1);
        drivers.get(first + 1).close();
        List<String> calls = List.copyOf(listeners[first].calls);
        Listener[] others = {listeners[(first + 1) % 3], listeners[(first + 2) % 3]};
        Listener second = others[awaitLeader(others)];
        assertThat(tokens(second)).last().satisfies(next -> assertThat(next).isGreaterThan(token));
        for (Listener each : listeners) {
            assertThat(tokens(each)).isSorted().doesNotHaveDuplicates();
        }
        return calls;
    }

    /** Waits until one of them leads. Returns which. */
    private int awaitLeader(Listener... listeners) {
        AtomicInteger found = new AtomicInteger(-1);
        drivers.await("one of " + listeners.length + " leads", () -> {
            for (int i = 0; i < listeners.length && found.get() < 0; i++) {
                found.set(listeners[i].leads() ? i : -1);
            }
            return found.get() >= 0;
        });
        return found.get();
    }

    private static List<Long> tokens(Listener of) {
        return List.copyOf(of.tokens);
    }

    // A leader that nobody hears any more ends by its own clock; the others go on, and it comes back.
    @Test
    void cutOffLeaderStepsDownAndComesBack() throws IOException {
        cutOffLeader();
        drivers.await("it has lost its voters", () -> drivers.get(1).connection() == Connection.LOST);
        drivers.network.heal();
        drivers.await("the first is back", () -> drivers.get(1).connection() == Connection.RECONNECTED);
    }

    @RealTime
    @Test
    void cutOffLeaderHasLostItsVotersWhenItsTenureEnds() throws IOException {
        cutOffLeader();
        assertThat(drivers.get(1).connection()).isEqualTo(Connection.LOST);
    }

    /** Cuts off the leader of three, and waits until another one leads and the first was told that its tenure ended. */
    private void cutOffLeader() throws IOException {
        drivers.startAll();
        Listener first = drivers.contend(1);
        drivers.awaitLeader(first);
        Listener second = drivers.contend(2);
        drivers.network.isolate(drivers.id(1));
        drivers.await("the other leads", second::leads);
        drivers.await("the first is told", () -> first.calls.contains("ended"));
    }

    @Test
    void everyFourthFrameMayBeLost() throws IOException {
        Random random = new Random(42);
        drivers.network.drop(flight -> {
            synchronized (random) {
                return random.nextInt(4) == 0;
            }
        });
        drivers.startAll();
        drivers.awaitLeader(drivers.contend(1), drivers.contend(2), drivers.contend(3));
    }

    // The collector may stop the thread anywhere, also between the look at the clock and the next step.
    @Test
    void aPauseInTheMiddleOfATurnIsTold() throws IOException {
        drivers.startAll();
        drivers.awaitLeader(drivers.contend(1));
        List<Long> stalls = new CopyOnWriteArrayList<>();
        AtomicBoolean hasPaused = new AtomicBoolean();
        long pause = TimeUnit.MILLISECONDS.toNanos(200);
        drivers.get(1)
                .addMonitor(
                        new ClientMonitor() {
                            @Override
                            public void supportRenewed(Duration left) {
                                if (!hasPaused.getAndSet(true)) {
                                    pauseFor(pause);
                                }
                            }

                            @Override
                            public void stalled(Duration late) {
                                stalls.add(late.toNanos());
                            }
                        },
                        UnaryOperator.identity());
        drivers.await("the pause is told", () -> stalls.stream().anyMatch(late -> late >= pause));
    }

    private static void pauseFor(long nanos) {
        try {
            // Justification: a lower bound of the pause that is told.
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // ---------------------------------------------------------------- frames

    // Noise, frames of another cluster, and well-formed envelopes around noise: all are counted, none does harm.
    @Test
    void garbageIsCountedAndDropped() throws IOException {
        drivers.startAll();
        Listener listener = drivers.contend(1);
        drivers.awaitLeader(listener);
        Random random = new Random(42);
        Links foreign = new Links("other", drivers.id(2), 1, 1, 4, List.of(), Optional.empty());
        Links links = drivers.met(1, new NodeId("stranger"), Optional.empty());
        for (int i = 0; i < 10_000; i++) {
            byte[] noise = new byte[1 + random.nextInt(200)];
            random.nextBytes(noise);
            noise[0] |= (byte) 0x80;
            byte[] frame =
                    switch (i % 3) {
                        case 0 -> noise;
                        case 1 ->
                            foreign.seal(drivers.id(1), noise, noise.length, i * 1_000_000_000L)
                                    .orElseThrow();
                        default ->
                            links.seal(drivers.id(1), noise, noise.length, i * 1_000_000_000L)
                                    .orElseThrow();
                    };
            drivers.network.inject(drivers.id(1), frame);
            if (i % 1_000 == 0) {
                drivers.get(1).describe();
            }
        }
        assertThat(drivers.get(1).describe()).contains("MALFORMED=", "OTHER_CLUSTER=", "with a malformed body");
        assertThat(drivers.get(1).failure()).isEmpty();
        drivers.awaitLeader(listener);
    }

    // The driver's thread stands in a listener; its mailbox takes what it can hold, and no more.
    @Test
    void framesBeyondTheBoundAreDropped() throws IOException {
        ElectionDriver driver = alone();
        CountDownLatch isEntered = new CountDownLatch(1);
        CountDownLatch isReleased = new CountDownLatch(1);
        driver.addConnectionListener(connection -> {
            isEntered.countDown();
            waitFor(isReleased);
        });
        waitFor(isEntered);
        byte[] frame = new Links("test", new NodeId("stranger"), 1, 1, 4, List.of(), Optional.empty())
                .seal(drivers.id(1), new byte[] {99}, 1, 0)
                .orElseThrow();
        for (int i = 0; i < Mailbox.FRAMES_MAX + 1_000; i++) {
            drivers.network.inject(drivers.id(1), frame);
        }
        isReleased.countDown();
        drivers.await("all are read", () -> driver.describe().contains("STALE_SEQUENCE=" + (Mailbox.FRAMES_MAX - 1)));
        assertThat(driver.describe()).contains("1000 unread");
        drivers.awaitLeader(drivers.contend(1));
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            assertThat(latch.await(600, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // ---------------------------------------------------------------- start

    @Test
    void storeThatCannotBeOpenedFailsTheStart() {
        LocalTransport transport = drivers.network.transport(drivers.id(1));
        FaultyStore store = new FaultyStore();
        store.failsToOpen = true;
        ElectionDriver driver = drivers.driver(1, new HighestUp(), transport, store);
        CompletableFuture<PathView> early = view(driver, PATH);
        assertThat(catchThrowable(driver::start)).isInstanceOf(IOException.class);
        assertThat(transport.isClosed()).isTrue();
        assertThat(store.isClosed()).isTrue();
        assertFails(early, "is closed");
        assertFails(view(driver, PATH), "is closed");
        assertThatIllegalStateException().isThrownBy(driver::start);
    }

    @Test
    void transportThatCannotListenFailsTheStart() {
        FaultyStore store = new FaultyStore();
        ElectionDriver driver = drivers.driver(
                1, new HighestUp(), new DeafTransport(() -> new TransportException("port 1: in use", null)), store);
        assertThat(catchThrowable(driver::start)).isInstanceOf(TransportException.class);
        assertThat(store.isClosed()).isTrue();
        assertThat(driver.describe()).contains("not running");
    }

    @Test
    void brokenClassPathFailsTheStartAndIsNotHiddenByTheClosing() {
        FaultyStore store = new FaultyStore();
        ElectionDriver driver = drivers.driver(
                1, new HighestUp(), new DeafTransport(() -> new NoSuchMethodError("of another version")), store);
        assertThat(catchThrowable(driver::start)).isInstanceOf(NoSuchMethodError.class);
        assertThat(store.isClosed()).isTrue();
        driver.close();
    }

    @Test
    void driverIsStartedOnce() throws IOException {
        ElectionDriver driver = alone();
        assertThatIllegalStateException().isThrownBy(driver::start);
        drivers.awaitLeader(drivers.contend(1));
    }

    // 75 ms until a leader is suspected, and 500 ms of support.
    @ParameterizedTest
    @CsvSource({"425, 0", "426, 1"})
    void anAlgorithmThatNeedsLongerThanTheLeaseIsWarnedOf(long millis, int lines) throws IOException {
        ElectionAlgorithm highest = new HighestUp();
        ElectionAlgorithm slow = (ElectionAlgorithm) Proxy.newProxyInstance(
                ElectionAlgorithm.class.getClassLoader(),
                new Class<?>[] {ElectionAlgorithm.class},
                (proxy, method, arguments) -> method.getName().equals("usualFailover")
                        ? millis * 1_000_000
                        : method.invoke(highest, arguments));
        try (CapturedLog log = new CapturedLog()) {
            drivers.driver(1, slow).start();
            assertThat(log.lines("WARN", "usually needs 501 ms to nominate", "support time of 500 ms"))
                    .hasSize(lines);
        }
    }

    // The transport is foreign code; one that throws does not know.
    @Test
    void theEndOfTheCertificateIsTheTransports() {
        Instant end = Instant.ofEpochSecond(7);
        AtomicReference<Supplier<Optional<Instant>>> answer = new AtomicReference<>(() -> Optional.of(end));
        Transport knowing = new Transport() {
            @Override
            public void start(Receiver receiver) {
                throw new AssertionError("it is not started");
            }

            @Override
            public void send(NodeId to, byte[] frame) {
                throw new AssertionError("it was never started");
            }

            @Override
            public void close() {
                // Nothing was opened.
            }

            @Override
            public Optional<Instant> certificateEnd() {
                return answer.get().get();
            }
        };
        ElectionDriver driver = drivers.driver(1, new HighestUp(), knowing, new FaultyStore());
        assertThat(driver.certificateEnd()).contains(end);
        answer.set(() -> {
            throw new IllegalStateException("thrown by the test");
        });
        assertThat(driver.certificateEnd()).isEmpty();
    }

    // ---------------------------------------------------------------- close

    @Test
    void closeTwiceIsOnce() throws IOException {
        List<String> calls = callsOfALeaderClosedTwice();
        // More than one tenure, if the machine was too busy to keep the first; what has ended stays so.
        assertThat(calls).filteredOn("granted"::equals).hasSize(calls.size() / 2);
        assertThat(calls).endsWith("granted", "ended");
    }

    @RealTime
    @Test
    void leaderClosedTwiceEndsOneTenure() throws IOException {
        assertThat(callsOfALeaderClosedTwice()).containsExactly("granted", "ended");
    }

    private List<String> callsOfALeaderClosedTwice() throws IOException {
        ElectionDriver driver = alone();
        Listener listener = drivers.contend(1);
        drivers.awaitLeader(listener);
        driver.close();
        driver.close();
        return listener.calls;
    }

    @Test
    void closeFromTheDriversOwnThreadWorks() throws IOException {
        ElectionDriver driver = alone();
        List<String> calls = new CopyOnWriteArrayList<>();
        AtomicReference<Tenure> kept = new AtomicReference<>();
        driver.contend(PATH, "p", new Engine.ContenderListener() {
            @Override
            public void granted(Tenure tenure) {
                kept.set(tenure);
                driver.close();
                calls.add("closed");
            }

            @Override
            public void ended(Tenure tenure, String reason) {
                calls.add("ended");
            }
        });
        drivers.await("it is closed", () -> calls.contains("closed"));
        assertThat(calls).containsExactly("ended", "closed");
        assertThat(kept.get().isEnded()).isTrue();
        drivers.await("its thread ends", () -> driver.describe().contains("not running"));
        assertFails(view(driver, PATH), "is closed");
    }

    @Test
    void describeAndExplainAnswerBeforeStartAndAfterClose() throws IOException {
        drivers = new Drivers(1);
        ElectionDriver driver = drivers.driver(1);
        Listener listener = drivers.contend(1);
        assertThat(driver.describe()).contains("n1", "not running");
        assertThat(listener.candidacy.explain().reason()).contains("not running");
        driver.start();
        drivers.awaitLeader(listener);
        assertThat(driver.describe()).contains("CONNECTED");
        assertThat(listener.candidacy.explain().reason()).contains("leads");
        driver.close();
        assertThat(driver.describe()).contains("n1", "not running");
        assertThat(listener.candidacy.explain().reason()).contains("not running");
    }

    @Test
    void closedDriverStartsNothing() {
        LocalTransport transport = drivers.network.transport(drivers.id(1));
        FaultyStore store = new FaultyStore();
        ElectionDriver driver = drivers.driver(1, new HighestUp(), transport, store);
        CompletableFuture<PathView> early = view(driver, PATH);
        driver.close();
        assertFails(early, "is closed");
        assertThatIllegalStateException().isThrownBy(driver::start);
        assertThat(store.isOpen()).isFalse();
        assertFails(view(driver, PATH), "is closed");
    }

    // ---------------------------------------------------------------- views

    @Test
    void viewWithoutAVoterWaitsUntilTheDriverIsClosed() throws IOException {
        ElectionDriver driver = drivers.driver(1);
        driver.start();
        CompletableFuture<PathView> view = view(driver, "/nowhere");
        driver.describe();
        assertThat(view).isNotDone();
        driver.close();
        assertThat(view).isDone();
        assertFails(view, "is closed");
    }

    @Test
    void viewOfAWatchedPathComesWithTheFirstVoter() throws IOException {
        drivers.startAll();
        Listener listener = drivers.contend(1);
        drivers.awaitLeader(listener);
        assertThat(get(view(drivers.get(2), PATH)).contenders()).isNotEmpty();
        drivers.get(2).unwatch(PATH);
    }

    // Two threads of the application: one has closed the last latch of the path, the other observes it from now on.
    @Test
    void anUnwatchThatComesLateDoesNotSilenceAnObserver() throws IOException {
        drivers.startAll();
        List<PathView> told = new CopyOnWriteArrayList<>();
        drivers.get(2).observe(PATH, told::add);
        drivers.get(2).unwatch(PATH);
        drivers.contend(1);
        drivers.await("it is told who leads", () -> told.stream()
                .anyMatch(view -> view.leader().isPresent()));
    }

    @Test
    void anUnwatchDoesNotLeaveAWaitingViewWithoutAnAnswer() throws IOException {
        ElectionDriver driver = drivers.driver(1);
        driver.start();
        CompletableFuture<PathView> waiting = view(driver, PATH);
        driver.unwatch(PATH);
        drivers.startAll();
        assertThat(get(waiting).contenders()).isEmpty();
    }

    @Test
    void pathsAndIdsThatFitIntoNoFrameAreRefused() throws IOException {
        ElectionDriver driver = alone();
        String longPath = "/" + "p".repeat(NodeMessage.PATH_MAX);
        Consumer<String> contend = path -> driver.contend(path, "p", new Listener());
        assertThatIllegalArgumentException().isThrownBy(() -> contend.accept(longPath));
        assertThatIllegalArgumentException().isThrownBy(() -> driver.view(longPath));
        assertThatIllegalArgumentException().isThrownBy(() -> driver.contend(PATH, "p".repeat(1025), new Listener()));
        contend.accept(longPath.substring(1).replaceFirst("p", "/"));
    }

    // Races: whatever is asked of a driver while it is closed is answered.
    @Test
    void everyViewIsAnsweredWhileTheDriverIsClosed() throws Exception {
        for (int round = 0; round < 50; round++) {
            ElectionDriver driver = alone();
            List<CompletableFuture<PathView>> views = new CopyOnWriteArrayList<>();
            Thread asking = new Thread(() -> {
                for (int i = 0; i < 2_000; i++) {
                    views.add(view(driver, "/nowhere"));
                }
            });
            asking.start();
            driver.close();
            asking.join();
            views.forEach(view -> assertFails(view, "is closed"));
        }
    }

    private record DeafTransport(Supplier<Throwable> thrower) implements Transport {
        @Override
        public void start(Receiver receiver) {
            Throwable thrown = thrower.get();
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (TransportException) thrown;
        }

        @Override
        public void send(NodeId to, byte[] frame) {
            throw new AssertionError("was never started");
        }

        @Override
        public void close() {
            // Nothing was opened.
        }
    }
}
