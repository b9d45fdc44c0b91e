package io.quorate.testkit.simulation;

import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.Fault.Kind;
import io.quorate.testkit.simulation.Scenario.Setup;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Makes a scenario from a seed, as {@link Storm} does, in which nodes have more to do than they can for a while: each
 * step takes time, there are many paths, and all of them start, lose their leaders or close at one moment. In between
 * nodes get a tenth of their processor, and die, and are cut off. In the end the work alone is left, and nothing but
 * the work may keep a path without a leader then.
 */
final class Overload {

    /** A source of work, or of slowness. */
    private enum Play {
        /** Some nodes get a tenth of their processor. */
        TENTH,
        /** Nobody reaches anybody, until every lease is lost. */
        OUTAGE,
        /** The leader of the first path cannot be reached, or dies. */
        STRIKE,
        /** A majority dies, and comes back. */
        MAJORITY,
        /** Everybody gives up everything at once. */
        RESIGN_ALL,
        /** More paths start at one moment, and close at one moment. */
        WAVE,
        /** Messages are lost, late or there twice. */
        WEATHER
    }

    private static final String PATHS = "/m";
    private static final String WAVE = "/w";
    private static final int PLAYS_MAX = 4;
    private static final int PATHS_MIN = 20;
    private static final int PATHS_MAX = 250;
    private static final int WORK_MICROS_MIN = 10;
    /** Some ten times as long as in a JVM on a core of its own. */
    private static final int WORK_MICROS_MAX = 500;
    /**
     * The work of a step for each path and pair of nodes, for what each of them tells the other: three nodes that start
     * 250 paths at one moment have some two seconds of work then.
     */
    private static final int MICROS_MAX = 900_000;

    /**
     * With a rank order of its own each path has an election of its own, of so many messages for each pair of nodes.
     */
    private static final int MESSAGES_OF_ELECTION = 3;

    private static final int TENTH = 10;

    private final SplittableRandom random;
    private final Setup setup;
    private final List<NodeId> nodes;
    private final int paths;
    private final long workMicros;
    private final List<Fault> faults = new ArrayList<>();

    private Overload(SplittableRandom random) {
        this.random = random;
        this.setup = setup(random);
        this.nodes = setup.nodes();
        this.paths = PATHS_MIN + random.nextInt(PATHS_MAX - PATHS_MIN);
        int elections = setup.rankOrder() == RankOrder.SPREAD ? MESSAGES_OF_ELECTION : 1;
        int most = Math.min(WORK_MICROS_MAX, MICROS_MAX / (nodes.size() * nodes.size() * paths * elections));
        this.workMicros = WORK_MICROS_MIN + random.nextInt(Math.max(1, most - WORK_MICROS_MIN));
    }

    /** Always the same for the same seed. */
    static Scenario scenario(long seed) {
        Overload overload = new Overload(new SplittableRandom(seed).split());
        overload.contenders();
        overload.plays();
        return new Scenario(seed, overload.setup, overload.faults);
    }

    private static Setup setup(SplittableRandom random) {
        int voters = random.nextInt(6) == 0 ? 5 : 3;
        int observers = random.nextInt(6) == 0 ? 1 + random.nextInt(2) : 0;
        RankOrder rank = random.nextInt(3) > 0
                ? RankOrder.JOIN_ORDER
                : RankOrder.values()[random.nextInt(RankOrder.values().length)];
        boolean preempt = rank != RankOrder.JOIN_ORDER && random.nextInt(4) == 0;
        int heartbeat = random.nextInt(3) == 0 ? 150 : 200;
        return new Setup(voters, observers, random.nextInt(4) > 0, rank, preempt, heartbeat, 1000, 10, 1000);
    }

    /** Everybody contends on everything; mostly from one moment on. */
    private void contenders() {
        int within = random.nextInt(3) == 0 ? 1500 : 1;
        for (NodeId node : nodes) {
            faults.add(new Fault(0, Storm.FOR_EVER, Kind.WORK, node.value(), workMicros));
            int at = random.nextInt(within);
            faults.add(new Fault(at, Storm.FOR_EVER, Kind.CONTEND, node + Storm.FIRST_PATH, 0));
            faults.add(new Fault(at, Storm.FOR_EVER, Kind.CONTEND_MANY, node + PATHS, paths));
        }
    }

    private void plays() {
        Set<Play> swarm = EnumSet.noneOf(Play.class);
        for (Play play : Play.values()) {
            if (random.nextInt(2) == 0) {
                swarm.add(play);
            }
        }
        List<Play> choice = swarm.isEmpty() ? List.of(Play.OUTAGE) : List.copyOf(swarm);
        for (int i = random.nextInt(PLAYS_MAX); i >= 0; i--) {
            play(choice.get(random.nextInt(choice.size())));
        }
    }

    private void play(Play play) {
        // From the start of the nodes on, and for half of the time that an ordinary storm has.
        long at = random.nextInt((int) Scenario.FAULTS_END / 2);
        switch (play) {
            case TENTH -> {
                long until = at + 500 + random.nextInt(5000);
                some().forEach(node -> add(at, until, Kind.WORK, node.value(), (TENTH - 1) * workMicros));
            }
            case OUTAGE -> add(at, at + 1000 + random.nextInt(2000), Kind.CUT, "*-*", 0);
            case STRIKE -> strike(at, at + 100 + random.nextInt(2500));
            case MAJORITY -> majority(at, at + 10 + random.nextInt(2000));
            case RESIGN_ALL -> nodes.forEach(node -> add(at, at, Kind.RESIGN_ALL, node.value(), 0));
            case WAVE -> wave(at, at + 100 + random.nextInt(5000));
            default -> weather(at, at + 500 + random.nextInt(3000));
        }
    }

    private void add(long at, long until, Kind kind, String where, long amount) {
        faults.add(new Fault(at, until, kind, where, amount));
    }

    /** One, or all, or any that are neither. */
    private List<NodeId> some() {
        return switch (random.nextInt(3)) {
            case 0 -> List.of(nodes.get(random.nextInt(nodes.size())));
            case 1 -> nodes;
            default -> nodes.subList(random.nextInt(nodes.size() - 1), nodes.size());
        };
    }

    private void strike(long at, long until) {
        switch (random.nextInt(5)) {
            case 0 -> add(at, until, Kind.CRASH, "leader", 0);
            case 1 -> add(at, until, Kind.SHUTDOWN, "leader", 0);
            case 2 -> add(at, until, Kind.PAUSE, "leader", 0);
            case 3 -> add(at, until, Kind.CUT, "leader-*", 0);
            default -> add(at, until, Kind.STALL, "leader", 0);
        }
    }

    private void majority(long at, long until) {
        nodes.subList(0, setup.voters() / 2 + 1).forEach(node -> add(at, until, Kind.CRASH, node.value(), 0));
    }

    private void wave(long at, long until) {
        int more = 1 + random.nextInt(paths / 2);
        nodes.forEach(node -> add(at, until, Kind.CONTEND_MANY, node + WAVE, more));
    }

    private void weather(long at, long until) {
        switch (random.nextInt(3)) {
            case 0 -> add(at, until, Kind.LOSS, "*-*", 5 + random.nextInt(40));
            case 1 -> add(at, until, Kind.DELAY, "*-*", 10 + random.nextInt(300));
            default -> add(at, until, Kind.DUPLICATION, "*-*", 10 + random.nextInt(90));
        }
    }
}
