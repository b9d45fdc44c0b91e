package io.quorate.core.message;

import io.quorate.core.settings.NodeSettings;
import io.quorate.core.settings.WireParts;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.Epoch;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.List;
import java.util.Optional;

/** The messages of layer 1: support, who is up, and configurations that differ. */
public sealed interface SupportMessage extends NodeMessage {

    /**
     * Asks a voter for support.
     *
     * @param number     of the newest list of voters that the sender knows (docs/reconfiguration.md, R1)
     * @param hash       {@link VoterList#hash} of it; 0 up to number 1, where {@code configHash} covers the voters
     * @param sequence   numbers the heartbeats of one life of the sender
     * @param renounced  an epoch in which the sender gives back every vote, until a newer epoch is acknowledged
     * @param connected  whether the sender reaches a majority of voters
     * @param urgent     whether the sender wants the acknowledgement at once, not with the receiver's next heartbeat
     * @param termMax    the highest term that the sender's voter knows on any path; 0 if the sender does not vote
     * @param configHash {@link NodeSettings#configHash}: its upper half must be equal, its lower half should be
     * @param durable    whether the sender, if it votes, keeps its terms on disk
     * @param upVersion  the newest list of live nodes that the sender has from this voter; -1: none is wanted
     */
    record Heartbeat(
            long number,
            long hash,
            long sequence,
            Optional<Epoch> renounced,
            boolean connected,
            boolean urgent,
            long termMax,
            long configHash,
            boolean durable,
            long upVersion)
            implements SupportMessage {

        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(number);
            if (number > 1) {
                out.writeLong(hash);
            }
            out.writeUnsigned(sequence);
            WireParts.writeOptional(renounced, Epoch::writeTo, out);
            out.writeBoolean(connected);
            out.writeBoolean(urgent);
            out.writeUnsigned(termMax);
            out.writeLong(configHash);
            out.writeBoolean(durable);
            out.writeUnsigned(upVersion + 1);
        }

        static Heartbeat read(WireReader in) throws MalformedInputException {
            long number = in.readUnsigned();
            return new Heartbeat(
                    number,
                    number > 1 ? in.readLong() : 0,
                    in.readUnsigned(),
                    WireParts.readOptional(Epoch::read, in),
                    in.readBoolean(),
                    in.readBoolean(),
                    in.readUnsigned(),
                    in.readLong(),
                    in.readBoolean(),
                    in.readUnsigned() - 1);
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.node().onHeartbeat(from, incarnation, this);
        }
    }

    /**
     * Grants support from the receipt of a heartbeat on.
     *
     * @param incarnation the life of the node that is supported
     * @param sequence    of the heartbeat; its <em>sending</em> is what the node counts its belief from
     * @param epoch       of the support
     * @param termMax     the highest term that the voter knows on any path
     * @param upVersion   numbers the lists of live nodes
     * @param up          the live nodes, empty if the heartbeat's list was current
     */
    record Ack(long incarnation, long sequence, Epoch epoch, long termMax, long upVersion, Optional<List<NodeId>> up)
            implements SupportMessage {

        public Ack {
            up = up.map(List::copyOf);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(incarnation);
            out.writeUnsigned(sequence);
            epoch.writeTo(out);
            out.writeUnsigned(termMax);
            out.writeUnsigned(upVersion);
            out.writeUnsigned(up.map(nodes -> nodes.size() + 1).orElse(0));
            up.ifPresent(nodes -> nodes.forEach(node -> WireParts.writeNodeId(node, out)));
        }

        static Ack read(WireReader in) throws MalformedInputException {
            long incarnation = in.readUnsigned();
            long sequence = in.readUnsigned();
            Epoch epoch = Epoch.read(in);
            long termMax = in.readUnsigned();
            long upVersion = in.readUnsigned();
            int count = in.readUnsigned(LIST_MAX);
            Optional<List<NodeId>> up = count == 0
                    ? Optional.empty()
                    : Optional.of(WireParts.readSome(count - 1, WireReader::readNodeId, in));
            return new Ack(incarnation, sequence, epoch, termMax, upVersion, up);
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.node().onAck(from, this);
        }
    }

    /**
     * No room for the node, or not for all that it registers.
     *
     * @param isOfSupport whether the node gets no support; else some contenders or paths of it are not listed
     * @param reason      for people
     */
    record Refused(boolean isOfSupport, String reason) implements SupportMessage {

        @Override
        public void writeTo(WireWriter out) {
            out.writeBoolean(isOfSupport);
            WireParts.writeCut(reason, REASON_MAX, out);
        }

        static Refused read(WireReader in) throws MalformedInputException {
            return new Refused(in.readBoolean(), in.readString(REASON_MAX));
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.contender().onRefused(from, this);
        }
    }

    /**
     * The sender's configuration, because the receiver's seems to differ. Both sides tell
     * their operators the values of both.
     *
     * @param support   in nanoseconds
     * @param durable   whether the sender, if it votes, keeps its terms on disk
     * @param algorithm the name of the algorithm, which may differ: it nominates only
     * @param rankOrder which may differ too
     */
    record Configuration(
            String clusterId,
            List<NodeId> voters,
            long support,
            int driftPercent,
            boolean durable,
            String algorithm,
            RankOrder rankOrder)
            implements SupportMessage {

        /** The longest name of a cluster or an algorithm on the wire, in UTF-8 bytes. */
        public static final int NAME_MAX = 256;

        public Configuration {
            voters = List.copyOf(voters);
        }

        @Override
        public void writeTo(WireWriter out) {
            WireParts.writeCut(clusterId, NAME_MAX, out);
            WireParts.writeList(voters, WireParts::writeNodeId, out);
            out.writeUnsigned(support);
            out.writeUnsigned(driftPercent);
            out.writeBoolean(durable);
            WireParts.writeCut(algorithm, NAME_MAX, out);
            out.writeByte(rankOrder.ordinal());
        }

        static Configuration read(WireReader in) throws MalformedInputException {
            return new Configuration(
                    in.readString(NAME_MAX),
                    WireParts.readList(NodeSettings.VOTERS_MAX, WireReader::readNodeId, in),
                    in.readUnsigned(),
                    in.readUnsigned(99),
                    in.readBoolean(),
                    in.readString(NAME_MAX),
                    readRankOrder(in));
        }

        private static RankOrder readRankOrder(WireReader in) throws MalformedInputException {
            int order = in.readByte();
            int count = RankOrder.values().length;
            if (order >= count) {
                throw new MalformedInputException("rank order " + order + ": must be below " + count);
            }
            return RankOrder.values()[order];
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.node().onConfiguration(from, this);
        }
    }

    /** The sender has ended its tenures and stops. */
    record Goodbye() implements SupportMessage {

        @Override
        public void writeTo(WireWriter out) {
            // Nothing: the kind says all.
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            if (to.voter().isPresent()) {
                to.voter().get().onGoodbye(from, incarnation, this);
            }
        }
    }
}
