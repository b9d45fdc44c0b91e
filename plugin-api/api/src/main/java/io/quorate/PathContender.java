package io.quorate;

import java.util.concurrent.CompletionStage;

/** A latch, or an attempt of a selector, as its client sees it when it is asked about a path. */
interface PathContender {

    /** As {@code LeaderLatch.explain}: waits for the node's thread, for 5 s at most. */
    Explanation explain();

    /** As {@code LeaderLatch.transferTo}; dependent stages run on any thread. */
    CompletionStage<Void> transferTo(String participantId);
}
