package io.quorate.testkit.simulation;

import io.quorate.Profile;
import io.quorate.core.settings.NodeSettings;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import io.quorate.testkit.simulation.VirtualNetwork.Trouble;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Three voters, and two more processes that may run under the id of the third one. Everybody hears all of them, and is
 * heard by all of them.
 */
abstract class TwinVoters {

    static final String PATH = "/app/leader";
    static final NodeId N1 = new NodeId("n1");
    static final NodeId N2 = new NodeId("n2");
    static final NodeId N3 = new NodeId("n3");
    /** The second process of n3. */
    static final NodeId SECOND = new NodeId("n3-second");
    /** The third process of n3. */
    static final NodeId THIRD = new NodeId("n3-third");

    static final List<NodeId> VOTERS = List.of(N1, N2, N3);

    /** All processes run with its times. */
    Profile profile = Profile.DEFAULT;

    VirtualCluster cluster;
    /** What was started and not crashed. */
    final Set<NodeId> here = new HashSet<>();

    private NodeSettings settings(NodeId self) {
        LeaseTiming lease = new LeaseTiming(
                profile.heartbeat().toNanos(), profile.supportDuration().toNanos(), 10);
        return new NodeSettings(
                "test", self, VOTERS, lease, new Timing(profile.delta().toNanos()), RankOrder.JOIN_ORDER, 0, false);
    }

    /** Scales a duration of the default profile to this one. */
    final int scaled(int millis) {
        return (int) (millis * profile.supportDuration().toMillis() / 1_000);
    }

    /** A new cluster, of which nothing runs. */
    final void cluster(long seed) {
        here.clear();
        cluster = new VirtualCluster(seed, new HighestUp());
        VOTERS.forEach(id -> cluster.addDriver(settings(id), Optional.empty()));
        for (NodeId other : List.of(SECOND, THIRD)) {
            cluster.addDriver(settings(other), Optional.empty());
            cluster.process(other).host().configure(settings(N3), new HighestUp());
        }
        // What n1 and n2 send to n3 reaches all of its processes.
        cluster.network(flight -> {
            if (flight.to().equals(N3)
                    && (flight.from().equals(N1) || flight.from().equals(N2))) {
                for (NodeId other : List.of(SECOND, THIRD)) {
                    cluster.time().at(cluster.time().now() + 500_000, () -> {
                        if (here.contains(other)) {
                            cluster.deliver(new Flight(flight.from(), other, flight.message(), 0, 0));
                        }
                    });
                }
            }
        });
    }

    final void start(NodeId process) {
        here.add(process);
        cluster.start(process);
    }

    final void crash(NodeId process) {
        here.remove(process);
        cluster.crash(process);
    }

    /** A new cluster whose voters run, and in which this one leads. */
    final void leads(NodeId leader, long seed) {
        cluster(seed);
        VOTERS.forEach(this::start);
        cluster.advance(scaled(2_000));
        cluster.contend(leader, PATH);
        awaitLeader(leader, scaled(3_000));
    }

    /** The same with n1, and then n2 is gone: n1 leads as long as some process of n3 votes for it. */
    final void leadsWithoutN2(long seed) {
        leads(N1, seed);
        crash(N2);
        cluster.advance(3_000);
    }

    /** @throws AssertionError if it does not lead within the limit */
    final void awaitLeader(NodeId leader, int limitMillis) {
        cluster.await(
                leader + " leads", limitMillis, () -> cluster.leaders(PATH).equals(List.of(leader)));
    }

    /** Lets time pass; answers with the milliseconds in which nobody led. */
    final int without(int millis) {
        int without = 0;
        for (int t = 0; t < millis; t += 5) {
            cluster.advance(5);
            without += cluster.leaders(PATH).isEmpty() ? 5 : 0;
        }
        return without;
    }

    /** Gives a trouble to each link from one of these to a voter. */
    final void trouble(List<NodeId> senders, Trouble trouble, int amount) {
        for (NodeId from : senders) {
            for (NodeId to : VOTERS) {
                if (!from.equals(to)) {
                    cluster.network().trouble(from, to, trouble, amount);
                }
            }
        }
    }

    /** The first process of n3 is nearer to n2, the second one to n1. */
    final void eachIsNearerToAnother() {
        cluster.network().trouble(N3, N1, Trouble.DELAY, 60);
        cluster.network().trouble(SECOND, N2, Trouble.DELAY, 60);
    }
}
