package com.example.quarkus;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.scheduler.Scheduled;
import io.quorate.LeaderLatch;
import io.quorate.Leadership;
import io.quorate.cdi.LeaderPath;
import io.quorate.cdi.NotLeader;
import io.quorate.leaderonly.LeaderOnly;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;

/** A scheduled job that runs on one of the processes. */
@QuarkusMain
public class QuarkusApp {

    private static final String PATH = "/examples/quarkus";

    /** The job. */
    @ApplicationScoped
    static class Reports {

        @Inject
        @LeaderPath(PATH)
        LeaderLatch latch;

        @Scheduled(every = "1s", skipExecutionIf = NotLeader.class)
        @LeaderOnly(PATH)
        void write() {
            Optional<Leadership> leadership = latch.leadership();
            leadership.ifPresent(each -> System.out.println("writes a report with token " + each.fencingToken()));
        }
    }

    /** The environment has its node id, its peers and its data directory. */
    public static void main(String[] arguments) {
        Quarkus.run(arguments);
    }
}
