package io.quorate.runtime;

import io.quorate.ClientMonitor;
import io.quorate.ClientMonitor.Leader;
import io.quorate.core.Node;
import io.quorate.core.message.ContenderRecord;
import io.quorate.engine.Connection;
import io.quorate.engine.Engine;
import io.quorate.engine.Fatal;
import io.quorate.engine.Tenure;
import io.quorate.spi.NodeId;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;

/**
 * The monitors of a node. Confined to the driver's thread. While there are none, nothing is kept and each call ends at
 * once.
 *
 * <p>A monitor that throws is told nothing more: it would throw again at each heartbeat, and flood the log.
 */
final class Monitors {

    /** Dropped frames may come by the thousand, so monitors are told at this interval. */
    private static final long DROPS_PAUSE_NANOS = 1_000_000_000;

    private final NodeId self;
    private final Logger log;
    private List<NodeId> voters;
    private final long heartbeat;
    /** One that throws leaves while the others are told. */
    private final List<Added> all = new CopyOnWriteArrayList<>();

    // The state that monitors were told last; kept while there are any. A node may lead a hundred thousand paths, so
    // each entry is the record that the node has of the leader anyway.
    private final Map<String, ContenderRecord> leaders = new HashMap<>();
    /**
     * The paths without a known leader, with the greatest former token; 0 for none. A tree keeps no room when all of
     * many paths are led.
     */
    private final Map<String, Long> leaderless = new TreeMap<>();

    private final Map<NodeId, Boolean> heard = new LinkedHashMap<>();
    private final Map<String, Long> dropped = new LinkedHashMap<>();
    private long droppedAt;

    private record Added(ClientMonitor monitor, UnaryOperator<String> inClient) {

        void leaderChanged(String path, Optional<Leader> former, Optional<Leader> leader) {
            monitor.leaderChanged(inClient.apply(path), former, leader);
        }
    }

    /** The state that the driver knows, apart from its node. */
    interface Facts {

        /** The connection, with the reason and the voters that support the node. */
        Engine.Support support();

        List<Tenure> tenures();

        /** Whether a frame of the voter has arrived within the suspicion time. */
        boolean hears(NodeId voter);

        /** How many frames were dropped, by reason; all reasons, also those that never occurred. */
        Map<String, Long> dropped();
    }

    /** @param heartbeat an act that is late by more counts as late, in nanoseconds */
    Monitors(NodeId self, List<NodeId> voters, long heartbeat, Logger log) {
        this.self = self;
        this.voters = voters;
        this.heartbeat = heartbeat;
        this.log = log;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** A new monitor hears at once how things are. The others hear news only. */
    void add(ClientMonitor monitor, UnaryOperator<String> inClient, long now, Node node, Facts facts) {
        if (all.isEmpty()) {
            forget();
            // Renewals from before anybody watched are no news.
            node.takeMargin();
            node.eachPath(path -> look(path, node));
        }
        turn(now, now, node, facts);
        Added added = new Added(monitor, inClient);
        if (isTold(added, each -> tellAll(each, facts))) {
            all.add(added);
        }
    }

    private static List<String> values(List<NodeId> nodes) {
        return nodes.stream().map(NodeId::value).toList();
    }

    private void tellAll(Added added, Facts facts) {
        ClientMonitor monitor = added.monitor();
        Engine.Support support = facts.support();
        support.connection().state().ifPresent(state -> monitor.connectionChanged(state, support.reason()));
        monitor.supportersChanged(values(support.supporters()));
        leaders.forEach((path, known) -> added.leaderChanged(path, Optional.empty(), Optional.of(leader(known))));
        leaderless.keySet().forEach(path -> added.leaderChanged(path, Optional.empty(), Optional.empty()));
        heard.forEach((voter, isHeard) -> monitor.voterHeard(voter.value(), isHeard));
        dropped.forEach(monitor::framesDropped);
        facts.tenures().forEach(tenure -> monitor.leads(added.inClient().apply(tenure.path()), tenure.token()));
    }

    void remove(ClientMonitor monitor) {
        all.removeIf(added -> added.monitor() == monitor);
        if (all.isEmpty()) {
            forget();
        }
    }

    private void forget() {
        leaders.clear();
        leaderless.clear();
        heard.clear();
        dropped.clear();
    }

    void onVotersChanged(List<NodeId> now) {
        for (NodeId former : voters) {
            // A voter that monitors were never told of cannot have left for them.
            Boolean last = now.contains(former) ? null : heard.remove(former);
            if (last != null) {
                if (last) {
                    tell(each -> each.monitor().voterHeard(former.value(), false));
                }
                tell(each -> each.monitor().voterLeft(former.value()));
            }
        }
        voters = now;
    }

    void onConnectionChanged(Connection connection, String reason) {
        connection.state().ifPresent(state -> tell(each -> each.monitor().connectionChanged(state, reason)));
    }

    void onSupportersChanged(List<NodeId> supporters) {
        tell(each -> each.monitor().supportersChanged(values(supporters)));
    }

    // A hand-over waits for these two: without monitors no code of theirs is linked.
    void onGranted(Tenure tenure) {
        if (!all.isEmpty()) {
            tell(each -> each.monitor().leads(each.inClient().apply(tenure.path()), tenure.token()));
        }
    }

    void onRevoked(Tenure tenure, String reason) {
        if (!all.isEmpty()) {
            tell(each -> each.monitor().leadsNoMore(each.inClient().apply(tenure.path()), tenure.token(), reason));
        }
    }

    void onStopped(String reason) {
        tell(each -> each.monitor().stopped(reason));
        all.clear();
        forget();
    }

    void onViewChanged(String path, Node node) {
        if (!all.isEmpty()) {
            look(path, node);
        }
    }

    private void look(String path, Node node) {
        if (!node.isHere(path)) {
            Optional<Leader> former = Optional.ofNullable(leaders.remove(path)).map(Monitors::leader);
            boolean wasLeaderless = leaderless.remove(path) != null;
            if (former.isPresent() || wasLeaderless) {
                tell(each -> each.monitor().forgotten(each.inClient().apply(path), former));
            }
            return;
        }
        ContenderRecord last = leaders.get(path);
        Optional<Leader> former = Optional.ofNullable(last).map(Monitors::leader);
        long tokenMax = last != null ? last.token() : leaderless.getOrDefault(path, 0L);
        Optional<ContenderRecord> holder = node.holder(path);
        if (holder.isEmpty()) {
            boolean isNews = leaderless.put(path, tokenMax) == null;
            leaders.remove(path);
            if (isNews) {
                tell(each -> each.leaderChanged(path, former, Optional.empty()));
            }
        } else if (holder.get().token() >= tokenMax) {
            // Otherwise a voter is late: voters tell one after the other, and this one still names a former leader.
            leaders.put(path, holder.get());
            leaderless.remove(path);
            Optional<Leader> leader = holder.map(Monitors::leader);
            if (!leader.equals(former)) {
                tell(each -> each.leaderChanged(path, former, leader));
            }
        }
    }

    private static Leader leader(ContenderRecord contender) {
        return new Leader(contender.participantId(), contender.id().node().value(), contender.token());
    }

    /**
     * Time passes.
     *
     * @param due the latest instant at which the driver wanted to act
     */
    void turn(long now, long due, Node node, Facts facts) {
        if (now - due > heartbeat) {
            tell(each -> each.monitor().stalled(Duration.ofNanos(now - due)));
        }
        OptionalLong margin = node.takeMargin();
        if (margin.isPresent()) {
            tell(each -> each.monitor().supportRenewed(Duration.ofNanos(margin.getAsLong())));
        }
        tellOfVoters(facts);
        if (dropped.isEmpty() || now - droppedAt >= DROPS_PAUSE_NANOS) {
            tellOfDrops(facts, now);
        }
    }

    private void tellOfVoters(Facts facts) {
        for (NodeId voter : voters) {
            boolean isHeard = voter.equals(self) || facts.hears(voter);
            Boolean last = heard.put(voter, isHeard);
            if (last == null || last != isHeard) {
                tell(each -> each.monitor().voterHeard(voter.value(), isHeard));
            }
        }
    }

    private void tellOfDrops(Facts facts, long now) {
        droppedAt = now;
        facts.dropped().forEach((reason, count) -> {
            Long last = dropped.put(reason, count);
            if (last == null || !last.equals(count)) {
                tell(each -> each.monitor().framesDropped(reason, count));
            }
        });
    }

    private void tell(Consumer<Added> event) {
        for (Added added : all) {
            if (!isTold(added, event)) {
                remove(added.monitor());
            }
        }
    }

    private boolean isTold(Added added, Consumer<Added> event) {
        try {
            event.accept(added);
            return true;
        } catch (Throwable e) {
            // Justification: catches everything but what nobody survives. The monitor is the application's.
            Fatal.throwIfFatal(e);
            log.error("node {}: a monitor threw, and is told nothing more", self, e);
            return false;
        }
    }
}
