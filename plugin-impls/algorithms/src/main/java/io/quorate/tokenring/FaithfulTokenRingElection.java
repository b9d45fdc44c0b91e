package io.quorate.tokenring;

import io.quorate.ring.FaithfulRingElection;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.tokenring.TokenRingMessage.Coordinator;
import java.util.Collections;
import java.util.List;

/**
 * The faithful variant (F, docs/algorithms/token-ring.md#faithful): the two messages of source 004, and nothing else.
 * Decisions stand in docs/algorithms/token-ring.md#quirks.
 */
final class FaithfulTokenRingElection extends FaithfulRingElection {

    private List<Integer> ring = List.of(); // the members; never changed in place

    FaithfulTokenRingElection(Membership membership, Options options) {
        super(membership, options);
    }

    @Override
    protected void sendOwn() {
        sendNext(new TokenRingMessage.Election(List.of(self)));
    }

    @Override
    protected void onMessage(int from, Message message) {
        if (isContender(from) && message instanceof TokenRingMessage ours && ours.isPossible(contenders)) {
            if (ours instanceof TokenRingMessage.Election list) {
                onElection(list);
            } else {
                onCoordinator((Coordinator) ours);
            }
        }
    }

    private void onElection(TokenRingMessage.Election list) {
        boolean isHome = list.ids().contains(self); // decision 1: anywhere in the list
        if (isHome) {
            adopt(list.ids());
            if (next() != self) {
                sendNext(new Coordinator(leader, self, ring));
            }
        } else {
            participating = true;
            sendNext(new TokenRingMessage.Election(list.idsWith(self)));
        }
    }

    private void onCoordinator(Coordinator coordinator) {
        if (coordinator.victory().closer() != self) { // decision 3: its starter removes it
            adopt(coordinator.ring());
            sendNext(coordinator);
        }
    }

    private void adopt(List<Integer> ids) {
        leader = Collections.max(ids); // decision 4
        ring = ids;
        participating = false;
        nominate(leader, Mark.NONE);
    }

    @Override
    public FaithfulTokenRingState snapshot() {
        return new FaithfulTokenRingState(ringState(), ring);
    }

    @Override
    public void restore(State state) {
        FaithfulTokenRingState snapshot = (FaithfulTokenRingState) state;
        restoreRing(snapshot.shared());
        ring = snapshot.ring();
    }
}
