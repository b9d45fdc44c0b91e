package io.quorate.runtime;

import io.quorate.settings.ClusterSecret;
import io.quorate.spi.Proof;
import java.util.Arrays;

/** A MAC over what was said, made as that of a frame, under a key of its own. */
public final class GreetingProof implements Proof {

    private final FrameMac mac;

    /** The proof of a node of the cluster on its connections to the others. */
    public GreetingProof(ClusterSecret secret, String clusterId) {
        mac = new FrameMac(secret, ClusterSecret.OF_GREETINGS, clusterId);
    }

    @Override
    public synchronized byte[] of(byte[] text) {
        byte[] whole = Arrays.copyOf(text, text.length + FrameMac.LENGTH);
        mac.write(whole);
        return Arrays.copyOfRange(whole, text.length, whole.length);
    }

    @Override
    public synchronized boolean isRight(byte[] text, byte[] shown) {
        byte[] whole = Arrays.copyOf(text, text.length + shown.length);
        System.arraycopy(shown, 0, whole, text.length, shown.length);
        return shown.length == LENGTH && mac.isRight(whole);
    }
}
