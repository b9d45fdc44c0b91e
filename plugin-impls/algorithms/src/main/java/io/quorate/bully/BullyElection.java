package io.quorate.bully;

import io.quorate.machine.ElectionMachine;
import io.quorate.machine.Terms;
import io.quorate.spi.Check;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import java.util.Collections;
import java.util.OptionalInt;
import java.util.SortedSet;

/**
 * The state of both machines of the bully algorithm, and their waits. The rules stand in
 * {@link FaithfulBullyElection} and {@link HardenedBullyElection}.
 */
abstract class BullyElection extends ElectionMachine {

    private static final String T = "T";
    private static final String T2 = "T2";

    /** The wait of a process; any but IDLE means that it participates. */
    enum Phase {
        IDLE,
        WAIT_ALIVE,
        WAIT_VICTORY
    }

    final Timing timing;

    int leader = NOBODY;
    SortedSet<Integer> suspects = Collections.emptySortedSet(); // S
    private Phase phase = Phase.IDLE;

    BullyElection(Membership membership, Timing timing, Options options) {
        super(membership, options);
        this.timing = timing;
    }

    static BullyElection create(Membership membership, Timing timing, Options options) {
        return options.variant() == Variant.FAITHFUL
                ? new FaithfulBullyElection(membership, timing, options)
                : new HardenedBullyElection(membership, timing, options);
    }

    /** T: an ALIVE comes back within 2 delta; half a delta more, because equality would be a tie. Rounded up. */
    static long aliveTimeout(Timing timing) {
        return (timing.deltas(5) + 1) / 2;
    }

    /** T2: from the first ALIVE, T of the highest live process plus one delta each for ELECTION and VICTORY. */
    static long victoryTimeout(Timing timing) {
        return timing.deltas(5);
    }

    // ---------------------------------------------------------------- messages

    @Override
    protected final void onMessage(int from, Message message) {
        if (isOther(from) && message instanceof BullyMessage ours) {
            onBullyMessage(from, ours);
        }
    }

    void onBullyMessage(int from, BullyMessage message) {
        if (message instanceof BullyMessage.Election call) {
            onElection(from, call);
        } else if (message instanceof BullyMessage.Victory victory) {
            onVictory(from, victory);
        } else {
            onAlive(from);
        }
    }

    abstract void onElection(int from, BullyMessage.Election call);

    abstract void onAlive(int from);

    abstract void onVictory(int from, BullyMessage.Victory victory);

    /** The highest of all processes, not of the live: a wrong suspicion must not make a leader. */
    final int highest() {
        return contenders - 1;
    }

    final void sendToHigher(BullyMessage message) {
        for (int higher = self + 1; higher <= highest(); higher++) {
            send(higher, message);
        }
    }

    // ---------------------------------------------------------------- phases and their timers

    final boolean isWaitingForAlive() {
        return phase == Phase.WAIT_ALIVE;
    }

    final void waitForAlive() {
        phase = Phase.WAIT_ALIVE;
        set(T, aliveTimeout(timing));
    }

    final void waitForVictory() {
        phase = Phase.WAIT_VICTORY;
        set(T2, victoryTimeout(timing));
    }

    /** T is pending in WAIT_ALIVE only, T2 in WAIT_VICTORY only. */
    final void stopWaiting() {
        if (phase != Phase.IDLE) {
            cancel(phase == Phase.WAIT_ALIVE ? T : T2);
            phase = Phase.IDLE;
        }
    }

    @Override
    protected void onTimer(String timer) {
        Check.state(timer.equals(T) || timer.equals(T2), "timer %s: was never set", timer);
        Phase awaited = timer.equals(T) ? Phase.WAIT_ALIVE : Phase.WAIT_VICTORY;
        Check.state(phase == awaited, "timer %s ran out in phase %s", timer, phase);
        phase = Phase.IDLE; // it is not pending any more
        if (awaited == Phase.WAIT_ALIVE) {
            onNoAlive();
        } else {
            onNoVictory();
        }
    }

    /** T has run out. */
    abstract void onNoAlive();

    /** T2 has run out. */
    abstract void onNoVictory();

    // ---------------------------------------------------------------- questions, state

    @Override
    public final OptionalInt leader() {
        return leader == NOBODY ? OptionalInt.empty() : OptionalInt.of(leader);
    }

    @Override
    public final boolean isParticipating() {
        return phase != Phase.IDLE;
    }

    @Override
    protected void checkInvariants() {
        Check.state(!suspects.contains(self), "process %d suspects itself", self);
    }

    @Override
    public BullyState snapshot() {
        return new BullyState(leader, phase, suspects, Terms.NONE);
    }

    @Override
    public void restore(State state) {
        BullyState snapshot = (BullyState) state;
        leader = snapshot.leader();
        phase = snapshot.phase();
        suspects = snapshot.suspects();
    }
}
