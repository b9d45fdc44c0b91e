package io.quorate.runtime;

import static io.quorate.runtime.Drivers.PATH;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.settings.NodeSettings;
import io.quorate.engine.Clock;
import io.quorate.engine.Engine;
import io.quorate.engine.LeaseTiming;
import io.quorate.engine.PathView;
import io.quorate.engine.Tenure;
import io.quorate.runtime.Drivers.Listener;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.spi.Transport;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.LocalNetwork;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** Drivers with real threads and short times, connected in this JVM; waiting for them has a deadline. */
final class Drivers implements AutoCloseable {

    static final String PATH = "/app/leader";

    private static final long MILLI = 1_000_000;

    final LocalNetwork network = new LocalNetwork();
    private final List<NodeId> voters = new ArrayList<>();
    private final Map<NodeId, ElectionDriver> drivers = new TreeMap<>();
    private Optional<ClusterSecret> secret = Optional.empty();

    /** Keeps what a candidacy was told, and joins again after each tenure. */
    static final class Listener implements Engine.ContenderListener {
        final List<String> calls = new CopyOnWriteArrayList<>();
        final List<Long> tokens = new CopyOnWriteArrayList<>();
        volatile Tenure tenure;
        volatile Engine.Candidacy candidacy;

        @Override
        public void granted(Tenure granted) {
            tokens.add(granted.token());
            tenure = granted;
            calls.add("granted");
        }

        @Override
        public void ended(Tenure ended, String reason) {
            tenure = null;
            calls.add("ended");
            if (candidacy != null) {
                candidacy.rejoin();
            }
        }

        boolean leads() {
            Tenure current = tenure;
            return current != null && current.isValid(Clock.SYSTEM);
        }
    }

    /** Voters {@code n1 .. n<count>}, of which none has been started. */
    Drivers(int count) {
        for (int i = 1; i <= count; i++) {
            voters.add(new NodeId("n" + i));
        }
    }

    NodeId id(int number) {
        return voters.get(number - 1);
    }

    /** The support is generous: a busy machine must not end a tenure in the middle of a test. */
    NodeSettings settings(NodeId self) {
        return new NodeSettings(
                "test",
                self,
                voters,
                new LeaseTiming(25 * MILLI, 500 * MILLI, 10),
                new Timing(10 * MILLI),
                RankOrder.JOIN_ORDER,
                0,
                false);
    }

    ElectionDriver driver(int number, ElectionAlgorithm algorithm, Transport transport, TermStore store) {
        return driver(number, algorithm, transport, store, NodeEnvironment.REAL);
    }

    /** The secret of the drivers that are made from now on. */
    void secret(Optional<ClusterSecret> next) {
        secret = next;
    }

    ElectionDriver driver(int number, NodeEnvironment environment) {
        return driver(number, new HighestUp(), network.transport(id(number)), new MemoryTermStore(), environment);
    }

    ElectionDriver driver(
            int number,
            ElectionAlgorithm algorithm,
            Transport transport,
            TermStore store,
            NodeEnvironment environment) {
        ElectionDriver driver = new ElectionDriver(
                settings(id(number)), secret, algorithm, transport, store, Clock.SYSTEM, environment);
        ElectionDriver former = drivers.put(id(number), driver);
        if (former != null) {
            former.close();
        }
        return driver;
    }

    ElectionDriver driver(int number, TermStore store) {
        return driver(number, new HighestUp(), network.transport(id(number)), store);
    }

    ElectionDriver driver(int number, ElectionAlgorithm algorithm) {
        return driver(number, algorithm, network.transport(id(number)), new MemoryTermStore());
    }

    ElectionDriver driver(int number) {
        return driver(number, new HighestUp());
    }

    /** The links of a node that is none: the driver of that number has heard that it lives, and it of that one. */
    Links met(int number, NodeId stranger, Optional<ClusterSecret> with) {
        Links links = new Links("test", stranger, 1, 1, 4, List.of(), with);
        AtomicBoolean hasMet = new AtomicBoolean();
        network.transport(stranger).start((sender, frame) -> {
            synchronized (links) {
                hasMet.set(hasMet.get() || links.open(frame, 0) instanceof DecodedFrame.Accepted);
            }
            return true;
        });
        byte[] first;
        synchronized (links) {
            first = links.seal(id(number), new byte[] {99}, 1, 0).orElseThrow();
        }
        network.inject(id(number), first);
        await("the stranger is asked", hasMet::get);
        network.transport(stranger).close();
        return links;
    }

    /** Starts a driver for each voter that has none yet. */
    void startAll() throws IOException {
        for (int number = 1; number <= voters.size(); number++) {
            if (!drivers.containsKey(id(number))) {
                driver(number).start();
            }
        }
    }

    ElectionDriver get(int number) {
        return drivers.get(id(number));
    }

    Listener contend(int number) {
        return contend(number, new Listener());
    }

    private Listener contend(int number, Listener listener) {
        listener.candidacy = get(number).contend(PATH, "p" + number, listener);
        return listener;
    }

    /** Waits until the condition holds; on failure, says where every driver stands. */
    void await(String what, BooleanSupplier condition) {
        Deadline.await(condition, () -> what + describe());
    }

    /** Waits until it leads. Returns its tenure, which may be over soon on a busy machine. */
    Tenure awaitTenure(Listener candidate) {
        AtomicReference<Tenure> found = new AtomicReference<>();
        await("it leads", () -> {
            found.set(candidate.tenure);
            return found.get() != null && found.get().isValid(Clock.SYSTEM);
        });
        return found.get();
    }

    void awaitLeader(Listener... candidates) {
        await("one of " + candidates.length + " leads", () -> List.of(candidates).stream()
                .anyMatch(Listener::leads));
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        drivers.values().forEach(driver -> text.append('\n').append(driver.describe()));
        return text.toString();
    }

    /** Asks; a test decides what to wait for. */
    static CompletableFuture<PathView> view(ElectionDriver driver, String path) {
        return driver.view(path).toCompletableFuture();
    }

    static void assertFails(CompletableFuture<PathView> view, String reason) {
        assertThat(view)
                .failsWithin(600, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(IllegalStateException.class)
                .withMessageContaining(reason);
    }

    @Override
    public void close() {
        drivers.values().forEach(ElectionDriver::close);
    }
}
