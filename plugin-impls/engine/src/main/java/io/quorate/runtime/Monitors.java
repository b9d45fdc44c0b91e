package io.quorate.runtime;

import io.quorate.core.Node;
import io.quorate.core.message.ContenderRecord;
import io.quorate.engine.Connection;
import io.quorate.engine.Engine;
import io.quorate.engine.Fatal;
import io.quorate.engine.Tenure;
import io.quorate.spi.NodeId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
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
    private final List<Engine.Monitor> all = new CopyOnWriteArrayList<>();

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
    void add(Engine.Monitor monitor, long now, Node node, Facts facts) {
        if (all.isEmpty()) {
            forget();
            // Renewals from before anybody watched are no news.
            node.takeMargin();
            node.eachPath(path -> look(path, node));
        }
        turn(now, now, node, facts);
        if (isTold(monitor, each -> tellAll(each, facts))) {
            all.add(monitor);
        }
    }

    private void tellAll(Engine.Monitor monitor, Facts facts) {
        Engine.Support support = facts.support();
        if (support.connection() != Connection.NONE) {
            monitor.connectionChanged(support.connection(), support.reason());
        }
        monitor.supportersChanged(support.supporters());
        leaders.forEach((path, known) -> monitor.leaderChanged(path, Optional.empty(), Optional.of(leader(known))));
        leaderless.keySet().forEach(path -> monitor.leaderChanged(path, Optional.empty(), Optional.empty()));
        heard.forEach(monitor::voterHeard);
        dropped.forEach(monitor::framesDropped);
        facts.tenures().forEach(tenure -> monitor.leads(tenure.path(), tenure.token()));
    }

    void remove(Engine.Monitor monitor) {
        all.remove(monitor);
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
                    tell(monitor -> monitor.voterHeard(former, false));
                }
                tell(monitor -> monitor.voterLeft(former));
            }
        }
        voters = now;
    }

    void onConnectionChanged(Connection connection, String reason) {
        tell(monitor -> monitor.connectionChanged(connection, reason));
    }

    void onSupportersChanged(List<NodeId> supporters) {
        tell(monitor -> monitor.supportersChanged(supporters));
    }

    // A hand-over waits for these two: without monitors no code of theirs is linked.
    void onGranted(Tenure tenure) {
        if (!all.isEmpty()) {
            tell(monitor -> monitor.leads(tenure.path(), tenure.token()));
        }
    }

    void onRevoked(Tenure tenure, String reason) {
        if (!all.isEmpty()) {
            tell(monitor -> monitor.leadsNoMore(tenure.path(), tenure.token(), reason));
        }
    }

    void onStopped(String reason) {
        tell(monitor -> monitor.stopped(reason));
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
            Optional<Engine.Leader> former =
                    Optional.ofNullable(leaders.remove(path)).map(Monitors::leader);
            boolean wasLeaderless = leaderless.remove(path) != null;
            if (former.isPresent() || wasLeaderless) {
                tell(monitor -> monitor.forgotten(path, former));
            }
            return;
        }
        ContenderRecord last = leaders.get(path);
        Optional<Engine.Leader> former = Optional.ofNullable(last).map(Monitors::leader);
        long tokenMax = last != null ? last.token() : leaderless.getOrDefault(path, 0L);
        Optional<ContenderRecord> holder = node.holder(path);
        if (holder.isEmpty()) {
            boolean isNews = leaderless.put(path, tokenMax) == null;
            leaders.remove(path);
            if (isNews) {
                tell(monitor -> monitor.leaderChanged(path, former, Optional.empty()));
            }
        } else if (holder.get().token() >= tokenMax) {
            // Otherwise a voter is late: voters tell one after the other, and this one still names a former leader.
            leaders.put(path, holder.get());
            leaderless.remove(path);
            Optional<Engine.Leader> leader = holder.map(Monitors::leader);
            if (!leader.equals(former)) {
                tell(monitor -> monitor.leaderChanged(path, former, leader));
            }
        }
    }

    private static Engine.Leader leader(ContenderRecord contender) {
        return new Engine.Leader(contender.id().node(), contender.participantId(), contender.token());
    }

    /**
     * Time passes.
     *
     * @param due the latest instant at which the driver wanted to act
     */
    void turn(long now, long due, Node node, Facts facts) {
        if (now - due > heartbeat) {
            tell(monitor -> monitor.stalled(now - due));
        }
        OptionalLong margin = node.takeMargin();
        if (margin.isPresent()) {
            tell(monitor -> monitor.supportRenewed(margin.getAsLong()));
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
                tell(monitor -> monitor.voterHeard(voter, isHeard));
            }
        }
    }

    private void tellOfDrops(Facts facts, long now) {
        droppedAt = now;
        facts.dropped().forEach((reason, count) -> {
            Long last = dropped.put(reason, count);
            if (last == null || !last.equals(count)) {
                tell(monitor -> monitor.framesDropped(reason, count));
            }
        });
    }

    private void tell(Consumer<Engine.Monitor> event) {
        for (Engine.Monitor monitor : all) {
            if (!isTold(monitor, event)) {
                remove(monitor);
            }
        }
    }

    private boolean isTold(Engine.Monitor monitor, Consumer<Engine.Monitor> event) {
        try {
            event.accept(monitor);
            return true;
        } catch (Throwable e) {
            // Justification: catches everything but what nobody survives. The monitor is the application's.
            Fatal.throwIfFatal(e);
            log.error("node {}: a monitor threw, and is told nothing more", self, e);
            return false;
        }
    }
}
