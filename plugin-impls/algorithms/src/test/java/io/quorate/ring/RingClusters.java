package io.quorate.ring;

import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.ElectionCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Clusters whose processes stand in a ring of some order, and what the tests of both rings do with them. Delta is 10. */
public final class RingClusters {

    private RingClusters() {}

    /** A cluster of the shipped machines, which are not started. */
    public static ElectionCluster of(ElectionAlgorithm algorithm, List<Integer> ring, Options options) {
        return of(algorithm, ring, membership -> algorithm.create(membership, new Timing(10), options));
    }

    /** The same of machines that the test makes. */
    public static ElectionCluster of(
            ElectionAlgorithm algorithm, List<Integer> ring, Function<Membership, Election> machines) {
        int size = ring.size();
        return new ElectionCluster(
                algorithm, size, size, process -> machines.apply(new Membership(process, size, 0, ring, Set.of())));
    }

    /** The processes 0, 1, 2 and so on; a new list. */
    public static List<Integer> ascending(int size) {
        return new ArrayList<>(IntStream.range(0, size).boxed().toList());
    }

    private static List<Integer> shuffled(int size, Random random) {
        List<Integer> ring = ascending(size);
        Collections.shuffle(ring, random);
        return ring;
    }

    /** All rings of so many processes, each of them once: from process 0 on. */
    public static List<List<Integer>> all(int size) {
        List<List<Integer>> rings = new ArrayList<>();
        permute(ascending(size), 1, rings);
        return rings;
    }

    private static void permute(List<Integer> ring, int from, List<List<Integer>> all) {
        if (from == ring.size()) {
            all.add(List.copyOf(ring));
        }
        for (int i = from; i < ring.size(); i++) {
            Collections.swap(ring, from, i);
            permute(ring, from + 1, all);
            Collections.swap(ring, from, i);
        }
    }

    /** Starts all processes at once. */
    public static void startAll(ElectionCluster cluster) {
        ascending(cluster.contenders()).forEach(cluster::start);
    }

    /** All processes follow the highest, which dies; none has noticed. */
    public static void startWithDeadLeader(ElectionCluster cluster) {
        int dead = cluster.contenders() - 1;
        ascending(cluster.contenders()).forEach(process -> cluster.start(process, OptionalInt.of(dead)));
        cluster.crash(dead);
    }

    /** Whether all that run follow this process. */
    public static boolean isElected(ElectionCluster cluster, int leader) {
        return cluster.running().stream()
                .allMatch(process -> cluster.election(process).leader().equals(OptionalInt.of(leader)));
    }

    /**
     * How many runs do not elect the highest process that runs. Run n has the seed n.
     *
     * @param runs    how many runs
     * @param sizeMin clusters have from so many processes up to 5
     * @param cluster makes the cluster of a ring
     * @param plan    what happens in a run
     */
    public static int hangs(
            int runs,
            int sizeMin,
            Function<List<Integer>, ElectionCluster> cluster,
            BiConsumer<ElectionCluster, Random> plan) {
        int hangs = 0;
        for (long seed = 1; seed <= runs; seed++) {
            Random random = new Random(seed);
            ElectionCluster run = cluster.apply(shuffled(sizeMin + random.nextInt(6 - sizeMin), random));
            run.latency(() -> 1 + random.nextInt(10));
            plan.accept(run, random);
            run.runUntil(1000);
            hangs += isElected(run, Collections.max(run.running())) ? 0 : 1;
        }
        return hangs;
    }

    /** The same, where the leader dies, and each of the others notices that at some time within {@code spread}. */
    public static int hangsAfterADeath(
            int runs, int sizeMin, int spread, Function<List<Integer>, ElectionCluster> cluster) {
        return hangs(runs, sizeMin, cluster, (run, random) -> {
            startWithDeadLeader(run);
            int dead = run.contenders() - 1;
            ascending(dead)
                    .forEach(process ->
                            run.at(11 + random.nextInt(spread), () -> run.setSuspected(process, dead, true)));
        });
    }
}
