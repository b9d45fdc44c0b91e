package io.quorate.client;

import io.quorate.Explanation;
import java.util.concurrent.CompletionStage;

/** A latch, or an attempt of a selector, as its client sees it when it is asked about a path. */
public interface PathContender {

    /** As {@code LeaderLatch.explain}: waits for the node's thread, for 5 s at most. */
    Explanation explain();

    /** As {@code LeaderLatch.transferTo}; dependent stages run on any thread. */
    CompletionStage<Void> transferTo(String participantId);
}
