package io.quorate.oracles;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Phase 1 of source 002, lines 1 to 15, as the document reads the damaged copy: phases 2 and 3 begin and end with it.
 */
abstract class PhaseOneOf002 extends Oracle {

    private static final int REMEMBERED = 32; // G3

    SortedMap<Integer, Long> list = new TreeMap<>(); // ListPRI
    long timestamp;

    private long number;
    private long l; // L3
    private final SortedMap<Long, Long> shifts = new TreeMap<>(); // arrivals, less the time of sending

    PhaseOneOf002(Place place, String changed) {
        super(place, changed);
        for (int p = 0; p < size; p++) {
            list.put(p, (long) p);
        }
    }

    /** The leader is wrong (L9). */
    abstract void leaderIsWrong();

    private long period() {
        return 2 * delta; // docs/algorithms/three-phase.md#timers
    }

    private long detection() {
        return 5 * delta; // docs/algorithms/three-phase.md#timers
    }

    /** There is a leader: phase 1 begins. */
    final void monitor() {
        List.of("TASK0", "P3", "TMR", "HB", "FRESH").forEach(this::cancelTimer);
        l = 0;
        shifts.clear();
        if (leader == self) {
            setTimer("HB", period()); // G15
        } else {
            setTimer("FRESH", delta + detection()); // G4
        }
    }

    /** L5, L6. The loop does not end with phase 1. */
    final void heartbeat() {
        number++;
        toAllOthers("MESSAGE", number, new TreeMap<>(list), timestamp);
        setTimer("HB", period());
    }

    /** L10 to L15. */
    final void onMessage(Letter letter) {
        if (letter.number(2) >= timestamp && !isChanged("G5 a member stores the list of a heartbeat")) {
            list = letter.priorities(1);
            timestamp = letter.number(2);
        }
        long j = letter.number(0);
        if (j <= l) {
            return;
        }
        l = j;
        shifts.put(j, now - period() * j);
        if (shifts.size() > REMEMBERED) {
            shifts.remove(shifts.firstKey());
        }
        long sum = shifts.values().stream().mapToLong(Long::longValue).sum();
        long shift = -Math.floorDiv(-sum, shifts.size()); // rounded up
        long fresh = shift + (l + 1) * period() + detection() - period(); // L13
        if (now < fresh) {
            setTimer("FRESH", fresh - now);
        } else {
            leaderIsWrong();
        }
    }

    final void toAllOthers(String type, Object... fields) {
        for (int p = 0; p < size; p++) {
            if (p != self) {
                send(p, type, fields);
            }
        }
    }

    /** The application of the leader changes the list, and the leader counts that. */
    @Override
    final void prioritiesChanged(List<Long> priorities) {
        if (leader == self) {
            list = new TreeMap<>();
            priorities.forEach(priority -> list.put(list.size(), priority));
            timestamp++;
        }
    }
}
