package io.quorate.compare;

import java.util.Optional;

/** What is measured. Less is better for each. */
enum Metric {
    COLD_START("cold start of all processes to the first leader", "s", Goal.median(0.4)),
    START("start() to isLeader on a connected client", "ms", Goal.median(0.3)),
    FIRST_HAND_OVER("close() of the leader to the next isLeader, the first of these JVMs", "ms", Goal.median(0.5)),
    HAND_OVER("close() of the leader to the next isLeader", "ms", new Goal(0.3, 0.5, Double.NaN, 0)),
    // At the latest after the detection time, a heartbeat of 15 % of that, and 50 ms.
    CRASH("SIGKILL of the leader to the next isLeader", "ms", new Goal(0.8, Double.NaN, 50, 1.15)),
    VOTER_CRASH("leadership interrupted by the crash of a server or voter", "ms", Goal.most(0)),
    PAUSE_ANSWERS("true answers after SIGCONT", "", Goal.most(0)),
    PAUSE_STALE("SIGCONT to the first false answer", "ms", Goal.NONE),
    CUT_NO("leader cut off: until its first false answer", "ms", Goal.NONE),
    CUT_NEXT("leader cut off: until the next isLeader", "ms", Goal.median(1)),
    CUT_OVERLAP("leader cut off: two answer that they lead", "ms", Goal.most(0)),
    CUT_HEALED("leader cut off: until all contend again once healed", "ms", Goal.NONE),
    MUTE_NO("nothing from the leader arrives: until its first false answer", "ms", Goal.NONE),
    MUTE_NEXT("nothing from the leader arrives: until the next isLeader", "ms", Goal.median(1)),
    MUTE_OVERLAP("nothing from the leader arrives: two answer that they lead", "ms", Goal.most(0)),
    MUTE_HEALED("nothing from the leader arrives: until all contend again once healed", "ms", Goal.NONE),
    DEAF_NO("nothing arrives at the leader: until its first false answer", "ms", Goal.NONE),
    DEAF_NEXT("nothing arrives at the leader: until the next isLeader", "ms", Goal.median(1)),
    DEAF_OVERLAP("nothing arrives at the leader: two answer that they lead", "ms", Goal.most(0)),
    DEAF_HEALED("nothing arrives at the leader: until all contend again once healed", "ms", Goal.NONE),
    NOT_REJOINED("faults after which some latch contends no more, 1 or 0", "", Goal.most(0)),
    LOST_IDLE("losses of leadership per hour, idle", "1/h", Goal.median(1)),
    LOST_LOADED("losses of leadership per hour, under CPU load", "1/h", Goal.median(1)),
    ALL_LED("latches started until all are led", "s", Goal.median(0.1)),
    NOT_CONTENDED("many latches started of which some do not contend in time, 1 or 0", "", Goal.most(0)),
    LOST_MANY("losses of leadership in all while many latches are idle", "", Goal.most(0)),
    LEASES_LOST("LOST on all nodes while many latches start and change hands", "", Goal.most(0)),
    CLOSED_MANY("close() of all latches of their leader until all are led again", "s", Goal.NONE),
    // One second after the detection time.
    TAKEN_OVER(
            "SIGKILL of the leader of all latches until all are led again",
            "s",
            new Goal(Double.NaN, Double.NaN, 1, 0.001)),
    HAS_LEADERSHIP("hasLeadership(), per call", "ns", Goal.most(200)),
    GET_LEADER("getLeader(), per call", "us", Goal.median(0.1)),
    GET_PARTICIPANTS("getParticipants(), per call", "us", Goal.median(0.1)),
    IDLE_CPU("CPU per node, idle, with its share of the servers", "ms/s", Goal.median(1)),
    IDLE_WAKES("wake-ups per node, idle, with its share of the servers", "1/s", Goal.NONE),
    IDLE_BYTES("bytes on the wire, idle, all processes", "B/s", Goal.median(1.5)),
    /** Says how exact the bytes are, and is not compared. */
    OTHER_BYTES("bytes on the wire while nothing of this runs", "B/s", Goal.NONE),
    HEAP_LEADER("heap per latch that leads", "B", Goal.most(1500)),
    HEAP_WAITER("heap per latch that waits", "B", Goal.most(1500)),
    THREADS("threads of a node", "", Goal.NONE),
    GROWTH_ALL_LED("growth exponent of the time until all started latches are led", "", Goal.EXPONENT),
    GROWTH_CLOSED("growth exponent of the time from the close() of all until all are led again", "", Goal.EXPONENT),
    GROWTH_TAKEN_OVER("growth exponent of the time from SIGKILL until all are led again", "", Goal.EXPONENT),
    GROWTH_HEAP("growth exponent of the heap of all latches that lead", "", Goal.EXPONENT),
    CONTAINER_20_LED("0.2 cores per process: start of all until all latches are led", "s", Goal.NONE),
    CONTAINER_20_LOSSES_BEFORE("0.2 cores per process: losses of leadership before all are led", "", Goal.most(0)),
    CONTAINER_20_SUSPENDED_BEFORE("0.2 cores per process: SUSPENDED before all are led", "", Goal.NONE),
    CONTAINER_20_LOST_BEFORE("0.2 cores per process: LOST before all are led", "", Goal.most(0)),
    CONTAINER_20_LOSSES_AFTER("0.2 cores per process: losses of leadership once all are led", "", Goal.most(0)),
    CONTAINER_20_SUSPENDED_AFTER("0.2 cores per process: SUSPENDED once all are led", "", Goal.NONE),
    CONTAINER_20_LOST_AFTER("0.2 cores per process: LOST once all are led", "", Goal.most(0)),
    CONTAINER_10_LED("0.1 cores per process: start of all until all latches are led", "s", Goal.NONE),
    CONTAINER_10_LOSSES_BEFORE("0.1 cores per process: losses of leadership before all are led", "", Goal.NONE),
    CONTAINER_10_SUSPENDED_BEFORE("0.1 cores per process: SUSPENDED before all are led", "", Goal.NONE),
    CONTAINER_10_LOST_BEFORE("0.1 cores per process: LOST before all are led", "", Goal.NONE),
    CONTAINER_10_LOSSES_AFTER("0.1 cores per process: losses of leadership once all are led", "", Goal.NONE),
    CONTAINER_10_SUSPENDED_AFTER("0.1 cores per process: SUSPENDED once all are led", "", Goal.NONE),
    CONTAINER_10_LOST_AFTER("0.1 cores per process: LOST once all are led", "", Goal.most(0)),
    CONTENDER_CPU("CPU per node that does not vote, idle, with its share of the voters", "ms/s", Goal.NONE),
    CONTENDER_BYTES("bytes on the wire per node that does not vote, idle", "B/s", Goal.NONE),
    CONTENDER_SOCKETS("sockets per node that does not vote, at both ends", "", Goal.NONE);

    /**
     * What Quorate is to reach.
     *
     * @param median       its median, as a part of Curator's; NaN for no goal
     * @param p99          its 99th percentile, as a part of Curator's; NaN for no goal
     * @param most         its greatest value; NaN for no goal
     * @param perDetection how much greater that may be per millisecond of the detection time
     */
    record Goal(double median, double p99, double most, double perDetection) {
        static final Goal NONE = new Goal(Double.NaN, Double.NaN, Double.NaN, 0);
        /** Linear, and a tenth for what a measurement cannot tell from it. */
        static final Goal EXPONENT = most(1.1);

        static Goal median(double ratio) {
            return new Goal(ratio, Double.NaN, Double.NaN, 0);
        }

        static Goal most(double value) {
            return new Goal(Double.NaN, Double.NaN, value, 0);
        }

        private Goal at(int detectionMillis) {
            return new Goal(median, p99, most + perDetection * detectionMillis, 0);
        }
    }

    private final String description;
    private final String unit;
    private final Goal goal;

    Metric(String description, String unit, Goal goal) {
        this.description = description;
        this.unit = unit;
        this.goal = goal;
    }

    String description() {
        return description;
    }

    /** With what was varied. */
    String name(int scale) {
        if (name().startsWith("GROWTH")) {
            return description + " (up to " + scale + " latches)";
        }
        String what = name().startsWith("CONTENDER") || this == GET_PARTICIPANTS ? "contenders" : "latches";
        return description + (scale == 1 ? "" : " (" + scale + " " + what + ")");
    }

    /** Also with how long nothing was done before, if that matters. */
    String name(int scale, int settledSeconds) {
        return name(scale) + (isOfIdling() && settledSeconds > 0 ? ", after " + settledSeconds + " s" : "");
    }

    /** What says how this grows with the number of latches; empty if nobody asks. */
    Optional<Metric> growsAs() {
        return switch (this) {
            case ALL_LED -> Optional.of(GROWTH_ALL_LED);
            case CLOSED_MANY -> Optional.of(GROWTH_CLOSED);
            case TAKEN_OVER -> Optional.of(GROWTH_TAKEN_OVER);
            case HEAP_LEADER -> Optional.of(GROWTH_HEAP);
            default -> Optional.empty();
        };
    }

    /** Whether a value is that of one latch, and not of all. */
    boolean isPerLatch() {
        return this == HEAP_LEADER || this == HEAP_WAITER;
    }

    /** Whether it depends on how long nothing was done before. */
    private boolean isOfIdling() {
        return name().startsWith("IDLE") || name().startsWith("CONTENDER");
    }

    /** Whether it has a table of its own. */
    boolean isOfContainers() {
        return name().startsWith("CONTAINER");
    }

    String unit() {
        return unit;
    }

    Goal goal(int detectionMillis) {
        return goal.at(detectionMillis);
    }

    /** The metric of that name in a file. */
    static Optional<Metric> named(String name) {
        for (Metric metric : values()) {
            if (metric.name().equals(name)) {
                return Optional.of(metric);
            }
        }
        return Optional.empty();
    }
}
