package io.quorate.runtime;

import static io.quorate.runtime.Drivers.PATH;
import static io.quorate.runtime.Drivers.assertFails;
import static io.quorate.runtime.Drivers.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quorate.core.step.Jitter;
import io.quorate.engine.Clock;
import io.quorate.engine.Connection;
import io.quorate.engine.Engine;
import io.quorate.engine.PathView;
import io.quorate.engine.Tenure;
import io.quorate.jvm.NodeLog;
import io.quorate.runtime.BrokenAlgorithm.Fault;
import io.quorate.runtime.Drivers.Listener;
import io.quorate.spi.Check;
import io.quorate.spi.EventLoop;
import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.Transport;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.WaitingCall;
import io.quorate.testkit.simulation.HighestUp;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A running node among faulty parts: its disk, its listeners, its algorithm. Real threads and real time. */
class ElectionDriverFaultsTest extends WithDrivers {

    // ---------------------------------------------------------------- the term store

    // A full disk: the others carry on with this voter's support, it says what is wrong, and recovers by itself.
    @ParameterizedTest
    @EnumSource(value = FaultyStore.Failure.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void voterWorksAlthoughItsStoreFails(FaultyStore.Failure failure) throws IOException {
        FaultyStore[] stores = {new FaultyStore(), new FaultyStore(), new FaultyStore()};
        stores[0].failure = failure;
        for (int number = 1; number <= 3; number++) {
            drivers.driver(number, stores[number - 1]).start();
        }
        Listener listener = drivers.contend(1);
        drivers.awaitLeader(listener);
        drivers.await("it says so", () -> drivers.get(1).describe().contains("cannot store terms: " + failure.text));
        assertThat(drivers.get(1).failure()).isEmpty();
        assertThat(drivers.get(1).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.kind()).isEqualTo(Problem.Kind.TERMS))
                .satisfies(problem -> assertThat(problem.text()).contains(failure.text));
        assertThat(listener.candidacy.explain().reason()).contains("terms cannot be stored");
        assertThat(drivers.get(2).problems()).isEmpty();
        stores[0].failure = FaultyStore.Failure.NONE;
        drivers.await("it recovers", () -> !drivers.get(1).describe().contains("cannot store terms"));
        assertThat(drivers.get(1).problems()).isEmpty();
        assertThat(listener.candidacy.explain().reason()).doesNotContain("stored");
        drivers.awaitLeader(listener);
    }

    // The change was refused, so the node does not store the list again, and that cannot tell of the repair.
    @Test
    void aListOfVotersThatCannotBeStoredIsAProblemUntilTheDiskIsRepaired() throws IOException {
        FaultyStore[] stores = {new FaultyStore(), new FaultyStore(), new FaultyStore()};
        for (int number = 1; number <= 3; number++) {
            stores[number - 1].failure = FaultyStore.Failure.FULL_DISK;
            drivers.driver(number, stores[number - 1]).start();
        }
        drivers.await("it cannot store terms", () -> !drivers.get(1).problems().isEmpty());
        drivers.await("it is connected", () -> drivers.get(1).connection() == Connection.CONNECTED);
        CompletableFuture<Void> change = drivers.get(1)
                .changeVoters(1, Map.of(drivers.id(1), Optional.empty()))
                .toCompletableFuture();
        drivers.await("it is refused", change::isCompletedExceptionally);
        assertThat(drivers.get(1).problems().toString()).contains("the list of voters cannot be stored");
        stores[0].failure = FaultyStore.Failure.NONE;
        drivers.await("it recovers", () -> drivers.get(1).problems().isEmpty());
    }

    // A disk that hangs reports nothing itself.
    @Test
    void aDiskThatDoesNotAnswerIsAProblem() throws IOException {
        FaultyStore store = new FaultyStore();
        CountDownLatch answers = new CountDownLatch(1);
        store.answers = answers;
        drivers.driver(1, store).start();
        drivers.await("it says so", () -> drivers.get(1).problems().toString().contains("the disk has not answered"));
        answers.countDown();
        drivers.await("it recovers", () -> drivers.get(1).problems().isEmpty());
    }

    // A disk that hangs takes a thread with it, and neither who closes nor who starts.
    @Test
    void aStoreThatHangsWhileItIsOpenedHoldsUpNoClose() throws Exception {
        FaultyStore store = new FaultyStore();
        store.opens = new CountDownLatch(1);
        ElectionDriver driver = drivers.driver(1, store);
        WaitingCall<Throwable> start = WaitingCall.begun(() -> catchThrowable(driver::start));
        WaitingCall<Boolean> close = new WaitingCall<>(() -> {
            driver.close();
            return true;
        });
        try {
            assertThat(close.awaitAnswer()).isTrue();
            assertThat(start.awaitAnswer())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("node n1 is closed");
            assertThat(store.isClosed()).isFalse();
        } finally {
            store.opens.countDown();
        }
        drivers.await("what opens late is closed", store::isClosed);
        assertThat(store.isOpen()).isFalse();
    }

    // What an interrupt would do to a file of the disk has no words.
    @Test
    void aStartOnAnInterruptedThreadSaysSo() throws Exception {
        FaultyStore store = new FaultyStore();
        store.opens = new CountDownLatch(1);
        ElectionDriver driver = drivers.driver(1, store);
        WaitingCall<Boolean> start = WaitingCall.begun(() -> {
            Thread.currentThread().interrupt();
            assertThatIOException().isThrownBy(driver::start).withMessageContaining("interrupted while");
            return Thread.interrupted();
        });
        store.opens.countDown();
        assertThat(start.awaitAnswer()).as("it keeps its flag").isTrue();
        drivers.await("what opens late is closed", store::isClosed);
    }

    // ---------------------------------------------------------------- a thread that is stuck, and a log that blocks

    // Whoever asks learns it from what does not happen, and learns as soon that it is over.
    @RealTime
    @Test
    void aNodeWhoseThreadIsStuckHasLostItsVoters() throws IOException {
        drivers = new Drivers(1);
        ElectionDriver driver = drivers.driver(1);
        CompletableFuture<Void> gate = new CompletableFuture<>();
        driver.start();
        assertThat(driver.connection()).isIn(Connection.NONE, Connection.CONNECTED);
        Listener listener = drivers.contend(1);
        drivers.awaitLeader(listener);
        assertThat(driver.turnAge()).isLessThan(Duration.ofSeconds(20));
        List<String> contradictions = new CopyOnWriteArrayList<>();
        driver.addConnectionListener(told -> {
            if (driver.connection() != told) {
                contradictions.add(told + " is told, and " + driver.connection() + " is answered");
            }
        });
        driver.observe(PATH, view -> gate.join());
        drivers.await("it is noticed", () -> driver.connection() == Connection.LOST);
        Engine.Support support = driver.support();
        assertThat(support.connection()).isEqualTo(Connection.LOST);
        assertThat(support.reason()).startsWith("the thread of this node has had no turn for ");
        assertThat(support.supporters()).isEmpty();
        assertThat(support.voters()).isNotEmpty();
        gate.complete(null);
        drivers.await("it is over", () -> driver.support().supporters().size() == 1);
        drivers.await("it is connected", () -> driver.connection() != Connection.LOST);
        assertThat(contradictions).isEmpty();
        driver.close();
        assertThat(driver.turnAge()).as("of a node that does not run").isZero();
    }

    // An appender that waits for its disk: nodes start, elect and hand over meanwhile.
    @Test
    void aLogThatBlocksHoldsUpNobody() throws IOException {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        AtomicInteger lines = new AtomicInteger();
        try (CapturedLog atInfo = CapturedLog.atInfo(ElectionDriver.class)) {
            PrintStream captured = System.err;
            System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8) {
                @Override
                public void println(String line) {
                    lines.incrementAndGet();
                    gate.join();
                }
            });
            for (int number = 1; number <= 3; number++) {
                drivers.driver(number).start();
            }
            Listener first = drivers.contend(1);
            drivers.awaitLeader(first);
            Listener second = drivers.contend(2);
            drivers.get(1).close();
            drivers.awaitLeader(second);
            assertThat(lines).as("lines that the log has begun to write").hasValue(1);
            gate.complete(null);
            assertThat(NodeLog.flush(Duration.ofMinutes(10))).isTrue();
            assertThat(lines).hasValueGreaterThan(5);
            assertThat(atInfo.lines()).isEmpty();
            System.setErr(captured);
        } finally {
            gate.complete(null);
        }
    }

    // ---------------------------------------------------------------- listeners

    @Test
    void connectionListenerThatThrowsHarmsNobody() throws IOException {
        // Others follow on a machine that is too busy to keep it connected.
        assertThat(connectionsBesideAListenerThatThrows()).startsWith(Connection.CONNECTED);
    }

    @RealTime
    @Test
    void connectionListenerThatThrowsDoesNotEndTheConnection() throws IOException {
        assertThat(connectionsBesideAListenerThatThrows()).containsExactly(Connection.CONNECTED);
    }

    /** Returns what another listener was told until the node led. */
    private List<Connection> connectionsBesideAListenerThatThrows() throws IOException {
        drivers = new Drivers(1);
        ElectionDriver driver = drivers.driver(1);
        List<Connection> seen = new CopyOnWriteArrayList<>();
        driver.addConnectionListener(connection -> {
            throw new IllegalStateException("from a listener");
        });
        driver.addConnectionListener(seen::add);
        driver.start();
        drivers.awaitLeader(drivers.contend(1));
        assertThat(driver.failure()).isEmpty();
        return seen;
    }

    // A contender that does not know that it leads is no leader: the path goes to the next one.
    @RealTime
    @Test
    void contenderThatThrowsLosesItsTenureOnly() throws IOException {
        ElectionDriver driver = alone();
        List<Tenure> thrown = new CopyOnWriteArrayList<>();
        Listener other = new Listener();
        driver.contend("/other", "p", other);
        drivers.awaitLeader(other);
        driver.contend(PATH, "bad", new Engine.ContenderListener() {
            @Override
            public void granted(Tenure tenure) {
                thrown.add(tenure);
                throw new IllegalStateException("from granted");
            }

            @Override
            public void ended(Tenure tenure, String reason) {
                throw new IllegalStateException("from ended");
            }
        });
        drivers.await("it was granted", () -> !thrown.isEmpty());
        Listener next = drivers.contend(1);
        drivers.awaitLeader(next);
        assertThat(thrown.get(0).isEnded()).isTrue();
        assertThat(other.leads()).isTrue();
        assertThat(driver.failure()).isEmpty();
    }

    // ---------------------------------------------------------------- a transport that ends

    /** Offers the node a thread of its own, and ends when the test says so. */
    private static final class Ending implements Transport {
        private final Transport inner;
        private volatile Optional<String> failure = Optional.empty();
        private volatile boolean throwsWhenAsked;

        private Ending(Transport inner) {
            this.inner = inner;
        }

        @Override
        public void start(Receiver receiver) {
            inner.start(receiver);
        }

        @Override
        public void send(NodeId to, byte[] frame) {
            inner.send(to, frame);
        }

        @Override
        public Optional<String> failure() {
            Check.state(!throwsWhenAsked, "thrown by the test");
            return failure;
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    // Nothing would reach the node any more, and it would look as if the network were down.
    @Test
    void aTransportThatEndsStopsTheNode() throws IOException {
        drivers = new Drivers(1);
        Ending transport = new Ending(drivers.network.transport(drivers.id(1)));
        ElectionDriver driver = drivers.driver(1, new HighestUp(), transport, new MemoryTermStore());
        List<RuntimeException> stopped = new CopyOnWriteArrayList<>();
        List<Connection> seen = new CopyOnWriteArrayList<>();
        driver.addConnectionListener(new Engine.ConnectionListener() {
            @Override
            public void changed(Connection connection) {
                seen.add(connection);
            }

            @Override
            public void stopped(RuntimeException cause) {
                stopped.add(cause);
            }
        });
        driver.start();
        Listener listener = drivers.contend(1);
        drivers.awaitTenure(listener);
        transport.failure = Optional.of("its cable was cut by the test");
        drivers.await("it is told", () -> !stopped.isEmpty());
        assertThat(driver.failure().orElseThrow())
                .isSameAs(stopped.get(0))
                .hasMessageContaining("its transport has ended")
                .hasMessageContaining("its cable was cut by the test");
        assertThat(listener.calls).endsWith("ended");
        assertThat(listener.leads()).isFalse();
        assertThat(seen).endsWith(Connection.LOST);
    }

    // The transport is foreign code, and the node does not live on this answer.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTransportThatDoesNotKnowWhetherItHasEndedStopsNothing(boolean throwsWhenAsked) throws IOException {
        drivers = new Drivers(1);
        Ending transport = new Ending(drivers.network.transport(drivers.id(1)));
        transport.throwsWhenAsked = throwsWhenAsked;
        transport.failure = null;
        ElectionDriver driver = drivers.driver(1, new HighestUp(), transport, new MemoryTermStore());
        driver.start();
        drivers.awaitTenure(drivers.contend(1));
        assertThat(driver.failure()).isEmpty();
    }

    // ---------------------------------------------------------------- bugs

    // A fault that a peer's frame brings to light: there is no answer, and the node goes on.
    @Test
    void aWitnessThatThrowsAnErrorAnswersNothingAndTheNodeGoesOn() throws IOException {
        try (CapturedLog log = new CapturedLog()) {
            errorOfAWitness(log);
        }
    }

    private void errorOfAWitness(CapturedLog log) throws IOException {
        drivers = new Drivers(5);
        for (int number = 1; number <= 5; number++) {
            drivers.driver(number, new BrokenAlgorithm(Fault.WITNESS_ERROR)).start();
        }
        Listener first = drivers.contend(1);
        drivers.awaitLeader(first);
        Listener[] others = {drivers.contend(2), drivers.contend(3)};
        drivers.await("all are listed", () -> Set.of(2, 3).stream().allMatch(number -> {
            CompletableFuture<PathView> view = view(drivers.get(number), PATH);
            return view.isDone() && view.join().contenders().size() == 3;
        }));
        // Nobody is named as its successor: the other two elect, and ask the voters that do not contend.
        drivers.network.isolate(drivers.id(1));
        drivers.awaitLeader(others);
        drivers.await("it has been noticed", () -> !log.lines("failed as a witness", "IOError")
                .isEmpty());
        assertThat(List.of(4, 5))
                .allMatch(number -> drivers.get(number).failure().isEmpty());
    }

    /** Real threads; that of the node reads a clock of the test's, and the node a real one. */
    private static NodeEnvironment withThread(Clock clock) {
        return new NodeEnvironment() {
            @Override
            public Mailbox mailbox(
                    String name, Clock unused, Supplier<Optional<EventLoop>> loop, Consumer<Throwable> onBug) {
                return new NodeMailbox(name, clock, loop, onBug);
            }

            @Override
            public ExecutorService diskThread() {
                return REAL.diskThread();
            }

            @Override
            public Jitter jitter() {
                return REAL.jitter();
            }

            @Override
            public long name() {
                return REAL.name();
            }
        };
    }

    // ADR-0022: an algorithm that breaks its rules loses its election; patience fills the path.
    @ParameterizedTest
    @EnumSource(Fault.class)
    void brokenAlgorithmEndsItsElectionOnly(Fault fault) throws IOException {
        for (int number = 1; number <= 3; number++) {
            drivers.driver(number, new BrokenAlgorithm(fault)).start();
        }
        Listener[] listeners = {drivers.contend(1), drivers.contend(2)};
        drivers.awaitLeader(listeners);
        for (int number = 1; number <= 3; number++) {
            assertThat(drivers.get(number).failure())
                    .as(drivers.get(number).describe())
                    .isEmpty();
        }
    }

    // An error is no exception, and must not leave a leader behind that nobody is told about.
    @RealTime
    @Test
    void bugEndsAllLeadershipAndIsNamed() throws IOException {
        ElectionDriver driver = alone();
        Listener listener = drivers.contend(1);
        drivers.awaitLeader(listener);
        Tenure tenure = listener.tenure;
        List<Connection> seen = new CopyOnWriteArrayList<>();
        List<RuntimeException> stopped = new CopyOnWriteArrayList<>();
        driver.addConnectionListener(new Engine.ConnectionListener() {
            @Override
            public void changed(Connection connection) {
                seen.add(connection);
            }

            @Override
            public void stopped(RuntimeException cause) {
                assertThat(listener.calls).as("told before").containsExactly("granted", "ended");
                stopped.add(cause);
            }
        });
        AtomicReference<Thread> thread = new AtomicReference<>();
        driver.contend("/bug", "p", new Engine.ContenderListener() {
            @Override
            public void granted(Tenure granted) {
                thread.set(Thread.currentThread());
                throw new InternalError("a broken machine");
            }

            @Override
            public void ended(Tenure ended, String reason) {
                throw new IllegalStateException("from ended");
            }
        });
        drivers.await("it fails", () -> driver.failure().isPresent());
        // In the turn behind the one that failed, all is told.
        assertThat(driver.describe())
                .startsWith("stopped: node n1 has stopped: ")
                .contains("a broken machine")
                .doesNotContain("CONNECTED", "leads");
        assertThat(tenure.isEnded()).isTrue();
        assertThat(listener.calls).containsExactly("granted", "ended");
        drivers.await("it is told", () -> !stopped.isEmpty());
        assertThat(stopped).containsExactly(driver.failure().orElseThrow());
        assertThat(seen).containsExactly(Connection.LOST);
        assertFails(view(driver, "/elsewhere"), "has stopped");
        drivers.await("it rests", () -> thread.get().getState() == Thread.State.TIMED_WAITING);
        driver.close();
        // The close waits for its last turn; a moment later the thread is over.
        drivers.await("its thread ends", () -> !thread.get().isAlive());
        assertThat(stopped).hasSize(1);
    }

    // A class path that lacks something for one listener is no reason to end what it has nothing to do with.
    @RealTime
    @Test
    void errorOfAListenerCostsItsTenureOnly() throws IOException {
        ElectionDriver driver = alone();
        Listener other = drivers.contend(1);
        drivers.awaitLeader(other);
        List<Tenure> thrown = new CopyOnWriteArrayList<>();
        driver.contend("/bad", "p", new Engine.ContenderListener() {
            @Override
            public void granted(Tenure granted) {
                thrown.add(granted);
                throw new NoClassDefFoundError("thrown by the test");
            }

            @Override
            public void ended(Tenure ended, String reason) {
                throw new StackOverflowError("thrown by the test");
            }
        });
        drivers.await(
                "it was granted and has ended",
                () -> !thrown.isEmpty() && thrown.get(0).isEnded());
        driver.describe();
        assertThat(driver.failure()).isEmpty();
        assertThat(other.leads()).isTrue();
    }

    // The thread itself fails, outside of all that it does: in reading its clock.
    @Test
    void errorBetweenTurnsEndsAllLeadershipAndIsTold() throws IOException {
        drivers = new Drivers(1);
        AtomicReference<Error> next = new AtomicReference<>();
        Clock clock = new Clock() {
            @Override
            public long nanoTime() {
                Error error = next.getAndSet(null);
                if (error != null) {
                    throw error;
                }
                return Clock.SYSTEM.nanoTime();
            }

            @Override
            public long wallMillis() {
                return Clock.SYSTEM.wallMillis();
            }
        };
        ElectionDriver driver = drivers.driver(1, withThread(clock));
        driver.start();
        Listener listener = drivers.contend(1);
        Tenure tenure = drivers.awaitTenure(listener);
        drivers.await("it fails", () -> {
            next.set(new OutOfMemoryError("thrown by the test"));
            return driver.failure().isPresent();
        });
        drivers.await("its tenure ends", tenure::isEnded);
        drivers.await("it is told", () -> listener.calls.contains("ended"));
        assertThat(driver.connection()).isEqualTo(Connection.LOST);
        assertFails(view(driver, "/elsewhere"), "has stopped");
        assertThat(driver.describe()).contains("stopped");
        driver.close();
        assertThat(driver.describe()).contains("not running");
    }

    // A full heap may be full again while its end is told: whoever could not be told is told later.
    @RealTime
    @Test
    void endIsToldAgainToWhomItCouldNotBeTold() throws IOException {
        ElectionDriver driver = alone();
        List<String> calls = new CopyOnWriteArrayList<>();
        driver.contend("/first", "p", new Engine.ContenderListener() {
            @Override
            public void granted(Tenure granted) {
                calls.add("granted");
            }

            @Override
            public void ended(Tenure ended, String reason) {
                calls.add("ended");
                if (calls.size() == 2) {
                    throw new OutOfMemoryError("thrown by the test");
                }
            }
        });
        drivers.await("it leads", () -> calls.contains("granted"));
        Listener other = drivers.contend(1);
        drivers.awaitLeader(other);
        driver.contend("/bug", "p", new Engine.ContenderListener() {
            @Override
            public void granted(Tenure granted) {
                throw new InternalError("a broken machine");
            }

            @Override
            public void ended(Tenure ended, String reason) {
                // Nothing to do.
            }
        });
        drivers.await("it is told twice", () -> calls.size() == 3);
        assertThat(calls).containsExactly("granted", "ended", "ended");
        assertThat(other.calls).containsExactly("granted", "ended");
        assertThat(driver.failure()).isPresent();
    }
}
