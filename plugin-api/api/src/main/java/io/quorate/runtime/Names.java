package io.quorate.runtime;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.spi.NodeId;
import java.util.HashMap;
import java.util.Map;

/**
 * Hands out one object for equal names: ten thousand registrations of a node shall not hold as many copies of its name.
 * Of one thread.
 */
final class Names {

    /** More are forgotten, all at once. */
    private static final int NAMES_MAX = 4096;

    private final Map<NodeId, NodeId> nodes = new HashMap<>();
    private final Map<String, String> participants = new HashMap<>();

    /** The same registration, with names that others have too. */
    ContenderRecord shared(ContenderRecord read) {
        ContenderId id = read.id();
        return new ContenderRecord(
                new ContenderId(shared(nodes, id.node()), id.incarnation(), id.number()),
                shared(participants, read.participantId()),
                read.stamp(),
                read.weight(),
                read.token(),
                read.version());
    }

    private static <T> T shared(Map<T, T> known, T name) {
        if (known.size() >= NAMES_MAX) {
            known.clear();
        }
        T former = known.putIfAbsent(name, name);
        return former == null ? name : former;
    }
}
