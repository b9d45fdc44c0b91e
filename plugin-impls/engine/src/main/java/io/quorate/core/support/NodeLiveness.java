package io.quorate.core.support;

import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.core.voters.PerVoter;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The failure detector: which nodes are up, for all paths at once. A node is up if it was heard within three heartbeats
 * and reports that it reaches a majority of voters.
 *
 * <p>A voter hears every node. A node that does not vote hears only voters; it takes a node for up if a majority of the
 * voters that it hears says so.
 */
public final class NodeLiveness {

    private final StepContext context;
    private final Consumer<NodeId> onChange;
    private final Map<NodeId, Peer> heard = new TreeMap<>();
    private final PerVoter<Answers> answers;
    /** Until when a majority of the former voters counts as heard; while {@link #hasFormer}. */
    private long formerHeardUntil;

    private boolean hasFormer;
    /** Since when each node that is up has been. */
    private final Map<NodeId, Long> up = new TreeMap<>();

    private long upVersion = 1;
    private boolean isSelfUp;
    /** The voters whose reports were counted last, as bits by place; 0 if a report has come since. */
    private int counted;
    /** What {@link #upVersion} was then. */
    private long countedVersion;

    /** The acknowledgements and the report of one voter. */
    private static final class Answers {
        /** Who is up, as it says; empty if it has not said yet. Used by nodes that do not vote. */
        private Optional<Set<NodeId>> report = Optional.empty();

        private long version;
        /** The highest sequence of this node's heartbeats that it has acknowledged. */
        private long heartbeat;

        private long ackedAt;
        private boolean hasAcked;

        private void forgetReport() {
            report = Optional.empty();
            version = 0;
        }
    }

    private static final class Peer {
        private long at;
        private boolean isConnected;
        private Timers.@Nullable Handle silence;
    }

    /** @param onChange called with a node that has come up or gone down */
    public NodeLiveness(StepContext context, Consumer<NodeId> onChange) {
        this.context = context;
        this.onChange = onChange;
        answers = context.perVoter(Answers::new);
    }

    /**
     * The voters are about to change. A node that hears a majority counts as hearing one until silence would be
     * noticed: a new voter cannot have been heard yet.
     */
    public void freeze() {
        long suspicion = context.lease().suspicion();
        long remaining = Math.min(suspicion, presentHeardUntil() - context.now());
        formerHeardUntil = context.now() + Math.max(remaining, isFormerGood() ? formerHeardUntil - context.now() : 0);
        hasFormer = true;
    }

    /**
     * The voters have changed.
     *
     * @param wasVoter whether this node voted until now. A new voter goes by the reports of others until it has heard
     *                 the nodes itself, or should have
     */
    public void onVoters(boolean wasVoter) {
        counted = 0;
        if (context.isVoter() != wasVoter) {
            // A voter goes by what it hears itself, and keeps no reports: they would be stale when it needs them again.
            answers.all().forEach(Answers::forgetReport);
        }
        if (context.isVoter() && !wasVoter) {
            for (NodeId node : up.keySet()) {
                Peer peer = heard.computeIfAbsent(node, id -> new Peer());
                peer.at = context.now();
                peer.isConnected = true;
                watch(node, peer);
            }
        }
    }

    /** Whether the node is up; of this node, whether it reaches a majority. */
    public boolean isUp(NodeId node) {
        return node.equals(context.self()) ? isSelfUp : up.containsKey(node);
    }

    /** For how long the node has been up without a break; 0 for this node itself, and for one that is not up. */
    public long upFor(NodeId node) {
        return context.now() - up.getOrDefault(node, context.now());
    }

    /** Whether this node itself reaches a majority. */
    public void setSelfUp(boolean isConnected) {
        if (isSelfUp != isConnected) {
            isSelfUp = isConnected;
            upVersion++;
        }
    }

    /** A heartbeat arrived (voters only) of a node that the voter has room for. */
    void onHeartbeat(NodeId node, Heartbeat heartbeat) {
        Peer peer = heard.get(node);
        if (peer == null) {
            peer = new Peer();
            heard.put(node, peer);
        }
        peer.at = context.now();
        peer.isConnected = heartbeat.connected();
        judge(node, peer);
        watch(node, peer);
    }

    void onGoodbye(NodeId node) {
        heard.remove(node);
        set(node, false);
    }

    /**
     * An acknowledgement arrived from a voter, with its list of live nodes if there is news. A list that comes with the
     * answer to an earlier heartbeat than another answer is older, and does not count.
     */
    public void onAck(int voter, long heartbeat, long version, Optional<List<NodeId>> list) {
        boolean isNews = !isHeard(voter);
        Answers of = answers.of(voter);
        of.ackedAt = context.now();
        of.hasAcked = true;
        boolean isLate = heartbeat < of.heartbeat;
        of.heartbeat = Math.max(heartbeat, of.heartbeat);
        if (list.isPresent() && !isLate && !context.isVoter()) {
            of.report = list.map(TreeSet::new);
            of.version = version;
            counted = 0;
            isNews = true;
        }
        if (isNews) {
            // Nearly all acknowledgements bring no news, and counting takes longer the more nodes there are.
            recount();
        }
    }

    /** The voter has begun a new epoch, perhaps in another life, whose versions start anew. It sends its whole list. */
    public void onNewEpoch(int voter) {
        answers.of(voter).version = 0;
    }

    /** The version of the list that this node has from the voter; -1 if it wants none, because it votes itself. */
    long reportVersion(int voter) {
        return context.isVoter() ? -1 : answers.of(voter).version;
    }

    /** A voter's list for a node that has {@code version} of it; empty if that is current or no list is wanted. */
    Optional<List<NodeId>> reportFor(long version) {
        if (version < 0 || version == upVersion) {
            return Optional.empty();
        }
        List<NodeId> list = new ArrayList<>(up.keySet());
        if (isSelfUp) {
            list.add(context.self());
        }
        return Optional.of(list);
    }

    /** Numbers this node's list of live nodes. */
    long upVersion() {
        return upVersion;
    }

    /** Whether a majority of voters was heard within three heartbeats. */
    boolean hearsMajority() {
        return isMajorityHeardAt(context.now()) || isFormerGood();
    }

    private boolean isFormerGood() {
        return hasFormer && context.now() - formerHeardUntil < 0;
    }

    /** Until when a majority counts as heard if nobody is heard from now on; this instant if none does already. */
    public long majorityHeardUntil() {
        long until = presentHeardUntil();
        return hasFormer && formerHeardUntil - until > 0 ? formerHeardUntil : until;
    }

    private long presentHeardUntil() {
        if (context.voters().isMajority(context.isVoter() ? 1 : 0)) {
            return context.now() + Timers.NEVER;
        }
        long suspicion = context.lease().suspicion();
        long latest = context.now();
        for (int voter = 0; voter < answers.size(); voter++) {
            long until = answers.of(voter).ackedAt + suspicion;
            if (voter != context.selfVoter() && isHeard(voter) && until - latest > 0 && isMajorityHeardAt(until)) {
                latest = until;
            }
        }
        return latest;
    }

    private boolean isMajorityHeardAt(long instant) {
        int count = context.isVoter() ? 1 : 0;
        for (int voter = 0; voter < answers.size(); voter++) {
            count += voter != context.selfVoter() && isHeardAt(answers.of(voter), instant) ? 1 : 0;
        }
        return context.voters().isMajority(count);
    }

    /** The voters that were heard within three heartbeats, among them this node if it votes. */
    List<NodeId> heardVoters() {
        List<NodeId> voters = new ArrayList<>();
        for (int voter = 0; voter < answers.size(); voter++) {
            if (voter == context.selfVoter() || isHeard(voter)) {
                voters.add(context.voter(voter));
            }
        }
        return voters;
    }

    /** Whether every voter is up, and so this node too if it votes. */
    boolean areVotersUp() {
        for (NodeId voter : context.voters().ids()) {
            if (!isUp(voter)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the voter has acknowledged nothing for longer than its own heartbeats explain: one was lost, perhaps. */
    boolean isAckOverdue(int voter) {
        long heartbeat = context.lease().heartbeat();
        Answers of = answers.of(voter);
        return !of.hasAcked || context.now() - of.ackedAt > 2 * heartbeat + heartbeat / 2;
    }

    /** Called once per heartbeat period: silence changes what a majority says, and silent nodes are forgotten. */
    public void recount() {
        heard.values().removeIf(peer -> !context.isRecent(peer.at));
        if (context.isVoter()) {
            return;
        }
        int voices = 0;
        for (int voter = 0; voter < answers.size(); voter++) {
            voices |= isHeard(voter) && answers.of(voter).report.isPresent() ? 1 << voter : 0;
        }
        if (voices == 0 && isWithoutReports()) {
            // This node voted until now: what it heard itself is the best report that there is.
            return;
        }
        if (voices == 0 || voices != counted || upVersion != countedVersion) {
            count(voices);
            counted = voices;
            countedVersion = upVersion;
        }
    }

    /** @param voices the voters whose reports count, as bits by place */
    private void count(int voices) {
        Set<NodeId> candidates = new TreeSet<>(up.keySet());
        List<Set<NodeId>> reports = new ArrayList<>();
        for (int voter = 0; voter < answers.size(); voter++) {
            if ((voices & 1 << voter) != 0) {
                answers.of(voter).report.ifPresent(reports::add);
            }
        }
        reports.forEach(candidates::addAll);
        candidates.remove(context.self());
        for (NodeId node : candidates) {
            long ayes = reports.stream().filter(up -> up.contains(node)).count();
            set(node, 2 * ayes > reports.size());
        }
    }

    private boolean isWithoutReports() {
        return answers.all().stream().allMatch(of -> of.report.isEmpty());
    }

    private boolean isHeard(int voter) {
        return isHeardAt(answers.of(voter), context.now());
    }

    private boolean isHeardAt(Answers of, long instant) {
        return of.hasAcked && instant - of.ackedAt <= context.lease().suspicion();
    }

    private void judge(NodeId node, Peer peer) {
        boolean isRecent = context.now() - peer.at < context.lease().suspicion();
        set(node, isRecent && peer.isConnected);
    }

    /** One timer per node that is heard; each heartbeat puts it off, so that it wakes nobody while all is well. */
    private void watch(NodeId node, Peer peer) {
        long silent = peer.at + context.lease().suspicion();
        peer.silence = context.timers().replace(peer.silence, silent, () -> {
            // A node that no longer votes hears no heartbeats, and goes by the word of voters.
            if (heard.get(node) == peer && (context.isVoter() || isWithoutReports())) {
                judge(node, peer);
            }
        });
    }

    private void set(NodeId node, boolean isUp) {
        boolean changed = isUp ? up.putIfAbsent(node, context.now()) == null : up.remove(node) != null;
        if (changed) {
            upVersion++;
            onChange.accept(node);
        }
    }
}
