package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.NodeId;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nominees that are up and never lead: the patience of the others ends that, one after the other. */
class LateNomineeTest {

    private static final String PATH = "/app";
    private static final int SEEDS = Effort.of(25, 7);

    @ParameterizedTest
    @CsvSource({"3, 1", "5, 1", "9, 1", "5, 2", "9, 2", "5, 3", "9, 3"})
    void anotherLeads(int voters, int mute) {
        VirtualCluster cluster = VirtualCluster.ofVoters(voters, 7, new HighestUp());
        cluster.advance(3000);
        NodeId first = new NodeId("n1");
        for (int i = 1; i <= voters; i++) {
            cluster.contend(new NodeId("n" + i), PATH);
            cluster.advance(1000);
        }
        assertThat(cluster.leaders(PATH)).containsExactly(first);
        cluster.drop(f -> f.message() instanceof Claim
                && Integer.parseInt(f.from().value().substring(1)) > 1
                && Integer.parseInt(f.from().value().substring(1)) <= mute + 1);
        cluster.crash(first);
        assertThat(time(cluster)).as(cluster::describe).isLessThan(15_000);
    }

    /** How many milliseconds pass until somebody leads, and a minute at most. */
    private static long time(VirtualCluster cluster) {
        for (int i = 0; i < 600; i++) {
            cluster.advance(100);
            if (!cluster.leaders(PATH).isEmpty()) {
                return i * 100L;
            }
        }
        throw new AssertionError(cluster.describe());
    }

    /**
     * Some contenders with the best ranks reach n3 and those after it alone, which support them: they are up. The disk
     * of one voter is full, so it votes for nobody, and only the contender that ranks last reaches all others.
     */
    private static long time(int voters, int full, List<Integer> cut, int better, int seed) {
        VirtualCluster cluster = VirtualCluster.ofVoters(voters, seed, new HighestUp());
        List<NodeId> ids = new ArrayList<>();
        for (int i = 1; i <= voters; i++) {
            ids.add(new NodeId("n" + i));
        }
        cluster.diskIsFull(new NodeId("n" + full), true);
        cluster.advance(3000);
        for (int i = 0; i <= better; i++) {
            NodeId each = new NodeId("" + (char) ('a' + i));
            cluster.add(VirtualCluster.settings(each, ids));
            cluster.start(each);
            if (i < better) {
                cut.forEach(voter -> cluster.cut(each, new NodeId("n" + voter)));
            }
            cluster.contend(each, PATH);
            cluster.advance(2000);
        }
        return time(cluster);
    }

    // Nobody lies, and who can lead ranks last. The better ones take its votes now and then.
    @ParameterizedTest
    @CsvSource({"5, 1, 4000", "5, 2, 4000", "5, 3, 4000", "5, 4, 6000", "5, 6, 6000", "3, 3, 4000", "3, 6, 6000"})
    void aVoterWithAFullDiskAndABrokenLink(int voters, int better, long medianMax) {
        List<Long> times = new ArrayList<>();
        for (int seed = 1; seed <= SEEDS; seed++) {
            times.add(voters == 5 ? time(5, 4, List.of(1, 2), better, seed) : time(3, 2, List.of(1), better, seed));
        }
        times.sort(null);
        assertThat(times.get(times.size() / 2)).as(times.toString()).isLessThanOrEqualTo(medianMax);
    }

    /** Nominates nobody, ever. */
    private static final class Silent extends HighestUp {
        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            Election other = super.create(membership, timing, options);
            return new Election() {
                @Override
                public List<Effect> on(long now, Event event) {
                    return List.of();
                }

                @Override
                public OptionalInt leader() {
                    return OptionalInt.empty();
                }

                @Override
                public boolean isParticipating() {
                    return true;
                }

                @Override
                public State snapshot() {
                    return other.snapshot();
                }

                @Override
                public void restore(State state) {
                    other.restore(state);
                }
            };
        }
    }

    // The leader crashes; while nobody leads, all but the last two crash as well. Nobody waits for the turns of the
    // dead.
    @ParameterizedTest
    @CsvSource({"4, 1300", "10, 1300", "40, 1300", "20, 600"})
    void thoseThatAreLeftClaimByTheirPresentPlace(int contenders, int later) {
        VirtualCluster cluster = VirtualCluster.ofVoters(3, 7, new Silent());
        List<NodeId> voters = List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3"));
        cluster.advance(3000);
        List<NodeId> all = new ArrayList<>();
        for (int i = 0; i < contenders; i++) {
            NodeId each = new NodeId("c" + (100 + i));
            all.add(each);
            cluster.add(VirtualCluster.settings(each, voters));
            cluster.diskless(each);
            cluster.start(each);
            cluster.contend(each, PATH);
            cluster.advance(500);
        }
        cluster.await("c100 leads", 20_000, () -> !cluster.leaders(PATH).isEmpty());
        cluster.advance(3000);
        cluster.crash(all.get(0));
        cluster.advance(later);
        all.subList(1, contenders - 2).forEach(cluster::crash);
        assertThat(time(cluster)).as(cluster::describe).isLessThanOrEqualTo(2000);
    }

    // The leader dies while five of nine voters cannot store: all others wait, and are not to claim all the time.
    @ParameterizedTest
    @CsvSource({"40, 1, 5", "20, 10, 5"})
    void claimsWhileNobodyCanLead(int contenders, int paths, int oneWayMillis) {
        int count = 9;
        VirtualCluster cluster = VirtualCluster.ofVoters(count, 5, new HighestUp());
        List<NodeId> voters = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            voters.add(new NodeId("n" + i));
        }
        cluster.delays(500 * oneWayMillis, 1000 * oneWayMillis);
        cluster.advance(3000);
        for (int i = 0; i < contenders; i++) {
            NodeId each = new NodeId("c" + (100 + i));
            cluster.add(VirtualCluster.settings(each, voters));
            cluster.diskless(each);
            cluster.start(each);
            for (int p = 0; p < paths; p++) {
                cluster.contend(each, "/p" + p);
            }
            if (i == 0) {
                cluster.await(
                        "c100 leads", 20_000, () -> !cluster.leaders("/p0").isEmpty());
            }
        }
        cluster.advance(5000);
        // They have terms reserved until they start again.
        for (int i = 0; i <= count / 2; i++) {
            cluster.crash(voters.get(i));
            cluster.diskIsFull(voters.get(i), true);
            cluster.start(voters.get(i));
            cluster.advance(3000);
        }
        cluster.crash(new NodeId("c100"));
        cluster.advance(25_000);
        Map<String, Integer> by = new TreeMap<>();
        int[] all = {0, 0};
        cluster.network(f -> {
            all[1]++;
            if (f.message() instanceof Claim) {
                all[0]++;
                by.merge(f.from().value(), 1, Integer::sum);
            }
        });
        cluster.advance(10_000);
        String rate = all[0] / 10 + " claims and " + all[1] / 10 + " messages in a second, of " + by.size() + " nodes";
        for (int i = 0; i <= count / 2; i++) {
            cluster.diskIsFull(voters.get(i), false);
        }
        boolean wasLed = !cluster.leaders("/p0").isEmpty();
        cluster.await("all are led; " + rate, 120_000, () -> {
            for (int p = 0; p < paths; p++) {
                if (cluster.leaders("/p" + p).isEmpty()) {
                    return false;
                }
            }
            return true;
        });
        assertThat(wasLed).isFalse();
        // Three go on with their back-offs alone; the others wait for a turn each time, which is a harmonic sum.
        assertThat(all[0] / 10).as(rate).isLessThan(300 * paths);
    }
}
