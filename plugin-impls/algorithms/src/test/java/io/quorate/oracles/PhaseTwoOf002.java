package io.quorate.oracles;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Phase 2 of source 002, lines 16 to 44, with the guesses that the document lists. */
abstract class PhaseTwoOf002 extends PhaseOneOf002 {

    boolean isElecting; // phases 2 and 3 run
    long r;
    TreeSet<Integer> trust = new TreeSet<>();

    private long entered; // since when p "has been in round r"
    private final Map<Integer, Long> acknowledged = new HashMap<>(); // when p "received (ACK, r)"

    PhaseTwoOf002(Place place, String changed) {
        super(place, changed);
        r = isChanged("G6 the first election starts round 0") ? 0 : -1;
    }

    /** Phase 3 begins (L45). */
    abstract void collect();

    /** A change of the round ends phase 3 (G10). */
    abstract void abortPhaseThree();

    @Override
    final void leaderIsWrong() {
        startRound(r + 1); // G6
    }

    final void onAck(int from, long k) {
        if (k == r) {
            acknowledged.put(from, now);
        }
    }

    final int judge() {
        return (int) (r % size); // L19
    }

    final void startRound(long s) { // L16
        if (self != s % size && !isChanged("L17 sends START")) {
            if (isChanged("G7 START goes to all")) {
                send((int) (s % size), "START", s);
            } else {
                toAllOthers("START", s);
            }
        }
        isElecting = true;
        abortPhaseThree();
        r = s; // L18
        if (trust.isEmpty() || !isChanged("L20 trusts everybody")) {
            trust = new TreeSet<>(IntStream.range(0, size).boxed().toList());
        }
        entered = now;
        acknowledged.clear();
        List.of("TASK0", "P3", "FRESH").forEach(this::cancelTimer);
        if (self == judge()) {
            cancelTimer("TMR"); // G9
            task0();
        } else {
            restartTimer("L21 restarts the timer");
        }
    }

    private void restartTimer(String rule) {
        if (!isChanged(rule)) {
            setTimer("TMR", 2 * delta + (isChanged("G8 the timer exceeds the window") ? 0 : 1)); // L38
        }
    }

    final void task0() { // L25 to L30, run when p has not sent OK within delta
        boolean isPruning = now - entered >= (isChanged("L28 waits for two delta") ? 1 : 2) * delta;
        if (isPruning) {
            long since = isChanged("L29 counts the last two delta") ? entered : now - 2 * delta;
            trust.removeIf(q -> !(q == self && !isChanged("G9 the judge trusts itself"))
                    && acknowledged.getOrDefault(q, Long.MIN_VALUE) < since);
        }
        boolean isPhaseThree = isPruning || isChanged("G10 phase 3 begins when the judge prunes");
        if (isPhaseThree) {
            collect();
        }
        if (!isPruning || !isChanged("L30 repeats OK")) {
            toAllOthers("OK", r, List.copyOf(trust));
        }
        setTimer("TASK0", isChanged("L27 repeats each delta") ? 2 * delta : delta);
    }

    final void onOk(long k, List<Integer> tr) {
        if (k > r && !isChanged("L41 acknowledges a later round")) {
            send((int) (k % size), "ACK", k); // L41
        }
        if (k != r) {
            onOtherRound((int) (k % size), k);
        } else if (isElecting && !tr.contains(self) && !isChanged("L33 leaves a round that does not trust p")) {
            startRound(r + 1); // L33
        } else if (isElecting) {
            if (!isChanged("L35 takes trust over")) {
                trust = new TreeSet<>(tr);
            }
            if (!isChanged("L36 acknowledges")) {
                send(judge(), "ACK", r);
            }
            restartTimer("L37 restarts the timer");
        }
    }

    final void onOtherRound(int from, long k) {
        if (k > r) { // L40
            startRound(isChanged("L42 jumps to the round") ? r + 1 : k);
        } else if (k < r && !isChanged("L44 answers an earlier round")) { // L43
            send(from, "START", r);
        }
    }
}
