package io.quorate;

import io.quorate.client.Paths;
import io.quorate.engine.Engine;
import io.quorate.settings.PeerList;
import io.quorate.settings.SecretSetting;
import io.quorate.settings.Setting;
import io.quorate.settings.SettingText;
import io.quorate.settings.TlsSetting;
import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The table of settings, with one row for each. docs/settings.md has it as it stands here, in this order; {@link
 * ElectionSettings} has the methods.
 */
final class SettingRows {

    static final String NAME = "1 to " + NodeId.LENGTH_MAX + " letters, digits, '.', '_' and '-'";
    private static final String BY_PROFILE = "by profile";

    // Far beyond any use, and small enough that no computation with nanoseconds overflows.
    private static final Duration LONGEST = Duration.ofDays(1);

    static final Setting<String> NODE_ID = text("nodeId", "node-id")
            .initially("")
            .otherwise("`POD_NAME`, or none: it is required")
            .checkedBy(value -> Check.argument(isName(value), "is required, %s", NAME))
            .says(NAME + " | no, unique | this node's name, the same after a restart");

    static final Setting<String> CLUSTER_ID = text("clusterId", "cluster-id")
            .initially(ElectionSettings.DEFAULT_CLUSTER_ID)
            .must(NAME, SettingRows::isName)
            .says(NAME + " | yes | separates clusters on one network");

    static final Setting<List<String>> PEER = Setting.<List<String>>ofMethod("peer", List.class)
            .says("an id, a host and a port | yes | adds one node to the peers");

    static final Setting<List<String>> PEERS = Setting.of("peers", "peers", List.class, SettingText::names)
            .insteadOf(PEER)
            .says("`id=host:port`, separated by commas | yes | the address of every node, including this one");

    static final Setting<List<String>> PEERS_TEMPLATE = Setting.of(
                    "peers", "peers-template", String.class, SettingText::expanded)
            .insteadOf(PEER, PEERS)
            .says("a [template](#properties-and-environment), such as `app-{0..2}.app-peers:7400` | yes"
                    + " | the peers, for the nodes of a stateful set");

    static final Setting<List<String>> VOTERS = Setting.of("voters", "voters", List.class, SettingText::names)
            .otherwise("all peers")
            .says("1 to " + Engine.VOTERS_MAX + " ids | yes, unless `joins` is set"
                    + " | the nodes whose majority decides, until [others vote](operations.md#voters)");

    static final Setting<Boolean> JOINS =
            truth("joins", "whether this node [asks others](#a-node-that-joins) who votes");

    static final Setting<Path> DATA_DIRECTORY = Setting.of(
                    "dataDirectory", "data-directory", Path.class, SettingText::path)
            .says("a directory of this node alone; it is created, but its parent must exist | all voters, or none"
                    + " | where a voter keeps its terms across restarts");

    static final Setting<Profile> PROFILE = constant(
            "profile",
            "profile",
            Profile.DEFAULT,
            "its support time | [times](#profiles) for heartbeat, support and delta");

    static final Setting<Duration> HEARTBEAT = duration("heartbeat", "heartbeat")
            .otherwise(BY_PROFILE)
            .says("more than 0, at most a quarter of the support time less the drift of two clocks | no"
                    + " | how often a node asks each voter for support");

    static final Setting<Duration> SUPPORT = duration("supportDuration", "support")
            .otherwise(BY_PROFILE)
            .says("four heartbeats and the drift of two clocks, up to one day | yes"
                    + " | how long a voter supports a node after a heartbeat");

    static final Setting<Duration> DELTA = duration("delta", "delta")
            .otherwise(BY_PROFILE)
            .says("more than 0, at most one day | should be | the bound on a one-way delay; never affects safety");

    static final Setting<Integer> DRIFT = number("driftPercent", "drift", ElectionSettings.DEFAULT_DRIFT_PERCENT)
            .must("from 0 to 49", percent -> 0 <= percent && percent < 50)
            .says("0 to 49 | yes"
                    + " | how far a clock's rate may differ from real time, in percent; safety depends on it");

    static final Setting<String> ALGORITHM = text("algorithm", "algorithm")
            .initially(ElectionSettings.DEFAULT_ALGORITHM)
            .must("a name", name -> !name.isBlank())
            .says("an algorithm on the class path | should be | which algorithm nominates");

    static final Setting<Transport> OWN_TRANSPORT = Setting.<Transport>ofMethod("transport", Transport.class)
            .says("an instance, not yet started | its kind | a transport that the application has created");

    static final Setting<String> TRANSPORT = text("transport", "transport")
            .initially(ElectionSettings.DEFAULT_TRANSPORT)
            .insteadOf(OWN_TRANSPORT)
            .must("a name", name -> !name.isBlank())
            .says("a transport on the class path. If you name none and there is only one, that is used | yes"
                    + " | what carries the frames");

    static final Setting<RankOrder> RANK_ORDER = constant(
            "rankOrder", "rank-order", RankOrder.JOIN_ORDER, "should be | [which contender leads first](#who-leads)");

    static final Setting<Integer> PRIORITY = number("priority", "priority", ElectionSettings.DEFAULT_PRIORITY)
            .says(
                    "any whole number | no"
                            + " | this node's rank under `PRIORITY`, higher is better; [`client.priority(7)`](#who-leads) changes it");

    static final Setting<Boolean> PREEMPT =
            truth("preempt", "whether a leader hands over to a better-ranked contender; not with `JOIN_ORDER`");

    static final Setting<String> LISTEN = text("listen", "listen")
            .otherwise("the address in the peers")
            .checkedBy(address -> PeerList.address(address.trim()))
            .says("`host:port` | no | where this node listens, if others [reach it elsewhere](#peers-and-voters)");

    static final Setting<Boolean> PLAINTEXT =
            truth("plaintext", "confirms that this node [should run](security.md#plain-text) without secret and TLS");

    static final Setting<String> NAMESPACE = text("namespace", "namespace")
            .initially("")
            .checkedBy(value -> Paths.validated("/" + value))
            .says("a path without slashes at its ends | yes | a prefix of all paths");

    static final Setting<String> MIGRATION = text("migration", "migration")
            .initially("")
            .must("tandem, or left out", value -> value.isEmpty() || value.equals("tandem"))
            .says("`tandem`, or left out | yes"
                    + " | plain latches [make way](migration.md#the-guard) for tandems and shadows");

    static final Setting<Duration> CONNECTION_TIMEOUT = duration("connectionTimeout", "connection-timeout")
            .initially(Duration.ofSeconds(15))
            .says("more than 0, at most one day | no | how long a path's first question waits for a voter,"
                    + " in addition to the support time, during which a voter that has just started is silent");

    static final Setting<Duration> DRAIN_TIMEOUT = duration("drainTimeout", "drain-timeout")
            .initially(Duration.ofSeconds(30))
            .must("0 or more, and at most " + LONGEST, value -> !value.isNegative() && value.compareTo(LONGEST) <= 0)
            .says(
                    "0 or more, at most one day | no | how long a leader may [finish its work](operations.md#a-leader-that-leaves)"
                            + " before a planned end, unless its drain has its own bound");

    /** The policies that have a name. */
    private enum ErrorPolicy {
        SESSION,
        STANDARD
    }

    static final Setting<ConnectionStateErrorPolicy> ERROR_POLICY = Setting.of(
                    "connectionStateErrorPolicy",
                    "connection-state-error-policy",
                    String.class,
                    text -> switch (SettingText.constant(ErrorPolicy.class, text)) {
                        case SESSION -> (ConnectionStateErrorPolicy) new SessionConnectionStateErrorPolicy();
                        case STANDARD -> new StandardConnectionStateErrorPolicy();
                    })
            .initially(new SessionConnectionStateErrorPolicy())
            .otherwise("`SESSION`")
            .says("`SESSION`, `STANDARD`; the method also takes a policy | no"
                    + " | whether SUSPENDED [ends leadership](curator.md#connection-states)");

    /** In the order of the document. */
    static final List<Setting<?>> ALL = Stream.of(
                    List.of(NODE_ID, CLUSTER_ID, PEERS, PEER, PEERS_TEMPLATE, VOTERS, JOINS, DATA_DIRECTORY, PROFILE),
                    List.of(HEARTBEAT, SUPPORT, DELTA, DRIFT, ALGORITHM, TRANSPORT, OWN_TRANSPORT, RANK_ORDER),
                    List.of(PRIORITY, PREEMPT, LISTEN, SecretSetting.GIVEN, SecretSetting.FILE, TlsSetting.FILES),
                    TlsSetting.NAMED,
                    List.of(PLAINTEXT, NAMESPACE, MIGRATION, CONNECTION_TIMEOUT, DRAIN_TIMEOUT, ERROR_POLICY))
            .<Setting<?>>flatMap(List::stream)
            .toList();

    private SettingRows() {}

    private static Setting<String> text(String name, String key) {
        return Setting.of(name, key, String.class, Function.identity());
    }

    private static Setting<Integer> number(String name, String key, int initial) {
        return Setting.of(name, key, Integer.class, SettingText::number).initially(initial);
    }

    private static Setting<Boolean> truth(String name, String meaning) {
        return Setting.of(name, name, Boolean.class, SettingText::truth)
                .initially(false)
                .says("`true`, `false` | no | " + meaning);
    }

    private static Setting<Duration> duration(String name, String key) {
        return Setting.of(name, key, Duration.class, SettingText::duration)
                .must(
                        "more than 0 and at most " + LONGEST,
                        value -> value.compareTo(Duration.ZERO) > 0 && value.compareTo(LONGEST) <= 0);
    }

    private static <E extends Enum<E>> Setting<E> constant(String name, String key, E initial, String cells) {
        Class<E> type = initial.getDeclaringClass();
        String values = Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining("`, `"));
        return Setting.of(name, key, type, text -> SettingText.constant(type, text))
                .initially(initial)
                .says("`" + values + "` | " + cells);
    }

    /** Returns whether this may name a node, a voter or a cluster. */
    static boolean isName(String value) {
        try {
            return new NodeId(value).value().equals(value);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
