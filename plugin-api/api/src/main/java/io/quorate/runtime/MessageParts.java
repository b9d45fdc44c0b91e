package io.quorate.runtime;

import io.quorate.core.message.Change;
import io.quorate.core.message.Configuration;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.Epoch;
import io.quorate.core.message.Item;
import io.quorate.core.message.Successor;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The binary form of what messages are made of, for the codec of whole messages. */
final class MessageParts {

    /** The longest host name, in bytes: that of DNS, without the dot at its end. */
    private static final int HOST_MAX = 253;

    /** The longest path, in UTF-8 bytes. */
    static final int PATH_MAX = 2048;

    private static final int JOIN = 1;
    private static final int LEAVE = 2;
    private static final int WATCH = 3;

    private static final int LISTED = 1;
    private static final int UNLISTED = 2;
    private static final int COMPLETE = 3;
    private static final int SNAPSHOT = 4;

    /** The most contenders that one snapshot holds. */
    private static final int REGISTRATIONS_MAX = 1024;

    private MessageParts() {}

    // ---------------------------------------------------------------- writing

    static void write(Change change, WireWriter out) {
        change.dispatch(new Change.Handler() {
            @Override
            public void on(Change.Join join) {
                out.writeByte(JOIN);
                out.writeString(join.path());
                MessageParts.write(join.registration(), out);
                out.writeBoolean(join.asks());
            }

            @Override
            public void on(Change.Leave leave) {
                out.writeByte(LEAVE);
                out.writeString(leave.path());
                out.writeUnsigned(leave.number());
                out.writeBoolean(leave.isGone());
                out.writeBoolean(leave.stays());
            }

            @Override
            public void on(Change.Watch watch) {
                out.writeByte(WATCH);
                out.writeString(watch.path());
                out.writeBoolean(watch.isWanted());
                out.writeBoolean(watch.asks());
            }
        });
    }

    static void write(Item item, WireWriter out) {
        item.dispatch(new Item.Handler() {
            @Override
            public void on(Item.Listed listed) {
                out.writeByte(LISTED);
                out.writeString(listed.path());
                MessageParts.write(listed.registration(), out);
            }

            @Override
            public void on(Item.Unlisted unlisted) {
                out.writeByte(UNLISTED);
                out.writeString(unlisted.path());
                MessageParts.write(unlisted.contender(), out);
            }

            @Override
            public void on(Item.Complete complete) {
                out.writeByte(COMPLETE);
                out.writeString(complete.path());
                out.writeUnsigned(complete.term());
            }

            @Override
            public void on(Item.Snapshot snapshot) {
                out.writeByte(SNAPSHOT);
                out.writeString(snapshot.path());
                out.writeUnsigned(snapshot.term());
                out.writeBoolean(snapshot.isComplete());
                out.writeUnsigned(snapshot.registrations().size());
                snapshot.registrations().forEach(registration -> MessageParts.write(registration, out));
            }
        });
    }

    static void write(Round round, WireWriter out) {
        out.writeUnsigned(round.counter());
        out.writeString(round.proposer().value());
        out.writeUnsigned(round.incarnation());
    }

    static Round readRound(WireReader in) throws MalformedInputException {
        return new Round(in.readUnsigned(), in.readNodeId(), in.readUnsigned());
    }

    static void write(VoterList config, WireWriter out) {
        out.writeUnsigned(config.number());
        out.writeUnsigned(config.floor());
        out.writeUnsigned(config.size());
        for (Member member : config.members()) {
            out.writeString(member.id().value());
            out.writeLong(member.store());
            out.writeString(member.address().map(HostAndPort::host).orElse(""));
            out.writeUnsigned(member.address().map(HostAndPort::port).orElse(0));
        }
    }

    static VoterList readConfig(WireReader in) throws MalformedInputException {
        long number = in.readUnsigned();
        long floor = in.readUnsigned();
        int count = in.readUnsigned(NodeSettings.VOTERS_MAX);
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            members.add(new Member(in.readNodeId(), in.readLong(), readAddress(in)));
        }
        try {
            return new VoterList(number, floor, members);
        } catch (IllegalArgumentException e) {
            throw new MalformedInputException("a list of voters that is none: " + e.getMessage());
        }
    }

    private static Optional<HostAndPort> readAddress(WireReader in) throws MalformedInputException {
        String host = in.readString(HOST_MAX);
        int port = in.readUnsigned(65_535);
        try {
            return host.isEmpty() && port == 0 ? Optional.empty() : Optional.of(new HostAndPort(host, port));
        } catch (IllegalArgumentException e) {
            throw new MalformedInputException("an address that is none: " + e.getMessage());
        }
    }

    static void write(Configuration configuration, WireWriter out) {
        out.writeString(cut(configuration.clusterId(), Configuration.NAME_MAX));
        out.writeUnsigned(configuration.voters().size());
        configuration.voters().forEach(voter -> out.writeString(voter.value()));
        out.writeUnsigned(configuration.support());
        out.writeUnsigned(configuration.driftPercent());
        out.writeBoolean(configuration.durable());
        out.writeString(cut(configuration.algorithm(), Configuration.NAME_MAX));
        out.writeByte(configuration.rankOrder().ordinal());
    }

    static Configuration readConfiguration(WireReader in) throws MalformedInputException {
        String clusterId = in.readString(Configuration.NAME_MAX);
        int count = in.readUnsigned(NodeSettings.VOTERS_MAX);
        List<NodeId> voters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            voters.add(in.readNodeId());
        }
        long support = in.readUnsigned();
        int drift = in.readUnsigned(99);
        boolean isDurable = in.readBoolean();
        String algorithm = in.readString(Configuration.NAME_MAX);
        int rankOrder = in.readByte();
        if (rankOrder >= RankOrder.values().length) {
            throw new MalformedInputException(
                    "rank order " + rankOrder + ": must be below " + RankOrder.values().length);
        }
        return new Configuration(
                clusterId, voters, support, drift, isDurable, algorithm, RankOrder.values()[rankOrder]);
    }

    private static void write(ContenderRecord registration, WireWriter out) {
        write(registration.id(), out);
        out.writeString(cut(registration.participantId(), ContenderRecord.PARTICIPANT_ID_MAX));
        out.writeUnsigned(registration.stamp());
        out.writeLong(registration.weight());
        out.writeUnsigned(registration.token());
        out.writeUnsigned(registration.version());
    }

    static void write(ContenderId id, WireWriter out) {
        out.writeString(id.node().value());
        out.writeUnsigned(id.incarnation());
        out.writeUnsigned(id.number());
    }

    static void write(Successor successor, WireWriter out) {
        write(successor.claimer(), out);
        out.writeUnsigned(successor.term());
    }

    static void write(Epoch epoch, WireWriter out) {
        out.writeUnsigned(epoch.incarnation());
        out.writeUnsigned(epoch.counter());
    }

    static void writeOptional(Optional<Epoch> epoch, WireWriter out) {
        out.writeBoolean(epoch.isPresent());
        epoch.ifPresent(e -> write(e, out));
    }

    /** A text that is for people only, and may be too long. */
    static String cut(String text, int bytesMax) {
        String cut = text;
        while (cut.getBytes(StandardCharsets.UTF_8).length > bytesMax) {
            cut = cut.substring(0, Math.max(0, Math.min(cut.length() - 1, bytesMax)));
        }
        return cut;
    }

    // ---------------------------------------------------------------- reading

    static Change readChange(WireReader in, Names names) throws MalformedInputException {
        int kind = in.readByte();
        String path = readPath(in);
        return switch (kind) {
            case JOIN -> new Change.Join(path, names.shared(readRegistration(in)), in.readBoolean());
            case LEAVE -> new Change.Leave(path, in.readUnsigned(), in.readBoolean(), in.readBoolean());
            case WATCH -> new Change.Watch(path, in.readBoolean(), in.readBoolean());
            default -> throw new MalformedInputException("change of unknown kind " + kind);
        };
    }

    static Item readItem(WireReader in, Names names) throws MalformedInputException {
        int kind = in.readByte();
        String path = readPath(in);
        return switch (kind) {
            case LISTED -> new Item.Listed(path, names.shared(readRegistration(in)));
            case UNLISTED -> new Item.Unlisted(path, readContenderId(in));
            case COMPLETE -> new Item.Complete(path, in.readUnsigned());
            case SNAPSHOT -> readSnapshot(path, in, names);
            default -> throw new MalformedInputException("listing of unknown kind " + kind);
        };
    }

    private static Item.Snapshot readSnapshot(String path, WireReader in, Names names) throws MalformedInputException {
        long term = in.readUnsigned();
        boolean isComplete = in.readBoolean();
        int count = in.readUnsigned(REGISTRATIONS_MAX);
        List<ContenderRecord> registrations = new ArrayList<>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            registrations.add(names.shared(readRegistration(in)));
        }
        return new Item.Snapshot(path, term, isComplete, registrations);
    }

    static String readPath(WireReader in) throws MalformedInputException {
        return in.readString(PATH_MAX);
    }

    private static ContenderRecord readRegistration(WireReader in) throws MalformedInputException {
        return new ContenderRecord(
                readContenderId(in),
                in.readString(ContenderRecord.PARTICIPANT_ID_MAX),
                in.readUnsigned(),
                in.readLong(),
                in.readUnsigned(),
                in.readUnsigned());
    }

    static ContenderId readContenderId(WireReader in) throws MalformedInputException {
        return new ContenderId(in.readNodeId(), in.readUnsigned(), in.readUnsigned());
    }

    static Successor readSuccessor(WireReader in) throws MalformedInputException {
        return new Successor(readContenderId(in), in.readUnsigned());
    }

    static Epoch readEpoch(WireReader in) throws MalformedInputException {
        return new Epoch(in.readUnsigned(), in.readUnsigned());
    }

    static Optional<Epoch> readOptionalEpoch(WireReader in) throws MalformedInputException {
        return in.readBoolean() ? Optional.of(readEpoch(in)) : Optional.empty();
    }
}
