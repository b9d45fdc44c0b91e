package io.quorate.runtime;

import io.quorate.core.message.Accept;
import io.quorate.core.message.Acceptance;
import io.quorate.core.message.Ack;
import io.quorate.core.message.Challenge;
import io.quorate.core.message.Change;
import io.quorate.core.message.Claim;
import io.quorate.core.message.Configuration;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.DecidedVoters;
import io.quorate.core.message.Elect;
import io.quorate.core.message.Epoch;
import io.quorate.core.message.Goodbye;
import io.quorate.core.message.Handover;
import io.quorate.core.message.Heard;
import io.quorate.core.message.Heartbeat;
import io.quorate.core.message.Inquiry;
import io.quorate.core.message.Item;
import io.quorate.core.message.Listings;
import io.quorate.core.message.ListingsAck;
import io.quorate.core.message.Nack;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.NotPromised;
import io.quorate.core.message.Prepare;
import io.quorate.core.message.Promise;
import io.quorate.core.message.Ready;
import io.quorate.core.message.ReadyQuery;
import io.quorate.core.message.Refused;
import io.quorate.core.message.Registrations;
import io.quorate.core.message.RegistrationsAck;
import io.quorate.core.message.Release;
import io.quorate.core.message.Vote;
import io.quorate.core.message.VotersWanted;
import io.quorate.core.step.Fatal;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.Seat.Accepted;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.NodeId;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The binary form of the messages between nodes: a kind byte, then the fields in the order of the record. A closed list
 * of types, a limit for each length, no Java serialization. Reading takes what {@link #write} wrote, throws
 * {@link MalformedInputException} for what is not of this form and nothing else, and allocates in proportion to the
 * input.
 */
public final class MessageCodec {

    /** The longest path, in UTF-8 bytes. */
    public static final int PATH_MAX = MessageParts.PATH_MAX;

    /** The longest message of an algorithm, in bytes. */
    public static final int ALGORITHM_MESSAGE_MAX = 16 * 1024;

    /** The most elements of one list. */
    private static final int LIST_MAX = 16 * 1024;

    private static final int HEARTBEAT = 1;
    private static final int ACK = 2;
    private static final int REFUSED = 3;
    private static final int INQUIRY = 4;
    private static final int HEARD = 5;
    private static final int GOODBYE = 7;
    private static final int REGISTRATIONS = 8;
    private static final int REGISTRATIONS_ACK = 9;
    private static final int LISTINGS = 10;
    private static final int LISTINGS_ACK = 11;
    private static final int CLAIM = 12;
    private static final int VOTE = 13;
    private static final int NACK = 14;
    private static final int RELEASE = 15;
    private static final int CHALLENGE = 16;
    private static final int HANDOVER = 17;
    private static final int ELECT = 18;
    private static final int CONFIGURATION = 19;
    private static final int DECIDED_VOTERS = 21;
    private static final int VOTERS_WANTED = 22;
    private static final int READY_QUERY = 23;
    private static final int READY = 24;
    private static final int PREPARE = 25;
    private static final int PROMISE = 26;
    private static final int NOT_PROMISED = 27;
    private static final int ACCEPT = 28;
    private static final int ACCEPTANCE = 29;

    private final ElectionAlgorithm algorithm;
    /** Asked for once: it is needed where the algorithm has thrown. */
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
        message.dispatch(new Writer(out));
    }

    private static final class Writer implements NodeMessage.Handler {

        private final WireWriter out;

        Writer(WireWriter out) {
            this.out = out;
        }

        @Override
        public void on(Heartbeat m) {
            out.writeByte(HEARTBEAT);
            out.writeUnsigned(m.number());
            if (m.number() > 1) {
                out.writeLong(m.hash());
            }
            out.writeUnsigned(m.sequence());
            MessageParts.writeOptional(m.renounced(), out);
            out.writeBoolean(m.connected());
            out.writeBoolean(m.urgent());
            out.writeUnsigned(m.termMax());
            out.writeLong(m.configHash());
            out.writeBoolean(m.durable());
            out.writeUnsigned(m.upVersion() + 1);
        }

        @Override
        public void on(Ack m) {
            out.writeByte(ACK);
            out.writeUnsigned(m.incarnation());
            out.writeUnsigned(m.sequence());
            MessageParts.write(m.epoch(), out);
            out.writeUnsigned(m.termMax());
            out.writeUnsigned(m.upVersion());
            out.writeUnsigned(m.up().map(up -> up.size() + 1).orElse(0));
            m.up().ifPresent(up -> up.forEach(node -> out.writeString(node.value())));
        }

        @Override
        public void on(Refused m) {
            out.writeByte(REFUSED);
            out.writeBoolean(m.isOfSupport());
            out.writeString(MessageParts.cut(m.reason(), Refused.REASON_MAX));
        }

        @Override
        public void on(Configuration m) {
            out.writeByte(CONFIGURATION);
            MessageParts.write(m, out);
        }

        @Override
        public void on(Inquiry m) {
            out.writeByte(INQUIRY);
        }

        @Override
        public void on(Heard m) {
            out.writeByte(HEARD);
            out.writeUnsigned(m.incarnation());
        }

        @Override
        public void on(Goodbye m) {
            out.writeByte(GOODBYE);
        }

        @Override
        public void on(Registrations m) {
            out.writeByte(REGISTRATIONS);
            MessageParts.write(m.epoch(), out);
            out.writeUnsigned(m.batch());
            out.writeUnsigned(m.changes().size());
            m.changes().forEach(change -> MessageParts.write(change, out));
        }

        @Override
        public void on(RegistrationsAck m) {
            out.writeByte(REGISTRATIONS_ACK);
            out.writeUnsigned(m.batch());
        }

        @Override
        public void on(Listings m) {
            out.writeByte(LISTINGS);
            MessageParts.write(m.epoch(), out);
            out.writeUnsigned(m.batch());
            out.writeUnsigned(m.items().size());
            m.items().forEach(item -> MessageParts.write(item, out));
        }

        @Override
        public void on(ListingsAck m) {
            out.writeByte(LISTINGS_ACK);
            out.writeUnsigned(m.batch());
        }

        @Override
        public void on(Claim m) {
            begin(CLAIM, m.path(), m.number());
            out.writeUnsigned(m.term());
        }

        @Override
        public void on(Vote m) {
            begin(VOTE, m.path(), m.number());
            out.writeUnsigned(m.term());
            MessageParts.write(m.epoch(), out);
        }

        @Override
        public void on(Nack m) {
            begin(NACK, m.path(), m.number());
            out.writeUnsigned(m.claimed());
            out.writeUnsigned(m.term());
            out.writeUnsigned(m.remainingNanos());
        }

        @Override
        public void on(Release m) {
            begin(RELEASE, m.path(), m.number());
            out.writeUnsigned(m.term());
            out.writeBoolean(m.successor().isPresent());
            m.successor().ifPresent(successor -> MessageParts.write(successor, out));
        }

        @Override
        public void on(Challenge m) {
            begin(CHALLENGE, m.path(), m.holder().number());
            out.writeString(m.holder().node().value());
            out.writeUnsigned(m.holder().incarnation());
            out.writeUnsigned(m.term());
        }

        @Override
        public void on(Handover m) {
            begin(HANDOVER, m.path(), m.number());
            out.writeUnsigned(m.term());
            out.writeUnsigned(m.claim());
        }

        @Override
        public void on(Elect m) {
            out.writeByte(ELECT);
            out.writeLong(m.election());
            out.writeUnsigned(m.birth());
            out.writeUnsigned(m.from());
            out.writeUnsigned(m.to());
            out.writeBoolean(m.isToWitness());
            out.writeBytes(bytesOf(m.message()));
        }

        @Override
        public void on(DecidedVoters m) {
            out.writeByte(DECIDED_VOTERS);
            MessageParts.write(m.config(), out);
        }

        @Override
        public void on(VotersWanted m) {
            out.writeByte(VOTERS_WANTED);
            out.writeUnsigned(m.number());
        }

        @Override
        public void on(ReadyQuery m) {
            out.writeByte(READY_QUERY);
            out.writeUnsigned(m.query());
        }

        @Override
        public void on(Ready m) {
            out.writeByte(READY);
            out.writeUnsigned(m.query());
            out.writeLong(m.store());
            out.writeUnsigned(m.number());
            out.writeLong(m.clusterHash());
            out.writeString(MessageParts.cut(m.failure(), Refused.REASON_MAX));
        }

        @Override
        public void on(Prepare m) {
            out.writeByte(PREPARE);
            MessageParts.write(m.round(), out);
            MessageParts.write(m.base(), out);
        }

        @Override
        public void on(Promise m) {
            out.writeByte(PROMISE);
            out.writeUnsigned(m.slot());
            MessageParts.write(m.round(), out);
            out.writeUnsigned(m.termMax());
            out.writeBoolean(m.accepted().isPresent());
            m.accepted().ifPresent(accepted -> {
                MessageParts.write(accepted.round(), out);
                MessageParts.write(accepted.value(), out);
            });
        }

        @Override
        public void on(NotPromised m) {
            out.writeByte(NOT_PROMISED);
            out.writeUnsigned(m.slot());
            MessageParts.write(m.round(), out);
            out.writeBoolean(m.promised().isPresent());
            m.promised().ifPresent(promised -> MessageParts.write(promised, out));
            out.writeUnsigned(m.waitNanos());
            out.writeString(MessageParts.cut(m.failure(), Refused.REASON_MAX));
        }

        @Override
        public void on(Accept m) {
            out.writeByte(ACCEPT);
            MessageParts.write(m.round(), out);
            MessageParts.write(m.base(), out);
            MessageParts.write(m.value(), out);
        }

        @Override
        public void on(Acceptance m) {
            out.writeByte(ACCEPTANCE);
            out.writeUnsigned(m.slot());
            MessageParts.write(m.round(), out);
        }

        private void begin(int kind, String path, long number) {
            out.writeByte(kind);
            out.writeString(path);
            out.writeUnsigned(number);
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
            int kind = in.readByte();
            if (kind == ELECT) {
                readElect(in, onUnreadable).ifPresent(messages::add);
            } else {
                messages.add(readOne(kind, in));
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
        while (in.remaining() > 0 && isFirst(bytes[end - in.remaining()])) {
            messages.add(readOne(in.readByte(), in));
        }
        return messages;
    }

    private static boolean isFirst(int kind) {
        return kind == HEARTBEAT || kind == ACK;
    }

    private NodeMessage readOne(int kind, WireReader in) throws MalformedInputException {
        return switch (kind) {
            case HEARTBEAT -> readHeartbeat(in);
            case ACK -> readAck(in);
            case REFUSED -> new Refused(in.readBoolean(), in.readString(Refused.REASON_MAX));
            case CONFIGURATION -> MessageParts.readConfiguration(in);
            case INQUIRY -> new Inquiry();
            case HEARD -> new Heard(in.readUnsigned());
            case GOODBYE -> new Goodbye();
            case REGISTRATIONS -> readRegistrations(in);
            case REGISTRATIONS_ACK -> new RegistrationsAck(in.readUnsigned());
            case LISTINGS -> readListings(in);
            case LISTINGS_ACK -> new ListingsAck(in.readUnsigned());
            case DECIDED_VOTERS -> new DecidedVoters(MessageParts.readConfig(in));
            case VOTERS_WANTED -> new VotersWanted(in.readUnsigned());
            case READY_QUERY -> new ReadyQuery(in.readUnsigned());
            case READY ->
                new Ready(
                        in.readUnsigned(),
                        in.readLong(),
                        in.readUnsigned(),
                        in.readLong(),
                        in.readString(Refused.REASON_MAX));
            case PREPARE -> new Prepare(MessageParts.readRound(in), MessageParts.readConfig(in));
            case PROMISE -> readPromise(in);
            case NOT_PROMISED ->
                new NotPromised(
                        in.readUnsigned(),
                        MessageParts.readRound(in),
                        in.readBoolean() ? Optional.of(MessageParts.readRound(in)) : Optional.empty(),
                        in.readUnsigned(),
                        in.readString(Refused.REASON_MAX));
            case ACCEPT ->
                new Accept(MessageParts.readRound(in), MessageParts.readConfig(in), MessageParts.readConfig(in));
            case ACCEPTANCE -> new Acceptance(in.readUnsigned(), MessageParts.readRound(in));
            default -> readOfPath(kind, in);
        };
    }

    private NodeMessage readOfPath(int kind, WireReader in) throws MalformedInputException {
        if (kind < CLAIM || kind > HANDOVER) {
            throw new MalformedInputException("message of unknown kind " + kind);
        }
        String path = MessageParts.readPath(in);
        long number = in.readUnsigned();
        return switch (kind) {
            case CLAIM -> new Claim(path, number, in.readUnsigned());
            case VOTE -> new Vote(path, number, in.readUnsigned(), MessageParts.readEpoch(in));
            case NACK -> new Nack(path, number, in.readUnsigned(), in.readUnsigned(), in.readUnsigned());
            case RELEASE ->
                new Release(
                        path,
                        number,
                        in.readUnsigned(),
                        in.readBoolean() ? Optional.of(MessageParts.readSuccessor(in)) : Optional.empty());
            case CHALLENGE ->
                new Challenge(path, new ContenderId(in.readNodeId(), in.readUnsigned(), number), in.readUnsigned());
            default -> new Handover(path, number, in.readUnsigned(), in.readUnsigned());
        };
    }

    private static Heartbeat readHeartbeat(WireReader in) throws MalformedInputException {
        long number = in.readUnsigned();
        return new Heartbeat(
                number,
                number > 1 ? in.readLong() : 0,
                in.readUnsigned(),
                MessageParts.readOptionalEpoch(in),
                in.readBoolean(),
                in.readBoolean(),
                in.readUnsigned(),
                in.readLong(),
                in.readBoolean(),
                in.readUnsigned() - 1);
    }

    private static NodeMessage readPromise(WireReader in) throws MalformedInputException {
        long slot = in.readUnsigned();
        Round round = MessageParts.readRound(in);
        long termMax = in.readUnsigned();
        Optional<Accepted> accepted = in.readBoolean()
                ? Optional.of(new Accepted(MessageParts.readRound(in), MessageParts.readConfig(in)))
                : Optional.empty();
        return new Promise(slot, round, termMax, accepted);
    }

    private static NodeMessage readAck(WireReader in) throws MalformedInputException {
        long incarnation = in.readUnsigned();
        long sequence = in.readUnsigned();
        Epoch epoch = MessageParts.readEpoch(in);
        long termMax = in.readUnsigned();
        long upVersion = in.readUnsigned();
        int count = in.readUnsigned(LIST_MAX);
        if (count == 0) {
            return new Ack(incarnation, sequence, epoch, termMax, upVersion, Optional.empty());
        }
        List<NodeId> up = new ArrayList<>();
        for (int i = 1; i < count; i++) {
            up.add(in.readNodeId());
        }
        return new Ack(incarnation, sequence, epoch, termMax, upVersion, Optional.of(up));
    }

    private NodeMessage readRegistrations(WireReader in) throws MalformedInputException {
        Epoch epoch = MessageParts.readEpoch(in);
        long batch = in.readUnsigned();
        int count = in.readUnsigned(LIST_MAX);
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            changes.add(MessageParts.readChange(in, names));
        }
        return new Registrations(epoch, batch, changes);
    }

    private NodeMessage readListings(WireReader in) throws MalformedInputException {
        Epoch epoch = MessageParts.readEpoch(in);
        long batch = in.readUnsigned();
        int count = in.readUnsigned(LIST_MAX);
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(MessageParts.readItem(in, names));
        }
        return new Listings(epoch, batch, items);
    }

    /** Empty if the message inside is not one of this node's algorithm. */
    private Optional<NodeMessage> readElect(WireReader in, Consumer<String> onUnreadable)
            throws MalformedInputException {
        long election = in.readLong();
        long birth = in.readUnsigned();
        int from = in.readUnsigned(LIST_MAX);
        int to = in.readUnsigned(LIST_MAX);
        boolean isToWitness = in.readBoolean();
        WireReader inner = new WireReader(in.readBytes(ALGORITHM_MESSAGE_MAX));
        try {
            Message message = algorithm.readMessage(inner);
            inner.expectEnd();
            return Optional.of(new Elect(election, birth, from, to, isToWitness, message));
        } catch (Throwable e) {
            Fatal.throwIfFatal(e);
            // Justification: somebody else's algorithm, given bytes that nobody vouches for.
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
