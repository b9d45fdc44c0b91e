package io.quorate.core;

import java.util.Comparator;

/**
 * One unbroken stretch of a voter's support for a node. A lapse is final: later heartbeats start another epoch.
 *
 * @param incarnation which life of the voter gave it, so that numbers need not survive a restart
 * @param counter     rises with each new epoch of the voter, 0 only for a voter's support for itself
 */
public record Epoch(long incarnation, long counter) implements Comparable<Epoch> {

    private static final Comparator<Epoch> ORDER = Comparator.comparingLong(Epoch::incarnation)
            .thenComparingLong(Epoch::counter);

    @Override
    public int compareTo(Epoch other) {
        return ORDER.compare(this, other);
    }
}
