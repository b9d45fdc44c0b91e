package com.example.docs;

import io.quarkus.scheduler.Scheduled;
import io.quorate.LeaderLatch;
import io.quorate.cdi.LeaderLatches;
import io.quorate.cdi.LeaderPath;
import io.quorate.cdi.LeadershipGained;
import io.quorate.cdi.LeadershipLost;
import io.quorate.cdi.NotLeader;
import io.quorate.leaderonly.LeaderOnly;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import org.eclipse.microprofile.reactive.messaging.Incoming;

/** The blocks of docs/quarkus.md, so that they compile. */
final class Examples {

    private Examples() {}

    interface Index {
        void open(long token);

        void close();
    }

    @ApplicationScoped
    public class Reports {

        @Inject
        LeaderLatches latches;

        @Scheduled(every = "1s", skipExecutionIf = NotLeader.class)
        @LeaderOnly("/app/reports")
        void send() {
            long token = latches.latch("/app/reports").fencingToken();
            System.out.println("sends the reports with token " + token);
        }
    }

    static class Orders {

        @Incoming("orders")
        @LeaderOnly("/app/orders")
        void receive(String order) {
            System.out.println("order " + order);
        }
    }

    static class Indexes {

        @Inject
        Index index;

        @Inject
        @LeaderPath("/app/index")
        LeaderLatch latch;

        void begin(@Observes @LeaderPath("/app/index") LeadershipGained event) {
            index.open(event.fencingToken());
        }

        void end(@Observes @LeaderPath("/app/index") LeadershipLost event) {
            index.close();
        }
    }
}
