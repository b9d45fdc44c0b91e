package com.example.plain;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.Leadership;
import java.io.EOFException;
import java.util.Optional;

/** Writes a report after the other while it leads. */
public final class PlainApp {

    private PlainApp() {}

    /** The environment has its node id, its peers and its data directory. */
    public static void main(String[] arguments) throws Exception {
        ElectionClient client = ElectionClient.builder().from(System.getenv()).build();
        Runtime.getRuntime().addShutdownHook(new Thread(client::close));
        client.start();
        LeaderLatch latch = new LeaderLatch(client, "/examples/plain", client.nodeId());
        latch.start();
        try {
            while (true) {
                latch.await();
                Optional<Leadership> leadership = latch.leadership();
                if (leadership.isPresent()) {
                    System.out.println(
                            "writes a report with token " + leadership.get().fencingToken());
                }
                Thread.sleep(200);
            }
        } catch (EOFException e) {
            System.out.println("closed");
        }
    }
}
