package io.quorate;

import java.time.Duration;

/**
 * Three proven sets of times. The support duration decides the rest: a crashed leader is replaced after about that
 * time, and a leader survives a pause of roughly two thirds of it.
 */
public enum Profile {

    /** Fail-over in 125 to 150 ms, pauses up to about 95 ms: for low-pause collectors on a quiet network. */
    FAST(Duration.ofMillis(25), Duration.ofMillis(150), Duration.ofMillis(5)),

    /** Fail-over in 0.8 to 1.0 s, pauses up to about 0.61 s: for ordinary services on a local network. */
    DEFAULT(Duration.ofMillis(200), Duration.ofMillis(1000), Duration.ofMillis(20)),

    /** Fail-over in 5 to 6 s, pauses up to about 3.9 s: what a ZooKeeper session gave. */
    CALM(Duration.ofSeconds(1), Duration.ofSeconds(6), Duration.ofMillis(50));

    private final Duration heartbeat;
    private final Duration supportDuration;
    private final Duration delta;

    Profile(Duration heartbeat, Duration supportDuration, Duration delta) {
        this.heartbeat = heartbeat;
        this.supportDuration = supportDuration;
        this.delta = delta;
    }

    /**
     * {@return how often a node asks each voter for support} {@link ElectionSettings#heartbeat(Duration)} explains it.
     */
    public Duration heartbeat() {
        return heartbeat;
    }

    /**
     * {@return how long a voter supports a node after a heartbeat} {@link ElectionSettings#supportDuration(Duration)}
     * explains it.
     */
    public Duration supportDuration() {
        return supportDuration;
    }

    /** {@return the bound on a one-way delay} {@link ElectionSettings#delta(Duration)} explains it. */
    public Duration delta() {
        return delta;
    }
}
