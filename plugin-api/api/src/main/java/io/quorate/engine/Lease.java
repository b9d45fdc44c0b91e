package io.quorate.engine;

/**
 * The end of the majority's support for one certificate (one set of voters, each with the epoch of its vote).
 *
 * <p>All tenures of a node that rest on equal certificates share one lease, so ten thousand of them are renewed by
 * writing one number. Written by the node's thread, read by any.
 */
public final class Lease {

    private Epoch[] certificate;
    private volatile long until;

    /** @param certificate the epoch of each voter's vote, null for none; not to be changed */
    public Lease(Epoch[] certificate, long until) {
        this.certificate = certificate;
        this.until = until;
    }

    /** The epoch of each voter's vote, null for none; not to be changed. */
    public Epoch[] certificate() {
        return certificate;
    }

    /** Sets the same votes in their places after a change of the voters. On the node's thread only. */
    public void setCertificate(Epoch[] votes) {
        certificate = votes;
    }

    /** The instant, on the node's own clock, at which the lease ends unless it is renewed before. */
    public long until() {
        return until;
    }

    /** Renews the lease. On the node's thread only. */
    public void setUntil(long end) {
        until = end;
    }

    /** Whether it has run out at {@code now}, on the node's own clock. */
    public boolean isOver(long now) {
        return now - until >= 0;
    }
}
