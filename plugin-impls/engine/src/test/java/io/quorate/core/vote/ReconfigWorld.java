package io.quorate.core.vote;

import io.quorate.core.message.ContenderId;
import io.quorate.core.support.Supporters;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.engine.Epoch;
import io.quorate.engine.Lease;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The world of {@code Reconfig.tla} with the shipped {@link Ballot}, {@link Candidate} and {@link VoterList}: the only
 * voter is replaced by another, over a list of both, while two candidates claim. Each step is one of the specification's
 * actions, with its freedom: a holder may count in any list that it knows, and a voter supports any number that its
 * promise allows. The node does less of both (docs/reconfiguration.md, R2 and R3), so what holds here holds there.
 */
final class ReconfigWorld {

    private static final int VOTERS = 2;
    private static final int CANDIDATES = 2;
    /** One term: with two, what tells states apart is more than one number holds. */
    private static final long TERM = 1;

    private static final long CEILING = Long.MAX_VALUE / 2;

    /** Who votes, by number less one, as bits. */
    private static final int[] CHAIN = {0b01, 0b11, 0b10};

    /**
     * How often what may happen.
     *
     * @param lapses  the support of a candidate ends
     * @param crashes a voter crashes
     * @param broken  a rule that is not kept, to show that it is needed
     */
    record Bounds(int lapses, int crashes, Broken broken) {}

    /** The mutants of the specification that this world has a place for. */
    enum Broken {
        NONE,
        /** R3: a voter supports a number below its promise again. */
        OLD_NUMBER,
        /** R4: a voter promises while support under an older number lives. */
        NO_WAIT,
        /** R4: a restart forgets the promise. */
        VOLATILE_PROMISE,
        /** R6: there is no floor. */
        NO_FLOOR,
        /** R7: a claim from before the change wins below the floor. */
        FLOOR_UNCHECKED
    }

    private final Bounds bounds;
    /** The lists that are decided. */
    private final List<VoterList> lists = new ArrayList<>();

    // Of each voter: the slot that it promised last, and one more than what it said then of its term.
    private final int[] promised = {1, 1};
    private final long[] said = new long[VOTERS];
    private final Ballot[] ballots = new Ballot[VOTERS];
    private final boolean[] isSilent = new boolean[VOTERS];

    // Of each voter and candidate: the lowest number under which the candidate may believe in the voter's support, or
    // 0;
    // in which epoch; and whether the voter's vote is on its way, or has arrived.
    private final int[][] support = {{1, 1}, {1, 1}};
    private final long[][] epochs = {{1, 1}, {1, 1}};
    private final boolean[][] isGiven = new boolean[VOTERS][CANDIDATES];

    // Of each candidate.
    private final int[] known = {1, 1};
    private final Candidate[] candidates = new Candidate[CANDIDATES];
    private final boolean[] hasClaimed = new boolean[CANDIDATES];
    private final boolean[] hasReleased = new boolean[CANDIDATES];

    private long tokenMax;
    private boolean isTokenUsedAgain;
    private int lapses;
    private int crashes;

    ReconfigWorld(Bounds bounds) {
        this.bounds = bounds;
        lists.add(list(1, 0));
        for (int v = 0; v < VOTERS; v++) {
            ballots[v] = new Ballot(0);
        }
        for (int c = 0; c < CANDIDATES; c++) {
            candidates[c] = new Candidate(VOTERS);
        }
    }

    private ReconfigWorld(ReconfigWorld other) {
        bounds = other.bounds;
        lists.addAll(other.lists);
        for (int v = 0; v < VOTERS; v++) {
            promised[v] = other.promised[v];
            said[v] = other.said[v];
            ballots[v] = other.ballots[v].copy();
            isSilent[v] = other.isSilent[v];
            support[v] = other.support[v].clone();
            epochs[v] = other.epochs[v].clone();
            isGiven[v] = other.isGiven[v].clone();
        }
        for (int c = 0; c < CANDIDATES; c++) {
            known[c] = other.known[c];
            candidates[c] = other.candidates[c].copy();
            hasClaimed[c] = other.hasClaimed[c];
            hasReleased[c] = other.hasReleased[c];
        }
        tokenMax = other.tokenMax;
        isTokenUsedAgain = other.isTokenUsedAgain;
        lapses = other.lapses;
        crashes = other.crashes;
    }

    private static VoterList list(int number, long floor) {
        List<Member> members = IntStream.range(0, VOTERS)
                .filter(v -> isIn(v, number))
                .mapToObj(v -> new Member(new NodeId("v" + v), 0, Optional.empty()))
                .toList();
        return new VoterList(number, floor, members);
    }

    private static boolean isIn(int v, int number) {
        return (CHAIN[number - 1] >> v & 1) != 0;
    }

    private static NodeId node(int c) {
        return new NodeId("c" + c);
    }

    private static final ContenderId[] IDS = {new ContenderId(node(0), 1, 1), new ContenderId(node(1), 1, 1)};

    /** What is wrong in this state; empty if nothing is. */
    String violation() {
        if (leads(0) && leads(1)) {
            return "Exclusive: two leaders";
        }
        for (int c = 0; c < CANDIDATES; c++) {
            if (isTokenUsedAgain || leads(c) && token(c) != tokenMax) {
                return "Fencing: a token does not rise";
            }
            for (int number = 1; number < lists.size() - 1 && number <= known[c]; number++) {
                if (candidates[c].isLeading() && counts(c, number, true)) {
                    return "Window: a lease counts in list " + number;
                }
            }
        }
        return "";
    }

    private boolean is(Broken rule) {
        return bounds.broken == rule;
    }

    // ---------------------------------------------------------------- what may happen

    /** Gives every state that may follow. */
    void successors(Consumer<ReconfigWorld> sink) {
        for (int c = 0; c < CANDIDATES; c++) {
            claim(c, sink);
            acquire(c, sink);
            extend(c, sink);
            resign(c, sink);
            learn(c, sink);
        }
        for (int v = 0; v < VOTERS; v++) {
            for (int c = 0; c < CANDIDATES; c++) {
                onClaim(v, c, sink);
                onRelease(v, c, sink);
                gain(v, c, sink);
                lapse(v, c, sink);
            }
            crash(v, sink);
            rejoin(v, sink);
            promise(v, sink);
        }
        decide(sink);
    }

    private void claim(int c, Consumer<ReconfigWorld> sink) {
        if (!hasClaimed[c]) {
            ReconfigWorld next = new ReconfigWorld(this);
            next.candidates[c].claim(TERM);
            next.hasClaimed[c] = true;
            sink.accept(next);
        }
    }

    /** R7: it begins in some list that it knows, above the floor of that. */
    private void acquire(int c, Consumer<ReconfigWorld> sink) {
        if (!candidates[c].isClaiming()) {
            return;
        }
        for (VoterList list : lists.subList(0, known[c])) {
            if (counts(c, (int) list.number(), false) && (TERM > list.floor() || is(Broken.FLOOR_UNCHECKED))) {
                ReconfigWorld next = new ReconfigWorld(this);
                for (int v = 0; v < VOTERS; v++) {
                    if (isGiven[v][c]) {
                        next.candidates[c].onVote(v, TERM, epoch(v, c), false);
                    }
                }
                next.candidates[c].lead("/p", new Lease(new Epoch[0], 0));
                next.isTokenUsedAgain |= TERM <= tokenMax;
                next.tokenMax = Math.max(tokenMax, TERM);
                sink.accept(next);
                return;
            }
        }
    }

    private void extend(int c, Consumer<ReconfigWorld> sink) {
        for (int v = 0; v < VOTERS; v++) {
            if (candidates[c].isLeading() && leads(c) && isGiven[v][c]) {
                ReconfigWorld next = new ReconfigWorld(this);
                if (next.candidates[c].onVote(v, TERM, epoch(v, c), true)) {
                    sink.accept(next);
                }
            }
        }
    }

    private void resign(int c, Consumer<ReconfigWorld> sink) {
        if (!candidates[c].isIdle()) {
            for (boolean tells : new boolean[] {false, true}) {
                ReconfigWorld next = new ReconfigWorld(this);
                next.candidates[c].stop();
                next.hasReleased[c] |= tells;
                sink.accept(next);
            }
        }
    }

    /** R8: a tenure that is over is not counted in the next list. */
    private void learn(int c, Consumer<ReconfigWorld> sink) {
        for (int number = known[c] + 1; number <= lists.size(); number++) {
            if (!candidates[c].isLeading() || leads(c)) {
                ReconfigWorld next = new ReconfigWorld(this);
                next.known[c] = number;
                sink.accept(next);
            }
        }
    }

    private void onClaim(int v, int c, Consumer<ReconfigWorld> sink) {
        if (hasClaimed[c]) {
            ReconfigWorld next = new ReconfigWorld(this);
            if (next.ballots[v].onClaim(IDS[c], TERM, next.supporters(v), CEILING) instanceof Ballot.Voted) {
                next.isGiven[v][c] = true;
                sink.accept(next);
            }
        }
    }

    private void onRelease(int v, int c, Consumer<ReconfigWorld> sink) {
        if (hasReleased[c] && !isSilent[v]) {
            ReconfigWorld next = new ReconfigWorld(this);
            if (next.ballots[v].onRelease(IDS[c], TERM, CEILING)) {
                sink.accept(next);
            }
        }
    }

    /** R3: a heartbeat under a number that the voter's promise allows. */
    private void gain(int v, int c, Consumer<ReconfigWorld> sink) {
        int lowest = is(Broken.OLD_NUMBER) ? 1 : Math.max(1, promised[v] - 1);
        if (!isSilent[v] && support[v][c] == 0 && known[c] >= lowest) {
            ReconfigWorld next = new ReconfigWorld(this);
            next.support[v][c] = lowest;
            next.epochs[v][c]++;
            sink.accept(next);
        }
    }

    private void lapse(int v, int c, Consumer<ReconfigWorld> sink) {
        if (support[v][c] != 0 && lapses < bounds.lapses) {
            ReconfigWorld next = new ReconfigWorld(this);
            next.lapses++;
            next.endSupport(v, c);
            sink.accept(next);
        }
    }

    private void endSupport(int v, int c) {
        support[v][c] = 0;
        isGiven[v][c] = false;
    }

    private void crash(int v, Consumer<ReconfigWorld> sink) {
        if (!isSilent[v] && crashes < bounds.crashes) {
            // Votes and support are forgotten, the term and the promise are not.
            ReconfigWorld next = new ReconfigWorld(this);
            next.crashes++;
            next.isSilent[v] = true;
            next.promised[v] = is(Broken.VOLATILE_PROMISE) ? 1 : promised[v];
            next.ballots[v] = new Ballot(ballots[v].term());
            sink.accept(next);
        }
    }

    private void rejoin(int v, Consumer<ReconfigWorld> sink) {
        if (isSilent[v]) {
            // The quarantine is over, and with it every belief in support that was given before.
            ReconfigWorld next = new ReconfigWorld(this);
            next.isSilent[v] = false;
            for (int c = 0; c < CANDIDATES; c++) {
                next.endSupport(v, c);
            }
            sink.accept(next);
        }
    }

    /** R4: the promise waits until support under older numbers is over. */
    private void promise(int v, Consumer<ReconfigWorld> sink) {
        int slot = lists.size() + 1;
        if (slot > CHAIN.length || !isIn(v, slot - 1) || said[v] != 0 || promised[v] > slot || isSilent[v]) {
            return;
        }
        ReconfigWorld next = new ReconfigWorld(this);
        next.promised[v] = slot;
        next.said[v] = ballots[v].term() + 1;
        for (int c = 0; c < CANDIDATES && !is(Broken.NO_WAIT); c++) {
            if (support[v][c] != 0 && known[c] < slot - 1) {
                next.endSupport(v, c);
            } else if (support[v][c] != 0) {
                next.support[v][c] = Math.max(support[v][c], slot - 1);
            }
        }
        sink.accept(next);
    }

    /** R5, R6: a majority has promised, and the floor is the highest term that it has told of. */
    private void decide(Consumer<ReconfigWorld> sink) {
        VoterList last = lists.get(lists.size() - 1);
        for (int some = 1; lists.size() < CHAIN.length && some < 1 << VOTERS; some++) {
            int promises = 0;
            long floor = last.floor();
            boolean haveAll = true;
            for (int v = 0; v < VOTERS; v++) {
                if ((some >> v & 1) != 0) {
                    haveAll &= said[v] != 0;
                    promises++;
                    floor = Math.max(floor, said[v] - 1);
                }
            }
            if (!haveAll || !last.isMajority(promises)) {
                continue;
            }
            VoterList list = list(lists.size() + 1, is(Broken.NO_FLOOR) ? 0 : floor);
            if (last.mayBecome(list)) {
                ReconfigWorld next = new ReconfigWorld(this);
                next.lists.add(list);
                next.said[0] = 0;
                next.said[1] = 0;
                sink.accept(next);
            }
        }
    }

    // ---------------------------------------------------------------- what counts

    private Epoch epoch(int v, int c) {
        return new Epoch(1, epochs[v][c]);
    }

    private Supporters supporters(int v) {
        return new Supporters() {
            @Override
            public Epoch epochOf(NodeId holder, long incarnation) {
                int c = holder.equals(IDS[0].node()) ? 0 : 1;
                return support[v][c] == 0 || isSilent[v] ? null : epoch(v, c);
            }

            @Override
            public long remaining(NodeId holder) {
                return 1;
            }
        };
    }

    /** R2: a majority of the list with this number, of beliefs that are not younger; held, or on their way. */
    private boolean counts(int c, int number, boolean isHeld) {
        int count = 0;
        for (int v = 0; v < VOTERS; v++) {
            boolean isBelieved = support[v][c] != 0 && support[v][c] <= number;
            count += isIn(v, number) && isBelieved && (isHeld ? holds(c, v) : isGiven[v][c]) ? 1 : 0;
        }
        return lists.get(number - 1).isMajority(count);
    }

    private boolean holds(int c, int v) {
        return candidates[c].isLeading() && support[v][c] != 0 && !candidates[c].isMissing(v, epoch(v, c));
    }

    /** Whether it leads, counting in whatever list suits it. */
    boolean leads(int c) {
        for (int number = 1; candidates[c].isLeading() && number <= known[c]; number++) {
            if (counts(c, number, true)) {
                return true;
            }
        }
        return false;
    }

    private long token(int c) {
        return candidates[c].tenure().map(tenure -> tenure.token()).orElse(0L);
    }

    /** Whether a tenure from before the last list goes on in it. */
    boolean isAcross() {
        VoterList last = lists.get(lists.size() - 1);
        return IntStream.range(0, CANDIDATES)
                .anyMatch(c -> last.number() == CHAIN.length
                        && known[c] == CHAIN.length
                        && counts(c, CHAIN.length, true)
                        && token(c) <= last.floor());
    }

    // ---------------------------------------------------------------- identity

    /** Tells states apart as the specification's variables do; candidates are alike. Exact, no digest. */
    long key() {
        return Math.min(key(0, 1), key(1, 0));
    }

    private long key(int first, int second) {
        Digits digits = new Digits();
        digits.add(lists.size(), 4);
        for (int number = 2; number <= CHAIN.length; number++) {
            digits.add(number <= lists.size() ? lists.get(number - 1).floor() : 0, 2);
        }
        for (int v = 0; v < VOTERS; v++) {
            Optional<ContenderId> holder = ballots[v].holder();
            digits.add(promised[v], 4);
            digits.add(said[v], 3);
            digits.add(ballots[v].term(), 2);
            digits.add(holder.isEmpty() ? 0 : holder.get().equals(IDS[first]) ? 1 : 2, 3);
            digits.add(ballots[v].isLive(supporters(v)));
            digits.add(isSilent[v]);
        }
        add(first, digits);
        add(second, digits);
        digits.add(tokenMax, 2);
        digits.add(isTokenUsedAgain);
        digits.add(lapses, bounds.lapses + 1);
        digits.add(crashes, bounds.crashes + 1);
        return digits.number();
    }

    private void add(int c, Digits digits) {
        for (int v = 0; v < VOTERS; v++) {
            digits.add(support[v][c], 4);
            digits.add(isGiven[v][c]);
            digits.add(holds(c, v));
        }
        digits.add(known[c], 4);
        digits.add(!candidates[c].isIdle());
        digits.add(candidates[c].isLeading());
        digits.add(hasClaimed[c]);
        digits.add(hasReleased[c]);
    }

    /** A number of many digits, each of a base of its own. */
    private static final class Digits {
        private long number;
        /** How many numbers of these digits there are. */
        private double count = 1;

        private void add(long digit, int base) {
            number = number * base + digit;
            count *= base;
        }

        /** The room is checked here, because a check at each digit takes longer than the digit. */
        private long number() {
            if (count > Long.MAX_VALUE) {
                throw new ArithmeticException("the digits do not fit");
            }
            return number;
        }

        private void add(boolean digit) {
            add(digit ? 1 : 0, 2);
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(lists.toString());
        for (int v = 0; v < VOTERS; v++) {
            text.append("; v")
                    .append(v)
                    .append(isSilent[v] ? " silent" : "")
                    .append(" promised ")
                    .append(promised[v])
                    .append(" term ")
                    .append(ballots[v].term())
                    .append(" vote ")
                    .append(ballots[v].holder())
                    .append(" supports ")
                    .append(support[v][0])
                    .append(' ')
                    .append(support[v][1]);
        }
        for (int c = 0; c < CANDIDATES; c++) {
            text.append("; c")
                    .append(c)
                    .append(" at ")
                    .append(known[c])
                    .append(' ')
                    .append(candidates[c]);
            text.append(leads(c) ? " LEADS" : "");
        }
        return text.toString();
    }
}
