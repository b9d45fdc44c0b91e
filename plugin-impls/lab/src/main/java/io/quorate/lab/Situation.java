package io.quorate.lab;

import io.quorate.spi.Effect;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.testkit.model.AlgorithmFailed;
import io.quorate.testkit.simulation.ElectionCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A leader has died, and some of the others notice it. The messages of the election that follows are counted with the
 * shipped machines: docs/lab.md#messages-over-the-number-of-processes. A line of {@code situations.txt} has each situation
 * of the documents with its formula, such as docs/algorithms/lcr.md#message-counts.
 *
 * @param order    of the ring, or the case of an algorithm without a ring; ANY for all of them
 * @param ways     documented, hardened or both
 * @param notice   which processes notice the death
 * @param isLowest whether the leader was the lowest process, and not the highest
 * @param words    what is counted; without a comma
 * @param formula  as people write it; {@code none} if there is none
 * @param factors  of the formula as a sum of N^2, N and 1; a word for the sum of 1/k
 */
record Situation(
        String algorithm,
        Order order,
        List<LabWay> ways,
        Notice notice,
        boolean isLowest,
        String words,
        String formula,
        String factors) {

    /** The order of the processes on a ring. */
    enum Order {
        WORST,
        BEST,
        RANDOM,
        ANY;

        /** In the worst order identifiers descend along the ring, in the best they ascend. */
        private List<Integer> ring(int size, SplittableRandom random) {
            List<Integer> ring =
                    new ArrayList<>(IntStream.range(0, size).boxed().toList());
            if (this == WORST) {
                Collections.reverse(ring);
            } else if (this == RANDOM) {
                // Neighbouring seeds would give similar rings without this.
                Collections.shuffle(ring, new Random(random.nextLong()));
            }
            return ring;
        }
    }

    /** Which processes notice that the leader has died. All that do, do at one moment. */
    enum Notice {
        ALL,
        /** The process that sends to the leader on the ring; in the order of the numbers the second highest. */
        PREDECESSOR,
        /** One that the seed draws. */
        ONE
    }

    private static final Timing TIMING = new Timing(10);

    /** What a machine only says that it lives with: docs/algorithms/three-phase.md#message-counts does not count it. */
    private static final Set<String> HEARTBEATS = Set.of("Heartbeat", "HeartbeatAck");

    /** An election that has not ended after this time, in delta, and 20 more for each process, has failed. */
    private static final int DELTAS_MAX = 200;

    private static Situation of(String line) {
        String[] parts = line.split(" / ", -1);
        return new Situation(
                parts[0],
                Order.valueOf(parts[1].toUpperCase(Locale.ROOT)),
                parts[2].equals("both")
                        ? List.of(LabWay.DOCUMENTED, LabWay.HARDENED)
                        : List.of(LabWay.valueOf(parts[2].toUpperCase(Locale.ROOT))),
                Notice.valueOf(parts[3].toUpperCase(Locale.ROOT)),
                parts[4].equals("lowest"),
                parts[5],
                parts[6],
                parts[7]);
    }

    /** Those of an algorithm; for one of others there is one, without a formula. */
    static List<Situation> ofAlgorithm(String name) {
        List<Situation> own = Resource.lines("situations.txt")
                .map(Situation::of)
                .filter(one -> one.algorithm.equals(name))
                .toList();
        return own.isEmpty() ? List.of(of(name + " / any / both / all / highest / all notice / none / none")) : own;
    }

    boolean hasFormula() {
        return !formula.equals("none");
    }

    /** The formula; not a number if there is none. */
    double messages(int size) {
        if (!hasFormula()) {
            return Double.NaN;
        }
        int living = size - 1;
        if (factors.equals("harmonic")) {
            return living
                    + IntStream.rangeClosed(1, living)
                            .mapToDouble(k -> 1.0 * living / k)
                            .sum();
        }
        double[] factor =
                Stream.of(factors.split(" ")).mapToDouble(Double::parseDouble).toArray();
        return factor[0] * size * size + factor[1] * size + factor[2];
    }

    /**
     * Counts the messages from the death of the leader until all that live follow one of them, take part in no election,
     * and nothing is on its way to any of them. Sends to the dead leader count. Empty if that does not come.
     *
     * @param of      the order of the ring
     * @param isDrawn whether the seed draws delays, from half a delta to delta, and timers; otherwise messages take half a
     *                delta, and timers are as short as they may be
     * @throws AlgorithmFailed if the algorithm throws
     */
    OptionalLong count(ElectionAlgorithm machines, LabWay chosen, int size, Order of, long seed, boolean isDrawn) {
        return AlgorithmFailed.asked(machines, () -> "an election of " + size + " processes", () -> new Count(
                        machines, chosen, size, of, new SplittableRandom(seed), isDrawn)
                .run(this));
    }

    /** One run. */
    private static final class Count {
        private final ElectionCluster cluster;
        private final List<Integer> ring;
        private final SplittableRandom random;
        private long sent;
        private long onTheirWay;
        private int dead = -1;

        Count(ElectionAlgorithm machines, LabWay way, int size, Order order, SplittableRandom random, boolean isDrawn) {
            this.random = random;
            ring = order.ring(size, random);
            Options options = new Options(way.variant(), false, false);
            Set<Integer> voters = Set.copyOf(ring);
            cluster = new ElectionCluster(
                    machines,
                    size,
                    size,
                    process -> machines.create(new Membership(process, size, 0, ring, voters), TIMING, options));
            cluster.lenient();
            if (isDrawn) {
                cluster.latency(() -> random.nextLong(TIMING.delta() / 2, TIMING.delta() + 1));
                cluster.timerDelay(timer -> random.nextLong(timer.delayMin(), timer.delayMax() + 1));
            }
            cluster.observe((process, event, effects) -> {
                if (event instanceof Event.Received received && isCounted(received.message())) {
                    onTheirWay--;
                }
                effects.forEach(this::look);
            });
        }

        private void look(Effect effect) {
            if (effect instanceof Effect.Send send && isCounted(send.message())) {
                sent++;
                onTheirWay += send.to() == dead ? 0 : 1;
            }
        }

        private static boolean isCounted(Message message) {
            return !HEARTBEATS.contains(message.getClass().getSimpleName());
        }

        OptionalLong run(Situation situation) {
            int size = cluster.contenders();
            OptionalInt told = OptionalInt.of(situation.isLowest ? 0 : size - 1);
            ring.stream().sorted().forEach(process -> cluster.start(process, told));
            if (!hasSettled()) {
                return OptionalLong.empty();
            }
            dead = cluster.leaders().get(0);
            int predecessor = ring.get((ring.indexOf(dead) + size - 1) % size);
            cluster.crash(dead);
            sent = 0;
            List<Integer> survivors = cluster.running();
            int drawn = survivors.get(random.nextInt(survivors.size()));
            for (int survivor : survivors) {
                if (situation.notice == Notice.ALL
                        || survivor == (situation.notice == Notice.ONE ? drawn : predecessor)) {
                    cluster.setSuspected(survivor, dead, true);
                }
            }
            return hasSettled() ? OptionalLong.of(sent) : OptionalLong.empty();
        }

        /** Has time pass until the election is over. */
        private boolean hasSettled() {
            long end = cluster.now() + TIMING.deltas(DELTAS_MAX + 20 * cluster.contenders());
            while (cluster.now() < end && !isOver()) {
                cluster.runUntil(cluster.now() + 1);
            }
            return isOver();
        }

        private boolean isOver() {
            // Asked each millisecond, and mostly answered by this number.
            if (onTheirWay != 0) {
                return false;
            }
            List<Integer> running = cluster.running();
            OptionalInt leader = cluster.election(running.get(0)).leader();
            return leader.isPresent()
                    && running.contains(leader.getAsInt())
                    && running.stream()
                            .map(cluster::election)
                            .allMatch(one ->
                                    !one.isParticipating() && one.leader().equals(leader));
        }
    }
}
