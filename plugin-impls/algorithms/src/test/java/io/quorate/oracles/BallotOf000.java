package io.quorate.oracles;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Source 000, lines 1 to 37. */
final class BallotOf000 extends Oracle {

    private record Ballot(long n, int pid) implements Comparable<Ballot> {
        @Override
        public int compareTo(Ballot other) {
            return Comparator.comparingLong(Ballot::n)
                    .thenComparingInt(Ballot::pid)
                    .compare(this, other);
        }
    }

    private record Entry(int process, Ballot ballot) {}

    private final long unit; // the source's Delta
    private final Set<Entry> ballots = new HashSet<>(); // L3
    private Optional<Entry> top = Optional.empty(); // "leader" of L5
    private long round; // L2
    private Ballot ballot; // L4
    private Ballot ballotMax; // L6
    private long delay; // L7

    BallotOf000(Place place, String changed) {
        super(place, changed);
        this.unit = (isChanged("L7 begins with another delay") ? 2 : 3) * delta; // docs/algorithms/ballot.md#timers
        this.round = isChanged("L2 begins with round 1") ? 1 : 0;
        this.ballot = new Ballot(isChanged("L4 begins with ballot 1") ? 1 : 0, self);
        if (isChanged("L5 begins with a leader")) {
            this.top = Optional.of(new Entry(self, ballot));
        }
        this.ballotMax = isChanged("L6 begins with a lower ballot") ? new Ballot(0, 0) : ballot;
        this.delay = unit;
    }

    @Override
    void started(int configured) {
        if (!isChanged("L8 forgets the timer")) {
            setTimer("T", delay);
        }
    }

    private void checkLeader() {
        Set<Entry> all = new HashSet<>(ballots);
        if (!isChanged("L10 leaves the own entry out") || all.isEmpty()) {
            all.add(new Entry(self, ballot));
        }
        Entry found = all.stream().max(Comparator.comparing(Entry::ballot)).orElseThrow(); // L10
        int order = found.ballot().compareTo(ballotMax);
        if (isChanged("L11 includes equality") ? order <= 0 : order < 0) {
            while (isChanged("L12 stops at equality")
                    ? ballot.compareTo(ballotMax) < 0
                    : ballot.compareTo(ballotMax) <= 0) {
                ballot = new Ballot(ballot.n() + 1, self); // L13
            }
            if (!isChanged("L14 keeps the leader")) {
                top = Optional.empty();
            }
        } else {
            boolean isNew = isChanged("L16 compares the process only")
                    ? top.isEmpty() || top.get().process() != found.process()
                    : !Optional.of(found).equals(top);
            if (isNew) {
                if (!isChanged("L17 keeps the greatest ballot")) {
                    ballotMax = found.ballot();
                }
                top = Optional.of(found); // L18
            }
            if (isNew || isChanged("L19 stands inside the condition of L16")) {
                indicate(found.process(), found.ballot().n(), found.ballot().pid());
            }
        }
        leader = top.map(Entry::process).orElse(NOBODY);
    }

    @Override
    void fired(String timer) {
        int half = isChanged("L21 demands a majority") ? size / 2 + 1 : (size + 1) / 2;
        if (ballots.size() + 1 >= half) { // L21
            checkLeader(); // L22
        }
        if (!isChanged("L23 keeps the replies")) {
            ballots.clear();
        }
        round += isChanged("L24 stays in the round") ? 0 : 1;
        Ballot shown = isChanged("L27 shows the own ballot") ? ballot : ballotMax;
        for (int p = 0; p < size; p++) { // L25
            if (p != self) { // L26
                send(p, "HEARTBEATREQUEST", round, shown.n(), (long) shown.pid()); // L27
            }
        }
        setTimer("T", isChanged("L28 forgets the delay") ? unit : delay);
    }

    @Override
    void received(int from, Letter letter) {
        long asked = letter.number(0);
        Ballot told = new Ballot(letter.number(1), (int) letter.number(2));
        if (letter.is("HEARTBEATREQUEST")) { // L29
            boolean isGreater = told.compareTo(ballotMax) > 0 || isChanged("L30 takes any ballot");
            if (isGreater && !isChanged("L31 ignores requests")) {
                ballotMax = told; // L31
            }
            Ballot shown = isChanged("L32 answers with the greatest ballot") ? ballotMax : ballot;
            send(from, "HEARTBEATREPLY", asked, shown.n(), (long) shown.pid()); // L32
        } else if (asked == round || isChanged("L34 takes late replies")) {
            if (isChanged("L35 keeps one reply of each process")) {
                ballots.removeIf(entry -> entry.process() == from);
            }
            ballots.add(new Entry(from, told)); // a set of pairs
        } else if (!isChanged("L37 never waits longer")) {
            delay += unit; // L37
        }
    }

    @Override
    List<Object> readVariables(WireReader state) throws MalformedInputException {
        return Letters.ofBallotState(state, "HEARTBEATREPLY");
    }

    @Override
    List<Object> variables() {
        Set<String> replies = new TreeSet<>();
        ballots.forEach(entry ->
                replies.add(Letter.of("HEARTBEATREPLY", round, entry.ballot().n(), (long) entry.process())
                        .toString()));
        List<Long> leading = top.map(entry -> numbers(entry.ballot())).orElse(List.of(-1L, 0L));
        return List.of(round, replies, numbers(ballot), leading, numbers(ballotMax), delay);
    }

    private static List<Long> numbers(Ballot ballot) {
        return List.of((long) ballot.pid(), ballot.n());
    }

    @Override
    Letter read(WireReader in) throws MalformedInputException {
        return Letters.ofBallot(in, "HEARTBEATREQUEST", "HEARTBEATREPLY");
    }
}
