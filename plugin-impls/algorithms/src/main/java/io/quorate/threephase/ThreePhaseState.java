package io.quorate.threephase;

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

    /** The part of the state that only H uses. */
    record Hardening(Decision seen, SortedMap<Integer, Long> heartbeatAcks, long leadingSince) {
        static final Hardening INITIAL = new Hardening(new Decision(-1, -1), Collections.emptySortedMap(), 0);

        Hardening {
            heartbeatAcks = Collections.unmodifiableSortedMap(new TreeMap<>(heartbeatAcks));
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
