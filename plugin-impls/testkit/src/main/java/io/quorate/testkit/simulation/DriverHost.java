package io.quorate.testkit.simulation;

import io.quorate.core.settings.NodeSettings;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.Clock;
import io.quorate.engine.Engine;
import io.quorate.engine.Tenure;
import io.quorate.runtime.ElectionDriver;
import io.quorate.runtime.MemoryTermStore;
import io.quorate.runtime.TermStore;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.model.Keyed;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The production driver: its messages travel in frames, and its terms are in a file. Slower than a {@link NodeHost},
 * and nothing of what runs in production is left out but threads and sockets.
 */
public final class DriverHost implements VirtualHost, VirtualThreads.Host {

    private static final long WRITE_NANOS = VirtualTime.MILLI;
    private static final int DRAW_MAX = 1_000_000;
    /** How late a thread reads the clock: mostly a little, and now and then, when it has lost its core, much. */
    private static final long LATE_USUALLY_NANOS = 10_000;

    private static final long LATE_MAX_NANOS = 200_000;
    private static final int LATE_PERCENT = 30;

    private final VirtualProcess process;
    private final VirtualNetwork network;
    private ElectionAlgorithm algorithm;
    private NodeSettings settings;
    private final Optional<VirtualDisk> disk;
    private final Supplier<TermStore> stores;
    private final Map<Integer, Engine.Candidacy> candidacies = new HashMap<>();
    private Engine.ConnectionListener application = connection -> {};
    private ElectionDriver driver;
    /** The number of the newest list that the watchdog was told of. */
    private long newest;

    private Wire wire;
    private ThreadClock threadClock;
    private final Queue<Runnable> underWay = new ArrayDeque<>();
    private boolean completesWriteAtCrash;
    private boolean isDiskFull;
    private long draws;

    /** @param disk empty if the node keeps nothing on disk */
    DriverHost(
            VirtualProcess process, VirtualNetwork network, ElectionAlgorithm algorithm, Optional<VirtualDisk> disk) {
        this.process = process;
        this.network = network;
        this.algorithm = algorithm;
        this.settings = process.settings;
        this.disk = disk;
        this.stores = disk.<Supplier<TermStore>>map(d -> d::store).orElse(MemoryTermStore::new);
    }

    /** @param terms the store of each life of the node */
    DriverHost(VirtualProcess process, VirtualNetwork network, ElectionAlgorithm algorithm, Supplier<TermStore> terms) {
        this.process = process;
        this.network = network;
        this.algorithm = algorithm;
        this.settings = process.settings;
        this.disk = Optional.empty();
        this.stores = terms;
    }

    /** Sets the listener of the connection from the next start on. */
    void application(Engine.ConnectionListener listener) {
        application = listener;
    }

    /**
     * The process's clock as the driver's thread reads it. A thread takes time from what wakes it to its reading, and
     * again from a step to the sending of what the step wants sent; so no two of its periods are equally long.
     */
    private final class ThreadClock implements Clock {
        private final Keyed lateness = process.keyed.of("lateness").of(process.life());
        private long reads;
        private long last = process.clock.nanoTime();

        // The threads of an application ask how old the last turn is, while the node has its turns.
        @Override
        public synchronized long nanoTime() {
            long n = 2 * reads++;
            long max = lateness.chance(n, LATE_PERCENT) ? LATE_MAX_NANOS : LATE_USUALLY_NANOS;
            last = Math.max(last, process.clock.nanoTime() + lateness.between(n + 1, 0, max));
            return last;
        }

        @Override
        public long wallMillis() {
            return process.clock.wallMillis();
        }
    }

    /** The node's place at the network. */
    private final class Wire implements Transport {
        private Receiver receiver;

        @Override
        public void start(Receiver frames) {
            receiver = frames;
        }

        @Override
        public void send(NodeId to, byte[] frame) {
            // A frame leaves at the instant that the thread has come to, not at that which the step began at.
            long instant = threadClock.last;
            process.perform(
                    1,
                    () -> process.time.at(
                            process.clock.realOf(instant),
                            () -> network.send(new Flight(process.id, to, frame, 0, 0))));
        }

        @Override
        public void close() {
            receiver = null;
        }
    }

    ElectionDriver driver() {
        return driver;
    }

    // ---------------------------------------------------------------- its life

    /** On a full disk it says so and ends. */
    @Override
    public boolean canStart() {
        return !isDiskFull;
    }

    @Override
    public void configure(NodeSettings next, ElectionAlgorithm with) {
        settings = next;
        algorithm = with;
    }

    @Override
    public void start() {
        candidacies.clear();
        wire = new Wire();
        threadClock = new ThreadClock();
        driver = VirtualThreads.driver(settings, algorithm, wire, stores.get(), threadClock, this);
        driver.addConnectionListener(process.connections::add);
        driver.addConnectionListener(application);
        try {
            driver.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void crash() {
        Runnable write = underWay.isEmpty() ? () -> {} : underWay.remove();
        underWay.clear();
        if (disk.isPresent() && completesWriteAtCrash) {
            write.run();
            disk.get().kill();
        } else {
            disk.ifPresent(d -> d.losePower(write, (int) draw(0, DRAW_MAX)));
        }
        driver = null;
    }

    @Override
    public void close() {
        driver.close();
        // The process waits for its disk; what is left then, the lock among it, goes with the process.
        while (!underWay.isEmpty()) {
            underWay.remove().run();
        }
        disk.ifPresent(VirtualDisk::kill);
    }

    @Override
    public void receive(Flight flight) {
        if (wire.receiver != null) {
            wire.receiver.received(Optional.empty(), (byte[]) flight.message());
            tellVoters();
        }
    }

    /** The watchdog is told of lists that are decided: of those from number 2 on. */
    private void tellVoters() {
        VoterList now = voters();
        if (now.number() > Math.max(1, newest)) {
            newest = now.number();
            process.watchdog.votersAre(process, now);
        }
    }

    @Override
    public void changeVoters(List<NodeId> wanted) {
        Map<NodeId, Optional<HostAndPort>> all = new TreeMap<>();
        wanted.forEach(id -> all.put(id, Optional.empty()));
        driver.changeVoters(driver.voterList().number(), all).whenComplete((done, failure) -> {
            tellVoters();
            process.changes.add(failure == null ? "done" : failure.getMessage());
        });
    }

    @Override
    public VoterList voters() {
        return driver == null ? VoterList.NONE : driver.voterList();
    }

    @Override
    public void wake() {
        // Frames and calls that waited have woken it.
    }

    @Override
    public void clockChanged() {
        // Woken too late, or too early and then again: as a real thread is.
    }

    // ---------------------------------------------------------------- its contenders

    @Override
    public void contend(String path, int number) {
        candidacies.put(number, driver.contend(path, process.id.value(), new Engine.ContenderListener() {
            @Override
            public void granted(Tenure tenure) {
                process.granted(number, tenure);
            }

            @Override
            public void ended(Tenure tenure, String reason) {
                process.revoked(number, tenure);
            }

            @Override
            public void leaving(Tenure tenure, long departure, String reason) {
                process.leaving(number, tenure, departure);
            }

            @Override
            public void stays(Tenure tenure, String reason) {
                process.stays(number);
            }
        }));
    }

    @Override
    public void drains(int number, boolean wanted) {
        candidacies.get(number).drains(wanted);
    }

    @Override
    public void leaves(int number, Tenure tenure) {
        candidacies.get(number).leaves(tenure, VirtualProcess.RESIGNS);
    }

    @Override
    public void drained(int number, Tenure tenure, long departure) {
        candidacies.get(number).drained(tenure, departure);
    }

    @Override
    public void transferTo(int number, NodeId successor) {
        candidacies.get(number).transferTo(successor.value());
    }

    @Override
    public void withdraw(int number) {
        candidacies.remove(number).leave();
    }

    @Override
    public void rejoin(int number) {
        candidacies.get(number).rejoin();
    }

    @Override
    public void resign(int number, Tenure tenure) {
        candidacies.get(number).resign(tenure);
    }

    // ---------------------------------------------------------------- its threads

    @Override
    public void handle(Runnable turn) {
        process.handle(turn);
    }

    @Override
    public void wakeAt(long instant, Runnable wake) {
        process.laterInThisLife(process.clock.realOf(instant), wake);
    }

    @Override
    public void onDisk(Runnable write) {
        underWay.add(write);
        process.laterInThisLife(process.time.now() + WRITE_NANOS, () -> {
            if (underWay.remove(write)) {
                write.run();
            }
        });
    }

    @Override
    public void letTimePass(long nanosMax, BooleanSupplier isOver) {
        long end = process.time.now() + nanosMax;
        while (!isOver.getAsBoolean() && process.time.next(end)) {
            // That was one thing.
        }
    }

    @Override
    public long draw(long min, long max) {
        return process.keyed.between(draws++, min, max);
    }

    @Override
    public void diskIsFull(boolean isFull) {
        isDiskFull = isFull && disk.isPresent();
        disk.ifPresent(d -> d.isFull(isFull));
    }

    @Override
    public void completesWriteAtCrash(boolean completes) {
        completesWriteAtCrash = completes;
    }

    @Override
    public void priority(int value) {
        driver.priority(() -> value);
    }

    @Override
    public void standBy(boolean wanted) {
        driver.standBy(() -> wanted ? Optional.of(VirtualProcess.ON_STANDBY) : Optional.empty());
    }

    @Override
    public int load() {
        return 0;
    }

    @Override
    public String describe() {
        return driver == null ? process.id + ": crashed" : driver.describe();
    }
}
