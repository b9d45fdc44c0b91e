package io.quorate.testkit;

import io.quorate.ConnectionStateErrorPolicy;
import io.quorate.ElectionConfig;
import io.quorate.ElectionSettings;
import io.quorate.Profile;
import io.quorate.SessionConnectionStateErrorPolicy;
import io.quorate.core.settings.NodeSettings;
import io.quorate.engine.Plugins;
import io.quorate.runtime.MemoryTermStore;
import io.quorate.runtime.TermStore;
import io.quorate.spi.Check;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.LastingTerms;
import io.quorate.testkit.simulation.LocalNetwork;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The nodes of a {@link SimulatedCluster} and their settings. A setting that is not made has the default of production.
 * One thread at a time may use it.
 */
public final class ClusterSettings {

    /** The seed of each test, unless the system property {@code seed} or {@link #seed} names another. */
    public static final long DEFAULT_SEED = 1;

    private final List<NodeId> voters;
    private List<NodeId> contenders = List.of();
    private final ElectionConfig.Builder settings = ElectionConfig.builder().clusterId("simulated");
    private final Map<NodeId, Integer> priorities = new HashMap<>();
    private boolean isDiskless;
    private Optional<ElectionAlgorithm> algorithm = Optional.empty();
    private boolean startsClients = true;
    private long seed = Long.getLong("seed", DEFAULT_SEED);

    private ClusterSettings(List<NodeId> voters) {
        this.voters = voters;
    }

    /**
     * Begins with the voters, {@code n1}, {@code n2} and so on. Each of them may contend too.
     *
     * @param count how many voters, 1 to {@value NodeSettings#VOTERS_MAX}
     * @return settings in which all else has its default
     * @throws IllegalArgumentException if {@code count} is out of its range
     */
    public static ClusterSettings ofVoters(int count) {
        Check.argument(
                1 <= count && count <= NodeSettings.VOTERS_MAX,
                "%d voters: must be 1 to %d",
                count,
                NodeSettings.VOTERS_MAX);
        return new ClusterSettings(ids("n", count));
    }

    private static List<NodeId> ids(String prefix, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> new NodeId(prefix + number))
                .toList();
    }

    /**
     * Adds nodes that contend and do not vote: {@code c1}, {@code c2} and so on.
     *
     * @param count how many, in place of an earlier number; default 0
     * @return these settings
     */
    public ClusterSettings contenders(int count) {
        contenders = ids("c", count);
        return this;
    }

    /**
     * Chooses the set of times.
     *
     * @param chosen default {@link ElectionSettings#DEFAULT_PROFILE}
     * @return these settings
     */
    public ClusterSettings profile(Profile chosen) {
        settings.profile(chosen);
        return this;
    }

    /**
     * Chooses the order in which contenders lead.
     *
     * @param chosen default {@link ElectionSettings#DEFAULT_RANK_ORDER}
     * @return these settings
     */
    public ClusterSettings rankOrder(RankOrder chosen) {
        settings.rankOrder(chosen);
        return this;
    }

    /**
     * Sets the weight of a node under {@link RankOrder#PRIORITY}.
     *
     * @param node   the name of the node
     * @param chosen the higher, the better; default {@value ElectionSettings#DEFAULT_PRIORITY}
     * @return these settings
     * @throws IllegalArgumentException if {@code node} is no legal name
     */
    public ClusterSettings priority(String node, int chosen) {
        priorities.put(new NodeId(node), chosen);
        return this;
    }

    /**
     * Sets whether a leader hands over to a better-ranked contender.
     *
     * @param chosen default false; true under {@link RankOrder#JOIN_ORDER} fails when the cluster starts
     * @return these settings
     */
    public ClusterSettings preempt(boolean chosen) {
        settings.preempt(chosen);
        return this;
    }

    /**
     * Makes all nodes forget everything at a restart. By default each node remembers what a data directory keeps.
     *
     * @return these settings
     */
    public ClusterSettings diskless() {
        isDiskless = true;
        return this;
    }

    /**
     * Gives all clients {@link ElectionSettings#migration migration=tandem}, which a {@code TandemLatch}
     * needs.
     *
     * @return these settings
     */
    public ClusterSettings moving() {
        settings.migration("tandem");
        return this;
    }

    /**
     * Sets whether SUSPENDED ends leadership.
     *
     * @param chosen default {@link SessionConnectionStateErrorPolicy}
     * @return these settings
     */
    public ClusterSettings connectionStateErrorPolicy(ConnectionStateErrorPolicy chosen) {
        settings.connectionStateErrorPolicy(chosen);
        return this;
    }

    /**
     * Gives leaders time to finish their work before a planned end: {@link ElectionSettings#drainTimeout}.
     *
     * @param chosen 0 to a day; default 30 s
     * @return these settings
     */
    public ClusterSettings drainTimeout(Duration chosen) {
        settings.drainTimeout(chosen);
        return this;
    }

    /**
     * Leaves it to the test to start each client, after a restart too.
     *
     * @return these settings
     */
    public ClusterSettings clientsAreStartedByTheTest() {
        startsClients = false;
        return this;
    }

    /**
     * Gives the algorithm that nominates.
     *
     * @param chosen by default the algorithm on the class path with the name {@value
     *               ElectionSettings#DEFAULT_ALGORITHM}
     * @return these settings
     */
    public ClusterSettings algorithm(ElectionAlgorithm chosen) {
        algorithm = Optional.of(chosen);
        return this;
    }

    /**
     * Sets the seed that decides every delay and every loss.
     *
     * @param chosen any number; by default the system property {@code seed}, or else {@value #DEFAULT_SEED}
     * @return these settings
     */
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

    /** The settings of each node, as its client would have them. Clusters of several threads may share the builder. */
    synchronized List<ElectionConfig> nodes() {
        return Stream.concat(voters.stream(), contenders.stream())
                .map(self -> settings.nodeId(self.value())
                        .voters(voters.stream().map(NodeId::value).toList())
                        .priority(priorities.getOrDefault(self, ElectionSettings.DEFAULT_PRIORITY))
                        .transport(new LocalNetwork().transport(self))
                        .build())
                .toList();
    }
}
