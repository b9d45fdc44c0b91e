package io.quorate.spi;

/**
 * A message of an election algorithm: an immutable record, one type per message of the document.
 *
 * <p>The {@link ElectionAlgorithm} that defines it reads it back with {@link ElectionAlgorithm#readMessage}.
 */
public interface Message {

    /** Writes this message, kind first, so that {@link ElectionAlgorithm#readMessage} gives an equal one. */
    void writeTo(WireWriter out);
}
