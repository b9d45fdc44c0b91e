package io.quorate.core.message;

import io.quorate.core.settings.WireParts;
import io.quorate.core.voters.PaxosState.Accepted;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.Optional;

/** The messages on who votes (docs/reconfiguration.md). */
public sealed interface VotersMessage extends NodeMessage {

    /**
     * A decided list of voters.
     *
     * @param config the newest that the sender knows
     */
    record DecidedVoters(VoterList config) implements VotersMessage {

        @Override
        public boolean isInRange() {
            return config.isInRange();
        }

        @Override
        public void writeTo(WireWriter out) {
            config.writeTo(out);
        }

        static DecidedVoters read(WireReader in) throws MalformedInputException {
            return new DecidedVoters(VoterList.read(in));
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.node().onDecidedVoters(from, this);
        }
    }

    /**
     * Asks who votes.
     *
     * @param number of the newest list that the sender knows: a receiver that knows a newer one tells it
     */
    record VotersWanted(long number) implements VotersMessage {

        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(number);
        }

        static VotersWanted read(WireReader in) throws MalformedInputException {
            return new VotersWanted(in.readUnsigned());
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.node().onVotersWanted(from, this);
        }
    }

    /**
     * A change of voters begins, or waits: asks how the receiver stands.
     *
     * @param query comes back in the answer
     */
    record ReadyQuery(long query) implements VotersMessage {

        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(query);
        }

        static ReadyQuery read(WireReader in) throws MalformedInputException {
            return new ReadyQuery(in.readUnsigned());
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.acceptor().onReadyQuery(from, this);
        }
    }

    /**
     * How a node stands that votes, or is to.
     *
     * @param query       of the question
     * @param store       the identity of its data directory; 0 if it has none, and so cannot vote from list 2 on
     * @param number      the newest configuration that it knows
     * @param clusterHash of cluster id, support time and drift, which must be equal on all voters
     * @param failure     why it cannot take part, for people: with no store, why it cannot store the identity of its
     *                    data directory; empty if it can
     */
    record Ready(long query, long store, long number, long clusterHash, String failure) implements VotersMessage {

        @Override
        public boolean isInRange() {
            return 0 <= store && store <= NUMBER_MAX;
        }

        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(query);
            out.writeLong(store);
            out.writeUnsigned(number);
            out.writeLong(clusterHash);
            WireParts.writeCut(failure, REASON_MAX, out);
        }

        static Ready read(WireReader in) throws MalformedInputException {
            return new Ready(
                    in.readUnsigned(), in.readLong(), in.readUnsigned(), in.readLong(), in.readString(REASON_MAX));
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.coordinator().ifPresent(change -> change.onReady(from, this));
        }
    }

    /**
     * Asks a voter to promise: it accepts nothing below this round any more (docs/reconfiguration.md, R4).
     *
     * @param round of the attempt
     * @param base  the configuration that the sender wants to be followed; its voters decide
     */
    record Prepare(Round round, VoterList base) implements VotersMessage {

        @Override
        public boolean isInRange() {
            return base.isInRange();
        }

        @Override
        public void writeTo(WireWriter out) {
            round.writeTo(out);
            base.writeTo(out);
        }

        static Prepare read(WireReader in) throws MalformedInputException {
            return new Prepare(Round.read(in), VoterList.read(in));
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.acceptor().onPrepare(from, this);
        }
    }

    /**
     * The promise that was asked for; durable before it leaves.
     *
     * @param slot     the number that is decided
     * @param round    of the attempt
     * @param termMax  the highest term that the voter knows on any path (R6)
     * @param accepted what the voter has accepted for this number before
     */
    record Promise(long slot, Round round, long termMax, Optional<Accepted> accepted) implements VotersMessage {

        @Override
        public boolean isInRange() {
            return VoterList.isFloor(termMax)
                    && accepted.stream().allMatch(last -> last.value().isInRange());
        }

        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(slot);
            round.writeTo(out);
            out.writeUnsigned(termMax);
            WireParts.writeOptional(accepted, Accepted::writeTo, out);
        }

        static Promise read(WireReader in) throws MalformedInputException {
            return new Promise(
                    in.readUnsigned(), Round.read(in), in.readUnsigned(), WireParts.readOptional(Accepted::read, in));
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.coordinator().ifPresent(change -> change.onPromise(from, this));
        }
    }

    /**
     * No promise, or no acceptance.
     *
     * @param slot      the number that is decided
     * @param round     of the attempt
     * @param promised  the higher round that was promised to another; empty if that is not the reason
     * @param waitNanos after so long the voter may promise: support that it gave under an older number lives until then
     *                  (R4); 0 if that is not the reason
     * @param failure   why the voter cannot store it, for people; empty if that is not the reason
     */
    record NotPromised(long slot, Round round, Optional<Round> promised, long waitNanos, String failure)
            implements VotersMessage {

        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(slot);
            round.writeTo(out);
            WireParts.writeOptional(promised, Round::writeTo, out);
            out.writeUnsigned(waitNanos);
            WireParts.writeCut(failure, REASON_MAX, out);
        }

        static NotPromised read(WireReader in) throws MalformedInputException {
            return new NotPromised(
                    in.readUnsigned(),
                    Round.read(in),
                    WireParts.readOptional(Round::read, in),
                    in.readUnsigned(),
                    in.readString(REASON_MAX));
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.coordinator().ifPresent(change -> change.onNotPromised(from, this));
        }
    }

    /**
     * Asks a voter to accept who votes next (docs/reconfiguration.md, R5).
     *
     * @param round of the attempt
     * @param base  the configuration that is followed; its voters decide
     * @param value the one that follows
     */
    record Accept(Round round, VoterList base, VoterList value) implements VotersMessage {

        @Override
        public boolean isInRange() {
            return base.isInRange() && value.isInRange();
        }

        @Override
        public void writeTo(WireWriter out) {
            round.writeTo(out);
            base.writeTo(out);
            value.writeTo(out);
        }

        static Accept read(WireReader in) throws MalformedInputException {
            return new Accept(Round.read(in), VoterList.read(in), VoterList.read(in));
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.acceptor().onAccept(from, this);
        }
    }

    /**
     * The requested list is accepted, durably before this leaves.
     *
     * @param slot  the number that is decided
     * @param round of the attempt
     */
    record Acceptance(long slot, Round round) implements VotersMessage {

        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(slot);
            round.writeTo(out);
        }

        static Acceptance read(WireReader in) throws MalformedInputException {
            return new Acceptance(in.readUnsigned(), Round.read(in));
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.coordinator().ifPresent(change -> change.onAcceptance(from, this));
        }
    }
}
