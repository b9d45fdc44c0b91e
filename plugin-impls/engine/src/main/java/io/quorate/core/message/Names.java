package io.quorate.core.message;

import io.quorate.spi.NodeId;
import java.util.HashMap;
import java.util.Map;

/**
 * Hands out one object for equal names, so that ten thousand registrations of a node hold one copy of its name.
 * Confined to one thread.
 */
public final class Names {

    /** More are forgotten, all at once. */
    private static final int NAMES_MAX = 4096;

    private final Map<NodeId, NodeId> nodes = new HashMap<>();
    private final Map<String, String> participants = new HashMap<>();

    /** The same contender, with the name of its node that others have too. */
    ContenderId shared(ContenderId read) {
        return new ContenderId(shared(nodes, read.node()), read.incarnation(), read.number());
    }

    String shared(String participantId) {
        return shared(participants, participantId);
    }

    private static <T> T shared(Map<T, T> known, T name) {
        if (known.size() >= NAMES_MAX) {
            known.clear();
        }
        T former = known.putIfAbsent(name, name);
        return former == null ? name : former;
    }
}
