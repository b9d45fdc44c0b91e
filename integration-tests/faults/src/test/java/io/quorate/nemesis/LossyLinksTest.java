package io.quorate.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.demo.NodeProcess;
import io.quorate.demo.PluginNames;
import io.quorate.nemesis.LossyNetwork.Weather;
import io.quorate.testkit.simulation.Seeds;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes whose frames are lost, doubled, late and out of order all the time, while some are killed:
 * {@code -Dlossy.seconds=N} for another time than five minutes, {@code -Dseed=N} for one seed, which draws the algorithm.
 *
 * <p>What is lost is one direction of each link at a time, because acknowledgements that come tell of those that do not.
 * The frames are datagrams: over TCP none is ever lost while its connection lasts, and a proxy that cuts frames out of a
 * stream would depend on how each transport writes them.
 */
@Tag("nemesis")
class LossyLinksTest {

    private static final Duration LASTS = Duration.ofSeconds(Integer.getInteger("lossy.seconds", 300));
    private static final double ABSENT_MAX = 0.02;
    private static final int SEEDS = 1_000_000;

    /** Of the profile DEFAULT: a support time and a heartbeat, and what a busy machine adds. */
    private static final Duration FAILOVER = Duration.ofMillis(1_300);
    /** Shorter ones are those of asking once a millisecond. */
    private static final Duration ABSENCE_MIN = Duration.ofMillis(5);
    /** Longer ones are told with what the nodes have said meanwhile. */
    private static final Duration TOLD_MIN = Duration.ofMillis(100);

    /** A run of one cluster. */
    private static final class Run implements AutoCloseable {
        private final PluginNames plugins;
        private final Random random;
        private final LossyNetwork network;
        private final Cluster cluster;
        private final List<String> said = new ArrayList<>();
        private final Map<String, Integer> dead = new TreeMap<>();
        private long begun;

        private Run(int nodes, String algorithm, long seed) {
            plugins = new PluginNames(algorithm, DatagramTransportProvider.NAME);
            random = new Random(seed);
            network = new LossyNetwork(new Random(seed + 1));
            cluster = new Cluster(nodes, plugins, network);
        }

        private void begin() {
            cluster.startAll();
            begun = System.nanoTime();
        }

        private boolean isOver() {
            return System.nanoTime() - begun >= LASTS.toNanos();
        }

        private void round() {
            for (String one : cluster.ids()) {
                for (String other : cluster.ids()) {
                    if (one.compareTo(other) < 0) {
                        boolean isThere = random.nextBoolean();
                        network.set(one, other, weather(isThere));
                        network.set(other, one, weather(!isThere));
                    }
                }
            }
            let(random.nextInt(2_000, 5_000));
            if (random.nextInt(6) == 0) {
                kill(cluster.ids().get(random.nextInt(cluster.ids().size())));
            }
        }

        private Weather weather(boolean loses) {
            return new Weather(loses ? random.nextInt(5, 31) : 0, random.nextInt(11), random.nextInt(101));
        }

        private void kill(String id) {
            // On a busy machine a JVM that was started again is not there yet: with two down nobody can lead.
            cluster.await("all have been connected since their start", () -> cluster.ids().stream()
                    .allMatch(node -> cluster.log(node).contains("CONNECTED: supported by")));
            NodeProcess process = cluster.node(id);
            said.addAll(log(id));
            process.kill();
            cluster.await(id + " has ended", () -> !process.isAlive());
            dead.merge(id, 1, Integer::sum);
            let(random.nextInt(2_500));
            cluster.start(id);
        }

        private void let(int millis) {
            long since = System.nanoTime();
            cluster.await("time passes", () -> System.nanoTime() - since >= millis * 1_000_000L);
        }

        private List<String> log(String id) {
            return cluster.log(id).lines().map(line -> line + " [" + id + "]").toList();
        }

        private void end() {
            long over = System.nanoTime();
            cluster.ids().forEach(id -> said.addAll(log(id)));
            network.heal();
            cluster.await("all agree in the end", new Agreement(cluster));
            LossyNetwork.Counts traffic = network.counts();
            List<Absence> absences = Absence.between(cluster.history(), begun, over, ABSENCE_MIN);
            double absent = seconds(absences.stream().mapToLong(Absence::nanos).sum());
            double beyond = seconds(absences.stream()
                    .mapToLong(each -> each.nanosBeyond(FAILOVER))
                    .sum());
            String summary = String.format(
                    "lossy: %d nodes, %s, %.0f s, %s, killed %s: without a leader %.2f s (%.2f %%), beyond the crashes"
                            + " of leaders %.2f s (%.2f %%), %d times, longest %.2f s; SUSPENDED %d, LOST %d, tenures %d",
                    cluster.ids().size(),
                    plugins,
                    seconds(over - begun),
                    traffic,
                    dead,
                    absent,
                    100 * absent / seconds(over - begun),
                    beyond,
                    100 * beyond / seconds(over - begun),
                    absences.size(),
                    seconds(absences.stream().mapToLong(Absence::nanos).max().orElse(0)),
                    count(": SUSPENDED: "),
                    count(": LOST: "),
                    cluster.history().reigns().size());
            System.out.println(summary);
            String told = told(absences);
            System.out.println(told);
            assertThat(cluster.report().violations())
                    .as(() -> summary + cluster.report())
                    .isEmpty();
            assertThat(cluster.history().faults()).as(summary).isEmpty();
            assertThat(traffic.lost()).as(summary).isGreaterThan(traffic.came() / 50);
            assertThat(traffic.doubled()).as(summary).isPositive();
            assertThat(traffic.overtaken()).as(summary).isPositive();
            assertThat(beyond / seconds(over - begun)).as(summary + told).isLessThan(ABSENT_MAX);
        }

        private static double seconds(long nanos) {
            return nanos / 1e9;
        }

        private long count(String part) {
            return said.stream().filter(line -> line.contains(part)).count();
        }

        /** What the nodes have logged around the longer absences; their clocks are that of this machine. */
        private String told(List<Absence> absences) {
            long now = System.nanoTime();
            LocalTime clock = LocalTime.now(ZoneId.systemDefault());
            return absences.stream()
                    .filter(each -> each.nanos() >= TOLD_MIN.toNanos())
                    .map(each -> {
                        String from = clock.minusNanos(now - each.since() + 400_000_000)
                                .toString();
                        String to = clock.minusNanos(now - each.until() - 20_000_000)
                                .toString();
                        return String.format(
                                        "-- %.3f s from %s, %s%s%n",
                                        seconds(each.nanos()),
                                        clock.minusNanos(now - each.since()),
                                        each.before(),
                                        each.isKilled() ? " was killed" : "")
                                + said.stream()
                                        .filter(line -> line.compareTo(from) >= 0 && line.compareTo(to) <= 0)
                                        .sorted()
                                        .map(line -> "   " + line + "\n")
                                        .collect(Collectors.joining());
                    })
                    .collect(Collectors.joining());
        }

        @Override
        public void close() {
            cluster.close();
            network.close();
        }
    }

    // docs/protocol.md#liveness: a leader that is alive with a timely majority is never replaced against its will.
    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void aLeaderIsThereNearlyAllTheTime(int nodes) {
        Seeds.each(1, ThreadLocalRandom.current().nextInt(SEEDS), seed -> {
            String algorithm = NemesisTest.ALGORITHMS.get((int) (seed % NemesisTest.ALGORITHMS.size()));
            System.out.println("lossy: seed=" + seed + ", " + algorithm);
            try (Run run = new Run(nodes, algorithm, seed)) {
                run.begin();
                while (!run.isOver()) {
                    run.round();
                }
                run.end();
            }
        });
    }
}
