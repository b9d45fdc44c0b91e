package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.engine.Connection;
import io.quorate.engine.Tenure;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.Effort;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.FakeEngine.FakeCandidacy;
import java.io.EOFException;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that do anything with one latch, or one selector, while its engine grants, ends and loses the connection. */
class FacadeRaceTest {

    private static final int ROUNDS = Effort.of(700, 100);
    private static final int CALLS = 6;
    private static final int TENURES_MAX = 400;
    private static final String ONCE = "Cannot be started more than once";
    private static final String CLOSED = "Already closed or has not been started";
    private static final String NOT_RUNNING = "close() has already been called";

    private final Race race = new Race();

    @AfterEach
    void close() throws InterruptedException {
        race.close();
    }

    // ---------------------------------------------------------------- latches

    /** One round: a latch of a client of its own. */
    private final class LatchRound {
        private final FakeEngine engine = new FakeEngine();
        private final ElectionClient client = Clients.over(engine);
        private final CloseMode mode = race.random().nextBoolean() ? CloseMode.SILENT : CloseMode.NOTIFY_LEADER;
        private final LeaderLatch latch = new LeaderLatch(client, "/p", "", mode);
        private final RecordingListener listener = new RecordingListener();
        private final Queue<Tenure> tenures = new ConcurrentLinkedQueue<>();
        private final CountDownLatch users = new CountDownLatch(3);
        private final AtomicInteger starts = new AtomicInteger();
        private final AtomicInteger closes = new AtomicInteger();
        private final boolean closesClient = race.random().nextInt(4) == 0;

        private void run() throws Exception {
            client.start();
            if (race.random().nextBoolean()) {
                latch.addListener(listener);
            } else {
                latch.addListener(listener, race.threads());
            }
            race.run(latch, List.of(this::use, this::use, this::use, this::grant, this::waitForIt, this::closeLast));
            assertThat(latch.getState()).as("%s", race).isEqualTo(LeaderLatch.State.CLOSED);
            assertThat(latch.hasLeadership()).as("%s", race).isFalse();
            assertThat(tenures).as("%s", race).allMatch(Tenure::isEnded);
            assertThat(starts).as("%s", race).hasValue(1);
            assertThat(closes).as("%s", race).hasValue(1);
            assertThat(Race.kept(client)).as("%s", race).isZero();
            if (!closesClient) {
                assertThat(engine.candidacies())
                        .as("%s", race)
                        .hasSizeLessThan(2)
                        .allMatch(candidacy -> candidacy.leaves() == 1);
            }
            CallbackQueue.drain(latch);
            if (mode == CloseMode.NOTIFY_LEADER) {
                // However late its executor comes.
                Deadline.until(() -> listener.events.size() % 2 == 0, race + " " + listener.events);
            }
            List<String> told = List.copyOf(listener.events);
            // The first two that are no turn: of thousands nobody would find them.
            assertThat(IntStream.range(0, told.size())
                            .filter(index -> !told.get(index).equals(index % 2 == 0 ? "isLeader" : "notLeader"))
                            .mapToObj(index -> index + " of " + told.size() + ": "
                                    + told.subList(Math.max(0, index - 3), Math.min(told.size(), index + 3)))
                            .findFirst())
                    .as("%s", race)
                    .isEmpty();
            client.close();
        }

        private void use(Random random) throws Exception {
            LeaderLatch.State seen = LeaderLatch.State.LATENT;
            try {
                for (int call = 0; call < CALLS; call++) {
                    call(random);
                    LeaderLatch.State now = latch.getState();
                    assertThat(now).as("never back").isGreaterThanOrEqualTo(seen);
                    seen = now;
                    Race.pause(random);
                }
            } finally {
                users.countDown();
            }
        }

        private void call(Random random) throws Exception {
            switch (random.nextInt(10)) {
                case 0, 1 -> start();
                case 2 -> {
                    if (random.nextInt(3) == 0) {
                        closeIt();
                    }
                }
                case 3 -> latch.resign();
                case 4 -> latch.transferTo("other");
                case 5 -> latch.explain();
                case 6 -> {
                    RecordingListener passing = new RecordingListener();
                    latch.addListener(passing);
                    Race.pause(random);
                    latch.removeListener(passing);
                }
                case 7 -> assertThat(latch.getOurPath()).matches(path -> path == null || path.startsWith("/p/"));
                case 8 -> latch.hasLeadership();
                default -> {
                    if (closesClient && random.nextInt(3) == 0) {
                        client.close();
                    }
                }
            }
        }

        private void start() throws Exception {
            if (Race.isAccepted(ONCE, latch::start)) {
                starts.incrementAndGet();
            }
        }

        private void closeIt() throws Exception {
            if (Race.isAccepted(CLOSED, latch::close)) {
                closes.incrementAndGet();
                assertThat(latch.hasLeadership()).isFalse();
            }
        }

        /** The engine's thread. */
        private void grant(Random random) {
            int token = 0;
            while (users.getCount() > 0) {
                // A true engine waits for notLeader. More calls than these would be too many that wait, and get lost.
                if (!engine.candidacies().isEmpty() && token < TENURES_MAX) {
                    tenures.add(engine.last().grant(++token));
                    Race.pause(random);
                    engine.connect(random.nextBoolean() ? Connection.SUSPENDED : Connection.RECONNECTED);
                    engine.last().end();
                }
                Race.pause(random);
            }
            if (!engine.candidacies().isEmpty()) {
                tenures.add(engine.last().grant(++token));
            }
        }

        private void waitForIt(Random random) throws Exception {
            while (latch.getState() == LeaderLatch.State.LATENT) {
                Thread.onSpinWait();
            }
            try {
                while (true) {
                    latch.await();
                    Race.pause(random);
                }
            } catch (EOFException e) {
                assertThat(latch.getState()).isEqualTo(LeaderLatch.State.CLOSED);
            }
        }

        private void closeLast(Random random) throws Exception {
            users.await();
            start();
            Race.pause(random);
            closeIt();
        }
    }

    @Test
    void latchesEndClosedWhateverIsDoneWithThem() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            new LatchRound().run();
        }
    }

    // Two threads, nothing else: each round is a chance to close between the two halves of start().
    @Test
    void closeThatRacesStartLeavesNoContenderInTheClient() throws Exception {
        FakeEngine engine = new FakeEngine();
        try (ElectionClient client = Clients.over(engine)) {
            client.start();
            for (int round = 0; round < 3 * ROUNDS; round++) {
                LeaderLatch latch = new LeaderLatch(client, "/p");
                race.run(latch, List.of(random -> latch.start(), random -> {
                    while (!Race.isAccepted(CLOSED, latch::close)) {
                        Thread.onSpinWait();
                    }
                }));
                assertThat(Race.kept(client)).as("%s", race).isZero();
            }
        }
    }

    @Test
    void aLatchStartedWhileItsClientStartsJoinsOnce() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            FakeEngine engine = new FakeEngine();
            ElectionClient client = Clients.over(engine);
            LeaderLatch latch = new LeaderLatch(client, "/p");
            race.run(
                    latch,
                    List.of(
                            random -> client.start(),
                            random -> latch.start(),
                            random -> latch.hasLeadership(),
                            random -> client.getState()));
            assertThat(engine.candidacies()).as("%s", race).hasSize(1);
            client.close();
            assertThat(latch.getState()).as("%s", race).isEqualTo(LeaderLatch.State.CLOSED);
        }
    }

    // ---------------------------------------------------------------- clients

    @Test
    void aClientThatIsStartedAndClosedByManyEndsClosedAndCompletesEachStage() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            FakeEngine engine = new FakeEngine();
            ElectionClient client = Clients.over(engine);
            LeaderLatch latch = new LeaderLatch(client, "/p");
            Queue<CompletionStage<Void>> starts = new ConcurrentLinkedQueue<>();
            Queue<CompletionStage<Void>> closes = new ConcurrentLinkedQueue<>();
            race.run(
                    latch,
                    List.of(
                            random -> starts.add(client.startAsync()),
                            random -> starts.add(client.startAsync()),
                            random -> {
                                Race.pause(random);
                                closes.add(client.closeAsync());
                                assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
                            },
                            random -> {
                                Race.pause(random);
                                client.close();
                                assertThat(engine.closes()).as("%s", race).isEqualTo(1);
                            },
                            random -> latch.start()));
            for (CompletionStage<Void> close : closes) {
                Deadline.get(close.toCompletableFuture());
            }
            int running = 0;
            for (CompletionStage<Void> start : starts) {
                try {
                    Deadline.get(start.toCompletableFuture());
                    running++;
                } catch (ExecutionException e) {
                    assertThat(e).as("%s", race).hasCauseInstanceOf(IllegalStateException.class);
                }
            }
            assertThat(running).as("%s", race).isLessThan(2);
            assertThat(engine.starts()).as("%s", race).isBetween(running, 1);
            assertThat(engine.closes()).as("%s", race).isEqualTo(1);
            assertThat(latch.getState()).as("%s", race).isEqualTo(LeaderLatch.State.CLOSED);
            assertThat(Race.kept(client)).as("%s", race).isZero();
        }
    }

    // ---------------------------------------------------------------- selectors

    /** One round: a selector of a client of its own. */
    private final class SelectorRound extends LeaderSelectorListenerAdapter {
        private final FakeEngine engine = new FakeEngine();
        private final ElectionClient client = Clients.over(engine);
        private final LeaderSelector selector = new LeaderSelector(client, "/p", race.threads(), this);
        private final AtomicInteger leading = new AtomicInteger();
        private final AtomicInteger queued = new AtomicInteger();
        private final AtomicInteger starts = new AtomicInteger();
        private final AtomicInteger closes = new AtomicInteger();
        private final AtomicInteger statesAfterClose = new AtomicInteger();
        private final Queue<String> faults = new ConcurrentLinkedQueue<>();
        private final CountDownLatch users = new CountDownLatch(3);
        private final boolean blocks = race.random().nextBoolean();
        private final Set<FakeCandidacy> granted = new HashSet<>();
        private final boolean isDisturbed;
        private final boolean leadsAtOnce;
        private volatile boolean isOver;

        /** @param isDisturbed whether it may be closed, lose its connection and queue by itself */
        private SelectorRound(boolean isDisturbed) {
            this.isDisturbed = isDisturbed;
            this.leadsAtOnce = isDisturbed && race.random().nextBoolean();
        }

        @Override
        public void takeLeadership(ElectionClient source) throws InterruptedException {
            if (leading.getAndIncrement() > 0) {
                faults.add("leads twice at a time");
            }
            if (closes.get() > 0 && engine.last().leaves() == 0) {
                faults.add("leads although it is closed");
            }
            try {
                if (blocks && isDisturbed) {
                    new CountDownLatch(1).await();
                }
                Thread.yield();
            } finally {
                leading.decrementAndGet();
            }
        }

        @Override
        public void stateChanged(ElectionClient source, ConnectionState newState) {
            if (isOver) {
                statesAfterClose.incrementAndGet();
            }
            super.stateChanged(source, newState);
        }

        private void run() throws Exception {
            if (leadsAtOnce) {
                engine.grantAtOnce();
            }
            client.start();
            race.run(selector, List.of(this::use, this::use, this::use, this::grant));
            start();
            if (!isDisturbed) {
                Deadline.until(
                        () -> {
                            grantAll();
                            return engine.candidacies().size() == queued.get() && Race.kept(client) == 0;
                        },
                        race + " " + queued);
                assertThat(granted)
                        .as("%s: none was cancelled while it waited", race)
                        .hasSize(queued.get());
            }
            closeIt();
            assertThat(starts).as("%s", race).hasValue(1);
            assertThat(closes).as("%s", race).hasValue(1);
            Deadline.until(
                    () -> leading.get() == 0
                            && Race.kept(client) == 0
                            && engine.candidacies().stream().allMatch(candidacy -> candidacy.leaves() == 1),
                    race);
            assertThat(selector.hasLeadership()).isFalse();
            // What was on its way when it was closed may still come; it has come when a later change is told.
            tell(Connection.RECONNECTED);
            isOver = true;
            tell(Connection.LOST);
            client.close();
            assertThat(statesAfterClose).as("%s: told after its end", race).hasValue(0);
            assertThat(faults).as("%s", race).isEmpty();
        }

        /** Changes the connection, and waits until all listeners of the client are told. */
        private void tell(Connection next) {
            CountDownLatch isTold = new CountDownLatch(1);
            ConnectionStateListener last = (source, state) -> isTold.countDown();
            client.getConnectionStateListenable().addListener(last);
            engine.connect(next);
            Deadline.await(isTold, race);
            client.getConnectionStateListenable().removeListener(last);
        }

        private void use(Random random) throws Exception {
            try {
                for (int call = 0; call < CALLS; call++) {
                    call(random);
                    Race.pause(random);
                }
            } finally {
                users.countDown();
            }
        }

        private void call(Random random) throws Exception {
            switch (random.nextInt(isDisturbed ? 8 : 6)) {
                case 0 -> start();
                case 1, 2 ->
                    Race.isAccepted(NOT_RUNNING, () -> {
                        if (selector.requeue()) {
                            queued.incrementAndGet();
                        }
                    });
                case 3, 4 -> selector.interruptLeadership();
                case 5 -> selector.hasLeadership();
                case 6 -> selector.autoRequeue();
                default -> {
                    if (random.nextInt(3) == 0) {
                        closeIt();
                    }
                }
            }
        }

        private void start() throws Exception {
            if (Race.isAccepted(ONCE, selector::start)) {
                starts.incrementAndGet();
                queued.incrementAndGet();
            }
        }

        private void closeIt() throws Exception {
            if (Race.isAccepted(CLOSED, selector::close)) {
                closes.incrementAndGet();
                assertThat(selector.hasLeadership()).isFalse();
            }
        }

        /** The engine's thread. */
        private void grant(Random random) {
            while (users.getCount() > 0) {
                grantAll();
                if (isDisturbed && random.nextInt(50) == 0) {
                    engine.connect(random.nextBoolean() ? Connection.LOST : Connection.RECONNECTED);
                }
                Race.pause(random);
            }
        }

        private void grantAll() {
            for (FakeCandidacy candidacy : engine.candidacies()) {
                if (!leadsAtOnce && !granted.contains(candidacy) && candidacy.leaves() == 0) {
                    granted.add(candidacy);
                    candidacy.grant(granted.size());
                }
            }
        }
    }

    @Test
    void selectorsEndClosedWhateverIsDoneWithThem() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            new SelectorRound(true).run();
        }
    }

    // The attempt that is interrupted may end by itself and the next one queue meanwhile: that one is not meant.
    @Test
    void interruptingNeverCancelsAnAttemptThatWaits() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            new SelectorRound(false).run();
        }
    }
}
