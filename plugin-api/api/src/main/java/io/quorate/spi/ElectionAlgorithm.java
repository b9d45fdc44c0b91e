package io.quorate.spi;

import java.util.Optional;
import java.util.Set;

/**
 * A documented election algorithm, found by {@link java.util.ServiceLoader} under its {@link #name()}.
 *
 * <p>Implementations are stateless, safe for use by several threads and have a public constructor without arguments.
 */
public interface ElectionAlgorithm {

    /** {@return the name by which an application chooses the algorithm: lower case letters, digits and {@code -}} */
    String name();

    /**
     * Answers what the algorithm promises by itself, without the quorum lease. The conformance kit tests what is
     * declared.
     *
     * @param variant faithful or hardened
     * @return may be empty; never null
     */
    Set<Guarantee> guarantees(Variant variant);

    /**
     * Makes a machine for one process of one election. Its first event will be {@link Event.Start}.
     *
     * @param membership the processes of the election; {@link Membership#self} is the one that the machine runs at
     * @param timing     the time from which the machine computes its time-outs
     * @param options    the variant and its options
     * @return a new machine, which shares nothing mutable with any other
     */
    Election create(Membership membership, Timing timing, Options options);

    /**
     * Reads a message that {@link Message#writeTo} wrote. The bytes come from the network, so nobody vouches for them.
     *
     * @param in stands at the first byte of the message, and afterwards behind the last one
     * @return an equal message
     * @throws MalformedInputException if the input is no message of this algorithm; nothing else is thrown
     */
    Message readMessage(WireReader in) throws MalformedInputException;

    /**
     * Answers how long it usually takes from the suspicion of a leader to the nomination of its successor. If that does
     * not fit into the lease, the node warns.
     *
     * @param timing the time from which the machines compute their time-outs
     * @param size   how many processes the election has, at least 1
     * @return in the unit of {@code timing}
     */
    long usualFailover(Timing timing, int size);

    /**
     * Answers whether the algorithm counts the answers of voters. If it does, voters that do not contend take part as
     * witnesses: they have no machine, and {@link #answerAsWitness} answers for them.
     *
     * @return false by default
     */
    default boolean countsVoters() {
        return false;
    }

    /**
     * Answers in place of a voter that does not contend. The default has no answer.
     *
     * @param witness the number of the voter in the membership
     * @param request a message that a contender sent to it
     * @return the answer to the sender; empty if the message needs none
     */
    default Optional<Message> answerAsWitness(int witness, Message request) {
        return Optional.empty();
    }
}
