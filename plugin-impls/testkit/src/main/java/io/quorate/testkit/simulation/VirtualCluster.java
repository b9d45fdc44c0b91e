package io.quorate.testkit.simulation;

import io.quorate.core.Node;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.Clock;
import io.quorate.engine.Connection;
import io.quorate.engine.LeaseTiming;
import io.quorate.engine.PathView;
import io.quorate.engine.Tenure;
import io.quorate.runtime.TermStore;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.Options;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.model.Keyed;
import io.quorate.testkit.simulation.VirtualNetwork.Trouble;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A cluster of real nodes in virtual time, for tests that say step by step what happens. The network delivers each
 * message after a delay drawn from the seed, unless a rule of the test drops it. After every step a {@link Watchdog}
 * checks that no two nodes hold a valid tenure of one path, that tokens rise, and more.
 *
 * <p>Times are milliseconds of real (virtual) time; each node has a clock of its own, with a rate.
 */
public final class VirtualCluster {

    /**
     * A message on its way.
     *
     * @param message     a {@link NodeMessage}, or a frame
     * @param incarnation which life of the sender it is from
     * @param addressee   which life of the receiver it is for; 0 if the sender knows none
     */
    public record Flight(NodeId from, NodeId to, Object message, long incarnation, long addressee) {}

    /** One line of the log of tenures. */
    public record Change(long atMillis, NodeId node, String path, boolean isGranted, long token) {
        @Override
        public String toString() {
            return atMillis + " ms " + node + " " + path + (isGranted ? " leads with token " : " ends token ") + token;
        }
    }

    /**
     * The work of a node.
     *
     * @param steps      how many
     * @param effects    of all of them
     * @param effectsMax of one of them
     */
    public record Work(long steps, long effects, int effectsMax) {}

    private static final long MILLI = VirtualTime.MILLI;
    private static final int LOG_LINES = 40;

    private final long seed;
    private final Keyed keyed;
    private final ElectionAlgorithm algorithm;
    private final VirtualTime time = new VirtualTime();
    private final Watchdog watchdog = new Watchdog();
    private final VirtualNetwork network;
    private final Map<NodeId, VirtualProcess> processes = new LinkedHashMap<>();
    private final List<Change> log = new ArrayList<>();
    private final RunDigest digest = new RunDigest();
    private int numbers;

    /** @param seed decides every delay; printed by every failure */
    public VirtualCluster(long seed, ElectionAlgorithm algorithm) {
        this.seed = seed;
        this.keyed = new Keyed(seed);
        this.algorithm = algorithm;
        this.network = new VirtualNetwork(time, keyed.of("network"), this::arrive);
    }

    private void arrive(Flight flight) {
        VirtualProcess receiver = processes.get(flight.to());
        Runnable turn = () -> receiver.host().receive(flight);
        if (flight.message() instanceof NodeMessage message && message.overtakes()) {
            receiver.handleFirst(turn);
        } else {
            receiver.handle(turn);
        }
    }

    /** A started cluster of voters {@code n1 .. n<count>} with the default times. */
    public static VirtualCluster ofVoters(int count, long seed, ElectionAlgorithm algorithm) {
        VirtualCluster cluster = new VirtualCluster(seed, algorithm);
        List<NodeId> voters = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            voters.add(new NodeId("n" + i));
        }
        voters.forEach(voter -> cluster.add(settings(voter, voters)));
        voters.forEach(cluster::start);
        return cluster;
    }

    /** The default times: heartbeat 200 ms, support 1 s, drift 10 %, delta 20 ms. */
    public static NodeSettings settings(NodeId self, List<NodeId> voters) {
        return new NodeSettings(
                "test",
                self,
                voters,
                new LeaseTiming(200 * MILLI, 1000 * MILLI, 10),
                new Timing(20 * MILLI),
                RankOrder.JOIN_ORDER,
                0,
                false);
    }

    /** The hash that an honest node of a cluster of n1 to n3 with {@linkplain #settings the default times} sends. */
    public long configHash() {
        List<NodeId> voters = List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3"));
        return NodeSettings.configHash(settings(new NodeId("n1"), voters), algorithm.name(), voters);
    }

    /** Adds a process that runs a node of the core, which is not started. */
    public void add(NodeSettings settings) {
        add(settings, algorithm);
    }

    /** The same with this algorithm, which must have the name of all others. */
    void add(NodeSettings settings, ElectionAlgorithm ofNode) {
        VirtualProcess process = addProcess(settings);
        process.host(new NodeHost(process, network, ofNode));
    }

    /** Adds a process that runs the production driver, which is not started. */
    public void addDriver(NodeSettings settings, Optional<VirtualDisk> disk) {
        VirtualProcess process = addProcess(settings);
        process.host(new DriverHost(process, network, algorithm, disk));
    }

    /**
     * Adds a process that runs an algorithm without a lease, which is not started. It leads every path or none.
     *
     * @param onLeadership called when some process without a lease has begun or ceased to lead
     */
    public void addUnleased(NodeSettings settings, Options options, Runnable onLeadership) {
        addUnleased(settings, algorithm, options, onLeadership);
    }

    /** The same with this algorithm, which must have the name of all others. */
    void addUnleased(NodeSettings settings, ElectionAlgorithm ofNode, Options options, Runnable onLeadership) {
        VirtualProcess process = addProcess(settings);
        process.host(new UnleasedHost(process, network, ofNode, options, onLeadership));
    }

    /** Adds a process that runs the production driver, which is not started, for a client. */
    public DriverHost addDriver(NodeSettings settings, Supplier<TermStore> terms) {
        VirtualProcess process = addProcess(settings);
        process.rejoinsByItself = false;
        DriverHost host = new DriverHost(process, network, algorithm, terms);
        process.host(host);
        return host;
    }

    private VirtualProcess addProcess(NodeSettings settings) {
        VirtualProcess process = new VirtualProcess(
                settings, time, watchdog, keyed.of(settings.self().value()), log, digest);
        processes.put(process.id, process);
        network.add(process.id);
        return process;
    }

    public VirtualProcess process(NodeId id) {
        return processes.get(id);
    }

    public VirtualTime time() {
        return time;
    }

    public VirtualNetwork network() {
        return network;
    }

    private NodeHost host(NodeId id) {
        return (NodeHost) process(id).host();
    }

    // ---------------------------------------------------------------- processes

    /** Starts the process, or starts it again after a {@link #crash}. */
    public void start(NodeId id) {
        process(id).start();
    }

    /** The process is gone, with everything in its memory. */
    public void crash(NodeId id) {
        process(id).crash();
    }

    /** SIGSTOP: the process does nothing, its clock goes on, what arrives waits. */
    public void pause(NodeId id) {
        process(id).pause();
    }

    /** SIGCONT: what has waited is handled now. */
    public void resume(NodeId id) {
        process(id).resume();
    }

    /** From now on the clock of the process runs at this rate of real time. */
    public void rate(NodeId id, double rate) {
        process(id).rate(rate);
    }

    public void diskless(NodeId id) {
        host(id).diskless();
    }

    /** The process does not send its contenders back into the queue by itself. */
    public void holdsBack(NodeId id) {
        process(id).rejoinsByItself = false;
    }

    // ---------------------------------------------------------------- network

    public void delays(long minMicros, long maxMicros) {
        network.delays(minMicros, maxMicros);
    }

    /** So many of a hundred messages arrive twice, on links between the processes that are there by now. */
    public void duplicates(int percent) {
        for (NodeId from : processes.keySet()) {
            for (NodeId to : processes.keySet()) {
                if (!from.equals(to)) {
                    network.trouble(from, to, Trouble.DUPLICATION, percent);
                }
            }
        }
    }

    /** Drops what the rule names, until {@link #heal}. */
    public void drop(Predicate<Flight> rule) {
        network.drop(rule);
    }

    /** Has each message seen when it is sent, also one to a node that is not there. */
    public void network(Consumer<Flight> observer) {
        network.observe(observer);
    }

    /** Nothing passes between the two, in either direction. */
    public void cut(NodeId a, NodeId b) {
        drop(f -> f.from().equals(a) && f.to().equals(b) || f.from().equals(b) && f.to().equals(a));
    }

    /** Nothing passes between these and all others. */
    public void isolate(NodeId... group) {
        List<NodeId> inside = List.of(group);
        drop(f -> inside.contains(f.from()) != inside.contains(f.to()));
    }

    public void heal() {
        network.forgetRules();
    }

    void letTokensFall() {
        watchdog.letTokensFall();
    }

    // ---------------------------------------------------------------- contenders

    /** Opens a contender; answers its number. */
    public int contend(NodeId id, String path) {
        int number = ++numbers;
        process(id).contend(number, path);
        return number;
    }

    /** Closes a contender as a latch does: first its tenure ends, then the node is told. */
    public void withdraw(NodeId id, int number) {
        process(id).withdraw(number);
    }

    /** Gives up leadership as a latch does; the contender goes back into the queue by itself. */
    public void resign(NodeId id, int number) {
        process(id).resign(number);
    }

    /** Has the node bring about that these vote. {@link #changes} has the outcome. */
    public void changeVoters(NodeId id, long number, List<NodeId> wanted) {
        Map<NodeId, Optional<HostAndPort>> addresses = new LinkedHashMap<>();
        wanted.forEach(node -> addresses.put(node, Optional.empty()));
        step(id, new NodeEvent.ChangeVoters(++numbers, number, addresses));
    }

    /** The newest voters that any node knows; empty before the first change. */
    Optional<VoterList> newestVoters() {
        return watchdog.newestVoters();
    }

    /** The result of {@link Watchdog#leftOpen}. */
    Optional<PaxosState> leftOpen() {
        return watchdog.leftOpen();
    }

    /** Whether some voter has accepted a list of which nobody knows that it is decided. */
    boolean isAnyListOpen() {
        return watchdog.isAnyListOpen();
    }

    /** The outcomes of the changes of voters that the node was asked for: {@code done}, or why not. */
    public List<String> changes(NodeId id) {
        return List.copyOf(process(id).changes);
    }

    /** The node's directory is lost, and it begins anew with an empty one. Only while it does not run. */
    public void wipe(NodeId id) {
        host(id).wipe();
    }

    /** From now on the node cannot write to its disk, or it can again. */
    public void diskIsFull(NodeId id, boolean full) {
        host(id).diskIsFull(full);
    }

    /** The outcomes of the transfers that the node was asked for. */
    public List<String> transfers(NodeId id) {
        return List.copyOf(process(id).transfers);
    }

    public void step(NodeId id, NodeEvent event) {
        process(id).handle(() -> host(id).step(event));
    }

    /** A message from nowhere, or again. */
    public void inject(NodeId from, long incarnation, NodeId to, NodeMessage message) {
        if (Wire.carries(message)) {
            step(to, new NodeEvent.Received(from, incarnation, message));
        }
    }

    // ---------------------------------------------------------------- time

    /** Lets so much time pass. */
    public void advance(long millis) {
        try {
            time.advanceTo(time.now() + millis * MILLI);
        } catch (BrokenRule e) {
            throw new AssertionError(e.getMessage() + "\n" + describe(), e);
        }
    }

    /**
     * Lets time pass until the condition holds.
     *
     * @return how many milliseconds that took
     * @throws AssertionError if it does not hold within {@code limitMillis}
     */
    public long await(String what, long limitMillis, BooleanSupplier condition) {
        long begin = time.now();
        while (!condition.getAsBoolean()) {
            if (time.now() - begin > limitMillis * MILLI) {
                throw new AssertionError("not within " + limitMillis + " ms: " + what + "\n" + describe());
            }
            advance(1);
        }
        return (time.now() - begin) / MILLI;
    }

    public long nowMillis() {
        return time.nowMillis();
    }

    // ---------------------------------------------------------------- what is seen

    /**
     * The nodes that hold a valid tenure of the path at this moment, or take themselves for its leader without a lease;
     * a paused one counts, it cannot know better.
     */
    public List<NodeId> leaders(String path) {
        Set<NodeId> leaders = new TreeSet<>();
        watchdog.leaders(path).forEach(process -> leaders.add(process.id));
        for (VirtualProcess process : processes.values()) {
            if (process.isRunning() && process.host().leadsUnleased()) {
                leaders.add(process.id);
            }
        }
        return List.copyOf(leaders);
    }

    public Optional<NodeId> leader(String path) {
        return leaders(path).stream().findFirst();
    }

    public Optional<Tenure> tenure(NodeId id, int number) {
        return Optional.ofNullable(process(id).tenures.get(number));
    }

    /** The token of the valid tenure of the path. */
    public long token(String path) {
        NodeId leader = leader(path).orElseThrow(() -> new AssertionError("no leader: " + describe()));
        return process(leader).tenures.values().stream()
                .filter(tenure -> tenure.path().equals(path) && tenure.remainingNanos(clock(leader)) > 0)
                .mapToLong(Tenure::token)
                .findFirst()
                .orElseThrow();
    }

    public Node node(NodeId id) {
        return host(id).node();
    }

    /** The work of the core's node since the last call, over all its lives. */
    public Work takeWork(NodeId id) {
        return host(id).takeWork();
    }

    public Optional<PathView> view(NodeId id, String path) {
        return node(id).view(path);
    }

    /** Which life of the node runs, or ran last; 0 for a node that is not of this cluster, or was never started. */
    public long incarnation(NodeId id) {
        VirtualProcess process = processes.get(id);
        return process == null ? 0 : process.host().incarnation();
    }

    /** The message arrives now, from wherever it says. */
    public void deliver(Flight flight) {
        arrive(flight);
    }

    public long seed() {
        return seed;
    }

    public Optional<RuntimeException> failure(NodeId id) {
        return process(id).failure;
    }

    public List<Connection> connections(NodeId id) {
        return List.copyOf(process(id).connections);
    }

    /** The clock of the process, as its application reads it. */
    public Clock clock(NodeId id) {
        return process(id).clock;
    }

    public List<Change> log() {
        return List.copyOf(log);
    }

    /** The events and log lines of the nodes, as one number. */
    long digest() {
        return digest.value();
    }

    /** How many messages of each kind were sent. */
    public Map<String, Integer> messages() {
        return network.counts();
    }

    public void forgetMessages() {
        network.forgetCounts();
    }

    /** How many events are to come, in processes, timers and on the network. */
    public int load() {
        return time.pending()
                + processes.values().stream()
                        .mapToInt(p -> p.host().load() + p.waiting())
                        .sum();
    }

    public String describe() {
        StringBuilder text = new StringBuilder("seed=" + seed + ", at " + nowMillis() + " ms\n");
        processes.values().forEach(process -> text.append(process.host().describe())
                .append('\n'));
        log.stream().skip(Math.max(0, log.size() - LOG_LINES)).forEach(change -> text.append(change)
                .append('\n'));
        return text.toString();
    }
}
