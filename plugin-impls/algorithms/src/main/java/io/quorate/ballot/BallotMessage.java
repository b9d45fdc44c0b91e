package io.quorate.ballot;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.Message;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;

/** The two messages of the document. A ballot is a {@link Mark}; what only H uses is constant in F. */
sealed interface BallotMessage extends Message {

    /** Larger process numbers are refused on input. */
    int PROCESS_MAX = 1 << 16;

    /**
     * HEARTBEATREQUEST: asks for the receiver's ballot, and gossips.
     *
     * @param round       the sender's round
     * @param bmax        the greatest ballot the sender knows of
     * @param incarnation the sender's life (H6), 0 in F
     */
    record Request(long round, Mark bmax, long incarnation) implements BallotMessage {
        private static final int KIND = 1;

        /** In F. */
        Request(long round, Mark bmax) {
            this(round, bmax, 0);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            out.writeUnsigned(round);
            writeBallot(out, bmax);
            out.writeUnsigned(incarnation);
        }
    }

    /**
     * HEARTBEATREPLY: the answer to a request.
     *
     * @param round        the round of the request
     * @param ballot       the sender's own ballot
     * @param incarnation  the incarnation of the request (H6), 0 in F
     * @param leaderBallot the ballot of the leader that the sender still follows (H7), {@link Mark#NONE} without one
     * @param heardQuorum  qc: whether the sender passed its last quorum test (H8), true in F
     */
    record Reply(long round, Mark ballot, long incarnation, Mark leaderBallot, boolean heardQuorum)
            implements BallotMessage {
        private static final int KIND = 2;

        /** In F. */
        Reply(long round, Mark ballot) {
            this(round, ballot, 0, Mark.NONE, true);
        }

        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND);
            out.writeUnsigned(round);
            writeBallot(out, ballot);
            out.writeUnsigned(incarnation);
            writeBallot(out, leaderBallot);
            out.writeBoolean(heardQuorum);
        }
    }

    /** Reads one message, which must fill the input. */
    static BallotMessage read(WireReader in) throws MalformedInputException {
        int kind = in.readByte();
        BallotMessage message =
                switch (kind) {
                    case Request.KIND -> new Request(in.readUnsigned(), readBallot(in), in.readUnsigned());
                    case Reply.KIND ->
                        new Reply(
                                in.readUnsigned(),
                                readBallot(in),
                                in.readUnsigned(),
                                readLeaderBallot(in),
                                in.readBoolean());
                    default ->
                        throw new MalformedInputException("kind " + kind + ": is no message of the ballot election");
                };
        in.expectEnd();
        return message;
    }

    /** A ballot or {@link Mark#NONE}, whose process is -1. */
    static void writeBallot(WireWriter out, Mark ballot) {
        out.writeUnsigned(ballot.process() + 1);
        out.writeUnsigned(ballot.term());
        out.writeUnsigned(ballot.incarnation());
    }

    private static Mark readBallot(WireReader in) throws MalformedInputException {
        Mark ballot = readLeaderBallot(in);
        if (ballot.equals(Mark.NONE)) {
            throw new MalformedInputException("ballot without a process");
        }
        return ballot;
    }

    /** Reads what {@link #writeBallot} wrote. */
    static Mark readLeaderBallot(WireReader in) throws MalformedInputException {
        int process = in.readUnsigned(PROCESS_MAX) - 1;
        Mark ballot = new Mark(in.readUnsigned(), process, in.readUnsigned());
        if (process < 0 && !ballot.equals(Mark.NONE)) {
            throw new MalformedInputException("ballot " + ballot + ": has a number and no process");
        }
        return ballot;
    }
}
