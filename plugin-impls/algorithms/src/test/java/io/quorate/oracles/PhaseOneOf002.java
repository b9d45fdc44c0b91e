package io.quorate.oracles;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Phase 1 of source 002, lines 1 to 15, as the document reads the damaged copy: phases 2 and 3 begin and end with it.
 */
abstract class PhaseOneOf002 extends Oracle {

    SortedMap<Integer, Long> list = new TreeMap<>(); // ListPRI
    long timestamp;

    long number; // of the last MESSAGE
    long l; // L3
    final SortedMap<Long, Long> arrivals = new TreeMap<>(); // when each of the last heartbeats came

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
        l = isChanged("G1 numbers begin at 1") ? 1 : 0;
        number = isChanged("G15 the numbers of MESSAGE go on") ? 0 : number;
        arrivals.clear();
        if (leader == self) {
            setTimer("HB", period()); // G15
        } else {
            setTimer("FRESH", (isChanged("G4 the first freshness point") ? 0 : delta) + detection());
        }
    }

    /** L5, L6. The loop does not end with phase 1. */
    final void heartbeat() {
        number += isChanged("L5 counts MESSAGE") ? 2 : 1;
        boolean isBare = isChanged("G2 MESSAGE has list and timestamp");
        toAllOthers("MESSAGE", number, isBare ? new TreeMap<>() : new TreeMap<>(list), isBare ? 0 : timestamp);
        setTimer("HB", isChanged("L5 sends MESSAGE each T_hb") ? 2 * period() : period());
    }

    /** L10 to L15. */
    final void onMessage(Letter letter) {
        if (letter.number(2) >= timestamp && !isChanged("G5 a member stores the list of a heartbeat")) {
            list = letter.priorities(1);
            timestamp = letter.number(2);
        }
        long j = letter.number(0);
        if (j <= l && !isChanged("L11 ignores earlier numbers")) {
            return;
        }
        l = j;
        arrivals.put(j, now);
        if (arrivals.size() > (isChanged("G3 the last 32 arrivals count") ? 31 : 32)) {
            arrivals.remove(arrivals.firstKey());
        }
        long sum = 0;
        for (Map.Entry<Long, Long> arrival : arrivals.entrySet()) {
            sum += arrival.getValue() - period() * arrival.getKey();
        }
        long shift = -Math.floorDiv(-sum, arrivals.size()); // rounded up
        long slack = isChanged("L13 adds T_D less T_hb") ? detection() : detection() - period();
        long fresh = shift + (l + 1) * period() + slack;
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
