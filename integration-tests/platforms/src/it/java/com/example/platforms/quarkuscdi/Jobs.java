package com.example.platforms.quarkuscdi;

import com.example.platforms.application.Console;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.SkippedExecution;
import io.quorate.LeaderLatch;
import io.quorate.cdi.LeaderChanged;
import io.quorate.cdi.LeaderLatches;
import io.quorate.cdi.LeaderPath;
import io.quorate.cdi.LeadershipGained;
import io.quorate.cdi.LeadershipLost;
import io.quorate.cdi.NotLeader;
import io.quorate.leaderonly.LeaderOnly;
import io.vertx.ext.web.Router;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;

/** A job of 200 ms each second, a path that is led, and a page that says who leads it. */
@ApplicationScoped
public class Jobs {

    private static final String PATH = "/app/leader";

    @Inject
    LeaderLatches latches;

    @Inject
    @LeaderPath(PATH)
    LeaderLatch latch;

    /** The clock is that of the machine: whoever reads the lines of all processes sees whether two worked at once. */
    @Scheduled(every = "1s", skipExecutionIf = NotLeader.class)
    @LeaderOnly("/${app.name}/job")
    void run() throws InterruptedException {
        long token = latches.latch("/app/job")
                .leadership()
                .map(leadership -> leadership.fencingToken())
                .orElse(0L);
        Console.say("begin " + token + " " + System.nanoTime());
        Thread.sleep(200);
        Console.say("end " + token + " " + System.nanoTime());
    }

    /** Without a predicate the call itself is skipped. */
    @Scheduled(every = "1s")
    @LeaderOnly(PATH)
    void tick() {
        Console.say("ticks");
    }

    void skipped(@Observes SkippedExecution event) {
        Console.say("skipped");
    }

    void gained(@Observes @LeaderPath(PATH) LeadershipGained event) {
        Console.say("leads " + event.fencingToken());
    }

    void lost(@Observes @LeaderPath(PATH) LeadershipLost event) {
        Console.say("rests");
    }

    void changed(@Observes @LeaderPath(PATH) LeaderChanged event) {
        event.leader().ifPresent(leader -> Console.say("hears of " + leader));
    }

    void page(@Observes Router router) {
        router.get("/leader").handler(request -> request.response()
                .setStatusCode(latch.hasLeadership() ? 200 : 503)
                .end(latch.explain().toString()));
    }
}
