package com.example.platforms.vertx;

import com.example.platforms.application.Console;
import com.example.platforms.application.Contender;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;

/** The contender lives in a verticle, as docs/settings.md#start-and-close-on-an-event-loop has it. */
public final class VertxNode extends AbstractVerticle {

    private final Contender contender = new Contender();

    @Override
    public void start(Promise<Void> started) throws Exception {
        Future.fromCompletionStage(contender.startAsync(), context).onComplete(started);
    }

    @Override
    public void stop(Promise<Void> stopped) {
        Future.fromCompletionStage(contender.closeAsync(), context).onComplete(stopped);
    }

    private static <T> T get(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    /** Runs until it is told to close, or gets SIGTERM. */
    public static void main(String[] arguments) throws IOException {
        Console.say("uses " + Console.jarOf(Vertx.class));
        Vertx vertx = Vertx.vertx();
        // Vert.x leaves it to the application what a signal means.
        Thread onSignal = new Thread(() -> get(vertx.close()));
        Runtime.getRuntime().addShutdownHook(onSignal);
        try {
            get(vertx.deployVerticle(new VertxNode()));
            Console.awaitClose();
        } finally {
            Runtime.getRuntime().removeShutdownHook(onSignal);
            get(vertx.close());
        }
    }
}
