package io.quorate.runtime;

import io.quorate.core.ContenderId;
import io.quorate.core.Epoch;
import io.quorate.core.NodeMessage;
import io.quorate.core.Registration;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.NodeId;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The binary form of the messages between nodes: a kind byte, then the fields in the order of the record. A closed list
 * of types, a limit for each length, no Java serialization. Reading throws {@link MalformedInputException} for
 * everything that {@link #write} did not write, and nothing else.
 */
public final class MessageCodec {

    /** The longest path, in UTF-8 bytes. */
    public static final int PATH_MAX = 2048;

    /** The longest message of an algorithm, in bytes. */
    public static final int ALGORITHM_MESSAGE_MAX = 16 * 1024;

    /** The most elements of one list. */
    private static final int LIST_MAX = 16 * 1024;

    private static final int HEARTBEAT = 1;
    private static final int ACK = 2;
    private static final int REFUSED = 3;
    private static final int INQUIRY = 4;
    private static final int HEARD = 5;
    private static final int OUTDATED = 6;
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

    private static final int JOIN = 1;
    private static final int LEAVE = 2;
    private static final int WATCH = 3;

    private static final int LISTED = 1;
    private static final int UNLISTED = 2;
    private static final int COMPLETE = 3;

    private final ElectionAlgorithm algorithm;

    /** @param algorithm whose messages travel inside {@link NodeMessage.Elect} */
    public MessageCodec(ElectionAlgorithm algorithm) {
        this.algorithm = algorithm;
    }

    // ---------------------------------------------------------------- writing

    /** Writes one message behind what was written before. */
    public void write(NodeMessage message, WireWriter out) {
        if (!writeOfNode(message, out) && !writeOfPath(message, out)) {
            throw new IllegalStateException("message " + message + ": has no binary form");
        }
    }

    private boolean writeOfNode(NodeMessage message, WireWriter out) {
        if (message instanceof NodeMessage.Heartbeat m) {
            out.writeByte(HEARTBEAT);
            out.writeUnsigned(m.sequence());
            out.writeUnsigned(m.acknowledged());
            writeOptional(m.renounced(), out);
            out.writeBoolean(m.connected());
            out.writeUnsigned(m.termMax());
            out.writeLong(m.configHash());
            out.writeBoolean(m.durable());
            out.writeUnsigned(m.upVersion() + 1);
        } else if (message instanceof NodeMessage.Ack m) {
            out.writeByte(ACK);
            out.writeUnsigned(m.incarnation());
            out.writeUnsigned(m.sequence());
            write(m.epoch(), out);
            out.writeUnsigned(m.termMax());
            out.writeUnsigned(m.upVersion());
            out.writeUnsigned(m.up().map(up -> up.size() + 1).orElse(0));
            m.up().ifPresent(up -> up.forEach(node -> out.writeString(node.value())));
        } else if (message instanceof NodeMessage.Refused m) {
            out.writeByte(REFUSED);
            out.writeString(cut(m.reason(), NodeMessage.Refused.REASON_MAX));
        } else if (message instanceof NodeMessage.Inquiry) {
            out.writeByte(INQUIRY);
        } else if (message instanceof NodeMessage.Heard m) {
            out.writeByte(HEARD);
            out.writeUnsigned(m.incarnation());
        } else if (message instanceof NodeMessage.Outdated m) {
            out.writeByte(OUTDATED);
            out.writeUnsigned(m.incarnation());
        } else if (message instanceof NodeMessage.Goodbye) {
            out.writeByte(GOODBYE);
        } else if (message instanceof NodeMessage.Registrations m) {
            out.writeByte(REGISTRATIONS);
            write(m.epoch(), out);
            out.writeUnsigned(m.batch());
            out.writeUnsigned(m.changes().size());
            m.changes().forEach(change -> write(change, out));
        } else if (message instanceof NodeMessage.RegistrationsAck m) {
            out.writeByte(REGISTRATIONS_ACK);
            out.writeUnsigned(m.batch());
        } else if (message instanceof NodeMessage.Listings m) {
            out.writeByte(LISTINGS);
            write(m.epoch(), out);
            out.writeUnsigned(m.batch());
            out.writeUnsigned(m.items().size());
            m.items().forEach(item -> write(item, out));
        } else if (message instanceof NodeMessage.ListingsAck m) {
            out.writeByte(LISTINGS_ACK);
            out.writeUnsigned(m.batch());
        } else {
            return false;
        }
        return true;
    }

    private boolean writeOfPath(NodeMessage message, WireWriter out) {
        if (message instanceof NodeMessage.Claim m) {
            begin(CLAIM, m.path(), m.number(), out);
            out.writeUnsigned(m.term());
            out.writeBoolean(m.after().isPresent());
            m.after().ifPresent(ended -> write(ended, out));
        } else if (message instanceof NodeMessage.Vote m) {
            begin(VOTE, m.path(), m.number(), out);
            out.writeUnsigned(m.term());
            write(m.epoch(), out);
        } else if (message instanceof NodeMessage.Nack m) {
            begin(NACK, m.path(), m.number(), out);
            out.writeUnsigned(m.claimed());
            out.writeUnsigned(m.term());
            out.writeUnsigned(m.remainingNanos());
        } else if (message instanceof NodeMessage.Release m) {
            begin(RELEASE, m.path(), m.number(), out);
            out.writeUnsigned(m.term());
        } else if (message instanceof NodeMessage.Challenge m) {
            begin(CHALLENGE, m.path(), m.holder().number(), out);
            out.writeString(m.holder().node().value());
            out.writeUnsigned(m.holder().incarnation());
            out.writeUnsigned(m.term());
        } else if (message instanceof NodeMessage.Handover m) {
            begin(HANDOVER, m.path(), m.number(), out);
            write(m.tenure(), out);
        } else if (message instanceof NodeMessage.Elect m) {
            out.writeByte(ELECT);
            out.writeLong(m.election());
            out.writeUnsigned(m.birth());
            out.writeUnsigned(m.from());
            out.writeUnsigned(m.to());
            out.writeBoolean(m.isToWitness());
            WireWriter inner = new WireWriter();
            m.message().writeTo(inner);
            out.writeBytes(inner.toBytes());
        } else {
            return false;
        }
        return true;
    }

    private static void begin(int kind, String path, int number, WireWriter out) {
        out.writeByte(kind);
        out.writeString(path);
        out.writeUnsigned(number);
    }

    private static void write(NodeMessage.Change change, WireWriter out) {
        if (change instanceof NodeMessage.Join join) {
            out.writeByte(JOIN);
            out.writeString(join.path());
            write(join.registration(), out);
        } else if (change instanceof NodeMessage.Leave leave) {
            out.writeByte(LEAVE);
            out.writeString(leave.path());
            out.writeUnsigned(leave.number());
        } else if (change instanceof NodeMessage.Watch watch) {
            out.writeByte(WATCH);
            out.writeString(watch.path());
            out.writeBoolean(watch.wanted());
        }
    }

    private static void write(NodeMessage.Item item, WireWriter out) {
        if (item instanceof NodeMessage.Listed listed) {
            out.writeByte(LISTED);
            out.writeString(listed.path());
            write(listed.registration(), out);
        } else if (item instanceof NodeMessage.Unlisted unlisted) {
            out.writeByte(UNLISTED);
            out.writeString(unlisted.path());
            write(unlisted.contender(), out);
        } else if (item instanceof NodeMessage.Complete complete) {
            out.writeByte(COMPLETE);
            out.writeString(complete.path());
            out.writeUnsigned(complete.term());
        }
    }

    private static void write(Registration registration, WireWriter out) {
        write(registration.id(), out);
        out.writeString(cut(registration.participantId(), Registration.PARTICIPANT_ID_MAX));
        out.writeUnsigned(registration.stamp());
        out.writeLong(registration.weight());
        out.writeUnsigned(registration.token());
        out.writeUnsigned(registration.version());
    }

    private static void write(ContenderId id, WireWriter out) {
        out.writeString(id.node().value());
        out.writeUnsigned(id.incarnation());
        out.writeUnsigned(id.number());
    }

    private static void write(NodeMessage.Ended ended, WireWriter out) {
        write(ended.holder(), out);
        out.writeUnsigned(ended.term());
    }

    private static void write(Epoch epoch, WireWriter out) {
        out.writeUnsigned(epoch.incarnation());
        out.writeUnsigned(epoch.counter());
    }

    private static void writeOptional(Optional<Epoch> epoch, WireWriter out) {
        out.writeBoolean(epoch.isPresent());
        epoch.ifPresent(e -> write(e, out));
    }

    /** A text that is for people only, and may be too long. */
    private static String cut(String text, int bytesMax) {
        String cut = text;
        while (cut.getBytes(StandardCharsets.UTF_8).length > bytesMax) {
            cut = cut.substring(0, Math.max(0, Math.min(cut.length() - 1, bytesMax)));
        }
        return cut;
    }

    // ---------------------------------------------------------------- reading

    /** Reads all messages of a frame's body. */
    public List<NodeMessage> read(WireReader in) throws MalformedInputException {
        List<NodeMessage> messages = new ArrayList<>();
        while (in.remaining() > 0) {
            messages.add(readOne(in));
        }
        return messages;
    }

    private NodeMessage readOne(WireReader in) throws MalformedInputException {
        int kind = in.readByte();
        return switch (kind) {
            case HEARTBEAT -> new NodeMessage.Heartbeat(in.readUnsigned(), in.readUnsigned(), readOptionalEpoch(in),
                    in.readBoolean(), in.readUnsigned(), in.readLong(), in.readBoolean(), in.readUnsigned() - 1);
            case ACK -> readAck(in);
            case REFUSED -> new NodeMessage.Refused(in.readString(NodeMessage.Refused.REASON_MAX));
            case INQUIRY -> new NodeMessage.Inquiry();
            case HEARD -> new NodeMessage.Heard(in.readUnsigned());
            case OUTDATED -> new NodeMessage.Outdated(in.readUnsigned());
            case GOODBYE -> new NodeMessage.Goodbye();
            case REGISTRATIONS -> readRegistrations(in);
            case REGISTRATIONS_ACK -> new NodeMessage.RegistrationsAck(in.readUnsigned());
            case LISTINGS -> readListings(in);
            case LISTINGS_ACK -> new NodeMessage.ListingsAck(in.readUnsigned());
            default -> readOfPath(kind, in);
        };
    }

    private NodeMessage readOfPath(int kind, WireReader in) throws MalformedInputException {
        if (kind == ELECT) {
            return readElect(in);
        }
        if (kind < CLAIM || kind > HANDOVER) {
            throw new MalformedInputException("message of unknown kind " + kind);
        }
        String path = readPath(in);
        int number = in.readUnsigned(Integer.MAX_VALUE);
        return switch (kind) {
            case CLAIM -> new NodeMessage.Claim(path, number, in.readUnsigned(),
                    in.readBoolean() ? Optional.of(readEnded(in)) : Optional.empty());
            case VOTE -> new NodeMessage.Vote(path, number, in.readUnsigned(), readEpoch(in));
            case NACK -> new NodeMessage.Nack(path, number, in.readUnsigned(), in.readUnsigned(), in.readUnsigned());
            case RELEASE -> new NodeMessage.Release(path, number, in.readUnsigned());
            case CHALLENGE -> new NodeMessage.Challenge(path,
                    new ContenderId(in.readNodeId(), in.readUnsigned(), number), in.readUnsigned());
            default -> new NodeMessage.Handover(path, number, readEnded(in));
        };
    }

    private static NodeMessage readAck(WireReader in) throws MalformedInputException {
        long incarnation = in.readUnsigned();
        long sequence = in.readUnsigned();
        Epoch epoch = readEpoch(in);
        long termMax = in.readUnsigned();
        long upVersion = in.readUnsigned();
        int count = in.readUnsigned(LIST_MAX);
        if (count == 0) {
            return new NodeMessage.Ack(incarnation, sequence, epoch, termMax, upVersion, Optional.empty());
        }
        List<NodeId> up = new ArrayList<>();
        for (int i = 1; i < count; i++) {
            up.add(in.readNodeId());
        }
        return new NodeMessage.Ack(incarnation, sequence, epoch, termMax, upVersion, Optional.of(up));
    }

    private static NodeMessage readRegistrations(WireReader in) throws MalformedInputException {
        Epoch epoch = readEpoch(in);
        long batch = in.readUnsigned();
        int count = in.readUnsigned(LIST_MAX);
        List<NodeMessage.Change> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int kind = in.readByte();
            String path = readPath(in);
            changes.add(switch (kind) {
                case JOIN -> new NodeMessage.Join(path, readRegistration(in));
                case LEAVE -> new NodeMessage.Leave(path, in.readUnsigned(Integer.MAX_VALUE));
                case WATCH -> new NodeMessage.Watch(path, in.readBoolean());
                default -> throw new MalformedInputException("change of unknown kind " + kind);
            });
        }
        return new NodeMessage.Registrations(epoch, batch, changes);
    }

    private static NodeMessage readListings(WireReader in) throws MalformedInputException {
        Epoch epoch = readEpoch(in);
        long batch = in.readUnsigned();
        int count = in.readUnsigned(LIST_MAX);
        List<NodeMessage.Item> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int kind = in.readByte();
            String path = readPath(in);
            items.add(switch (kind) {
                case LISTED -> new NodeMessage.Listed(path, readRegistration(in));
                case UNLISTED -> new NodeMessage.Unlisted(path, readContenderId(in));
                case COMPLETE -> new NodeMessage.Complete(path, in.readUnsigned());
                default -> throw new MalformedInputException("listing of unknown kind " + kind);
            });
        }
        return new NodeMessage.Listings(epoch, batch, items);
    }

    private NodeMessage readElect(WireReader in) throws MalformedInputException {
        long election = in.readLong();
        long birth = in.readUnsigned();
        int from = in.readUnsigned(LIST_MAX);
        int to = in.readUnsigned(LIST_MAX);
        boolean isToWitness = in.readBoolean();
        WireReader inner = new WireReader(in.readBytes(ALGORITHM_MESSAGE_MAX));
        Message message = algorithm.readMessage(inner);
        inner.expectEnd();
        return new NodeMessage.Elect(election, birth, from, to, isToWitness, message);
    }

    private static String readPath(WireReader in) throws MalformedInputException {
        return in.readString(PATH_MAX);
    }

    private static Registration readRegistration(WireReader in) throws MalformedInputException {
        return new Registration(readContenderId(in), in.readString(Registration.PARTICIPANT_ID_MAX),
                in.readUnsigned(), in.readLong(), in.readUnsigned(), in.readUnsigned());
    }

    private static ContenderId readContenderId(WireReader in) throws MalformedInputException {
        return new ContenderId(in.readNodeId(), in.readUnsigned(), in.readUnsigned(Integer.MAX_VALUE));
    }

    private static NodeMessage.Ended readEnded(WireReader in) throws MalformedInputException {
        return new NodeMessage.Ended(readContenderId(in), in.readUnsigned());
    }

    private static Epoch readEpoch(WireReader in) throws MalformedInputException {
        return new Epoch(in.readUnsigned(), in.readUnsigned());
    }

    private static Optional<Epoch> readOptionalEpoch(WireReader in) throws MalformedInputException {
        return in.readBoolean() ? Optional.of(readEpoch(in)) : Optional.empty();
    }
}
