package io.quorate;

import io.quorate.settings.NamedSettings;
import io.quorate.settings.SecretSetting;
import io.quorate.settings.Setting;
import io.quorate.settings.TlsSetting;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Tls;
import io.quorate.spi.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a node, with an explanation of each. Two builders share them: {@link ElectionConfig.Builder} and
 * {@link ElectionClient.Builder}.
 *
 * <p>{@code build()} checks the settings, and reports all faults in one {@link IllegalArgumentException}. A null
 * argument is refused at once, with a {@link NullPointerException}. A setting that is made twice has its last value,
 * whether by a method or by {@link #from(Properties) from}; except {@link #peers(String) peers}, which add up. Each
 * duration is more than 0 and at most one day. One thread may use a builder at a time.
 *
 * @param <B> the builder itself, for chaining
 */
public abstract class ElectionSettings<B extends ElectionSettings<B>> {

    /** Enough for one cluster per network. Where there are more, name each of them, or they hear each other. */
    public static final String DEFAULT_CLUSTER_ID = "default";

    /** Right for ordinary services on a local network. {@link Profile} says what the others give and cost. */
    public static final Profile DEFAULT_PROFILE = SettingRows.PROFILE.initial().orElseThrow();

    /**
     * In percent. This is far more than a healthy quartz shows, which leaves room for virtual machines. Too small: two
     * leaders are possible on a machine with a bad clock. Too large: leases are shorter than they could be.
     */
    public static final int DEFAULT_DRIFT_PERCENT = 10;

    /** Ballot election, because it needs no failure detector. */
    public static final String DEFAULT_ALGORITHM = "ballot";

    /** The Vert.x event bus. */
    public static final String DEFAULT_TRANSPORT = "vertx";

    /** The contender that came first leads first, as in Curator. */
    public static final RankOrder DEFAULT_RANK_ORDER =
            SettingRows.RANK_ORDER.initial().orElseThrow();

    /** In the middle of the range, so that a node can get less as well as more. */
    public static final int DEFAULT_PRIORITY = 0;

    /**
     * 15 s, as in Curator. Too short: calls fail while the node starts. Too long: callers hang while the network is
     * down.
     */
    public static final Duration DEFAULT_CONNECTION_TIMEOUT =
            SettingRows.CONNECTION_TIMEOUT.initial().orElseThrow();

    /** 30 s, as long as Spring and Kubernetes wait for the end of work by default. */
    public static final Duration DEFAULT_DRAIN_TIMEOUT =
            SettingRows.DRAIN_TIMEOUT.initial().orElseThrow();

    final List<Setting<?>> rows;
    final Setting.Values chosen = new Setting.Values();

    /** What is wrong with what {@link #from(Properties)} was given; {@code build()} reports it. */
    final List<String> faults = new ArrayList<>();

    /** What the operator should read when the node is made. */
    final List<String> warnings = new ArrayList<>();

    ElectionSettings(List<Setting<?>> rows) {
        this.rows = rows;
    }

    /** Each builder is of its own kind, and there are no others. */
    @SuppressWarnings("unchecked")
    private B self() {
        return (B) this;
    }

    private <T> B put(Setting<T> setting, T value) {
        chosen.put(setting, value);
        return self();
    }

    /**
     * The keys that {@link #from(Properties)} knows, for programs that find their values elsewhere.
     *
     * @return each with its prefix, such as {@code quorate.node-id}
     */
    public static List<String> keys() {
        return SettingRows.ALL.stream().flatMap(row -> row.property().stream()).toList();
    }

    /**
     * Makes the settings that have a key in {@code properties}, such as {@code quorate.node-id}. The document on
     * settings has a table of all keys. Durations are given as {@code 150ms}, {@code 4s}, {@code 2m} or ISO-8601, lists
     * with commas. If neither a key nor an earlier call names the node, its id is the environment's {@code POD_NAME}.
     *
     * <p>Keys replace the values of earlier calls, peers included, and later calls replace the keys. Keys that do not
     * begin with {@code quorate.} are left alone. An unknown key is a fault.
     *
     * @param properties read at once; its defaults count too
     * @return this builder
     */
    public B from(Properties properties) {
        Objects.requireNonNull(properties, "properties");
        return take(NamedSettings.of(properties, rows), System.getenv(NamedSettings.POD_NAME));
    }

    /**
     * As {@link #from(Properties)}, from variables of the environment, such as {@code QUORATE_NODE_ID}:
     * {@code from(System.getenv())}. An unknown variable is no fault, because platforms inject some; there is a warning
     * in the log.
     *
     * @param environment read at once
     * @return this builder
     */
    public B from(Map<String, String> environment) {
        Objects.requireNonNull(environment, "environment");
        return take(NamedSettings.of(environment, rows), environment.get(NamedSettings.POD_NAME));
    }

    /** Makes these settings; the pod's name serves a node that has no other. */
    B take(NamedSettings named, @Nullable String podName) {
        faults.addAll(named.read(chosen));
        warnings.addAll(named.warnings());
        boolean isNamed = named.has(SettingRows.NODE_ID)
                || !chosen.get(SettingRows.NODE_ID).isEmpty();
        return isNamed || podName == null ? self() : nodeId(podName);
    }

    /**
     * Names the cluster, which keeps two clusters on one network apart. Equal on all nodes.
     *
     * @param value 1 to 64 letters, digits, '.', '_' and '-'; default {@value #DEFAULT_CLUSTER_ID}
     * @return this builder
     */
    public B clusterId(String value) {
        return put(SettingRows.CLUSTER_ID, value);
    }

    /**
     * Names this node. Required; unique in the cluster, and the same after a restart.
     *
     * @param value 1 to 64 letters, digits, '.', '_' and '-'
     * @return this builder
     */
    public B nodeId(String value) {
        return put(SettingRows.NODE_ID, value);
    }

    /**
     * Adds nodes and the addresses at which they listen. All nodes together must be named, this one included, and the
     * list is equal on all nodes. Each call adds to the nodes that were given before.
     *
     * @param list in the form {@code n1=host:port,n2=host:port}, with an IPv6 address in brackets; blank adds nothing
     * @return this builder
     */
    public B peers(String list) {
        Objects.requireNonNull(list, "peers");
        return list.isBlank() ? self() : addPeers(List.of(list.split(",", -1)));
    }

    /** Adds to the peers of calls, or replaces those of properties. */
    private B addPeers(List<String> parts) {
        Stream<String> former = chosen.find(SettingRows.PEER).stream().flatMap(List::stream);
        return put(SettingRows.PEER, Stream.concat(former, parts.stream()).toList());
    }

    /**
     * As {@link #peers(String)}, from a map.
     *
     * @param addresses from the id of a node to its {@code host:port}
     * @return this builder
     */
    public B peers(Map<String, String> addresses) {
        Objects.requireNonNull(addresses, "peers");
        return addresses.isEmpty()
                ? self()
                : addPeers(addresses.entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .toList());
    }

    /**
     * As {@link #peers(String)}, for one node.
     *
     * @param id   the id of the node
     * @param host a name or an address; an IPv6 address may stand in brackets or without them
     * @param port 1 to 65535
     * @return this builder
     */
    public B peer(String id, String host, int port) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(host, "host");
        boolean isBareIpv6 = host.contains(":") && !host.startsWith("[");
        return addPeers(List.of(id + "=" + (isBareIpv6 ? "[" + host + "]" : host) + ":" + port));
    }

    /**
     * Names the nodes whose majority decides; by default they are all peers. Equal on all nodes that do not {@link
     * #joins join}. It is the first list: {@link ElectionClient#changeVoters} changes it while the nodes run, and from
     * then on nodes with a data directory go by the list that they have stored. Three voters survive the loss of one,
     * five of two. The more there are, the more each change of leadership costs. Each call replaces the voters that
     * were given before, whereas {@link #peers(String)} adds.
     *
     * @param ids 1 to 15 ids, each once; each must be a peer if there are peers
     * @return this builder
     */
    public B voters(String... ids) {
        return voters(Arrays.asList(Objects.requireNonNull(ids, "voters")));
    }

    /**
     * As {@link #voters(String...)}.
     *
     * @param ids 1 to 15 ids, each once; each must be a peer if there are peers
     * @return this builder
     */
    public B voters(Collection<String> ids) {
        Objects.requireNonNull(ids, "voters").forEach(id -> Objects.requireNonNull(id, "voters"));
        return put(SettingRows.VOTERS, List.copyOf(ids));
    }

    /**
     * Sets whether this node asks others who votes, in place of having a list of its own. It asks its {@link
     * #voters(String...) voters}, by default all its other peers. One node that votes is enough, and nobody has to name
     * this one.
     *
     * <p>With a data directory it may come to vote, when {@link ElectionClient#changeVoters} names it; it is one of its
     * own peers then, with the address at which the others reach it. Without one it contends alone. If it is no peer of
     * its own, it listens nowhere, and others reach it over the connections that it opens.
     *
     * @param value default false
     * @return this builder
     */
    public B joins(boolean value) {
        return put(SettingRows.JOINS, value);
    }

    /**
     * Sets where a voter keeps the highest term that it may have voted in. All voters have a data directory, or none
     * has; by default none has. Without one there are still never two leaders, but tokens keep rising over a restart of
     * a majority only if wall clocks are right to within the time that the restart took.
     *
     * <p>The directory belongs to this node alone: while the node runs, a lock keeps every second process out. The node
     * makes the directory at its start if it is missing. The parent directory must exist, because a missing parent is
     * often a volume that was not mounted, and there the terms would be lost. Use a local disk: the locks and the
     * writing through of a network file system are not reliable enough.
     *
     * @param directory a directory, or a name that is free in an existing directory
     * @return this builder
     */
    public B dataDirectory(Path directory) {
        return put(SettingRows.DATA_DIRECTORY, directory);
    }

    /**
     * Chooses the set of times. A time that is set by itself, with {@link #heartbeat}, {@link #supportDuration} or
     * {@link #delta}, counts more than the profile, whether that happens before this call or after it. The support
     * duration must be equal on all nodes.
     *
     * @param value default {@link #DEFAULT_PROFILE}
     * @return this builder
     */
    public B profile(Profile value) {
        return put(SettingRows.PROFILE, value);
    }

    /**
     * Sets how often a node asks each voter for support. Too long: one lost packet costs leadership. Too short: there
     * is more load, and nothing is gained.
     *
     * @param value at most a quarter of the support duration, less the drift of two clocks; by profile if it is not set
     * @return this builder
     */
    public B heartbeat(Duration value) {
        return put(SettingRows.HEARTBEAT, value);
    }

    /**
     * Sets how long a voter supports a node after a heartbeat. Equal on all nodes. Too short: a pause of the process
     * costs leadership. Too long: after a crash the path has no leader for that time.
     *
     * @param value at least four heartbeats and the drift of two clocks; by profile if it is not set
     * @return this builder
     */
    public B supportDuration(Duration value) {
        return put(SettingRows.SUPPORT, value);
    }

    /**
     * Sets how far the rate of a clock may differ from real time. Equal on all nodes. <b>Safety rests on it.</b> Too
     * small: two leaders are possible on a machine with a bad clock. Too large: leases are shorter than they could be.
     *
     * @param value in percent, 0 to 49; default {@value #DEFAULT_DRIFT_PERCENT}
     * @return this builder
     */
    public B driftPercent(int value) {
        return put(SettingRows.DRIFT, value);
    }

    /**
     * Sets the bound on a one-way delay with processing. The time-outs of elections, claims and registrations are
     * computed from it. Too short: these are repeated, and if a round trip takes longer than eight times this value,
     * claims are given up before they are answered, so that nobody leads. Too long: each election takes longer. It is
     * never a matter of safety.
     *
     * @param value should be equal on all nodes; by profile if it is not set
     * @return this builder
     */
    public B delta(Duration value) {
        return put(SettingRows.DELTA, value);
    }

    /**
     * Chooses the algorithm that nominates. Should be equal on all nodes.
     *
     * @param name the name of one algorithm on the class path; default {@value #DEFAULT_ALGORITHM}
     * @return this builder
     */
    public B algorithm(String name) {
        return put(SettingRows.ALGORITHM, name);
    }

    /**
     * Chooses the transport by its name, in place of an earlier choice. Equal on all nodes.
     *
     * @param name the name of one transport on the class path; default {@value #DEFAULT_TRANSPORT}, or the only one
     *             that is there
     * @return this builder
     */
    public B transport(String name) {
        return put(SettingRows.TRANSPORT, name);
    }

    /**
     * Gives a transport that the caller made, in place of one that is found by its name. The client starts and closes
     * it.
     *
     * @param instance not started; serves one client
     * @return this builder
     */
    public B transport(Transport instance) {
        return put(SettingRows.OWN_TRANSPORT, instance);
    }

    /**
     * Sets the address at which this node listens, if that is another one than the address in {@link #peers(String)
     * peers} at which the others reach it: all interfaces, or an address behind a translation of addresses. Only a
     * literal or a name of this machine; the own name in the peers need not resolve then.
     *
     * @param address in the form {@code host:port}, such as {@code 0.0.0.0:7400}, with an IPv6 address in brackets; not
     *                with a {@link #transport(Transport)}, which has its own. By default that of the peers
     * @return this builder
     */
    public B listen(String address) {
        return put(SettingRows.LISTEN, address);
    }

    /**
     * Chooses the order in which contenders lead. Should be equal on all nodes.
     *
     * @param value default {@link #DEFAULT_RANK_ORDER}
     * @return this builder
     */
    public B rankOrder(RankOrder value) {
        return put(SettingRows.RANK_ORDER, value);
    }

    /**
     * Sets the weight of this node under {@link RankOrder#PRIORITY}. It has no meaning under another rank order.
     *
     * @param value the higher, the better; any number, default {@value #DEFAULT_PRIORITY}
     * @return this builder
     */
    public B priority(int value) {
        return put(SettingRows.PRIORITY, value);
    }

    /**
     * Sets whether a leader hands over to a better-ranked contender that has been up for two support durations. Off by
     * default, as in Curator: with each hand-over the application has to start its work anew.
     *
     * @param value true is refused with {@link RankOrder#JOIN_ORDER}, under which no newcomer is ever ranked better
     * @return this builder
     */
    public B preempt(boolean value) {
        return put(SettingRows.PREEMPT, value);
    }

    /**
     * Sets the cluster's secret: only nodes that know it are heard. Equal on all nodes. Without one, anyone who reaches
     * the port of a node is trusted. Each frame then carries a code of 16 bytes that only the secret can make
     * (HMAC-SHA256). Frames are not encrypted. The document on security says what remains open.
     *
     * @param value 16 bytes or more, of a random source; copied
     * @return this builder
     */
    public B secret(byte[] value) {
        return put(
                SecretSetting.GIVEN,
                List.of(Objects.requireNonNull(value, "secret").clone()));
    }

    /**
     * As {@link #secret(byte[])}, while the nodes change from one secret to another: frames are sent under the first,
     * and accepted under both.
     *
     * @param current 16 bytes or more; copied
     * @param former  16 bytes or more; copied. Also the next one, in the first step of a change
     * @return this builder
     */
    public B secret(byte[] current, byte[] former) {
        Objects.requireNonNull(current, "current");
        return put(
                SecretSetting.GIVEN,
                List.of(
                        current.clone(),
                        Objects.requireNonNull(former, "former").clone()));
    }

    /**
     * As {@link #secret(byte[])}, from a file of text, which {@code build()} reads. It has one line, or two as
     * {@link #secret(byte[], byte[])} has two secrets. There is a warning in the log if everybody may read the file.
     *
     * @param file of at most 4096 bytes
     * @return this builder
     */
    public B secretFile(Path file) {
        return put(SecretSetting.FILE, file);
    }

    /**
     * Sets the keys of this node: with them each connection is encrypted, and both sides show a certificate that the
     * other side trusts (TLS 1.3). All nodes have keys, or none has. {@code build()} reads the files and checks them;
     * while the node runs they are looked at every ten seconds, and new connections use what they hold then. There is a
     * warning in the log if everybody may read the key or the password, and from 30 days before the certificate ends.
     * The document on security says how to make the files.
     *
     * @param files {@link Tls#pem} or {@link Tls#keyStore}; not with a {@link #transport(Transport)}, which has its own
     * @return this builder
     */
    public B tls(Tls files) {
        return put(TlsSetting.FILES, files);
    }

    /**
     * Says that this node is meant to run without secret and without TLS, because nobody else reaches its network. Else
     * there is a warning in the log, if an address is not one of this machine alone. It changes nothing else.
     *
     * @param value default false
     * @return this builder
     */
    public B plaintext(boolean value) {
        return put(SettingRows.PLAINTEXT, value);
    }

    /**
     * Sets a prefix for all paths, as in Curator. Latches name their paths without it. Equal on all nodes.
     *
     * @param value a path without slashes at its ends; empty, the default, for none
     * @return this builder
     */
    public B namespace(String value) {
        return put(SettingRows.NAMESPACE, value);
    }

    /**
     * Says that the application moves to Quorate by {@code TandemLatch}: plain latches and selectors of this client
     * make way for the tandems and shadows of their paths (docs/migration.md#the-guard). Equal on all nodes: those with
     * it and those without it take no frame of each other. A {@code TandemLatch} needs it.
     *
     * @param value {@code tandem}; empty, the default, for no move
     * @return this builder
     */
    public B migration(String value) {
        return put(SettingRows.MIGRATION, value);
    }

    /**
     * Sets how long the first {@code getLeader} or {@code getParticipants} of a path waits for a voter, beyond the
     * support time, for which a voter that has just started is silent. Too short: calls fail while the node starts. Too
     * long: callers hang while the network is down.
     *
     * @param value default {@link #DEFAULT_CONNECTION_TIMEOUT}
     * @return this builder
     */
    public B connectionTimeout(Duration value) {
        return put(SettingRows.CONNECTION_TIMEOUT, value);
    }

    /**
     * Sets how long a leader may finish its work before its leadership ends on purpose, where it does not say so
     * itself: see {@link LeaderLatch#drain(java.util.function.Function)}. A {@link LeaderSelector} then waits so long
     * for {@code takeLeadership}, which it interrupts, to return. Too short: work is cut off. Too long: planned
     * hand-overs and {@code close} wait for work that hangs.
     *
     * @param value default {@link #DEFAULT_DRAIN_TIMEOUT}; 0 for no wait, one day at most
     * @return this builder
     */
    public B drainTimeout(Duration value) {
        return put(SettingRows.DRAIN_TIMEOUT, value);
    }

    /**
     * Sets whether a suspended connection ends leadership.
     *
     * @param value default {@link SessionConnectionStateErrorPolicy}
     * @return this builder
     */
    public B connectionStateErrorPolicy(ConnectionStateErrorPolicy value) {
        return put(SettingRows.ERROR_POLICY, value);
    }
}
