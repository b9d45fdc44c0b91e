package io.quorate.ops;

import io.quorate.ClientMonitor;
import io.quorate.ConnectionState;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.SettingDefinition;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * Puts what happens in a client into the recordings of JDK Flight Recorder: one loss of leadership beside the pause of
 * the collector that it comes from. docs/metrics.md lists the events.
 *
 * <pre>{@code
 * client.addMonitor(new FlightEvents(client.nodeId()));
 * }</pre>
 *
 * <p>Each client needs one of its own. Where nothing is recorded, each event costs a glance. It needs the module
 * {@code jdk.jfr}: an application on the module path must require it.
 */
public final class FlightEvents implements ClientMonitor {

    private final String node;
    /** The leaderships that have begun while they were recorded; confined to the node's thread. */
    private final Map<String, Leadership> leaderships = new HashMap<>();

    /**
     * Makes events for one client.
     *
     * @param node stands in each event, so that those of several clients of one process can be told apart: the id of
     *             the client's node
     * @throws NullPointerException if {@code node} is null
     */
    public FlightEvents(String node) {
        this.node = Objects.requireNonNull(node, "node");
    }

    // ---------------------------------------------------------------- the events

    @Category("Quorate")
    @StackTrace(false)
    abstract static class OfNode extends Event {
        @Label("Node")
        String node = "";
    }

    @Name("quorate.Leadership")
    @Label("Leadership")
    @Description("A leadership of this node, from its beginning to its end")
    static final class Leadership extends OfNode {
        @Label("Path")
        String path = "";

        @Label("Token")
        @Description("The fencing token")
        long token;

        @Label("Reason")
        @Description("Why it has ended")
        String reason = "";
    }

    @Name("quorate.LeaderChange")
    @Label("Leader Change")
    @Description("Another leader, or none, is known of a path")
    static final class LeaderChange extends OfNode {
        @Label("Path")
        String path = "";

        @Label("Leader")
        @Description("The id of the latch or selector; empty if no leader is known")
        String leader = "";

        @Label("Leader's Node")
        @Description("Empty if no leader is known")
        String leaderNode = "";

        @Label("Token")
        @Description("The leader's fencing token; 0 if no leader is known")
        long token;
    }

    @Name("quorate.Connection")
    @Label("Connection")
    @Description("The connection with a majority of voters has changed, or the node has stopped")
    static final class Connection extends OfNode {
        @Label("State")
        @Description("A connection state, or STOPPED")
        String state = "";

        @Label("Reason")
        String reason = "";
    }

    @Name("quorate.Callback")
    @Label("Callback")
    @Description("A listener has returned, after a longer time than the setting tookAtLeast")
    static final class Callback extends OfNode {
        @Label("Path")
        @Description("Empty for the connection listeners of the client")
        String path = "";

        @Label("Callback")
        @Description("The name of the listener's method")
        String callback = "";

        @Label("Took")
        @Timespan(Timespan.NANOSECONDS)
        long took;

        @Label("Has Thrown")
        boolean hasThrown;

        // The event begins when the listener has returned, so the threshold of the Flight Recorder, which is about the
        // duration of the event, is of no use.
        @SettingDefinition
        @Name("tookAtLeast")
        @Label("Took at Least")
        boolean isRecorded(TimespanSetting atLeast) {
            return took >= atLeast.nanos();
        }
    }

    @Name("quorate.Drain")
    @Label("Drain")
    @Description(
            "The work of a leader is finished that held up the planned end of a leadership, or is waited for no longer")
    static final class Drain extends OfNode {
        @Label("Path")
        String path = "";

        @Label("Outcome")
        @Description("DONE, TIMED_OUT or CUT")
        String outcome = "";

        @Label("Took")
        @Timespan(Timespan.NANOSECONDS)
        long took;
    }

    @Name("quorate.Stall")
    @Label("Stall")
    @Description("The node's thread was late by more than a heartbeat")
    static final class Stall extends OfNode {
        @Label("Late")
        @Description("By how much; the event is at the end of that time")
        @Timespan(Timespan.NANOSECONDS)
        long late;
    }

    // ---------------------------------------------------------------- when they occur

    @Override
    public void leads(String path, long token) {
        Leadership leadership = new Leadership();
        if (leadership.isEnabled()) {
            leadership.node = node;
            leadership.path = path;
            leadership.token = token;
            leadership.begin();
            leaderships.put(path, leadership);
        }
    }

    @Override
    public void leadsNoMore(String path, long token, String reason) {
        Leadership begun = leaderships.remove(path);
        if (begun != null && begun.token == token) {
            begun.reason = reason;
            begun.commit();
            return;
        }
        // It was not recorded when it began.
        Leadership ended = new Leadership();
        if (ended.isEnabled()) {
            ended.node = node;
            ended.path = path;
            ended.token = token;
            ended.reason = reason;
            ended.commit();
        }
    }

    @Override
    public void leaderChanged(String path, Optional<Leader> former, Optional<Leader> leader) {
        LeaderChange event = new LeaderChange();
        if (event.isEnabled()) {
            event.node = node;
            event.path = path;
            leader.ifPresent(known -> {
                event.leader = known.id();
                event.leaderNode = known.node();
                event.token = known.token();
            });
            event.commit();
        }
    }

    @Override
    public void connectionChanged(ConnectionState state, String reason) {
        commitConnection(state.name(), reason);
    }

    @Override
    public void stopped(String reason) {
        leaderships.values().forEach(leadership -> {
            leadership.reason = reason;
            leadership.commit();
        });
        leaderships.clear();
        commitConnection("STOPPED", reason);
    }

    private void commitConnection(String state, String reason) {
        Connection event = new Connection();
        if (event.isEnabled()) {
            event.node = node;
            event.state = state;
            event.reason = reason;
            event.commit();
        }
    }

    @Override
    public void stalled(Duration late) {
        Stall event = new Stall();
        if (event.isEnabled()) {
            event.node = node;
            event.late = late.toNanos();
            event.commit();
        }
    }

    @Override
    public void drained(String path, DrainOutcome outcome, Duration took) {
        Drain event = new Drain();
        if (event.isEnabled()) {
            event.node = node;
            event.path = path;
            event.outcome = outcome.name();
            event.took = took.toNanos();
            event.commit();
        }
    }

    @Override
    public void callbackReturned(String path, String callback, Duration took, boolean hasThrown) {
        Callback event = new Callback();
        if (event.isEnabled()) {
            event.node = node;
            event.path = path;
            event.callback = callback;
            event.took = took.toNanos();
            event.hasThrown = hasThrown;
            event.commit();
        }
    }
}
