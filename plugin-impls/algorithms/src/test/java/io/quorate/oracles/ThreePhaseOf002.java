package io.quorate.oracles;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Phase 3 of source 002, lines 45 to 68, with the guesses that the document lists, and all events. */
final class ThreePhaseOf002 extends PhaseTwoOf002 {

    private boolean isCollecting; // p has sent COLLECT in round r
    private SortedMap<Integer, Long> judgeList = new TreeMap<>(); // judge.ListPRI

    ThreePhaseOf002(Place place, String changed) {
        super(place, changed);
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
    void abortPhaseThree() {
        isCollecting = false;
    }

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

    @Override
    void collect() { // L50 to L53
        if (isCollecting) {
            return;
        }
        initialize();
        isCollecting = true;
        if (!isChanged("G11 the judge begins with its own list")) {
            judgeList = new TreeMap<>(list);
        }
        toTrust(isChanged("L52 collects") ? "START" : "COLLECT", r);
        setTimer("P3", (isChanged("L53 waits for two delta") ? 3 : 2) * delta);
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
            case "ACK" -> onAck(from, letter.number(0));
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
            case "FRESH" -> {
                if (!isChanged("L8 finds the leader wrong")) {
                    leaderIsWrong();
                }
            }
            default -> startRound(isChanged("L39 starts the next round") ? r : r + 1);
        }
    }

    @Override
    boolean isParticipating(boolean otherwise) {
        return isElecting;
    }

    @Override
    List<Object> readVariables(WireReader state) throws MalformedInputException {
        return Letters.ofThreePhaseState(state);
    }

    @Override
    List<Object> variables() {
        List<Integer> trusted = isElecting ? List.copyOf(trust) : List.of();
        return List.of(l, new TreeMap<>(arrivals), number, new TreeMap<>(list), timestamp, r, trusted);
    }

    @Override
    Letter read(WireReader in) throws MalformedInputException {
        return Letters.ofThreePhase(in);
    }
}
