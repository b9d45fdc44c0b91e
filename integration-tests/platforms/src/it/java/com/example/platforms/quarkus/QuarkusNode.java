package com.example.platforms.quarkus;

import com.example.platforms.application.Console;
import com.example.platforms.application.Contender;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;

/** The contender is a bean, which the application starts and its container closes, also on SIGTERM. */
@QuarkusMain
public class QuarkusNode implements QuarkusApplication {

    @Inject
    Contender contender;

    /** Makes the bean and closes it. */
    @Singleton
    static class Contenders {
        @Produces
        @Singleton
        Contender contender() {
            return new Contender();
        }

        void close(@Disposes Contender contender) {
            contender.close();
        }
    }

    @Override
    public int run(String... arguments) throws Exception {
        Console.say("uses " + Console.jarOf(Quarkus.class));
        contender.start();
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
