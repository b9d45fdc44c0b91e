package io.quorate.threephase;

import io.quorate.machine.Patience;
import io.quorate.spi.Election;
import io.quorate.spi.WireWriter;
import io.quorate.threephase.Priorities.Held;
import io.quorate.threephase.ThreePhaseElection.Phase;
import io.quorate.threephase.ThreePhaseElection.TimerName;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** The whole state of a machine, whose fields explain it. Times are kept as they are: {@code now} never decreases. */
record ThreePhaseState(
        Monitoring monitoring,
        Held held,
        Round round,
        Collecting collecting,
        SortedSet<TimerName> pending,
        Hardening hardening)
        implements Election.State {

    /** Phase 1. */
    record Monitoring(Phase phase, int leader, FreshnessDetector detector, long heartbeats) {}

    /**
     * The part of the state that only H uses.
     *
     * @param seen          the last decision
     * @param heartbeatAcks at the leader: when the last HBACK of each process came; never changed
     * @param leadingSince  when this process adopted the decision
     * @param isHeld        whether a majority is known to follow the leader, in phase 1 by the last heartbeat, in a
     * round
     *                      by a process that said so in this round
     * @param patience      how much longer than usual the time-outs are
     * @param patientUntil  they do not double again before then
     */
    record Hardening(
            Decision seen,
            SortedMap<Integer, Long> heartbeatAcks,
            long leadingSince,
            boolean isHeld,
            Patience patience,
            long patientUntil) {
        static final Hardening INITIAL =
                new Hardening(new Decision(-1, -1), Collections.emptySortedMap(), 0, false, Patience.BASE, 0);

        Hardening {
            heartbeatAcks = Collections.unmodifiableSortedMap(new TreeMap<>(heartbeatAcks));
        }

        Hardening adopted(Decision decision, long now) {
            return new Hardening(decision, INITIAL.heartbeatAcks, now, false, patience, patientUntil);
        }

        Hardening withAck(int from, long now) {
            SortedMap<Integer, Long> more = new TreeMap<>(heartbeatAcks);
            more.put(from, now);
            return new Hardening(seen, more, leadingSince, isHeld, patience, patientUntil);
        }

        Hardening held(boolean isTrue) {
            return new Hardening(seen, heartbeatAcks, leadingSince, isTrue, patience, patientUntil);
        }

        Hardening late() {
            return with(patience.afterLate(), patientUntil);
        }

        Hardening with(Patience other, long until) {
            return new Hardening(seen, heartbeatAcks, leadingSince, isHeld, other, until);
        }
    }

    ThreePhaseState with(Hardening ofHardened) {
        return new ThreePhaseState(monitoring, held, round, collecting, pending, ofHardened);
    }

    @Override
    public void writeTo(WireWriter out) {
        out.writeByte(monitoring.phase.ordinal());
        out.writeUnsigned(monitoring.leader + 1);
        monitoring.detector.writeTo(out);
        out.writeUnsigned(monitoring.heartbeats);
        held.writeTo(out);
        round.writeTo(out);
        collecting.writeTo(out);
        out.writeByte(pending.stream().mapToInt(timer -> 1 << timer.ordinal()).sum());
        hardening.seen.writeTo(out);
        writeNumbers(out, hardening.heartbeatAcks);
        out.writeLong(hardening.leadingSince);
        out.writeBoolean(hardening.isHeld);
        hardening.patience.writeTo(out);
        out.writeLong(hardening.patientUntil);
    }

    /** A time or a priority for each of some processes. */
    static void writeNumbers(WireWriter out, SortedMap<Integer, Long> numbers) {
        out.writeUnsigned(numbers.size());
        numbers.forEach((process, number) -> {
            out.writeUnsigned(process);
            out.writeLong(number);
        });
    }
}
