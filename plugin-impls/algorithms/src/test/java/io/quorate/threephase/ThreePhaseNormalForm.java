package io.quorate.threephase;

import io.quorate.spi.Election;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.testkit.model.NormalForm;
import io.quorate.threephase.ThreePhaseElection.TimerName;
import io.quorate.threephase.ThreePhaseState.Hardening;
import io.quorate.threephase.ThreePhaseState.Monitoring;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Three-phase elections keep times and count heartbeats; in this form they have few states.
 *
 * <p>Times: a machine only ever asks for the age of one, and whether that has come to a limit. So each is kept as an
 * age (as a time before 0), up to that limit; and as 0 where it is not asked for: t0 and the ACKs at the judge, the
 * sending of COLLECT and LEADER in phase 3 of H, the acknowledgements of heartbeats at a leader of H.
 *
 * <p>Heartbeats: a follower takes the one that comes for the first of its leader. On a link that keeps the order and
 * doubles nothing a heartbeat never has a number that was seen before, as line 11 asks. The freshness point is exact if
 * heartbeats come at equal distances, which they do if no time passes while one travels; otherwise it is that of a
 * detector which takes its average over one heartbeat (w = 1).
 */
record ThreePhaseNormalForm(Times usualTimes, boolean isHardened) implements NormalForm {

    static ThreePhaseNormalForm of(Options options) {
        boolean isHardened = options.variant() == Variant.HARDENED;
        return new ThreePhaseNormalForm(Times.of(new Timing(1), options.variant()), isHardened);
    }

    @Override
    public Election.State of(Election.State state, long elapsed) {
        ThreePhaseState full = (ThreePhaseState) state;
        Times times = usualTimes.stretched(full.hardening().patience());
        Monitoring monitoring =
                new Monitoring(full.monitoring().phase(), full.monitoring().leader(), FreshnessDetector.INITIAL, 0);
        boolean isJudging = full.pending().contains(TimerName.TASK0);
        boolean isLeading = full.pending().contains(TimerName.HB);
        return new ThreePhaseState(
                monitoring,
                full.held(),
                aged(full.round(), times, isJudging, elapsed),
                aged(full.collecting(), times, elapsed),
                full.pending(),
                aged(full.hardening(), times, isLeading && isHardened, elapsed));
    }

    @Override
    public Message of(Message message) {
        return message instanceof ThreePhaseMessage.Heartbeat heartbeat
                ? new ThreePhaseMessage.Heartbeat(1, heartbeat.held(), heartbeat.isFollowed())
                : message instanceof ThreePhaseMessage.HeartbeatAck ? new ThreePhaseMessage.HeartbeatAck(1) : message;
    }

    private Round aged(Round round, Times times, boolean isJudging, long elapsed) {
        return new Round(
                round.number(),
                round.trust(),
                recent(round.acks(), times.window(), elapsed),
                isJudging ? aged(round.enteredAt(), times.window(), elapsed) : 0);
    }

    private Collecting aged(Collecting collecting, Times times, long elapsed) {
        return switch (collecting.stage()) {
            case NOT_BEGUN -> Collecting.NONE;
            case COLLECTING, DECIDED ->
                new Collecting(
                        collecting.stage(),
                        collecting.best(),
                        collecting.ownPriorities(),
                        isHardened ? aged(collecting.sentAt(), times.repetition(), elapsed) : 0,
                        collecting.acknowledged(),
                        collecting.stage() == Collecting.Stage.DECIDED
                                ? aged(collecting.decidedAt(), times.announcement(), elapsed)
                                : 0);
        };
    }

    private Hardening aged(Hardening hardening, Times times, boolean isLeading, long elapsed) {
        return new Hardening(
                hardening.seen(),
                recent(hardening.heartbeatAcks(), times.detection(), elapsed),
                isLeading ? aged(hardening.leadingSince(), times.detection(), elapsed) : 0,
                hardening.isHeld(),
                hardening.patience(),
                Math.max(hardening.patientUntil() - elapsed, 0));
    }

    private static long aged(long time, long ageMax, long elapsed) {
        return Math.max(time - elapsed, -ageMax);
    }

    private static SortedMap<Integer, Long> recent(SortedMap<Integer, Long> times, long ageMax, long elapsed) {
        SortedMap<Integer, Long> recent = new TreeMap<>();
        times.forEach((process, time) -> {
            if (time - elapsed >= -ageMax) {
                recent.put(process, time - elapsed);
            }
        });
        return recent;
    }
}
