package io.quorate.testkit.simulation;

import io.quorate.core.message.NodeMessage;
import io.quorate.runtime.MessageCodec;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;

/** The possible content of a frame. A node cannot receive anything else, so in virtual time liars cannot send it. */
public final class Wire {

    private Wire() {}

    /** Whether the message can be written, and is read. */
    public static boolean carries(NodeMessage message) {
        MessageCodec codec = new MessageCodec(new HighestUp());
        WireWriter out = new WireWriter();
        try {
            codec.write(message, out);
            codec.read(new WireReader(out.toBytes()), unreadable -> {});
            return true;
        } catch (IllegalArgumentException | MalformedInputException e) {
            return false;
        }
    }
}
