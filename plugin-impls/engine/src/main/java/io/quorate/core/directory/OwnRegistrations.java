package io.quorate.core.directory;

import io.quorate.core.message.ContenderRecord;
import java.util.Optional;

/** A node's registrations with the voters, as they are at the moment of the call. */
public interface OwnRegistrations {

    /** The registration of the contender; empty if it does not contend now. */
    Optional<ContenderRecord> registration(long number);

    /** Whether the contender has left for good. */
    boolean isGone(long number);

    /** The length of the contender's name, in characters; 0 if it has left. */
    int nameLength(long number);

    /** Whether the node contends on the path, or watches it. */
    boolean isHere(String path);

    /** Whether the node is to be told of the path although no contender of it may be registered there. */
    boolean isListening(String path);

    /** Whether the voter has told everything that it lists on the path. */
    boolean hasListing(String path, int voter);
}
