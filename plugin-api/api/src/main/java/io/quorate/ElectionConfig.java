package io.quorate;

import io.quorate.engine.Engine;
import io.quorate.jvm.SettingFile;
import io.quorate.settings.ClusterSecret;
import io.quorate.settings.Loopback;
import io.quorate.settings.PeerList;
import io.quorate.settings.SecretSetting;
import io.quorate.settings.Setting;
import io.quorate.settings.TlsSetting;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Tls;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The settings of a node, checked and immutable. {@link ElectionSettings} explains each setting, with its unit and its
 * range.
 */
public final class ElectionConfig {

    private final Setting.Values chosen;
    private final List<String> voters;
    private final PeerList peerList;
    private final SecretSetting.Found secret;
    private final TlsSetting.Found tls;
    private final List<String> namedWarnings;

    private ElectionConfig(ElectionSettings<?> settings) {
        chosen = settings.chosen.copy();
        peerList = PeerList.parse(Stream.of(SettingRows.PEERS, SettingRows.PEERS_TEMPLATE, SettingRows.PEER)
                .flatMap(row -> chosen.find(row).stream().flatMap(List::stream))
                .toList());
        voters = chosen.find(SettingRows.VOTERS)
                .filter(named -> !named.isEmpty())
                .orElseGet(() -> peerList.ids().stream()
                        .filter(id -> !joins() || !id.equals(nodeId()))
                        .toList());
        secret = SecretSetting.find(chosen);
        tls = TlsSetting.find(chosen);
        namedWarnings = List.copyOf(settings.warnings);
    }

    static ElectionConfig of(ElectionSettings<?> settings) {
        ElectionConfig config = new ElectionConfig(settings);
        List<String> faults = new Rules(config).faults(settings);
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException("Bad configuration: " + String.join("; ", faults));
        }
        return config;
    }

    /** {@return a builder in which each setting has its default} The node id and the voters or peers are required. */
    public static Builder builder() {
        return new Builder(SettingRows.ALL);
    }

    /** Makes an {@link ElectionConfig}. */
    public static final class Builder extends ElectionSettings<Builder> {

        Builder(List<Setting<?>> rows) {
            super(rows);
        }

        /**
         * Checks the settings and makes a configuration of them. The builder may be used again.
         *
         * @return a configuration that later calls of this builder do not change
         * @throws IllegalArgumentException if settings are wrong, with all faults in one message, each with its value
         *                                  and its rule
         */
        public ElectionConfig build() {
            return of(this);
        }
    }

    /** Sentences about settings that are legal and probably not meant; empty if there are none. */
    List<String> hints() {
        List<String> hints = new ArrayList<>();
        if (clusterId().equals(ElectionSettings.DEFAULT_CLUSTER_ID) && (hasSecret() || tls().isPresent())) {
            hints.add("clusterId '" + clusterId() + "' is the default: another cluster without an id, and with the same"
                    + " secret or authority, would be heard as this one");
        }
        int count = voters.size();
        if (joins()) {
            return List.copyOf(hints);
        }
        if (count == 1) {
            hints.add("1 voter: if it stops, there is no leader; 3 survive the loss of one");
        } else if (count == 2) {
            hints.add("2 voters: if either stops, there is no leader; a third, which need not contend, helps");
        } else if (count % 2 == 0) {
            hints.add(count + " voters: survive the loss of no more than " + (count - 1) + " do");
        }
        if (dataDirectory().isEmpty() && voters.contains(nodeId())) {
            hints.add("no dataDirectory: after a restart of a majority of voters, fencing tokens keep rising only if "
                    + "wall clocks are right to within the downtime; exclusivity is untouched");
        }
        return List.copyOf(hints);
    }

    /** Sentences about what is legal and dangerous, for an operator; empty if there is nothing. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>(namedWarnings);
        warnings.addAll(secret.warnings());
        warnings.addAll(tls.warnings());
        dataDirectory()
                .flatMap(directory -> SettingFile.exposure(directory, false)
                        .map(fault -> "dataDirectory '" + directory + "': " + fault))
                .ifPresent(warnings::add);
        List<HostAndPort> open = Stream.concat(peers().values().stream(), listen().stream())
                .filter(address -> !Loopback.isLoopback(address.host()))
                .toList();
        if (isOpen() && !plaintext() && !open.isEmpty()) {
            warnings.add("neither secret nor TLS, and addresses beyond this machine, such as " + open.get(0)
                    + ": anyone who reaches the port is trusted, and can make two leaders. Give all nodes one secret"
                    + " (secretFile, quorate.secret-file) or mutual TLS (tls, quorate.tls.certificate), or declare the network private"
                    + " (plaintext(true), quorate.plaintext=true)");
        }
        return List.copyOf(warnings);
    }

    /** Whether nothing tells nodes of the cluster from others. The caller's own transport may or may not do that. */
    private boolean isOpen() {
        return secret.secret().isEmpty() && tls.tls().isEmpty() && transport().isEmpty();
    }

    /** {@return the name of the cluster, 1 to 64 characters} */
    public String clusterId() {
        return chosen.get(SettingRows.CLUSTER_ID);
    }

    /** {@return the name of this node, 1 to 64 characters} */
    public String nodeId() {
        return chosen.get(SettingRows.NODE_ID);
    }

    /**
     * {@return where each node listens, in the order in which the peers were given} It is immutable, and empty only if
     * the caller has given a transport.
     */
    public Map<NodeId, HostAndPort> peers() {
        return peerList.addresses();
    }

    /**
     * {@return the names of the voters of list 1, 1 to 15; immutable} They are all peers if no voters were named. A
     * node that {@linkplain #joins joins} asks these nodes who votes.
     */
    public List<String> voters() {
        return voters;
    }

    /** {@return whether this node asks its peers who votes} */
    public boolean joins() {
        return chosen.get(SettingRows.JOINS);
    }

    /** {@return where this node keeps its terms, if it is a voter; empty if nothing is kept over a restart} */
    public Optional<Path> dataDirectory() {
        return chosen.find(SettingRows.DATA_DIRECTORY);
    }

    /** {@return how often a node asks each voter for support; by profile if it was not set} */
    public Duration heartbeat() {
        return chosen.find(SettingRows.HEARTBEAT).orElseGet(chosen.get(SettingRows.PROFILE)::heartbeat);
    }

    /** {@return how long a voter supports a node after a heartbeat; by profile if it was not set} */
    public Duration supportDuration() {
        return chosen.find(SettingRows.SUPPORT).orElseGet(chosen.get(SettingRows.PROFILE)::supportDuration);
    }

    /** {@return the bound on a one-way delay; by profile if it was not set} */
    public Duration delta() {
        return chosen.find(SettingRows.DELTA).orElseGet(chosen.get(SettingRows.PROFILE)::delta);
    }

    /** {@return how far the rate of a clock may differ from real time, in percent, 0 to 49} */
    public int driftPercent() {
        return chosen.get(SettingRows.DRIFT);
    }

    /** {@return the name of the algorithm that nominates} */
    public String algorithm() {
        return chosen.get(SettingRows.ALGORITHM);
    }

    /**
     * {@return the name of the transport} It has no meaning if {@link #transport} is present, nor if none was named and
     * the class path has one transport only: then it is that one.
     */
    public String transportName() {
        return chosen.get(SettingRows.TRANSPORT);
    }

    boolean isTransportNamed() {
        return chosen.has(SettingRows.TRANSPORT);
    }

    /** {@return the transport that the caller has given; empty if the transport is chosen by name} */
    public Optional<Transport> transport() {
        return chosen.find(SettingRows.OWN_TRANSPORT);
    }

    /** {@return the order in which contenders lead} */
    public RankOrder rankOrder() {
        return chosen.get(SettingRows.RANK_ORDER);
    }

    /** {@return the weight of this node under {@link RankOrder#PRIORITY}; the higher, the better} */
    public int priority() {
        return chosen.get(SettingRows.PRIORITY);
    }

    /** {@return whether a leader hands over to a better-ranked contender} */
    public boolean preempt() {
        return chosen.get(SettingRows.PREEMPT);
    }

    /** {@return whether only nodes that know the cluster's secret are heard} */
    public boolean hasSecret() {
        return secret.secret().isPresent();
    }

    Optional<ClusterSecret> secret() {
        return secret.secret();
    }

    /** {@return where the keys of this node are; empty if its connections are in the clear} */
    public Optional<Tls> tls() {
        return tls.tls();
    }

    /** {@return where this node listens; empty if that is its address in {@link #peers}} */
    public Optional<HostAndPort> listen() {
        return chosen.find(SettingRows.LISTEN).map(address -> PeerList.address(address.trim()));
    }

    /** {@return whether this node is meant to run without secret and without TLS} */
    public boolean plaintext() {
        return chosen.get(SettingRows.PLAINTEXT);
    }

    /** {@return the prefix of all paths, without slashes at its ends; empty if there is none} */
    public String namespace() {
        return chosen.get(SettingRows.NAMESPACE);
    }

    /** {@return {@code tandem} if plain latches make way for tandems and shadows; else empty} */
    public String migration() {
        return chosen.get(SettingRows.MIGRATION);
    }

    /** {@return how long the first question about a path waits for a voter} */
    public Duration connectionTimeout() {
        return chosen.get(SettingRows.CONNECTION_TIMEOUT);
    }

    /**
     * {@return how long a leader may finish its work before a planned end, where it does not say so itself; 0 or more}
     */
    public Duration drainTimeout() {
        return chosen.get(SettingRows.DRAIN_TIMEOUT);
    }

    /** {@return the policy that says whether a suspended connection ends leadership} */
    public ConnectionStateErrorPolicy connectionStateErrorPolicy() {
        return chosen.get(SettingRows.ERROR_POLICY);
    }

    /** The rules of a configuration, a line or two for each. */
    private static final class Rules {

        private static final long MILLI = 1_000_000;

        private final ElectionConfig config;
        private final List<String> faults = new ArrayList<>();

        private Rules(ElectionConfig config) {
            this.config = config;
        }

        /** All broken rules, each with its value; empty if none is broken. */
        List<String> faults(ElectionSettings<?> settings) {
            faults.addAll(settings.faults);
            checkPeers();
            checkVoters();
            settings.rows.forEach(row -> config.chosen.fault(row).ifPresent(faults::add));
            checkTogether();
            faults.addAll(config.secret.faults());
            faults.addAll(config.tls.faults());
            checkTransport();
            return faults;
        }

        private void require(boolean holds, String fault, Object... arguments) {
            if (!holds) {
                add(fault, arguments);
            }
        }

        private void add(String fault, Object... arguments) {
            faults.add(String.format(Locale.ROOT, fault, arguments));
        }

        private void checkPeers() {
            List<String> ids = config.peerList.ids();
            faults.addAll(config.peerList.faults());
            if (config.transport().isPresent() || ids.contains(config.nodeId())) {
                return;
            }
            if (ids.isEmpty()) {
                require(
                        !config.peerList.faults().isEmpty(),
                        "peers: must be given, this node included, unless transport(Transport) is");
            } else if (config.joins()) {
                config.dataDirectory()
                        .ifPresent(directory -> add(
                                "dataDirectory '%s': a node that may come to vote must be one of the peers %s, with the address"
                                        + " at which others reach it, and '%s' is none",
                                directory, ids, config.nodeId()));
                config.chosen
                        .find(SettingRows.LISTEN)
                        .ifPresent(address -> add(
                                "listen %s: only a node that is one of the peers listens, with the address at which others"
                                        + " reach it, and '%s' is none of %s",
                                address, config.nodeId(), ids));
            } else {
                add("nodeId '%s': must be one of the peers %s", config.nodeId(), ids);
            }
        }

        /** A transport that exists already cannot get the settings that Quorate passes to one that it makes. */
        private void checkTransport() {
            config.tls.own().ifPresent(own -> {
                Optional<NodeId> named = Tls.nodeOf(own, config.clusterId());
                require(
                        named.map(NodeId::value).filter(config.nodeId()::equals).isPresent(),
                        "tls %s: the certificate of %s names %s: must name node %4$s of cluster %5$s, by the URI"
                                + " quorate://%5$s/%4$s among its alternative names",
                        config.tls().map(Tls::toString).orElse(""),
                        own.getSubjectX500Principal(),
                        named.map(node -> "node " + node).orElse("no node of this cluster"),
                        config.nodeId(),
                        config.clusterId());
            });
            if (config.transport().isPresent()) {
                String rule = ": not with transport(Transport): give %s to the transport, or name one, such as"
                        + " transport(\"tcp\")";
                config.tls().ifPresent(files -> add("tls %s" + rule, files, "the keys"));
                config.chosen
                        .find(SettingRows.LISTEN)
                        .ifPresent(address -> add("listen %s" + rule, address, "the address"));
            }
        }

        private void checkVoters() {
            List<String> voters = config.voters();
            boolean hasPeers = !config.peers().isEmpty();
            require(
                    !voters.isEmpty() || hasPeers || config.transport().isEmpty(),
                    "voters: must be given if no peers are");
            require(
                    !voters.isEmpty() || !hasPeers,
                    "peers %s: must name another node, because joins asks it who votes",
                    config.peerList.ids());
            require(voters.size() <= Engine.VOTERS_MAX, "voters %s: must be at most %d", voters, Engine.VOTERS_MAX);
            Set<String> seen = new HashSet<>();
            for (String voter : voters) {
                require(SettingRows.isName(voter), "voter '%s': must be %s", voter, SettingRows.NAME);
                require(seen.add(voter), "voter '%s': is given twice", voter);
                require(
                        !hasPeers || config.peerList.ids().contains(voter),
                        "voter '%s': must be one of the peers %s",
                        voter,
                        config.peerList.ids());
            }
        }

        /** Checks the rules that depend on more than one setting. */
        private void checkTogether() {
            require(
                    !config.preempt() || config.rankOrder() != RankOrder.JOIN_ORDER,
                    "preempt true: not with JOIN_ORDER, where no newcomer is ever ranked better");
            if (Stream.of(SettingRows.HEARTBEAT, SettingRows.SUPPORT, SettingRows.DRIFT)
                    .allMatch(row -> config.chosen.fault(row).isEmpty())) {
                checkHeartbeat(
                        config.heartbeat().toNanos(), config.supportDuration().toNanos(), config.driftPercent());
            }
        }

        /**
         * A heartbeat is at most a quarter of the support duration, less the drift of the clocks on both sides. The
         * message proposes a value for either of the two, because somebody may have set only one. The values are
         * rounded to milliseconds in the direction that keeps the rule.
         */
        private void checkHeartbeat(long heartbeat, long support, int drift) {
            long most = support / (100 + drift) * (100 - drift) / 4;
            long least = (4 * heartbeat + 99 - drift) / (100 - drift) * (100 + drift);
            require(
                    heartbeat <= most,
                    "supportDuration %s with heartbeat %s and driftPercent %d: set heartbeat to at"
                            + " most %s, or supportDuration to at least %s",
                    Duration.ofNanos(support),
                    Duration.ofNanos(heartbeat),
                    drift,
                    Duration.ofNanos(most < MILLI ? most : most / MILLI * MILLI),
                    Duration.ofNanos((least + MILLI - 1) / MILLI * MILLI));
        }
    }
}
