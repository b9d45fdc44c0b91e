package io.quorate.testkit.simulation;

import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.Fault.Kind;
import io.quorate.testkit.simulation.Places.Way;
import io.quorate.testkit.simulation.Scenario.Setup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Makes a scenario from a seed. Uniform faults hardly ever hit anything, so this is biased: most faults strike the
 * leader or cut around it, what follows a strike follows soon, and each seed has only some kinds of faults (swarm
 * testing), so that each kind is seen without the others that would hide it.
 */
final class Storm {

    static final String FIRST_PATH = "/a";

    /** For what goes on to the end. */
    static final long FOR_EVER = 999_999;

    private enum Play {
        STRIKE,
        STRIKE_AND_RESTART,
        SWIZZLE_CLOG,
        PARTITION,
        HUB,
        FLAP,
        WEATHER,
        COME_AND_GO,
        ROLLING,
        MAJORITY_AT_ONCE,
        DISK,
        LONELY_LINK
    }

    private static final List<String> PATHS = List.of(FIRST_PATH, "/b", "/c");
    private static final int PLAYS_MAX = 7;

    private final SplittableRandom random;
    private final Setup setup;
    private final List<NodeId> nodes;
    private final List<Fault> faults = new ArrayList<>();

    private Storm(SplittableRandom random, Setup setup) {
        this.random = random;
        this.setup = setup;
        this.nodes = setup.nodes();
    }

    /** Always the same for the same seed. */
    static Scenario scenario(long seed) {
        return scenario(seed, Storm::setup);
    }

    private static Scenario scenario(long seed, Function<SplittableRandom, Setup> setups) {
        SplittableRandom random = new SplittableRandom(seed);
        Storm storm = new Storm(random, setups.apply(random));
        storm.contenders();
        storm.clocks();
        List<Play> swarm = storm.swarm();
        int count = 1 + random.nextInt(PLAYS_MAX);
        for (int i = 0; i < count; i++) {
            storm.play(swarm.get(random.nextInt(swarm.size())));
        }
        // With chance of their own, so that what is added here changes nothing above.
        storm.applications(new SplittableRandom(~seed));
        return new Scenario(seed, storm.setup, storm.faults);
    }

    /** The same, and somebody lies. */
    static Scenario withLies(long seed, List<Liar.Who> liars) {
        // A flood of lies to a process that is slow is a matter of who may send, and how much, not of what is believed.
        Scenario scenario = scenario(seed).without(Kind.SLOW);
        SplittableRandom random = new SplittableRandom(~seed * 31);
        List<Fault> faults = new ArrayList<>(scenario.faults());
        for (int i = random.nextInt(3); i >= 0; i--) {
            Liar.Who who = liars.get(random.nextInt(liars.size()));
            long at = 1500 + random.nextInt(6000);
            long until = Math.min(Scenario.FAULTS_END, at + 200 + random.nextInt(4_000));
            String victims = random.nextBoolean()
                    ? "*"
                    : "n" + (1 + random.nextInt(scenario.setup().voters()));
            faults.add(new Fault(
                    at,
                    until,
                    Kind.LIE,
                    who.toString().toLowerCase(Locale.ROOT) + ">" + victims,
                    20 + random.nextInt(300)));
        }
        return scenario.withFaults(faults);
    }

    /** The same, and nodes go on standby and come back; some stay there to the end, and now and then all are there. */
    static Scenario withStandby(long seed) {
        Scenario scenario = scenario(seed);
        SplittableRandom random = new SplittableRandom(~seed * 37);
        Storm storm = new Storm(random, scenario.setup());
        storm.faults.addAll(scenario.faults());
        for (int i = random.nextInt(6); i >= 0; i--) {
            long at = 500 + random.nextInt((int) Scenario.FAULTS_END - 3500);
            storm.add(at, at + 50 + random.nextInt(6000), Kind.STANDBY, storm.one(random), 0);
        }
        if (random.nextInt(4) == 0) {
            long at = storm.begin();
            long until = at + storm.length();
            storm.nodes.forEach(node -> storm.add(at, until, Kind.STANDBY, node.value(), 0));
        }
        int quietFrom = (int) scenario.withFaults(storm.faults).quietFrom();
        for (int i = random.nextInt(3); i > 0; i--) {
            long at = random.nextInt(quietFrom);
            storm.faults.add(new Fault(at, FOR_EVER, Kind.STANDBY, storm.one(random), 0));
        }
        return scenario.withFaults(storm.faults);
    }

    /** The same, and leaders finish their work before they leave; some are told to hand over, or resign. */
    static Scenario withDrains(long seed) {
        Scenario scenario = withStandby(seed);
        SplittableRandom random = new SplittableRandom(~seed * 43);
        Storm storm = new Storm(random, scenario.setup());
        storm.faults.addAll(scenario.faults());
        for (NodeId node : storm.nodes) {
            if (random.nextInt(3) > 0) {
                long at = random.nextInt(3000);
                long until = random.nextBoolean() ? FOR_EVER : at + 1000 + random.nextInt(5000);
                storm.faults.add(new Fault(at, until, Kind.DRAIN, node.value(), 1 + random.nextInt(3000)));
            }
        }
        if (scenario.setup().rankOrder() == RankOrder.PRIORITY) {
            for (int i = random.nextInt(20); i >= 0; i--) {
                long at = 500 + random.nextInt((int) Scenario.FAULTS_END - 3500);
                storm.add(at, at, Kind.PRIORITY, storm.one(random), random.nextInt(4) - 1);
            }
        }
        for (int i = random.nextInt(8); i >= 0; i--) {
            long at = 1500 + random.nextInt((int) Scenario.FAULTS_END - 4500);
            String to = storm.nodes.get(random.nextInt(storm.nodes.size())).value();
            if (random.nextInt(4) > 0) {
                storm.add(at, at, Kind.TRANSFER, "leader" + FIRST_PATH + ">" + to, 0);
            } else {
                storm.add(at, at, Kind.RESIGN, "leader" + FIRST_PATH, 0);
            }
        }
        return scenario.withFaults(storm.faults);
    }

    /**
     * The same, and some links pass one way only, and lose much there, from some time on to the end. Each node still
     * reaches a majority of voters that reaches it. Contenders close behind such links, one soon after the other.
     */
    static Scenario withOneWayLinks(long seed) {
        Scenario scenario = scenario(seed);
        SplittableRandom random = new SplittableRandom(~seed * 59);
        Storm storm = new Storm(random, scenario.setup());
        storm.faults.addAll(scenario.faults());
        Set<Way> oneWay = new LinkedHashSet<>();
        for (int i = random.nextInt(2 * storm.nodes.size()); i >= 0; i--) {
            List<NodeId> two = storm.shuffled();
            Way dead = new Way(two.get(0), two.get(1));
            if (storm.leavesMajorities(oneWay, dead)) {
                oneWay.add(dead);
                storm.oneWay(dead);
            }
        }
        return scenario.withFaults(storm.faults);
    }

    /** Whether each node has a majority of voters, itself among them if it votes, where both ways are whole. */
    private boolean leavesMajorities(Set<Way> oneWay, Way dead) {
        Way back = new Way(dead.to(), dead.from());
        if (oneWay.contains(dead) || oneWay.contains(back)) {
            return false;
        }
        for (NodeId node : List.of(dead.from(), dead.to())) {
            long whole = setup.votingNodes().stream()
                    .filter(voter -> {
                        Way out = new Way(node, voter);
                        Way in = new Way(voter, node);
                        return !oneWay.contains(out)
                                && !oneWay.contains(in)
                                && !List.of(dead, back).contains(out);
                    })
                    .count();
            if (2 * whole <= setup.voters()) {
                return false;
            }
        }
        return true;
    }

    private void oneWay(Way dead) {
        String behind = dead.to().value();
        long at = random.nextInt((int) Scenario.FAULTS_END - 4000);
        faults.add(new Fault(at, FOR_EVER, Kind.CUT, dead.from() + ">" + behind, 0));
        faults.add(new Fault(at, FOR_EVER, Kind.LOSS, behind + ">" + dead.from(), 10 + random.nextInt(80)));
        long close = at + random.nextInt((int) (Scenario.FAULTS_END - at));
        for (int i = random.nextInt(8); i > 0; i--) {
            String path = "/" + dead.from() + behind + i;
            add(random.nextInt(1500), close + 5L * i, Kind.CONTEND, behind + path, 0);
            faults.add(new Fault(random.nextInt((int) close), FOR_EVER, Kind.CONTEND, dead.from() + path, 0));
        }
    }

    /**
     * Others like them with disks, where somebody asks for other voters, again and again; one directory may be lost.
     */
    static Scenario withChanges(long seed) {
        Scenario scenario = scenario(seed, Storm::setupOfChanges);
        SplittableRandom random = new SplittableRandom(~seed * 41);
        Storm storm = new Storm(random, scenario.setup());
        storm.faults.addAll(scenario.faults());
        boolean mayGoToOne = random.nextBoolean();
        for (int i = random.nextInt(6); i >= 0; i--) {
            List<NodeId> wanted = storm.shuffled().subList(0, storm.count(mayGoToOne));
            long at = 1500 + random.nextInt((int) Scenario.FAULTS_END - 4500);
            storm.add(at, at, Kind.CHANGE, storm.one(random) + ">" + names(wanted), 0);
            if (random.nextInt(4) == 0) {
                // Two operators at once.
                storm.add(
                        at,
                        at,
                        Kind.CHANGE,
                        storm.one(random) + ">" + names(storm.shuffled().subList(0, 3)),
                        0);
            }
        }
        boolean losesADisk = !mayGoToOne && random.nextBoolean();
        if (losesADisk) {
            long at = 3000 + random.nextInt((int) Scenario.FAULTS_END - 6000);
            storm.add(at, at + 100 + random.nextInt(2000), Kind.WIPE, storm.one(random), 0);
        }
        // With fewer than three voters, none may lose its disk.
        switch (random.nextInt(8)) {
            case 0, 1 -> storm.untold(random.nextBoolean(), !losesADisk);
            case 2 -> storm.replaced(losesADisk ? storm.shuffled().subList(0, 3) : List.of(new NodeId("o1")));
            case 3, 4 -> storm.killedAtWork();
            default -> {}
        }
        SplittableRandom own = new SplittableRandom(~seed * 47);
        if (own.nextInt(4) > 0) {
            return scenario.withFaults(storm.faults);
        }
        // With chance of their own, so that what is added here changes nothing above.
        Storm more = new Storm(own, scenario.setup());
        more.lostAtWork();
        more.faults.addAll(storm.faults);
        int observers = scenario.setup().observers();
        for (int i = 1; i <= 2; i++) {
            more.faults.add(new Fault(1000, FOR_EVER, Kind.CONTEND, "o" + (observers + i) + FIRST_PATH, 0));
        }
        return new Scenario(seed, scenario.setup().withObservers(observers + 2), more.faults);
    }

    /** The coordinator is lost between two messages, for a moment or for long; two nodes contend that nobody names. */
    private void lostAtWork() {
        for (int i = random.nextInt(3); i >= 0; i--) {
            List<NodeId> shuffled = shuffled();
            String coordinator = shuffled.get(0).value();
            long at = 2500 + random.nextInt(5000);
            faults.add(new Fault(
                    at, at, Kind.CHANGE, coordinator + ">" + names(shuffled().subList(0, count(false))), 0));
            long length = random.nextBoolean() ? random.nextInt(3000) : 10L * setup.support();
            String how = List.of("crash", "crash_after_write", "cut", "pause").get(random.nextInt(4));
            faults.add(new Fault(
                    at, at + length, Kind.LOST_AT_WORK, how + ">" + coordinator, 1 + random.nextInt(6 * nodes.size())));
        }
    }

    /**
     * The same without disks: voters come back soon and again, their wall clocks jump by milliseconds to years, and
     * some are heard by contenders that the other voters do not hear. Tokens may fall.
     */
    static Scenario withoutDisks(long seed) {
        Scenario scenario = scenario(seed, random -> setup(random).withoutDisks());
        SplittableRandom random = new SplittableRandom(~seed * 53);
        Storm storm = new Storm(random, scenario.setup());
        storm.faults.addAll(scenario.faults());
        List<NodeId> voters = scenario.setup().votingNodes();
        for (int i = random.nextInt(8); i >= 0; i--) {
            NodeId voter = voters.get(random.nextInt(voters.size()));
            long at = storm.begin();
            long seconds = (long) Math.pow(10, random.nextInt(9)) * (random.nextInt(3) - 1);
            storm.add(at, at, Kind.WALL, voter.value(), seconds);
            Kind end = random.nextInt(4) > 0 ? Kind.CRASH : Kind.SHUTDOWN;
            storm.add(at, at + random.nextInt(800), end, voter.value(), 0);
            if (random.nextInt(3) == 0) {
                List<NodeId> others =
                        voters.stream().filter(other -> !other.equals(voter)).toList();
                String way = List.of("-", ">", "<").get(random.nextInt(3));
                String where = way.equals("<") ? names(others) + ">" + voter : voter + way + names(others);
                storm.add(at, at + storm.length(), Kind.CUT, where, 0);
            }
        }
        return scenario.withFaults(storm.faults);
    }

    /** Nothing fails: some nodes start late, contenders come, and somebody asks for other voters, again and again. */
    static Scenario changesAlone(long seed) {
        SplittableRandom random = new SplittableRandom(~seed * 43);
        Storm storm = new Storm(random, setupOfChanges(random));
        storm.contenders();
        storm.clocks();
        for (NodeId node : storm.nodes.subList(storm.setup.voters(), storm.nodes.size())) {
            if (random.nextBoolean()) {
                storm.add(0, random.nextInt(7000), Kind.CRASH, node.value(), 0);
            }
        }
        boolean mayGoToOne = random.nextBoolean();
        for (int i = random.nextInt(6); i >= 0; i--) {
            long at = 2500 + random.nextInt((int) Scenario.FAULTS_END - 4000);
            List<NodeId> wanted = storm.shuffled().subList(0, storm.count(mayGoToOne));
            storm.add(at, at, Kind.CHANGE, storm.one(random) + ">" + names(wanted), 0);
        }
        return new Scenario(seed, storm.setup, storm.faults);
    }

    /**
     * A leader hears of no change while there are several, which it has to notice by itself; all others may crash and
     * come back in the midst of them, so that a quarantine is all that keeps them from the next promise.
     */
    private void untold(boolean doCrash, boolean mayGoToOne) {
        List<NodeId> shuffled = shuffled();
        NodeId leader = shuffled.get(0);
        NodeId coordinator = shuffled.get(1);
        faults.add(new Fault(500, FOR_EVER, Kind.CONTEND, leader + "/untold", 0));
        long at = 3000 + random.nextInt(3000);
        add(at, at, Kind.CHANGE, coordinator + ">" + names(shuffled().subList(0, count(mayGoToOne))), 0);
        add(at, at + 1000 + random.nextInt(5000), Kind.UNTOLD, leader.value(), 0);
        if (doCrash) {
            long crash = at + random.nextInt(300);
            for (NodeId node : shuffled.subList(2, shuffled.size())) {
                add(crash, crash + 5 + random.nextInt(60), Kind.CRASH, node.value(), 0);
            }
        }
    }

    /** All voters change between the last tenure of a path and the next one, whose contender knows of nothing. */
    private void replaced(List<NodeId> others) {
        List<NodeId> shuffled = shuffled();
        NodeId first = shuffled.get(0);
        faults.add(new Fault(500, 3500, Kind.CONTEND, first + "/replaced", 0));
        for (int at = 2000; at < 3500; at += 300) {
            add(at, at, Kind.RESIGN, first + "/replaced", 0);
        }
        add(4000, 4000, Kind.CHANGE, shuffled.get(1) + ">" + names(others), 0);
        long again = 6500 + random.nextInt(4000);
        String next = shuffled.get(2) + "/replaced";
        faults.add(new Fault(again, FOR_EVER, Kind.CONTEND, next, 0));
        // Permanent faults do not delay the quiet time at the end.
        add(again, again, Kind.RESIGN, next, 0);
    }

    /** The coordinator is killed during a change; others may be killed too, or stop for a while. */
    private void killedAtWork() {
        for (int i = random.nextInt(4); i >= 0; i--) {
            List<NodeId> shuffled = shuffled();
            long at = 2500 + random.nextInt(5000);
            String coordinator = shuffled.get(0).value();
            add(at, at, Kind.CHANGE, coordinator + ">" + names(shuffled().subList(0, count(false))), 0);
            long kill = at + random.nextInt(random.nextBoolean() ? 20 : 1500);
            Kind how = random.nextBoolean() ? Kind.CRASH : Kind.CRASH_AFTER_WRITE;
            add(kill, kill + random.nextInt(1500), how, coordinator, 0);
            if (random.nextBoolean()) {
                long stop = at + random.nextInt(1500);
                add(
                        stop,
                        stop + random.nextInt(3 * setup.support()),
                        Kind.PAUSE,
                        shuffled.get(1).value(),
                        0);
            }
        }
    }

    private int count(boolean mayGoToOne) {
        int min = mayGoToOne ? 1 : Math.min(3, nodes.size());
        return min + random.nextInt(nodes.size() - min + 1);
    }

    /**
     * The same, and nodes are restarted with other settings of a mixture: at first each with any, while all else
     * happens too. Then all get the same, one after the other, or in one of three scenarios each gets any once more.
     */
    static Scenario withSettings(long seed, int mixture) {
        Scenario scenario = scenario(seed);
        SplittableRandom random = new SplittableRandom(~seed * 41);
        Storm storm = new Storm(random, scenario.setup());
        storm.faults.addAll(scenario.faults());
        for (NodeId node : storm.nodes) {
            long at = random.nextInt(1000);
            storm.add(at, at + 10, Kind.SETTINGS, node.value(), random.nextInt(mixture));
        }
        for (int i = random.nextInt(8); i >= 0; i--) {
            long at = storm.begin();
            storm.add(at, at + 50 + random.nextInt(600), Kind.SETTINGS, storm.one(random), random.nextInt(mixture));
        }
        boolean isMixedToTheEnd = random.nextInt(3) == 0;
        int last = random.nextInt(mixture);
        long at = scenario.withFaults(storm.faults).quietFrom() + 1500;
        for (NodeId node : storm.shuffled()) {
            long down = 10 + random.nextInt(600);
            int next = isMixedToTheEnd ? random.nextInt(mixture) : last;
            // Behind all that else happens, which may be later than what it is bounded by.
            storm.faults.add(new Fault(at, at + down, Kind.SETTINGS, node.value(), next));
            at += down + random.nextInt(2000);
        }
        return scenario.withFaults(storm.faults);
    }

    /** The other actions of applications: they watch, stay away for a while, and all resign together. */
    private void applications(SplittableRandom own) {
        if (own.nextInt(3) == 0) {
            for (int i = own.nextInt(4); i >= 0; i--) {
                long at = 1500 + own.nextInt((int) Scenario.FAULTS_END - 4500);
                add(at, at + 50 + own.nextInt(3000), Kind.AWAY, one(own) + FIRST_PATH, 0);
            }
        }
        if (own.nextInt(3) == 0) {
            for (int i = own.nextInt(4); i >= 0; i--) {
                String where = one(own) + PATHS.get(own.nextInt(PATHS.size()));
                if (own.nextBoolean()) {
                    faults.add(new Fault(own.nextInt(1500), FOR_EVER, Kind.WATCH, where, 0));
                } else {
                    long at = own.nextInt((int) Scenario.FAULTS_END - 1000);
                    add(at, at + own.nextInt(5000), Kind.WATCH, where, 0);
                }
            }
        }
        if (own.nextInt(60) == 0) {
            manyPaths(own);
        }
        if (own.nextInt(5) == 0) {
            for (int i = own.nextInt(5); i >= 0; i--) {
                long at = 1500 + own.nextInt((int) Scenario.FAULTS_END - 4500);
                add(at, at, Kind.RESIGN_ALL, own.nextBoolean() ? "leader" : one(own), 0);
            }
        }
    }

    private String one(SplittableRandom own) {
        return own.nextInt(3) == 0
                ? "leader"
                : nodes.get(own.nextInt(nodes.size())).value();
    }

    private void manyPaths(SplittableRandom own) {
        int count = 20 + own.nextInt(60);
        for (int path = 0; path < count; path++) {
            for (NodeId node : nodes.subList(0, Math.min(3, nodes.size()))) {
                faults.add(new Fault(own.nextInt(1500), FOR_EVER, Kind.CONTEND, node + "/m" + path, 0));
            }
        }
        for (int i = own.nextInt(4); i >= 0; i--) {
            long at = 3000 + own.nextInt((int) Scenario.FAULTS_END - 6000);
            nodes.forEach(node -> add(at, at, Kind.RESIGN_ALL, node.value(), 0));
        }
    }

    private static Setup setup(SplittableRandom random) {
        int dice = random.nextInt(100);
        int voters = dice < 72 ? 3 : dice < 90 ? 5 : dice < 95 ? 4 : dice < 98 ? 7 : 9;
        int observers = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
        RankOrder rank = random.nextInt(3) > 0
                ? RankOrder.JOIN_ORDER
                : RankOrder.values()[random.nextInt(RankOrder.values().length)];
        boolean preempt = rank != RankOrder.JOIN_ORDER && random.nextInt(3) == 0;
        boolean isDurable = random.nextInt(4) > 0;
        int heartbeat = random.nextInt(3) == 0 ? 150 : 200;
        int delay = random.nextInt(4) == 0 ? 40_000 : 1000;
        return new Setup(voters, observers, isDurable, rank, preempt, heartbeat, 1000, 10, delay);
    }

    /**
     * With few nodes, which make the fewest messages, so that more storms fit. At least one node is left to be taken
     * in.
     */
    private static Setup setupOfChanges(SplittableRandom random) {
        Setup any = setup(random);
        int dice = random.nextInt(100);
        int voters = dice < 80 ? 3 : dice < 88 ? 4 : dice < 97 ? 5 : dice < 99 ? 7 : 9;
        int observers = random.nextInt(4) == 0 ? 2 : 1;
        return new Setup(
                voters,
                observers,
                true,
                any.rankOrder(),
                any.preempt(),
                any.heartbeat(),
                any.support(),
                any.driftPercent(),
                any.delayMaxMicros());
    }

    private void contenders() {
        int paths = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 1;
        for (String path : PATHS.subList(0, paths)) {
            for (NodeId node : nodes) {
                if (random.nextInt(5) > 0) {
                    faults.add(new Fault(random.nextInt(1500), FOR_EVER, Kind.CONTEND, node + path, 0));
                }
            }
        }
    }

    /** In every other run, each clock is right, or as wrong as it may be. */
    private void clocks() {
        if (random.nextBoolean()) {
            return;
        }
        for (NodeId node : nodes) {
            int drift = (random.nextInt(3) - 1) * setup.driftPercent();
            if (drift != 0) {
                faults.add(new Fault(0, Scenario.FAULTS_END, Kind.CLOCK, node.value(), drift));
            }
        }
    }

    private List<Play> swarm() {
        Set<Play> swarm = EnumSet.of(Play.STRIKE);
        for (Play play : Play.values()) {
            if (random.nextInt(3) == 0) {
                swarm.add(play);
            }
        }
        return List.copyOf(swarm);
    }

    // ---------------------------------------------------------------- draws

    private long begin() {
        // Nobody leads in the first second, because voters are silent.
        return 1500 + random.nextInt((int) Scenario.FAULTS_END - 6500);
    }

    /** Mostly about a lease long: shorter is not noticed, longer is waited for. */
    private long length() {
        return random.nextInt(4) == 0 ? random.nextInt(4500) : 100 + random.nextInt(1600);
    }

    private String anybody() {
        return nodes.get(random.nextInt(nodes.size())).value();
    }

    private String victim() {
        return random.nextInt(3) > 0 ? "leader" : anybody();
    }

    private List<NodeId> shuffled() {
        List<NodeId> shuffled = new ArrayList<>(nodes);
        Collections.shuffle(shuffled, new Random(random.nextLong()));
        return shuffled;
    }

    private void add(long at, long until, Kind kind, String where, long amount) {
        long end = Math.min(until, Scenario.FAULTS_END);
        faults.add(new Fault(Math.min(at, end), end, kind, where, amount));
    }

    // ---------------------------------------------------------------- plays

    private void play(Play play) {
        long at = begin();
        switch (play) {
            case STRIKE -> strike(at);
            case STRIKE_AND_RESTART -> strikeAndRestart(at);
            case SWIZZLE_CLOG -> swizzleClog(at);
            case PARTITION -> partition(at);
            case HUB -> add(at, at + length(), Kind.CUT, hub(), 0);
            case FLAP -> flap(at);
            case WEATHER -> weather(at);
            case COME_AND_GO -> comeAndGo(at);
            case ROLLING -> rolling(at);
            case MAJORITY_AT_ONCE -> majorityAtOnce(at);
            case DISK -> disk(at);
            default -> add(at, at + length(), Kind.CUT, victim() + (random.nextBoolean() ? ">" : "-") + anybody(), 0);
        }
    }

    private void strike(long at) {
        String victim = victim();
        long until = at + length();
        switch (random.nextInt(9)) {
            case 0 -> add(at, until, Kind.CRASH, victim, 0);
            case 1 -> add(at, until, Kind.CRASH_AFTER_WRITE, victim, 0);
            case 2 -> add(at, until, Kind.PAUSE, victim, 0);
            case 3 -> add(at, until, Kind.STALL, victim, 0);
            case 4 -> add(at, until, Kind.CUT, victim + "-*", 0);
            case 5 -> add(at, until, Kind.CUT, victim + ">*", 0);
            case 6 -> add(at, until, Kind.CUT, "*>" + victim, 0);
            case 7 -> add(at, until, Kind.SLOW, victim, 1 + random.nextInt(30));
            default -> add(at, until, Kind.SHUTDOWN, victim, 0);
        }
    }

    /** The voters must not forget their promises to the struck node. */
    private void strikeAndRestart(long at) {
        long until = at + 1500 + length();
        boolean isCut = random.nextBoolean();
        add(at, until, isCut ? Kind.CUT : Kind.PAUSE, isCut ? "leader-*" : "leader", 0);
        long soon = at + random.nextInt(500);
        for (NodeId node : shuffled().subList(0, random.nextInt(nodes.size()) + 1)) {
            add(soon, soon + 10 + random.nextInt(200), Kind.CRASH, node.value(), 0);
        }
    }

    /** One after the other is cut off, and comes back in another order. */
    private void swizzleClog(long at) {
        List<NodeId> some = shuffled().subList(0, 1 + random.nextInt(nodes.size()));
        long step = 50 + random.nextInt(400);
        long begin = at;
        for (NodeId node : some) {
            add(begin, at + some.size() * step + random.nextInt(some.size()) * step, Kind.CUT, node + "-*", 0);
            begin += step;
        }
    }

    private void partition(long at) {
        List<NodeId> shuffled = shuffled();
        int cut = 1 + random.nextInt(nodes.size() - 1);
        add(
                at,
                at + length(),
                Kind.CUT,
                names(shuffled.subList(0, cut))
                        + (random.nextInt(3) > 0 ? "-" : ">")
                        + names(shuffled.subList(cut, shuffled.size())),
                0);
    }

    private static String names(List<NodeId> nodes) {
        return String.join(",", nodes.stream().map(NodeId::value).toList());
    }

    /** Nobody reaches anybody but the hub. */
    private String hub() {
        String hub = anybody();
        return "!" + hub + "-!" + hub;
    }

    private void flap(long at) {
        String where = victim() + "-" + (random.nextBoolean() ? "*" : anybody());
        add(at, at + 2 * length(), Kind.FLAP, where, 50 + random.nextInt(700));
    }

    private void weather(long at) {
        String where =
                switch (random.nextInt(4)) {
                    case 0 -> "*-*";
                    case 1 -> victim() + ">*";
                    case 2 -> "*>" + victim();
                    default -> anybody() + "-" + anybody();
                };
        long until = at + 3 * length();
        switch (random.nextInt(3)) {
            case 0 -> add(at, until, Kind.LOSS, where, 5 + random.nextInt(60));
            case 1 -> add(at, until, Kind.DELAY, where, 10 + random.nextInt(600));
            default -> add(at, until, Kind.DUPLICATION, where, 10 + random.nextInt(90));
        }
    }

    private void comeAndGo(long at) {
        String victim = anybody();
        faults.add(new Fault(at, at + length(), Kind.CONTEND, victim + FIRST_PATH, 0));
        for (int i = random.nextInt(4); i >= 0; i--) {
            add(at + i * 300L, at + i * 300L, Kind.RESIGN, "leader" + FIRST_PATH, 0);
        }
        if (setup.isDurable()) {
            // Without a disk, terms come from the wall clock: MemoryTermStore says what that costs.
            add(at, at, Kind.WALL, victim(), random.nextInt(7200) - 3600);
        }
    }

    private void rolling(long at) {
        long begin = at;
        for (NodeId node : nodes) {
            long down = 50 + random.nextInt(600);
            add(begin, begin + down, random.nextBoolean() ? Kind.SHUTDOWN : Kind.CRASH, node.value(), 0);
            begin += down + random.nextInt(1200);
        }
    }

    /** Disks are full while processes come and go: what was not stored must not have been promised. */
    private void disk(long at) {
        List<NodeId> some = shuffled().subList(0, nodes.size() / 2 + 1);
        long until = at + 1000 + length();
        some.forEach(node -> add(at, until + random.nextInt(1000), Kind.DISK_FULL, node.value(), 0));
        long between = at + 100 + random.nextInt(1500);
        for (int i = random.nextInt(3); i >= 0; i--) {
            long begin = between + i * (1300L + random.nextInt(1500));
            some.forEach(node -> add(begin, begin + 10 + random.nextInt(200), Kind.CRASH, node.value(), 0));
        }
    }

    private void majorityAtOnce(long at) {
        long until = at + 10 + random.nextInt(800);
        for (NodeId node : shuffled().subList(0, nodes.size() / 2 + 1)) {
            add(at, until, Kind.CRASH, node.value(), 0);
        }
    }
}
