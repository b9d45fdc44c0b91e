package io.quorate.ring;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;

/**
 * K5: which attempt of which life of a process a message belongs to.
 *
 * @param incarnation the life, at least 1
 * @param number      counts the attempts of that life
 */
public record Attempt(long incarnation, long number) {

    /** In F, which does not tell attempts apart. */
    public static final Attempt NONE = new Attempt(0, 0);

    /** The next one of the same life. */
    public Attempt next() {
        return new Attempt(incarnation, number + 1);
    }

    /** Writes both numbers. */
    public void writeTo(WireWriter out) {
        out.writeUnsigned(incarnation);
        out.writeUnsigned(number);
    }

    /** Reads what {@link #writeTo} wrote. */
    public static Attempt read(WireReader in) throws MalformedInputException {
        return new Attempt(in.readUnsigned(), in.readUnsigned());
    }
}
