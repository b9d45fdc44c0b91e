package io.quorate;

import io.quorate.core.NodeSettings;
import io.quorate.core.RankOrder;
import io.quorate.spi.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a configuration must fulfil, a line or two per rule. */
final class ConfigRules {

    // Far beyond any use, and small enough that no computation with nanoseconds overflows.
    private static final Duration LONGEST = Duration.ofDays(1);

    private static final long MILLI = 1_000_000;

    private final ElectionConfig config;
    private final List<String> faults = new ArrayList<>();

    private ConfigRules(ElectionConfig config) {
        this.config = config;
    }

    /** Every broken rule, with value and rule; empty if none is. */
    static List<String> faults(ElectionConfig config) {
        ConfigRules rules = new ConfigRules(config);
        rules.checkNames();
        rules.checkPeers();
        rules.checkVoters();
        rules.checkTimes();
        return List.copyOf(rules.faults);
    }

    private void require(boolean holds, String fault, Object... arguments) {
        if (!holds) {
            faults.add(String.format(fault, arguments));
        }
    }

    private void checkNames() {
        require(isName(config.clusterId()), "clusterId '%s': must be 1 to %d letters, digits, '.', '_' and '-'",
                config.clusterId(), NodeId.LENGTH_MAX);
        require(isName(config.nodeId()), "nodeId '%s': is required, 1 to %d letters, digits, '.', '_' and '-'",
                config.nodeId(), NodeId.LENGTH_MAX);
        require(!config.algorithm().isBlank(), "algorithm '%s': must be a name", config.algorithm());
        require(!config.transportName().isBlank(), "transport '%s': must be a name", config.transportName());
        try {
            Paths.validated("/" + config.namespace());
        } catch (IllegalArgumentException e) {
            faults.add("namespace '" + config.namespace() + "': " + e.getMessage());
        }
        require(!config.preempt() || config.rankOrder() != RankOrder.JOIN_ORDER,
                "preempt true: not with JOIN_ORDER, where no newcomer is ever ranked better");
    }

    private void checkPeers() {
        faults.addAll(config.peerList().faults());
        boolean needsAddresses = config.transport().isEmpty();
        require(!needsAddresses || !config.peers().isEmpty() || !config.peerList().faults().isEmpty(),
                "peers: must be given, this node included, unless transport(Transport) is");
        require(!needsAddresses || config.peers().isEmpty() || config.peerList().ids().contains(config.nodeId()),
                "nodeId '%s': must be one of the peers %s", config.nodeId(), config.peerList().ids());
    }

    private void checkVoters() {
        List<String> voters = config.voters();
        boolean hasPeers = !config.peers().isEmpty();
        require(!voters.isEmpty() || config.transport().isEmpty(), "voters: must be given if no peers are");
        require(voters.size() <= NodeSettings.VOTERS_MAX, "voters %s: must be at most %d", voters,
                NodeSettings.VOTERS_MAX);
        Set<String> seen = new HashSet<>();
        for (String voter : voters) {
            require(isName(voter), "voter '%s': must be 1 to %d letters, digits, '.', '_' and '-'", voter,
                    NodeId.LENGTH_MAX);
            require(seen.add(voter), "voter '%s': is given twice", voter);
            require(!hasPeers || config.peerList().ids().contains(voter), "voter '%s': must be one of the peers %s",
                    voter, config.peerList().ids());
        }
    }

    private void checkTimes() {
        boolean areSane = checkDuration("heartbeat", config.heartbeat())
                & checkDuration("supportDuration", config.supportDuration());
        checkDuration("delta", config.delta());
        checkDuration("connectionTimeout", config.connectionTimeout());
        int drift = config.driftPercent();
        require(0 <= drift && drift < 50, "driftPercent %d: must be from 0 to 49", drift);
        if (areSane && 0 <= drift && drift < 50) {
            checkHeartbeat(config.heartbeat().toNanos(), config.supportDuration().toNanos(), drift);
        }
    }

    /**
     * A quarter of the support duration, less the drift of the clocks on both sides. The cures are rounded to
     * milliseconds, so that they are cures; somebody may have set only one of the two.
     */
    private void checkHeartbeat(long heartbeat, long support, int drift) {
        long most = support / (100 + drift) * (100 - drift) / 4;
        long least = (4 * heartbeat + 99 - drift) / (100 - drift) * (100 + drift);
        require(heartbeat <= most, "supportDuration %s with heartbeat %s and driftPercent %d: set heartbeat to at most "
                        + "%s, or supportDuration to at least %s", Duration.ofNanos(support),
                Duration.ofNanos(heartbeat), drift, Duration.ofNanos(most < MILLI ? most : most / MILLI * MILLI),
                Duration.ofNanos((least + MILLI - 1) / MILLI * MILLI));
    }

    private boolean checkDuration(String name, Duration value) {
        boolean isSane = value.compareTo(Duration.ZERO) > 0 && value.compareTo(LONGEST) <= 0;
        require(isSane, "%s %s: must be more than 0 and at most %s", name, value, LONGEST);
        return isSane;
    }

    private static boolean isName(String value) {
        try {
            return new NodeId(value).value().equals(value);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** What is legal but probably not meant. */
    static List<String> hints(ElectionConfig config) {
        List<String> hints = new ArrayList<>();
        int voters = config.voters().size();
        if (voters == 1) {
            hints.add("1 voter: if it stops, nobody leads; 3 survive the loss of one");
        } else if (voters == 2) {
            hints.add("2 voters: if either stops, nobody leads; a third one, which need not contend, cures that");
        } else if (voters % 2 == 0) {
            hints.add(voters + " voters: survive the loss of no more than " + (voters - 1) + " do");
        }
        if (config.dataDirectory().isEmpty() && config.voters().contains(config.nodeId())) {
            hints.add("no dataDirectory: after a restart of a majority of voters, fencing tokens keep rising only if "
                    + "wall clocks are right to within the downtime; exclusivity is untouched");
        }
        return List.copyOf(hints);
    }
}
