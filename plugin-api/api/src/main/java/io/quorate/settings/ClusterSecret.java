package io.quorate.settings;

import io.quorate.spi.Check;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.BitSet;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The secret of a cluster, known to its nodes only: frames carry a MAC under a key that is derived from it. During a
 * rotation there are two: the current one sends, and both are accepted. Immutable. Never shown: not by {@link
 * #toString}, and by no message of an exception.
 */
public final class ClusterSecret {

    /** The shortest secret, in bytes: a shorter one could be found by trying, with one recorded frame. */
    public static final int LENGTH_MIN = 16;

    /**
     * The fewest different bytes of a secret: with a higher limit a random secret might be refused, with a lower one a
     * secret of equal letters might pass.
     */
    private static final int DIFFERENT_MIN = 5;

    static final String HMAC = "HmacSHA256";

    /** Labels keep the uses of a secret apart from each other and from uses elsewhere, under any cluster id. */
    public static final String OF_FRAMES = "quorate frame 1 ";

    public static final String OF_GREETINGS = "quorate greeting 1 ";

    private final byte[] current;
    private final byte @Nullable [] former;

    private ClusterSecret(byte[] current, byte @Nullable [] former) {
        this.current = current;
        this.former = former;
    }

    /** One secret, or two; copied. The rule for their lengths is the caller's: see {@link #isLongEnough}. */
    public static ClusterSecret of(byte[] current, Optional<byte[]> former) {
        Check.argument(isLongEnough(current), fault(current));
        former.ifPresent(value -> Check.argument(isLongEnough(value), fault(value)));
        return new ClusterSecret(current.clone(), former.map(byte[]::clone).orElse(null));
    }

    /** Whether it may serve as a secret. */
    public static boolean isLongEnough(byte[] secret) {
        return secret.length >= LENGTH_MIN;
    }

    /** Whether it looks random: of a hundred million random ones of 16 hexadecimal digits, some forty do not. */
    public static boolean isVaried(byte[] secret) {
        BitSet different = new BitSet();
        for (byte each : secret) {
            different.set(each & 0xFF);
        }
        return different.cardinality() >= DIFFERENT_MIN;
    }

    /** Says what is wrong with a secret that is too short; without the secret. */
    public static String fault(byte[] secret) {
        return "secret of " + secret.length + " bytes: must be at least " + LENGTH_MIN;
    }

    /** Makes the MAC of what this node sends. */
    public Mac current(String label, String clusterId) {
        return mac(current, label, clusterId);
    }

    /** Makes the MAC of nodes that still send with the other secret; null if there is one secret. */
    @Nullable
    public Mac former(String label, String clusterId) {
        return former == null ? null : mac(former, label, clusterId);
    }

    /** The key is HMAC(secret, label and cluster id): two clusters with one secret do not hear each other. */
    private static Mac mac(byte[] secret, String label, String clusterId) {
        byte[] text = (label + clusterId).getBytes(StandardCharsets.UTF_8);
        return keyed(keyed(secret).doFinal(text));
    }

    private static Mac keyed(byte[] key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(HMAC + " is missing, which every Java platform must have", e);
        }
    }

    @Override
    public String toString() {
        return former == null ? "a secret" : "two secrets";
    }
}
