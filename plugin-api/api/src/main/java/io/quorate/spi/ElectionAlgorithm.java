package io.quorate.spi;

import java.util.Optional;
import java.util.Set;

/**
 * A documented election algorithm, found by {@link java.util.ServiceLoader} under its {@link #name()}.
 *
 * <p>Implementations are stateless, safe for use by several threads and have a public constructor without arguments.
 */
public interface ElectionAlgorithm {

    /** The name by which an application chooses the algorithm; lower case letters, digits and {@code -}. */
    String name();

    /** What the algorithm promises by itself in the given variant. */
    Set<Guarantee> guarantees(Variant variant);

    /** A machine for one process of one election; its first event will be {@link Event.Start}. */
    Election create(Membership membership, Timing timing, Options options);

    /**
     * Reads a message that {@link Message#writeTo} wrote.
     *
     * @throws MalformedInputException if the input is no message of this algorithm; nothing else is thrown
     */
    Message readMessage(WireReader in) throws MalformedInputException;

    /**
     * The usual time from the moment a leader is suspected until its successor is nominated, in the unit of
     * {@code timing}, for {@code size} processes. Used for a warning when it does not fit into the lease.
     */
    long usualFailover(Timing timing, int size);

    /**
     * Whether the algorithm counts answers of voters, so that voters which do not contend take part as witnesses
     * (they answer by {@link #answerAsWitness} and have no machine).
     */
    default boolean countsVoters() {
        return false;
    }

    /**
     * The answer of a voter that does not contend.
     *
     * @param witness the number of the voter in the membership
     * @param request a message that a contender sent to it
     * @return the answer to the sender; empty if the message asks for none
     */
    default Optional<Message> answerAsWitness(int witness, Message request) {
        return Optional.empty();
    }
}
