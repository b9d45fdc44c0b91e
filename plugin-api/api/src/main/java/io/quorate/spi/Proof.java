package io.quorate.spi;

/**
 * Shows the other side of a connection that this node knows the secret of the cluster, and tests what the other side
 * shows; the secret itself is never shown. For transports whose connections hold something, as a name or memory, before
 * a frame has come over them. Any thread.
 *
 * <p>A proof is worth no more than the text that it is shown for. So each side chooses a part of that text, at
 * random for each connection; and the text says which side shows it, or one side could repeat what it was shown.
 */
public interface Proof {

    /** The length of what is shown, in bytes. */
    int LENGTH = 16;

    /**
     * Shows that this node knows the secret.
     *
     * @param text what both sides have said so far
     * @return {@link #LENGTH} bytes
     */
    byte[] of(byte[] text);

    /**
     * Tells whether the other side knows a secret that this node accepts. It takes as long whichever byte differs.
     *
     * @param text  what both sides have said so far
     * @param shown any bytes, of any length
     * @return whether they are those of a secret for this text
     */
    boolean isRight(byte[] text, byte[] shown);
}
