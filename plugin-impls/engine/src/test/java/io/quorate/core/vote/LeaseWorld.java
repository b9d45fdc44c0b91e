package io.quorate.core.vote;

import io.quorate.core.message.ContenderId;
import io.quorate.core.support.Supporters;
import io.quorate.engine.Epoch;
import io.quorate.engine.Lease;
import io.quorate.engine.Tenure;
import io.quorate.spi.NodeId;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Three voters and some candidates, with the shipped {@link Ballot} and {@link Candidate} and without a clock: support
 * begins and ends at any moment, and whoever wants to claims at any moment, as if nominated by an adversary. A
 * candidate believes in exactly the support that it has, which is the most it may. Messages are never taken from the
 * network, so each may be late, lost, copied or overtaken. A RELEASE is not kept: a candidate may send one, challenged
 * or not, for every term up to its own that it does not cover, and what it does not cover now it never covers again. A
 * hand-over is stronger here: the voters may be asked to vote for any candidate in any term at any time, and it claims
 * that term or not.
 */
final class LeaseWorld {

    static final int VOTERS = 3;

    /** What is possible, and how often. */
    record Bounds(
            int candidates,
            int terms,
            int lapses,
            int crashes,
            int restarts,
            int forgets,
            boolean sameNode,
            boolean delegates) {}

    /** How the names of a voter's lives follow each other. */
    enum Names {
        RISING,
        FALLING,
        /** The next life has the name of the one before, which never happens. */
        TWICE;

        private static final long FIRST = 1_000;

        /** The name of the life behind so many others. */
        long name(int life) {
            return switch (this) {
                case RISING -> FIRST + life;
                case FALLING -> FIRST - life;
                case TWICE -> FIRST;
            };
        }
    }

    private static final NodeId ONE_NODE = new NodeId("n");
    private static final NodeId[] NODES = {new NodeId("n0"), new NodeId("n1")};

    private final Bounds bounds;
    private final Names names;
    private final Ballot[] ballots = new Ballot[VOTERS];
    private final boolean[] isSilent = new boolean[VOTERS];
    /** So many lives of each voter are over. */
    private final int[] over = new int[VOTERS];
    /** The counter of the newest epoch of each voter's present life, for each candidate; 0 before the first. */
    private final long[][] counters;

    private final boolean[][] supports;
    private final Candidate[] candidates;
    private final int[] lives;
    private final TreeSet<LeaseMail> mail = new TreeSet<>();
    private final int[] used = new int[4];
    private long tokenMax;
    private String violation = "";

    LeaseWorld(Bounds bounds, Names names) {
        this.bounds = bounds;
        this.names = names;
        candidates = new Candidate[bounds.candidates];
        lives = new int[bounds.candidates];
        counters = new long[VOTERS][bounds.candidates];
        supports = new boolean[VOTERS][bounds.candidates];
        for (int c = 0; c < bounds.candidates; c++) {
            candidates[c] = new Candidate(VOTERS);
            lives[c] = 1;
        }
        for (int v = 0; v < VOTERS; v++) {
            ballots[v] = new Ballot(0);
            for (int c = 0; c < bounds.candidates; c++) {
                counters[v][c] = 1;
                supports[v][c] = true;
            }
        }
    }

    private LeaseWorld(LeaseWorld other) {
        bounds = other.bounds;
        names = other.names;
        candidates = new Candidate[bounds.candidates];
        lives = other.lives.clone();
        counters = new long[VOTERS][];
        supports = new boolean[VOTERS][];
        for (int v = 0; v < VOTERS; v++) {
            ballots[v] = other.ballots[v].copy();
            isSilent[v] = other.isSilent[v];
            over[v] = other.over[v];
            counters[v] = other.counters[v].clone();
            supports[v] = other.supports[v].clone();
        }
        for (int c = 0; c < candidates.length; c++) {
            candidates[c] = other.candidates[c].copy();
        }
        mail.addAll(other.mail);
        System.arraycopy(other.used, 0, used, 0, used.length);
        tokenMax = other.tokenMax;
    }

    /** What is wrong in this state; empty if nothing is. */
    String violation() {
        int leaders = 0;
        boolean isFenced = true;
        for (int c = 0; c < candidates.length; c++) {
            if (leads(c)) {
                leaders++;
                isFenced &= candidates[c].tenure().orElseThrow().token() == tokenMax;
            }
        }
        if (leaders > 1) {
            return "Exclusive: two leaders";
        }
        return isFenced ? violation : "Fencing: a leader has a lower token than an earlier one";
    }

    /** Gives every state that may follow. */
    void successors(Consumer<LeaseWorld> sink) {
        for (int c = 0; c < candidates.length; c++) {
            claims(c, sink);
            delegates(c, sink);
            acquires(c, sink);
            ends(c, sink);
        }
        mail.forEach(m -> arrives(m, sink));
        for (int v = 0; v < VOTERS; v++) {
            releaseArrives(v, sink);
            voterFaults(v, sink);
        }
    }

    // ---------------------------------------------------------------- candidates

    private ContenderId id(int c, int life) {
        // Two contenders of one node differ in their number only.
        return new ContenderId(node(c), life, bounds.sameNode ? c : 1);
    }

    private NodeId node(int c) {
        return bounds.sameNode ? ONE_NODE : NODES[c];
    }

    private boolean isBacked(int c) {
        Epoch[] certificate = candidates[c].certificate();
        int count = 0;
        for (int v = 0; v < VOTERS; v++) {
            count += supports[v][c] && epoch(v, c).equals(certificate[v]) ? 1 : 0;
        }
        return 2 * count > VOTERS;
    }

    /** The newest epoch of the voter for the candidate. */
    private Epoch epoch(int v, int c) {
        return new Epoch(names.name(over[v]), counters[v][c]);
    }

    private boolean leads(int c) {
        return candidates[c].isLeading() && isBacked(c);
    }

    private void claims(int c, Consumer<LeaseWorld> sink) {
        for (long n = candidates[c].term() + 1; n <= bounds.terms; n++) {
            LeaseWorld next = new LeaseWorld(this);
            if (next.candidates[c].isLeading()) {
                next.candidates[c].bump(n);
            } else {
                next.candidates[c].claim(n);
            }
            next.mail.add(new LeaseMail(LeaseMail.Kind.CLAIM, c, lives[c], n, -1, 0, 0));
            sink.accept(next);
        }
    }

    private void delegates(int c, Consumer<LeaseWorld> sink) {
        for (long n = 1; bounds.delegates && n <= bounds.terms; n++) {
            LeaseWorld next = new LeaseWorld(this);
            if (next.mail.add(new LeaseMail(LeaseMail.Kind.CLAIM, c, lives[c], n, -1, 0, 0))) {
                sink.accept(next);
            }
        }
    }

    private void acquires(int c, Consumer<LeaseWorld> sink) {
        if (candidates[c].isClaiming() && isBacked(c)) {
            LeaseWorld next = new LeaseWorld(this);
            long token =
                    next.candidates[c].lead("/p", new Lease(new Epoch[0], 0)).token();
            if (token <= tokenMax) {
                next.violation = "Fencing: token " + token + " after " + tokenMax;
            }
            next.tokenMax = Math.max(tokenMax, token);
            sink.accept(next);
        }
    }

    private void ends(int c, Consumer<LeaseWorld> sink) {
        Candidate candidate = candidates[c];
        if (!candidate.isIdle()) {
            LeaseWorld next = new LeaseWorld(this);
            next.candidates[c].stop();
            sink.accept(next);
        }
        if (used[2] < bounds.restarts) {
            // ADR-0002: the next life is another holder, and remembers no term.
            LeaseWorld next = new LeaseWorld(this);
            next.used[2]++;
            next.candidates[c] = new Candidate(VOTERS);
            next.lives[c]++;
            for (int v = 0; v < VOTERS; v++) {
                next.supports[v][c] = false;
            }
            sink.accept(next);
        }
    }

    // ---------------------------------------------------------------- messages

    private void arrives(LeaseMail m, Consumer<LeaseWorld> sink) {
        switch (m.kind()) {
            case CLAIM -> {
                for (int v = 0; v < VOTERS; v++) {
                    claimArrives(v, m, sink);
                }
            }
            case VOTE -> voteArrives(m, sink);
        }
    }

    private Supporters supporters(int v) {
        return new Supporters() {
            @Override
            public Epoch epochOf(NodeId holder, long incarnation) {
                for (int c = 0; c < candidates.length; c++) {
                    if (node(c).equals(holder) && lives[c] == incarnation && supports[v][c] && !isSilent[v]) {
                        return epoch(v, c);
                    }
                }
                return null;
            }

            @Override
            public long remaining(NodeId holder) {
                return 1;
            }
        };
    }

    private void claimArrives(int v, LeaseMail m, Consumer<LeaseWorld> sink) {
        if (isSilent[v]) {
            return;
        }
        LeaseWorld next = new LeaseWorld(this);
        Ballot.Verdict verdict =
                next.ballots[v].onClaim(id(m.c(), m.life()), m.term(), next.supporters(v), Long.MAX_VALUE / 2);
        if (verdict instanceof Ballot.Voted voted) {
            next.mail.add(new LeaseMail(
                    LeaseMail.Kind.VOTE,
                    m.c(),
                    m.life(),
                    m.term(),
                    v,
                    over[v],
                    voted.epoch().counter()));
        }
        sink.accept(next);
    }

    private void voteArrives(LeaseMail m, Consumer<LeaseWorld> sink) {
        if (m.life() == lives[m.c()] && !candidates[m.c()].isIdle()) {
            LeaseWorld next = new LeaseWorld(this);
            if (next.candidates[m.c()].onVote(
                    m.x(), m.term(), new Epoch(names.name(m.voterLife()), m.counter()), leads(m.c()))) {
                sink.accept(next);
            }
        }
    }

    /** Whoever holds the vote gives it back, if it needs it no more; a former life may have done so before it died. */
    private void releaseArrives(int v, Consumer<LeaseWorld> sink) {
        if (isSilent[v] || ballots[v].holder().isEmpty()) {
            return;
        }
        ContenderId holder = ballots[v].holder().get();
        for (long n = 1; n <= bounds.terms; n++) {
            LeaseWorld next = new LeaseWorld(this);
            if (next.releaseUnlessNeeded(holder, n)) {
                next.ballots[v].onRelease(holder, n, Long.MAX_VALUE / 2);
                sink.accept(next);
            }
        }
    }

    private boolean releaseUnlessNeeded(ContenderId holder, long n) {
        for (int c = 0; c < candidates.length; c++) {
            if (id(c, lives[c]).equals(holder)) {
                return (n <= candidates[c].term() || bounds.delegates) && candidates[c].releaseUnlessNeeded(n);
            }
        }
        return true;
    }

    // ---------------------------------------------------------------- support, crashes, forgotten paths

    private void voterFaults(int v, Consumer<LeaseWorld> sink) {
        for (int c = 0; c < candidates.length; c++) {
            boolean canEnd = supports[v][c] && used[0] < bounds.lapses;
            boolean canBegin = !supports[v][c] && !isSilent[v];
            if (canEnd || canBegin) {
                LeaseWorld next = new LeaseWorld(this);
                next.used[0] += canEnd ? 1 : 0;
                next.supports[v][c] = canBegin;
                next.counters[v][c] += canBegin ? 1 : 0;
                sink.accept(next);
            }
        }
        if (!isSilent[v] && used[1] < bounds.crashes) {
            // Votes and support are forgotten, the term is not: it was reserved on disk.
            LeaseWorld next = new LeaseWorld(this);
            next.used[1]++;
            next.isSilent[v] = true;
            next.ballots[v] = new Ballot(ballots[v].term());
            sink.accept(next);
        }
        if (isSilent[v]) {
            // The quarantine of the next life is over, and with it every belief in support that was given before.
            LeaseWorld next = new LeaseWorld(this);
            next.isSilent[v] = false;
            next.over[v]++;
            Arrays.fill(next.counters[v], 0);
            for (int c = 0; c < candidates.length; c++) {
                next.supports[v][c] = false;
            }
            sink.accept(next);
        }
        if (!isSilent[v] && used[3] < bounds.forgets && !ballots[v].isLive(supporters(v))) {
            // ADR-0003: the path is dropped, and begins anew at the floor.
            LeaseWorld next = new LeaseWorld(this);
            next.used[3]++;
            next.ballots[v] = new Ballot(ballots[v].term());
            sink.accept(next);
        }
    }

    // ---------------------------------------------------------------- identity

    /** A fingerprint of everything that decides what may follow. Voters are alike: their order does not count. */
    long fingerprint() {
        long[] ofVoters = new long[VOTERS];
        for (int v = 0; v < VOTERS; v++) {
            ofVoters[v] = fingerprintOf(v);
        }
        Arrays.sort(ofVoters);
        long digest = violation.hashCode();
        for (long ofVoter : ofVoters) {
            digest = mixed(digest, ofVoter);
        }
        for (int c = 0; c < candidates.length; c++) {
            Candidate candidate = candidates[c];
            digest = mixed(digest, candidate.term() * 4 + (candidate.isClaiming() ? 1 : 0));
            digest = mixed(digest, lives[c]);
            digest = mixed(digest, candidate.tenure().map(Tenure::token).orElse(0L));
        }
        for (LeaseMail m : mail) {
            if (m.kind() != LeaseMail.Kind.VOTE) {
                digest = mixed(digest, number(m));
            }
        }
        for (int budget : used) {
            digest = mixed(digest, budget);
        }
        return mixed(digest, tokenMax);
    }

    private long fingerprintOf(int v) {
        long digest = mixed(0, ballots[v].term() * 2 + (isSilent[v] ? 1 : 0));
        digest = mixed(digest, ballots[v].epoch().map(LeaseWorld::number).orElse(0L));
        if (ballots[v].holder().isPresent()) {
            ContenderId holder = ballots[v].holder().get();
            digest = mixed(digest, holder.node().value().hashCode());
            digest = mixed(digest, holder.incarnation());
            digest = mixed(digest, holder.number());
        }
        for (int c = 0; c < candidates.length; c++) {
            digest = mixed(digest, number(epoch(v, c)) * 2 + (supports[v][c] ? 1 : 0));
            Epoch vote = candidates[c].isIdle() ? null : candidates[c].certificate()[v];
            digest = mixed(digest, vote == null ? 0 : number(vote));
        }
        for (LeaseMail m : mail) {
            if (m.kind() == LeaseMail.Kind.VOTE && m.x() == v) {
                digest = mixed(digest, number(m));
            }
        }
        return digest;
    }

    /** The digest of all that was added, and of this; a step of SplitMix64, Steele, Lea and Flood, 2014. */
    private static long mixed(long digest, long next) {
        long z = (digest ^ next) + 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    /** All of it but the voter of a vote, by which votes are told apart already. */
    private static long number(LeaseMail m) {
        long number = m.kind().ordinal();
        number = number << Byte.SIZE | m.c();
        number = number << Byte.SIZE | m.life();
        number = number << Byte.SIZE | m.term();
        number = number << Byte.SIZE | m.voterLife();
        return number << Byte.SIZE | m.counter();
    }

    /** Equal for rising and for falling names, so that there are as many states with the ones as with the others. */
    private static long number(Epoch epoch) {
        return Math.abs(epoch.incarnation() - Names.FIRST) << Byte.SIZE | epoch.counter();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int c = 0; c < candidates.length; c++) {
            text.append("c").append(c).append(" ").append(candidates[c]).append(leads(c) ? " LEADS; " : "; ");
        }
        for (int v = 0; v < VOTERS; v++) {
            text.append("v")
                    .append(v)
                    .append(isSilent[v] ? " silent" : "")
                    .append(" term ")
                    .append(ballots[v].term())
                    .append(" vote ")
                    .append(ballots[v].holder())
                    .append("; ");
        }
        return text.append(mail).toString();
    }

    OptionalInt leader() {
        for (int c = 0; c < candidates.length; c++) {
            if (leads(c)) {
                return OptionalInt.of(c);
            }
        }
        return OptionalInt.empty();
    }
}
