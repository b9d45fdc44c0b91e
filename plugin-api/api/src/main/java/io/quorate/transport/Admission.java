package io.quorate.transport;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Decides which connections a transport accepts at all: few at a time that have not said who they are, and few per
 * second. So strangers who reach a port take little time and room, and none from the peers of the node. One thread at a
 * time uses it.
 *
 * <p>Times are nanoseconds of one clock, compared by difference.
 */
public final class Admission {

    /** New connections per second from one address. As many may also come at once. */
    public static final int RATE_PER_ADDRESS = 20;
    /** The same from all addresses at which no peer was found. */
    public static final int RATE = 100;
    /** Connections that have not said who they are, from an address that is neither loopback nor that of a peer. */
    public static final int WAITING_PER_ADDRESS = 2;
    /** The same of all addresses at which no peer was found. */
    public static final int WAITING_MORE = 16;
    /** Further connections for each peer, from the addresses of peers: strangers take no room from these. */
    public static final int WAITING_PER_PEER = 4;
    /** Addresses whose rate is watched. Addresses that were silent for a second are forgotten. */
    private static final int ADDRESSES_MAX = 1024;

    private static final long SECOND = 1_000_000_000;
    /**
     * An address is shut out for so long. A caller that is shut out by mistake is let in again before somebody looks.
     */
    private static final long SHUT_NANOS = 60 * SECOND;
    /** Callers from very many addresses must not have the table searched each time. */
    private static final long SWEEP_PAUSE = SECOND / 10;

    private final IntSupplier peers;
    private final Map<InetAddress, Bucket> buckets = new HashMap<>();
    private final Map<InetAddress, Integer> waiting = new HashMap<>();
    /** Since when. */
    private final Map<InetAddress, Long> shut = new HashMap<>();

    private final Bucket all;
    private int waitingOfAll;
    private int waitingOfStrangers;
    private long sweptAt;

    /** The remainder of a rate, which fills up within a second. */
    private static final class Bucket {
        private final int rate;
        private double left;
        private long at;

        private Bucket(int rate, long now) {
            this.rate = rate;
            this.left = rate;
            this.at = now;
        }

        private boolean take(long now) {
            left = Math.min(rate, left + (double) Math.min(now - at, SECOND) * rate / SECOND);
            at = now;
            if (left < 1) {
                return false;
            }
            left--;
            return true;
        }
    }

    /**
     * With no connection so far.
     *
     * @param peers how many there are, contenders aside; asked for each connection
     * @param now   in nanoseconds
     */
    public Admission(IntSupplier peers, long now) {
        this.peers = peers;
        all = new Bucket(RATE, now);
        sweptAt = now - SECOND;
    }

    /**
     * Whether to accept a connection from this address now; then {@link #leave} must follow. Strangers never take the
     * room of peers, at the rate of their address.
     *
     * @param from    whose connection it is
     * @param isPeers whether a peer was found at this address
     * @param now     in nanoseconds
     * @return if not, the connection is to be closed without a word
     */
    public boolean enter(InetAddress from, boolean isPeers, long now) {
        if (waitingOfAll >= WAITING_PER_PEER * peers.getAsInt() + WAITING_MORE
                || !isPeers && waitingOfStrangers >= WAITING_MORE
                || !isPeers && isShut(from, now)) {
            return false;
        }
        if (!bucket(from, isPeers, now).take(now) || !isPeers && !all.take(now)) {
            return false;
        }
        int here = waiting.getOrDefault(from, 0);
        if (here >= WAITING_PER_ADDRESS && !isPeers && !from.isLoopbackAddress()) {
            return false;
        }
        waiting.put(from, here + 1);
        waitingOfAll++;
        waitingOfStrangers += isPeers ? 0 : 1;
        return true;
    }

    /**
     * A connection that was accepted has said who it is, or is closed; the arguments are those of {@link #enter}.
     *
     * @param from    whose connection it is
     * @param isPeers as it was then, although more may be known of the address by now
     */
    public void leave(InetAddress from, boolean isPeers) {
        waitingOfAll--;
        waitingOfStrangers -= isPeers ? 0 : 1;
        waiting.computeIfPresent(from, (address, here) -> here == 1 ? null : here - 1);
    }

    /**
     * A connection from this address has carried frame after frame that nobody may send, and was closed. For a minute
     * no other one is let in from there, unless a peer was found there by then: a stranger at the address of a peer has
     * the rate of that address, and shuts nobody out.
     *
     * @param from whose connection it was
     * @param now  in nanoseconds
     */
    public void shut(InetAddress from, long now) {
        if (shut.size() >= ADDRESSES_MAX) {
            shut.values().removeIf(since -> now - since >= SHUT_NANOS);
        }
        // Callers from so many addresses are bounded by the rate of all.
        if (shut.size() < ADDRESSES_MAX) {
            shut.put(from, now);
        }
    }

    private boolean isShut(InetAddress from, long now) {
        Long since = shut.get(from);
        return since != null && now - since < SHUT_NANOS;
    }

    private Bucket bucket(InetAddress from, boolean isPeers, long now) {
        if (buckets.size() >= ADDRESSES_MAX && !buckets.containsKey(from)) {
            if (now - sweptAt >= SWEEP_PAUSE) {
                sweptAt = now;
                buckets.values().removeIf(each -> now - each.at >= SECOND);
            }
            if (buckets.size() >= ADDRESSES_MAX && !isPeers) {
                // This number of addresses within a second is beyond the rate of all.
                return all;
            }
        }
        return buckets.computeIfAbsent(from, address -> new Bucket(RATE_PER_ADDRESS, now));
    }
}
