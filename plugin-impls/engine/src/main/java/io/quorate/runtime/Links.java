package io.quorate.runtime;

import io.quorate.runtime.DecodedFrame.Accepted;
import io.quorate.runtime.DecodedFrame.Dropped;
import io.quorate.runtime.DecodedFrame.Reason;
import io.quorate.runtime.Envelope.Kind;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A node's links to all its peers, between the core and the {@link Transport}. Puts each frame into an envelope, so
 * that the receiver can drop what is old, foreign or not for it; and holds frames back that the peer does not seem to
 * read, so that no transport ever queues many.
 *
 * <p>Nothing is queued here: a frame that the gate refuses is gone, and its state is sent again by its sender. Frames
 * are never dropped because of their term: that is the core's decision.
 *
 * <p>Pure: no clock, no I/O, no logging. {@code now} is in nanoseconds, of one clock, and never decreases. Not
 * thread-safe: used by the driver's thread only, but for the {@link Entrance}.
 */
public final class Links {

    /**
     * The most peers that are kept: every name that was sent to or heard from with our cluster's id. At the limit, a
     * peer that was not heard for {@value #SUPPORTS_KEPT} support times is forgotten. Voters are never forgotten, and
     * have room beyond this number.
     */
    public static final int PEERS_MAX = 4096;

    private static final int SUPPORTS_KEPT = 10;

    /** The most lives of which a frame waits for the proof that its sender lives, and its most bytes. */
    private static final int HELD_MAX = 64;

    private static final int HELD_LENGTH_MAX = 4096;

    /** The longest body, in bytes; the same with and without a secret. */
    public static final int BODY_LENGTH_MAX = Transport.FRAME_LENGTH_MAX - Envelope.LENGTH_MAX - FrameMac.LENGTH;

    private static final byte[] NOTHING = new byte[0];
    /** No life has this name, and older builds drop a frame with it. */
    private static final long NOBODY = 0;

    private final String cluster;
    private final NodeId self;
    private final long heartbeat;
    private final long support;
    private Set<NodeId> voters;
    private final WireVersions versions;
    private final Entrance entrance;
    /** For what is sent; null without a secret. */
    private final @Nullable FrameMac mac;

    private final Map<NodeId, Link> links = new TreeMap<>();
    private final Map<Reason, Long> dropped = new EnumMap<>(Reason.class);
    /** The newest frame of each life that has not shown that it lives, oldest first. */
    private final Map<Held.By, Held> held = new LinkedHashMap<>();

    private final long incarnation;
    private long refused;
    /** The highest sequence of links that were forgotten: their peers may remember it, in this life of the node. */
    private long sentToForgotten;

    private boolean hasSwept;
    private long sweptAt;

    private record Held(Checked.Passed frame, long at) {

        private long sequence() {
            return frame.envelope().sequence();
        }

        /** The node and the life that own it. */
        private record By(NodeId node, long life) {}
    }

    /**
     * No peers yet.
     *
     * @param clusterId      must be equal on all nodes; at most 64 bytes
     * @param self           this node
     * @param incarnation    the name of this life of the node, at least 1; no other life has it
     * @param heartbeatNanos how often peers are expected to talk, at least 1
     * @param supportNanos   after this time without a word another life of a peer may take its place, at least 1
     * @param voters         for whom there is always room
     * @param secret         what all nodes know; empty if frames carry no MAC
     */
    public Links(
            String clusterId,
            NodeId self,
            long incarnation,
            long heartbeatNanos,
            long supportNanos,
            Collection<NodeId> voters,
            Optional<ClusterSecret> secret) {
        this(clusterId, self, incarnation, heartbeatNanos, supportNanos, voters, secret, WireVersions.OURS);
    }

    /** The same, of a node that speaks these versions of frames. */
    Links(
            String clusterId,
            NodeId self,
            long incarnation,
            long heartbeatNanos,
            long supportNanos,
            Collection<NodeId> voters,
            Optional<ClusterSecret> secret,
            WireVersions versions) {
        int clusterLength = clusterId.getBytes(StandardCharsets.UTF_8).length;
        Check.argument(
                clusterLength <= Envelope.CLUSTER_LENGTH_MAX,
                "cluster id '%s' of %d bytes: must be at most %d",
                clusterId,
                clusterLength,
                Envelope.CLUSTER_LENGTH_MAX);
        Check.argument(incarnation >= 1, "incarnation %d: must be at least 1", incarnation);
        Check.argument(heartbeatNanos >= 1, "heartbeat %d ns: must be at least 1", heartbeatNanos);
        Check.argument(supportNanos >= 1, "support %d ns: must be at least 1", supportNanos);
        this.cluster = clusterId;
        this.self = Objects.requireNonNull(self, "self");
        this.incarnation = incarnation;
        this.heartbeat = heartbeatNanos;
        this.support = supportNanos;
        this.voters = Set.copyOf(voters);
        this.versions = versions;
        this.entrance = new Entrance(clusterId, self, versions, secret);
        this.mac = FrameMac.of(secret, clusterId);
    }

    /** The voters have changed: there is always room for the new ones. */
    void voters(Collection<NodeId> now) {
        voters = Set.copyOf(now);
    }

    /**
     * The frame to give to the transport; empty if the gate holds it back, which is counted. The gate lets pass
     * <ul>
     * <li>any body while fewer than {@value Window#LENGTH} frames are unacknowledged and the peer is not {@linkplain
     *     #isSilent silent}, else at most {@value Window#PROBES_PER_HEARTBEAT} bodies per heartbeat. A frame that a
     *     peer which was heard since did not acknowledge within two heartbeats counts as lost, not as unacknowledged;
     * <li>an empty body (a pure acknowledgement) if one is owed to the peer.
     * </ul>
     *
     * @param to         another node than this
     * @param body       not changed, and copied before this returns
     * @param bodyLength 0 to {@link #BODY_LENGTH_MAX}: how much of {@code body} is sent
     * @throws IllegalArgumentException if {@code to} is this node or {@code bodyLength} is out of range
     */
    public Optional<byte[]> seal(NodeId to, byte[] body, int bodyLength, long now) {
        checkTarget(to, body, bodyLength);
        Link link = link(to, now);
        if (link == null
                || !(bodyLength > 0 ? link.window().mayPass(now) : link.acks().isOwed())) {
            refused++;
            return Optional.empty();
        }
        return Optional.of(write(link, to, body, bodyLength, now));
    }

    /**
     * The frame with what {@linkplain io.quorate.core.message.NodeMessage#overtakes overtakes}, of a body that the gate
     * has held back. Leases depend on it: a peer with much to do acknowledges late, but reads this at once. Empty if
     * the peer is {@linkplain #isSilent silent}, which gets four frames per heartbeat and nothing else.
     *
     * @param body       as with {@link #seal}, which has counted it as refused; begins with what overtakes
     * @param overtaking at least 1: the length of that. If it is all, nothing is held back
     */
    Optional<byte[]> sealOvertaking(NodeId to, byte[] body, int overtaking, long now) {
        Link link = links.get(to);
        if (link == null || link.window().isSilent(now)) {
            return Optional.empty();
        }
        refused -= overtaking == body.length ? 1 : 0;
        return Optional.of(write(link, to, body, overtaking, now));
    }

    private byte[] write(Link link, NodeId to, byte[] body, int bodyLength, long now) {
        // A life that speaks less may hear the frame: an unknown one, or one that is back in place of a peer that does
        // not answer.
        long life = link.incarnation();
        int version = life == 0 || link.window().isSilent(now) ? versions.oldest() : link.common();
        long sequence = link.onSent(bodyLength > 0, now);
        return write(to, life, sequence, link.acknowledging(), version, Kind.MESSAGES, body, bodyLength);
    }

    /** Whether this frame is of a voter whose life is not {@linkplain Link#isBelieved believed} in voters' messages. */
    boolean isMuted(Accepted frame) {
        Link link = links.get(frame.from());
        return voters.contains(frame.from()) && (link == null || !link.isBelieved(frame.incarnation()));
    }

    /** A message was dropped because its sender {@linkplain #isMuted is muted}. */
    void onMuted() {
        count(Reason.NOT_BELIEVED);
    }

    /** The answer to an accepted frame that is a {@linkplain Kind#QUESTION question}. */
    byte[] answer(Accepted frame) {
        return reply(frame, Kind.MESSAGES);
    }

    private byte[] write(
            NodeId to, long life, long sequence, long acknowledged, int version, Kind kind, byte[] body, int length) {
        long ours = kind == Kind.REFUSAL ? NOBODY : incarnation;
        return new Envelope(
                        self, to, ours, life, sequence, life == 0 ? 0 : acknowledged, version, versions.newest(), kind)
                .write(cluster, body, length, mac);
    }

    /**
     * A question, as an empty frame, to a life of a peer that has not shown that it lives, or does not know this one.
     * It acknowledges the frame that it is about, which tells that life of this one; its answer shows that it lives. At
     * most one question leaves for each frame with a body, and it is shorter.
     *
     * @param dropped a frame with {@link Dropped#unanswered}
     */
    byte[] question(Dropped dropped) {
        return reply(dropped.from().orElseThrow(), dropped.incarnation(), dropped.unanswered(), Kind.QUESTION);
    }

    /** The same to the present life, if this frame of it shows nothing, and none has for half a support time. */
    Optional<byte[]> question(Accepted frame, long now) {
        return frame.passed().bodyLength() > 0 && !hears(frame.from(), now, support / 2)
                ? Optional.of(reply(frame, Kind.QUESTION))
                : Optional.empty();
    }

    /**
     * Tells the sender of such a frame that another life of its id has its place here, if it is so
     * (docs/protocol.md#one-process-per-id). Without a secret anyone may have sent that frame, so this tells its sender
     * neither a life nor a sequence.
     *
     * @param dropped a frame with {@link Dropped#unanswered}
     */
    Optional<byte[]> refusal(Dropped dropped, long now) {
        NodeId to = dropped.from().orElseThrow();
        long life = dropped.incarnation();
        return linkOf(to).refuse(life, now)
                ? Optional.of(write(to, life, 1, dropped.unanswered(), versions.oldest(), Kind.REFUSAL, NOTHING, 0))
                : Optional.empty();
    }

    /** Whether what a frame acknowledges was sent recently: of a refusal, the frame that is refused. */
    boolean isRecent(Accepted frame) {
        return linkOf(frame.from()).isRecent(frame.passed().envelope().acknowledged());
    }

    /** Whether the life of the peer that was refused last lives beside the one that has the place. */
    boolean areTwo(NodeId peer) {
        return linkOf(peer).areTwo();
    }

    private Link linkOf(NodeId peer) {
        return Objects.requireNonNull(links.get(peer), "link of a frame that was read");
    }

    private byte[] reply(Accepted frame, Kind kind) {
        return reply(frame.from(), frame.incarnation(), linkOf(frame.from()).acknowledging(), kind);
    }

    /** An empty frame. The gate does not count it, and each version of a peer can read it. */
    private byte[] reply(NodeId to, long life, long acknowledged, Kind kind) {
        long sequence = linkOf(to).window().onSentOutside();
        return write(to, life, sequence, acknowledged, versions.oldest(), kind, NOTHING, 0);
    }

    /** The last frame of this life for each peer that is known, so that the next life finds its place free. */
    void sayFarewell(BiConsumer<NodeId, byte[]> each) {
        links.forEach((to, link) -> {
            if (link.incarnation() > 0) {
                each.accept(to, reply(to, link.incarnation(), link.acknowledging(), Kind.FAREWELL));
            }
        });
    }

    /**
     * The frame that this life sent before it had shown that it lives, if that was kept and is recent. It is handled
     * first.
     */
    Optional<Accepted> takeHeld(Accepted frame, long now) {
        if (held.isEmpty()) {
            return Optional.empty();
        }
        Held before = held.remove(new Held.By(frame.from(), frame.incarnation()));
        if (before == null) {
            return Optional.empty();
        }
        // Without a secret a forged frame may claim any sequence; a life does not send a higher one first.
        if (now - before.at >= support
                || before.sequence() > frame.passed().envelope().sequence()
                || !linkOf(frame.from()).acceptHeld(frame.incarnation(), before.sequence())) {
            count(Reason.UNPROVED_LIFE);
            return Optional.empty();
        }
        return Optional.of(new Accepted(before.frame, false));
    }

    /** The first check of each frame, on any thread. */
    Entrance entrance() {
        return entrance;
    }

    /** Tells what a frame is whose sender has proved nothing. */
    public DecodedFrame open(byte[] frame, long now) {
        return open(Optional.empty(), frame, now);
    }

    /**
     * Tells what a received frame is, its {@link Entrance} included. Throws nothing for any content of {@code frame}.
     * It may be kept until its sender has shown that it lives.
     *
     * @param sender who has proved to have sent it; empty if nobody has
     */
    public DecodedFrame open(Optional<NodeId> sender, byte[] frame, long now) {
        Checked checked = entrance.check(sender, frame);
        return checked instanceof Checked.Passed passed ? open(passed, now) : (Dropped) checked;
    }

    /** Tells what a frame is that has passed the {@link #entrance}. Throws nothing. */
    DecodedFrame open(Checked.Passed passed, long now) {
        Envelope envelope = passed.envelope();
        if (envelope.from().equals(self)) {
            return drop(Reason.OWN_ID, envelope);
        }
        Link link = link(envelope.from(), now);
        if (link == null) {
            return drop(Reason.TOO_MANY_PEERS, envelope);
        }
        return read(link, passed, now);
    }

    /**
     * Whether this frame, which was accepted just now, is to wait for others of its sender that wait to be handled. It
     * counts as handled unless it is {@linkplain #postpone postponed}.
     */
    boolean isToWait(Accepted frame) {
        Link link = links.get(frame.from());
        return link != null
                && link.incarnation() == frame.incarnation()
                && link.acks().isPostponing();
    }

    /** The frame, which was accepted just now, is handled later: its sender is not told before that it is read. */
    void postpone(Accepted frame) {
        Link link = links.get(frame.from());
        if (link != null && link.incarnation() == frame.incarnation()) {
            link.postpone(frame.passed().bodyLength() > 0);
        }
    }

    /** The first of the sender's {@linkplain #postpone postponed} frames has been handled. */
    void onHandled(Accepted frame, long now) {
        Link link = links.get(frame.from());
        if (link != null) {
            Checked.Passed passed = frame.passed();
            link.onHandled(frame.incarnation(), passed.envelope().sequence(), passed.bodyLength() > 0, now);
        }
    }

    /**
     * Peers that sent a body and got nothing since, for 1.25 heartbeats or longer, or that sent many; sorted. Usually
     * the next heartbeat comes first, and there are none.
     * The driver {@linkplain #seal seals} an empty body for each. An empty body owes nothing, so this comes to an end.
     */
    public List<NodeId> owedAcks(long now) {
        List<NodeId> due = new ArrayList<>();
        links.forEach((peer, link) -> {
            if (link.acks().isDue(now)) {
                due.add(peer);
            }
        });
        return due;
    }

    /** Whether nothing was heard from {@code peer} since a frame that was sent to it over two heartbeats ago. */
    public boolean isSilent(NodeId peer, long now) {
        Link link = links.get(peer);
        return link != null && link.window().isSilent(now);
    }

    /** Whether the peer was heard to live within so many nanoseconds. */
    public boolean hears(NodeId peer, long now, long nanos) {
        Link link = links.get(peer);
        return link != null && link.incarnation() > 0 && now - link.heardAt() < nanos;
    }

    /** Whether the peer has acknowledged something new since {@link #noteSilence} last answered true, or ever. */
    public boolean isAnswering(NodeId peer) {
        Link link = links.get(peer);
        return link != null && link.window().isAnswering();
    }

    /** Whether nothing was heard for so long from a peer that answered until now; true once per silence. */
    public boolean noteSilence(NodeId peer, long now, long nanos) {
        Link link = links.get(peer);
        return link != null && link.window().noteSilence(now, nanos);
    }

    /** Whether some peer that reads has much to acknowledge, so that more would soon be held back. */
    public boolean isSomeoneBehind(long now) {
        return links.values().stream().anyMatch(link -> link.window().isBehind(now));
    }

    /** This life of the node. */
    public long incarnation() {
        return incarnation;
    }

    /** How many frames were dropped, by reason; a reason that never occurred is missing. */
    public Map<Reason, Long> dropped() {
        Map<Reason, Long> all = entrance.dropped();
        dropped.forEach((reason, count) -> all.merge(reason, count, Long::sum));
        return Collections.unmodifiableMap(all);
    }

    /** How many peers are known. */
    public int peers() {
        return links.size();
    }

    /** Of how many frames the gate held something back. */
    public long refused() {
        return refused;
    }

    private DecodedFrame read(Link link, Checked.Passed passed, long now) {
        link.age(now);
        Envelope envelope = passed.envelope();
        long meant = envelope.toIncarnation();
        boolean namesUs = meant == incarnation;
        // One for another process under this id comes to this one too, and does not count as a copy.
        if (envelope.kind() == Kind.REFUSAL && (namesUs || meant == 0)) {
            boolean isNews = namesUs && link.onRefused(envelope.acknowledged());
            return isNews ? new Accepted(passed, false) : drop(Reason.STALE_SEQUENCE, envelope);
        }
        if (meant != 0 && !namesUs) {
            // The sender cannot know this life before it hears of it, and perhaps nothing else is ever sent to it.
            boolean knewUs = envelope.kind() != Kind.QUESTION
                    && link.knewUsBefore(envelope.fromIncarnation(), envelope.sequence());
            Reason reason = knewUs ? Reason.OTHER_PROCESS_OF_US : Reason.OTHER_LIFE_OF_US;
            count(reason);
            return unanswered(reason, passed);
        }
        if (envelope.acknowledged() > link.window().sent()) {
            return drop(Reason.MALFORMED);
        }
        Held before = held.isEmpty() ? null : held.get(new Held.By(envelope.from(), envelope.fromIncarnation()));
        Link.Verdict verdict = link.judge(
                envelope.fromIncarnation(),
                namesUs,
                envelope.sequence(),
                envelope.acknowledged(),
                before == null ? 0 : before.sequence(),
                now);
        if (verdict == Link.Verdict.UNPROVED) {
            return hold(passed, now);
        }
        if (verdict == Link.Verdict.STALE) {
            return drop(Reason.STALE_SEQUENCE, envelope);
        }
        link.onAccepted(
                envelope.sequence(),
                envelope.kind() == Kind.QUESTION,
                envelope.acknowledged(),
                Math.min(envelope.speaks(), versions.newest()),
                now);
        if (passed.bodyLength() > 0) {
            link.acks().owe(now);
        }
        if (envelope.kind() == Kind.FAREWELL) {
            link.onFarewell();
        }
        return new Accepted(passed, verdict == Link.Verdict.FIRST);
    }

    /** An empty frame waits for no answer, or answers would answer each other. */
    private static Dropped unanswered(Reason reason, Checked.Passed passed) {
        Envelope envelope = passed.envelope();
        long sequence = passed.bodyLength() > 0 ? envelope.sequence() : 0;
        return new Dropped(reason, Optional.of(envelope.from()), envelope.fromIncarnation(), sequence, "");
    }

    /** Most lives send a body with their first frame, and show at once that they live. Lost frames count. */
    private Dropped hold(Checked.Passed passed, long now) {
        if (passed.bodyLength() > HELD_LENGTH_MAX) {
            count(Reason.UNPROVED_LIFE);
        } else if (passed.bodyLength() > 0) {
            Held.By by = new Held.By(passed.envelope().from(), passed.envelope().fromIncarnation());
            Held before = held.get(by);
            long sequence = passed.envelope().sequence();
            if (before != null
                    && (before.sequence() == sequence
                            || before.sequence() > sequence && now - before.at < 2 * heartbeat)) {
                // The life was asked about this frame, or just about a later one. Without a secret that may be forged,
                // so it does not keep others out for long.
                return drop(Reason.STALE_SEQUENCE, passed.envelope());
            }
            boolean isLost = held.remove(by) != null;
            held.put(by, new Held(passed, now));
            if (held.size() > HELD_MAX) {
                held.remove(held.keySet().iterator().next());
                isLost = true;
            }
            if (isLost) {
                count(Reason.UNPROVED_LIFE);
            }
        }
        return unanswered(Reason.UNPROVED_LIFE, passed);
    }

    /** Null if there is no room for another one. */
    private @Nullable Link link(NodeId peer, long now) {
        Link known = links.get(peer);
        if (known != null) {
            return known;
        }
        if (!voters.contains(peer)) {
            if (links.size() >= PEERS_MAX) {
                forgetSilent(now);
            }
            if (links.size() >= PEERS_MAX) {
                return null;
            }
        }
        Link fresh = new Link(heartbeat, support, now, sentToForgotten);
        links.put(peer, fresh);
        return fresh;
    }

    /** Searches once per heartbeat at most, so that strangers that keep coming do not keep the node busy. */
    private void forgetSilent(long now) {
        if (hasSwept && now - sweptAt < heartbeat) {
            return;
        }
        hasSwept = true;
        sweptAt = now;
        links.entrySet().removeIf(each -> {
            Link link = each.getValue();
            boolean isForgotten = now - link.heardAt() >= SUPPORTS_KEPT * support && !voters.contains(each.getKey());
            if (isForgotten) {
                sentToForgotten = Math.max(sentToForgotten, link.window().sent());
            }
            return isForgotten;
        });
    }

    private void checkTarget(NodeId to, byte[] body, int bodyLength) {
        Check.argument(!to.equals(self), "%s: a node has no link to itself", to);
        Check.argument(
                0 <= bodyLength && bodyLength <= Math.min(body.length, BODY_LENGTH_MAX),
                "body of %d bytes: must be from 0 to %d, of which %d are there",
                bodyLength,
                BODY_LENGTH_MAX,
                body.length);
    }

    private Dropped drop(Reason reason) {
        count(reason);
        return new Dropped(reason, Optional.empty(), 0, 0, "");
    }

    private Dropped drop(Reason reason, Envelope envelope) {
        count(reason);
        return new Dropped(reason, Optional.of(envelope.from()), envelope.fromIncarnation(), 0, "");
    }

    private void count(Reason reason) {
        dropped.merge(reason, 1L, Long::sum);
    }
}
