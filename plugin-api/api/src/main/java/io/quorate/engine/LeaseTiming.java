package io.quorate.engine;

import io.quorate.spi.Check;

/**
 * The times of the lease, in nanoseconds of each node's own clock.
 *
 * @param heartbeat    how often a node asks each voter for support
 * @param support      how long a voter supports a node, from receiving its heartbeat (D_A)
 * @param driftPercent how far a clock's rate may differ from real time, 0 to 49
 */
public record LeaseTiming(long heartbeat, long support, int driftPercent) {

    public LeaseTiming {
        Check.argument(heartbeat >= 1, "heartbeat %d ns: must be at least 1", heartbeat);
        Check.argument(0 <= driftPercent && driftPercent < 50, "drift %d %%: must be from 0 to 49", driftPercent);
        Check.argument(
                support >= 4 * heartbeat, "support %d ns: must be at least 4 heartbeats of %d ns", support, heartbeat);
        Check.argument(
                4 * heartbeat <= belief(support, driftPercent),
                "heartbeat %d ns: must be at most a quarter of the belief, which is %d ns",
                heartbeat,
                belief(support, driftPercent));
    }

    /**
     * How long a node believes in a voter's support, from <em>sending</em> the heartbeat (D_P): D_A (1-rho)/(1+rho), so
     * that it ends before the support does although one clock is slow and the other fast.
     */
    public long belief() {
        return belief(support, driftPercent);
    }

    /** A peer is suspected when nothing was heard from it for three heartbeats. */
    public long suspicion() {
        return 3 * heartbeat;
    }

    private static long belief(long support, int driftPercent) {
        return Math.multiplyExact(support / (100 + driftPercent), 100 - driftPercent);
    }
}
