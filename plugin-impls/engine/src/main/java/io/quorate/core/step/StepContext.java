package io.quorate.core.step;

import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.voters.PerVoter;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterPlaces;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.Check;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.Timing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** The context that the parts of a node share: its identity, the time of the current step, and its effects. */
public final class StepContext {

    private final NodeSettings settings;
    private final ElectionAlgorithm algorithm;
    // Asked for once, at the start, which fails if the algorithm throws. Later that would end the node.
    private final String algorithmName;
    private final boolean countsVoters;
    private final Jitter jitter;
    private final Trace trace;
    private final Comparator<ContenderRecord> ranking;
    private final Timers timers = new Timers();
    private final Agenda agenda = new Agenda();
    private final List<PerVoter<?>> perVoter = new ArrayList<>();
    private VoterList voters;
    private OptionalLong votersSince = OptionalLong.empty();
    private int selfVoter;
    private long configHash;

    /**
     * The number of support times after which a silent node is forgotten: by then every vote and support of it has
     * expired.
     */
    public static final int SUPPORTS_KEPT = 10;

    /**
     * A claim may be this far above every term that is known here (DurableTerms.isFarAhead): more than a voter can have
     * reserved in starts that nobody has heard of (65,536 of them), and so little that claims do not use all terms up.
     */
    public static final long CLAIM_LEAP_MAX = 1L << 32;

    private final Notices notices = new Notices(Notices.LINES_MAX);
    private final Deque<NodeMessage> toSelf = new ArrayDeque<>();
    private List<NodeEffect> effects = new ArrayList<>();
    private final long incarnation;
    private long now;

    /** @param incarnation of this life of the node */
    public StepContext(
            NodeSettings settings, ElectionAlgorithm algorithm, Jitter jitter, Trace trace, long incarnation) {
        this.trace = trace;
        this.settings = settings;
        this.algorithm = algorithm;
        this.algorithmName = algorithm.name();
        this.countsVoters = algorithm.countsVoters();
        this.jitter = jitter;
        this.incarnation = incarnation;
        this.ranking = ContenderRecord.ranking(settings.rankOrder());
        this.voters = settings.joins() ? VoterList.NONE : VoterList.first(settings.voters(), settings.addresses());
        this.selfVoter = voters.indexOf(settings.self());
        this.configHash = digest(voters);
    }

    /** The settings of the node. */
    public NodeSettings settings() {
        return settings;
    }

    /** The times of the lease. */
    public LeaseTiming lease() {
        return settings.lease();
    }

    /** The bound on a delay, from which the times of elections and questions are computed. */
    public Timing timing() {
        return settings.timing();
    }

    /** The algorithm that nominates. */
    public ElectionAlgorithm algorithm() {
        return algorithm;
    }

    /** Its name. */
    public String algorithmName() {
        return algorithmName;
    }

    /** Whether voters that do not contend answer in its elections. */
    public boolean countsVoters() {
        return countsVoters;
    }

    /** Draws the delays that should differ between nodes. */
    public Jitter jitter() {
        return jitter;
    }

    /** The observer of contenders. */
    public Trace trace() {
        return trace;
    }

    /** Best rank first. */
    public Comparator<ContenderRecord> ranking() {
        return ranking;
    }

    /** The node's timers. */
    public Timers timers() {
        return timers;
    }

    /** The paths that something has happened to. */
    public Agenda agenda() {
        return agenda;
    }

    /** {@link NodeSettings#configHash} of this node, sent with every heartbeat: ADR-0011. */
    public long configHash() {
        return configHash;
    }

    /** The voters, as far as this node knows them. */
    public VoterList voters() {
        return voters;
    }

    /**
     * The node begins with this list, before anything is kept per voter.
     *
     * @param store the identity of this node's data directory; 0 if it has none
     */
    public void begin(VoterList initial, long store) {
        Check.state(perVoter.isEmpty(), "%s: something is kept per voter already", initial);
        goBy(initial, store);
    }

    /**
     * Another voter list is in force from now on.
     *
     * @param store the identity of this node's data directory; 0 if it has none
     * @return where what is kept per voter and path belongs now
     */
    public VoterPlaces setVoters(VoterList next, long store) {
        VoterPlaces places = new VoterPlaces(voters, next);
        votersSince = OptionalLong.of(now);
        goBy(next, store);
        perVoter.forEach(each -> each.onVoters(places));
        return places;
    }

    private void goBy(VoterList next, long store) {
        voters = next;
        // The voters of list 1 have it in their settings, and a node that joins does not (R10): its directory is new.
        boolean isNamed = next.names(self(), store) && (next.number() > 1 || !settings.joins());
        selfVoter = isNamed ? next.indexOf(self()) : -1;
        configHash = digest(next);
    }

    /** When the present voters began to vote; empty if they have since the start of this node. */
    public OptionalLong votersSince() {
        return votersSince;
    }

    /** One object for each voter, seated anew at each change of the voters. */
    public <T> PerVoter<T> perVoter(Supplier<T> fresh) {
        PerVoter<T> made = new PerVoter<>(voterCount(), fresh);
        perVoter.add(made);
        return made;
    }

    /** List 1 is covered by the digest of the settings; later lists have a digest of their own. */
    private long digest(VoterList of) {
        return NodeSettings.configHash(settings, algorithmName, of.number() == 1 ? of.ids() : List.of());
    }

    /** A digest of the settings that must be equal on all nodes under any list: cluster id, support time and drift. */
    public long clusterHash() {
        return NodeSettings.configHash(settings, algorithmName, List.of()) >>> Integer.SIZE;
    }

    /** The index of this node among the voters; -1 if it does not vote. */
    public int selfVoter() {
        return selfVoter;
    }

    /** Whether this node votes. */
    public boolean isVoter() {
        return selfVoter >= 0;
    }

    /** The time of this step, in nanoseconds of the node's own clock. */
    public long now() {
        return now;
    }

    /** A step begins. */
    public void setNow(long time) {
        now = time;
    }

    /** This node. */
    public NodeId self() {
        return settings.self();
    }

    /** The name of this life of the node; no other life has it. */
    public long incarnation() {
        return incarnation;
    }

    /** Whether it is the name of this life, and not of one whose word is still under way. */
    public boolean isThisLife(long name) {
        return name == incarnation;
    }

    /** How many voters there are, this node included if it votes. */
    public int voterCount() {
        return voters.size();
    }

    /** The voter with this index, from 0. */
    public NodeId voter(int index) {
        return voters.ids().get(index);
    }

    /** The index of a voter; -1 for a node that does not vote. */
    public int voterIndex(NodeId node) {
        return voters.indexOf(node);
    }

    /** Sends; a message to this node itself is handled later in the same step. */
    public void send(NodeId to, NodeMessage message) {
        if (to.equals(settings.self())) {
            toSelf.add(message);
        } else {
            effects.add(new NodeEffect.Send(to, message));
        }
    }

    /** Sends to each voter, itself included. */
    public void sendToVoters(NodeMessage message) {
        for (NodeId voter : voters.ids()) {
            send(voter, message);
        }
    }

    /** The next message of this node to itself; null if there is none. */
    public NodeMessage pollToSelf() {
        return toSelf.poll();
    }

    /** Whether a message of this node to itself waits. */
    public boolean hasToSelf() {
        return !toSelf.isEmpty();
    }

    /** Wants this done at the end of the step. */
    public void emit(NodeEffect effect) {
        effects.add(effect);
    }

    /** Says this in the log; a warning is what somebody must mend. */
    public void note(boolean isWarning, String text, Object... arguments) {
        effects.add(new NodeEffect.Note(isWarning, Printable.of(String.format(Locale.ROOT, text, arguments))));
    }

    /** Warns, but at most once a minute of the same kind of thing and the same peer; and of few peers in a minute. */
    public void noteOnce(String kind, NodeId peer, String text, Object... arguments) {
        if (notices.isDue(kind, peer, now)) {
            note(true, text, arguments);
        }
    }

    /** Whether that was less than {@link #SUPPORTS_KEPT} support times ago; a silent node is remembered so long. */
    public boolean isRecent(long instant) {
        return now - instant < SUPPORTS_KEPT * lease().support();
    }

    /** Takes the effects, in their order. */
    public List<NodeEffect> takeEffects() {
        List<NodeEffect> taken = effects;
        effects = new ArrayList<>();
        return taken;
    }
}
