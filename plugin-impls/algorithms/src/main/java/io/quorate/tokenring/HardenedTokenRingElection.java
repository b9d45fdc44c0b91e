package io.quorate.tokenring;

import io.quorate.ring.HardenedRingElection;
import io.quorate.spi.Check;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import io.quorate.tokenring.TokenRingMessage.Coordinator;
import java.util.Collections;
import java.util.List;

/**
 * The hardened variant (H, docs/algorithms/token-ring.md#hardened): K1 to K8 of
 * docs/algorithms/common.md#hardening-rules, of which those that both rings keep alike stand in
 * {@link HardenedRingElection}. Decisions and weaknesses stand in docs/algorithms/token-ring.md#quirks.
 */
final class HardenedTokenRingElection extends HardenedRingElection {

    private long term; // K2: the highest term in any message
    private Victory seen = Victory.NONE; // K2: the last accepted victory
    private List<Integer> ring = List.of(); // the members; never changed in place

    HardenedTokenRingElection(Membership membership, Timing timing, Options options) {
        super(membership, timing, options, retryTimeout(timing, membership.contenders()));
    }

    /** N delta each for the rest of the ELECTION and for the COORDINATOR; one more, because equality would be a tie. */
    static long retryTimeout(Timing timing, int size) {
        return timing.deltas(2 * size + 1);
    }

    @Override
    protected void follow(int configured) {
        leader = configured;
        seen = new Victory(term, leader, NOBODY);
        ring = membership.ring();
    }

    @Override
    protected void sendOwn() {
        sendNext(new TokenRingMessage.Election(List.of(self), attempt, term));
    }

    @Override
    protected void onTrusted(int process) {
        boolean isBack = suspects.contains(process);
        super.onTrusted(process);
        if (isBack && leader == self) {
            initiate(); // weakness (d): the ring is counted again
        }
    }

    @Override
    protected void onMessage(int from, Message message) {
        if (isContender(from) && message instanceof TokenRingMessage ours && ours.isPossible(contenders)) {
            term = Math.max(term, ours.term()); // K2
            if (ours instanceof TokenRingMessage.Election list) {
                onElection(list);
            } else {
                onCoordinator((Coordinator) ours);
            }
        }
    }

    // ---------------------------------------------------------------- ELECTION

    private void onElection(TokenRingMessage.Election list) {
        List<Integer> ids = list.ids();
        if (ids.get(0) == self && !isCurrent(list.attempt())) {
            onLate(list.attempt()); // K8
            return; // K5: of a former attempt or life
        }
        if (ids.contains(self)) { // decision 1: anywhere in the list
            close(live(ids));
            return;
        }
        participate();
        if (leader == self && Collections.max(live(list.idsWith(self))) > self) {
            dropLeader(); // it will be the leader
        }
        sendNext(new TokenRingMessage.Election(list.idsWith(self), list.attempt(), term));
    }

    /** Weakness (a): the processes of the list that are not suspected, in its order; this one is never suspected. */
    private List<Integer> live(List<Integer> ids) {
        return ids.stream().filter(id -> !suspects.contains(id)).toList();
    }

    private void close(List<Integer> members) {
        if (options.quorumGuard() && !isMajority(members.size())) { // K6; TR goes on
            return;
        }
        term += 1; // K2
        adopt(new Victory(term, Collections.max(members), self), members);
        announce();
    }

    private void adopt(Victory victory, List<Integer> members) {
        boolean changed = leader != victory.leader() || !victory.equals(seen);
        leader = victory.leader();
        seen = victory;
        ring = members;
        endParticipation();
        if (changed) {
            nominate(leader, seen.mark());
        }
    }

    // ---------------------------------------------------------------- COORDINATOR

    @Override
    protected void announce() {
        if (next() != self) {
            sendNext(new Coordinator(seen, ring, List.of(self)));
        }
    }

    /**
     * A process that objects takes part and waits for TR (deviation 1): two processes of which one wrongly suspects the
     * other would otherwise make each other initiate at the speed of messages.
     */
    private void onCoordinator(Coordinator coordinator) {
        Victory victory = coordinator.victory();
        if (coordinator.visited().contains(self)) {
            return; // one circulation done, starter dead or not
        }
        if (suspects.contains(victory.leader())) {
            participate(); // weakness (a)
            return;
        }
        if (victory.compareTo(seen) < 0) {
            if (leader == self) {
                participate(); // its followers need a higher term
            }
            return; // without a leader an election is running
        }
        if (victory.leader() < self) {
            participate();
            return;
        }
        if (coordinator.ring().contains(self)) {
            adopt(victory, coordinator.ring());
        } else {
            participate(); // the list has passed us by
        }
        if (next() != self) {
            sendNext(coordinator.visitedBy(self));
        }
    }

    // ---------------------------------------------------------------- state

    @Override
    protected Mark seen() {
        return seen.mark();
    }

    @Override
    protected void checkInvariants() {
        super.checkInvariants();
        Check.state(term >= seen.term(), "term %d is below the accepted %s", term, seen);
        Check.state(leader == NOBODY || ring.contains(leader), "leader %d is not in the ring %s", leader, ring);
    }

    @Override
    protected void writeSaved(WireWriter out) { // K7
        out.writeUnsigned(term);
        seen.writeTo(out);
    }

    @Override
    protected void readSaved(WireReader in) throws MalformedInputException {
        term = in.readUnsigned();
        seen = Victory.read(in);
    }

    @Override
    public HardenedTokenRingState snapshot() {
        return new HardenedTokenRingState(ringState(), ring, term, seen, attempt, patience);
    }

    @Override
    public void restore(State state) {
        HardenedTokenRingState snapshot = (HardenedTokenRingState) state;
        restoreRing(snapshot.shared());
        ring = snapshot.ring();
        term = snapshot.term();
        seen = snapshot.seen();
        attempt = snapshot.attempt();
        patience = snapshot.patience();
    }
}
