package io.quorate.threephase;

import io.quorate.machine.Patience;
import io.quorate.spi.Check;
import io.quorate.spi.Event;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import io.quorate.threephase.Collecting.Stage;
import io.quorate.threephase.Priorities.Held;
import io.quorate.threephase.Priorities.Version;
import io.quorate.threephase.ThreePhaseState.Hardening;
import java.util.Collections;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * The hardened variant (H, docs/algorithms/three-phase.md#hardened): every decision has an epoch, which is the round it
 * was made in, every message of phases 1 and 3 carries it, and a process that is behind is told the decision instead of
 * being followed into a new round.
 */
final class HardenedThreePhaseElection extends ThreePhaseElection {

    private final Times usualTimes;
    private final long ownPriority;
    private Hardening hardening = Hardening.INITIAL;

    HardenedThreePhaseElection(Setup setup) {
        super(setup, new Held(setup.priorities(), new Version(-1, 0)));
        this.usualTimes = setup.times();
        this.ownPriority = setup.priorities().find(self).orElseThrow();
    }

    @Override
    protected void onStart(Event.Start start) {
        checkNotStarted();
        if (start.incarnation() > 1) {
            // A restart: somebody may lead, and the list that this process would start with may be old.
            held = new Held(Priorities.NONE.with(self, ownPriority), held.version());
            set(TimerName.FRESH, times.firstFreshness());
        } else if (start.initialLeader().isEmpty()) {
            begin();
        } else {
            leader = start.initialLeader().getAsInt();
            Check.state(isContender(leader), "initial leader %d: does not contend", leader);
            hardening = hardening.adopted(new Decision(-1, leader), now);
            if (leader == self) {
                set(TimerName.HB, times.heartbeat());
            } else {
                set(TimerName.FRESH, times.firstFreshness());
            }
        }
    }

    /** S3: a process gives its leader up when a round has failed, and no process heard the leader in it. */
    @Override
    void begin() {
        if (phase == Phase.ELECTING && leader != self && !hardening.isHeld()) {
            giveUp();
        }
        Patience patience = hardening.patience().afterTimeout(); // S4: not in a round that a peer begins
        if (hardening.patience().late() && now >= hardening.patientUntil()) {
            become(hardening.with(patience, now + patience.of(usualTimes.window())));
        }
        super.begin();
    }

    @Override
    void onRound() {
        hardening = hardening.held(false);
    }

    private void become(Hardening next) {
        hardening = next;
        times = usualTimes.stretched(next.patience());
    }

    private void giveUp() {
        if (leader != NOBODY) {
            leader = NOBODY;
            cancel(TimerName.HB);
            nominateNobody();
        }
    }

    // ---------------------------------------------------------------- phase 1

    @Override
    void onHeartbeat(int from, ThreePhaseMessage.Heartbeat heartbeat) {
        Decision theirs = new Decision(heartbeat.held().version().epoch(), from);
        int order = theirs.compareTo(hardening.seen());
        if (order < 0) {
            inform(from); // an old leader: it must step down
            return;
        }
        boolean isOutdated = isOutdated(theirs.epoch());
        if (isOutdated) {
            hardening = hardening.late(); // S4: this election was too early
        }
        boolean isNews = order > 0 || leader == NOBODY;
        if (isOutdated && heartbeat.isFollowed() || isNews && !isOutdated) { // S2: the round was not needed
            elected(theirs, heartbeat.held().list());
        } else if (isNews) {
            return;
        }
        Check.state(leader == from, "follow %d, and not %d of %s", leader, from, theirs);
        send(from, new ThreePhaseMessage.HeartbeatAck(heartbeat.number()));
        hardening = hardening.held(heartbeat.isFollowed());
        if (heartbeat.isFollowed()) {
            become(hardening.with(Patience.BASE, 0)); // S4
        }
        if (heartbeat.held().version().compareTo(held.version()) >= 0) {
            held = heartbeat.held(); // G5
        }
        if (phase == Phase.MONITORING) {
            monitor(heartbeat.number()); // L10-15
        }
    }

    @Override
    void onHeartbeatDue() {
        if (options.quorumGuard() && now - hardening.leadingSince() >= times.detection() && !isFollowed()) {
            giveUp(); // Q
            begin();
        } else {
            sendHeartbeat();
        }
    }

    /** S1. */
    @Override
    boolean isFollowed() {
        long followers = hardening.heartbeatAcks().values().stream()
                .filter(time -> now - time <= times.detection())
                .count();
        return isMajority(followers + 1);
    }

    /** S2: a leader whom a majority follows stays, whatever round a process begins that does not hear it. */
    private boolean isHolding() {
        return leader == self ? isFollowed() : hardening.isHeld();
    }

    /** Tells a process that is behind who was elected. */
    private void inform(int process) {
        if (leader != NOBODY) {
            send(process, new ThreePhaseMessage.Leader(hardening.seen(), held.list()));
        }
    }

    /** A decision of a round that this process has left for a higher one. */
    private boolean isOutdated(long epoch) {
        return phase == Phase.ELECTING && epoch < round.number();
    }

    // ---------------------------------------------------------------- phase 2

    @Override
    boolean isInformed(int from, long number, boolean isStart) {
        long epoch = hardening.seen().epoch();
        if (phase == Phase.ELECTING || leader == NOBODY || number > epoch && !isHolding()) {
            return false;
        }
        if (isStart || number != epoch) {
            inform(from);
        } else {
            send(from, new ThreePhaseMessage.LeaderAck(number)); // its LACK got lost, or is under way
        }
        return true;
    }

    // ---------------------------------------------------------------- phase 3

    @Override
    void collect() {
        switch (collecting.stage()) {
            case NOT_BEGUN -> { // no line 46: candidates come from trust
                collecting = Collecting.begun(held, now); // G11
                sendToTrusted(new ThreePhaseMessage.Collect(round.number()), Collections.emptySortedSet());
                set(TimerName.P3, times.window());
                decideIfAllReported(); // there may be nobody else
            }
            case COLLECTING -> {
                if (now - collecting.sentAt() >= times.repetition()) {
                    collecting = collecting.sent(now);
                    sendToTrusted(
                            new ThreePhaseMessage.Collect(round.number()),
                            new TreeSet<>(collecting.ownPriorities().keySet()));
                }
                decideIfAllReported(); // trust may have shrunk
            }
            default -> announceAgain();
        }
    }

    @Override
    void onCollect(int from, long number) {
        if (phase == Phase.ELECTING && number == round.number()) {
            send(from, new ThreePhaseMessage.Report(number, held, ownPriority));
        }
    }

    @Override
    void onReport(int from, ThreePhaseMessage.Report report) {
        if (collecting.stage() != Stage.COLLECTING || report.key() != round.number()) {
            return;
        }
        if (report.held().version().compareTo(collecting.best().version()) > 0) { // L60
            collecting = collecting.withBest(report.held()); // L62-63, G14: with its version
        }
        collecting = collecting.withReport(from, report.ownPriority());
        decideIfAllReported();
    }

    private void decideIfAllReported() {
        for (int process : round.trust()) {
            if (process != self && !collecting.ownPriorities().containsKey(process)) {
                return;
            }
        }
        if (isViable()) {
            cancel(TimerName.P3);
            decide();
        }
    }

    @Override
    void onCollected() { // L53
        if (isViable()) {
            decide();
        } else {
            begin();
        }
    }

    private boolean isViable() { // Q, S3
        return !options.quorumGuard() && !hardening.isHeld()
                || isMajority(round.trust().size());
    }

    private void decide() {
        Priorities candidates = Priorities.NONE;
        for (int process : round.trust()) {
            OptionalLong priority = priorityOf(process);
            if (priority.isPresent()) {
                candidates = candidates.with(process, priority.getAsLong());
            }
        }
        Priorities list = collecting.best().list();
        for (int candidate : candidates.byProcess().keySet()) {
            list = list.with(candidate, candidates.find(candidate).orElseThrow());
        }
        Decision decision = new Decision(round.number(), candidates.best().orElseThrow()); // L55
        sendToTrusted(new ThreePhaseMessage.Leader(decision, list), Collections.emptySortedSet()); // L57
        collecting = collecting.decided(now);
        adopt(decision, list);
        endIfAcknowledged();
    }

    private OptionalLong priorityOf(int process) {
        OptionalLong listed = collecting.best().list().find(process);
        if (listed.isPresent()) {
            return listed;
        }
        Long reported = process == self
                ? Long.valueOf(ownPriority)
                : collecting.ownPriorities().get(process);
        return reported == null ? OptionalLong.empty() : OptionalLong.of(reported);
    }

    /** The judge stays until all know; the heartbeats of the leader tell those who cannot be reached in time. */
    private void announceAgain() {
        if (now - collecting.decidedAt() >= times.announcement()) {
            endElection();
        } else {
            endIfAcknowledged();
        }
        if (collecting.stage() == Stage.DECIDED && now - collecting.sentAt() >= times.repetition()) {
            collecting = collecting.sent(now);
            sendToTrusted(new ThreePhaseMessage.Leader(hardening.seen(), held.list()), collecting.acknowledged());
        }
    }

    private void endIfAcknowledged() {
        for (int process : round.trust()) {
            if (process != self && !collecting.acknowledged().contains(process)) {
                return;
            }
        }
        endElection();
    }

    @Override
    void onLeader(int from, ThreePhaseMessage.Leader elected) { // L64
        Decision decision = elected.decision();
        int order = decision.compareTo(hardening.seen());
        if (order < 0) {
            return;
        }
        if (isOutdated(decision.epoch())) {
            hear(decision, elected.list());
            return;
        }
        send(from, new ThreePhaseMessage.LeaderAck(decision.epoch()));
        if (order > 0 || leader != decision.leader()) {
            elected(decision, elected.list());
        }
    }

    /** S3: in a round, a process says that it hears a leader whom this one does not hear. */
    private void hear(Decision decision, Priorities list) {
        if (!decision.equals(hardening.seen())) {
            giveUp(); // its own leader is an old one
        } else if (leader == self) {
            endElection();
            return;
        } else if (decision.leader() == self) {
            return; // it led in a former life, or has stepped down
        } else if (leader == NOBODY) {
            adopt(decision, list);
        }
        hardening = hardening.held(true);
    }

    @Override
    void onAcknowledgement(int from, Message message) {
        if (message instanceof ThreePhaseMessage.LeaderAck ack
                && collecting.stage() == Stage.DECIDED
                && ack.epoch() == round.number()) {
            collecting = collecting.withAcknowledgement(from);
            endIfAcknowledged();
        } else if (message instanceof ThreePhaseMessage.HeartbeatAck && leader == self) {
            hardening = hardening.withAck(from, now);
            if (isFollowed()) {
                become(hardening.with(Patience.BASE, 0)); // S4
            }
        }
    }

    private void elected(Decision decision, Priorities list) {
        adopt(decision, list);
        endElection();
    }

    private void adopt(Decision decision, Priorities list) { // L65-66
        boolean isNew = leader != decision.leader() || !hardening.seen().equals(decision);
        leader = decision.leader();
        become(hardening.adopted(decision, now));
        Version first = new Version(decision.epoch(), 0);
        if (held.version().compareTo(first) <= 0) {
            held = new Held(list, first);
        }
        if (round.number() < decision.epoch()) {
            round = Round.before(decision.epoch());
        }
        if (isNew) {
            nominate(leader, decision.mark());
        }
        if (leader == self) {
            sendHeartbeat();
        } else {
            cancel(TimerName.HB);
        }
    }

    // ---------------------------------------------------------------- state

    @Override
    protected void writeSaved(WireWriter out) { // P: a judge must not decide a round again
        out.writeUnsigned(round.number() + 1);
        hardening.seen().writeTo(out);
    }

    @Override
    protected void readSaved(WireReader in) throws MalformedInputException {
        round = Round.before(ThreePhaseMessage.readEpoch(in));
        hardening = hardening.adopted(Decision.read(in), 0);
    }

    @Override
    public ThreePhaseState snapshot() {
        return super.snapshot().with(hardening);
    }

    @Override
    public void restore(State state) {
        super.restore(state);
        become(((ThreePhaseState) state).hardening());
    }

    @Override
    protected void checkInvariants() {
        super.checkInvariants();
        Decision seen = hardening.seen();
        Check.state(leader == NOBODY || leader == seen.leader(), "leader %d, and %s was decided", leader, seen);
        Check.state(round.number() >= seen.epoch(), "round %d is below %s", round.number(), seen);
        Check.state(held.version().epoch() <= seen.epoch(), "%s is newer than %s", held.version(), seen);
    }
}
