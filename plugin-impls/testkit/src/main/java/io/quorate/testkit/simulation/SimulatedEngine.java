package io.quorate.testkit.simulation;

import io.quorate.ClientMonitor;
import io.quorate.Voters;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.Clock;
import io.quorate.engine.Connection;
import io.quorate.engine.Engine;
import io.quorate.engine.PathView;
import io.quorate.engine.Situation;
import io.quorate.engine.Tenure;
import io.quorate.runtime.ElectionDriver;
import io.quorate.runtime.Shown;
import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * One life of a node in a simulated cluster, under a client: the production driver, entered by one thread at a time.
 *
 * <p>Requests that the facade makes under its own lock (the clock, the connection, failures, an executor) do not take a
 * lock here, because the driver's calls take the locks in the other order.
 */
public final class SimulatedEngine implements Engine {

    private final SimulatedWorld world;
    private final VirtualProcess process;
    private final DriverHost host;
    private final List<ConnectionListener> listeners = new CopyOnWriteArrayList<>();
    private final Map<ClientMonitor, UnaryOperator<String>> monitors = new LinkedHashMap<>();
    private final Set<CompletableFuture<PathView>> asked = ConcurrentHashMap.newKeySet();
    private volatile ElectionDriver driver;
    private boolean isOver;
    private volatile boolean isCrashed;

    public SimulatedEngine(SimulatedWorld world, VirtualProcess process, DriverHost host) {
        this.world = world;
        this.process = process;
        this.host = host;
    }

    VirtualProcess process() {
        return process;
    }

    // ---------------------------------------------------------------- its life

    @Override
    public void start() {
        world.locked(() -> {
            host.application(new ConnectionListener() {
                @Override
                public void changed(Connection connection) {
                    listeners.forEach(listener -> listener.changed(connection));
                }

                @Override
                public void stopped(RuntimeException cause) {
                    listeners.forEach(listener -> listener.stopped(cause));
                }
            });
            process.start();
            driver = host.driver();
            new LinkedHashMap<>(monitors).forEach(driver::addMonitor);
        });
    }

    @Override
    public void close() {
        world.locked(() -> {
            if (!isOver && driver != null) {
                // A process that is stopped cannot close anything.
                process.resume();
                process.shutdown();
            }
            isOver = true;
        });
        asked.forEach(view -> view.completeExceptionally(new IllegalStateException(process.id + " is closed")));
    }

    /** The process is killed: its beliefs are over, and it does nothing more. Its client is to be closed. */
    public void crash() {
        world.locked(() -> {
            isOver = true;
            isCrashed = true;
            process.tenures.values().forEach(Tenure::end);
            process.crash();
        });
    }

    /** Whether a callback can run now. If the process is paused, {@code again} is done when it goes on. */
    boolean admits(Runnable again) {
        if (!isOver && process.isPaused()) {
            process.handle(again);
            return false;
        }
        return !isCrashed;
    }

    // ---------------------------------------------------------------- what its client asks

    @Override
    public Clock clock() {
        return process.clock;
    }

    @Override
    public Executor callbacks() {
        return callback -> world.queue(this, callback);
    }

    @Override
    public void runWaiting(String name, Runnable work) {
        world.queue(this, work);
    }

    @Override
    public long letTimePass(long nanosMax, BooleanSupplier condition) {
        return isCrashed ? -1 : world.letTimePass(nanosMax, condition);
    }

    @Override
    public <T> CompletableFuture<T> orTimeout(CompletableFuture<T> future, Duration limit) {
        world.after(this, limit.toNanos(), () -> future.completeExceptionally(new TimeoutException()));
        return future;
    }

    @Override
    public NodeId self() {
        return process.id;
    }

    @Override
    public String clusterId() {
        return process.settings.clusterId();
    }

    @Override
    public Connection connection() {
        ElectionDriver current = driver;
        return current == null ? Connection.NONE : current.connection();
    }

    @Override
    public List<Problem> problems() {
        ElectionDriver current = driver;
        return current == null ? List.of() : current.problems();
    }

    @Override
    public Support support() {
        ElectionDriver current = driver;
        return current == null ? Support.NONE : current.support();
    }

    @Override
    public Optional<RuntimeException> failure() {
        ElectionDriver current = driver;
        return current == null ? Optional.empty() : current.failure();
    }

    @Override
    public void addConnectionListener(ConnectionListener listener) {
        listeners.add(listener);
    }

    @Override
    public void addMonitor(ClientMonitor monitor, UnaryOperator<String> inClient) {
        world.locked(() -> {
            monitors.put(monitor, inClient);
            ifAlive(() -> driver.addMonitor(monitor, inClient));
        });
    }

    @Override
    public void removeMonitor(ClientMonitor monitor) {
        world.locked(() -> {
            monitors.remove(monitor);
            ifAlive(() -> driver.removeMonitor(monitor));
        });
    }

    // A future equals itself alone.
    @SuppressWarnings("CollectionUndefinedEquality")
    @Override
    public CompletionStage<PathView> view(String path) {
        CompletableFuture<PathView> view = new CompletableFuture<>();
        asked.add(view);
        view.whenComplete((answer, failure) -> asked.remove(view));
        ifAlive(() -> driver.view(path).whenComplete((answer, failure) -> {
            if (failure == null) {
                view.complete(answer);
            } else {
                view.completeExceptionally(failure);
            }
        }));
        return view;
    }

    @Override
    public void unwatch(String path) {
        ifAlive(() -> driver.unwatch(path));
    }

    @Override
    public void observe(String path, ViewListener listener) {
        ifAlive(() -> driver.observe(path, listener));
    }

    @Override
    public void unobserve(String path, ViewListener listener) {
        ifAlive(() -> driver.unobserve(path, listener));
    }

    @Override
    public void priority(IntSupplier value) {
        ifAlive(() -> driver.priority(value));
    }

    @Override
    public void standBy(Supplier<Optional<String>> reason) {
        ifAlive(() -> driver.standBy(reason));
    }

    @Override
    public Voters voters() {
        ElectionDriver current = driver;
        return current == null ? Shown.voters(VoterList.NONE) : current.voters();
    }

    @Override
    public OptionalInt misplaced() {
        ElectionDriver current = driver;
        return current == null ? OptionalInt.empty() : current.misplaced();
    }

    @Override
    public CompletionStage<Void> changeVoters(long number, Map<NodeId, Optional<HostAndPort>> wanted) {
        List<CompletionStage<Void>> begun = new ArrayList<>();
        ifAlive(() -> begun.add(driver.changeVoters(number, wanted)));
        return begun.isEmpty()
                ? CompletableFuture.failedFuture(new IllegalStateException("node " + process.id + " is closed"))
                : begun.get(0);
    }

    @Override
    public Duration turnAge() {
        ElectionDriver current = driver;
        return current == null ? Duration.ZERO : current.turnAge();
    }

    @Override
    public Duration heartbeat() {
        return Duration.ofNanos(process.settings.lease().heartbeat());
    }

    @Override
    public String describe() {
        String[] text = {process.id + ": not running"};
        ifAlive(() -> text[0] = driver.describe());
        return text[0];
    }

    private void ifAlive(Runnable call) {
        world.locked(() -> {
            if (!isOver && driver != null) {
                call.run();
            }
        });
    }

    // ---------------------------------------------------------------- its contenders

    @Override
    public Candidacy contend(String path, String participantId, ContenderListener listener) {
        Contender contender = new Contender(listener);
        ifAlive(() -> contender.joined = Optional.of(driver.contend(path, participantId, contender)));
        return contender;
    }

    /** Between a latch and the driver, so that the watchdog sees each tenure. */
    private final class Contender implements Candidacy, ContenderListener {
        private final int number = world.nextNumber();
        private final ContenderListener latch;
        private Optional<Candidacy> joined = Optional.empty();

        private Contender(ContenderListener latch) {
            this.latch = latch;
        }

        @Override
        public void granted(Tenure tenure) {
            process.granted(number, tenure);
            latch.granted(tenure);
        }

        @Override
        public void ended(Tenure tenure, String reason) {
            process.revoked(number, tenure);
            latch.ended(tenure, reason);
        }

        @Override
        public void leaving(Tenure tenure, long departure, String reason) {
            latch.leaving(tenure, departure, reason);
        }

        @Override
        public void stays(Tenure tenure, String reason) {
            latch.stays(tenure, reason);
        }

        @Override
        public void rejoin() {
            ifAlive(() -> joined.ifPresent(Candidacy::rejoin));
        }

        @Override
        public void tenureEnded(Tenure tenure) {
            ifAlive(() -> joined.ifPresent(candidacy -> candidacy.tenureEnded(tenure)));
        }

        @Override
        public void resign(Tenure tenure) {
            ifAlive(() -> joined.ifPresent(candidacy -> candidacy.resign(tenure)));
        }

        @Override
        public CompletionStage<Void> transferTo(String successor) {
            List<CompletionStage<Void>> begun = new ArrayList<>();
            ifAlive(() -> joined.ifPresent(candidacy -> begun.add(candidacy.transferTo(successor))));
            return begun.isEmpty()
                    ? CompletableFuture.failedFuture(new IllegalStateException("node " + process.id + " is closed"))
                    : begun.get(0);
        }

        @Override
        public void drains(boolean wanted) {
            ifAlive(() -> joined.ifPresent(candidacy -> candidacy.drains(wanted)));
        }

        @Override
        public void leaves(Tenure tenure, String reason) {
            ifAlive(() -> joined.ifPresent(candidacy -> candidacy.leaves(tenure, reason)));
        }

        @Override
        public void drained(Tenure tenure, long departure) {
            ifAlive(() -> joined.ifPresent(candidacy -> candidacy.drained(tenure, departure)));
        }

        @Override
        public void leave() {
            ifAlive(() -> joined.ifPresent(Candidacy::leave));
        }

        @Override
        public void rankLast(Duration length, String reason) {
            ifAlive(() -> joined.ifPresent(candidacy -> candidacy.rankLast(length, reason)));
        }

        @Override
        public Situation explain() {
            Situation[] situation = {Situation.outside("its client is not running")};
            ifAlive(() -> situation[0] = joined.map(Candidacy::explain).orElse(situation[0]));
            return situation[0];
        }
    }
}
