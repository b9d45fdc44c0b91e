package io.quorate.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.demo.Launch;
import io.quorate.demo.NodeProcess;
import io.quorate.demo.PluginNames;
import io.quorate.demo.RunHistory.Answers;
import io.quorate.history.Report;
import io.quorate.nemesis.LastingFault.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/**
 * A cluster of processes to which one thing after another happens. A round: a fault, or two, for a while; everything is
 * mended; one leader has to come whom everybody knows; and what was seen so far has to keep every rule.
 */
final class Rounds implements AutoCloseable {

    private static final int ATTEMPTS_MAX = 10;

    private final PluginNames plugins;
    private final Network network;
    private final Cluster cluster;
    private final Faults faults;
    private final List<String> story = new ArrayList<>();

    Rounds(int nodes, PluginNames plugins, Random random) {
        this(nodes, plugins, random, Faults.deck(random), UnaryOperator.identity());
    }

    /**
     * A cluster with no node started.
     *
     * @param deck  what is dealt first
     * @param alter makes of how nodes are started how they are started here
     */
    Rounds(int nodes, PluginNames plugins, Random random, Deque<Kind> deck, UnaryOperator<Launch> alter) {
        this.plugins = plugins;
        // A random of its own, because it is asked at moments that nobody can foresee.
        this.network = new Network(new Random(random.nextLong()));
        this.cluster = new Cluster(nodes, plugins, alter.apply(network));
        this.faults = new Faults(cluster, network, random, deck);
    }

    /** Three nodes that are started in another way than usual. */
    static Rounds altered(PluginNames plugins, Random random, UnaryOperator<Launch> alter) {
        return new Rounds(3, plugins, random, Faults.deck(random), alter);
    }

    Cluster cluster() {
        return cluster;
    }

    /** What passed through the network so far. */
    FaultyLink.Counts traffic() {
        return network.counts();
    }

    /** The first round: nothing happens. */
    void start() {
        cluster.startAll();
        settle("all start", System.nanoTime());
    }

    /** A round with the fault that is dealt next. */
    void next() {
        run(faults.next());
    }

    /** A round with such a fault. */
    void next(Kind kind) {
        run(faults.of(kind));
    }

    private void run(List<LastingFault> together) {
        String what =
                String.join(", ", together.stream().map(LastingFault::toString).toList());
        long begun = System.nanoTime();
        together.forEach(fault -> fault.begins().run());
        together.stream().sorted(Comparator.comparing(LastingFault::lasts)).forEach(fault -> {
            let(begun, fault.lasts());
            fault.ends().run();
        });
        long healed = System.nanoTime();
        network.heal();
        settle(what, healed);
    }

    /** A round with a pause that is just long enough. */
    void pauseLeaderUntilAnotherLeads() {
        long token = cluster.history().lastLeader().orElseThrow().token();
        NodeProcess leader = cluster.leader();
        leader.pause();
        cluster.awaitLeaderAfter(token);
        long resumed = leader.resume();
        cluster.await(
                "the resumed node answers",
                () -> cluster.history().answersSince(leader.life().node(), resumed) > 0);
        settle("pause of " + leader.life().node() + " until another leads", resumed);
    }

    /** A round in which the leader is cut off, until another leads and for a while longer; it does not agree. */
    void isolateLeaderUntilAnotherLeads(Duration longer) {
        int attempts = 0;
        boolean hasAgreed;
        do {
            assertThat(attempts++).as(this::describe).isLessThan(ATTEMPTS_MAX);
            String leader = cluster.leader().life().node();
            long token = cluster.history().lastLeader().orElseThrow().token();
            network.split(List.of(leader), cluster.ids());
            cluster.awaitLeaderAfter(token);
            // Then leadership had changed by itself just before.
            hasAgreed = hasAgreedWithin(longer);
            network.heal();
            settle(leader + " is isolated until another leads", System.nanoTime());
        } while (hasAgreed);
    }

    private boolean hasAgreedWithin(Duration lasts) {
        Agreement agreement = new Agreement(cluster);
        AtomicBoolean hasAgreed = new AtomicBoolean();
        long since = System.nanoTime();
        cluster.await("time passes", () -> {
            hasAgreed.compareAndSet(false, agreement.get().isPresent());
            return System.nanoTime() - since >= lasts.toNanos();
        });
        return hasAgreed.get();
    }

    /** As many rounds as it takes until this node leads. */
    void lead(String node) {
        for (int round = 0; !cluster.leader().life().node().equals(node); round++) {
            assertThat(round).as(this::describe).isLessThan(ATTEMPTS_MAX);
            pauseLeaderUntilAnotherLeads();
        }
    }

    /** A round in which these die, the leader among them, and the others have to go on. */
    void kill(List<String> victims) {
        List<NodeProcess> processes = victims.stream().map(cluster::node).toList();
        processes.forEach(NodeProcess::kill);
        cluster.await(victims + " have ended", () -> processes.stream().noneMatch(NodeProcess::isAlive));
        Answers next = cluster.await("another leads", () -> cluster.history()
                .lastLeader()
                .filter(leader -> !victims.contains(leader.life().node())));
        long healed = System.nanoTime();
        victims.forEach(cluster::start);
        settle("kill " + victims + ", " + next.life() + " leads", healed);
    }

    /** Time passes, in which no process may end by itself. */
    private void let(long since, Duration lasts) {
        cluster.await("time passes", () -> System.nanoTime() - since >= lasts.toNanos());
    }

    private void settle(String what, long healed) {
        story.add(what);
        Answers leader = cluster.await("all agree on a leader after " + story, new Agreement(cluster));
        story.set(
                story.size() - 1,
                what + " -> " + leader.life() + " with token " + leader.token() + ", agreed "
                        + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - healed) + " ms after healing");
        check();
    }

    /** @throws AssertionError if a rule was broken in any round so far; with the rounds and the history */
    void check() {
        Report report = cluster.report();
        assertThat(report.violations()).as(() -> describe() + report).isEmpty();
        assertThat(cluster.history().faults()).as(this::describe).isEmpty();
    }

    /** The rounds so far. */
    String describe() {
        return plugins + ", rounds:\n  " + String.join("\n  ", story) + "\n";
    }

    @Override
    public void close() {
        cluster.close();
        network.close();
    }
}
