package io.quorate.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorate.spi.EventLoop;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportException;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.TransportProvider.Settings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.management.JMException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Tests that every {@link Transport} must pass. An author implements its one method, which makes a transport, and runs
 * it with JUnit 5 or 6. The tests are final. They use sockets of 127.0.0.1 and real time.
 *
 * <p>A transport may lose frames, so most tests send until something has arrived.
 */
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
public abstract class TransportConformance {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");

    private static final int STARTS = 4;
    private static final int ROUNDS = 5;
    private static final int SENDS = 2_000;
    /** In use by both sides and what the test itself needs. The sent bytes are eight times as many. */
    private static final long HEAP_BYTES_MAX = 16L << 20;

    private static final int DESCRIPTORS_MAX = ROUNDS - 1;

    private static final int TASKS = 100;
    private static final long DELAY_NANOS = 20_000_000;

    private final Map<NodeId, HostAndPort> addresses = new TreeMap<>();
    private final List<Transport> made = new ArrayList<>();

    /** For subclasses. */
    protected TransportConformance() {}

    /**
     * Makes a transport that is not started. The kit starts and closes it.
     *
     * @param settings a node, and the addresses of all nodes
     * @return another transport at each call
     */
    protected abstract Transport transport(Settings settings);

    /**
     * How long a test waits for what must come. The default is generous, because a machine may be busy; the usual wait
     * is far below a second.
     *
     * @return by default 30 s
     */
    protected Duration deadline() {
        return Duration.ofSeconds(30);
    }

    /**
     * How long the longest of 2,000 sends to a peer that does not read may take. A machine that stands still for longer
     * needs more; with as much as {@link #deadline}, a send only has to return.
     *
     * @return by default 2 s
     */
    protected Duration sendMax() {
        return Duration.ofSeconds(2);
    }

    /** The frames that have arrived at one node. */
    private static final class Inbox implements Transport.Receiver {

        private final ConcurrentLinkedQueue<byte[]> frames = new ConcurrentLinkedQueue<>();

        @Override
        public boolean received(Optional<NodeId> sender, byte[] frame) {
            return frames.add(frame);
        }

        boolean has(byte[] frame) {
            return frames.stream().anyMatch(each -> Arrays.equals(each, frame));
        }

        @Override
        public String toString() {
            return frames.stream()
                    .map(frame -> frame.length + " bytes")
                    .toList()
                    .toString();
        }
    }

    @AfterEach
    final void closeAll() {
        made.forEach(Transport::close);
    }

    /** A free port of 127.0.0.1 for each of three nodes, the same during a test. */
    private Settings settings(NodeId self) {
        if (addresses.isEmpty()) {
            for (NodeId node : List.of(A, B, C)) {
                addresses.put(node, new HostAndPort("127.0.0.1", FreePorts.take()));
            }
        }
        return new Settings("conformance", self, addresses);
    }

    private static InetAddress here() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    private Transport made(NodeId self) {
        Transport transport = transport(settings(self));
        made.add(transport);
        return transport;
    }

    private Transport started(NodeId self, Transport.Receiver receiver) {
        Transport transport = made(self);
        transport.start(receiver);
        return transport;
    }

    private static byte[] frame(int length, int seed) {
        byte[] frame = new byte[length];
        for (int i = 0; i < length; i++) {
            frame[i] = (byte) (31 * i + seed);
        }
        return frame;
    }

    private void repeat(Runnable step, BooleanSupplier isDone, Supplier<?> state) {
        long deadline = System.nanoTime() + deadline().toNanos();
        while (!isDone.getAsBoolean()) {
            // Justification: the deadline, which a subclass makes as generous as its machine needs.
            assertTrue(
                    System.nanoTime() - deadline < 0,
                    () -> "not within " + deadline().toSeconds() + " s; state: " + state.get());
            step.run();
            // Justification: the step is repeated; nothing depends on how soon.
            LockSupport.parkNanos(5_000_000);
        }
    }

    private void exchange(Transport from, NodeId to, Inbox inbox, byte[] frame) {
        repeat(() -> from.send(to, frame), () -> inbox.has(frame), inbox::toString);
    }

    @Test
    final void framesOfAllLengthsArriveUnchanged() {
        Inbox inbox = new Inbox();
        started(B, inbox);
        Transport a = started(A, new Inbox());
        List<byte[]> sent = new ArrayList<>();
        for (int length : new int[] {0, 1, 255, 4_097, Transport.FRAME_LENGTH_MAX - 1, Transport.FRAME_LENGTH_MAX}) {
            sent.add(frame(length, length));
            exchange(a, B, inbox, sent.get(sent.size() - 1));
        }
        for (byte[] arrived : inbox.frames) {
            byte[] original = sent.stream()
                    .filter(each -> each.length == arrived.length)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("a frame that nobody has sent: " + inbox));
            assertArrayEquals(original, arrived);
        }
    }

    @Test
    final void framesGoBetweenAllPairsInBothDirections() {
        Map<NodeId, Inbox> inboxes = new TreeMap<>();
        Map<NodeId, Transport> transports = new TreeMap<>();
        for (NodeId node : List.of(A, B, C)) {
            inboxes.put(node, new Inbox());
            transports.put(node, started(node, inboxes.get(node)));
        }
        int seed = 0;
        for (Map.Entry<NodeId, Transport> from : transports.entrySet()) {
            for (Map.Entry<NodeId, Inbox> to : inboxes.entrySet()) {
                if (!from.getKey().equals(to.getKey())) {
                    exchange(from.getValue(), to.getKey(), to.getValue(), frame(100, ++seed));
                }
            }
        }
        inboxes.forEach((node, inbox) -> assertEquals(
                2,
                inbox.frames.stream().map(Arrays::hashCode).distinct().count(),
                () -> node + " has what was sent to others: " + inbox));
    }

    @Test
    final void frameThatIsTooLongIsRefused() {
        Inbox inbox = new Inbox();
        started(B, inbox);
        Transport a = started(A, new Inbox());
        assertThrows(
                IllegalArgumentException.class, () -> a.send(B, new byte[Transport.FRAME_LENGTH_MAX + 1]), "too long");
        exchange(a, B, inbox, frame(10, 1));
    }

    @Test
    final void unknownReceiverIsNoError() {
        Inbox inbox = new Inbox();
        started(B, inbox);
        Transport a = started(A, new Inbox());
        for (int i = 0; i < SENDS; i++) {
            a.send(new NodeId("unknown-" + i), frame(10, i));
        }
        exchange(a, B, inbox, frame(10, 1));
    }

    @Test
    final void peerThatIsAwayIsNoErrorAndIsReachedWhenItComes() {
        Transport a = started(A, new Inbox());
        for (int i = 0; i < SENDS; i++) {
            a.send(B, frame(10, i));
        }
        Inbox inbox = new Inbox();
        started(B, inbox);
        exchange(a, B, inbox, frame(11, 1));
    }

    // The settings win over an address that was learned at run time. A transport may ignore those of other nodes.
    @Test
    final void learnedAddressDoesNotMoveANodeOfTheSettings() {
        Inbox inbox = new Inbox();
        Inbox other = new Inbox();
        started(C, other);
        Transport a = started(A, new Inbox());
        HostAndPort elsewhere = Objects.requireNonNull(settings(A).addresses().get(C));
        a.reach(new NodeId("unknown"), elsewhere);
        a.reach(B, elsewhere);
        // B is away, and then it is not.
        a.send(B, frame(10, 1));
        exchange(a, C, other, frame(11, 1));
        started(B, inbox);
        exchange(a, B, inbox, frame(10, 1));
        assertTrue(
                other.frames.stream().allMatch(frame -> frame.length == 11), () -> "the learned address got " + other);
    }

    @Test
    final void sendBeforeTheStartIsRefused() {
        Transport a = made(A);
        assertThrows(IllegalStateException.class, () -> a.send(B, frame(10, 1)), "not started");
    }

    @Test
    final void secondStartIsRefusedAndHarmsNothing() {
        Inbox inbox = new Inbox();
        Transport b = started(B, inbox);
        assertThrows(IllegalStateException.class, () -> b.start(new Inbox()), "started before");
        exchange(started(A, new Inbox()), B, inbox, frame(10, 1));
    }

    @Test
    final void closeTwiceIsNoErrorAndNothingWorksAfterwards() {
        Transport fresh = made(A);
        fresh.close();
        fresh.close();
        assertThrows(IllegalStateException.class, () -> fresh.start(new Inbox()), "closed");
        Inbox inbox = new Inbox();
        Transport b = started(B, inbox);
        Transport c = started(C, new Inbox());
        exchange(c, B, inbox, frame(10, 1));
        b.close();
        b.close();
        inbox.frames.clear();
        // Nothing arrives any more, and a send is a lost frame.
        for (int i = 0; i < 20; i++) {
            c.send(B, frame(10, 2));
            b.send(C, frame(10, 2));
            // Justification: a slow machine gives a wrong frame less time to arrive; a right transport has none.
            LockSupport.parkNanos(5_000_000);
        }
        assertTrue(inbox.frames.isEmpty(), inbox::toString);
    }

    @Test
    final void ofConcurrentStartsOnOnePortOneSucceedsAndTheOthersNameIt() throws Exception {
        Settings settings = settings(A);
        String address = String.valueOf(settings.addresses().get(A));
        ExecutorService threads = Executors.newFixedThreadPool(STARTS);
        List<Future<Optional<TransportException>>> starts = new ArrayList<>();
        CountDownLatch together = new CountDownLatch(1);
        for (int i = 0; i < STARTS; i++) {
            Transport transport = made(A);
            Callable<Optional<TransportException>> start = () -> {
                together.await();
                try {
                    transport.start(new Inbox());
                    return Optional.empty();
                } catch (TransportException e) {
                    return Optional.of(e);
                }
            };
            starts.add(threads.submit(start));
        }
        together.countDown();
        List<String> failures = new ArrayList<>();
        for (Future<Optional<TransportException>> start : starts) {
            start.get(deadline().toSeconds(), TimeUnit.SECONDS)
                    .ifPresent(failure -> failures.add(String.valueOf(failure.getMessage())));
        }
        threads.shutdown();
        assertEquals(STARTS - 1, failures.size(), failures::toString);
        failures.forEach(failure -> assertTrue(failure.contains(address), () -> address + " is not in: " + failure));
    }

    @Test
    final void peerThatRestartsIsReachedAgain() {
        Transport a = started(A, new Inbox());
        for (int life = 0; life < 3; life++) {
            Inbox inbox = new Inbox();
            Transport b = started(B, inbox);
            exchange(a, B, inbox, frame(10, life));
            b.close();
        }
    }

    @Test
    final void nodeThatRestartsIsHeardAgain() {
        Inbox inbox = new Inbox();
        started(B, inbox);
        for (int life = 0; life < 3; life++) {
            Transport a = started(A, new Inbox());
            exchange(a, B, inbox, frame(10, life));
            a.close();
        }
    }

    @Test
    final void receiverThatThrowsGoesOnReceiving() {
        Inbox inbox = new Inbox();
        started(B, (sender, frame) -> {
            inbox.received(sender, frame);
            if (frame.length == 10) {
                throw new IllegalStateException("meant to be thrown, by the test");
            }
            throw new AssertionError("meant to be thrown, by the test");
        });
        Transport a = started(A, new Inbox());
        for (int seed = 1; seed <= 2; seed++) {
            exchange(a, B, inbox, frame(10, seed));
            exchange(a, B, inbox, frame(11, seed));
        }
    }

    // A transport need not offer one; if it does, a node lives there.
    @Test
    final void theLoopThatIsOfferedIsTheReceivers() {
        Transport b = made(B);
        assertEquals(Optional.empty(), b.loop(), "a loop before the start");
        Inbox inbox = new Inbox();
        Queue<Thread> receiving = new ConcurrentLinkedQueue<>();
        b.start((sender, frame) -> {
            receiving.add(Thread.currentThread());
            return inbox.received(sender, frame);
        });
        Optional<EventLoop> offered = b.loop();
        if (offered.isEmpty()) {
            return;
        }
        exchange(started(A, new Inbox()), B, inbox, frame(10, 1));
        EventLoop loop = offered.get();
        Queue<Integer> ran = new ConcurrentLinkedQueue<>();
        Queue<Thread> running = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < TASKS; i++) {
            int number = i;
            loop.execute(() -> {
                ran.add(number);
                running.add(Thread.currentThread());
                if (number % 2 == 0) {
                    throw new AssertionError("meant to be thrown, by the test");
                }
            });
        }
        repeat(() -> {}, () -> ran.size() == TASKS, () -> ran);
        assertEquals(IntStream.range(0, TASKS).boxed().toList(), List.copyOf(ran), "the order of the tasks");
        assertEquals(Set.of(receiving.element()), Set.copyOf(running), "the threads of the tasks");

        // Justification: a lower bound. A slow machine runs it later, never sooner.
        long begun = System.nanoTime();
        AtomicLong nanos = new AtomicLong();
        loop.schedule(
                () -> {
                    running.add(Thread.currentThread());
                    nanos.set(System.nanoTime() - begun);
                },
                DELAY_NANOS);
        repeat(() -> {}, () -> nanos.get() > 0, () -> "not run");
        assertTrue(nanos.get() >= DELAY_NANOS, () -> "run after " + nanos + " ns, asked for " + DELAY_NANOS);
        assertEquals(Set.of(receiving.element()), Set.copyOf(running), "the thread of what is scheduled");

        // A task that waits for a time that never comes would sleep for ever.
        AtomicBoolean hasLearned = new AtomicBoolean();
        loop.schedule(() -> hasLearned.set(true), Duration.ofDays(1).toNanos());
        b.close();
        repeat(() -> {}, hasLearned::get, () -> "what was scheduled is lost with the transport");
        assertThrows(RejectedExecutionException.class, () -> loop.execute(() -> {}), "closed");
        assertThrows(RejectedExecutionException.class, () -> loop.schedule(() -> {}, DELAY_NANOS), "closed");
    }

    private static Set<Thread> threads() {
        Set<Thread> alive = new HashSet<>(Thread.getAllStackTraces().keySet());
        alive.removeIf(thread -> !thread.isAlive());
        return alive;
    }

    /** How many files and sockets this process has open; always 0 where the system does not tell. */
    private static long openDescriptors() {
        try {
            Object count = ManagementFactory.getPlatformMBeanServer()
                    .getAttribute(
                            ManagementFactory.getOperatingSystemMXBean().getObjectName(), "OpenFileDescriptorCount");
            return count instanceof Number number ? number.longValue() : 0;
        } catch (JMException e) {
            return 0;
        }
    }

    private void startTalkAndClose() {
        Inbox inbox = new Inbox();
        Transport b = started(B, inbox);
        Transport a = started(A, new Inbox());
        exchange(a, B, inbox, frame(10, 1));
        // A peer that is not there is tried as well.
        a.send(C, frame(10, 1));
        b.close();
        a.close();
        // A transport whose start fails.
        try (Transport first = made(A);
                Transport second = made(A)) {
            first.start(new Inbox());
            assertThrows(TransportException.class, () -> second.start(new Inbox()));
        }
    }

    @Test
    final void noThreadAndNoSocketIsLeftAfterClose() {
        // Class loading opens files, and some libraries keep a thread for ever.
        startTalkAndClose();
        Set<Thread> threadsBefore = threads();
        long descriptorsBefore = openDescriptors();
        for (int i = 0; i < ROUNDS; i++) {
            startTalkAndClose();
        }
        repeat(() -> {}, () -> threadsBefore.containsAll(threads()), () -> {
            Set<Thread> more = threads();
            more.removeAll(threadsBefore);
            return "threads left: " + more;
        });
        repeat(
                () -> {},
                () -> openDescriptors() - descriptorsBefore < DESCRIPTORS_MAX,
                () -> "open files and sockets: " + descriptorsBefore + " before, " + openDescriptors() + " after "
                        + ROUNDS + " rounds");
    }

    private static long heapInUse() {
        // A collection frees more or less, depending on when references were cleared; the least value is the held heap.
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    /** Sends far more than a peer that does not read may cost. */
    private void flood(Transport from, NodeId to) {
        long heapBefore = heapInUse();
        long longest = 0;
        for (int i = 0; i < SENDS; i++) {
            byte[] frame = new byte[Transport.FRAME_LENGTH_MAX];
            // Justification: compared with a bound that a subclass chooses, and as generous as the deadline in this
            // build.
            long begin = System.nanoTime();
            from.send(to, frame);
            longest = Math.max(longest, System.nanoTime() - begin);
        }
        Duration longestSend = Duration.ofNanos(longest);
        assertTrue(longestSend.compareTo(sendMax()) < 0, () -> "a send took " + longestSend.toMillis() + " ms");
        long grown = heapInUse() - heapBefore;
        assertTrue(grown < HEAP_BYTES_MAX, () -> "the heap has grown by " + grown + " bytes");
    }

    @Test
    final void peerThatDoesNotReadCostsNoTimeAndLittleMemory() {
        CountDownLatch gate = new CountDownLatch(1);
        Inbox inbox = new Inbox();
        byte[] before = frame(10, 1);
        byte[] after = frame(10, 2);
        started(B, (sender, frame) -> {
            if (frame.length > 10) {
                // Against the contract, as a process that is stopped; what was sent meanwhile is not kept by the test.
                awaitUninterruptibly(gate);
                return true;
            }
            return inbox.received(sender, frame);
        });
        Transport a = started(A, new Inbox());
        try {
            exchange(a, B, inbox, before);
            flood(a, B);
        } finally {
            gate.countDown();
        }
        exchange(a, B, inbox, after);
    }

    private static void awaitUninterruptibly(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    final void strangerThatAcceptsAndNeverReadsCostsNoTimeAndLittleMemory() throws IOException {
        Transport a = started(A, new Inbox());
        HostAndPort address = Objects.requireNonNull(settings(A).addresses().get(B));
        try (ServerSocket stranger = new ServerSocket(address.port(), 50, here())) {
            flood(a, B);
            assertTrue(stranger.isBound());
        }
        Inbox inbox = new Inbox();
        started(B, inbox);
        exchange(a, B, inbox, frame(10, 1));
    }
}
