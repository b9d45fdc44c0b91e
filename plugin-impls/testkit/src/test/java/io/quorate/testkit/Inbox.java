package io.quorate.testkit;

import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The frames that a node received, as text. */
public final class Inbox implements Transport.Receiver {

    private final ConcurrentLinkedQueue<String> texts = new ConcurrentLinkedQueue<>();

    /** What {@link #has} finds again. */
    public static byte[] frame(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean received(Optional<NodeId> sender, byte[] frame) {
        return texts.add(new String(frame, StandardCharsets.UTF_8));
    }

    /** Whether this was received, at any time. */
    public boolean has(String text) {
        return texts.contains(text);
    }

    /** All, in the order in which they came. */
    public List<String> all() {
        return List.copyOf(texts);
    }
}
