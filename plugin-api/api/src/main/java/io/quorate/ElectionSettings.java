package io.quorate;

import io.quorate.spi.RankOrder;
import io.quorate.spi.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The settings of a node, with an explanation of each. Two builders share them: {@link ElectionConfig.Builder} and
 * {@link ElectionClient.Builder}.
 *
 * <p>Nothing is checked before {@code build()}, which reports all faults at once; a null argument alone is refused at
 * once with a {@link NullPointerException}. Not safe for several threads.
 *
 * @param <B> the builder itself, for chaining
 */
public abstract class ElectionSettings<B extends ElectionSettings<B>> {

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

    String clusterId = DEFAULT_CLUSTER_ID;
    String nodeId = "";
    final List<String> peers = new ArrayList<>();
    final List<String> voters = new ArrayList<>();
    Optional<Path> dataDirectory = Optional.empty();
    Profile profile = DEFAULT_PROFILE;
    Optional<Duration> heartbeat = Optional.empty();
    Optional<Duration> supportDuration = Optional.empty();
    Optional<Duration> delta = Optional.empty();
    int driftPercent = DEFAULT_DRIFT_PERCENT;
    String algorithm = DEFAULT_ALGORITHM;
    String transportName = DEFAULT_TRANSPORT;
    Optional<Transport> transport = Optional.empty();
    RankOrder rankOrder = DEFAULT_RANK_ORDER;
    int priority = DEFAULT_PRIORITY;
    boolean preempt;
    String namespace = "";
    Duration connectionTimeout = DEFAULT_CONNECTION_TIMEOUT;
    ConnectionStateErrorPolicy errorPolicy = new SessionConnectionStateErrorPolicy();

    ElectionSettings() {
    }

    abstract B self();

    /** Keeps two clusters on one network apart; equal on all nodes. 1 to 64 letters, digits, '.', '_' and '-'. */
    public B clusterId(String value) {
        clusterId = Objects.requireNonNull(value, "clusterId");
        return self();
    }

    /** The name of this node, required: unique in the cluster and the same after a restart. Characters as above. */
    public B nodeId(String value) {
        nodeId = Objects.requireNonNull(value, "nodeId");
        return self();
    }

    /**
     * Adds nodes in the form {@code n1=host:port,n2=host:port}, this one included: where they listen. Equal on all
     * nodes. An IPv6 address stands in brackets. Each call adds to those given before.
     */
    public B peers(String list) {
        Objects.requireNonNull(list, "peers");
        if (!list.isBlank()) {
            peers.addAll(List.of(list.split(",", -1)));
        }
        return self();
    }

    /** Adds nodes: from the name to {@code host:port}. */
    public B peers(Map<String, String> addresses) {
        Objects.requireNonNull(addresses, "peers");
        addresses.forEach((id, address) -> peers.add(id + "=" + address));
        return self();
    }

    /** Adds one node. */
    public B peer(String id, String host, int port) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(host, "host");
        boolean isBareIpv6 = host.contains(":") && !host.startsWith("[");
        peers.add(id + "=" + (isBareIpv6 ? "[" + host + "]" : host) + ":" + port);
        return self();
    }

    /**
     * The nodes whose majority decides; by default all peers. Equal on all nodes, and changed only while all are
     * stopped. Three survive the loss of one, five of two; more make every change dearer. Each call replaces those
     * given before, whereas {@link #peers(String)} adds.
     */
    public B voters(String... ids) {
        return voters(Arrays.asList(Objects.requireNonNull(ids, "voters")));
    }

    /** As {@link #voters(String...)}. */
    public B voters(Collection<String> ids) {
        Objects.requireNonNull(ids, "voters").forEach(id -> Objects.requireNonNull(id, "voters"));
        voters.clear();
        voters.addAll(ids);
        return self();
    }

    /**
     * Where a voter keeps the highest term that it may have voted in. Without a directory, exclusivity is untouched,
     * but tokens keep rising over a restart of a majority only if wall clocks are right to within the downtime. All
     * voters have one, or none has.
     *
     * <p>The directory belongs to this node alone: a lock keeps any second process out while it runs. It is made at the
     * start if it is not there; the directory that it is in must be there, because a missing one often is a volume that
     * was not mounted, where the terms would be forgotten. On a local disk: what a network file system promises about
     * locks and about writing through is not enough.
     */
    public B dataDirectory(Path directory) {
        dataDirectory = Optional.of(Objects.requireNonNull(directory, "dataDirectory"));
        return self();
    }

    /**
     * The set of times; default {@link #DEFAULT_PROFILE}. Whichever of {@link #heartbeat}, {@link
     * #supportDuration} and {@link #delta} is set by itself counts more, before this call or after it. The support
     * duration is equal on all nodes.
     */
    public B profile(Profile value) {
        profile = Objects.requireNonNull(value, "profile");
        return self();
    }

    /**
     * How often a node asks each voter for support; at most a quarter of the support duration less the drift. Too long:
     * one lost packet costs leadership; too short: nothing but load.
     */
    public B heartbeat(Duration value) {
        heartbeat = Optional.of(Objects.requireNonNull(value, "heartbeat"));
        return self();
    }

    /**
     * How long a voter supports a node after a heartbeat; equal on all nodes. Too short: a pause of the process costs
     * leadership; too long: a crash leaves the path without a leader for that time.
     */
    public B supportDuration(Duration value) {
        supportDuration = Optional.of(Objects.requireNonNull(value, "supportDuration"));
        return self();
    }

    /**
     * By how many percent the rate of a clock may differ from real time, 0 to 49. <b>Safety rests on it.</b> Too small:
     * two leaders are possible on a machine with a bad clock; too large: leases get shorter than they could be.
     */
    public B driftPercent(int value) {
        driftPercent = value;
        return self();
    }

    /**
     * The bound on a one-way delay with processing, from which the algorithms' time-outs are computed. Too short:
     * elections are repeated; too long: each takes longer. Never a matter of safety.
     */
    public B delta(Duration value) {
        delta = Optional.of(Objects.requireNonNull(value, "delta"));
        return self();
    }

    /** The name of the algorithm that nominates; default {@link #DEFAULT_ALGORITHM}. */
    public B algorithm(String name) {
        algorithm = Objects.requireNonNull(name, "algorithm");
        return self();
    }

    /** The name of the transport; default {@link #DEFAULT_TRANSPORT}. */
    public B transport(String name) {
        transportName = Objects.requireNonNull(name, "transport");
        transport = Optional.empty();
        return self();
    }

    /** A transport that the caller made, in place of one by name; the client starts and closes it. */
    public B transport(Transport instance) {
        transport = Optional.of(Objects.requireNonNull(instance, "transport"));
        return self();
    }

    /** By what contenders are ranked; equal on all nodes. Default {@link #DEFAULT_RANK_ORDER}. */
    public B rankOrder(RankOrder value) {
        rankOrder = Objects.requireNonNull(value, "rankOrder");
        return self();
    }

    /** This node's weight under {@link RankOrder#PRIORITY}; the higher, the better. */
    public B priority(int value) {
        priority = value;
        return self();
    }

    /**
     * Whether a leader hands over to a better ranked contender that has been up for two support durations. Not with
     * {@link RankOrder#JOIN_ORDER}. Off by default, as with Curator: each hand-over costs the application a restart of
     * its work.
     */
    public B preempt(boolean value) {
        preempt = value;
        return self();
    }

    /** A prefix for all paths, without slashes at its ends, as with Curator; latches see paths without it. */
    public B namespace(String value) {
        namespace = Objects.requireNonNull(value, "namespace");
        return self();
    }

    /**
     * How long a first {@code getLeader} or {@code getParticipants} waits for a voter. Too short: calls fail while the
     * node starts; too long: callers hang while the network is down.
     */
    public B connectionTimeout(Duration value) {
        connectionTimeout = Objects.requireNonNull(value, "connectionTimeout");
        return self();
    }

    /** Whether a suspended connection ends leadership; default {@link SessionConnectionStateErrorPolicy}. */
    public B connectionStateErrorPolicy(ConnectionStateErrorPolicy value) {
        errorPolicy = Objects.requireNonNull(value, "connectionStateErrorPolicy");
        return self();
    }
}
