package io.quorate.oracles;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Phases 2 and 3 of source 002, lines 16 to 68, with the guesses that the document lists. */
final class ThreePhaseOf002 extends PhaseOneOf002 {

    private boolean isElecting; // phases 2 and 3 run
    private long r;
    private TreeSet<Integer> trust = new TreeSet<>();
    private long entered; // since when p "has been in round r"
    private final Map<Integer, Long> acknowledged = new HashMap<>(); // when p "received (ACK, r)"
    private boolean isCollecting; // p has sent COLLECT in round r
    private SortedMap<Integer, Long> judgeList = new TreeMap<>(); // judge.ListPRI

    ThreePhaseOf002(Place place, String changed) {
        super(place, changed);
        r = isChanged("G6 the first election starts round 0") ? 0 : -1;
    }

    @Override
    void started(int configured) {
        leader = configured;
        if (configured == NOBODY) {
            startRound(isChanged("L23 starts round 0") ? 1 : 0);
        } else {
            monitor();
        }
    }

    @Override
    void leaderIsWrong() {
        startRound(r + 1); // G6
    }

    // ---------------------------------------------------------------- phase 2

    private int judge() {
        return (int) (r % size); // L19
    }

    private void startRound(long s) { // L16
        if (self != s % size && !isChanged("L17 sends START")) {
            toAllOthers("START", s);
        }
        isElecting = true;
        isCollecting = false;
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

    private void task0() { // L25 to L30, run when p has not sent OK within delta
        boolean isPruning = now - entered >= (isChanged("L28 waits for two delta") ? 1 : 2) * delta;
        if (isPruning) {
            long since = isChanged("L29 counts the last two delta") ? entered : now - 2 * delta;
            trust.removeIf(q -> !(q == self && !isChanged("G9 the judge trusts itself"))
                    && acknowledged.getOrDefault(q, Long.MIN_VALUE) < since);
        }
        boolean isPhaseThree = isPruning || isChanged("G10 phase 3 begins when the judge prunes");
        if (isPhaseThree && !isCollecting) {
            collect();
        }
        if (!isPruning || !isChanged("L30 repeats OK")) {
            toAllOthers("OK", r, List.copyOf(trust));
        }
        setTimer("TASK0", isChanged("L27 repeats each delta") ? 2 * delta : delta);
    }

    private void onOk(long k, List<Integer> tr) {
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

    private void onOtherRound(int from, long k) {
        if (k > r) { // L40
            startRound(isChanged("L42 jumps to the round") ? r + 1 : k);
        } else if (k < r && !isChanged("L44 answers an earlier round")) { // L43
            send(from, "START", r);
        }
    }

    // ---------------------------------------------------------------- phase 3

    private void initialize() { // L45, L46
        if (!isChanged("L46 drops priorities")) {
            list.keySet().retainAll(trust);
        }
    }

    private void toTrust(String type, long field) {
        for (int p : trust) {
            if (p != self) {
                send(p, type, field);
            }
        }
    }

    private void collect() { // L50 to L53
        initialize();
        isCollecting = true;
        if (!isChanged("G11 the judge begins with its own list")) {
            judgeList = new TreeMap<>(list);
        }
        toTrust(isChanged("L52 collects") ? "START" : "COLLECT", r);
        setTimer("P3", 2 * delta);
    }

    private void decide() { // L54 to L57
        if (judgeList.isEmpty() && !isChanged("L54 needs a list")) {
            return;
        }
        Comparator<Integer> byNumber = Comparator.naturalOrder();
        Comparator<Integer> ofEquals = isChanged("G17 the higher number wins") ? byNumber.reversed() : byNumber;
        int best = judgeList.keySet().stream()
                .max(Comparator.<Integer, Long>comparing(judgeList::get).thenComparing(ofEquals))
                .orElse(self);
        toTrust("LEADER", isChanged("L57 announces the leader") ? self : best);
        elect(isChanged("L55 elects the highest priority") ? self : best, "L56 clears the timestamp");
    }

    private void elect(int elected, String clearing) { // L55, L56 or L65, L66
        isElecting = false; // G15
        isCollecting = false;
        timestamp = isChanged(clearing) ? timestamp : 0;
        follow(elected);
        monitor();
    }

    private void onReport(int from, Letter letter) { // L59 to L63
        long reported = letter.number(2);
        boolean isNewer = isChanged("L60 demands a later timestamp") ? reported >= timestamp : reported > timestamp;
        if (!isCollecting || !isNewer) {
            return;
        }
        int receiver = isChanged("G13 the reporter gets the ACK") ? judge() : from;
        send(receiver, "ACK_REPORT", new TreeMap<>(list), timestamp); // L61
        if (!isChanged("L62 takes the list over")) {
            list = letter.priorities(1);
        }
        if (isChanged("L62 leaves the timestamp")) { // G14
            timestamp = reported;
        }
        if (!isChanged("L63 takes the list for the judge's")) {
            judgeList = new TreeMap<>(list);
        }
        if (!isChanged("G12 an adoption extends the wait")) {
            setTimer("P3", 2 * delta);
        }
    }

    private void onCollect(int from) { // L67, L68
        if (!isElecting && !isChanged("G15 LEADER ends phase 3")) {
            return;
        }
        if (!isChanged("G10 COLLECT begins phase 3 at a member")) {
            initialize();
        }
        if (!isChanged("L68 reports")) {
            send(from, "REPORT", (long) self, new TreeMap<>(list), timestamp);
        }
    }

    // ---------------------------------------------------------------- events

    @Override
    void received(int from, Letter letter) {
        switch (letter.type()) {
            case "MESSAGE" -> {
                boolean isOfLeader = from == leader || isChanged("G18 MESSAGE counts from the leader");
                if (!isElecting && isOfLeader) {
                    onMessage(letter);
                }
            }
            case "START" -> onOtherRound(from, letter.number(0));
            case "OK" -> onOk(letter.number(0), letter.processes(1));
            case "ACK" -> {
                if (letter.number(0) == r) {
                    acknowledged.put(from, now);
                }
            }
            case "COLLECT" -> onCollect(from);
            case "REPORT" -> onReport(from, letter);
            case "LEADER" -> elect((int) letter.number(0), "L66 clears the timestamp");
            default -> {} // no rule receives the ACK of L61
        }
    }

    @Override
    void fired(String timer) {
        switch (timer) {
            case "TASK0" -> task0();
            case "P3" -> decide();
            case "HB" -> heartbeat();
            case "FRESH" -> leaderIsWrong();
            default -> startRound(isChanged("L39 starts the next round") ? r : r + 1);
        }
    }

    @Override
    boolean isParticipating(boolean otherwise) {
        return isElecting;
    }

    @Override
    Letter read(WireReader in) throws MalformedInputException {
        return Letters.ofThreePhase(in);
    }
}
