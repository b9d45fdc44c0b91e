package io.quorate.core;

import io.quorate.spi.Message;
import io.quorate.spi.NodeId;
import java.util.List;
import java.util.Optional;

/**
 * Every message between two nodes. Sender and receiver stand in the envelope, each with its incarnation.
 *
 * <table>
 * <caption>All messages</caption>
 * <tr><th>message</th><th>from, to</th><th>repeated</th><th>what its loss costs</th></tr>
 * <tr><td>{@link Heartbeat}</td><td>node, voter</td><td>every heartbeat period</td><td>one period of lease</td></tr>
 * <tr><td>{@link Ack}</td><td>voter, node</td><td>per heartbeat; between voters that only wait, with the next
 * heartbeat</td><td>one period of lease</td></tr>
 * <tr><td>{@link Refused}</td><td>voter, node</td><td>per heartbeat</td><td>a later log line</td></tr>
 * <tr><td>{@link Inquiry}, {@link Heard}</td><td>starting node, peer, and back</td><td>every period of the
 * quarantine</td><td>a duplicate node is noticed later</td></tr>
 * <tr><td>{@link Outdated}</td><td>peer, node</td><td>per dropped frame</td><td>the node is heard later</td></tr>
 * <tr><td>{@link Goodbye}</td><td>node, all</td><td>no</td><td>its votes and id are free later</td></tr>
 * <tr><td>{@link Registrations}</td><td>node, voter</td><td>until acknowledged</td><td>a repetition</td></tr>
 * <tr><td>{@link Listings}</td><td>voter, node</td><td>until acknowledged</td><td>a repetition</td></tr>
 * <tr><td>{@link Claim}</td><td>candidate, voter</td><td>until voted or given up</td><td>a repetition</td></tr>
 * <tr><td>{@link Vote}, {@link Nack}</td><td>voter, candidate</td><td>per claim</td><td>a repetition</td></tr>
 * <tr><td>{@link Release}</td><td>candidate, voter</td><td>per challenge</td><td>a challenge</td></tr>
 * <tr><td>{@link Challenge}</td><td>voter, holder of its vote</td><td>per claim</td><td>a repetition</td></tr>
 * <tr><td>{@link Handover}</td><td>leader, successor</td><td>no</td><td>an election</td></tr>
 * <tr><td>{@link Elect}</td><td>contender, contender</td><td>by the algorithm</td><td>as the algorithm has it</td></tr>
 * </table>
 */
public sealed interface NodeMessage {

    /**
     * Asks a voter for support.
     *
     * @param sequence   numbers the heartbeats of one life of the sender
     * @param acknowledged the newest of them whose acknowledgement by this voter has arrived; 0 for none
     * @param acknowledgedBy the life of the voter that this acknowledgement came from; 0 for none
     * @param renounced  an epoch in which the sender gives back every vote, until a newer epoch is acknowledged
     * @param connected  whether the sender reaches a majority of voters
     * @param urgent     whether the sender wants the acknowledgement at once, not with the receiver's next heartbeat
     * @param termMax    the highest term that the sender knows on any path
     * @param configHash digest of cluster id, voters and support time, which must be equal
     * @param durable    whether the sender, if it votes, keeps its terms on disk
     * @param upVersion  the newest list of live nodes that the sender has from this voter; -1: none is wanted
     */
    record Heartbeat(long sequence, long acknowledged, long acknowledgedBy, Optional<Epoch> renounced,
                     boolean connected, boolean urgent, long termMax, long configHash, boolean durable,
                     long upVersion) implements NodeMessage {
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
    record Ack(long incarnation, long sequence, Epoch epoch, long termMax, long upVersion,
               Optional<List<NodeId>> up) implements NodeMessage {
        public Ack {
            up = up.map(List::copyOf);
        }
    }

    /** No support, because the configurations differ. */
    record Refused(String reason) implements NodeMessage {
        /** The longest reason on the wire, in UTF-8 bytes. */
        public static final int REASON_MAX = 256;
    }

    /** A starting node asks whether another life of it is alive. */
    record Inquiry() implements NodeMessage {
    }

    /** Since the receiver's inquiry, another life of it has proved to be alive. */
    record Heard(long incarnation) implements NodeMessage {
    }

    /** The receiver's incarnation is older than a silent rival's: it must use one above this. */
    record Outdated(long incarnation) implements NodeMessage {
    }

    /** The sender has ended its tenures and stops. */
    record Goodbye() implements NodeMessage {
    }

    /**
     * Changes of the sender's own contenders and watched paths; acknowledged by number.
     *
     * @param epoch of the receiver's support for the sender: with a new epoch, everything is reported anew
     */
    record Registrations(Epoch epoch, long batch, List<Change> changes) implements NodeMessage {
        public Registrations {
            changes = List.copyOf(changes);
        }
    }

    record RegistrationsAck(long batch) implements NodeMessage {
    }

    /** One change that a node reports of itself. */
    sealed interface Change {
        String path();
    }

    /** The contender is as given; {@code registration.id()} is one of the sender's. */
    record Join(String path, Registration registration) implements Change {
    }

    /** The contender is gone. */
    record Leave(String path, int number) implements Change {
    }

    /** The sender wants the listings of a path on which it does not contend, or no longer. */
    record Watch(String path, boolean wanted) implements Change {
    }

    /**
     * Changes of what the sender, a voter, lists on paths that the receiver contends on or watches.
     *
     * @param epoch of the sender's support for the receiver: with a new epoch, everything is listed anew
     */
    record Listings(Epoch epoch, long batch, List<Item> items) implements NodeMessage {
        public Listings {
            items = List.copyOf(items);
        }
    }

    record ListingsAck(long batch) implements NodeMessage {
    }

    /** One change of a voter's listings. */
    sealed interface Item {
        String path();
    }

    record Listed(String path, Registration registration) implements Item {
    }

    record Unlisted(String path, ContenderId contender) implements Item {
    }

    /**
     * Everything that the voter lists on the path has been sent.
     *
     * @param term the highest term that the voter voted in or closed, on this path
     */
    record Complete(String path, long term) implements Item {
    }

    /** Asks for a vote. Nobody but its holder frees a vote, so a claim says nothing of the tenure before it. */
    record Claim(String path, int number, long term) implements NodeMessage {
    }

    /** A vote in this term, tied to this epoch of the voter's support. */
    record Vote(String path, int number, long term, Epoch epoch) implements NodeMessage {
    }

    /**
     * No vote.
     *
     * @param claimed        the term that was claimed
     * @param term           the voter's term: a claim must be above it
     * @param remainingNanos how long at least the voter's vote for another is alive; 0 if there is none
     */
    record Nack(String path, int number, long claimed, long term, long remainingNanos) implements NodeMessage {
    }

    /**
     * The sender's contender gives back what it holds in terms up to this one.
     *
     * @param successor who gets the vote at once, as if its claim had come
     */
    record Release(String path, int number, long term, Optional<Successor> successor) implements NodeMessage {
    }

    /** Whom a leader that ends its tenure on purpose names, and the term that it chose for the successor's claim. */
    record Successor(ContenderId claimer, long term) {
    }

    /** Somebody else claims: does the receiver's contender still need the vote it holds in this term? */
    record Challenge(String path, ContenderId holder, long term) implements NodeMessage {
    }

    /**
     * The sender's tenure has ended; the receiver's contender may claim in its place. A hint, and no proof: without
     * the votes that the voters were asked for, it makes no leader.
     *
     * @param term  the highest term of the tenure
     * @param claim the term in which the voters were asked to vote for the successor, by {@link Release}
     */
    record Handover(String path, int number, long term, long claim) implements NodeMessage {
    }

    /**
     * A message of the election algorithm. An election depends on nothing but who contends and in which order of rank,
     * so all paths with the same contenders share one, and it has no path.
     *
     * @param election digest of the contending nodes, in the order of their rank and each in its present life
     * @param birth    which attempt of the sender at this election
     * @param from     the sender's number in the election's membership
     * @param to       the receiver's
     * @param isToWitness whether the receiver takes part as a witness only
     */
    record Elect(long election, long birth, int from, int to, boolean isToWitness,
                 Message message) implements NodeMessage {
    }
}
