package com.example.modular;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.testkit.FakeLeaderLatch;
import io.quorate.testkit.SimulatedCluster;
import java.io.PrintWriter;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Latch, kit and conformance in a named module: ends with an exception if one of them does not work. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) throws Exception {
        latch();
        kit();
        conformance();
    }

    /** The algorithm and the transport are found as services. */
    private static void latch() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (ElectionClient client = ElectionClient.builder()
                        .nodeId("n1")
                        .peers("n1=127.0.0.1:" + port)
                        .build();
                LeaderLatch latch = new LeaderLatch(client, "/jobs/nightly")) {
            client.start();
            latch.start();
            check(latch.await(600, TimeUnit.SECONDS), "the only node leads");
        }
    }

    private static void kit() throws Exception {
        try (SimulatedCluster cluster = SimulatedCluster.ofVoters(3);
                LeaderLatch latch = new LeaderLatch(cluster.client("n1"), "/jobs/nightly")) {
            latch.start();
            check(cluster.awaitLeader("/jobs/nightly").equals("n1"), "the only contender leads");
        }
        FakeLeaderLatch fake = new FakeLeaderLatch("/jobs/nightly");
        fake.start();
        fake.grant();
        check(fake.hasLeadership(), "the fake leads");
    }

    private static void conformance() {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(BallotConformance.class))
                                .build(),
                        listener);
        listener.getSummary().printFailuresTo(new PrintWriter(System.err));
        check(listener.getSummary().getTestsFoundCount() > 10, "the tests are found");
        check(listener.getSummary().getTotalFailureCount() == 0, "all of them pass");
    }

    private static void check(boolean isTrue, String what) {
        if (!isTrue) {
            throw new IllegalStateException("not so: " + what);
        }
    }
}
