package io.quorate.core;

import io.quorate.spi.Message;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.WireReader;
import java.util.List;
import java.util.Optional;

/**
 * Every message between two nodes. Sender and receiver stand in the envelope, each with its incarnation.
 *
 * <p>A message is believed only if its {@link #sender()} may send it and its numbers {@linkplain #isInRange() are in
 * range}; {@link Authority} checks both, in one place, whatever the transport.
 *
 * <table>
 * <caption>All messages</caption>
 * <tr><th>message</th><th>from, to</th><th>repeated</th><th>what its loss costs</th><th>believed if</th></tr>
 * <tr><td>{@link Heartbeat}</td><td>node, voter</td><td>every heartbeat period</td><td>one period of lease</td>
 * <td>the configurations agree and no other life of the sender is supported; its term only from a voter</td></tr>
 * <tr><td>{@link Ack}</td><td>voter, node</td><td>per heartbeat; between voters that only wait, with the next
 * heartbeat</td><td>one period of lease</td><td>it answers a heartbeat of this life that was sent of late</td></tr>
 * <tr><td>{@link Refused}</td><td>voter, node</td><td>per heartbeat</td><td>a later log line</td><td>always: it only
 * explains</td></tr>
 * <tr><td>{@link Configuration}</td><td>node, node that differs</td><td>while they differ</td><td>a later log
 * line</td><td>always: it only explains</td></tr>
 * <tr><td>{@link Inquiry}, {@link Heard}</td><td>starting voter, other voters, and back</td><td>every period of the
 * quarantine</td><td>a duplicate node is noticed later</td><td>{@code Heard}: this node is in its quarantine</td></tr>
 * <tr><td>{@link Outdated}</td><td>voter, node</td><td>per dropped frame</td><td>the node is heard later</td><td>the
 * number is not far above this node's first</td></tr>
 * <tr><td>{@link Goodbye}</td><td>node, voters</td><td>no</td><td>its votes and id are free later</td><td>the sender's
 * life is the one that is supported</td></tr>
 * <tr><td>{@link Registrations}</td><td>node, voter</td><td>until acknowledged</td><td>a repetition</td><td>the sender
 * is supported in that epoch; for its own contenders</td></tr>
 * <tr><td>{@link Listings}</td><td>voter, node</td><td>until acknowledged</td><td>a repetition</td><td>in the epoch in
 * which the voter is believed</td></tr>
 * <tr><td>{@link RegistrationsAck}, {@link ListingsAck}</td><td>voter, node, and back</td><td>per batch</td><td>a
 * repetition</td><td>it names the newest batch</td></tr>
 * <tr><td>{@link Claim}</td><td>candidate, voter</td><td>until voted or given up</td><td>a repetition</td><td>the
 * sender is supported; the term is not far above all in use</td></tr>
 * <tr><td>{@link Vote}, {@link Nack}</td><td>voter, candidate</td><td>per claim</td><td>a repetition</td><td>they
 * answer the present claim; a vote also if it extends a valid tenure, or comes in a higher term for a named successor.
 * A vote counts only in an epoch that is believed in</td></tr>
 * <tr><td>{@link Release}</td><td>candidate, voter</td><td>per challenge</td><td>a challenge</td><td>the vote is the
 * sender's</td></tr>
 * <tr><td>{@link Challenge}</td><td>voter, holder of its vote</td><td>per claim</td><td>a repetition</td><td>no claim
 * or tenure needs the vote</td></tr>
 * <tr><td>{@link Handover}</td><td>leader, successor</td><td>no</td><td>an election</td><td>as a hint: it frees no
 * vote; its terms are not far above all in use</td></tr>
 * <tr><td>{@link Elect}</td><td>contender, contender</td><td>by the algorithm</td><td>as the algorithm has it</td>
 * <td>the sender is the member of the election that it says</td></tr>
 * </table>
 *
 * <p><b>What a lying voter can do.</b> A voter is trusted, as in any quorum system whose members are not Byzantine: one
 * that gives its support or vote to two, or another process that sends under the id of a voter, can bring about two
 * leaders together with one half of the others; it can also keep a path without a leader by high terms in its refusals,
 * stop a starting node by {@link Heard}, and hide contenders or invent some. A contender that lies harms the paths on
 * which it contends: it can claim, and hold what it gets. Who may be a node at all is a matter of the transport.
 */
public sealed interface NodeMessage {

    /** Handles each kind of message. */
    interface Handler {

        void on(Heartbeat heartbeat);

        void on(Ack ack);

        void on(Refused refused);

        void on(Configuration configuration);

        void on(Inquiry inquiry);

        void on(Heard heard);

        void on(Outdated outdated);

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
    }

    /** Calls the method of the handler that is for this kind. */
    void dispatch(Handler handler);

    /** The highest number on the wire: far above any in use, and low enough that what is added to it does not wrap. */
    long NUMBER_MAX = WireReader.NUMBER_MAX;

    /** Who may send a message. */
    enum Sender {
        /** Any node of the cluster. */
        NODE,
        /** A voter only. */
        VOTER
    }

    /** Who may send this. */
    default Sender sender() {
        return Sender.NODE;
    }

    /** Whether each number is one that an honest node may send: not negative, and not above {@link #NUMBER_MAX}. */
    boolean isInRange();

    private static boolean isNumber(long number) {
        return 0 <= number && number <= NUMBER_MAX;
    }

    private static boolean isEpoch(Epoch epoch) {
        return isNumber(epoch.incarnation()) && isNumber(epoch.counter());
    }

    private static boolean isContender(ContenderId id) {
        return isNumber(id.incarnation()) && isNumber(id.number());
    }

    private static boolean isRegistration(Registration r) {
        return isContender(r.id()) && isNumber(r.stamp()) && isNumber(r.token()) && isNumber(r.version());
    }

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
     * @param configHash {@link NodeSettings#configHash}: its upper half must be equal, its lower half should be
     * @param durable    whether the sender, if it votes, keeps its terms on disk
     * @param upVersion  the newest list of live nodes that the sender has from this voter; -1: none is wanted
     */
    record Heartbeat(long sequence, long acknowledged, long acknowledgedBy, Optional<Epoch> renounced,
                     boolean connected, boolean urgent, long termMax, long configHash, boolean durable,
                     long upVersion) implements NodeMessage {
        @Override
        public boolean isInRange() {
            return isNumber(sequence) && isNumber(acknowledged) && isNumber(acknowledgedBy) && isNumber(termMax)
                    && upVersion >= -1 && upVersion <= NUMBER_MAX
                    && (renounced.isEmpty() || isEpoch(renounced.get()));
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
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
    record Ack(long incarnation, long sequence, Epoch epoch, long termMax, long upVersion,
               Optional<List<NodeId>> up) implements NodeMessage {
        public Ack {
            up = up.map(List::copyOf);
        }

        @Override
        public Sender sender() {
            return Sender.VOTER;
        }

        @Override
        public boolean isInRange() {
            return isNumber(incarnation) && isNumber(sequence) && isEpoch(epoch) && isNumber(termMax)
                    && isNumber(upVersion);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * No room for the node, or not for all that it registers.
     *
     * @param isOfSupport whether the node gets no support; else some contenders or paths of it are not listed
     * @param reason      for people
     */
    record Refused(boolean isOfSupport, String reason) implements NodeMessage {
        /** The longest reason on the wire, in UTF-8 bytes. */
        public static final int REASON_MAX = 256;

        @Override
        public Sender sender() {
            return Sender.VOTER;
        }

        @Override
        public boolean isInRange() {
            return true;
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * What the sender was configured with, because the receiver's configuration seems to be another. Both sides tell
     * their operators the values of both.
     *
     * @param support   in nanoseconds
     * @param durable   whether the sender, if it votes, keeps its terms on disk
     * @param algorithm the name of the algorithm, which may differ: it nominates only
     * @param rankOrder which may differ too
     */
    record Configuration(String clusterId, List<NodeId> voters, long support, int driftPercent, boolean durable,
                         String algorithm, RankOrder rankOrder) implements NodeMessage {

        /** The longest name of a cluster or an algorithm on the wire, in UTF-8 bytes. */
        public static final int NAME_MAX = 256;

        public Configuration {
            voters = List.copyOf(voters);
        }

        @Override
        public boolean isInRange() {
            return isNumber(support) && 0 <= driftPercent && driftPercent < 100
                    && voters.size() <= NodeSettings.VOTERS_MAX;
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** A starting node asks whether another life of it is alive. */
    record Inquiry() implements NodeMessage {
        @Override
        public boolean isInRange() {
            return true;
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** Since the receiver's inquiry, another life of it has proved to be alive. */
    record Heard(long incarnation) implements NodeMessage {
        @Override
        public Sender sender() {
            return Sender.VOTER;
        }

        @Override
        public boolean isInRange() {
            return isNumber(incarnation);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** The receiver's incarnation is older than a silent rival's: it must use one above this. */
    record Outdated(long incarnation) implements NodeMessage {
        @Override
        public Sender sender() {
            return Sender.VOTER;
        }

        @Override
        public boolean isInRange() {
            return isNumber(incarnation);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** The sender has ended its tenures and stops. */
    record Goodbye() implements NodeMessage {
        @Override
        public boolean isInRange() {
            return true;
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
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

        @Override
        public boolean isInRange() {
            for (Change change : changes) {
                if (!change.isInRange()) {
                    return false;
                }
            }
            return isEpoch(epoch) && isNumber(batch);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    record RegistrationsAck(long batch) implements NodeMessage {
        @Override
        public Sender sender() {
            return Sender.VOTER;
        }

        @Override
        public boolean isInRange() {
            return isNumber(batch);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** One change that a node reports of itself. */
    sealed interface Change {
        /** Applies each kind of change. */
        interface Handler {

            void on(Join join);

            void on(Leave leave);

            void on(Watch watch);
        }

        /** Calls the method of the handler that is for this kind. */
        void dispatch(Handler handler);

        String path();

        /** Whether the sender is to be told of the path because of this. */
        default boolean isWanted() {
            return true;
        }

        /** Whether the sender lacks the voter's list of the path, and wants it whole. */
        boolean asks();

        /** As {@link NodeMessage#isInRange}. */
        boolean isInRange();
    }

    /**
     * The contender is as given; {@code registration.id()} is one of the sender's.
     *
     * @param asks as in {@link Change#asks}
     */
    record Join(String path, Registration registration, boolean asks) implements Change {
        @Override
        public boolean isInRange() {
            return isRegistration(registration);
        }

        @Override
        public void dispatch(Change.Handler handler) {
            handler.on(this);
        }
    }

    /**
     * The contender does not contend.
     *
     * @param isGone whether that is for good: then it needs no vote any more, and what it holds is free
     * @param stays  whether the sender wants to hear of the path further on
     */
    record Leave(String path, long number, boolean isGone, boolean stays) implements Change {
        @Override
        public boolean isWanted() {
            return false;
        }

        @Override
        public boolean asks() {
            return false;
        }

        @Override
        public boolean isInRange() {
            return isNumber(number);
        }

        @Override
        public void dispatch(Change.Handler handler) {
            handler.on(this);
        }
    }

    /**
     * The sender wants the listings of a path on which it does not contend, or no longer.
     *
     * @param asks as in {@link Change#asks}
     */
    record Watch(String path, boolean isWanted, boolean asks) implements Change {
        @Override
        public boolean isInRange() {
            return true;
        }

        @Override
        public void dispatch(Change.Handler handler) {
            handler.on(this);
        }
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

        @Override
        public Sender sender() {
            return Sender.VOTER;
        }

        @Override
        public boolean isInRange() {
            for (Item item : items) {
                if (!item.isInRange()) {
                    return false;
                }
            }
            return isEpoch(epoch) && isNumber(batch);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    record ListingsAck(long batch) implements NodeMessage {
        @Override
        public boolean isInRange() {
            return isNumber(batch);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** One change of a voter's listings. */
    sealed interface Item {
        /** Applies each kind of item. */
        interface Handler {

            void on(Listed listed);

            void on(Unlisted unlisted);

            void on(Snapshot snapshot);

            void on(Complete complete);
        }

        /** Calls the method of the handler that is for this kind. */
        void dispatch(Handler handler);

        String path();

        /** The highest term on the path that the voter tells of with this; 0 if it tells none. */
        default long term() {
            return 0;
        }

        /** The node that leads the path, if the voter tells so with this. */
        default Optional<NodeId> leader() {
            return Optional.empty();
        }

        /** As {@link NodeMessage#isInRange}. */
        boolean isInRange();
    }

    record Listed(String path, Registration registration) implements Item {
        @Override
        public Optional<NodeId> leader() {
            return registration.isLeading() ? Optional.of(registration.id().node()) : Optional.empty();
        }

        @Override
        public boolean isInRange() {
            return isRegistration(registration);
        }

        @Override
        public void dispatch(Item.Handler handler) {
            handler.on(this);
        }
    }

    record Unlisted(String path, ContenderId contender) implements Item {
        @Override
        public boolean isInRange() {
            return isContender(contender);
        }

        @Override
        public void dispatch(Item.Handler handler) {
            handler.on(this);
        }
    }

    /**
     * What the voter lists on the path, in the place of everything that it told of the path before.
     *
     * @param term       the highest term that the voter voted in or closed, on this path
     * @param isComplete whether that is all; else {@link Listed} follow, and then {@link Complete}
     */
    record Snapshot(String path, long term, boolean isComplete, List<Registration> registrations) implements Item {
        public Snapshot {
            registrations = List.copyOf(registrations);
        }

        @Override
        public boolean isInRange() {
            for (Registration registration : registrations) {
                if (!isRegistration(registration)) {
                    return false;
                }
            }
            return isNumber(term);
        }

        @Override
        public void dispatch(Item.Handler handler) {
            handler.on(this);
        }
    }

    /**
     * Everything that the voter lists on the path has been sent.
     *
     * @param term the highest term that the voter voted in or closed, on this path
     */
    record Complete(String path, long term) implements Item {
        @Override
        public boolean isInRange() {
            return isNumber(term);
        }

        @Override
        public void dispatch(Item.Handler handler) {
            handler.on(this);
        }
    }

    /** Asks for a vote. Nobody but its holder frees a vote, so a claim says nothing of the tenure before it. */
    record Claim(String path, long number, long term) implements NodeMessage {
        @Override
        public boolean isInRange() {
            return isNumber(number) && isNumber(term);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** A vote in this term, tied to this epoch of the voter's support. */
    record Vote(String path, long number, long term, Epoch epoch) implements NodeMessage {
        @Override
        public Sender sender() {
            return Sender.VOTER;
        }

        @Override
        public boolean isInRange() {
            return isNumber(number) && isNumber(term) && isEpoch(epoch);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * No vote.
     *
     * @param claimed        the term that was claimed
     * @param term           the voter's term: a claim must be above it
     * @param remainingNanos how long at least the voter's vote for another is alive; 0 if there is none
     */
    record Nack(String path, long number, long claimed, long term, long remainingNanos) implements NodeMessage {
        @Override
        public Sender sender() {
            return Sender.VOTER;
        }

        @Override
        public boolean isInRange() {
            return isNumber(number) && isNumber(claimed) && isNumber(term) && isNumber(remainingNanos);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * The sender's contender gives back what it holds in terms up to this one.
     *
     * @param successor who gets the vote at once, as if its claim had come
     */
    record Release(String path, long number, long term, Optional<Successor> successor) implements NodeMessage {
        @Override
        public boolean isInRange() {
            return isNumber(number) && isNumber(term) && (successor.isEmpty()
                    || isContender(successor.get().claimer()) && isNumber(successor.get().term()));
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** Whom a leader that ends its tenure on purpose names, and the term that it chose for the successor's claim. */
    record Successor(ContenderId claimer, long term) {
    }

    /** Somebody else claims: does the receiver's contender still need the vote it holds in this term? */
    record Challenge(String path, ContenderId holder, long term) implements NodeMessage {
        @Override
        public Sender sender() {
            return Sender.VOTER;
        }

        @Override
        public boolean isInRange() {
            return isContender(holder) && isNumber(term);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * The sender's tenure has ended; the receiver's contender may claim in its place. A hint, and no proof: without
     * the votes that the voters were asked for, it makes no leader.
     *
     * @param term  the highest term of the tenure
     * @param claim the term in which the voters were asked to vote for the successor, by {@link Release}
     */
    record Handover(String path, long number, long term, long claim) implements NodeMessage {
        @Override
        public boolean isInRange() {
            return isNumber(number) && isNumber(term) && isNumber(claim);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
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
        @Override
        public boolean isInRange() {
            return isNumber(birth) && from >= 0 && to >= 0;
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }
}
