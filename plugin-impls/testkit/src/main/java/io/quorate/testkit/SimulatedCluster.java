package io.quorate.testkit;

import io.quorate.ElectionClient;
import io.quorate.ElectionConfig;
import io.quorate.core.settings.NodeSettings;
import io.quorate.runtime.DriverProvider;
import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.DriverHost;
import io.quorate.testkit.simulation.SimulatedEngine;
import io.quorate.testkit.simulation.SimulatedWorld;
import io.quorate.testkit.simulation.VirtualCluster;
import io.quorate.testkit.simulation.VirtualNetwork.Trouble;
import io.quorate.testkit.simulation.VirtualProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A cluster in one JVM and in virtual time, for tests of applications: the clients and latches are those of production,
 * without sockets, disks and threads. One seed decides everything, so a test that has passed passes again.
 *
 * <p><b>Time.</b> It passes only while the test's thread calls {@link #advance} or an {@code await} method of this
 * class, or waits in a call of a client or latch ({@code await}, {@code getLeader}, {@code getParticipants},
 * {@code blockUntilConnected}). A wait of ten minutes counts as one without end, and fails. The test's thread is the
 * thread that was the last to call a method of this class; methods that only look do not count.
 *
 * <p><b>Callbacks</b> without an executor of their own run while time passes, on the test's thread, in order per latch
 * and never two at one time. They may call anything, and a callback that waits lets time pass in its turn. Their
 * exceptions are logged, as in production, so a test has to assert elsewhere.
 *
 * <p><b>Other threads</b> of the application may use clients and latches too; everything in the cluster happens under
 * one lock. They wait in real time: a thread in {@code LeaderLatch.await()} wakes when {@link #advance} lets its latch
 * lead. Its work then takes real time. {@link #awaitUntil} does not wait for that, so the test has to wait in another
 * way.
 *
 * <p>At every step the cluster checks that no two latches of a path lead and that fencing tokens rise. A violation
 * fails the test.
 */
public class SimulatedCluster implements AutoCloseable {

    /** How long the {@code await} methods let time pass before they fail. It is far more than any fail-over takes. */
    public static final Duration AWAIT_LIMIT = Duration.ofMinutes(1);

    private static final int WHOLE = 100;

    private final ClusterSettings settings;
    private volatile Optional<World> world = Optional.empty();

    private static final class Node {
        private final VirtualProcess process;
        private final DriverHost host;
        private final ElectionConfig config;
        // The engine of the present life.
        @SuppressWarnings("NullAway.Init")
        private SimulatedEngine engine;

        @SuppressWarnings("NullAway.Init")
        private ElectionClient client;

        private Node(VirtualProcess process, DriverHost host, ElectionConfig config) {
            this.process = process;
            this.host = host;
            this.config = config;
        }
    }

    /** The parts that live between {@link #open} and {@link #close}. */
    private record World(SimulatedWorld time, VirtualCluster cluster, Map<String, Node> nodes, int[] loss) {}

    /**
     * A cluster that starts at its first use.
     *
     * @param settings the nodes and their settings; not changed afterwards
     */
    public SimulatedCluster(ClusterSettings settings) {
        this.settings = settings;
    }

    /**
     * Makes a cluster of the voters {@code n1 .. n<count>}, with default settings. {@link ClusterSettings} has more.
     *
     * @param count 1 to 15
     * @return a cluster that starts at its first use
     * @throws IllegalArgumentException if {@code count} is out of its range
     */
    public static SimulatedCluster ofVoters(int count) {
        return new SimulatedCluster(ClusterSettings.ofVoters(count));
    }

    // ---------------------------------------------------------------- its life

    /** Starts all nodes, unless they were started. */
    private synchronized World open() {
        if (world.isEmpty()) {
            VirtualCluster cluster = new VirtualCluster(settings.seed(), settings.algorithm());
            cluster.network().inOrder();
            World opened = new World(new SimulatedWorld(cluster), cluster, new LinkedHashMap<>(), new int[1]);
            world = Optional.of(opened);
            for (ElectionConfig config : settings.nodes()) {
                NodeSettings node = DriverProvider.nodeSettings(config);
                DriverHost host = cluster.addDriver(node, settings.terms());
                opened.nodes.put(config.nodeId(), new Node(cluster.process(node.self()), host, config));
            }
            opened(cluster, opened.nodes.keySet().stream().map(NodeId::new).toList());
            opened.nodes.values().forEach(node -> start(opened, node));
        }
        return world.get();
    }

    /** A cluster has been made, and its nodes are going to start. */
    void opened(VirtualCluster cluster, List<NodeId> nodes) {
        // Somebody may want to look on.
    }

    /** The test has changed the network. */
    void changed(String what) {
        // Somebody may want to know.
    }

    /** Does it with the world standing still; not at all if there is none. */
    void still(Runnable action) {
        world.ifPresent(open -> open.time.locked(action));
    }

    /** As {@link #open}, and the calling thread is the test's. */
    private World test() {
        World opened = open();
        opened.time.isTestedHere();
        return opened;
    }

    private void start(World in, Node node) {
        node.engine = new SimulatedEngine(in.time, node.process, node.host);
        node.client = Clients.over(node.engine, node.config);
        if (settings.startsClients()) {
            node.client.start();
        }
    }

    /**
     * Crashes all nodes. The next use finds a new cluster, at the beginning of its time.
     *
     * @throws AssertionError if two latches led or a token did not rise at any time, even if the test caught that
     */
    @Override
    public void close() {
        Optional<World> closed = world;
        world = Optional.empty();
        closed.ifPresent(old -> {
            old.nodes.values().forEach(SimulatedCluster::crash);
            old.time.throwIfBroken();
        });
    }

    /** {@return the seed that decides every delay and every loss} */
    public long seed() {
        return settings.seed();
    }

    // ---------------------------------------------------------------- nodes

    private Node node(String name) {
        Map<String, Node> nodes = test().nodes;
        Node node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException("node '" + name + "': must be one of " + nodes.keySet());
        }
        return node;
    }

    /** {@return the names of all nodes, voters first} */
    public List<String> nodes() {
        return List.copyOf(open().nodes.keySet());
    }

    /**
     * Answers the client of a node. After each {@link #restart} it is another one. The application may close it.
     *
     * @param node the name of the node
     * @return a client that is started, unless the settings leave that to the test
     * @throws IllegalArgumentException if there is no such node
     */
    public ElectionClient client(String node) {
        return node(node).client;
    }

    /**
     * Kills the process of a node. Its objects are then as if its client were closed: none of its latches leads, all
     * are CLOSED, and threads that wait in them are woken. But nobody in the cluster hears of it, and no callback is
     * called.
     *
     * @param node the name of the node
     * @throws IllegalArgumentException if there is no such node
     */
    public void crash(String node) {
        crash(node(node));
    }

    private static void crash(Node node) {
        node.engine.crash();
        node.client.close();
    }

    /**
     * Starts a node again that has crashed, or whose client the application has closed. Unless the cluster is
     * {@linkplain ClusterSettings#diskless diskless}, the node remembers what a data directory keeps. The application
     * has to open its latches anew.
     *
     * @param node the name of the node
     * @return the new client of the node, started unless the settings leave that to the test
     * @throws IllegalStateException    if the node runs
     * @throws IllegalArgumentException if there is no such node
     */
    public ElectionClient restart(String node) {
        Node stopped = node(node);
        Check.state(!stopped.process.isRunning(), "%s runs: crash it, or close its client", node);
        start(test(), stopped);
        return stopped.client;
    }

    /**
     * Stops the process of a node as SIGSTOP does. It does nothing, not even callbacks, while its clock and its leases
     * run on. The frames that are sent to it wait. The test can still ask its objects, which answer by that clock.
     *
     * @param node the name of the node
     * @throws IllegalStateException    if the node does not run
     * @throws IllegalArgumentException if there is no such node
     */
    public void pause(String node) {
        onRunning(node, VirtualProcess::pause);
    }

    /**
     * Lets a paused process go on, with all frames that have waited. It has no effect on a process that is not paused.
     *
     * @param node the name of the node
     * @throws IllegalStateException    if the node does not run
     * @throws IllegalArgumentException if there is no such node
     */
    public void resume(String node) {
        onRunning(node, VirtualProcess::resume);
    }

    private void onRunning(String name, Consumer<VirtualProcess> action) {
        Node node = node(name);
        Check.state(node.process.isRunning(), "%s does not run", name);
        test().time.locked(() -> action.accept(node.process));
    }

    /**
     * Sets the rate of a node's clock. Outside 90 to 110 % there may be two leaders, which fails the test.
     *
     * @param node    the name of the node
     * @param percent the rate in percent of real time, 50 to 200
     * @throws IllegalArgumentException if {@code percent} is out of its range, or there is no such node
     */
    public void clockRate(String node, int percent) {
        Check.argument(50 <= percent && percent <= 200, "clock rate %d %%: must be 50 to 200", percent);
        VirtualProcess process = node(node).process;
        test().time.locked(() -> process.rate(percent / 100.0));
    }

    // ---------------------------------------------------------------- the network

    /**
     * Cuts the network between these groups until {@link #heal}, for example {@code partition("n1", "n2,n3")}. The
     * nodes that are not named are one more group. Earlier cuts stay.
     *
     * @param groups each has the names of nodes, with commas between them
     * @throws IllegalArgumentException if there is no such node, or it is in two groups
     */
    public void partition(String... groups) {
        Map<NodeId, Integer> groupOf = new LinkedHashMap<>();
        for (int group = 0; group < groups.length; group++) {
            for (String name : groups[group].split(",")) {
                boolean isNew = groupOf.put(node(name.strip()).process.id, group) == null;
                Check.argument(isNew, "node %s: is in two groups of %s", name.strip(), Arrays.toString(groups));
            }
        }
        World in = test();
        in.time.locked(() -> {
            in.cluster.drop(
                    flight -> !groupOf.getOrDefault(flight.from(), -1).equals(groupOf.getOrDefault(flight.to(), -1)));
            changed("cut " + String.join(" | ", groups));
        });
    }

    /**
     * Cuts the network between a node and all others, until {@link #heal}.
     *
     * @param node the name of the node
     * @throws IllegalArgumentException if there is no such node
     */
    public void isolate(String node) {
        partition(node);
    }

    /**
     * Loses this share of the frames from now on, on every link.
     *
     * @param percent 0 to 100, in place of the share that was set before
     * @throws IllegalArgumentException if {@code percent} is out of its range
     */
    public void loss(int percent) {
        Check.argument(0 <= percent && percent <= WHOLE, "loss %d %%: must be 0 to 100", percent);
        World in = test();
        in.time.locked(() -> {
            List<NodeId> ids =
                    in.nodes.values().stream().map(node -> node.process.id).toList();
            for (NodeId from : ids) {
                ids.stream()
                        .filter(to -> !to.equals(from))
                        .forEach(to -> in.cluster.network().trouble(from, to, Trouble.LOSS, percent - in.loss[0]));
            }
            in.loss[0] = percent;
            changed("loss " + percent + " %");
        });
    }

    /**
     * Sets how long a frame takes on every link. None overtakes an earlier one of its link, as on a TCP connection. By
     * default a frame takes 0.2 to 1 ms.
     *
     * @param min the shortest delay, at least 0; parts of a microsecond are cut off
     * @param max the longest delay, at least {@code min}; parts of a microsecond are cut off
     * @throws IllegalArgumentException if the delays are no such range
     */
    public void delay(Duration min, Duration max) {
        Check.argument(
                !min.isNegative() && min.compareTo(max) <= 0,
                "delays from %s to %s: must be 0 or more, and rise",
                min,
                max);
        World in = test();
        in.time.locked(() -> in.cluster.delays(min.toNanos() / 1000, max.toNanos() / 1000));
    }

    /** Ends all partitions, isolations and losses. Pauses, delays and clock rates stay. */
    public void heal() {
        World in = test();
        in.time.locked(() -> {
            in.cluster.heal();
            changed("healed");
        });
        loss(0);
    }

    // ---------------------------------------------------------------- time

    /**
     * Lets time pass, and runs the callbacks that are due.
     *
     * @param duration how much virtual time, at least 0
     * @throws IllegalArgumentException if {@code duration} is negative
     */
    public void advance(Duration duration) {
        Check.argument(!duration.isNegative(), "%s: must not be negative", duration);
        World in = test();
        in.time.advanceTo(in.time.now() + duration.toNanos());
    }

    /** {@return how much virtual time has passed since the beginning} */
    public Duration now() {
        return Duration.ofNanos(open().time.now());
    }

    /**
     * Lets time pass until a condition holds, for {@link #AWAIT_LIMIT} at most.
     *
     * @param what      names the condition in the message of a failure
     * @param condition asked on the calling thread, in every millisecond of virtual time
     * @throws AssertionError if the condition does not hold in time; the message says where every node stands
     */
    public void awaitUntil(String what, BooleanSupplier condition) {
        awaitUntil(what, AWAIT_LIMIT, condition);
    }

    /**
     * As {@link #awaitUntil(String, BooleanSupplier)}, within another limit.
     *
     * @param what      names the condition in the message of a failure
     * @param limit     how much virtual time may pass
     * @param condition asked on the calling thread, in every millisecond of virtual time
     * @throws AssertionError if the condition does not hold in time; the message says where every node stands
     */
    public void awaitUntil(String what, Duration limit, BooleanSupplier condition) {
        if (!test().time.advanceUntil(limit.toNanos(), condition)) {
            throw new AssertionError(
                    "not within " + limit.toMillis() + " ms of virtual time: " + what + "\n" + describe());
        }
    }

    /**
     * Lets time pass until some node leads a path, for {@link #AWAIT_LIMIT} at most.
     *
     * @param path the path
     * @return the name of the node that leads
     * @throws AssertionError if no node leads in time; the message says where every node stands
     */
    public String awaitLeader(String path) {
        return awaitLeader("somebody leads " + path, path, leader -> true);
    }

    /**
     * Lets time pass until another node than the given one leads a path, for {@link #AWAIT_LIMIT} at most.
     *
     * @param node the name of the node that does not count
     * @param path the path
     * @return the name of the node that leads
     * @throws AssertionError           if no other node leads in time; the message says where every node stands
     * @throws IllegalArgumentException if there is no such node
     */
    public String awaitLeaderOtherThan(String node, String path) {
        node(node);
        return awaitLeader("somebody other than " + node + " leads " + path, path, leader -> !leader.equals(node));
    }

    /** The leader that was seen is answered: it may have resigned since, on a thread of the application. */
    private String awaitLeader(String what, String path, Predicate<String> wanted) {
        List<String> seen = new ArrayList<>();
        awaitUntil(what, () -> leader(path).filter(wanted).map(seen::add).isPresent());
        return seen.get(0);
    }

    // ---------------------------------------------------------------- what is seen

    /**
     * Answers which node leads a path now, because one of its latches leads. A paused node counts until its lease is
     * over.
     *
     * @param path the path
     * @return the name of the node; empty if none leads
     */
    public Optional<String> leader(String path) {
        World in = open();
        return in.time.locked(() -> in.cluster.leader(path)).map(NodeId::value);
    }

    /** {@return each beginning and end of leadership so far, one a line; equal for equal tests with equal seeds} */
    public List<String> log() {
        World in = open();
        return in.time.locked(in.cluster::log).stream()
                .map(VirtualCluster.Change::toString)
                .toList();
    }

    /**
     * {@return how many frames the nodes have sent each other since the beginning} Several messages may share a frame.
     */
    public long framesSent() {
        World in = open();
        return in.time.locked(() -> in.cluster.messages().values().stream()
                .mapToLong(Integer::longValue)
                .sum());
    }

    /** {@return a text that says where every node stands, the last lines of the log, and how to repeat the run} */
    public String describe() {
        if (world.isEmpty()) {
            return "seed=" + seed() + ", not used";
        }
        World in = open();
        List<String> stopped = new ArrayList<>();
        in.nodes.forEach((name, node) -> {
            if (node.process.isPaused() || !node.process.isRunning()) {
                stopped.add(name + (node.process.isPaused() ? " is paused" : " does not run"));
            }
        });
        return in.time.describe() + (stopped.isEmpty() ? "" : String.join(", ", stopped) + "\n")
                + "rerun: mvn test -Dseed=" + seed();
    }
}
