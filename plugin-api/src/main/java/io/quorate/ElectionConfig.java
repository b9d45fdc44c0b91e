package io.quorate;

import io.quorate.core.LeaseTiming;
import io.quorate.core.NodeSettings;
import io.quorate.core.RankOrder;
import io.quorate.spi.NodeId;
import io.quorate.spi.Timing;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings of a node, checked and immutable; {@link ElectionSettings} explains each. */
public final class ElectionConfig {

    /** Enough for one cluster per network; give names where there are more, or they hear each other. */
    public static final String DEFAULT_CLUSTER_ID = "default";

    /** Right for ordinary services on a local network; {@link Profile} says what the others cost. */
    public static final Profile DEFAULT_PROFILE = Profile.DEFAULT;

    /**
     * In percent. A hundred times what a healthy quartz shows, which leaves room for virtual machines. Too small: two
     * leaders are possible on a machine with a bad clock; too large: leases get shorter than they could be.
     */
    public static final int DEFAULT_DRIFT_PERCENT = 10;

    /** Ballot election: it alone needs no perfect failure detector. */
    public static final String DEFAULT_ALGORITHM = "ballot";

    /** The Vert.x event bus. */
    public static final String DEFAULT_TRANSPORT = "vertx";

    /** First come, first to lead: what Curator does. */
    public static final RankOrder DEFAULT_RANK_ORDER = RankOrder.JOIN_ORDER;

    /** In the middle, so that a node can be given less as well as more. */
    public static final int DEFAULT_PRIORITY = 0;

    /**
     * Curator's value. Too short: calls fail while the node starts; too long: callers hang while the network is down.
     */
    public static final Duration DEFAULT_CONNECTION_TIMEOUT = Duration.ofSeconds(15);

    private final String clusterId;
    private final String nodeId;
    private final List<String> voters;
    private final PeerList peers;
    private final Optional<Path> dataDirectory;
    private final Duration heartbeat;
    private final Duration supportDuration;
    private final Duration delta;
    private final int driftPercent;
    private final String algorithm;
    private final String transportName;
    private final Optional<Transport> transport;
    private final RankOrder rankOrder;
    private final int priority;
    private final boolean preempt;
    private final String namespace;
    private final Duration connectionTimeout;
    private final ConnectionStateErrorPolicy errorPolicy;

    private ElectionConfig(ElectionSettings<?> settings) {
        clusterId = settings.clusterId;
        nodeId = settings.nodeId;
        peers = PeerList.parse(settings.peers);
        voters = settings.voters.isEmpty() ? peers.ids() : List.copyOf(settings.voters);
        dataDirectory = settings.dataDirectory;
        heartbeat = settings.heartbeat.orElse(settings.profile.heartbeat());
        supportDuration = settings.supportDuration.orElse(settings.profile.supportDuration());
        delta = settings.delta.orElse(settings.profile.delta());
        driftPercent = settings.driftPercent;
        algorithm = settings.algorithm;
        transportName = settings.transportName;
        transport = settings.transport;
        rankOrder = settings.rankOrder;
        priority = settings.priority;
        preempt = settings.preempt;
        namespace = settings.namespace;
        connectionTimeout = settings.connectionTimeout;
        errorPolicy = settings.errorPolicy;
    }

    static ElectionConfig of(ElectionSettings<?> settings) {
        ElectionConfig config = new ElectionConfig(settings);
        config.validate();
        return config;
    }

    /** Begins to describe a node. */
    public static Builder builder() {
        return new Builder();
    }

    /** Makes an {@link ElectionConfig}. */
    public static final class Builder extends ElectionSettings<Builder> {

        private Builder() {
        }

        @Override
        Builder self() {
            return this;
        }

        /** @throws IllegalArgumentException as {@link ElectionConfig#validate} */
        public ElectionConfig build() {
            return of(this);
        }
    }

    /**
     * Checks all rules; called by every {@code build()}.
     *
     * @throws IllegalArgumentException if any is broken: one message with every fault, its value and its rule
     */
    public void validate() {
        List<String> faults = ConfigRules.faults(this);
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException("Bad configuration: " + String.join("; ", faults));
        }
    }

    /** What is legal but probably not meant, each a sentence; empty if nothing is. */
    List<String> hints() {
        return ConfigRules.hints(this);
    }

    /** What the core is told. */
    NodeSettings nodeSettings() {
        LeaseTiming lease = new LeaseTiming(heartbeat.toNanos(), supportDuration.toNanos(), driftPercent);
        return new NodeSettings(clusterId, new NodeId(nodeId), voters.stream().map(NodeId::new).toList(), lease,
                new Timing(delta.toNanos()), rankOrder, priority, preempt);
    }

    /** The name of the cluster. */
    public String clusterId() {
        return clusterId;
    }

    /** The name of this node. */
    public String nodeId() {
        return nodeId;
    }

    /** Where each node listens, in the order in which they were given; empty only with a transport of the caller's. */
    public Map<NodeId, HostAndPort> peers() {
        return peers.addresses();
    }

    PeerList peerList() {
        return peers;
    }

    /** The names of the voters. */
    public List<String> voters() {
        return voters;
    }

    /** Where the term is kept; empty in diskless mode. */
    public Optional<Path> dataDirectory() {
        return dataDirectory;
    }

    /** How often a node asks for support. */
    public Duration heartbeat() {
        return heartbeat;
    }

    /** How long a voter supports a node. */
    public Duration supportDuration() {
        return supportDuration;
    }

    /** The bound on a one-way delay. */
    public Duration delta() {
        return delta;
    }

    /** How far a clock's rate may differ from real time, in percent. */
    public int driftPercent() {
        return driftPercent;
    }

    /** The name of the algorithm. */
    public String algorithm() {
        return algorithm;
    }

    /** The name of the transport; without meaning if {@link #transport} is present. */
    public String transportName() {
        return transportName;
    }

    /** The caller's transport, if one was given. */
    public Optional<Transport> transport() {
        return transport;
    }

    /** By what contenders are ranked. */
    public RankOrder rankOrder() {
        return rankOrder;
    }

    /** This node's weight. */
    public int priority() {
        return priority;
    }

    /** Whether a leader hands over to a better ranked contender. */
    public boolean preempt() {
        return preempt;
    }

    /** The prefix of all paths; empty if there is none. */
    public String namespace() {
        return namespace;
    }

    /** How long a first view of a path may take. */
    public Duration connectionTimeout() {
        return connectionTimeout;
    }

    /** Whether a suspended connection ends leadership. */
    public ConnectionStateErrorPolicy connectionStateErrorPolicy() {
        return errorPolicy;
    }
}
