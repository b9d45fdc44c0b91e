package io.quorate.core.message;

import io.quorate.spi.WireReader;

/**
 * Every message between two nodes. Sender and receiver stand in the envelope, each with its incarnation.
 *
 * <p>A message is believed only if its {@link #sender()} may send it and its numbers {@linkplain #isInRange() are in
 * range}; {@code Authority} checks both, in one place, whatever the transport.
 *
 * <table>
 * <caption>All messages</caption>
 * <tr><th>message</th><th>from, to</th><th>repeated</th><th>what its loss costs</th><th>believed if</th></tr>
 * <tr><td>{@link Heartbeat}</td><td>node, voter</td><td>every heartbeat period</td><td>one period of lease</td>
 * <td>the number of the list of voters is the receiver's own, the configurations agree and no other life of the sender is supported; its term only from a voter</td></tr>
 * <tr><td>{@link Ack}</td><td>voter, node</td><td>per heartbeat; between voters that only wait, with the next
 * heartbeat</td><td>one period of lease</td><td>it answers a heartbeat of this life that was sent of late</td></tr>
 * <tr><td>{@link Refused}</td><td>voter, node</td><td>per heartbeat or batch</td><td>a later log line</td><td>always:
 * it only explains</td></tr>
 * <tr><td>{@link Configuration}</td><td>node, node that differs</td><td>while they differ</td><td>a later log
 * line</td><td>always: it only explains</td></tr>
 * <tr><td>{@link Inquiry}, {@link Heard}</td><td>starting voter, other voters, and back</td><td>every period of the
 * quarantine</td><td>a duplicate node is noticed later</td><td>{@code Heard}: this node is in its quarantine</td></tr>
 * <tr><td>{@link Goodbye}</td><td>node, voters</td><td>no</td><td>its votes and id are free later</td><td>the sender's
 * life is the one that is known</td></tr>
 * <tr><td>{@link Registrations}</td><td>node, voter</td><td>until acknowledged</td><td>a repetition</td><td>the sender
 * is supported in that epoch; for its own contenders</td></tr>
 * <tr><td>{@link Listings}</td><td>voter, node</td><td>until acknowledged</td><td>a repetition</td><td>in the epoch in
 * which the voter is believed</td></tr>
 * <tr><td>{@link RegistrationsAck}, {@link ListingsAck}</td><td>voter, node, and back</td><td>per batch</td><td>a
 * repetition</td><td>it names the newest batch</td></tr>
 * <tr><td>{@link Claim}</td><td>contender, voter</td><td>until voted or given up</td><td>a repetition</td><td>the
 * sender is supported; the term is not far above all in use</td></tr>
 * <tr><td>{@link Vote}, {@link Nack}</td><td>voter, contender</td><td>per claim</td><td>a repetition</td><td>they
 * answer the present claim; a vote also if it extends a valid tenure, or comes in a higher term for a named successor.
 * A vote counts only in an epoch that is believed in</td></tr>
 * <tr><td>{@link Release}</td><td>contender, voter</td><td>per challenge</td><td>a challenge</td><td>the vote is the
 * sender's</td></tr>
 * <tr><td>{@link Challenge}</td><td>voter, holder of its vote</td><td>per claim</td><td>a repetition</td><td>no claim
 * or tenure needs the vote</td></tr>
 * <tr><td>{@link Handover}</td><td>leader, successor</td><td>no</td><td>votes say the same; else an election</td><td>as
 * a hint: it frees no vote; its terms are not far above all in use</td></tr>
 * <tr><td>{@link Elect}</td><td>contender, contender or witness</td><td>by the algorithm</td><td>as the algorithm
 * has it</td><td>the sender is the member of the election that it says</td></tr>
 * <tr><td>{@link DecidedVoters}</td><td>member, node</td><td>per heartbeat under an older number, or question</td><td>a
 * repetition</td><td>its number is above that of the receiver</td></tr>
 * <tr><td>{@link VotersWanted}</td><td>node, member</td><td>while it is not connected</td><td>a repetition</td>
 * <td>always: it is answered at most</td></tr>
 * <tr><td>{@link ReadyQuery}, {@link Ready}</td><td>coordinator, nodes of a change, and back</td><td>until answered</td>
 * <td>a repetition</td><td>it names the present change</td></tr>
 * <tr><td>{@link Prepare}, {@link Accept}</td><td>coordinator, voters</td><td>until answered</td><td>a repetition</td>
 * <td>as docs/reconfiguration.md, R4 and R5, has it</td></tr>
 * <tr><td>{@link Promise}, {@link NotPromised}, {@link Acceptance}</td><td>voter, coordinator</td><td>per question</td>
 * <td>a repetition</td><td>they name the present attempt</td></tr>
 * </table>
 *
 * <p><b>What a lying voter can do.</b> A voter is trusted, as in any quorum system whose members are not Byzantine: one
 * that gives its support or vote to two, or another process that sends under the id of a voter, can bring about two
 * leaders together with one half of the others; it can also keep a path without a leader by high terms in its refusals,
 * stop a starting node by {@link Heard}, and hide contenders or invent some. A contender that lies harms the paths on
 * which it contends: it can claim, and hold what it gets. Who may be a node at all is a matter of the transport.
 */
public sealed interface NodeMessage
        permits Heartbeat,
                Ack,
                Refused,
                Configuration,
                Inquiry,
                Heard,
                Goodbye,
                Registrations,
                RegistrationsAck,
                Listings,
                ListingsAck,
                Claim,
                Vote,
                Nack,
                Release,
                Challenge,
                Handover,
                Elect,
                DecidedVoters,
                VotersWanted,
                ReadyQuery,
                Ready,
                Prepare,
                Promise,
                NotPromised,
                Accept,
                Acceptance {

    /** Handles each kind of message. */
    interface Handler {

        void on(Heartbeat heartbeat);

        void on(Ack ack);

        void on(Refused refused);

        void on(Configuration configuration);

        void on(Inquiry inquiry);

        void on(Heard heard);

        void on(Goodbye goodbye);

        void on(Registrations registrations);

        void on(RegistrationsAck registrationsAck);

        void on(Listings listings);

        void on(ListingsAck listingsAck);

        void on(Claim claim);

        void on(Vote vote);

        void on(Nack nack);

        void on(Release release);

        void on(Challenge challenge);

        void on(Handover handover);

        void on(Elect elect);

        void on(DecidedVoters decidedVoters);

        void on(VotersWanted votersWanted);

        void on(ReadyQuery readyQuery);

        void on(Ready ready);

        void on(Prepare prepare);

        void on(Promise promise);

        void on(NotPromised notPromised);

        void on(Accept accept);

        void on(Acceptance acceptance);
    }

    /** Calls the method of the handler that is for this kind. */
    void dispatch(Handler handler);

    /** The highest number on the wire: far above any in use, and low enough that what is added to it does not wrap. */
    long NUMBER_MAX = WireReader.NUMBER_MAX;

    /** Who may send a message. */
    enum Sender {
        /** Any node of the cluster. */
        NODE,
        /** Whoever has a word in who votes; so nobody who merely contends, and nobody who was removed long ago. */
        MEMBER,
        /** A voter only. */
        VOTER
    }

    /** Who may send this. */
    default Sender sender() {
        return Sender.NODE;
    }

    /**
     * Whether it is handled before other messages that wait, those of its own sender too: leases depend on how soon it
     * is heard. All messages may overtake each other; these do, wherever much waits.
     */
    default boolean overtakes() {
        return false;
    }

    /** Whether each number is one that an honest node may send: not negative, and not above {@link #NUMBER_MAX}. */
    boolean isInRange();
}
