package io.quorate.threephase;

import io.quorate.spi.Check;
import io.quorate.spi.Event;
import io.quorate.spi.Mark;
import io.quorate.threephase.Collecting.Stage;
import io.quorate.threephase.Priorities.Held;
import io.quorate.threephase.Priorities.Version;
import java.util.Collections;

/**
 * The faithful variant (F, docs/algorithms/three-phase.md#faithful): phases 1 and 3 as printed, with the guesses that
 * fill its gaps.
 */
final class FaithfulThreePhaseElection extends ThreePhaseElection {

    private static final Version ZERO = new Version(0, 0);

    private final boolean copiesTimestamp;

    /** Line 62 as printed: it takes over the reported list and leaves the timestamp as it is (G14). */
    FaithfulThreePhaseElection(Setup setup) {
        this(setup, false);
    }

    /** @param copiesTimestamp whether line 62 is read as if it took over the timestamp as well (G14, corrected) */
    FaithfulThreePhaseElection(Setup setup, boolean copiesTimestamp) {
        super(setup, new Held(setup.priorities(), ZERO));
        this.copiesTimestamp = copiesTimestamp;
    }

    @Override
    protected void onStart(Event.Start start) {
        checkNotStarted();
        leader = start.initialLeader().orElse(NOBODY);
        Check.state(leader < contenders, "initial leader %d: does not contend", leader);
        if (leader == NOBODY) {
            begin(); // L22-24
        } else if (leader == self) {
            set(TimerName.HB, times.heartbeat()); // L5
        } else {
            set(TimerName.FRESH, times.firstFreshness()); // L7, G4
        }
    }

    @Override
    void onHeartbeat(int from, ThreePhaseMessage.Heartbeat heartbeat) {
        if (from != leader || phase != Phase.MONITORING) {
            return; // G18
        }
        if (heartbeat.held().version().compareTo(held.version()) >= 0) {
            held = heartbeat.held(); // G5
        }
        monitor(heartbeat.number()); // L10-15
    }

    @Override
    boolean isInformed(int from, long number, boolean isStart) {
        return false;
    }

    @Override
    void collect() { // L49-51
        if (collecting.stage() != Stage.NOT_BEGUN) {
            return;
        }
        dropUntrusted(); // L46
        collecting = Collecting.begun(held, now); // G11
        sendToTrusted(new ThreePhaseMessage.Collect(round.number()), Collections.emptySortedSet()); // L52
        set(TimerName.P3, times.window()); // L48, L53, G12
    }

    @Override
    void onCollect(int from, long number) { // L67
        if (phase == Phase.ELECTING) {
            dropUntrusted(); // L46
            send(from, new ThreePhaseMessage.Report(self, held, 0)); // L68
        }
    }

    private void dropUntrusted() {
        held = new Held(held.list().retain(round.trust()), held.version());
    }

    @Override
    void onReport(int from, ThreePhaseMessage.Report report) { // L59
        if (collecting.stage() != Stage.COLLECTING || report.held().version().compareTo(held.version()) <= 0) {
            return; // L60
        }
        send(from, new ThreePhaseMessage.AckReport(held)); // L61, G13
        Version version = copiesTimestamp ? report.held().version() : held.version();
        held = new Held(report.held().list(), version); // L62, G14
        collecting = collecting.withBest(held); // L63
        set(TimerName.P3, times.window()); // G12
    }

    @Override
    void onCollected() { // L53
        // L54: judge.ListPRI may have become empty; then this election never ends.
        collecting
                .best()
                .list()
                .best()
                .ifPresent(
                        best -> { // L55
                            ThreePhaseMessage.Leader elected =
                                    new ThreePhaseMessage.Leader(new Decision(0, best), Priorities.NONE);
                            sendToTrusted(elected, Collections.emptySortedSet()); // L57
                            follow(best);
                        });
    }

    @Override
    void onLeader(int from, ThreePhaseMessage.Leader elected) { // L64
        follow(elected.decision().leader());
    }

    private void follow(int elected) {
        leader = elected; // L65
        held = new Held(held.list(), ZERO); // L56, L66
        nominate(leader, Mark.NONE);
        endElection();
        if (leader == self) {
            set(TimerName.HB, times.heartbeat()); // G15
        }
    }
}
