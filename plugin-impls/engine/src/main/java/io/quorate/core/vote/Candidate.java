package io.quorate.core.vote;

import io.quorate.core.voters.VoterPlaces;
import io.quorate.engine.Epoch;
import io.quorate.engine.Lease;
import io.quorate.engine.Tenure;
import io.quorate.spi.Check;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A contender's half of layer 2 (docs/protocol.md#votes): its claim, and its tenure. Terms that it uses only rise. */
public final class Candidate {

    private int voters;
    private long term;
    private @Nullable Tenure tenure;
    private boolean isClaiming;
    /**
     * The epoch of each voter's vote that backs the claim or tenure, not to be changed; null while there is neither.
     */
    @SuppressWarnings("NullAway.Init") // there while it claims or leads
    private Epoch[] certificate;

    /** A candidate that has used no term, among so many voters. */
    public Candidate(int voters) {
        this.voters = voters;
    }

    /** A candidate in the same state, for a checker that branches here. */
    @SuppressWarnings("NullAway") // see certificate
    Candidate copy() {
        Candidate copy = new Candidate(voters);
        copy.term = term;
        copy.tenure = tenure;
        copy.isClaiming = isClaiming;
        copy.certificate = certificate == null ? null : certificate.clone();
        return copy;
    }

    /** The highest term that this contender used, or closed. */
    public long term() {
        return term;
    }

    /** Whether there is a claim. */
    public boolean isClaiming() {
        return isClaiming;
    }

    /** Whether there is a tenure, valid or not. */
    public boolean isLeading() {
        return tenure != null;
    }

    /** Whether there is neither claim nor tenure. */
    public boolean isIdle() {
        return !isClaiming && tenure == null;
    }

    /** The tenure, which may be over by now; empty if there is none. */
    public Optional<Tenure> tenure() {
        return Optional.ofNullable(tenure);
    }

    /** A copy of the epochs of the votes, by voter, null for none. Only while there is a claim or tenure. */
    public Epoch[] certificate() {
        return certificate.clone();
    }

    /** The voters have changed: the votes of nodes that no longer vote are dropped. */
    public void onVoters(VoterPlaces places, int count) {
        voters = count;
        if (certificate != null) {
            certificate = places.carry(certificate);
        }
    }

    /** Whether the voter's vote in the epoch that is believed in is not among those of the claim or tenure. */
    public boolean isMissing(int voter, @Nullable Epoch believed) {
        return certificate[voter] == null || !certificate[voter].equals(believed);
    }

    /** Whether a vote in this term is still needed: a tenure needs all from its token up, a claim its own. */
    boolean covers(long n) {
        if (tenure != null) {
            return tenure.token() <= n && n <= term;
        }
        return isClaiming && n == term;
    }

    /** A new claim, with a term above every one this contender used. Votes of earlier claims do not count. */
    public void claim(long n) {
        Check.state(tenure == null, "claim of term %d: the contender leads with term %d", n, term);
        raise(n);
        isClaiming = true;
        certificate = new Epoch[voters];
    }

    /** A leader's term rises, to win back voters that have moved on; tenure, token and votes stay. */
    public void bump(long n) {
        Check.state(tenure != null, "bump to term %d: the contender does not lead", n);
        raise(n);
    }

    /**
     * A vote arrived.
     *
     * @param isLeadingNow whether the tenure, if there is one, is valid at this moment: a vote may extend only a valid
     *                     tenure, or a late one would revive a tenure that another has followed
     * @return whether the vote was added
     */
    public boolean onVote(int voter, long n, Epoch epoch, boolean isLeadingNow) {
        boolean extendsTenure = tenure != null && isLeadingNow && covers(n);
        boolean answersClaim = isClaiming && n == term;
        if (!extendsTenure && !answersClaim) {
            return false;
        }
        if (certificate[voter] != null && epoch.isUpTo(certificate[voter])) {
            return false;
        }
        certificate = certificate.clone();
        certificate[voter] = epoch;
        return true;
    }

    /** Sets the votes. Tenures with equal votes share one array. */
    public void share(Epoch[] equal) {
        // The message is made only if the check fails: this runs for each of thousands of tenures.
        Check.state(Arrays.equals(certificate, equal), "votes %s: are %s", Arrays.asList(equal), this);
        certificate = equal;
    }

    /** A majority backs the claim: the tenure begins, with the claim's term as its token. */
    public Tenure lead(String path, Lease lease) {
        Check.state(isClaiming, "tenure on %s: there is no claim", path);
        isClaiming = false;
        tenure = new Tenure(path, term, lease);
        return tenure;
    }

    /**
     * Whether a vote in this term is given back: then no later claim uses the term. One above all that were used comes
     * from a leader that named this contender as its successor; it is kept while there is a claim or tenure.
     */
    public boolean releaseUnlessNeeded(long n) {
        if (covers(n) || n > term && !isIdle()) {
            return false;
        }
        term = Math.max(term, n);
        return true;
    }

    /** The claim or tenure is over. The term stays: it is never used again. */
    @SuppressWarnings("NullAway") // see certificate
    public void stop() {
        isClaiming = false;
        tenure = null;
        certificate = null;
    }

    private void raise(long n) {
        Check.state(n > term, "term %d: must be above %d, which was used", n, term);
        term = n;
    }

    @Override
    public String toString() {
        return (tenure != null ? "leads " : isClaiming ? "claims " : "idle ")
                + term
                + (certificate == null ? "" : " " + Arrays.toString(certificate));
    }
}
