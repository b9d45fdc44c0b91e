package io.quorate.testkit.simulation;

import io.quorate.core.settings.NodeSettings;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A simulated cluster and everything that happens to it. The same scenario always runs alike; {@link #toString} and
 * {@link #parse} turn it into text that can be kept, and back.
 *
 * @param seed   decides delays and what else is random
 * @param setup  the cluster
 * @param faults what happens, contenders included
 */
public record Scenario(long seed, Setup setup, List<Fault> faults) {

    /** How long faults may last, in milliseconds; a scenario may end earlier. */
    public static final long FAULTS_END = 11_000;

    /** So many paths change hands in one heartbeat period at least, under preempt: ADR-0081. */
    private static final long PREEMPTED_PER_PERIOD = 16;

    /**
     * A cluster.
     *
     * @param voters         the voters {@code n1, n2, ...}
     * @param observers      nodes {@code o1, o2, ...} that contend but do not vote
     * @param isDurable      whether voters keep their terms on disk
     * @param heartbeat      period, in milliseconds
     * @param support        how long a voter's support lasts, in milliseconds
     * @param driftPercent   what clocks may differ
     * @param delayMaxMicros the longest delay of an undisturbed message
     */
    public record Setup(
            int voters,
            int observers,
            boolean isDurable,
            RankOrder rankOrder,
            boolean preempt,
            int heartbeat,
            int support,
            int driftPercent,
            int delayMaxMicros) {

        /** Three voters with the default times, and nothing special. */
        public static final Setup DEFAULT = new Setup(3, 0, true, RankOrder.JOIN_ORDER, false, 200, 1000, 10, 1000);

        private static final int NODES_MAX = 9;

        public Setup {
            Check.argument(1 <= voters && voters <= NODES_MAX, "voters %d: must be from 1 to %d", voters, NODES_MAX);
            Check.argument(
                    0 <= observers && observers <= NODES_MAX,
                    "observers %d: must be from 0 to %d",
                    observers,
                    NODES_MAX);
            Check.argument(
                    delayMaxMicros >= Simulation.DELAY_MIN_MICROS,
                    "delay-max-micros %d: must be at least %d",
                    delayMaxMicros,
                    Simulation.DELAY_MIN_MICROS);
        }

        /** The same with another number of voters. */
        public Setup withVoters(int count) {
            return new Setup(
                    count, observers, isDurable, rankOrder, preempt, heartbeat, support, driftPercent, delayMaxMicros);
        }

        /** The same with another number of nodes that do not vote at first. */
        Setup withObservers(int count) {
            return new Setup(
                    voters, count, isDurable, rankOrder, preempt, heartbeat, support, driftPercent, delayMaxMicros);
        }

        Setup withoutDisks() {
            return new Setup(
                    voters, observers, false, rankOrder, preempt, heartbeat, support, driftPercent, delayMaxMicros);
        }

        /** The voters, from {@code n1} on. */
        public List<NodeId> votingNodes() {
            List<NodeId> nodes = new ArrayList<>();
            for (int i = 1; i <= voters; i++) {
                nodes.add(new NodeId("n" + i));
            }
            return nodes;
        }

        /** All of them: voters, then observers. */
        public List<NodeId> nodes() {
            List<NodeId> nodes = votingNodes();
            for (int i = 1; i <= observers; i++) {
                nodes.add(new NodeId("o" + i));
            }
            return nodes;
        }

        NodeSettings settings(NodeId self) {
            long milli = VirtualTime.MILLI;
            return new NodeSettings(
                    "simulation",
                    self,
                    votingNodes(),
                    new LeaseTiming(heartbeat * milli, support * milli, driftPercent),
                    new Timing(20 * milli),
                    rankOrder,
                    priority(self),
                    preempt);
        }

        /** The weight of a node under {@link RankOrder#PRIORITY}; some are equal. */
        public static int priority(NodeId node) {
            return node.value().charAt(1) % 3;
        }
    }

    public Scenario {
        faults = List.copyOf(faults);
    }

    Scenario withFaults(List<Fault> other) {
        return new Scenario(seed, setup, other);
    }

    Scenario withSetup(Setup other) {
        return new Scenario(seed, other, faults);
    }

    Scenario without(Fault.Kind kind) {
        return withFaults(faults.stream().filter(fault -> fault.kind() != kind).toList());
    }

    /** The same, but every fault comes so many milliseconds later; contenders come as before. */
    public Scenario later(long millis) {
        return withFaults(faults.stream()
                .map(fault -> fault.isContender() ? fault : fault.during(fault.at() + millis, fault.until() + millis))
                .toList());
    }

    /** When the last change is over, in milliseconds: a latch that is closed too. Permanent changes do not count. */
    long quietFrom() {
        return faults.stream()
                .filter(fault -> !fault.isForEver())
                .mapToLong(Fault::until)
                .max()
                .orElse(0);
    }

    /** Whether nothing happens that could cost a leader its leadership: but for contenders, changes of voters alone. */
    boolean isUndisturbed() {
        return !setup.preempt()
                && faults.stream().allMatch(fault -> switch (fault.kind()) {
                    case CHANGE, CLOCK -> true;
                    case CONTEND -> fault.isForEver();
                    // It starts late, before which it leads nowhere.
                    case CRASH -> fault.at() == 0;
                    default -> false;
                });
    }

    /** Whether links stay cut. Then nodes hear different voters, and need not see all contenders. */
    boolean hasDeadLinks() {
        return faults.stream().anyMatch(fault -> fault.kind() == Fault.Kind.CUT && fault.isForEver());
    }

    /** How long leaders may take to leave, in milliseconds: 0 if they leave at once. */
    long drainMillis() {
        return faults.stream()
                .filter(fault -> fault.kind() == Fault.Kind.DRAIN)
                .mapToLong(Fault::amount)
                .max()
                .orElse(0);
    }

    /** How many paths somebody contends on at some time. */
    long paths() {
        Map<String, Long> counts = new TreeMap<>();
        for (Fault fault : faults) {
            if (fault.isContender()) {
                String path = fault.where().substring(fault.where().indexOf('/'));
                counts.merge(path, Math.max(1, fault.amount()), Math::max);
            }
        }
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The fixed time of a step of the slowest node, and of each of its effects, in microseconds. */
    private long workMicros() {
        return setup.nodes().stream()
                .mapToLong(node -> faults.stream()
                        .filter(fault -> fault.kind() == Fault.Kind.WORK && fault.isForEver())
                        .filter(fault -> fault.where().equals(node.value()))
                        .mapToLong(Fault::amount)
                        .sum())
                .max()
                .orElse(0);
    }

    /**
     * How long after the last fault each contended path has a leader, in milliseconds: some lease durations, and as
     * much as its nodes need to work for that on each path.
     */
    long settlingMillis() {
        long leases = (long) Simulation.BOUND_IN_LEASES * setup.support();
        long micros = workMicros();
        if (micros == 0) {
            return leases;
        }
        // A better-ranked contender takes over when it has been up for two support times, not everywhere at once.
        long preemption =
                setup.preempt() ? 2L * setup.support() + paths() * setup.heartbeat() / PREEMPTED_PER_PERIOD : 0;
        return leases + preemption + paths() * setup.nodes().size() * micros * Simulation.WORK_PER_PATH_AND_NODE / 1000;
    }

    /**
     * Reads what {@link #toString} writes. Empty lines and those that begin with {@code #} say nothing.
     *
     * @throws IllegalArgumentException if it is no scenario; says which line, and why
     */
    public static Scenario parse(String text) {
        Map<String, String> values = new TreeMap<>();
        List<Fault> faults = new ArrayList<>();
        for (String line : text.lines()
                .map(String::trim)
                .filter(l -> !l.isEmpty() && !l.startsWith("#"))
                .toList()) {
            if (line.startsWith("at ")) {
                faults.add(Fault.parse(line));
            } else {
                String[] words = line.split("\\s+", 2);
                Check.argument(words.length == 2, "line '%s': must be a name and a value, or a fault", line);
                String before = values.put(words[0], words[1]);
                Check.argument(before == null, "line '%s': '%s' must not be there twice", line, words[0]);
            }
        }
        Setup setup = new Setup(
                number(values, "voters"),
                number(values, "observers"),
                oneOf(List.of(false, true), values, "durable"),
                oneOf(List.of(RankOrder.values()), values, "rank"),
                oneOf(List.of(false, true), values, "preempt"),
                number(values, "heartbeat"),
                number(values, "support"),
                number(values, "drift"),
                number(values, "delay-max-micros"));
        long seed = longNumber(values, "seed");
        Check.argument(values.isEmpty(), "scenario with %s: nothing of that name", values.keySet());
        return new Scenario(seed, setup, faults);
    }

    private static String value(Map<String, String> values, String name) {
        String value = values.remove(name);
        Check.argument(value != null, "scenario without '%s'", name);
        return value;
    }

    private static <T> T oneOf(List<T> choice, Map<String, String> values, String name) {
        String value = value(values, name);
        return choice.stream()
                .filter(one -> one.toString().equals(value))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("'" + name + " " + value + "': must be one of " + choice));
    }

    private static int number(Map<String, String> values, String name) {
        long value = longNumber(values, name);
        Check.argument(Math.abs(value) <= Integer.MAX_VALUE, "'%s %d': must be a small number", name, value);
        return (int) value;
    }

    private static long longNumber(Map<String, String> values, String name) {
        String value = value(values, name);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + name + " " + value + "': must be a whole number", e);
        }
    }

    @Override
    public String toString() {
        return "seed " + seed
                + "\nvoters " + setup.voters
                + "\nobservers " + setup.observers
                + "\ndurable " + setup.isDurable
                + "\nrank " + setup.rankOrder
                + "\npreempt " + setup.preempt
                + "\nheartbeat " + setup.heartbeat
                + "\nsupport " + setup.support
                + "\ndrift " + setup.driftPercent
                + "\ndelay-max-micros " + setup.delayMaxMicros + "\n"
                + faults.stream().map(fault -> fault + "\n").collect(Collectors.joining());
    }
}
