package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.Connection;
import io.quorate.spi.NodeId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One process under each id, which is restarted. No second one runs at any time. */
class RestartedVoterTest {

    private static final String PATH = "/app/leader";
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final List<NodeId> VOTERS = List.of(N1, N2, N3);

    @TempDir
    private Path directory;

    private final List<VirtualDisk> disks = new ArrayList<>();
    private VirtualCluster cluster;

    private void cluster(long seed, boolean hasDisk) {
        cluster = new VirtualCluster(seed, new HighestUp());
        VOTERS.forEach(id -> cluster.addDriver(
                VirtualCluster.settings(id, VOTERS), hasDisk ? Optional.of(disk(id)) : Optional.empty()));
    }

    private VirtualDisk disk(NodeId id) {
        Path parent = directory.resolve("" + disks.size());
        assertThat(parent.toFile().mkdir()).isTrue();
        VirtualDisk disk = new VirtualDisk(parent, id, "test");
        disks.add(disk);
        return disk;
    }

    @AfterEach
    void close() {
        disks.forEach(VirtualDisk::close);
    }

    private void leads(long seed, boolean hasDisk) {
        cluster(seed, hasDisk);
        VOTERS.forEach(cluster::start);
        cluster.advance(2_000);
        cluster.contend(N1, PATH);
        cluster.await("n1 leads", 5_000, () -> cluster.leaders(PATH).equals(List.of(N1)));
    }

    private void trouble(VirtualNetwork.Trouble trouble, int amount) {
        for (NodeId from : VOTERS) {
            for (NodeId to : VOTERS) {
                if (!from.equals(to)) {
                    cluster.network().trouble(from, to, trouble, amount);
                }
            }
        }
    }

    private boolean isConnected(NodeId id) {
        List<Connection> all = cluster.connections(id);
        String last = all.isEmpty() ? "" : all.get(all.size() - 1).toString();
        return last.equals("CONNECTED") || last.equals("RECONNECTED");
    }

    /** n2 is down, n3 is restarted: from its start until n1 leads. Virtual time. */
    @Test
    void aRestartedVoterCountsSoonOverLinksThatLoseAndDelay() {
        for (int[] net : new int[][] {{0, 0}, {0, 100}, {0, 300}, {10, 0}, {20, 0}, {30, 0}, {20, 100}}) {
            for (int gap : new int[] {50, 400, 3_000}) {
                for (int times : new int[] {1, 4}) {
                    List<Long> led = new ArrayList<>();
                    for (long seed = 1; seed <= 2; seed++) {
                        leads(seed, seed % 2 == 0);
                        cluster.crash(N2);
                        cluster.advance(3_000);
                        trouble(VirtualNetwork.Trouble.LOSS, net[0]);
                        trouble(VirtualNetwork.Trouble.DELAY, net[1]);
                        cluster.crash(N3);
                        for (int i = 1; i < times; i++) {
                            cluster.advance(gap);
                            cluster.start(N3);
                            cluster.advance(300);
                            cluster.crash(N3);
                        }
                        cluster.advance(gap);
                        cluster.start(N3);
                        long lead = -1;
                        for (long t = 0; t < 30_000 && lead < 0; t += 5) {
                            cluster.advance(5);
                            boolean isLate = t >= 950;
                            if (lead < 0 && isLate && !cluster.leaders(PATH).isEmpty()) {
                                lead = t;
                            }
                        }
                        led.add(lead < 0 ? 30_000 : lead);
                    }
                    assertThat(led).as("loss %d, delay %d", net[0], net[1]).allMatch(millis -> millis < 15_000);
                }
            }
        }
    }

    /** Restarts within less than a support time, over links on which frames are late, doubled and lost, with pauses. */
    @Test
    void nobodyEndsForItsOwnFormerLife() {
        List<String> said = new ArrayList<>();
        for (long seed = 1; seed <= 8 && said.isEmpty(); seed++) {
            Random random = new Random(seed);
            leads(seed, seed % 2 == 0);
            VOTERS.forEach(id -> cluster.contend(id, PATH));
            trouble(VirtualNetwork.Trouble.DELAY, new int[] {0, 20, 80, 200, 500, 1_500}[random.nextInt(6)]);
            trouble(VirtualNetwork.Trouble.DUPLICATION, 30);
            trouble(VirtualNetwork.Trouble.LOSS, random.nextInt(30));
            for (int i = 0; i < 40; i++) {
                NodeId victim = VOTERS.get(random.nextInt(3));
                NodeId paused = VOTERS.get(random.nextInt(3));
                boolean pauses = !paused.equals(victim) && random.nextBoolean();
                if (pauses) {
                    cluster.pause(paused);
                    cluster.advance(random.nextInt(400));
                }
                cluster.crash(victim);
                cluster.advance(1 + random.nextInt(250));
                cluster.start(victim);
                cluster.contend(victim, PATH);
                cluster.advance(random.nextInt(400));
                if (pauses) {
                    cluster.resume(paused);
                }
                cluster.advance(random.nextInt(3) == 0 ? 1_700 : 100);
                for (NodeId each : VOTERS) {
                    String text = cluster.process(each).host().describe();
                    if (text.contains("stopped") || cluster.failure(each).isPresent()) {
                        said.add("seed " + seed + ", " + i + ": " + text + cluster.failure(each));
                    }
                }
            }
        }
        assertThat(said).isEmpty();
    }

    /** Its former life keeps the place until it says farewell, or has been silent for a support time. */
    @Test
    void restartedVoterWaitsForItsPlaceUnlessItHasSaidFarewell() {
        for (boolean isKilled : new boolean[] {true, false}) {
            leads(1, true);
            cluster.advance(300);
            if (isKilled) {
                cluster.crash(N3);
            } else {
                cluster.process(N3).shutdown();
            }
            // The farewell arrives before the next life says anything.
            cluster.advance(100);
            cluster.start(N3);
            cluster.advance(500);
            String soon = cluster.process(N3).host().describe();
            assertThat(soon.contains("CONNECTED, supported by [n1, n2]")).isEqualTo(!isKilled);
            assertThat(soon.contains("refused by n1")).isEqualTo(isKilled);
            cluster.advance(1_000);
            assertThat(cluster.process(N3).host().describe()).contains("CONNECTED, supported by [n1, n2");
        }
    }

    private int ledOfTen(boolean isRestarted, int silent, int heard) {
        leads(1, true);
        cluster.crash(N2);
        cluster.advance(3_000);
        if (isRestarted) {
            cluster.crash(N3);
            cluster.advance(200);
            cluster.start(N3);
            cluster.advance(300);
        }
        int led = 0;
        for (int i = 0; i < 30; i++) {
            cluster.cut(N1, N3);
            for (int t = 0; t < silent; t += 10) {
                cluster.advance(10);
                led += cluster.leaders(PATH).isEmpty() ? 0 : 10;
            }
            cluster.heal();
            for (int t = 0; t < heard; t += 10) {
                cluster.advance(10);
                led += cluster.leaders(PATH).isEmpty() ? 0 : 10;
            }
        }
        return led;
    }

    /** The link stalls again and again, for longer than half of a support time and less than a belief lasts. */
    @Test
    void aRestartedVoterCountsInTheEndThoughTheLinkStalls() {
        for (int silent : new int[] {520, 560, 600}) {
            for (int heard : new int[] {300, 500, 800}) {
                int never = ledOfTen(false, silent, heard);
                int restarted = ledOfTen(true, silent, heard);
                assertThat(restarted)
                        .as("ms with a leader, silent " + silent + ", heard " + heard + "; " + never
                                + " without a restart")
                        .isGreaterThan(never / 2);
            }
        }
    }
}
