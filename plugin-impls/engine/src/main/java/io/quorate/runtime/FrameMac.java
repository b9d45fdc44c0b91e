package io.quorate.runtime;

import io.quorate.settings.ClusterSecret;
import java.security.MessageDigest;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import org.jspecify.annotations.Nullable;

/**
 * The last bytes of a frame under a secret: HMAC-SHA256 over all that stands before them, cut to {@value #LENGTH}
 * bytes. It covers cluster, sender, receiver, both lives and the sequence, so a frame that was recorded serves no other
 * purpose than it had. One thread at a time: the MACs and the room for their results are used again and again.
 */
final class FrameMac {

    /** In bytes. Half of the digest: to guess one, on a live connection, takes 2^127 attempts. */
    static final int LENGTH = 16;

    /** What {@link #write} overwrites: it stands at the end of the frame. Not written to. */
    static final byte[] ROOM = new byte[LENGTH];

    private final Mac current;
    private final @Nullable Mac former;
    private final byte[] digest;
    private final byte[] expected = new byte[LENGTH];
    private final byte[] given = new byte[LENGTH];

    FrameMac(ClusterSecret secret, String clusterId) {
        this(secret, ClusterSecret.OF_FRAMES, clusterId);
    }

    /** @param label which use of the secret this is */
    FrameMac(ClusterSecret secret, String label, String clusterId) {
        current = secret.current(label, clusterId);
        former = secret.former(label, clusterId);
        digest = new byte[current.getMacLength()];
    }

    /** Null without a secret. */
    static @Nullable FrameMac of(Optional<ClusterSecret> secret, String clusterId) {
        return secret.map(value -> new FrameMac(value, clusterId)).orElse(null);
    }

    /** Writes the MAC of the frame into its last {@value #LENGTH} bytes. */
    void write(byte[] frame) {
        compute(current, frame);
        System.arraycopy(digest, 0, frame, frame.length - LENGTH, LENGTH);
    }

    /** Whether the frame ends in its MAC, under one of the secrets; takes as long whichever byte differs. */
    boolean isRight(byte[] frame) {
        if (frame.length <= LENGTH) {
            return false;
        }
        System.arraycopy(frame, frame.length - LENGTH, given, 0, LENGTH);
        return isRight(current, frame) || former != null && isRight(former, frame);
    }

    private boolean isRight(Mac mac, byte[] frame) {
        compute(mac, frame);
        System.arraycopy(digest, 0, expected, 0, LENGTH);
        return MessageDigest.isEqual(expected, given);
    }

    private void compute(Mac mac, byte[] frame) {
        mac.update(frame, 0, frame.length - LENGTH);
        try {
            mac.doFinal(digest, 0);
        } catch (ShortBufferException e) {
            throw new IllegalStateException("room for " + digest.length + " bytes", e);
        }
    }
}
