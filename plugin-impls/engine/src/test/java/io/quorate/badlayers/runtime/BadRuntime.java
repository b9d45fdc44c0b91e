package io.quorate.badlayers.runtime;

import io.quorate.badlayers.client.BadClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Knows the layer above, and waits with a thread of the JDK. */
public record BadRuntime(BadClient above) {

    void wait(CompletableFuture<Void> answer) {
        // Justification: it is wrong, so that a rule is seen to find it.
        answer.orTimeout(1, TimeUnit.SECONDS);
    }
}
