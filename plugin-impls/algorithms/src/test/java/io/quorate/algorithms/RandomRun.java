package io.quorate.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

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

/**
 * One random run of a cluster of 1 to 5 under faults of one class (docs/algorithms/common.md#measured-runs): delta is
 * 10, latencies are 1 to delta without order, faults end at 120 delta, and then there is time to settle.
 */
public final class RandomRun {

    /** What goes wrong in a run. */
    public enum Faults {
        NONE,
        CRASH,
        CRASH_ALL_BUT_ONE,
        DUPLICATION,
        RESTART,
        PARTITION,
        LOSS,
        SPREAD_STARTS,
        FALSE_SUSPICION,
        EVERYTHING
    }

    private static final int DELTA = 10;
    private static final long FAULTS_END = 120 * DELTA;
    private static final long END = FAULTS_END + 230 * DELTA;

    private final Faults faults;
    private final Random random;
    private final ElectionAlgorithm algorithm;
    private final Options options;
    private final int size;
    private final ElectionCluster cluster;
    private int leadersMax;

    /** Everything about the run follows from the arguments. */
    public RandomRun(ElectionAlgorithm algorithm, Options options, Faults faults, long seed) {
        this.faults = faults;
        this.random = new Random(seed * 31 + faults.ordinal());
        this.algorithm = algorithm;
        this.options = options;
        this.size = 1 + random.nextInt(5);
        this.cluster = new ElectionCluster(algorithm, size, size, this::create);
        cluster.latency(() -> 1 + random.nextInt(DELTA));
        cluster.observe((process, event, effects) ->
                leadersMax = Math.max(leadersMax, cluster.leaders().size()));
        if (!faults.equals(Faults.NONE)) {
            // 1.1 to 3 delta
            cluster.detector(() -> 11 + random.nextInt(20));
        }
    }

    /** A machine of this run. */
    public Election create(int process) {
        return algorithm.create(Membership.of(process, size), new Timing(DELTA), options);
    }

    /** The cluster, for observers and questions. */
    public ElectionCluster cluster() {
        return cluster;
    }

    /** How many processes took themselves for the leader at one time, at most. */
    public int leadersMax() {
        return leadersMax;
    }

    /** Plans the faults and runs to the end. Answers with the number of messages sent in the last 50 delta. */
    public long run() {
        boolean isSpread = is(Faults.SPREAD_STARTS);
        for (int process = 0; process < size; process++) {
            int started = process;
            cluster.at(isSpread ? random.nextInt(30 * DELTA) : 0, () -> cluster.start(started));
        }
        planCrashes();
        planPartition();
        planMessageFaults();
        planFalseSuspicions();
        cluster.runUntil(END - 50 * DELTA);
        long sentBefore = cluster.sent();
        cluster.runUntil(END);
        return cluster.sent() - sentBefore;
    }

    private boolean is(Faults asked) {
        return faults == asked || faults == Faults.EVERYTHING;
    }

    /** Some die for good, at least one survives; or all come back, each after 0.5 to 25 delta. */
    private void planCrashes() {
        List<Integer> victims = new ArrayList<>();
        for (int process = 0; process < size; process++) {
            victims.add(process);
        }
        Collections.shuffle(victims, random);
        boolean forGood = !is(Faults.RESTART);
        victims = victims.subList(
                0,
                switch (faults) {
                    case CRASH, DUPLICATION, LOSS -> (size - 1) / 2;
                    case CRASH_ALL_BUT_ONE -> size - 1;
                    case RESTART, EVERYTHING -> size;
                    default -> 0;
                });
        long time = 5 * DELTA + random.nextInt(50 * DELTA);
        for (int victim : victims) {
            // In a cascade, so that candidates die in the middle of an election.
            time += random.nextInt(6 * DELTA);
            cluster.at(time, () -> cluster.crash(victim));
            if (!forGood) {
                cluster.at(time + 5 + random.nextInt(25 * DELTA), () -> restart(victim));
            }
        }
    }

    private void restart(int process) {
        // With spread starts it may not have run before, and have started since.
        if (!cluster.isRunning(process)) {
            cluster.start(process);
        }
    }

    private void planPartition() {
        if (!is(Faults.PARTITION)) {
            return;
        }
        boolean[] side = new boolean[size];
        for (int process = 0; process < size; process++) {
            side[process] = random.nextBoolean();
        }
        long begin = random.nextInt(60 * DELTA);
        cluster.at(begin, () -> cluster.cut((one, other) -> side[one] != side[other]));
        cluster.at(begin + (10 + random.nextInt(40)) * DELTA, () -> cluster.cut((one, other) -> false));
    }

    private void planMessageFaults() {
        if (is(Faults.LOSS)) {
            cluster.loss((from, to) -> cluster.now() < FAULTS_END && random.nextInt(5) == 0);
        }
        if (is(Faults.DUPLICATION)) {
            cluster.duplication((from, to) -> random.nextInt(5) == 0);
        }
    }

    private void planFalseSuspicions() {
        if (!is(Faults.FALSE_SUSPICION) || size == 1) {
            return;
        }
        for (int count = 1 + random.nextInt(4); count > 0; count--) {
            int one = random.nextInt(size);
            int other = (one + 1 + random.nextInt(size - 1)) % size;
            long begin = random.nextInt(60 * DELTA);
            cluster.at(begin, () -> cluster.setSuspected(one, other, true));
            cluster.at(
                    begin + random.nextInt(20 * DELTA),
                    () -> cluster.setSuspected(one, other, !cluster.isRunning(other)));
        }
    }

    // ---------------------------------------------------------------- what must hold at the end

    /** The leader that all running processes name and have indicated last; fails if there is none. */
    public int agreedLeader() {
        List<OptionalInt> leaders = cluster.running().stream()
                .map(process -> cluster.election(process).leader())
                .distinct()
                .toList();
        assertThat(leaders)
                .as("leaders of %s, size %d, %s", cluster.running(), size, faults)
                .hasSize(1);
        assertThat(leaders.get(0)).as("leader").isPresent();
        int leader = leaders.get(0).getAsInt();
        assertThat(cluster.isRunning(leader)).as("leader %d runs", leader).isTrue();
        for (int process : cluster.running()) {
            assertThat(cluster.nominee(process)).as("indicated at %d", process).hasValue(leader);
            assertThat(cluster.election(process).isParticipating())
                    .as("participates at %d", process)
                    .isFalse();
        }
        return leader;
    }
}
