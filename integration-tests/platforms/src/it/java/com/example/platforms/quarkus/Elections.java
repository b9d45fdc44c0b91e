package com.example.platforms.quarkus;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** A client and a latch that the application makes by itself. */
@ApplicationScoped
public class Elections {

    @Produces
    @Singleton
    ElectionClient client() {
        return ElectionClient.builder().from(System.getenv()).build();
    }

    @Produces
    @Singleton
    LeaderLatch latch(ElectionClient client) {
        return new LeaderLatch(client, "/app/leader", client.nodeId());
    }

    void onStart(@Observes StartupEvent event, ElectionClient client, LeaderLatch latch) throws Exception {
        latch.start();
        client.start(); // waits for its port and its files, not for other nodes
    }

    void onStop(@Observes ShutdownEvent event, ElectionClient client) {
        client.close(); // hands leadership over
    }
}
