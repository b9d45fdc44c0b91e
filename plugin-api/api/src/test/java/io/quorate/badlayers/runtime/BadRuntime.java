package io.quorate.badlayers.runtime;

import io.quorate.badlayers.BadFacade;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Knows the layer above, and waits with a thread of the JDK. */
public record BadRuntime(BadFacade above) {

    void wait(CompletableFuture<Void> answer) {
        answer.orTimeout(1, TimeUnit.SECONDS);
    }
}
