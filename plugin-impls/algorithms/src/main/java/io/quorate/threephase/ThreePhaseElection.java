package io.quorate.threephase;

import io.quorate.machine.ElectionMachine;
import io.quorate.spi.Check;
import io.quorate.spi.Message;
import io.quorate.spi.Variant;
import io.quorate.threephase.Collecting.Stage;
import io.quorate.threephase.Priorities.Held;
import io.quorate.threephase.ThreePhaseState.Hardening;
import io.quorate.threephase.ThreePhaseState.Monitoring;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedSet;

/**
 * The machine of one process, as far as both variants share it: heartbeats, phase 2 and the timers. {@code Ln} is line
 * n of the pseudo-code of source 002, {@code Gn} a guess; both stand in docs/algorithms/three-phase.md#faithful.
 * Suspicions are ignored: phase 1 is a detector of its own.
 */
abstract class ThreePhaseElection extends ElectionMachine {

    /** Phase 1, or phases 2 and 3 (G6). */
    enum Phase {
        MONITORING,
        ELECTING
    }

    /** The leader's next heartbeat; its end of freshness; the judge's task 0; the others' wait; phase 3. */
    enum TimerName {
        HB,
        FRESH,
        TASK0,
        TMR,
        P3
    }

    Times times; // F never changes it

    Phase phase = Phase.MONITORING;
    int leader = NOBODY;
    Held held; // p.ListPRI and p.timestamp
    Round round = Round.before(-1); // phase 2
    Collecting collecting = Collecting.NONE; // phase 3
    private FreshnessDetector detector = FreshnessDetector.INITIAL; // phase 1: l and the arrivals
    private long heartbeats; // G15: the number of the last one sent
    private SortedSet<TimerName> pending = Collections.emptySortedSet(); // never changed in place

    ThreePhaseElection(Setup setup, Held held) {
        super(setup.membership(), setup.options());
        this.times = setup.times();
        this.held = held;
    }

    static ThreePhaseElection create(Setup setup) {
        return setup.options().variant() == Variant.FAITHFUL
                ? new FaithfulThreePhaseElection(setup)
                : new HardenedThreePhaseElection(setup);
    }

    // ---------------------------------------------------------------- events

    final void checkNotStarted() {
        Check.state(pending.isEmpty(), "process %d: started twice", self);
    }

    @Override
    protected final void onMessage(int from, Message message) {
        if (isOther(from) && message instanceof ThreePhaseMessage ours && ours.fits(contenders)) {
            onThreePhaseMessage(from, ours);
        }
    }

    private void onThreePhaseMessage(int from, ThreePhaseMessage message) {
        if (message instanceof ThreePhaseMessage.Heartbeat heartbeat) {
            onHeartbeat(from, heartbeat);
        } else if (message instanceof ThreePhaseMessage.Start start) {
            onStart(from, start.round());
        } else if (message instanceof ThreePhaseMessage.Ok ok) {
            onOk(from, ok);
        } else if (message instanceof ThreePhaseMessage.Ack ack) {
            onAck(from, ack.round());
        } else if (message instanceof ThreePhaseMessage.Collect collect && from == judgeOf(collect.round())) {
            onCollect(from, collect.round());
        } else if (message instanceof ThreePhaseMessage.Report report) {
            onReport(from, report);
        } else if (message instanceof ThreePhaseMessage.Leader elected) {
            onLeader(from, elected);
        } else {
            onAcknowledgement(from, message);
        }
    }

    @Override
    protected final void onTimer(String name) {
        TimerName timer = pending.stream()
                .filter(set -> set.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("timer " + name + ": only " + pending + " are pending"));
        pending = without(pending, timer);
        switch (timer) {
            case HB -> onHeartbeatDue();
            case FRESH -> begin(); // L7-9
            case TASK0 -> task0();
            case TMR -> begin(); // L38-39
            case P3 -> onCollected();
            default -> throw new IllegalStateException("timer " + timer);
        }
    }

    // ---------------------------------------------------------------- what the variants do in their own ways

    /** H: whether a majority follows this leader. */
    boolean isFollowed() {
        return false;
    }

    /** H: a round begins. */
    void onRound() {
        // F remembers nothing of the round before.
    }

    abstract void onHeartbeat(int from, ThreePhaseMessage.Heartbeat heartbeat);

    /** Whether a START, or else an OK, of this round was answered with the decision that the sender missed. */
    abstract boolean isInformed(int from, long number, boolean isStart);

    /** Phase 3 at the judge, in every step of task 0 from an age of 2 delta on (H: 4 delta). */
    abstract void collect();

    abstract void onCollect(int from, long number);

    abstract void onReport(int from, ThreePhaseMessage.Report report);

    abstract void onCollected();

    abstract void onLeader(int from, ThreePhaseMessage.Leader elected);

    /** Any other message: acknowledgements of H. */
    void onAcknowledgement(int from, Message message) {
        // G13: F ignores the ACK of line 61.
    }

    // ---------------------------------------------------------------- phase 1

    void onHeartbeatDue() {
        sendHeartbeat();
    }

    final void sendHeartbeat() { // L4-6
        Check.state(leader == self, "heartbeat of process %d, which follows %d", self, leader);
        heartbeats += 1;
        sendToOthers(new ThreePhaseMessage.Heartbeat(heartbeats, held, isFollowed()));
        set(TimerName.HB, times.heartbeat());
    }

    final void monitor(long number) { // L10
        if (number > detector.highest()) { // L11
            detector = detector.onHeartbeat(number, now); // L12
            long left = detector.freshFor(now, times); // L13
            if (left > 0) { // L14-15
                set(TimerName.FRESH, left);
            } else {
                begin();
            }
        }
    }

    @Override
    protected final void onPrioritiesChanged(List<Long> priorities) {
        Check.state(priorities.size() == contenders, "%d priorities for %d processes", priorities.size(), contenders);
        if (leader == self) {
            held = new Held(Priorities.of(priorities), held.version().next());
        }
    }

    /** The end of phases 2 and 3 (G15): the leader sends heartbeats, the others monitor it. */
    final void endElection() {
        phase = Phase.MONITORING;
        cancel(TimerName.TMR);
        cancel(TimerName.TASK0);
        cancel(TimerName.P3);
        collecting = Collecting.NONE;
        round = Round.before(round.number());
        detector = FreshnessDetector.INITIAL;
        if (leader == self) {
            cancel(TimerName.FRESH);
        } else {
            cancel(TimerName.HB);
            set(TimerName.FRESH, times.firstFreshness()); // G4
        }
    }

    // ---------------------------------------------------------------- phase 2

    /** The leader is not trusted any more, or there is none. */
    void begin() {
        startRound(round.number() + 1); // L23, G6: never 0 again
    }

    final void startRound(long number) { // L16
        Check.state(number > round.number(), "round %d after %d", number, round.number());
        int judge = judgeOf(number);
        if (self != judge) {
            sendToOthers(new ThreePhaseMessage.Start(number)); // L17, G7
        }
        onRound();
        phase = Phase.ELECTING;
        cancel(TimerName.FRESH);
        cancel(TimerName.TASK0);
        cancel(TimerName.P3);
        collecting = Collecting.NONE; // G10: a round change aborts phase 3
        round = Round.entered(number, contenders, now); // L18-20
        if (self == judge) {
            cancel(TimerName.TMR); // G9
            task0();
        } else {
            set(TimerName.TMR, times.judgeTimeout()); // L21
        }
    }

    private void task0() { // L25-27
        Check.state(isJudging(), "process %d does not judge round %d", self, round.number());
        boolean isAged = now - round.enteredAt() >= times.window(); // L28
        if (isAged) {
            round = round.pruned(self, now - times.window()); // L29
        }
        sendToOthers(new ThreePhaseMessage.Ok(round.number(), round.trust())); // L30
        set(TimerName.TASK0, times.delta());
        if (isAged) {
            collect(); // G10: right after pruning
        }
    }

    private void onStart(int from, long number) {
        if (isInformed(from, number, true)) {
            return;
        }
        if (number > round.number()) { // L40
            startRound(number); // L42
        } else if (number < round.number()) { // L43
            send(from, new ThreePhaseMessage.Start(round.number())); // L44
        }
    }

    private void onOk(int from, ThreePhaseMessage.Ok ok) {
        // G20: only the judge of a round sends its OK and COLLECT, as nobody else would get the answer.
        if (from != judgeOf(ok.round()) || isInformed(from, ok.round(), false)) {
            return;
        }
        if (ok.round() > round.number()) { // L40; its trust is not taken over
            send(from, new ThreePhaseMessage.Ack(ok.round())); // L41
            startRound(ok.round()); // L42
        } else if (ok.round() < round.number()) { // L43
            send(from, new ThreePhaseMessage.Start(round.number())); // L44
        } else if (phase == Phase.ELECTING) { // L31-32
            onOkOfThisRound(from, ok.trust());
        }
    }

    private void onOkOfThisRound(int judge, SortedSet<Integer> trust) {
        if (!trust.contains(self)) {
            begin(); // L33
        } else {
            round = round.withTrust(trust); // L35
            send(judge, new ThreePhaseMessage.Ack(round.number())); // L36
            set(TimerName.TMR, times.judgeTimeout()); // L37
        }
    }

    private void onAck(int from, long number) {
        if (isJudging() && number == round.number()) {
            round = round.withAck(from, now);
        }
    }

    // ---------------------------------------------------------------- effects, questions, state

    final int judgeOf(long number) { // L19
        return (int) (number % contenders);
    }

    final boolean isJudging() {
        return phase == Phase.ELECTING && self == judgeOf(round.number());
    }

    /** To some of those that the judge trusts; never to itself (G9). */
    final void sendToTrusted(Message message, SortedSet<Integer> except) {
        for (int process : round.trust()) {
            if (process != self && !except.contains(process)) {
                send(process, message);
            }
        }
    }

    final void set(TimerName timer, long delay) {
        set(timer.name(), delay);
        pending = with(pending, timer);
    }

    final void cancel(TimerName timer) {
        if (pending.contains(timer)) {
            cancel(timer.name());
            pending = without(pending, timer);
        }
    }

    @Override
    protected void checkInvariants() {
        boolean isElecting = phase == Phase.ELECTING;
        checkPending(TimerName.HB, leader == self);
        checkPending(TimerName.FRESH, !isElecting && leader != self);
        checkPending(TimerName.TASK0, isJudging());
        checkPending(TimerName.TMR, isElecting && !isJudging());
        Check.state(!isElecting || round.trust().contains(self), "process %d is out of trust %s", self, round.trust());
        Check.state(isJudging() || collecting.stage() == Stage.NOT_BEGUN, "phase 3 at %d, which is no judge", self);
    }

    private void checkPending(TimerName timer, boolean expected) {
        Check.state(
                pending.contains(timer) == expected,
                "timer %s: %s in phase %s with leader %d",
                timer,
                pending,
                phase,
                leader);
    }

    @Override
    public final OptionalInt leader() {
        return leader == NOBODY ? OptionalInt.empty() : OptionalInt.of(leader);
    }

    @Override
    public final boolean isParticipating() {
        return phase == Phase.ELECTING;
    }

    @Override
    public ThreePhaseState snapshot() {
        return new ThreePhaseState(
                new Monitoring(phase, leader, detector, heartbeats),
                held,
                round,
                collecting,
                pending,
                Hardening.INITIAL);
    }

    @Override
    public void restore(State state) {
        ThreePhaseState snapshot = (ThreePhaseState) state;
        phase = snapshot.monitoring().phase();
        leader = snapshot.monitoring().leader();
        detector = snapshot.monitoring().detector();
        heartbeats = snapshot.monitoring().heartbeats();
        held = snapshot.held();
        round = snapshot.round();
        collecting = snapshot.collecting();
        pending = snapshot.pending();
    }
}
