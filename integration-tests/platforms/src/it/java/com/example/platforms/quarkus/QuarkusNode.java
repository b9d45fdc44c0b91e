package com.example.platforms.quarkus;

import com.example.platforms.application.Console;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatch;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import org.slf4j.LoggerFactory;

/** The application, {@link Elections}, and what the test of platforms wants to hear from it. */
@QuarkusMain
public class QuarkusNode implements QuarkusApplication {

    /** Observers without a priority come between these two. */
    private static final int BEFORE = 1;

    private static final int AFTER = 3_000;

    /** Says what happens. */
    @ApplicationScoped
    static class Narrator {

        void onStart(@Observes @Priority(BEFORE) StartupEvent event, LeaderLatch latch) {
            Console.say("uses " + Console.jarOf(Quarkus.class));
            Console.say("uses " + Console.jarOf(LoggerFactory.class));
            latch.addListener((FencedLeaderLatchListener) token -> Console.say("leads " + token));
        }

        void onStarted(@Observes @Priority(AFTER) StartupEvent event) {
            Console.say("started");
        }

        void onStopped(@Observes @Priority(AFTER) ShutdownEvent event) {
            Console.say("closed");
        }
    }

    @Override
    public int run(String... arguments) {
        Thread console = new Thread(QuarkusNode::exitWhenTold, "console");
        console.setDaemon(true);
        console.start();
        Quarkus.waitForExit();
        return 0;
    }

    private static void exitWhenTold() {
        try {
            Console.awaitClose();
        } catch (IOException e) {
            Console.say("the input has failed: " + e);
        }
        Quarkus.asyncExit(0);
    }
}
