package io.quorate.runtime;

import io.quorate.core.message.Names;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.NodeMessage.Kind;
import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.engine.Fatal;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The binary form of the messages between nodes: a byte for the kind ({@link Kind}), then the fields, which each
 * message writes and reads itself. A closed list of types, a limit for each length, no Java serialization. Reading
 * takes what {@link #write} wrote, throws {@link MalformedInputException} for what is not of this form and nothing
 * else, and allocates in proportion to the input.
 */
public final class MessageCodec {

    /** The longest message of an algorithm, in bytes. */
    public static final int ALGORITHM_MESSAGE_MAX = 16 * 1024;

    private final ElectionAlgorithm algorithm;
    /** The name is asked for once, at the start: it is needed when the algorithm has thrown. */
    private final String algorithmName;

    private final Names names = new Names();

    /** @param algorithm whose messages travel inside {@link Elect} */
    public MessageCodec(ElectionAlgorithm algorithm) {
        this.algorithm = algorithm;
        this.algorithmName = algorithm.name();
    }

    // ---------------------------------------------------------------- writing

    /**
     * Writes one message behind what was written before.
     *
     * @throws IllegalArgumentException if a message of the algorithm cannot be written or is too long; then {@code out}
     *                                  holds a part of it
     */
    public void write(NodeMessage message, WireWriter out) {
        message.write(out);
        if (message instanceof Elect elect) {
            out.writeBytes(bytesOf(elect.message()));
        }
    }

    private static byte[] bytesOf(Message message) {
        WireWriter inner = new WireWriter();
        try {
            message.writeTo(inner);
        } catch (Throwable e) {
            // Justification: somebody else's algorithm. It loses this message only.
            Fatal.throwIfFatal(e);
            throw new UnwritableMessageException(message.getClass().getName() + " cannot be written: " + e, e);
        }
        if (inner.length() > ALGORITHM_MESSAGE_MAX) {
            throw new UnwritableMessageException(
                    message.getClass().getName() + " of " + inner.length() + " bytes: must be at most "
                            + ALGORITHM_MESSAGE_MAX,
                    null);
        }
        return inner.toBytes();
    }

    // ---------------------------------------------------------------- reading

    /**
     * Reads all messages of a frame's body. A message of an algorithm that this node's algorithm cannot read is left
     * out, and what is behind it is not lost: nodes whose algorithms differ still support each other.
     *
     * @param onUnreadable told why, for each message that is left out
     */
    public List<NodeMessage> read(WireReader in, Consumer<String> onUnreadable) throws MalformedInputException {
        List<NodeMessage> messages = new ArrayList<>();
        while (in.remaining() > 0) {
            int code = in.readByte();
            if (Kind.skipFormer(code, in)) {
                continue;
            }
            NodeMessage message = readOne(code, in);
            if (message instanceof Elect elect) {
                readInside(elect, in, onUnreadable).ifPresent(messages::add);
            } else {
                messages.add(message);
            }
        }
        return messages;
    }

    /**
     * Reads what {@linkplain NodeMessage#overtakes overtakes} other messages, as far as it stands before these.
     *
     * @param bytes what {@code in} reads, up to {@code end}
     */
    List<NodeMessage> readFirst(byte[] bytes, int end, WireReader in) throws MalformedInputException {
        List<NodeMessage> messages = new ArrayList<>(2);
        while (in.remaining() > 0 && Kind.isOvertaking(bytes[end - in.remaining()])) {
            messages.add(readOne(in.readByte(), in));
        }
        return messages;
    }

    private NodeMessage readOne(int code, WireReader in) throws MalformedInputException {
        Kind kind = Kind.of(code);
        try {
            return kind.read(in, names);
        } catch (IllegalArgumentException e) {
            throw new MalformedInputException(kind + " that is none: " + e.getMessage());
        }
    }

    /** Empty if the message inside belongs to no algorithm of this node. */
    private Optional<Elect> readInside(Elect elect, WireReader in, Consumer<String> onUnreadable)
            throws MalformedInputException {
        WireReader inner = new WireReader(in.readBytes(ALGORITHM_MESSAGE_MAX));
        try {
            Message message = algorithm.readMessage(inner);
            inner.expectEnd();
            return Optional.of(elect.with(message));
        } catch (Throwable e) {
            Fatal.throwIfFatal(e);
            // Justification: somebody else's algorithm, reading bytes that nobody vouches for.
            onUnreadable.accept("algorithm " + algorithmName + " cannot read one: " + e.getMessage());
            return Optional.empty();
        }
    }

    /** A message of an algorithm that breaks the rules for messages. */
    static final class UnwritableMessageException extends IllegalArgumentException {

        private static final long serialVersionUID = 1L;

        UnwritableMessageException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
