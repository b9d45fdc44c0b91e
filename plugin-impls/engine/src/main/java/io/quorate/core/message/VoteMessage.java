package io.quorate.core.message;

import io.quorate.core.settings.WireParts;
import io.quorate.engine.Epoch;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Message;
import io.quorate.spi.NodeId;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.Optional;

/** The messages of layer 2, the votes on a path, and the messages of elections. */
public sealed interface VoteMessage extends NodeMessage {

    private static void begin(String path, long number, WireWriter out) {
        out.writeString(path);
        out.writeUnsigned(number);
    }

    /**
     * Asks for a vote. A vote ends when its holder releases it or the holder's epoch is over, and never by the claim of
     * another, so a claim says nothing of the tenure before it.
     */
    record Claim(String path, long number, long term) implements VoteMessage {

        @Override
        public void writeTo(WireWriter out) {
            begin(path, number, out);
            out.writeUnsigned(term);
        }

        static Claim read(WireReader in) throws MalformedInputException {
            return new Claim(in.readString(PATH_MAX), in.readUnsigned(), in.readUnsigned());
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            if (to.voter().isPresent()) {
                to.voter().get().onClaim(from, incarnation, this);
            }
        }
    }

    /** The voter's vote in this term, tied to this epoch of its support. */
    record Vote(String path, long number, long term, Epoch epoch) implements VoteMessage {

        @Override
        public void writeTo(WireWriter out) {
            begin(path, number, out);
            out.writeUnsigned(term);
            epoch.writeTo(out);
        }

        static Vote read(WireReader in) throws MalformedInputException {
            return new Vote(in.readString(PATH_MAX), in.readUnsigned(), in.readUnsigned(), Epoch.read(in));
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.contender().onVote(from, this);
        }
    }

    /**
     * No vote.
     *
     * @param claimed        the term that was claimed
     * @param term           the voter's term: a claim must be above it
     * @param remainingNanos how long at least the voter's vote for another is alive; 0 if there is none
     */
    record Nack(String path, long number, long claimed, long term, long remainingNanos) implements VoteMessage {

        @Override
        public void writeTo(WireWriter out) {
            begin(path, number, out);
            out.writeUnsigned(claimed);
            out.writeUnsigned(term);
            out.writeUnsigned(remainingNanos);
        }

        static Nack read(WireReader in) throws MalformedInputException {
            return new Nack(
                    in.readString(PATH_MAX),
                    in.readUnsigned(),
                    in.readUnsigned(),
                    in.readUnsigned(),
                    in.readUnsigned());
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.contender().onNack(from, this);
        }
    }

    /** Whom a leader that ends its tenure on purpose names, and the term that it chose for the successor's claim. */
    record Successor(ContenderId claimer, long term) {

        void writeTo(WireWriter out) {
            claimer.writeTo(out);
            out.writeUnsigned(term);
        }

        static Successor read(WireReader in) throws MalformedInputException {
            return new Successor(ContenderId.read(in), in.readUnsigned());
        }
    }

    /**
     * The sender's contender gives back what it holds in terms up to this one.
     *
     * @param successor who gets the vote at once, as if its claim had come
     */
    record Release(String path, long number, long term, Optional<Successor> successor) implements VoteMessage {

        @Override
        public void writeTo(WireWriter out) {
            begin(path, number, out);
            out.writeUnsigned(term);
            out.writeBoolean(successor.isPresent());
            if (successor.isPresent()) {
                successor.get().writeTo(out);
            }
        }

        static Release read(WireReader in) throws MalformedInputException {
            return new Release(
                    in.readString(PATH_MAX),
                    in.readUnsigned(),
                    in.readUnsigned(),
                    in.readBoolean() ? Optional.of(Successor.read(in)) : Optional.empty());
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            if (to.voter().isPresent()) {
                to.voter().get().onRelease(from, incarnation, this);
            }
        }
    }

    /** Another contender claims: does the receiver's contender still need the vote that it holds in this term? */
    record Challenge(String path, ContenderId holder, long term) implements VoteMessage {

        @Override
        public void writeTo(WireWriter out) {
            begin(path, holder.number(), out);
            WireParts.writeNodeId(holder.node(), out);
            out.writeUnsigned(holder.incarnation());
            out.writeUnsigned(term);
        }

        static Challenge read(WireReader in) throws MalformedInputException {
            String path = in.readString(PATH_MAX);
            long number = in.readUnsigned();
            return new Challenge(path, new ContenderId(in.readNodeId(), in.readUnsigned(), number), in.readUnsigned());
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.contender().onChallenge(from, this);
        }
    }

    /**
     * The sender's tenure has ended; the receiver's contender may claim in its place. A hint, and no proof: without
     * the votes that the voters were asked for, it makes no leader.
     *
     * @param term  the highest term of the tenure
     * @param claim the term in which the voters were asked to vote for the successor, by {@link Release}
     */
    record Handover(String path, long number, long term, long claim) implements VoteMessage {

        @Override
        public void writeTo(WireWriter out) {
            begin(path, number, out);
            out.writeUnsigned(term);
            out.writeUnsigned(claim);
        }

        static Handover read(WireReader in) throws MalformedInputException {
            return new Handover(in.readString(PATH_MAX), in.readUnsigned(), in.readUnsigned(), in.readUnsigned());
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.contender().onHandover(from, this);
        }
    }

    /**
     * A message of the election algorithm. An election depends on nothing but its electors and their order of rank, so
     * all paths with the same electors share one, and it has no path.
     *
     * <p>The code of the algorithm writes and reads the message inside, behind the rest.
     *
     * @param election digest of the electors in the order of their rank, each in its present life
     * @param birth    which attempt of the sender at this election
     * @param from     the sender's number in the election's membership
     * @param to       the receiver's
     * @param isToWitness whether the receiver takes part as a witness only
     */
    record Elect(long election, long birth, int from, int to, boolean isToWitness, Message message)
            implements VoteMessage {

        private static final Message UNREAD = out -> {};

        @Override
        public void writeTo(WireWriter out) {
            out.writeLong(election);
            out.writeUnsigned(birth);
            out.writeUnsigned(from);
            out.writeUnsigned(to);
            out.writeBoolean(isToWitness);
        }

        static Elect read(WireReader in) throws MalformedInputException {
            return new Elect(
                    in.readLong(),
                    in.readUnsigned(),
                    in.readUnsigned(LIST_MAX),
                    in.readUnsigned(LIST_MAX),
                    in.readBoolean(),
                    UNREAD);
        }

        /** The same with what was read of the message inside. */
        public Elect with(Message inside) {
            return new Elect(election, birth, from, to, isToWitness, inside);
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            if (isToWitness) {
                to.voter().ifPresent(voter -> voter.onElect(from, this));
            } else {
                to.contender().onElect(from, this);
            }
        }
    }
}
