package io.quorate.core.support;

import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.core.voters.PerVoter;
import io.quorate.core.voters.VoterPlaces;
import io.quorate.engine.Epoch;
import io.quorate.engine.Lease;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The holder's half of layer 1 (docs/protocol.md#support): which voters support this node, as far as it may believe.
 *
 * <p>An acknowledgement counts from the moment at which its heartbeat was <em>sent</em>, for {@link
 * LeaseTiming#belief}, which is shorter than the support by twice the clock drift. So a belief ends before the support
 * does, under any delays of the network.
 */
public final class SupportHeld {

    /** Heartbeats whose sending time is remembered: more than fit into one belief. */
    private static final int SENT_MAX = 256;

    private final StepContext context;
    private final PerVoter<Belief> beliefs;
    private final long[] sentAt = new long[SENT_MAX];
    private long sequence;
    /** {@link #takeMargin}, in nanoseconds; {@link Timers#NEVER} if it was not renewed. */
    private long margin = Timers.NEVER;

    /** The leases under the present list, by their votes. A tenure may begin with one while it runs. */
    private final Map<List<Optional<Epoch>>, Lease> present = new LinkedHashMap<>();
    /** All leases: those, their predecessors that are over, and the leases of tenures from a former list. */
    private final List<Lease> leases = new ArrayList<>();
    /** The instant at which the frozen support of the former voters ends, in nanoseconds of the node's clock. */
    private long formerUntil;

    private boolean hasFormer;
    /** The newest epochs of voters that have left of late. */
    private final Map<NodeId, Left> left = new TreeMap<>();

    private static final class Belief {
        private @Nullable Epoch epoch;
        private long until;
        private boolean isBelieved;
        /** The newest epoch that was renounced: acknowledgements up to it no longer count. */
        private @Nullable Epoch dead;
    }

    private record Left(Epoch last, long at) {}

    /** Nobody is believed yet. */
    public SupportHeld(StepContext context) {
        this.context = context;
        beliefs = context.perVoter(Belief::new);
    }

    /**
     * A heartbeat leaves now. It renounces the epochs in which this node has not believed for a support time, because a
     * voter that hears this node and is not heard would keep votes for it, and could not ask for them.
     */
    long nextHeartbeat() {
        renounceSilent(context.lease().support());
        sequence++;
        sentAt[(int) (sequence % SENT_MAX)] = context.now();
        return sequence;
    }

    /** This node votes and its quarantine is over: it supports itself. */
    public void believeSelf(Epoch own) {
        Belief self = beliefs.of(context.selfVoter());
        self.epoch = own;
        self.until = context.now() + Timers.NEVER;
        self.isBelieved = true;
        renewLeases();
    }

    /**
     * This node's own support ends as that of another voter does that is not heard. If it ended now, the node would
     * have no majority while its leases still run, and would free the votes that they rest on.
     */
    public void boundSelf() {
        int self = context.selfVoter();
        if (self >= 0) {
            Belief own = beliefs.of(self);
            own.until = Math.min(own.until - context.now(), latest() - context.now()) + context.now();
            renewLeases();
        }
    }

    /**
     * An acknowledgement of this life of the node. Answers whether the voter is now believed in another epoch than
     * before, or again.
     *
     * <p>A belief does not begin with an acknowledgement that is so late that the belief would be over before the next
     * heartbeat can be answered: a frame that has waited for a connection to be made is no sign that the next one
     * comes in time, and an application that is told CONNECTED, or RECONNECTED, is not to be told LOST at once.
     */
    public boolean onAck(int voter, long heartbeat, Epoch of) {
        boolean isRemembered = heartbeat <= sequence && sequence - heartbeat < SENT_MAX && heartbeat > 0;
        Belief belief = beliefs.of(voter);
        // The belief counts from the sending, so that must be known. And a renounced epoch never counts again.
        if (!isRemembered || belief.dead != null && of.isUpTo(belief.dead)) {
            return false;
        }
        long end = sentAt[(int) (heartbeat % SENT_MAX)] + context.lease().belief();
        boolean was = believes(voter);
        long remainingMin = was ? 0 : context.lease().heartbeat();
        // A belief does not begin so late, and does not move back.
        if (end - context.now() <= remainingMin || was && end - belief.until <= 0) {
            return false;
        }
        boolean isNew = !was || !of.equals(belief.epoch);
        long majorityUntil = majorityUntil();
        belief.epoch = of;
        belief.until = end;
        belief.isBelieved = true;
        renewLeases();
        noteMargin(majorityUntil);
        return isNew;
    }

    private void noteMargin(long majorityUntilBefore) {
        long left = majorityUntilBefore - context.now();
        // With nothing left this is the beginning, and no renewal.
        if (left > 0 && majorityUntil() - majorityUntilBefore > 0) {
            margin = Math.min(margin, left);
        }
    }

    /**
     * The least that was left of the majority's support when it was renewed, in nanoseconds, since the last time that
     * this was asked; empty if it was not renewed. It warns of pauses and of load before a lease is lost.
     */
    public OptionalLong takeMargin() {
        long least = margin;
        margin = Timers.NEVER;
        return least == Timers.NEVER ? OptionalLong.empty() : OptionalLong.of(least);
    }

    /** Whether the voter is believed to support this node. */
    public boolean believes(int voter) {
        Belief belief = beliefs.of(voter);
        return belief.isBelieved && context.now() - belief.until < 0;
    }

    /** Whether the voter is believed to support this node in this very epoch. */
    public boolean believes(int voter, @Nullable Epoch of) {
        return of != null && of.equals(beliefs.of(voter).epoch) && believes(voter);
    }

    /** The equal epoch that this node holds already; the given one if there is none. */
    public Epoch shared(int voter, Epoch of) {
        Epoch held = beliefs.of(voter).epoch;
        return held != null && of.equals(held) ? held : of;
    }

    /** The newest epoch in which the voter was believed; null if it never was. */
    public @Nullable Epoch epochOf(int voter) {
        return beliefs.of(voter).epoch;
    }

    /**
     * The voters are about to change: the support of the present ones becomes a deadline that is never renewed (R2).
     */
    public void freeze() {
        long remaining = longest(null);
        hasFormer = remaining > 0;
        // The support of a sole voter for itself never ends, so the belief bounds it.
        formerUntil = Math.min(context.now() + remaining, latest());
        rememberAll();
    }

    private long latest() {
        return context.now() + context.lease().belief();
    }

    /** The voters have changed: majorities are counted among the new ones (docs/reconfiguration.md, R2). */
    public void onVoters(VoterPlaces places) {
        int self = context.voters().indexOf(context.self());
        if (self >= 0 && !context.isVoter()) {
            // R9: the list has its id with another store id. It is no voter, and so does not support itself.
            beliefs.of(self).isBelieved = false;
        }
        for (int voter = 0; voter < beliefs.size(); voter++) {
            Left again = left.remove(context.voter(voter));
            Belief belief = beliefs.of(voter);
            // The voter was away and has forgotten this node's registrations: its former epoch is renounced.
            if (again != null && belief.epoch == null && belief.dead == null) {
                belief.dead = again.last;
            }
        }
        // R2: tenures keep their leases, and their votes move to the voters' new places. No new tenure gets one.
        present.clear();
        for (Lease lease : leases) {
            lease.setCertificate(places.carry(lease.certificate()));
            // The lease of a sole voter never ends, so it is the only one that moves back.
            lease.setUntil(Math.min(lease.until() - context.now(), latest() - context.now()) + context.now());
        }
        renewLeases();
    }

    /**
     * Remembers the epochs of voters that may leave, because this node forgets what it has registered there. If such a
     * voter comes back with that epoch, the epoch is renounced, and everything is registered anew in the next one. No
     * lease rests on the epoch by then: the voters in between have waited for its end (R4).
     */
    private void rememberAll() {
        left.values().removeIf(each -> !context.isRecent(each.at));
        for (int voter = 0; voter < beliefs.size(); voter++) {
            Belief belief = beliefs.of(voter);
            Epoch last = belief.epoch != null ? belief.epoch : belief.dead;
            if (last != null && !context.voter(voter).equals(context.self())) {
                left.put(context.voter(voter), new Left(last, context.now()));
            }
        }
    }

    private boolean isFormerGood() {
        hasFormer = hasFormer && context.now() - formerUntil < 0;
        return hasFormer;
    }

    /** Whether a majority of voters is believed to support this node, or that of the former ones still does. */
    public boolean isConnected() {
        return hasMajority() || isFormerGood();
    }

    private boolean hasMajority() {
        int count = 0;
        for (int voter = 0; voter < beliefs.size(); voter++) {
            count += believes(voter) ? 1 : 0;
        }
        return context.voters().isMajority(count);
    }

    /** The voters that are believed to support this node. */
    public List<NodeId> supporters() {
        List<NodeId> supporters = new ArrayList<>();
        for (int voter = 0; voter < beliefs.size(); voter++) {
            if (believes(voter)) {
                supporters.add(context.voter(voter));
            }
        }
        return supporters;
    }

    /** The same as bits, bit i for the voter with index i: cheap, because every turn asks for it. */
    public int supporterBits() {
        int bits = 0;
        for (int voter = 0; voter < beliefs.size(); voter++) {
            bits |= believes(voter) ? 1 << voter : 0;
        }
        return bits;
    }

    /** When the majority's support runs out unless it is renewed. Only while {@link #isConnected}. */
    public long majorityUntil() {
        long end = until(null);
        return isFormerGood() && formerUntil - end > 0 ? formerUntil : end;
    }

    /** The majority is lost: every epoch that is believed in is renounced, and with it every vote in every path. */
    public void renounce() {
        renounceSilent(Long.MIN_VALUE);
        hasFormer = false;
        renewLeases();
    }

    /**
     * Renounces the epochs in which this node has not believed for {@code nanos}: when their voters are back,
     * everything is registered anew.
     */
    public void renounceSilent(long nanos) {
        for (int voter = 0; voter < beliefs.size(); voter++) {
            if (context.now() - beliefs.of(voter).until >= nanos) {
                renounce(voter);
            }
        }
    }

    private void renounce(int voter) {
        Belief belief = beliefs.of(voter);
        if (voter != context.selfVoter() && belief.epoch != null) {
            belief.dead = belief.epoch;
            belief.isBelieved = false;
        }
    }

    /** The epoch to renounce in heartbeats to the voter, until it acknowledges a newer one. */
    Optional<Epoch> renounced(int voter) {
        return Optional.ofNullable(beliefs.of(voter).dead).filter(d -> !believes(voter));
    }

    /** Whether the voters whose votes these are, by index with null for none, are believed to be a majority. */
    public boolean isMajority(Epoch[] certificate) {
        return longest(certificate) > 0;
    }

    /** The lease that rests on these votes; shared by all tenures with equal ones. */
    public Lease leaseOf(Epoch[] certificate) {
        List<Optional<Epoch>> key = new ArrayList<>(certificate.length);
        for (Epoch vote : certificate) {
            key.add(Optional.ofNullable(vote));
        }
        Lease lease = present.get(key);
        // Tenures that have not come to their end yet may rest on one that is over. A new one needs a lease that runs.
        if (lease == null || lease.isOver(context.now())) {
            present.remove(key);
            lease = new Lease(certificate, until(certificate));
            if (!lease.isOver(context.now())) {
                present.put(key, lease);
                leases.add(lease);
            }
        }
        return lease;
    }

    /** Whether some lease is over, so that tenures have to be ended. */
    public boolean hasOverdueLease() {
        for (Lease lease : leases) {
            if (lease.isOver(context.now())) {
                return true;
            }
        }
        return false;
    }

    /** Forgets all leases but these, which tenures rest on. */
    public void retainLeases(Set<Lease> used) {
        present.values().removeIf(lease -> !used.contains(lease));
        leases.removeIf(lease -> !used.contains(lease));
    }

    /** How many leases there are, used or not. */
    public int leaseCount() {
        return leases.size();
    }

    /** When the next lease is over, or {@code otherwise} if there is none before. */
    public long nextLeaseEnd(long otherwise) {
        long next = otherwise;
        for (Lease lease : leases) {
            if (lease.until() - next < 0) {
                next = lease.until();
            }
        }
        return next;
    }

    private void renewLeases() {
        for (Lease lease : leases) {
            long end = until(lease.certificate());
            // A lease never moves back: the time that the application was told stays true.
            if (!lease.isOver(context.now()) && end - lease.until() > 0) {
                lease.setUntil(end);
            }
        }
    }

    /**
     * The instant at which the voters of these votes are no longer a majority: the k-th latest of their deadlines.
     *
     * @param certificate null for all support that is believed in, with or without votes
     */
    private long until(Epoch @Nullable [] certificate) {
        return context.now() + longest(certificate);
    }

    private long longest(Epoch @Nullable [] certificate) {
        long latest = 0;
        for (int voter = 0; voter < beliefs.size(); voter++) {
            long remaining = remaining(voter, certificate);
            if (remaining > latest) {
                int asLong = 0;
                for (int other = 0; other < beliefs.size(); other++) {
                    asLong += remaining(other, certificate) >= remaining ? 1 : 0;
                }
                latest = context.voters().isMajority(asLong) ? remaining : latest;
            }
        }
        return latest;
    }

    private long remaining(int voter, Epoch @Nullable [] certificate) {
        boolean counts = certificate == null ? believes(voter) : believes(voter, certificate[voter]);
        return counts ? beliefs.of(voter).until - context.now() : 0;
    }
}
