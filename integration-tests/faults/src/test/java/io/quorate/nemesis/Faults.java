package io.quorate.nemesis;

import io.quorate.demo.Cluster;
import io.quorate.demo.NodeProcess;
import io.quorate.nemesis.LastingFault.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Draws faults for a cluster. Kinds are dealt like cards, so that none is missing for long; whom they strike, half of
 * the time the leader, and for how long, is drawn for each.
 */
final class Faults {

    private final Cluster cluster;
    private final Network network;
    private final Random random;
    private final Deque<Kind> deck;
    /** Nodes whose process is struck in this round already. */
    private final List<String> struck = new ArrayList<>();

    /** @param deck kinds to be dealt; a new deck follows when it is empty */
    Faults(Cluster cluster, Network network, Random random, Deque<Kind> deck) {
        this.cluster = cluster;
        this.network = network;
        this.random = random;
        this.deck = deck;
    }

    /** All kinds, shuffled. */
    static Deque<Kind> deck(Random random) {
        List<Kind> kinds = new ArrayList<>(Arrays.asList(Kind.values()));
        Collections.shuffle(kinds, random);
        return new ArrayDeque<>(kinds);
    }

    /** What happens at once in the next round. */
    List<LastingFault> next() {
        if (deck.isEmpty()) {
            deck.addAll(deck(random));
        }
        return of(deck.remove());
    }

    List<LastingFault> of(Kind kind) {
        struck.clear();
        if (kind != Kind.COMBINATION) {
            return List.of(one(kind));
        }
        List<Kind> kinds = new ArrayList<>(
                Arrays.stream(Kind.values()).filter(Kind::canBeCombined).toList());
        Collections.shuffle(kinds, random);
        return List.of(one(kinds.get(0)), one(kinds.get(1)));
    }

    private LastingFault one(Kind kind) {
        return switch (kind) {
            case KILL -> kill();
            case KILL_OF_ALL -> killAll();
            case WIPE -> wipe();
            case SHORT_PAUSE -> pause(node(), millis(50, 700));
            case LONG_PAUSE -> pause(node(), millis(1100, 3000));
            case PAUSE_OF_TWO -> pauseTwo();
            case CUT -> cut(node(), true);
            case ONE_WAY_CUT -> cut(node(), false);
            case DEAFNESS -> deafness(node());
            case MUTENESS -> muteness(node());
            case ISOLATION -> isolation(node());
            case SPLIT -> split();
            case FLAPPING -> flapping(node());
            case REFUSAL -> refusal(node());
            case SLOWNESS -> slowness(node());
            case OVERTAKING -> overtaking(node());
            case COMBINATION -> throw new IllegalArgumentException("consists of others");
        };
    }

    private Duration millis(int min, int max) {
        return Duration.ofMillis(random.nextInt(min, max + 1));
    }

    private String leader() {
        return cluster.leader().life().node();
    }

    /** The leader, or another. */
    private String node() {
        return random.nextBoolean() ? leader() : otherThan(leader());
    }

    private String otherThan(String node) {
        return others(node).get(random.nextInt(cluster.ids().size() - 1));
    }

    private List<String> others(String node) {
        return cluster.ids().stream().filter(id -> !id.equals(node)).toList();
    }

    /** A node whose process is not struck yet. */
    private String strike(String wanted) {
        List<String> left =
                cluster.ids().stream().filter(id -> !struck.contains(id)).toList();
        String node = left.contains(wanted) ? wanted : left.get(0);
        struck.add(node);
        return node;
    }

    private LastingFault kill() {
        String node = strike(node());
        return new LastingFault("kill " + node, millis(0, 2500), () -> kill(List.of(node)), () -> cluster.start(node));
    }

    private LastingFault killAll() {
        return new LastingFault("kill all", millis(0, 500), () -> kill(cluster.ids()), () -> cluster.ids()
                .forEach(cluster::start));
    }

    private LastingFault wipe() {
        String node = strike(node());
        return new LastingFault(
                "kill and wipe " + node, millis(0, 2500), () -> kill(List.of(node)), () -> cluster.startWiped(node));
    }

    private void kill(List<String> victims) {
        List<NodeProcess> processes = victims.stream().map(cluster::node).toList();
        processes.forEach(NodeProcess::kill);
        cluster.await(victims + " have ended", () -> processes.stream().noneMatch(NodeProcess::isAlive));
    }

    private LastingFault pause(String wanted, Duration lasts) {
        String node = strike(wanted);
        return new LastingFault("pause " + node, lasts, () -> cluster.node(node).pause(), () -> cluster.node(node)
                .resume());
    }

    private LastingFault pauseTwo() {
        String one = strike(leader());
        String other = strike(otherThan(one));
        return new LastingFault(
                "pause " + one + " and " + other,
                millis(300, 3000),
                () -> {
                    cluster.node(one).pause();
                    cluster.node(other).pause();
                },
                () -> {
                    cluster.node(one).resume();
                    cluster.node(other).resume();
                });
    }

    private LastingFault ofNetwork(String what, Runnable begins) {
        return new LastingFault(what, millis(800, 4000), begins, () -> {});
    }

    private LastingFault cut(String from, boolean isBothWays) {
        String to = otherThan(from);
        return isBothWays
                ? ofNetwork("cut between " + from + " and " + to, () -> network.cutBothWays(from, to))
                : ofNetwork("cut from " + from + " to " + to, () -> network.cut(from, to));
    }

    private LastingFault deafness(String node) {
        return ofNetwork(node + " is deaf", () -> others(node).forEach(other -> network.cut(other, node)));
    }

    private LastingFault muteness(String node) {
        return ofNetwork(node + " is mute", () -> others(node).forEach(other -> network.cut(node, other)));
    }

    private LastingFault isolation(String node) {
        return ofNetwork(node + " is isolated", () -> network.split(List.of(node), others(node)));
    }

    /** Into a majority and the largest minority. */
    private LastingFault split() {
        List<String> nodes = new ArrayList<>(cluster.ids());
        Collections.shuffle(nodes, random);
        List<String> minority = nodes.subList(0, (nodes.size() - 1) / 2);
        List<String> majority = nodes.subList(minority.size(), nodes.size());
        return ofNetwork("split " + minority + " from " + majority, () -> network.split(minority, majority));
    }

    private LastingFault flapping(String node) {
        int millis = random.nextInt(50, 901);
        return ofNetwork("links of " + node + " change every " + millis + " ms", () -> network.flap(node, millis));
    }

    private LastingFault refusal(String node) {
        return ofNetwork("connections of " + node + " are refused", () -> network.refuse(node));
    }

    private LastingFault slowness(String node) {
        int millis = random.nextInt(20, 301);
        return ofNetwork("links of " + node + " take up to " + millis + " ms", () -> network.delay(node, millis));
    }

    private LastingFault overtaking(String node) {
        int millis = random.nextInt(100, 2001);
        return new LastingFault(
                "links of " + node + " are slow, then overtaken by " + millis + " ms",
                millis(300, 1000),
                () -> network.delay(node, 300),
                () -> network.overtake(node, millis));
    }
}
