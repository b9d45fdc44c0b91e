package io.quorate.complaints;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ConnectionState;
import io.quorate.ConnectionStateErrorPolicy;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.SessionConnectionStateErrorPolicy;
import io.quorate.StandardConnectionStateErrorPolicy;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What an application is told around an outage of its leader, of every length up to two support times: in the order
 * that Curator's contract gives, and nothing about leadership if the lease covers it.
 */
class OutageOrderTest {

    private static final String PATH = "/app/leader";
    private static final int STEP_MILLIS = 10;
    /** Algorithms and policies take the lengths in turns: each case every third one. */
    private static final int TURNS = 3;

    private static final int SUPPORT_MILLIS = 1000;
    /** Three heartbeats without an answer are a suspension: one of them may be under way when the outage begins. */
    private static final int NEVER_SUSPENDED_MILLIS = 190;

    private static final int ALWAYS_SUSPENDED_MILLIS = 610;
    /** The outage that a leader survives: docs/settings.md#profiles. */
    private static final int COVERED_MILLIS = 590;

    private static final Duration QUIET = Duration.ofMillis(2_337);

    /** What one node's application was told, in order: the names of connection states, isLeader, notLeader. */
    private static final class Application implements LeaderLatchListener {
        private final List<String> told = new ArrayList<>();
        private boolean leads;
        private ConnectionState connection;

        @Override
        public void isLeader() {
            told.add("isLeader");
            leads = true;
        }

        @Override
        public void notLeader() {
            told.add("notLeader");
            leads = false;
        }

        private void connectionIs(ConnectionState state) {
            told.add(state.name());
            connection = state;
        }
    }

    static Stream<Arguments> cases() {
        AtomicInteger turn = new AtomicInteger();
        return Contenders.algorithms().flatMap(algorithm -> {
            int first = turn.getAndIncrement() % TURNS * STEP_MILLIS;
            return Stream.of(
                    Arguments.of(algorithm, new SessionConnectionStateErrorPolicy(), first),
                    Arguments.of(algorithm, new StandardConnectionStateErrorPolicy(), first));
        });
    }

    @ParameterizedTest
    @MethodSource("cases")
    void reconnectedComesBeforeLeadership(ElectionAlgorithm algorithm, ConnectionStateErrorPolicy policy, int first)
            throws Exception {
        boolean keeps = !policy.isErrorState(ConnectionState.SUSPENDED);
        try (SimulatedCluster cluster = new SimulatedCluster(
                ClusterSettings.ofVoters(3).algorithm(algorithm).connectionStateErrorPolicy(policy))) {
            Map<String, Application> applications = new LinkedHashMap<>();
            for (String node : cluster.nodes()) {
                Application application = new Application();
                applications.put(node, application);
                cluster.client(node)
                        .getConnectionStateListenable()
                        .addListener((client, state) -> application.connectionIs(state));
                LeaderLatch latch = new LeaderLatch(cluster.client(node), PATH, node);
                latch.addListener(application);
                latch.start();
            }
            cluster.advance(Duration.ofSeconds(3));
            for (int millis = first; millis <= 2 * SUPPORT_MILLIS; millis += TURNS * STEP_MILLIS) {
                applications.values().forEach(application -> application.told.clear());
                String leader = cluster.leader(PATH).orElseThrow();
                cluster.isolate(leader);
                cluster.advance(Duration.ofMillis(millis));
                cluster.heal();
                cluster.advance(QUIET);
                String what = "after " + millis + " ms " + applications.get(leader).told;
                applications.forEach((node, application) -> check(application, what + " at " + node));
                Application former = applications.get(leader);
                if (millis <= COVERED_MILLIS && keeps || millis <= NEVER_SUSPENDED_MILLIS) {
                    assertThat(former.told).as(what).doesNotContain("isLeader", "notLeader");
                }
                if (millis >= ALWAYS_SUSPENDED_MILLIS) {
                    assertThat(former.told).as(what).startsWith("SUSPENDED").contains("RECONNECTED");
                }
                long tenures = applications.values().stream()
                        .mapToLong(
                                a -> a.told.stream().filter("isLeader"::equals).count())
                        .sum();
                assertThat(tenures).as(what + ": leadership that begins stays").isLessThanOrEqualTo(1);
            }
        }
    }

    private static void check(Application application, String what) {
        String connection = "CONNECTED";
        for (String next : application.told) {
            switch (next) {
                case "SUSPENDED" -> assertThat(connection).as(what).isIn("CONNECTED", "RECONNECTED");
                case "LOST" -> assertThat(connection).as(what).isEqualTo("SUSPENDED");
                case "RECONNECTED" -> assertThat(connection).as(what).isIn("SUSPENDED", "LOST");
                case "isLeader" -> assertThat(connection).as(what).isIn("CONNECTED", "RECONNECTED");
                default -> assertThat(next).isEqualTo("notLeader");
            }
            connection = next.endsWith("eader") ? connection : next;
        }
        assertThat(application.leads && !application.connection.isConnected())
                .as(what)
                .isFalse();
    }
}
