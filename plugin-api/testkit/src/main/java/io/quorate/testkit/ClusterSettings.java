package io.quorate.testkit;

import io.quorate.ConnectionStateErrorPolicy;
import io.quorate.ElectionSettings;
import io.quorate.Profile;
import io.quorate.SessionConnectionStateErrorPolicy;
import io.quorate.core.LeaseTiming;
import io.quorate.core.NodeSettings;
import io.quorate.runtime.MemoryTermStore;
import io.quorate.runtime.Plugins;
import io.quorate.spi.Check;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.TermStore;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.LastingTerms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a {@link SimulatedCluster} consists of; whatever is not set is as in production. */
public final class ClusterSettings {

    /** The seed of every test, unless the system property {@code seed} or {@link #seed} names another. */
    public static final long DEFAULT_SEED = 1;

    private static final String CLUSTER_ID = "simulated";

    private final List<NodeId> voters;
    private List<NodeId> contenders = List.of();
    private Profile profile = ElectionSettings.DEFAULT_PROFILE;
    private RankOrder rankOrder = ElectionSettings.DEFAULT_RANK_ORDER;
    private final Map<NodeId, Integer> priorities = new HashMap<>();
    private boolean preempt;
    private boolean isDiskless;
    private ConnectionStateErrorPolicy errorPolicy = new SessionConnectionStateErrorPolicy();
    private Optional<ElectionAlgorithm> algorithm = Optional.empty();
    private boolean startsClients = true;
    private long seed = Long.getLong("seed", DEFAULT_SEED);

    private ClusterSettings(List<NodeId> voters) {
        this.voters = voters;
    }

    /**
     * A cluster of so many voters, {@code n1}, {@code n2} and so on, each of which may contend too.
     *
     * @throws IllegalArgumentException unless there are 1 to {@value NodeSettings#VOTERS_MAX}
     */
    public static ClusterSettings ofVoters(int count) {
        Check.argument(1 <= count && count <= NodeSettings.VOTERS_MAX, "%d voters: must be 1 to %d", count,
                NodeSettings.VOTERS_MAX);
        return new ClusterSettings(ids("n", count));
    }

    private static List<NodeId> ids(String prefix, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(number -> new NodeId(prefix + number)).toList();
    }

    /** Adds so many nodes that contend and do not vote: {@code c1}, {@code c2} and so on. None by default. */
    public ClusterSettings contenders(int count) {
        contenders = ids("c", count);
        return this;
    }

    /** The times of the lease; {@link ElectionSettings#DEFAULT_PROFILE} by default. */
    public ClusterSettings profile(Profile chosen) {
        profile = chosen;
        return this;
    }

    /** Who leads first; {@link ElectionSettings#DEFAULT_RANK_ORDER} by default. */
    public ClusterSettings rankOrder(RankOrder chosen) {
        rankOrder = chosen;
        return this;
    }

    /** The weight of a node under {@link RankOrder#PRIORITY}; {@link ElectionSettings#DEFAULT_PRIORITY} by default. */
    public ClusterSettings priority(String node, int chosen) {
        priorities.put(new NodeId(node), chosen);
        return this;
    }

    /** Whether a leader makes way for a better ranked contender; not by default, and never with JOIN_ORDER. */
    public ClusterSettings preempt(boolean chosen) {
        preempt = chosen;
        return this;
    }

    /** No node keeps anything over a restart. By default each remembers what a data directory would. */
    public ClusterSettings diskless() {
        isDiskless = true;
        return this;
    }

    /** What a client does about SUSPENDED; {@link SessionConnectionStateErrorPolicy} by default. */
    public ClusterSettings connectionStateErrorPolicy(ConnectionStateErrorPolicy chosen) {
        errorPolicy = chosen;
        return this;
    }

    /** Leaves it to the test to start each client, also after a restart. */
    public ClusterSettings clientsAreStartedByTheTest() {
        startsClients = false;
        return this;
    }

    /** Who nominates; the one named {@value ElectionSettings#DEFAULT_ALGORITHM}, of the class path, by default. */
    public ClusterSettings algorithm(ElectionAlgorithm chosen) {
        algorithm = Optional.of(chosen);
        return this;
    }

    /** Decides every delay and every loss; the system property {@code seed}, or else {@value #DEFAULT_SEED}. */
    public ClusterSettings seed(long chosen) {
        seed = chosen;
        return this;
    }

    long seed() {
        return seed;
    }

    boolean startsClients() {
        return startsClients;
    }

    ConnectionStateErrorPolicy errorPolicy() {
        return errorPolicy;
    }

    ElectionAlgorithm algorithm() {
        return algorithm.orElseGet(() -> Plugins.algorithm(ElectionSettings.DEFAULT_ALGORITHM));
    }

    /** The terms of one node, for each of its lives. */
    Supplier<TermStore> terms() {
        if (isDiskless) {
            return MemoryTermStore::new;
        }
        LastingTerms lasting = new LastingTerms();
        return () -> lasting;
    }

    /** The settings of each node, voters first. */
    List<NodeSettings> nodes() {
        LeaseTiming lease = new LeaseTiming(profile.heartbeat().toNanos(), profile.supportDuration().toNanos(),
                ElectionSettings.DEFAULT_DRIFT_PERCENT);
        Timing timing = new Timing(profile.delta().toNanos());
        List<NodeSettings> nodes = new ArrayList<>();
        Stream.concat(voters.stream(), contenders.stream()).forEach(self -> nodes.add(new NodeSettings(CLUSTER_ID,
                self, voters, lease, timing, rankOrder,
                priorities.getOrDefault(self, ElectionSettings.DEFAULT_PRIORITY), preempt)));
        return nodes;
    }
}
