package io.quorate.testkit.simulation;

import io.quorate.core.settings.NodeSettings;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.PathView;
import io.quorate.engine.Tenure;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.testkit.model.LocalStates;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.simulation.BrokenRule.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs a {@link Scenario} in virtual time, around the very objects that run in production, and checks every
 * {@link BrokenRule.Rule rule} all along and at the end.
 */
public final class Simulation implements AutoCloseable {

    /** How much of what runs in production is simulated. */
    public enum Depth {
        /** The node: messages travel as objects, and the disk is two numbers. Some hundred runs per second. */
        NODE,
        /** The driver around it too: messages travel in frames, and terms are in files. */
        DRIVER
    }

    /** After the last fault, a contended path has a leader within so many lease durations, if work takes no time. */
    public static final int BOUND_IN_LEASES = 4;

    /**
     * If work takes time, later by so many times the time of one step or effect, for each path that is contended and
     * each node: each may contend, and asks all voters. The slowest of 400 scenarios with each algorithm needed 36 of
     * them.
     */
    static final int WORK_PER_PATH_AND_NODE = 40;

    static final int DELAY_MIN_MICROS = 200;

    /** A leader on standby makes way within so many lease durations more: its successor has to be up for two. */
    private static final int STANDBY_IN_LEASES = 4;

    /** For how long the leader is watched after that, in milliseconds. */
    private static final long STAYS_MILLIS = 2000;

    /** More timers, waiting events and messages than this mean that something grows without end. */
    private static final int LOAD_PER_NODE_MAX = 4000;

    /** And more than so many for each path of a node. */
    private static final int LOAD_PER_PATH_MAX = 60;

    private static final long LOAD_CHECK_MILLIS = 500;

    /**
     * A change is asked for so often in the end, and may take so long: up to nine voters come and go, one after the
     * other.
     */
    private static final int CHANGES_MAX = 8;

    private static final long CHANGE_MILLIS_MAX = 60_000;
    private static final long CHANGE_PAUSE_MILLIS = 5_000;

    /**
     * Within this time a voter takes in hand what is left open, and has the time of one step for it; perhaps not the
     * first.
     */
    private static final long LEFT_OPEN_MILLIS_MAX = 30_000;

    private final Scenario scenario;
    private final Depth depth;
    private final VirtualCluster cluster;
    private final Injector injector;
    private final Deque<AutoCloseable> closing = new ArrayDeque<>();

    /**
     * The findings.
     *
     * @param tenures  how many began, on all paths
     * @param messages how many were sent, by kind
     * @param log      each beginning and end of a tenure
     * @param digest   what the contenders went through and the nodes logged, as one number
     */
    public record Outcome(int tenures, Map<String, Integer> messages, List<VirtualCluster.Change> log, long digest) {

        /** Equal for equal runs, on every JVM, and hardly ever for others. */
        public long fingerprint() {
            long hash = LocalStates.mix(digest ^ messages.toString().hashCode());
            for (VirtualCluster.Change change : log) {
                hash = LocalStates.mix(hash ^ change.toString().hashCode());
            }
            return hash;
        }
    }

    private Simulation(Scenario scenario, Mixture mixture, Depth depth) {
        this.scenario = scenario;
        this.depth = depth;
        this.cluster = new VirtualCluster(scenario.seed(), mixture.algorithm(0));
        List<NodeId> nodes = scenario.setup().nodes();
        if (depth == Depth.NODE) {
            nodes.forEach(this::addNode);
        } else {
            Path directory = temporaryDirectory();
            closing.push(() -> Files.delete(directory));
            nodes.forEach(node -> addDriver(node, directory));
        }
        cluster.delays(DELAY_MIN_MICROS, scenario.setup().delayMaxMicros());
        injector = new Injector(cluster, nodes, mixture);
        boolean areClocksSet = scenario.faults().stream().anyMatch(fault -> fault.kind() == Fault.Kind.WALL);
        if (areClocksSet && !scenario.setup().isDurable()) {
            cluster.letTokensFall();
        }
    }

    private void addNode(NodeId node) {
        cluster.add(scenario.setup().settings(node));
        if (!scenario.setup().isDurable()) {
            cluster.diskless(node);
        }
    }

    private void addDriver(NodeId node, Path directory) {
        NodeSettings settings = scenario.setup().settings(node);
        Optional<VirtualDisk> disk = Optional.empty();
        if (scenario.setup().isDurable()) {
            VirtualDisk own = new VirtualDisk(directory, node, settings.clusterId());
            closing.push(own);
            disk = Optional.of(own);
        }
        cluster.addDriver(settings, disk);
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("quorate-simulation");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes what is on disk. */
    @Override
    public void close() {
        try {
            for (AutoCloseable last = closing.poll(); last != null; last = closing.poll()) {
                last.close();
            }
        } catch (Exception e) {
            throw new IllegalStateException("a directory of the simulation cannot be removed", e);
        }
    }

    /**
     * Runs it.
     *
     * @throws BrokenRule if a rule was broken
     */
    public static Outcome run(Scenario scenario, ElectionAlgorithm algorithm, Depth depth) {
        return run(scenario, new Mixture(List.of(algorithm)), depth);
    }

    /** The same with nodes that may change what they are configured with; at first all have the first algorithm. */
    static Outcome run(Scenario scenario, Mixture mixture, Depth depth) {
        try (Simulation simulation = new Simulation(scenario, mixture, depth)) {
            return simulation.run();
        }
    }

    /** Runs it; empty if no rule was broken. */
    static Optional<BrokenRule> broken(Scenario scenario, ElectionAlgorithm algorithm, Depth depth) {
        return broken(scenario, new Mixture(List.of(algorithm)), depth);
    }

    /** The same with nodes that may change what they are configured with. */
    static Optional<BrokenRule> broken(Scenario scenario, Mixture mixture, Depth depth) {
        try {
            run(scenario, mixture, depth);
            return Optional.empty();
        } catch (BrokenRule e) {
            return Optional.of(e);
        }
    }

    /** Describes a cluster at the end of a scenario, whether a rule was broken or not; for debugging. */
    static String describe(Scenario scenario, Mixture mixture, Depth depth) {
        try (Simulation simulation = new Simulation(scenario, mixture, depth)) {
            return simulation.describe();
        }
    }

    /** The recording of a scenario until its end, or until a rule is broken. */
    static Recording record(Scenario scenario, Mixture mixture, Depth depth, String title) {
        try (Simulation simulation = new Simulation(scenario, mixture, depth)) {
            Recorder recorder =
                    new Recorder(simulation.cluster, scenario.setup().nodes(), Storm.FIRST_PATH);
            scenario.faults().stream()
                    .filter(fault -> !fault.isContender() && !fault.isOfProcess())
                    .forEach(fault -> simulation
                            .cluster
                            .time()
                            .at(fault.at() * VirtualTime.MILLI, () -> recorder.mark(fault.toString())));
            try {
                simulation.run();
            } catch (BrokenRule e) {
                recorder.mark("RULE BROKEN: " + e.getMessage());
            }
            return recorder.recording(title, "");
        }
    }

    private String describe() {
        try {
            run();
            return cluster.describe();
        } catch (BrokenRule e) {
            return e.getMessage() + "\n" + cluster.describe();
        }
    }

    private Outcome run() {
        scenario.setup().nodes().forEach(node -> injector.start(cluster.process(node)));
        scenario.faults().forEach(injector::schedule);
        advanceTo(scenario.quietFrom());
        advanceTo(scenario.quietFrom() + scenario.settlingMillis() + scenario.drainMillis());
        checkLeaving();
        if (scenario.faults().stream().anyMatch(fault -> fault.kind() == Fault.Kind.CHANGE)) {
            checkLeftOpen();
            checkVoters();
        }
        if (scenario.setup().nodes().stream().anyMatch(injector::isOnStandby)) {
            advanceTo(cluster.nowMillis()
                    + (long) STANDBY_IN_LEASES * scenario.setup().support()
                    + scenario.drainMillis());
            checkLeaving();
            injector.contended().forEach(this::checkEligible);
        }
        List<NodeId> leaders =
                injector.contended().stream().map(this::onlyLeader).toList();
        scenario.setup().nodes().stream()
                .filter(node -> cluster.process(node).isRunning())
                .forEach(this::checkViews);
        advanceTo(cluster.nowMillis() + STAYS_MILLIS);
        if (!scenario.setup().preempt()
                && !leaders.equals(
                        injector.contended().stream().map(this::onlyLeader).toList())) {
            throw new BrokenRule(
                    Rule.LEADER_STAYS,
                    leaders + " led the paths " + injector.contended() + " in the quiet, and do no longer");
        }
        Outcome outcome = outcome();
        if (scenario.isUndisturbed() && outcome.tenures() != leaders.size()) {
            throw new BrokenRule(
                    Rule.LEADER_STAYS,
                    "nothing happened but changes of voters, and these were the tenures: " + outcome.log());
        }
        return outcome;
    }

    private Outcome outcome() {
        return new Outcome(
                (int) cluster.log().stream()
                        .filter(VirtualCluster.Change::isGranted)
                        .count(),
                cluster.messages(),
                cluster.log(),
                cluster.digest());
    }

    /**
     * A list that a majority has accepted comes into force even if nobody asks for it again and its coordinator is
     * gone.
     */
    private void checkLeftOpen() {
        long end = cluster.nowMillis() + LEFT_OPEN_MILLIS_MAX;
        while (cluster.leftOpen().filter(this::canEnd).isPresent() && cluster.nowMillis() < end) {
            advanceTo(cluster.nowMillis() + LOAD_CHECK_MILLIS);
        }
        cluster.leftOpen().filter(this::canEnd).ifPresent(paxos -> {
            throw new BrokenRule(Rule.VOTERS_IN_THE_END, "a majority has accepted " + paxos + ", and nobody ends that");
        });
    }

    /** Whether majorities of those who decide, and of those who are to vote then, are there with their directories. */
    private boolean canEnd(PaxosState paxos) {
        return isMajorityThere(paxos.config())
                && isMajorityThere(paxos.accepted().orElseThrow().value());
    }

    private boolean isMajorityThere(VoterList voters) {
        return voters.isMajority((int) voters.members().stream()
                .filter(member -> cluster.process(member.id()).isRunning())
                .filter(member -> voters.names(
                        member.id(), cluster.process(member.id()).host().store()))
                .count());
    }

    /**
     * A request for one voter more, or less, succeeds in the end, however the earlier ones have ended; and all nodes
     * know.
     */
    private void checkVoters() {
        // A node that does not vote is not heard in this.
        List<NodeId> running = scenario.setup().nodes().stream()
                .filter(node -> cluster.process(node).isRunning())
                .filter(node -> cluster.newestVoters()
                        .map(voters -> voters.ids().contains(node))
                        .orElse(true))
                .toList();
        // An earlier change may come first: an old value of a node that is gone, or another operator's change.
        for (int attempt = 0; attempt < CHANGES_MAX; attempt++) {
            // A node that has lost its disk is ignored here.
            NodeId asked = running.get(attempt % running.size());
            List<NodeId> wanted = otherVoters();
            if (isDone(asked, wanted)) {
                advanceTo(cluster.nowMillis() + scenario.settlingMillis());
                if (scenario.setup().nodes().stream().allMatch(node -> knows(node, wanted))) {
                    return;
                }
            }
            // Another change may be under way at this node.
            advanceTo(cluster.nowMillis() + CHANGE_PAUSE_MILLIS);
        }
        throw new BrokenRule(
                Rule.VOTERS_IN_THE_END,
                "other voters were asked for: "
                        + running.stream().map(cluster::changes).toList());
    }

    private boolean isDone(NodeId asked, List<NodeId> wanted) {
        int before = cluster.changes(asked).size();
        cluster.process(asked).changeVoters(wanted);
        long end = cluster.nowMillis() + CHANGE_MILLIS_MAX;
        while (cluster.changes(asked).size() == before && cluster.nowMillis() < end) {
            advanceTo(cluster.nowMillis() + LOAD_CHECK_MILLIS);
        }
        return cluster.changes(asked).size() > before
                && cluster.changes(asked).get(before).equals("done");
    }

    private List<NodeId> otherVoters() {
        List<NodeId> present = cluster.newestVoters()
                .map(VoterList::ids)
                .orElse(scenario.setup().votingNodes());
        if (present.size() > 2) {
            return present.subList(1, present.size());
        }
        List<NodeId> more = new ArrayList<>(present);
        scenario.setup().nodes().stream()
                .filter(node -> !present.contains(node))
                .findFirst()
                .ifPresent(more::add);
        return more;
    }

    private boolean knows(NodeId node, List<NodeId> wanted) {
        VoterList known = cluster.process(node).host().voters();
        return !cluster.process(node).isRunning()
                || known.ids().equals(wanted.stream().sorted().toList()) && isNewest(known);
    }

    private boolean isNewest(VoterList known) {
        return cluster.newestVoters().map(VoterList::number).orElse(1L) == known.number();
    }

    private void advanceTo(long millis) {
        while (cluster.nowMillis() < millis) {
            long step = Math.min(LOAD_CHECK_MILLIS, millis - cluster.nowMillis());
            cluster.time().advanceTo(cluster.time().now() + step * VirtualTime.MILLI);
            checkLoad();
        }
    }

    private void checkLoad() {
        int load = cluster.load();
        long bound = scenario.setup().nodes().size() * (LOAD_PER_NODE_MAX + LOAD_PER_PATH_MAX * scenario.paths());
        if (load > bound) {
            throw new BrokenRule(Rule.BOUNDED, load + " timers, events and messages, expected at most " + bound);
        }
        for (NodeId node : scenario.setup().nodes()) {
            cluster.failure(node).ifPresent(failure -> {
                throw new BrokenRule(Rule.NO_FAILURE, node + ": " + failure.getMessage());
            });
        }
    }

    private void checkViews(NodeId node) {
        for (String path : injector.interests(node)) {
            Optional<PathView> view = cluster.process(node).host().view(path);
            if (depth == Depth.DRIVER && view.isEmpty()) {
                continue;
            }
            List<NodeId> contenders = injector.contenders(path);
            List<NodeId> seen = view.map(v -> v.contenders().stream()
                            .map(PathView.Entry::node)
                            .sorted()
                            .toList())
                    .orElse(List.of());
            Optional<NodeId> leader = view.flatMap(PathView::leader).map(PathView.Entry::node);
            // Behind a dead link a node may miss a contender or the leader, and sees none that are not there.
            boolean agrees = scenario.hasDeadLinks()
                    ? contenders.containsAll(seen) && (leader.isEmpty() || leader.equals(cluster.leader(path)))
                    : view.isPresent()
                            && seen.equals(contenders.stream().sorted().toList())
                            && leader.equals(cluster.leader(path));
            if (!agrees) {
                throw new BrokenRule(
                        Rule.VIEWS_AGREE,
                        node + " sees " + seen + " led by " + leader + " on " + path + ", where " + contenders
                                + " contend and " + cluster.leader(path) + " leads");
            }
        }
    }

    private void checkLeaving() {
        for (NodeId node : scenario.setup().nodes()) {
            List<Tenure> late = cluster.process(node).lateToLeave(scenario.settlingMillis() * VirtualTime.MILLI);
            if (!late.isEmpty()) {
                throw new BrokenRule(
                        Rule.LEAVES_IN_TIME,
                        node + " still leads " + late + " at " + cluster.nowMillis()
                                + " ms, although the work of these is finished");
            }
        }
    }

    private void checkEligible(String path) {
        List<NodeId> contenders = injector.contenders(path);
        NodeId leader = onlyLeader(path);
        if (injector.isOnStandby(leader) && !contenders.stream().allMatch(injector::isOnStandby)) {
            throw new BrokenRule(
                    Rule.ELIGIBLE_LEADS,
                    path + " is led by " + leader + ", which is on standby, and not all of " + contenders + " are");
        }
    }

    private NodeId onlyLeader(String path) {
        List<NodeId> leaders = cluster.leaders(path);
        if (leaders.size() != 1) {
            throw new BrokenRule(
                    Rule.LEADER_IN_THE_END,
                    path + " is led by " + leaders + " at " + cluster.nowMillis()
                            + " ms, and the last fault was over at " + scenario.quietFrom() + " ms");
        }
        return leaders.get(0);
    }
}
