package io.quorate.core.message;

/**
 * One unbroken stretch of a voter's support for a node. A lapse is final: later heartbeats start another epoch.
 *
 * @param incarnation which life of the voter gave it, so that numbers need not survive a restart
 * @param counter     rises with each new epoch of the voter, 0 only for a voter's support for itself
 */
public record Epoch(long incarnation, long counter) implements Comparable<Epoch> {

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof Epoch epoch && incarnation == epoch.incarnation && counter == epoch.counter;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(incarnation) + Long.hashCode(counter);
    }

    @Override
    public int compareTo(Epoch other) {
        int byLife = Long.compare(incarnation, other.incarnation);
        return byLife != 0 ? byLife : Long.compare(counter, other.counter);
    }
}
