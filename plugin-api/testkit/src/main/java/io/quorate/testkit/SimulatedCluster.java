package io.quorate.testkit;

import io.quorate.ElectionClient;
import io.quorate.ElectionSettings;
import io.quorate.core.NodeSettings;
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

/**
 * A cluster in one JVM and in virtual time, for tests of applications: the clients and latches are those of production,
 * without sockets, disks and threads. One seed decides everything, so a test that has passed passes again.
 *
 * <p><b>Time.</b> It passes only while the test's thread calls {@link #advance} or an {@code await} method of this
 * class, or waits in a call of a client or latch ({@code await}, {@code getLeader}, {@code getParticipants},
 * {@code blockUntilConnected}). Ten minutes of such a wait are taken for ever, and fail. The test's thread is the one
 * that called a method of this class last, other than one that only looks.
 *
 * <p><b>Callbacks</b> without an executor of their own run while time passes, on the test's thread, in order per latch
 * and never two at once. They may call anything; one that waits lets time pass in its turn. What they throw is logged,
 * as in production: a test has to assert elsewhere.
 *
 * <p><b>Other threads</b> of the application may use clients and latches too; everything in the cluster happens under
 * one lock. They wait in real time: one that sits in {@code LeaderLatch.await()} is woken when {@link #advance} lets it
 * lead. What it does then takes real time, which the test has to wait for in another way than by {@link #awaitUntil}.
 *
 * <p>At every step it is checked that no two latches of a path lead and that fencing tokens rise; a violation fails the
 * test.
 */
public class SimulatedCluster implements AutoCloseable {

    /** How long the {@code await} methods let time pass before they fail: far more than any fail-over takes. */
    public static final Duration AWAIT_LIMIT = Duration.ofMinutes(1);

    private static final int WHOLE = 100;

    private final ClusterSettings settings;
    private volatile Optional<World> world = Optional.empty();

    /** One node over all its lives. */
    private static final class Node {
        private final VirtualProcess process;
        private final DriverHost host;
        private SimulatedEngine engine;
        private ElectionClient client;

        private Node(VirtualProcess process, DriverHost host) {
            this.process = process;
            this.host = host;
        }
    }

    /** What there is between {@link #open} and {@link #close}. */
    private record World(SimulatedWorld time, VirtualCluster cluster, Map<String, Node> nodes, int[] loss) {
    }

    /** A cluster that runs at its first use. */
    public SimulatedCluster(ClusterSettings settings) {
        this.settings = settings;
    }

    /** A cluster of the voters {@code n1 .. n<count>}; {@link ClusterSettings} has more. */
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
            for (NodeSettings node : settings.nodes()) {
                DriverHost host = cluster.addDriver(node, settings.terms());
                opened.nodes.put(node.self().value(), new Node(cluster.process(node.self()), host));
            }
            opened.nodes.values().forEach(node -> start(opened, node));
        }
        return world.get();
    }

    /** As {@link #open}, and the calling thread is the test's. */
    private World test() {
        World opened = open();
        opened.time.isTestedHere();
        return opened;
    }

    private void start(World in, Node node) {
        node.engine = new SimulatedEngine(in.time, node.process, node.host);
        node.client = Clients.over(node.engine, "", ElectionSettings.DEFAULT_CONNECTION_TIMEOUT,
                settings.errorPolicy());
        if (settings.startsClients()) {
            node.client.start();
        }
    }

    /**
     * Crashes all nodes; the next use finds a new cluster, at the beginning of its time.
     *
     * @throws AssertionError if a rule was broken, also if that was caught
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

    /** Decides every delay and every loss. */
    public long seed() {
        return settings.seed();
    }

    // ---------------------------------------------------------------- nodes

    private Node node(String name) {
        Map<String, Node> nodes = test().nodes;
        Check.argument(nodes.containsKey(name), "node '%s': must be one of %s", name, nodes.keySet());
        return nodes.get(name);
    }

    /** The names of all nodes, voters first. */
    public List<String> nodes() {
        return List.copyOf(open().nodes.keySet());
    }

    /**
     * The client of this node: started, unless the settings leave that to the test, and another one after each {@link
     * #restart}. The application may close it.
     *
     * @throws IllegalArgumentException if there is no such node
     */
    public ElectionClient client(String node) {
        return node(node).client;
    }

    /**
     * Kills the process of this node. Its objects are as if its client were closed, but nobody in the cluster is told:
     * none of its latches leads, all are CLOSED, threads that wait in them are woken, and no callback is called.
     *
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
     * Starts a node again that has crashed, or whose client the application has closed. It remembers what a data
     * directory would, if it has one; the application has to open its latches anew.
     *
     * @return its new client, started unless the settings leave that to the test
     * @throws IllegalStateException    if it runs
     * @throws IllegalArgumentException if there is no such node
     */
    public ElectionClient restart(String node) {
        Node stopped = node(node);
        Check.state(!stopped.process.isRunning(), "%s runs: crash it, or close its client", node);
        start(test(), stopped);
        return stopped.client;
    }

    /**
     * Stops a process as SIGSTOP does: it does nothing, not even callbacks, while its clock and its leases run on, and
     * what is sent to it waits. The test can still ask its objects, which answer by that clock.
     *
     * @throws IllegalStateException    if it does not run
     * @throws IllegalArgumentException if there is no such node
     */
    public void pause(String node) {
        onRunning(node, VirtualProcess::pause);
    }

    /** Lets a paused process go on, with all that has waited. No effect on one that runs; errors as {@link #pause}. */
    public void resume(String node) {
        onRunning(node, VirtualProcess::resume);
    }

    private void onRunning(String name, Consumer<VirtualProcess> action) {
        Node node = node(name);
        Check.state(node.process.isRunning(), "%s does not run", name);
        test().time.locked(() -> action.accept(node.process));
    }

    /**
     * Sets the rate of a node's clock, in percent of real time. Beyond 90 to 110 nothing is promised about leadership,
     * and the test may fail for it.
     *
     * @throws IllegalArgumentException unless it is 50 to 200, and there is such a node
     */
    public void clockRate(String node, int percent) {
        Check.argument(50 <= percent && percent <= 200, "clock rate %d %%: must be 50 to 200", percent);
        VirtualProcess process = node(node).process;
        test().time.locked(() -> process.rate(percent / 100.0));
    }

    // ---------------------------------------------------------------- the network

    /**
     * Cuts the network between these groups, until {@link #heal}; {@code partition("n1", "n2,n3")}. Nodes that are not
     * named are one more group. What was cut before stays so.
     *
     * @param groups each the names of nodes, with commas between them
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
        in.time.locked(() -> in.cluster.drop(flight -> !groupOf.getOrDefault(flight.from(), -1)
                .equals(groupOf.getOrDefault(flight.to(), -1))));
    }

    /** Cuts the network between this node and all others, until {@link #heal}; errors as {@link #partition}. */
    public void isolate(String node) {
        partition(node);
    }

    /**
     * So many of a hundred messages are lost from now on, on every link.
     *
     * @throws IllegalArgumentException unless it is 0 to 100
     */
    public void loss(int percent) {
        Check.argument(0 <= percent && percent <= WHOLE, "loss %d %%: must be 0 to 100", percent);
        World in = test();
        in.time.locked(() -> {
            List<NodeId> ids = in.nodes.values().stream().map(node -> node.process.id).toList();
            for (NodeId from : ids) {
                ids.stream().filter(to -> !to.equals(from)).forEach(to ->
                        in.cluster.network().trouble(from, to, Trouble.LOSS, percent - in.loss[0]));
            }
            in.loss[0] = percent;
        });
    }

    /**
     * Every message takes from {@code min} to {@code max}; 0.2 to 1 ms by default. None overtakes an earlier one of its
     * link, as on a TCP connection.
     */
    public void delay(Duration min, Duration max) {
        Check.argument(!min.isNegative() && min.compareTo(max) <= 0,
                "delays from %s to %s: must be 0 or more, and rise", min, max);
        World in = test();
        in.time.locked(() -> in.cluster.delays(min.toNanos() / 1000, max.toNanos() / 1000));
    }

    /** Ends all partitions, isolations and losses. */
    public void heal() {
        World in = test();
        in.time.locked(in.cluster::heal);
        loss(0);
    }

    // ---------------------------------------------------------------- time

    /** Lets so much time pass; zero runs the callbacks that are due. */
    public void advance(Duration duration) {
        Check.argument(!duration.isNegative(), "%s: must not be negative", duration);
        World in = test();
        in.time.advanceTo(in.time.now() + duration.toNanos());
    }

    /** How much time has passed since the beginning. */
    public Duration now() {
        return Duration.ofNanos(open().time.now());
    }

    /**
     * Lets time pass until the condition holds; it is asked every millisecond of it.
     *
     * @param what for the failure
     * @throws AssertionError if it does not hold within {@link #AWAIT_LIMIT}; says where every node stands
     */
    public void awaitUntil(String what, BooleanSupplier condition) {
        awaitUntil(what, AWAIT_LIMIT, condition);
    }

    /** As {@link #awaitUntil(String, BooleanSupplier)}, within another limit. */
    public void awaitUntil(String what, Duration limit, BooleanSupplier condition) {
        if (!test().time.advanceUntil(limit.toNanos(), condition)) {
            throw new AssertionError("not within " + limit.toMillis() + " ms of virtual time: " + what + "\n"
                    + describe());
        }
    }

    /** Lets time pass until some node leads the path, and answers which; fails as {@link #awaitUntil}. */
    public String awaitLeader(String path) {
        awaitUntil("somebody leads " + path, () -> leader(path).isPresent());
        return leader(path).orElseThrow();
    }

    /** Lets time pass until a node other than this one leads the path; fails as {@link #awaitUntil}. */
    public String awaitLeaderOtherThan(String node, String path) {
        node(node);
        awaitUntil("somebody other than " + node + " leads " + path,
                () -> leader(path).filter(leader -> !leader.equals(node)).isPresent());
        return leader(path).orElseThrow();
    }

    // ---------------------------------------------------------------- what is seen

    /** The node one of whose latches leads this path now. A paused one counts until its lease is over. */
    public Optional<String> leader(String path) {
        World in = open();
        return in.time.locked(() -> in.cluster.leader(path)).map(NodeId::value);
    }

    /** Each beginning and end of leadership so far, in a line; equal for equal tests with equal seeds. */
    public List<String> log() {
        World in = open();
        return in.time.locked(in.cluster::log).stream().map(VirtualCluster.Change::toString).toList();
    }

    /** How many frames the nodes have sent each other since the beginning; several messages may share one. */
    public long framesSent() {
        World in = open();
        return in.time.locked(() -> in.cluster.messages().values().stream().mapToLong(Integer::longValue).sum());
    }

    /** Where every node stands, the last lines of the log, and how to repeat the run. */
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
