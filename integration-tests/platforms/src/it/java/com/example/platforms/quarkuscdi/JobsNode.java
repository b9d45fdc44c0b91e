package com.example.platforms.quarkuscdi;

import com.example.platforms.application.Console;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.IOException;
import org.slf4j.LoggerFactory;

/** Runs until SIGTERM, or until it is told to close. The beans are started and closed by Quarkus alone. */
@QuarkusMain
public class JobsNode implements QuarkusApplication {

    @Override
    public int run(String... arguments) {
        Console.say("uses " + Console.jarOf(Quarkus.class));
        Console.say("uses " + Console.jarOf(LoggerFactory.class));
        Thread console = new Thread(JobsNode::exitWhenTold, "console");
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
