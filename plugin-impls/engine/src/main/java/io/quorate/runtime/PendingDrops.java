package io.quorate.runtime;

import io.quorate.runtime.DecodedFrame.Dropped;
import io.quorate.runtime.DecodedFrame.Reason;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The dropped frames of an {@link Entrance} that the node has not been told of yet: the newest of each reason and
 * culprit. One turn of the node tells of all, however many are dropped. Any number of threads.
 */
final class PendingDrops {

    /**
     * The most reasons and culprits of one turn. There are more only if somebody invents names; further ones are not
     * told.
     */
    static final int MAX = 32;

    private record Key(Reason reason, Optional<NodeId> accused) {}

    private final Map<Key, Dropped> newest = new LinkedHashMap<>();

    /** Answers whether it is the first since {@link #take}: then the caller has to have the node take it. */
    synchronized boolean add(Dropped dropped) {
        boolean isFirst = newest.isEmpty();
        Key key = new Key(dropped.reason(), dropped.accused());
        if (newest.size() < MAX || newest.containsKey(key)) {
            newest.put(key, dropped);
        }
        return isFirst;
    }

    /** All that was added since the last time, in the order in which each kind came first. */
    synchronized List<Dropped> take() {
        List<Dropped> taken = new ArrayList<>(newest.values());
        newest.clear();
        return taken;
    }
}
