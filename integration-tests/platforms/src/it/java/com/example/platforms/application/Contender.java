package com.example.platforms.application;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import java.util.Map;
import org.slf4j.LoggerFactory;

/** One contender for one path, with the settings of the environment. It knows no platform. */
public final class Contender implements AutoCloseable {

    private static final String PATH = "/app/leader";

    private final ElectionClient client;
    private final LeaderLatch latch;

    public Contender() {
        this(System.getenv());
    }

    private Contender(Map<String, String> settings) {
        client = ElectionClient.builder().from(settings).build();
        latch = new LeaderLatch(client, PATH, settings.get("QUORATE_NODE_ID"));
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                Console.say("leads " + latch.fencingToken());
            }

            @Override
            public void notLeader() {
                Console.say("rests");
            }
        });
    }

    /** Waits for the port and the files. */
    public void start() throws Exception {
        Console.say("uses " + Console.jarOf(LoggerFactory.class));
        latch.start();
        client.start();
        Console.say("started");
    }

    /** Hands leadership over. */
    @Override
    public void close() {
        client.close();
        Console.say("closed");
    }
}
