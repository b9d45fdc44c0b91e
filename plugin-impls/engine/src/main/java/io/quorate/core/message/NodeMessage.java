package io.quorate.core.message;

import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.DirectoryMessage.ListingsAck;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.DirectoryMessage.RegistrationsAck;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.SupportMessage.Configuration;
import io.quorate.core.message.SupportMessage.Goodbye;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.SupportMessage.Refused;
import io.quorate.core.message.VoteMessage.Challenge;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.message.VoteMessage.Nack;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.Acceptance;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.NotPromised;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.message.VotersMessage.Promise;
import io.quorate.core.message.VotersMessage.Ready;
import io.quorate.core.message.VotersMessage.ReadyQuery;
import io.quorate.core.message.VotersMessage.VotersWanted;
import io.quorate.core.settings.WireParts;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Every message between two nodes; {@link Kind} is the table of all. Sender and receiver stand in the envelope, each
 * with its incarnation.
 *
 * <p>A message is believed only if its {@link #sender()} may send it and its numbers {@linkplain #isInRange() are in
 * range}; {@code Authority} checks both, in one place, for every transport.
 *
 * <p>Voters are trusted: docs/protocol.md#authority says what a node that lies can do. The transport decides who may be
 * a node at all.
 */
public sealed interface NodeMessage permits SupportMessage, DirectoryMessage, VoteMessage, VotersMessage {

    /** The highest number on the wire: far above any in use, and so low that sums with it do not overflow. */
    long NUMBER_MAX = WireReader.NUMBER_MAX;

    /** The longest path, in UTF-8 bytes. */
    int PATH_MAX = 2048;

    /** The longest reason on the wire, in UTF-8 bytes. */
    int REASON_MAX = 256;

    /** The most elements of one list. */
    int LIST_MAX = 16 * 1024;

    /** The nodes that may send a message. */
    enum Sender {
        /** Any node of the cluster. */
        NODE,
        /**
         * A node with a word in who votes. Nodes that merely contend, and voters that were removed long ago, have none.
         */
        MEMBER,
        /** A voter only. */
        VOTER
    }

    /**
     * The table of all messages. Each says from whom it goes to whom, how often it is repeated, what its loss costs,
     * and when it is believed.
     */
    enum Kind {
        /**
         * From a node to a voter, in every heartbeat period. A loss costs one period of lease. Believed if the number
         * of the list of voters is the receiver's own, the configurations agree and no other life of the sender is
         * supported; its term only from a voter.
         */
        HEARTBEAT(1, Heartbeat.class, Sender.NODE, Heartbeat::read),
        /**
         * From a voter to a node, per heartbeat; between voters that only wait, with the next heartbeat. A loss costs
         * one period of lease. Believed if it answers a heartbeat of this life that was sent recently.
         */
        ACK(2, Ack.class, Sender.VOTER, Ack::read),
        /**
         * From a voter to a node, per heartbeat or batch. A loss costs a later log line. Always believed: it only
         * explains.
         */
        REFUSED(3, Refused.class, Sender.VOTER, Refused::read),
        /**
         * From a node to voters, once. A loss: its votes and its id are free later. Believed if the sender's life is
         * the one that is known.
         */
        GOODBYE(7, Goodbye.class, Sender.NODE, in -> new Goodbye()),
        /**
         * From a node to a voter, until acknowledged. A loss costs a repetition. Believed if the sender is supported in
         * that epoch; for its own contenders.
         */
        REGISTRATIONS(8, Registrations.class, Sender.NODE, Registrations::read),
        /** From a voter to a node, per batch. A loss costs a repetition. Believed if it names the newest batch. */
        REGISTRATIONS_ACK(9, RegistrationsAck.class, Sender.VOTER, RegistrationsAck::read),
        /**
         * From a voter to a node, until acknowledged. A loss costs a repetition. Believed in the epoch in which the
         * voter is believed.
         */
        LISTINGS(10, Listings.class, Sender.VOTER, Listings::read),
        /** From a node to a voter, per batch. A loss costs a repetition. Believed if it names the newest batch. */
        LISTINGS_ACK(11, ListingsAck.class, Sender.NODE, ListingsAck::read),
        /**
         * From a contender to a voter, until voted or given up. A loss costs a repetition. Believed if the sender is
         * supported; the term is not far above all in use.
         */
        CLAIM(12, Claim.class, Sender.NODE, Claim::read),
        /**
         * From a voter to a contender, per claim. A loss costs a repetition. Believed if it answers the present claim,
         * and also if it extends a valid tenure, or comes in a higher term for a named successor. It counts only in an
         * epoch that is believed in.
         */
        VOTE(13, Vote.class, Sender.VOTER, Vote::read),
        /**
         * From a voter to a contender, per claim. A loss costs a repetition. Believed if it answers the present claim.
         */
        NACK(14, Nack.class, Sender.VOTER, Nack::read),
        /**
         * From a contender to a voter, when a claim or tenure ends, and again per challenge. A loss costs a challenge.
         * Believed if the vote is the sender's.
         */
        RELEASE(15, Release.class, Sender.NODE, Release::read),
        /**
         * From a voter to the holder of its vote, per claim. A loss costs a repetition. Believed if no claim or tenure
         * needs the vote.
         */
        CHALLENGE(16, Challenge.class, Sender.VOTER, Challenge::read),
        /**
         * From a leader to its successor, once. A loss: votes say the same; else an election. Believed as a hint: it
         * frees no vote; its terms are not far above all in use.
         */
        HANDOVER(17, Handover.class, Sender.NODE, Handover::read),
        /**
         * From a contender to a contender or a witness; repetition, loss and belief are as the algorithm has it. The
         * sender is the member of the election that it says.
         */
        ELECT(18, Elect.class, Sender.NODE, Elect::read),
        /**
         * From a node to a node that differs, while they differ. A loss costs a later log line. Always believed: it
         * only explains.
         */
        CONFIGURATION(19, Configuration.class, Sender.NODE, Configuration::read),
        /**
         * From a member to a node, per heartbeat under an older number, or question. A loss costs a repetition.
         * Believed if its number follows that of the receiver. A node that does not vote needs more for its first later
         * list: {@code Authority.follow}.
         */
        DECIDED_VOTERS(21, DecidedVoters.class, Sender.MEMBER, DecidedVoters::read),
        /**
         * From a node to a member, while it is not connected. A loss costs a repetition. Always believed: it is
         * answered at most.
         */
        VOTERS_WANTED(22, VotersWanted.class, Sender.NODE, VotersWanted::read),
        /** From a coordinator to the nodes of a change, until answered. A loss costs a repetition. */
        READY_QUERY(23, ReadyQuery.class, Sender.MEMBER, ReadyQuery::read),
        /** Answers {@link #READY_QUERY}. A loss costs a repetition. Believed if it names the present change. */
        READY(24, Ready.class, Sender.NODE, Ready::read),
        /**
         * From a coordinator to voters, until answered. A loss costs a repetition. Believed as docs/reconfiguration.md,
         * R4, has it.
         */
        PREPARE(25, Prepare.class, Sender.MEMBER, Prepare::read),
        /** Answers {@link #PREPARE}. A loss costs a repetition. Believed if it names the present attempt. */
        PROMISE(26, Promise.class, Sender.VOTER, Promise::read),
        /**
         * Answers {@link #PREPARE} and {@link #ACCEPT}. A loss costs a repetition. Believed if it names the present
         * attempt.
         */
        NOT_PROMISED(27, NotPromised.class, Sender.VOTER, NotPromised::read),
        /**
         * From a coordinator to voters, until answered. A loss costs a repetition. Believed as docs/reconfiguration.md,
         * R5, has it.
         */
        ACCEPT(28, Accept.class, Sender.MEMBER, Accept::read),
        /** Answers {@link #ACCEPT}. A loss costs a repetition. Believed if it names the present attempt. */
        ACCEPTANCE(29, Acceptance.class, Sender.VOTER, Acceptance::read);

        /** Reads a message in which names stand that many others have too. */
        private interface Reader {
            NodeMessage read(WireReader in, Names names) throws MalformedInputException;
        }

        /**
         * Older builds send these two: a starting voter asks for other lives of its id, and a voter names one. They are
         * read and ignored, and no other message has their codes, because what stands behind them must not be lost.
         */
        private static final int FORMER_INQUIRY = 4;

        private static final int FORMER_HEARD = 5;

        private static final Map<Integer, Kind> BY_CODE = new HashMap<>();
        private static final Map<Class<?>, Kind> BY_TYPE = new HashMap<>();

        static {
            for (Kind kind : values()) {
                BY_CODE.put(kind.code, kind);
                BY_TYPE.put(kind.type, kind);
            }
        }

        private final int code;
        private final Class<? extends NodeMessage> type;
        private final Sender sender;
        private final Reader reader;

        Kind(int code, Class<? extends NodeMessage> type, Sender sender, Reader reader) {
            this.code = code;
            this.type = type;
            this.sender = sender;
            this.reader = reader;
        }

        Kind(int code, Class<? extends NodeMessage> type, Sender sender, WireParts.Reader<NodeMessage> reader) {
            this(code, type, sender, (in, names) -> reader.read(in));
        }

        /** The kind that stands before a message as its first byte. */
        public static Kind of(int code) throws MalformedInputException {
            Kind kind = BY_CODE.get(code);
            if (kind == null) {
                throw new MalformedInputException("message of unknown kind " + code);
            }
            return kind;
        }

        /** Returns whether the code is of a message that only older builds send. Its fields are read then. */
        public static boolean skipFormer(int code, WireReader in) throws MalformedInputException {
            if (code == FORMER_HEARD) {
                in.readUnsigned();
            }
            return code == FORMER_INQUIRY || code == FORMER_HEARD;
        }

        /** Whether a byte stands before what {@link NodeMessage#overtakes}. */
        public static boolean isOvertaking(int code) {
            return code == HEARTBEAT.code || code == ACK.code;
        }

        /**
         * Reads what {@link NodeMessage#write} wrote behind the code.
         *
         * @throws MalformedInputException  if it is not of this form
         * @throws IllegalArgumentException if it is, and has a value that there is not
         */
        public NodeMessage read(WireReader in, Names names) throws MalformedInputException {
            return reader.read(in, names);
        }
    }

    /** Messages to a node as a whole. */
    interface ToNode {

        void onHeartbeat(NodeId from, long incarnation, Heartbeat heartbeat);

        void onAck(NodeId from, Ack ack);

        void onConfiguration(NodeId from, Configuration configuration);

        void onDecidedVoters(NodeId from, DecidedVoters decidedVoters);

        void onVotersWanted(NodeId from, VotersWanted votersWanted);
    }

    /** Messages to a voter. */
    interface ToVoter {

        void onGoodbye(NodeId from, long incarnation, Goodbye goodbye);

        void onRegistrations(NodeId from, long incarnation, Registrations registrations);

        void onListingsAck(NodeId from, ListingsAck listingsAck);

        void onClaim(NodeId from, long incarnation, Claim claim);

        void onRelease(NodeId from, long incarnation, Release release);

        void onElect(NodeId from, Elect elect);
    }

    /** Messages to a node that contends or watches. */
    interface ToContender {

        void onRefused(NodeId from, Refused refused);

        void onRegistrationsAck(NodeId from, RegistrationsAck registrationsAck);

        void onListings(NodeId from, Listings listings);

        void onVote(NodeId from, Vote vote);

        void onNack(NodeId from, Nack nack);

        void onChallenge(NodeId from, Challenge challenge);

        void onHandover(NodeId from, Handover handover);

        void onElect(NodeId from, Elect elect);
    }

    /** Requests to a present or future voter in a change of voters. */
    interface ToAcceptor {

        void onReadyQuery(NodeId from, ReadyQuery readyQuery);

        void onPrepare(NodeId from, Prepare prepare);

        void onAccept(NodeId from, Accept accept);
    }

    /** Answers to the coordinator of a change of voters. */
    interface ToCoordinator {

        void onReady(NodeId from, Ready ready);

        void onPromise(NodeId from, Promise promise);

        void onNotPromised(NodeId from, NotPromised notPromised);

        void onAcceptance(NodeId from, Acceptance acceptance);
    }

    /** The parts of a node that messages go to. */
    interface Receivers {

        /** The node as a whole. */
        ToNode node();

        /** Empty of a node that does not vote. */
        Optional<? extends ToVoter> voter();

        /** All contenders of the node. */
        ToContender contender();

        /** The part of the node that promises and accepts. */
        ToAcceptor acceptor();

        /** Empty of a node that does not change the voters. */
        Optional<? extends ToCoordinator> coordinator();
    }

    /** Goes to the part that it is for, as a message of this life of that node. */
    void dispatch(Receivers to, NodeId from, long incarnation);

    /** The row of this message in the table of all. */
    private Kind kind() {
        return Objects.requireNonNull(Kind.BY_TYPE.get(getClass()), "stands in no row of the table");
    }

    /** The nodes that may send this. */
    default Sender sender() {
        return kind().sender;
    }

    /**
     * Whether it is handled before other messages that wait, those of its own sender too: leases depend on how soon it
     * is heard. All messages may overtake each other; these do, wherever much waits.
     */
    default boolean overtakes() {
        return Kind.isOvertaking(kind().code);
    }

    /** Whether each number is one that an honest node may send, as far as reading does not refuse it before. */
    default boolean isInRange() {
        return true;
    }

    /** Writes the code of the kind, and then the fields. */
    default void write(WireWriter out) {
        out.writeByte(kind().code);
        writeTo(out);
    }

    /** Writes the fields. */
    void writeTo(WireWriter out);
}
