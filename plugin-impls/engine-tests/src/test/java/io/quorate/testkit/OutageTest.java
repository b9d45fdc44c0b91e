package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Profile;
import io.quorate.core.settings.NodeSettings;
import io.quorate.engine.LeaseTiming;
import io.quorate.runtime.DriverProvider;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import io.quorate.testkit.simulation.VirtualTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How long an outage of its network, or a pause of its process, a leader survives, with the production driver; the
 * table of docs/settings.md#profiles says so. Prints how often leadership was lost by length. A sample has the longest
 * that must not cost it, and those that must.
 */
class OutageTest {

    private static final String PATH = "/app/leader";
    private static final int SEEDS = 8;

    /** A heartbeat and its answer, with a margin, in nanoseconds: the network takes at most 1 ms each way. */
    private static final long ROUND_TRIP = 3 * VirtualTime.MILLI;

    private enum Trouble {
        OUTAGE {
            @Override
            void begin(VirtualCluster cluster, NodeId leader) {
                cluster.isolate(leader);
            }

            @Override
            void end(VirtualCluster cluster, NodeId leader) {
                cluster.heal();
            }

            /** It may cut off an answer, and when it ends the next heartbeat may be a whole period away. */
            @Override
            long covered(LeaseTiming lease) {
                return ((lease.belief() - ROUND_TRIP) / lease.heartbeat() - 1) * lease.heartbeat() - ROUND_TRIP;
            }
        },
        PAUSE {
            @Override
            void begin(VirtualCluster cluster, NodeId leader) {
                cluster.pause(leader);
            }

            @Override
            void end(VirtualCluster cluster, NodeId leader) {
                cluster.resume(leader);
            }

            /** Whoever was paused sends its heartbeat at once. */
            @Override
            long covered(LeaseTiming lease) {
                return lease.belief() - lease.heartbeat() - ROUND_TRIP;
            }
        };

        abstract void begin(VirtualCluster cluster, NodeId leader);

        abstract void end(VirtualCluster cluster, NodeId leader);

        /** The longest that the lease covers wherever in a heartbeat period it begins. */
        abstract long covered(LeaseTiming lease);
    }

    private static List<NodeSettings> nodes(Profile profile) {
        return ClusterSettings.ofVoters(3).profile(profile).nodes().stream()
                .map(DriverProvider::nodeSettings)
                .toList();
    }

    /** Whether the leader of three loses its leadership to a trouble of this length. */
    private static boolean isLost(Profile profile, Trouble trouble, long nanos, int seed) {
        VirtualCluster cluster = new VirtualCluster(seed, new HighestUp());
        cluster.network().inOrder();
        nodes(profile).forEach(node -> cluster.addDriver(node, Optional.empty()));
        nodes(profile).forEach(node -> cluster.start(node.self()));
        nodes(profile).forEach(node -> cluster.contend(node.self(), PATH));
        long support = profile.supportDuration().toNanos();
        VirtualTime time = cluster.time();
        time.advanceTo(4 * support + profile.heartbeat().toNanos() * seed / SEEDS);
        NodeId leader = cluster.leader(PATH).orElseThrow();
        int changes = cluster.log().size();
        trouble.begin(cluster, leader);
        time.advanceTo(time.now() + nanos);
        trouble.end(cluster, leader);
        time.advanceTo(time.now() + 2 * support);
        return cluster.log().size() > changes;
    }

    private static int losses(Profile profile, Trouble trouble, long nanos) {
        int losses = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            losses += isLost(profile, trouble, nanos, seed) ? 1 : 0;
        }
        return losses;
    }

    @ParameterizedTest
    @EnumSource
    void outagesWithinTheLeaseCostNoLeadership(Profile profile) {
        LeaseTiming lease = nodes(profile).get(0).lease();
        for (Trouble trouble : Trouble.values()) {
            long covered = trouble.covered(lease);
            StringBuilder table = new StringBuilder(
                    String.format("%s, %s: times lost of %d, by milliseconds:", profile, trouble, SEEDS));
            long step = lease.heartbeat() / 5;
            for (long length = covered % step; length <= lease.belief() + step; length += step) {
                boolean isAtAnEdge = length > covered - 3 * step && length <= covered || length > lease.belief();
                if (!isAtAnEdge && !Effort.isWhole()) {
                    continue;
                }
                int losses = losses(profile, trouble, length);
                table.append(String.format(Locale.ROOT, " %d:%d", length / VirtualTime.MILLI, losses));
                if (length <= covered) {
                    assertThat(losses)
                            .as("%s %s of %d ns", profile, trouble, length)
                            .isZero();
                } else if (length > lease.belief()) {
                    assertThat(losses)
                            .as("%s %s of %d ns", profile, trouble, length)
                            .isEqualTo(SEEDS);
                }
            }
            System.out.println(table);
        }
    }
}
