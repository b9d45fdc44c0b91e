package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ElectionClient;
import io.quorate.Health;
import io.quorate.Health.Readiness;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.Profile;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.HighestUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** ADR-0084: a client on standby, or one that is not eligible, leads only where nobody else can. */
class StandbyTest {

    private static final String PATH = "/app/leader";
    private static final Duration LEASE = Profile.DEFAULT.supportDuration();
    private static final Duration HEARTBEAT = Profile.DEFAULT.heartbeat();

    private SimulatedCluster cluster = new SimulatedCluster(settings());
    private final Map<String, LeaderLatch> latches = new LinkedHashMap<>();

    private static ClusterSettings settings() {
        return ClusterSettings.ofVoters(3).algorithm(new HighestUp());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private LeaderLatch latch(String node, String path) throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client(node), path, node, CloseMode.NOTIFY_LEADER);
        latch.start();
        latches.put(node, latch);
        return latch;
    }

    /** All contend on the path; answers who leads. */
    private String led() throws Exception {
        for (String node : cluster.nodes()) {
            latch(node, PATH);
        }
        String leader = cluster.awaitLeader(PATH);
        cluster.advance(LEASE.multipliedBy(3));
        return leader;
    }

    private ElectionClient client(String node) {
        return cluster.client(node);
    }

    private void isLedBy(String node) {
        assertThat(cluster.leader(PATH)).contains(node);
    }

    @ParameterizedTest
    @EnumSource
    void aLeaderOnStandbyHandsOverAtOnceAndRanksLast(RankOrder order) throws Exception {
        cluster.close();
        cluster = new SimulatedCluster(settings().rankOrder(order));
        String first = led();
        client(first).standby(true);
        cluster.advance(Duration.ofMillis(50));
        String second = cluster.leader(PATH).orElseThrow();
        assertThat(second).isNotEqualTo(first);
        cluster.advance(LEASE);
        // All see the new order.
        for (LeaderLatch latch : latches.values()) {
            assertThat(latch.getParticipants()).hasSize(3);
            assertThat(List.copyOf(latch.getParticipants()).get(2).getId()).isEqualTo(first);
        }
        latches.get(second).close();
        cluster.advance(LEASE);
        assertThat(cluster.leader(PATH).orElseThrow()).isNotEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource
    void aNodeOnStandbyIsNotElectedAfterACrash(RankOrder order) throws Exception {
        cluster.close();
        cluster = new SimulatedCluster(settings().rankOrder(order).seed(7));
        String first = led();
        List<String> others =
                cluster.nodes().stream().filter(node -> !node.equals(first)).toList();
        for (String onStandby : others) {
            client(onStandby).standby(true);
            cluster.advance(LEASE);
            cluster.crash(first);
            String next = cluster.awaitLeader(PATH);
            assertThat(next).isNotEqualTo(first).isNotEqualTo(onStandby);
            client(onStandby).standby(false);
            cluster.restart(first);
            latch(first, PATH);
            cluster.advance(LEASE.multipliedBy(3));
            latches.get(next).resign();
            cluster.awaitLeaderOtherThan(next, PATH);
            if (cluster.leader(PATH).filter(first::equals).isEmpty()) {
                latches.get(cluster.leader(PATH).orElseThrow()).transferTo(first);
                cluster.awaitUntil(
                        first + " leads",
                        () -> cluster.leader(PATH).filter(first::equals).isPresent());
            }
        }
    }

    // Exclusion would leave the path without a leader: redpanda#23973.
    @Test
    void whereNobodyElseContendsItLeadsAllTheSame() throws Exception {
        client("n1").standby(true);
        latch("n1", PATH);
        assertThat(cluster.awaitLeader(PATH)).isEqualTo("n1");
        cluster.advance(LEASE.multipliedBy(5));
        isLedBy("n1");
        assertThat(cluster.log()).hasSize(1);
        // Until somebody comes who is eligible, and has been up for two support times.
        latch("n2", PATH);
        cluster.awaitUntil(
                "n2 leads", LEASE.multipliedBy(3), () -> latches.get("n2").hasLeadership());
    }

    @Test
    void whereAllAreOnStandbyTheLeaderStays() throws Exception {
        String leader = led();
        cluster.nodes().stream().filter(node -> !node.equals(leader)).forEach(node -> client(node)
                .standby(true));
        cluster.advance(LEASE);
        client(leader).standby(true);
        cluster.advance(LEASE.multipliedBy(5));
        isLedBy(leader);
        assertThat(cluster.log()).hasSize(1);
        cluster.crash(leader);
        cluster.awaitLeaderOtherThan(leader, PATH);
    }

    @Test
    void nodeBackFromStandbyKeepsItsRankAndPreemptsNoLeader() throws Exception {
        String first = led();
        client(first).standby(true);
        String second = cluster.awaitLeaderOtherThan(first, PATH);
        client(first).standby(false);
        cluster.advance(LEASE.multipliedBy(4));
        isLedBy(second);
        latches.get(second).close();
        cluster.advance(LEASE);
        isLedBy(first);
    }

    @Test
    void standbyBeforeTheStartHolds() throws Exception {
        cluster.close();
        cluster = new SimulatedCluster(settings().clientsAreStartedByTheTest());
        client("n1").standby(true);
        cluster.nodes().forEach(node -> client(node).start());
        // Whoever came first may have led alone; it has made way by now.
        led();
        assertThat(cluster.leader(PATH).orElseThrow()).isNotEqualTo("n1");
    }

    @Test
    void manyPathsAreHandedOverInSmallSteps() throws Exception {
        int paths = 40;
        client("n2").blockUntilConnected();
        client("n1").blockUntilConnected();
        for (int i = 0; i < paths; i++) {
            new LeaderLatch(client("n1"), "/many" + i, "n1").start();
        }
        cluster.awaitUntil("n1 leads all", () -> client("n1").health().leads().size() == paths);
        for (int i = 0; i < paths; i++) {
            new LeaderLatch(client("n2"), "/many" + i, "n2").start();
        }
        cluster.advance(LEASE.multipliedBy(3));
        client("n1").standby(true);
        cluster.advance(Duration.ofMillis(10));
        assertThat(client("n1").health().leads()).hasSize(paths - 16);
        cluster.advance(HEARTBEAT);
        assertThat(client("n1").health().leads()).hasSize(paths - 32);
        cluster.advance(HEARTBEAT);
        assertThat(client("n1").health().leads()).isEmpty();
        assertThat(client("n2").health().leads()).hasSize(paths);
    }

    // Of a hundred thousand contenders, each heartbeat looks at some thousands.
    @Test
    void leaderBehindThousandsOfOthersMakesWay() throws Exception {
        client("n2").blockUntilConnected();
        client("n1").blockUntilConnected();
        for (int i = 0; i < 4_100; i++) {
            new LeaderLatch(client("n1"), "/alone" + i, "n1").start();
        }
        latch("n1", PATH);
        cluster.awaitUntil("n1 leads all", () -> client("n1").health().leads().size() == 4_101);
        latch("n2", PATH);
        cluster.advance(LEASE.multipliedBy(3));
        client("n1").standby(true);
        cluster.advance(Duration.ofMillis(10));
        isLedBy("n1");
        cluster.advance(HEARTBEAT.multipliedBy(2));
        isLedBy("n2");
        assertThat(client("n1").health().leads()).hasSize(4_100);
    }

    @Test
    void leadershipIsNotTransferredToWhoeverWouldHandItOverAtOnce() throws Exception {
        String leader = led();
        String other = cluster.nodes().stream()
                .filter(node -> !node.equals(leader))
                .findFirst()
                .orElseThrow();
        client(other).standby(true);
        cluster.advance(LEASE);
        CompletableFuture<Void> refused = latches.get(leader).transferTo(other).toCompletableFuture();
        cluster.awaitUntil("it is refused", refused::isDone);
        assertThatThrownBy(refused::get)
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("leadership of /app/leader cannot be transferred to '" + other
                        + "': it ranks last, on standby or after failures, while others do not");
        isLedBy(leader);
        // Where all rank last, nobody has to make way.
        cluster.nodes().forEach(node -> client(node).standby(true));
        cluster.advance(LEASE);
        String last = cluster.leader(PATH).orElseThrow();
        String next = last.equals(other) ? leader : other;
        CompletableFuture<Void> done = latches.get(last).transferTo(next).toCompletableFuture();
        cluster.awaitUntil("it is transferred", done::isDone);
        assertThat(done).isCompleted();
        cluster.advance(LEASE.multipliedBy(3));
        isLedBy(next);
    }

    @Test
    void healthAndExplanationsSayWhy() throws Exception {
        String first = led();
        LeaderLatch latch = latches.get(first);
        assertThat(latch.explain().reason()).doesNotContain("ranks last");
        client(first).standby(true);
        cluster.awaitLeaderOtherThan(first, PATH);
        cluster.advance(LEASE);
        assertThat(latch.explain().reason())
                .contains("it waits as number 3 of 3")
                .endsWith("; it ranks last: its client is on standby");
        Health health = client(first).health();
        assertThat(health.state()).isEqualTo(Health.State.STANDBY);
        assertThat(health.reason())
                .isEqualTo("a majority of voters supports this node; it ranks last: its client is on standby");
        assertThat(health.isLive()).isTrue();
        assertThat(health.isReady(Readiness.JOINED)).isTrue();
        assertThat(health.isReady(Readiness.CONNECTED)).isTrue();
        cluster.isolate(first);
        cluster.advance(LEASE.multipliedBy(2));
        assertThat(client(first).health().state()).isEqualTo(Health.State.DISCONNECTED);
        cluster.heal();
        client(first).standby(false);
        cluster.awaitUntil("it is up", () -> client(first).health().state() == Health.State.UP);
        assertThat(latch.explain().reason()).doesNotContain("ranks last");
    }

    // ---------------------------------------------------------------- eligibleWhile

    @Test
    void ineligibleLeaderHandsOverWithinTwoHeartbeats() throws Exception {
        String first = led();
        AtomicBoolean isEligible = new AtomicBoolean(true);
        AtomicInteger asked = new AtomicInteger();
        client(first).eligibleWhile(() -> {
            asked.incrementAndGet();
            return isEligible.get();
        });
        cluster.advance(HEARTBEAT.multipliedBy(10));
        assertThat(asked.get()).isBetween(10, 11);
        isLedBy(first);
        isEligible.set(false);
        cluster.advance(HEARTBEAT.multipliedBy(2));
        assertThat(cluster.leader(PATH).orElseThrow()).isNotEqualTo(first);
        assertThat(latches.get(first).explain().reason())
                .endsWith("; it ranks last: its application says that it is not eligible");
        assertThat(client(first).health().state()).isEqualTo(Health.State.STANDBY);
        isEligible.set(true);
        cluster.advance(HEARTBEAT.multipliedBy(2));
        assertThat(client(first).health().state()).isEqualTo(Health.State.UP);
        // Standby is a wish of its own.
        client(first).standby(true);
        cluster.advance(HEARTBEAT.multipliedBy(2));
        assertThat(client(first).health().reason()).endsWith("its client is on standby");
        // Nobody is asked any more.
        client(first).close();
        int before = asked.get();
        cluster.advance(HEARTBEAT.multipliedBy(5));
        assertThat(asked).hasValue(before);
    }

    @Test
    void aSupplierThatThrowsCountsAsNoAndIsLoggedOnce() throws Exception {
        String first = led();
        AtomicBoolean isBroken = new AtomicBoolean(true);
        try (CapturedLog log = new CapturedLog()) {
            client(first).eligibleWhile(() -> {
                if (isBroken.get()) {
                    throw new IllegalStateException("no database");
                }
                return true;
            });
            cluster.advance(HEARTBEAT.multipliedBy(20));
            assertThat(cluster.leader(PATH).orElseThrow()).isNotEqualTo(first);
            assertThat(latches.get(first).explain().reason()).contains("no database");
            assertThat(log.lines("supplier of eligibleWhile")).hasSize(1);
        }
        isBroken.set(false);
        cluster.advance(HEARTBEAT.multipliedBy(2));
        assertThat(client(first).health().state()).isEqualTo(Health.State.UP);
    }

    // In virtual time what the test's thread waits for in a callback lets time pass: it is asked no second time.
    @Test
    void aSupplierThatBlocksCostsNoLeaseAndCountsAsNo() throws Exception {
        String first = led();
        AtomicInteger asked = new AtomicInteger();
        List<String> meanwhile = new ArrayList<>();
        try (CapturedLog log = new CapturedLog()) {
            client(first).eligibleWhile(() -> {
                if (asked.incrementAndGet() == 1) {
                    cluster.advance(HEARTBEAT.multipliedBy(20));
                    meanwhile.add(cluster.leader(PATH).orElse("nobody"));
                    meanwhile.add(client(first).health().toString());
                    meanwhile.add(Integer.toString(asked.get()));
                }
                return true;
            });
            cluster.advance(HEARTBEAT.multipliedBy(2));
            assertThat(log.lines("supplier of eligibleWhile", "has not answered within four heartbeats"))
                    .hasSize(1);
        }
        assertThat(meanwhile.get(0)).isNotEqualTo(first).isNotEqualTo("nobody");
        assertThat(meanwhile.get(1)).startsWith("STANDBY: ").contains("has not answered within four heartbeats");
        assertThat(meanwhile.get(2)).isEqualTo("1");
        // It answers again.
        assertThat(client(first).health().state()).isEqualTo(Health.State.UP);
    }

    @Test
    void aSupplierThatTakesSomeHeartbeatsIsWaitedFor() throws Exception {
        String first = led();
        List<String> meanwhile = new ArrayList<>();
        client(first).eligibleWhile(() -> {
            if (meanwhile.isEmpty()) {
                cluster.advance(HEARTBEAT.multipliedBy(3));
                meanwhile.add(client(first).health().state().toString());
            }
            return true;
        });
        cluster.advance(HEARTBEAT);
        assertThat(meanwhile).containsExactly("UP");
        isLedBy(first);
    }

    @Test
    void nobodyIsNoSupplier() {
        assertThatNullPointerException().isThrownBy(() -> client("n1").eligibleWhile(null));
    }
}
