package io.quorate.cli.play;

import io.quorate.Profile;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.Experiment;
import io.quorate.testkit.simulation.Fault;
import io.quorate.testkit.simulation.Scenario;
import io.quorate.testkit.simulation.Scenario.Setup;
import java.io.File;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * What of a scenario real JVMs can play.
 *
 * @param factor so many times as long everything takes there; 1 or more
 * @param played contenders and faults, in their order
 * @param left   faults that cannot be played, in words
 */
public record PlayPlan(Setup setup, long factor, long untilMillis, List<Fault> played, List<String> left) {

    static final String PATH = "/a";

    /** Five JVMs are five voters, and as much as a small machine has memory and time for. */
    private static final int NODES_MAX = 5;

    /** A scenario of very short times would take hours. */
    private static final long MINUTES_MAX = 10;

    private static final List<String> COUNTS = List.of("no", "one", "two", "three", "four", "five");

    public PlayPlan {
        played = List.copyOf(played);
        left = List.copyOf(left);
    }

    /**
     * The plan for a scenario.
     *
     * @throws IllegalArgumentException if it has too many nodes, or nothing of what happens in it can be played
     */
    public static PlayPlan of(Scenario scenario) {
        return of(scenario, File.separatorChar == '/');
    }

    /** @param isPosix whether processes can be stopped and go on */
    static PlayPlan of(Scenario scenario, boolean isPosix) {
        Setup setup = scenario.setup();
        int nodes = setup.nodes().size();
        if (nodes > NODES_MAX) {
            throw new IllegalArgumentException("--play with " + nodes + " nodes: must be " + NODES_MAX + " at most");
        }
        List<Fault> played = scenario.faults().stream()
                .filter(fault -> canBePlayed(fault, isPosix))
                .toList();
        List<String> left = scenario.faults().stream()
                .filter(fault -> !canBePlayed(fault, isPosix))
                .map(Fault::toString)
                .toList();
        if (!left.isEmpty() && played.stream().allMatch(Fault::isContender)) {
            throw new IllegalArgumentException("--play: no fault of this scenario can be played on JVMs: "
                    + String.join(", ", left) + "; there must be a crash, a shutdown, a cut or, on POSIX, a pause");
        }
        PlayPlan plan = new PlayPlan(setup, factor(setup), Experiment.lookUntil(scenario), played, left);
        if (plan.millis() > TimeUnit.MINUTES.toMillis(MINUTES_MAX)) {
            throw new IllegalArgumentException("--play: takes " + plan.factor
                    + " times as long as the scenario, because"
                    + " its heartbeat or its support is so short, and that is " + plan.millis() / 1000 + " s: must be "
                    + TimeUnit.MINUTES.toSeconds(MINUTES_MAX) + " s at most");
        }
        return plan;
    }

    private static boolean canBePlayed(Fault fault, boolean isPosix) {
        return switch (fault.kind()) {
            case CRASH, SHUTDOWN, CUT -> true;
            case PAUSE -> isPosix;
            case CONTEND -> fault.where().substring(fault.where().indexOf('/')).equals(PATH);
            default -> false;
        };
    }

    /** A real JVM pauses now and then, which shorter times than those of the usual profile would not survive. */
    private static long factor(Setup setup) {
        return Math.max(
                ratio(Profile.DEFAULT.heartbeat().toMillis(), setup.heartbeat()),
                ratio(Profile.DEFAULT.supportDuration().toMillis(), setup.support()));
    }

    /** How many times the second one is needed for the first, 1 at least. */
    private static long ratio(long atLeast, long given) {
        return Math.max(1, (atLeast + given - 1) / given);
    }

    /** How long it takes on real JVMs. */
    public long millis() {
        return untilMillis * factor;
    }

    /** Such as {@code three JVMs}. */
    public String name() {
        int nodes = setup.nodes().size();
        return COUNTS.get(nodes) + (nodes == 1 ? " JVM" : " JVMs");
    }

    /** What a reader has to know of the picture. */
    public String caption() {
        return "On " + name() + ": real processes over TCP on this machine, under the lease with " + lease()
                + ", as long as the scenario" + (factor == 1 ? "" : " times " + factor + ", and drawn in its times")
                + ". It begins when all of them are started. Each node says whom it takes for the leader, and when it"
                + " leads; messages are not seen."
                + (left.isEmpty() ? "" : " Not played: " + String.join(", ", left) + ".");
    }

    long supportMillis() {
        return setup.support() * factor;
    }

    private String lease() {
        return "a heartbeat each " + setup.heartbeat() * factor + " ms and " + supportMillis() + " ms of support";
    }

    /** The settings of a node that are equal on all, or follow from its name. */
    List<String> settings(NodeId node) {
        String voters = setup.votingNodes().stream().map(NodeId::value).collect(Collectors.joining(","));
        return List.of(
                "node-id=" + node,
                "cluster-id=lab",
                "voters=" + voters,
                "transport=tcp",
                "plaintext=true",
                "heartbeat=" + setup.heartbeat() * factor + "ms",
                "support=" + supportMillis() + "ms",
                "delta=" + Profile.DEFAULT.delta().toMillis() * factor + "ms",
                "drift=" + setup.driftPercent(),
                "rank-order=" + setup.rankOrder(),
                "priority=" + Setup.priority(node),
                "preempt=" + setup.preempt());
    }
}
