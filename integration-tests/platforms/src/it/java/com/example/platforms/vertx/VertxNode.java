package com.example.platforms.vertx;

import com.example.platforms.application.Console;
import io.vertx.core.Vertx;
import java.io.IOException;
import org.slf4j.LoggerFactory;

/** The application of docs/vertx.md, {@link LeaderVerticle}, with what the test of platforms wants to hear and to say. */
public final class VertxNode {

    private VertxNode() {}

    /** Runs until it is told to close, or gets SIGTERM. */
    public static void main(String[] arguments) throws IOException {
        Console.say("uses " + Console.jarOf(Vertx.class));
        Console.say("uses " + Console.jarOf(LoggerFactory.class));
        LeaderVerticle.main(arguments);
        Console.say("started");
        Console.awaitClose();
        System.exit(0);
    }
}
