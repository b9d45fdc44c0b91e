package io.quorate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.engine.Connection;
import io.quorate.spi.Check;
import io.quorate.testkit.ManualExecutor;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Interleavings of two threads that use one latch or one selector, at every shared access, chosen and repeated by
 * Lincheck's model checker. Whatever each call answers must be what some order of whole calls answers; after each run
 * nothing may be left behind. What runs under it may not use AssertJ, whose assertions have an {@code equals} that
 * throws.
 */
@Tag("races")
class InterleavingsTest {

    private static final String ONCE = "Cannot be started more than once";
    private static final String CLOSED = "Already closed or has not been started";
    private static final String NOT_RUNNING = "close() has already been called";

    /** What a client keeps of its contenders: nothing, once all are closed. */
    private static void checkNothingIsLeft(ElectionClient client) {
        Check.state(Race.kept(client) == 0, "%d left", Race.kept(client));
    }

    private static ElectionClient running(FakeEngine engine) {
        engine.callbacksOn(callback -> {});
        ElectionClient client = Clients.over(engine);
        client.start();
        return client;
    }

    private interface Call {
        Object run() throws Exception;
    }

    /** Runs what may be refused with one message; answers what it said. Any other exception is a finding. */
    private static String refusable(String refusal, Call call) throws Exception {
        try {
            return String.valueOf(call.run());
        } catch (IllegalStateException e) {
            if (!refusal.equals(e.getMessage())) {
                throw e;
            }
            return refusal;
        }
    }

    private static void explore(Class<?> calls, int scenarios) {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(scenarios)
                .invocationsPerIteration(60)
                .minimizeFailedScenario(false)
                .check(calls);
    }

    /** One latch of a client that runs. */
    public static class Latch {
        private final FakeEngine engine = new FakeEngine();
        private final ElectionClient client = running(engine);
        private final LeaderLatch latch = new LeaderLatch(client, "/p");

        @Operation
        public String start() throws Exception {
            return refusable(ONCE, () -> {
                latch.start();
                return "started";
            });
        }

        @Operation
        public String close() throws Exception {
            return refusable(CLOSED, () -> {
                latch.close();
                return "closed";
            });
        }

        @Operation
        public String state() {
            return latch.getState().name();
        }

        @Operation
        public boolean awaitNoTime() throws InterruptedException {
            return latch.await(0, TimeUnit.NANOSECONDS);
        }

        @Validate
        public void whatIsClosedLeavesNothing() {
            if (latch.getState() == LeaderLatch.State.CLOSED) {
                checkNothingIsLeft(client);
                engine.candidacies()
                        .forEach(candidacy -> Check.state(candidacy.leaves() == 1, "%d leaves", candidacy.leaves()));
            }
        }
    }

    @Test
    void aLatchIsStartedAndClosedOnce() {
        explore(Latch.class, 10);
    }

    /** One selector of a client whose every contender leads at once; its attempts run where a call says so. */
    public abstract static class AnySelector extends LeaderSelectorListenerAdapter {
        private final FakeEngine engine = new FakeEngine();
        private final ElectionClient client = running(engine);
        private final ManualExecutor attempts = new ManualExecutor();
        private final LeaderSelector selector = new LeaderSelector(client, "/p", attempts, this);
        private final AtomicInteger leading = new AtomicInteger();
        private final AtomicInteger states = new AtomicInteger();
        private volatile boolean isClosed;

        protected AnySelector() {
            engine.grantAtOnce();
        }

        LeaderSelector selector() {
            return selector;
        }

        @Override
        public void takeLeadership(ElectionClient source) {
            int others = leading.getAndIncrement();
            // It may be closed just before this is called; but then leadership is over.
            boolean leadsClosed = isClosed && engine.last().leaves() == 0;
            if (others > 0 || leadsClosed) {
                throw new AssertionError(leadsClosed ? "leads although it is closed" : "leads twice at a time");
            }
            leading.decrementAndGet();
        }

        @Override
        public void stateChanged(ElectionClient source, ConnectionState newState) {
            states.incrementAndGet();
        }

        String started() throws Exception {
            return refusable(ONCE, () -> {
                selector.start();
                return "started";
            });
        }

        String closed() throws Exception {
            return refusable(CLOSED, () -> {
                selector.close();
                isClosed = true;
                return "closed";
            });
        }

        @Operation
        public void attempt() {
            attempts.runNextIfAny();
        }

        @Validate
        public void whatIsClosedLeavesNothing() {
            if (isClosed) {
                checkNothingIsLeft(client);
                Check.state(!selector.hasLeadership(), "it leads");
                engine.connect(Connection.LOST);
                Check.state(states.get() == 0, "its listener is still told");
            }
        }
    }

    /** Every call. */
    public static class Selector extends AnySelector {
        @Operation
        public String start() throws Exception {
            return started();
        }

        @Operation
        public String requeue() throws Exception {
            return refusable(NOT_RUNNING, selector()::requeue);
        }

        @Operation
        public String close() throws Exception {
            return closed();
        }
    }

    @Test
    void aSelectorThatIsClosedLeavesNothing() {
        explore(Selector.class, 6);
    }

    /** Closed while its attempt begins. */
    public static class Beginning extends AnySelector {
        public Beginning() throws Exception {
            started();
        }

        @Operation
        public String close() throws Exception {
            return closed();
        }
    }

    @Test
    void aSelectorThatIsClosedDoesNotLead() {
        explore(Beginning.class, 2);
    }

    /** Looks before it closes, and closes later. */
    public static class CheckThenAct {
        private volatile boolean isOpen = true;

        @Operation
        public String close() {
            if (!isOpen) {
                return CLOSED;
            }
            isOpen = false;
            return "closed";
        }
    }

    @Test
    void aRaceIsFound() {
        assertThatThrownBy(() -> explore(CheckThenAct.class, 1))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }
}
