package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatchListener;
import io.quorate.Profile;
import io.quorate.spi.Problem;
import io.quorate.testkit.simulation.HighestUp;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ADR-0084: an application whose isLeader callback throws again and again lets others lead for a while. */
class FailingLeaderTest {

    private static final String PATH = "/app/leader";
    private static final Duration LEASE = Profile.DEFAULT.supportDuration();
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));
    private final AtomicBoolean fails = new AtomicBoolean(true);
    private LeaderLatch failing;
    private LeaderLatch other;

    @BeforeEach
    void theFailingOneLeads() throws Exception {
        failing = latch("n1");
        failing.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                if (fails.get()) {
                    throw new IllegalStateException("no database");
                }
            }

            @Override
            public void notLeader() {
                // Nothing has begun.
            }
        });
        cluster.awaitLeader(PATH);
        other = latch("n2");
        cluster.advance(LEASE.multipliedBy(3));
        assertThat(failing.hasLeadership()).isTrue();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private LeaderLatch latch(String node) throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client(node), PATH, node, CloseMode.NOTIFY_LEADER);
        latch.start();
        return latch;
    }

    /** The other one leads and gives leadership back. */
    private void leadsAgain() {
        if (failing.hasLeadership()) {
            failing.transferTo("n2");
        }
        cluster.awaitUntil("n2 leads", () -> other.hasLeadership());
        cluster.advance(LEASE);
        other.transferTo("n1");
        cluster.awaitUntil("n1 leads", () -> failing.hasLeadership());
        cluster.advance(LEASE);
    }

    @Test
    void afterThreeTenuresInARowItHandsOverAndRanksLastForAWhile() {
        leadsAgain();
        assertThat(failing.hasLeadership())
                .as("in the second it leads all the same")
                .isTrue();
        try (CapturedLog log = CapturedLog.atInfo(io.quorate.runtime.ElectionDriver.class)) {
            failing.transferTo("n2");
            cluster.awaitUntil("n2 leads", () -> other.hasLeadership());
            cluster.advance(LEASE);
            other.transferTo("n1");
            cluster.awaitUntil("n1 leads", () -> failing.hasLeadership());
            cluster.awaitUntil("n2 leads", LEASE, () -> other.hasLeadership());
            cluster.advance(LEASE);
            assertThat(log.lines("ranks last for 10000 ms: its isLeader callback threw in 3 tenures in a row"))
                    .hasSize(1);
        }
        assertThat(failing.explain().reason())
                .contains("it ranks last: its isLeader callback threw in 3 tenures in a row, for ");
        cluster.advance(FIRST_PAUSE);
        assertThat(failing.explain().reason()).doesNotContain("ranks last");
        // It has its rank, and takes nothing away with that.
        assertThat(other.hasLeadership()).isTrue();
        // The fourth in a row: for twice as long.
        other.transferTo("n1");
        cluster.awaitUntil("n1 leads", () -> failing.hasLeadership());
        cluster.awaitUntil("n2 leads", LEASE, () -> other.hasLeadership());
        cluster.advance(FIRST_PAUSE.plus(LEASE));
        assertThat(failing.explain().reason()).contains("in 4 tenures in a row, for ");
        cluster.advance(FIRST_PAUSE);
        assertThat(failing.explain().reason()).doesNotContain("ranks last");
    }

    // As Curator's it leads on, so an operator has to hear of it.
    @Test
    void failuresAreNamedUntilTheTenureEnds() {
        String text =
                PATH + ": the isLeader callback of the leader threw java.lang.IllegalStateException, so the work of"
                        + " the leader may not run";
        assertThat(cluster.client("n1").problems()).containsExactly(new Problem(Problem.Kind.CALLBACK, text));
        assertThat(cluster.client("n1").health().reason()).endsWith("; " + text);
        assertThat(failing.explain().reason()).endsWith("; " + text);
        assertThat(cluster.client("n2").problems()).isEmpty();
        failing.transferTo("n2");
        cluster.awaitUntil("n2 leads", () -> other.hasLeadership());
        cluster.advance(LEASE);
        assertThat(cluster.client("n1").problems()).isEmpty();
        assertThat(failing.explain().reason()).doesNotContain("threw");
        fails.set(false);
        other.transferTo("n1");
        cluster.awaitUntil("n1 leads", () -> failing.hasLeadership());
        cluster.advance(LEASE);
        assertThat(cluster.client("n1").problems()).isEmpty();
    }

    @Test
    void leadersResignWhenTheyThrowIfTheyAreTold() {
        failing.resignIfListenerThrows(true);
        assertThat(failing.hasLeadership()).as("from the next callback on").isTrue();
        failing.transferTo("n2");
        cluster.awaitUntil("n2 leads", () -> other.hasLeadership());
        cluster.advance(LEASE);
        other.transferTo("n1");
        cluster.awaitUntil("n2 does not lead", () -> !other.hasLeadership());
        cluster.awaitUntil("n2 leads again", LEASE, () -> other.hasLeadership());
        cluster.advance(LEASE.multipliedBy(3));
        assertThat(other.hasLeadership()).isTrue();
        // Once it is repaired it leads on.
        fails.set(false);
        other.transferTo("n1");
        cluster.awaitUntil("n1 leads", () -> failing.hasLeadership());
        cluster.advance(LEASE.multipliedBy(3));
        assertThat(failing.hasLeadership()).isTrue();
    }

    // It would otherwise lead again within milliseconds, and throw again.
    @Test
    void leadersThatThrowAndResignAloneDoNotSpin() throws Exception {
        other.close(CloseMode.SILENT);
        AtomicInteger tenures = new AtomicInteger();
        failing.resignIfListenerThrows(true);
        failing.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                tenures.incrementAndGet();
            }

            @Override
            public void notLeader() {
                // Nothing has begun.
            }
        });
        failing.resign();
        cluster.advance(Duration.ofMinutes(1));
        assertThat(tenures.get()).isBetween(3, 6);
        assertThat(failing.hasLeadership()).isFalse();
        assertThat(failing.explain().reason()).contains("or it pauses because isLeader threw");
        fails.set(false);
        cluster.awaitUntil("it leads again by itself", Duration.ofMinutes(2), () -> failing.hasLeadership());
    }

    // Its work is finished first, as before each planned end.
    @Test
    void leadersFinishTheirWorkBeforeTheyResign() {
        CompletableFuture<Void> work = new CompletableFuture<>();
        failing.resignIfListenerThrows(true);
        failing.drain(leadership -> work, Duration.ofMinutes(10));
        failing.transferTo("n2");
        work.complete(null);
        cluster.awaitUntil("n2 leads", () -> other.hasLeadership());
        cluster.advance(LEASE);
        CompletableFuture<Void> next = new CompletableFuture<>();
        failing.drain(leadership -> next, Duration.ofMinutes(10));
        other.transferTo("n1");
        cluster.awaitUntil("n1 leads", () -> failing.hasLeadership());
        cluster.advance(LEASE.multipliedBy(3));
        assertThat(failing.leadership().orElseThrow().isLeaving()).isTrue();
        next.complete(null);
        cluster.awaitUntil("n2 leads", LEASE, () -> other.hasLeadership());
    }

    @Test
    void itMakesWayForAnotherLatchOfItsOwnNode() throws Exception {
        other.close();
        LeaderLatch sibling = new LeaderLatch(cluster.client("n1"), PATH, "sibling", CloseMode.NOTIFY_LEADER);
        sibling.start();
        cluster.advance(LEASE);
        for (int tenure = 2; tenure <= 3; tenure++) {
            failing.transferTo("sibling");
            cluster.awaitUntil("the sibling leads", sibling::hasLeadership);
            cluster.advance(LEASE);
            sibling.transferTo("n1");
            cluster.awaitUntil("n1 leads", () -> failing.hasLeadership());
        }
        cluster.awaitUntil("the sibling leads", LEASE, sibling::hasLeadership);
    }

    @Test
    void aTenureThatBeginsWellStartsTheCountAnew() {
        leadsAgain();
        fails.set(false);
        leadsAgain();
        fails.set(true);
        leadsAgain();
        leadsAgain();
        assertThat(failing.hasLeadership()).isTrue();
        assertThat(failing.explain().reason()).doesNotContain("ranks last");
    }

    @Test
    void whereNobodyElseContendsItLeadsAllTheSame() throws Exception {
        leadsAgain();
        failing.transferTo("n2");
        cluster.awaitUntil("n2 leads", () -> other.hasLeadership());
        cluster.advance(LEASE);
        other.close();
        cluster.awaitUntil("n1 leads", () -> failing.hasLeadership());
        cluster.advance(LEASE.multipliedBy(4));
        assertThat(failing.hasLeadership()).isTrue();
        assertThat(failing.explain().reason()).startsWith("it leads").contains("it ranks last");
    }
}
