package io.quorate.engine;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;

/**
 * One unbroken stretch of a voter's support for a node. A lapse is final: later heartbeats start another epoch. Epochs
 * of two lives have no order, because names of lives have none.
 *
 * @param incarnation which life of the voter gave it, so that no epoch comes twice, and nothing has to survive a
 *                    restart
 * @param counter     rises with each new epoch of the voter, 0 only for a voter's support for itself
 */
public record Epoch(long incarnation, long counter) {

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof Epoch epoch && incarnation == epoch.incarnation && counter == epoch.counter;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(incarnation) + Long.hashCode(counter);
    }

    /** Whether it is this epoch, or an earlier one of the same life. */
    public boolean isUpTo(Epoch other) {
        return incarnation == other.incarnation && counter <= other.counter;
    }

    public void writeTo(WireWriter out) {
        out.writeUnsigned(incarnation);
        out.writeUnsigned(counter);
    }

    public static Epoch read(WireReader in) throws MalformedInputException {
        return new Epoch(in.readUnsigned(), in.readUnsigned());
    }
}
