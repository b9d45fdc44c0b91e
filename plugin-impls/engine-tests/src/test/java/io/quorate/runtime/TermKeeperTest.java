package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.quorate.core.Birth;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.step.Jitter;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Clock;
import io.quorate.runtime.TermStore.Stored;
import io.quorate.spi.EventLoop;
import io.quorate.spi.NodeId;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.WaitingCall;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The thread that writes a node's numbers, when its disk hangs. */
class TermKeeperTest {

    private static final NodeId NODE = new NodeId("node-1");
    private static final long HALF_A_MINUTE = TimeUnit.SECONDS.toNanos(30);

    @TempDir
    private Path directory;

    private final CompletableFuture<Birth> born = new CompletableFuture<>();

    /** Hangs before it makes the next file, when it is told to: behind that, old numbers would replace newer ones. */
    private static final class HangingFiles extends TermFiles {
        private final CountDownLatch hangs = new CountDownLatch(1);
        private final CountDownLatch goesOn = new CountDownLatch(1);
        private volatile boolean shallHang;

        @Override
        public FileChannel create(Path path) throws IOException {
            if (shallHang) {
                hangs.countDown();
                await(goesOn);
            }
            return super.create(path);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(600, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private FileTermStore store(TermFiles files) {
        return new FileTermStore(directory, NODE, "cluster", files);
    }

    @Test
    void theDirectoryStaysLockedUntilTheLastWriteHasEnded() throws IOException {
        HangingFiles files = new HangingFiles();
        TermKeeper keeper = new TermKeeper(
                NODE,
                store(files),
                Clock.SYSTEM,
                NodeEnvironment.REAL,
                turn -> true,
                event -> {},
                HALF_A_MINUTE,
                1_000_000);
        Birth birth = keeper.open(born);
        files.shallHang = true;
        keeper.reserve(1_000);
        await(files.hangs);
        try (CapturedLog log = new CapturedLog()) {
            keeper.close();
            assertThat(log.lines(
                            "WARN",
                            "node node-1: its disk has not ended a read or a write yet; the directory stays locked"))
                    .hasSize(1);
        }
        assertThatIOException().isThrownBy(store(new TermFiles())::open).withMessageContaining("is locked by another");
        files.goesOn.countDown();
        AtomicReference<Stored> found = new AtomicReference<>();
        Deadline.await(
                () -> {
                    try (FileTermStore next = store(new TermFiles())) {
                        found.set(next.open());
                        return true;
                    } catch (IOException e) {
                        return false;
                    }
                },
                () -> "still locked");
        assertThat(found).hasValue(new Stored(1_000));
    }

    /** Real threads, and the greatest of all numbers that may be drawn. */
    private static final NodeEnvironment HIGHEST = new NodeEnvironment() {
        @Override
        public Mailbox mailbox(
                String name, Clock clock, Supplier<Optional<EventLoop>> loop, Consumer<Throwable> onBug) {
            return REAL.mailbox(name, clock, loop, onBug);
        }

        @Override
        public ExecutorService diskThread() {
            return REAL.diskThread();
        }

        @Override
        public Jitter jitter() {
            return (min, max) -> max;
        }

        @Override
        public long name() {
            return NodeMessage.NUMBER_MAX;
        }
    };

    /** What a store was given, in order; it fails once it is told to. */
    private static final class NotingStore implements TermStore {
        private final List<Stored> written = new CopyOnWriteArrayList<>();
        private final Stored former;
        private volatile boolean fails;
        private volatile Runnable during = () -> {};

        private NotingStore(Stored former) {
            this.former = former;
        }

        @Override
        public boolean isDurable() {
            return true;
        }

        @Override
        public Stored open() {
            return former;
        }

        @Override
        public void store(Stored next) throws IOException {
            if (fails) {
                throw new IOException("thrown by the test");
            }
            during.run();
            written.add(next);
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }

    private final List<NodeEvent> events = new CopyOnWriteArrayList<>();

    private TermKeeper keeper(TermStore store, long wallMillis) {
        Clock clock = new Clock() {
            @Override
            public long nanoTime() {
                return 0;
            }

            @Override
            public long wallMillis() {
                return wallMillis;
            }
        };
        Predicate<Runnable> driver = turn -> {
            turn.run();
            return true;
        };
        return new TermKeeper(NODE, store, clock, HIGHEST, driver, events::add, HALF_A_MINUTE, HALF_A_MINUTE);
    }

    // The name of a life is drawn, whatever the clock shows; terms stand in front of 18 bits.
    @ParameterizedTest
    @CsvSource({
        "1000, 262144000",
        "0, 0",
        "-1, 0",
        "4398046511104, 1152921504606846976", // the year 2109
        "4398046511105, 1152921504606846976",
        "9223372036854775807, 1152921504606846976"
    })
    void withoutADiskTermsComeFromTheClockAndTheLifeDoesNot(long wall, long ceiling) throws IOException {
        try (TermKeeper keeper = keeper(new MemoryTermStore(), wall)) {
            assertThat(keeper.open(born)).isEqualTo(new Birth(NodeMessage.NUMBER_MAX, ceiling, false));
            keeper.reserve(5);
        }
        assertThat(events).containsExactly(new NodeEvent.TermsReserved(5));
    }

    @Test
    void namesAreDrawnFromAllThatThereAre() {
        Set<Long> names = new HashSet<>();
        for (int draw = 0; draw < 10_000; draw++) {
            names.add(NodeEnvironment.REAL.name());
        }
        assertThat(names).hasSize(10_000).allMatch(name -> 1 <= name && name <= NodeMessage.NUMBER_MAX);
        assertThat(names).anyMatch(name -> name > NodeMessage.NUMBER_MAX / 2);
        assertThat(names).anyMatch(name -> (name & 1) == 0).anyMatch(name -> (name & 1) == 1);
    }

    @Test
    void aDiskThatTakesNoWriteEndsTheStart() {
        NotingStore store = new NotingStore(new Stored(1_000));
        store.fails = true;
        try (TermKeeper keeper = keeper(store, 0)) {
            assertThatIOException().isThrownBy(() -> keeper.open(born)).withMessage("thrown by the test");
        }
    }

    /** A disk that answers once it is let. */
    private static final class HangingStore implements TermStore {
        private final CountDownLatch goesOn = new CountDownLatch(1);
        private final CountDownLatch isClosed = new CountDownLatch(1);

        @Override
        public boolean isDurable() {
            return true;
        }

        @Override
        public Stored open() {
            await(goesOn);
            return Stored.NOTHING;
        }

        @Override
        public void store(Stored next) {
            // Nothing is kept.
        }

        @Override
        public void close() {
            isClosed.countDown();
        }
    }

    private TermKeeper impatient(TermStore store) {
        return new TermKeeper(
                NODE, store, Clock.SYSTEM, NodeEnvironment.REAL, turn -> true, event -> {}, 1_000_000, 1_000_000);
    }

    @Test
    void aDiskThatDoesNotOpenTheStoreEndsTheStartAndTheStoreIsClosedLate() {
        HangingStore store = new HangingStore();
        try (TermKeeper keeper = impatient(store)) {
            assertThatIOException()
                    .isThrownBy(() -> keeper.open(born))
                    .withMessageContaining("the disk has not opened the term store of node node-1 within");
        }
        assertThat(store.isClosed.getCount()).isEqualTo(1);
        store.goesOn.countDown();
        await(store.isClosed);
    }

    @Test
    void anInterruptEndsTheWaitForTheDiskAndIsNamed() {
        HangingStore store = new HangingStore();
        try (TermKeeper keeper = keeper(store, 0)) {
            Thread.currentThread().interrupt();
            assertThatIOException().isThrownBy(() -> keeper.open(born)).withMessageContaining("interrupted while");
            assertThat(Thread.interrupted()).isTrue();
            store.goesOn.countDown();
        }
        await(store.isClosed);
    }

    // No disk, no wait: there is nothing to interrupt.
    @Test
    void withoutADiskAnInterruptedThreadOpensAll() throws IOException {
        try (TermKeeper keeper = keeper(new MemoryTermStore(), 0)) {
            Thread.currentThread().interrupt();
            assertThat(keeper.open(born).isDurable()).isFalse();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void storedCeilingNeverFalls() throws IOException {
        NotingStore store = new NotingStore(new Stored(1_000));
        try (TermKeeper keeper = keeper(store, 0)) {
            Birth birth = keeper.open(born);
            // The identity is of this life alone: it is written when somebody asks for it.
            assertThat(birth.store()).isPositive().isLessThanOrEqualTo(NodeMessage.NUMBER_MAX);
            assertThat(birth)
                    .isEqualTo(new Birth(NodeMessage.NUMBER_MAX, 1_000, true, birth.store(), Optional.empty()));
            keeper.reserve(2_000);
            keeper.reserve(1_500);
        }
        assertThat(store.written).containsExactly(new Stored(1_000), new Stored(2_000), new Stored(2_000));
        assertThat(events).containsExactly(new NodeEvent.TermsReserved(2_000), new NodeEvent.TermsReserved(1_500));
    }

    @Test
    void aReservationThatFailsIsAnswered() throws IOException {
        NotingStore store = new NotingStore(Stored.NOTHING);
        try (TermKeeper keeper = keeper(store, 0)) {
            keeper.open(born);
            store.fails = true;
            keeper.reserve(2_000);
        }
        assertThat(events).containsExactly(new NodeEvent.ReserveFailed("thrown by the test"));
    }

    // A write that is under way is no disk that hangs, whatever the thread was told.
    @Test
    void interruptedCloseWaitsForTheDiskAndKeepsTheInterrupt() throws Exception {
        CountDownLatch goesOn = new CountDownLatch(1);
        NotingStore store = new NotingStore(Stored.NOTHING);
        TermKeeper keeper = keeper(store, 0);
        keeper.open(born);
        store.during = () -> await(goesOn);
        keeper.reserve(5);
        try (CapturedLog log = new CapturedLog()) {
            WaitingCall<Boolean> closing = WaitingCall.begun(() -> {
                Thread.currentThread().interrupt();
                keeper.close();
                return Thread.interrupted();
            });
            goesOn.countDown();
            assertThat(closing.awaitAnswer()).isTrue();
            assertThat(log.lines("WARN")).isEmpty();
        }
        assertThat(store.written).containsExactly(Stored.NOTHING, new Stored(5));
    }

    @Test
    void withoutAWriteTheDirectoryIsFreeWhenItIsClosed() throws IOException {
        TermKeeper keeper = new TermKeeper(
                NODE,
                store(new TermFiles()),
                Clock.SYSTEM,
                NodeEnvironment.REAL,
                turn -> true,
                event -> {},
                HALF_A_MINUTE,
                HALF_A_MINUTE);
        keeper.open(born);
        keeper.reserve(1_000);
        keeper.close();
        try (FileTermStore next = store(new TermFiles())) {
            assertThat(next.open().termCeiling()).isEqualTo(1_000);
        }
    }
}
