package io.quorate.testkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.Participant;
import io.quorate.testkit.simulation.HighestUp;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Callbacks in virtual time: when they run, on which thread, and what they may do. */
class SimulatedCallbacksTest {

    private static final String PATH = "/p";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));

    @AfterEach
    void close() {
        cluster.close();
    }

    private LeaderLatch latch(String node, String path, RecordingListener notes) throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client(node), path, node, CloseMode.NOTIFY_LEADER);
        latch.addListener(notes);
        latch.start();
        return latch;
    }

    @Test
    void theyRunInOrderOnTheTestsThreadWhileTimePasses() throws Exception {
        RecordingListener notes = new RecordingListener();
        LeaderLatch latch = latch("n1", PATH, notes);
        cluster.awaitLeader(PATH);
        cluster.isolate("n1");
        cluster.advance(SECOND.multipliedBy(2));
        cluster.heal();
        cluster.advance(SECOND.multipliedBy(3));
        assertThat(notes.events).containsExactly("isLeader", "notLeader", "isLeader");
        latch.close();
        assertThat(notes.events)
                .as("it has run when close returns")
                .hasSize(4)
                .last()
                .isEqualTo("notLeader");
        assertThat(notes.threads).containsOnly(Thread.currentThread());
    }

    @Test
    void aNotLeaderThatDoesNotReturnKeepsTheLatchOutForThirtySeconds() throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client("n1"), PATH);
        List<Runnable> neverRun = new ArrayList<>();
        latch.addListener(new RecordingListener(), neverRun::add);
        latch.start();
        cluster.awaitLeader(PATH);
        assertThat(latch.resign()).isTrue();
        cluster.advance(SECOND.multipliedBy(29));
        assertThat(cluster.leader(PATH)).isEmpty();
        cluster.advance(SECOND.multipliedBy(3));
        assertThat(latch.hasLeadership()).isTrue();
        assertThat(neverRun).isNotEmpty();
    }

    @Test
    void aCallbackMayCloseItsLatchAndItsClient() throws Exception {
        List<LeaderLatch> own = new ArrayList<>();
        RecordingListener notes = new RecordingListener() {
            @Override
            public void isLeader() {
                super.isLeader();
                try {
                    own.get(0).close();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                cluster.client("n1").close();
                note("closed");
            }
        };
        own.add(latch("n1", PATH, notes));
        cluster.awaitUntil("it is all over", () -> notes.events.size() == 3);
        assertThat(notes.events).containsExactly("isLeader", "closed", "notLeader");
        assertThat(cluster.leader(PATH)).isEmpty();
        RecordingListener next = new RecordingListener();
        latch("n2", PATH, next).await();
        cluster.advance(Duration.ZERO);
        assertThat(next.events).containsExactly("isLeader");
    }

    // It waits for answers that only the passing of time can bring.
    @Test
    void aCallbackMayAskAndWait() throws Exception {
        latch("n2", "/other", new RecordingListener()).await();
        List<Object> answers = new ArrayList<>();
        List<LeaderLatch> own = new ArrayList<>();
        own.add(latch("n1", PATH, new RecordingListener() {
            @Override
            public void isLeader() {
                try {
                    answers.add(own.get(0).hasLeadership());
                    answers.add(own.get(0).getLeader());
                    answers.add(new LeaderLatch(cluster.client("n1"), "/other").getLeader());
                    answers.add(new LeaderLatch(cluster.client("n3"), "/other")
                            .getParticipants()
                            .size());
                    LeaderLatch second = latch("n1", "/second", new RecordingListener());
                    second.await();
                    answers.add(second.hasLeadership());
                    cluster.client("n1").blockUntilConnected();
                } catch (Exception e) {
                    answers.add(e);
                }
            }
        }));
        cluster.awaitLeader(PATH);
        cluster.advance(SECOND.multipliedBy(3));
        assertThat(answers).containsExactly(true, new Participant("n1", true), new Participant("n2", true), 1, true);
    }

    // While its isLeader waits, the latch loses leadership; notLeader waits for the end of it, other latches do not.
    @Test
    void callbacksOfOneLatchNeverOverlap() throws Exception {
        List<String> told = new ArrayList<>();
        RecordingListener other = new RecordingListener("other ", told);
        List<LeaderLatch> never = new ArrayList<>();
        RecordingListener notes = new RecordingListener(told) {
            @Override
            public void isLeader() {
                note("begin");
                cluster.isolate("n1");
                try {
                    // Justification: virtual time, which passes by itself.
                    never.get(0).await(3, SECONDS);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                note("end");
            }
        };
        latch("n2", "/other", new RecordingListener()).await();
        never.add(latch("n1", "/other", new RecordingListener()));
        LeaderLatch latch = latch("n1", PATH, notes);
        // So that n1 is the first in the queue, and does not lead yet.
        cluster.advance(Duration.ofMillis(2));
        assertThat(told).isEmpty();
        latch("n3", PATH, other);
        cluster.advance(SECOND.multipliedBy(10));
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(told).containsExactly("begin", "other isLeader", "end", "notLeader");
    }

    @Test
    void anExecutorOfTheApplicationIsUsed() throws Exception {
        RecordingListener notes = new RecordingListener();
        List<Runnable> handed = new ArrayList<>();
        LeaderLatch latch = new LeaderLatch(cluster.client("n1"), PATH);
        latch.addListener(notes, handed::add);
        latch.start();
        cluster.awaitLeader(PATH);
        cluster.advance(SECOND);
        assertThat(handed).hasSize(1);
        assertThat(notes.events).isEmpty();
        handed.get(0).run();
        assertThat(notes.events).containsExactly("isLeader");
    }

    // What waits for a paused process is called after it, and what waits for a crashed one is not called at all.
    @Test
    void theyWaitWhileTheProcessIsPausedAndEndWithIt() throws Exception {
        RecordingListener paused = new RecordingListener();
        LeaderLatch latch = latch("n1", PATH, paused);
        cluster.awaitLeader(PATH);
        cluster.advance(SECOND);
        cluster.pause("n1");
        latch.close();
        cluster.advance(SECOND);
        assertThat(paused.events).containsExactly("isLeader");
        cluster.resume("n1");
        cluster.advance(Duration.ZERO);
        assertThat(paused.events).containsExactly("isLeader", "notLeader");

        RecordingListener crashed = new RecordingListener();
        LeaderLatch lost = latch("n1", "/lost", crashed);
        lost.await();
        lost.resign();
        cluster.crash("n1");
        cluster.advance(SECOND);
        assertThat(crashed.events).doesNotContain("notLeader");
    }
}
