package io.quorate.spi;

/**
 * A message of an election algorithm: an immutable record, one type per message of the document.
 *
 * <p>The {@link ElectionAlgorithm} that defines it reads it back with {@link ElectionAlgorithm#readMessage}.
 */
public interface Message {

    /**
     * Writes this message, its kind first, so that {@link ElectionAlgorithm#readMessage} answers an equal one.
     *
     * @param out takes the bytes, at most 16,384; a longer message is not sent
     */
    void writeTo(WireWriter out);
}
