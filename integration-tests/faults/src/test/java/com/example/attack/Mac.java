package com.example.attack;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.spec.SecretKeySpec;

/** What a frame under a secret ends in, as the document on security has it; made without the library. */
final class Mac {

    private static final String HMAC = "HmacSHA256";
    private static final int LENGTH = 16;

    private final javax.crypto.Mac hmac;

    private Mac(javax.crypto.Mac hmac) {
        this.hmac = hmac;
    }

    /** Of the cluster that is attacked, if this is its secret. */
    static Mac of(String secret) {
        return of("quorate frame 1 ", secret);
    }

    /** The same for what is shown on a connection before frames. */
    static Mac ofGreetings(String secret) {
        return of("quorate greeting 1 ", secret);
    }

    private static Mac of(String use, String secret) {
        byte[] label = (use + AttackedCluster.CLUSTER).getBytes(StandardCharsets.UTF_8);
        return new Mac(keyed(keyed(secret.getBytes(StandardCharsets.UTF_8)).doFinal(label)));
    }

    /** What who has dialled shows upon a challenge. */
    byte[] shown(byte[] hello, byte[] nonce) {
        hmac.update((byte) 8);
        hmac.update(nonce);
        return Arrays.copyOf(hmac.doFinal(hello), LENGTH);
    }

    private static javax.crypto.Mac keyed(byte[] key) {
        try {
            javax.crypto.Mac hmac = javax.crypto.Mac.getInstance(HMAC);
            hmac.init(new SecretKeySpec(key, HMAC));
            return hmac;
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** One that is right for no frame: so the rest is where a receiver looks for it. */
    static byte[] wrongBehind(byte[] frame) {
        return Arrays.copyOf(frame, frame.length + LENGTH);
    }

    byte[] appendedTo(byte[] frame) {
        byte[] whole = Arrays.copyOf(frame, frame.length + LENGTH);
        System.arraycopy(hmac.doFinal(frame), 0, whole, frame.length, LENGTH);
        return whole;
    }
}
