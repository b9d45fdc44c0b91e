package io.quorate.tandem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.quorate.ElectionClient;
import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.Participant;
import io.quorate.Stage;
import io.quorate.client.LatchCallbacks;
import io.quorate.client.LatchContender;
import io.quorate.engine.Connection;
import io.quorate.engine.PathView;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.ManualExecutor;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.HighestUp;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One tandem or shadow per node, on the production driver in virtual time; the old side is the test's. */
class TandemLatchTest {

    private static final String PATH = "/app/leader";
    private static final String STAGES = "/app/leader/quorate-stages";
    private static final Duration SOON = Duration.ofMillis(1500);
    /** More than 25 heartbeats of the default profile, and an election. */
    private static final Duration PATIENCE = Duration.ofMillis(7000);

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).moving().algorithm(new HighestUp()));
    private final OldSideFake old = new OldSideFake();
    private final CapturedLog log = new CapturedLog();
    private final RecordingListener listener = new RecordingListener();

    @AfterEach
    void close() {
        cluster.close();
        log.close();
    }

    private TandemLatch tandem(String node) throws Exception {
        return started(new TandemLatch(old.member(node), cluster.client(node), PATH, node));
    }

    private TandemLatch shadow(String node) throws Exception {
        return started(TandemLatch.shadow(old.member(node), cluster.client(node), PATH, node));
    }

    private TandemLatch started(TandemLatch latch) throws Exception {
        if (latch.getId().equals("n1")) {
            latch.addListener(listener);
        }
        latch.start();
        cluster.advance(SOON);
        return latch;
    }

    @Test
    void itLeadsWhenBothDo() throws Exception {
        TandemLatch first = tandem("n1");
        assertThat(first.hasLeadership()).isTrue();
        assertThat(first.getState()).isEqualTo(LeaderLatch.State.STARTED);
        assertThat(first.isShadow()).isFalse();
        assertThat(cluster.leader(PATH)).contains("n1");
        assertThat(first.leadership().orElseThrow().fencingToken()).isEqualTo(first.fencingToken());
        assertThat(listener.events).containsExactly("isLeader");
    }

    @Test
    void itHasNotLedBeforeBothDo() throws Exception {
        cluster.isolate("n1");
        TandemLatch first = tandem("n1");
        assertThat(old.holder()).contains("n1");
        assertThat(first.hasLeadership()).isFalse();
        assertThat(first.leadership()).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(first::fencingToken)
                .withMessage("Not leading /app/leader: there is no fencing token");
        assertThat(listener.events).isEmpty();
    }

    @Test
    void onlyTheLeaderOfTheOldSideJoinsQuorate() throws Exception {
        tandem("n1");
        TandemLatch second = tandem("n2");
        assertThat(second.hasLeadership()).isFalse();
        try (LeaderLatch looks = new LeaderLatch(cluster.client("n3"), PATH)) {
            assertThat(looks.getParticipants()).extracting(Participant::getId).containsExactly("n1");
            looks.start();
        }
    }

    @Test
    void theOldSidesLossEndsItAtOnceAndFreesThePath() throws Exception {
        TandemLatch first = tandem("n1");
        TandemLatch second = tandem("n2");
        long token = first.fencingToken();
        old.member("n1").cut();
        assertThat(first.hasLeadership()).isFalse();
        assertThat(first.leadership()).isEmpty();
        cluster.advance(SOON);
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
        assertThat(second.hasLeadership()).isTrue();
        assertThat(second.fencingToken()).isGreaterThan(token);
    }

    @Test
    void quoratesLossEndsItAtOnce() throws Exception {
        TandemLatch first = tandem("n1");
        cluster.isolate("n1");
        cluster.awaitUntil("its lease is over", () -> !first.hasLeadership());
        assertThat(old.holder()).contains("n1");
        cluster.advance(Duration.ofMillis(500));
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void latchThatCannotLeadQuorateGivesUpTheOldSide() throws Exception {
        TandemLatch first = tandem("n1");
        TandemLatch second = tandem("n2");
        cluster.isolate("n1");
        cluster.advance(PATIENCE);
        assertThat(old.holder()).contains("n2");
        assertThat(second.hasLeadership()).isTrue();
        assertThat(old.member("n1").calls()).containsExactly("start", "close", "start");
        assertThat(log.lines("the companion has led for PT5S, and Quorate does not follow"))
                .hasSize(1);
        cluster.heal();
        old.member("n2").cut();
        cluster.advance(PATIENCE);
        assertThat(first.hasLeadership()).isTrue();
    }

    @Test
    void reportedLossStays() throws Exception {
        TandemLatch first = tandem("n1");
        long token = first.fencingToken();
        old.member("n1").flapUnseen(() -> assertThat(first.hasLeadership()).isFalse());
        assertThat(first.hasLeadership()).isFalse();
        cluster.advance(SOON);
        assertThat(first.fencingToken()).isGreaterThan(token);
        assertThat(listener.events).containsExactly("isLeader", "notLeader", "isLeader");
    }

    @Test
    void unreportedLossIsNotALoss() throws Exception {
        TandemLatch first = tandem("n1");
        old.member("n1").flapUnseen(() -> {});
        cluster.advance(SOON);
        assertThat(first.hasLeadership()).isTrue();
        assertThat(listener.events).containsExactly("isLeader");
    }

    @Test
    void aFlapThatItIsToldOfIsALoss() throws Exception {
        TandemLatch first = tandem("n1");
        old.member("n1").flap();
        assertThat(first.hasLeadership()).isFalse();
        cluster.advance(SOON);
        assertThat(first.hasLeadership()).isTrue();
        assertThat(listener.events).containsExactly("isLeader", "notLeader", "isLeader");
    }

    @Test
    void itDoesNotLeadBeforeNotLeaderHasReturned() throws Exception {
        TandemLatch first = tandem("n1");
        ManualExecutor slow = new ManualExecutor();
        first.addListener(new RecordingListener(), slow);
        old.member("n1").flap();
        cluster.advance(PATIENCE);
        assertThat(first.hasLeadership()).isFalse();
        assertThat(cluster.leader(PATH)).isEmpty();
        slow.runNext();
        cluster.advance(SOON);
        assertThat(first.hasLeadership()).isTrue();
    }

    @Test
    void aNotLeaderThatHangsDoesNotKeepItOut() throws Exception {
        TandemLatch first = tandem("n1");
        first.addListener(new RecordingListener(), new ManualExecutor());
        old.member("n1").flap();
        cluster.advance(Duration.ofSeconds(32));
        assertThat(first.hasLeadership()).isTrue();
        assertThat(log.lines("a notLeader callback has not returned for PT30S")).hasSize(1);
    }

    @Test
    void closingLeavesBothSidesAndTellsOnce() throws Exception {
        TandemLatch first = tandem("n1");
        TandemLatch second = tandem("n2");
        first.close();
        assertThat(first.hasLeadership()).isFalse();
        assertThat(first.getState()).isEqualTo(LeaderLatch.State.CLOSED);
        assertThat(old.member("n1").calls()).containsExactly("start", "close");
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
        assertThatIllegalStateException().isThrownBy(first::close);
        cluster.advance(SOON);
        assertThat(second.hasLeadership()).isTrue();
        assertThatIllegalStateException().isThrownBy(first::start).withMessage("Cannot be started more than once");
    }

    @Test
    void aCallbackMayCloseIt() throws Exception {
        TandemLatch first = new TandemLatch(old.member("n1"), cluster.client("n1"), PATH, "n1");
        first.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                first.closeAsync();
            }

            @Override
            public void notLeader() {
                listener.notLeader();
            }
        });
        started(first);
        assertThat(old.member("n1").calls()).containsExactly("start", "close");
        assertThat(listener.events).containsExactly("isLeader", "notLeader", "notLeader");
    }

    @Test
    void theClientClosesIt() throws Exception {
        TandemLatch first = tandem("n1");
        TandemLatch second = tandem("n2");
        cluster.client("n1").close();
        assertThat(first.hasLeadership()).isFalse();
        assertThat(old.member("n1").calls()).containsExactly("start", "close");
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
        first.close();
        cluster.advance(SOON);
        assertThat(second.hasLeadership()).isTrue();
        TandemLatch late = new TandemLatch(old.restarted("n1"), cluster.client("n1"), PATH, "n1");
        late.start();
        cluster.advance(SOON);
        assertThat(late.getState()).isEqualTo(LeaderLatch.State.CLOSED);
        assertThat(old.holder()).contains("n2");
    }

    @Test
    void theWorkOfALeaderIsFinishedBeforeItLeaves() throws Exception {
        TandemLatch first = tandem("n1");
        CompletableFuture<Void> report = new CompletableFuture<>();
        first.drain(leadership -> report, Duration.ofSeconds(40));
        CompletableFuture<Void> closed = first.closeAsync().toCompletableFuture();
        cluster.advance(Duration.ofSeconds(5));
        assertThat(first.hasLeadership()).isTrue();
        assertThat(first.leadership().orElseThrow().isLeaving()).isTrue();
        assertThat(cluster.client("n1").leaving()).containsKey(PATH);
        assertThat(old.holder()).contains("n1");
        report.complete(null);
        cluster.advance(SOON);
        assertThat(closed).isCompleted();
        assertThat(first.hasLeadership()).isFalse();
        assertThat(old.holder()).isEmpty();
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void theOldSidesLossCutsTheWork() throws Exception {
        TandemLatch first = tandem("n1");
        CompletableFuture<Void> report = new CompletableFuture<>();
        first.drain(leadership -> report, Duration.ofSeconds(40));
        CompletableFuture<Void> closed = first.closeAsync().toCompletableFuture();
        cluster.advance(Duration.ofSeconds(1));
        old.member("n1").cut();
        assertThat(first.hasLeadership()).isFalse();
        cluster.advance(SOON);
        assertThat(report).isCancelled();
        assertThat(closed).isCompleted();
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void theClientWaitsForTheWork() throws Exception {
        TandemLatch first = tandem("n1");
        CompletableFuture<Void> report = new CompletableFuture<>();
        first.drain(leadership -> report, Duration.ofSeconds(40));
        CompletableFuture<Void> closed = cluster.client("n1").closeAsync().toCompletableFuture();
        cluster.advance(Duration.ofSeconds(5));
        assertThat(first.hasLeadership()).isTrue();
        report.complete(null);
        cluster.advance(SOON);
        assertThat(closed).isCompleted();
        assertThat(old.member("n1").calls()).containsExactly("start", "close");
    }

    @Test
    void aCompanionThatDoesNotStartIsStartedAgain() throws Exception {
        old.member("n1").failsWith(new IllegalStateException("no session"));
        TandemLatch first = tandem("n1");
        assertThat(first.hasLeadership()).isFalse();
        assertThat(old.member("n1").calls()).containsExactly("start", "close");
        assertThat(log.lines("its companion did not start")).hasSize(1);
        old.member("n1").failsNoMore();
        cluster.advance(PATIENCE);
        assertThat(first.hasLeadership()).isTrue();
    }

    @Test
    void aShadowLeadsIfTheCompanionDoes() throws Exception {
        TandemLatch first = shadow("n1");
        assertThat(first.isShadow()).isTrue();
        assertThat(first.hasLeadership()).isTrue();
        assertThat(cluster.leader(PATH)).contains("n1");
        assertThat(first.leadership()).isEmpty();
        assertThat(cluster.client("n1").health().leads()).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(first::fencingToken)
                .withMessage("Not leading /app/leader: there is no fencing token");
        old.member("n1").cut();
        assertThat(first.hasLeadership()).isFalse();
        cluster.advance(SOON);
        assertThat(cluster.leader(PATH)).isEmpty();
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
        assertThat(first.differences()).isZero();
    }

    @Test
    void aShadowCountsWhatDiffersAndLeadsOn() throws Exception {
        TandemLatch first = shadow("n1");
        cluster.isolate("n1");
        cluster.advance(PATIENCE);
        assertThat(first.hasLeadership()).isTrue();
        assertThat(first.differences()).isEqualTo(1);
        assertThat(log.lines("difference 1: Quorate's leadership has ended, and the companion leads on"))
                .hasSize(1);
        assertThat(old.member("n1").calls()).containsExactly("start");
        assertThat(listener.events).containsExactly("isLeader");
    }

    @Test
    void aShadowThatQuorateDoesNotFollowSaysSo() throws Exception {
        cluster.isolate("n1");
        TandemLatch first = shadow("n1");
        cluster.advance(PATIENCE);
        assertThat(first.hasLeadership()).isTrue();
        assertThat(first.differences()).isZero();
        cluster.advance(PATIENCE);
        assertThat(first.differences()).isEqualTo(1);
        assertThat(log.lines("difference 1: the companion has led for PT5S, and Quorate does not follow"))
                .hasSize(1);
    }

    // What leads today must not wait for a client that is never started, or later than that.
    @Test
    void aShadowLeadsBeforeItsClientRuns() throws Exception {
        ClusterSettings settings =
                ClusterSettings.ofVoters(3).moving().algorithm(new HighestUp()).clientsAreStartedByTheTest();
        try (SimulatedCluster latent = new SimulatedCluster(settings)) {
            TandemLatch first = TandemLatch.shadow(old.member("n1"), latent.client("n1"), PATH, "n1");
            first.addListener(listener);
            first.start();
            latent.advance(PATIENCE);
            assertThat(first.hasLeadership()).isTrue();
            latent.nodes().forEach(node -> latent.client(node).start());
            latent.awaitUntil("Quorate follows", () -> latent.leader(PATH).equals(Optional.of("n1")));
            assertThat(latent.client("n1").stages()).hasToString("{/app/leader=shadow}");
            first.close();
            assertThat(listener.events).containsExactly("isLeader", "notLeader");
            assertThat(old.member("n1").calls()).containsExactly("start", "close");
        }
    }

    @Test
    void aShadowOfAClientThatIsClosedUnstartedEnds() throws Exception {
        ClusterSettings settings =
                ClusterSettings.ofVoters(3).moving().algorithm(new HighestUp()).clientsAreStartedByTheTest();
        try (SimulatedCluster latent = new SimulatedCluster(settings)) {
            TandemLatch first = TandemLatch.shadow(old.member("n1"), latent.client("n1"), PATH, "n1");
            first.addListener(listener);
            first.start();
            latent.advance(PATIENCE);
            assertThat(first.hasLeadership()).isTrue();
            latent.client("n1").close();
            assertThat(first.hasLeadership()).isFalse();
            assertThat(listener.events).containsExactly("isLeader", "notLeader");
            assertThat(old.member("n1").calls()).containsExactly("start", "close");
        }
    }

    @Test
    void aShadowThatResignsWhileItIsCutOffLeadsAgain() throws Exception {
        TandemLatch first = shadow("n1");
        cluster.advance(SOON);
        cluster.isolate("n1");
        assertThat(first.resign()).isTrue();
        cluster.advance(PATIENCE);
        assertThat(first.hasLeadership()).isTrue();
        assertThat(listener.events).containsExactly("isLeader", "notLeader", "isLeader");
    }

    @Test
    void aShadowThatBeginsWithoutAMajorityLeads() throws Exception {
        cluster.crash("n2");
        cluster.crash("n3");
        TandemLatch first = shadow("n1");
        cluster.advance(PATIENCE);
        assertThat(first.hasLeadership()).isTrue();
        cluster.advance(Duration.ofMinutes(2));
        assertThat(first.hasLeadership()).isTrue();
        assertThat(listener.events).containsExactly("isLeader");
    }

    @Test
    void aShadowHasNoTokenToTell() throws Exception {
        TandemLatch first = shadow("n1");
        FencedLeaderLatchListener fenced = token -> {};
        assertThatIllegalArgumentException()
                .isThrownBy(() -> first.addListener(fenced))
                .withMessageContaining("a shadow has no fencing token");
        assertThatIllegalArgumentException().isThrownBy(() -> first.addListener(fenced, new ManualExecutor()));
    }

    @Test
    void aTandemTellsItsToken() throws Exception {
        CompletableFuture<Long> told = new CompletableFuture<>();
        TandemLatch first = new TandemLatch(old.member("n1"), cluster.client("n1"), PATH, "n1");
        first.addListener((FencedLeaderLatchListener) told::complete);
        started(first);
        assertThat(told).isCompletedWithValue(first.fencingToken());
    }

    @Test
    void theStageSaysWhetherOneOfTwoLeads() throws Exception {
        TandemLatch first = tandem("n1");
        assertThat(first.hasLeadership()).isTrue();
        assertThat(cluster.client("n1").stages()).hasToString("{/app/leader=tandem}");
        cluster.isolate("n1");
        cluster.awaitUntil("its lease is over", () -> !first.hasLeadership());
        cluster.advance(Duration.ofMillis(100));
        assertThat(cluster.client("n1").stages().get(PATH).isOneOfTwo()).isTrue();
        assertThat(cluster.client("n1").stages()).hasToString("{/app/leader=tandem; one of its two sides leads}");
        shadow("n2");
        assertThat(cluster.client("n2").stages().get(PATH)).isEqualTo(new Stage("shadow", false, 0));
        assertThat(new Stage("shadow", false, 2)).hasToString("shadow; its sides have differed 2 times");
    }

    @Test
    void removedListenerIsNotCalledAgain() throws Exception {
        TandemLatch first = tandem("n1");
        first.removeListener(listener);
        first.close();
        assertThat(listener.events).containsExactly("isLeader");
    }

    @Test
    void closingDoesNotWaitForAListenerWithAnExecutor() throws Exception {
        TandemLatch first = tandem("n1");
        first.addListener(new RecordingListener(), new ManualExecutor());
        Duration before = cluster.now();
        first.close();
        assertThat(cluster.now().minus(before)).isLessThan(SOON);
        assertThat(old.member("n1").calls()).containsExactly("start", "close");
    }

    // The companion has no reason to say anything: its answer has not changed.
    @Test
    void aCompanionThatThrewOnceIsAskedAgain() throws Exception {
        TandemLatch first = tandem("n1");
        old.member("n1").throwsOnce(new IllegalStateException("no answer"));
        assertThat(first.hasLeadership()).isFalse();
        cluster.advance(PATIENCE);
        assertThat(first.hasLeadership()).isTrue();
        assertThat(listener.events).containsExactly("isLeader", "notLeader", "isLeader");
    }

    @Test
    void aTandemWhoseClientDoesNotRunKeepsNobodyFromLeading() throws Exception {
        ClusterSettings settings =
                ClusterSettings.ofVoters(3).moving().algorithm(new HighestUp()).clientsAreStartedByTheTest();
        try (SimulatedCluster latent = new SimulatedCluster(settings)) {
            TandemLatch first = new TandemLatch(old.member("n1"), latent.client("n1"), PATH, "n1");
            first.start();
            latent.advance(SOON);
            latent.client("n2").start();
            latent.client("n3").start();
            TandemLatch second = new TandemLatch(old.member("n2"), latent.client("n2"), PATH, "n2");
            second.start();
            latent.advance(PATIENCE);
            assertThat(second.hasLeadership()).isTrue();
        }
    }

    @Test
    void aCallbackThatClosesItIsToldBeforeTheCompanionIsClosed() throws Exception {
        TandemLatch first = new TandemLatch(old.member("n1"), cluster.client("n1"), PATH, "n1");
        List<List<String>> calls = new ArrayList<>();
        first.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                assertThatNoException().isThrownBy(first::close);
            }

            @Override
            public void notLeader() {
                calls.add(old.member("n1").calls());
            }
        });
        started(first);
        assertThat(calls).containsExactly(List.of("start"));
        assertThat(old.member("n1").calls()).containsExactly("start", "close");
    }

    @Test
    void aThreadWaitsUntilItLeads() throws Exception {
        TandemLatch first = tandem("n1");
        TandemLatch second = tandem("n2");
        first.await();
        // Justification: nothing makes it lead, however long a slow machine waits.
        assertThat(second.await(100, TimeUnit.MILLISECONDS)).isFalse();
        old.member("n1").cut();
        assertThat(second.await(600, TimeUnit.SECONDS)).isTrue();
        assertThat(second.hasLeadership()).isTrue();
        second.close();
        assertThatExceptionOfType(EOFException.class).isThrownBy(second::await);
    }

    @Test
    void resignationLetsTheNextOneLead() throws Exception {
        TandemLatch first = tandem("n1");
        TandemLatch second = tandem("n2");
        assertThat(first.resign()).isTrue();
        cluster.advance(SOON);
        assertThat(second.hasLeadership()).isTrue();
        assertThat(old.member("n1").calls()).containsExactly("start", "close", "start");
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void aShadowFinishesNothing() throws Exception {
        TandemLatch first = shadow("n1");
        first.drain(leadership -> new CompletableFuture<>(), Duration.ofSeconds(40));
        first.close();
        assertThat(old.member("n1").calls()).containsExactly("start", "close");
    }

    // What leads today goes on when its node has failed, and ends with its client all the same.
    @Test
    void aShadowOutlivesItsNode() throws Exception {
        FakeEngine engine = new FakeEngine();
        engine.moves();
        engine.callbacksOn(Runnable::run);
        engine.publish(PATH, PathView.EMPTY);
        engine.publish(STAGES, PathView.EMPTY);
        ElectionClient client = Clients.over(engine);
        client.start();
        TandemLatch shadow = TandemLatch.shadow(old.member("n1"), client, PATH, "n1");
        shadow.addListener(listener);
        shadow.start();
        assertThat(shadow.hasLeadership()).isTrue();
        engine.connect(Connection.LOST);
        engine.fail(new IllegalStateException("two processes"));
        assertThat(shadow.hasLeadership()).isTrue();
        // A fake engine lets real time pass, and after half a second the sides have differed.
        Stage stage = client.stages().get(PATH);
        assertThat(stage).isEqualTo(new Stage("shadow", true, stage.differences()));
        assertThat(listener.events).containsExactly("isLeader");
        client.close();
        assertThat(shadow.hasLeadership()).isFalse();
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
        assertThat(old.member("n1").calls()).containsExactly("start", "close");
    }

    /** Told when it is started, and leads from then on. */
    private static final class Told implements Companion {
        private final CompletableFuture<Void> started = new CompletableFuture<>();
        private volatile boolean isStarted;

        @Override
        public void start() {
            isStarted = true;
            started.complete(null);
        }

        @Override
        public void close() {
            isStarted = false;
        }

        @Override
        public boolean hasLeadership() {
            return isStarted;
        }

        @Override
        public void onChange(Runnable changed) {
            // It is asked again by itself.
        }
    }

    @Test
    void aShadowLeadsWithANodeThatDidNotStart() throws Exception {
        FakeEngine engine = new FakeEngine();
        engine.moves();
        engine.failStart(new IOException("no space left"));
        ElectionClient client = Clients.over(engine);
        Told before = new Told();
        TandemLatch first = TandemLatch.shadow(before, client, PATH, "n1");
        first.start();
        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(client::start);
        Told after = new Told();
        TandemLatch second = TandemLatch.shadow(after, client, PATH, "n2");
        second.start();
        before.started.get(600, TimeUnit.SECONDS);
        after.started.get(600, TimeUnit.SECONDS);
        assertThat(first.await(600, TimeUnit.SECONDS)).isTrue();
        assertThat(second.await(600, TimeUnit.SECONDS)).isTrue();
        client.close();
        assertThat(first.getState()).isEqualTo(LeaderLatch.State.CLOSED);
        assertThat(second.hasLeadership()).isFalse();
        assertThat(after.isStarted).isFalse();
    }

    @Test
    void aShadowOfAClosedClientIsClosed() throws Exception {
        cluster.client("n1").close();
        TandemLatch late = TandemLatch.shadow(old.member("n1"), cluster.client("n1"), PATH, "n1");
        late.start();
        cluster.advance(PATIENCE);
        assertThat(late.getState()).isEqualTo(LeaderLatch.State.CLOSED);
        assertThat(old.member("n1").calls()).isEmpty();
    }

    // Its client starts while another thread closes it.
    @Test
    void latchClosedBeforeItsNodeRunsLeavesNoMark() {
        FakeEngine engine = new FakeEngine();
        LatchCallbacks callbacks = new LatchCallbacks(Runnable::run, LatchCallbacks.LIMIT);
        TandemCondition condition = new TandemCondition(PATH, "n1", old.member("n1"), true, engine, callbacks);
        assertThat(condition.end(() -> LatchContender.NO_WORK)).isCompleted();
        condition.nodeRuns(engine, PATH);
        assertThat(engine.candidacies()).allMatch(each -> each.leaves() == 1);
        assertThat(engine.candidacies())
                .extracting(FakeEngine.FakeCandidacy::path)
                .containsExactly(STAGES);
        assertThat(engine.observers(STAGES) + engine.observers(PATH)).isZero();
        assertThat(old.member("n1").calls()).isEmpty();
    }

    // Its companion tells of changes while its start hangs.
    @Test
    void reportsOfACompanionDoNotPileUp() throws Exception {
        FakeEngine engine = new FakeEngine();
        engine.moves();
        ManualExecutor executor = new ManualExecutor();
        engine.callbacksOn(executor);
        engine.publish(PATH, PathView.EMPTY);
        engine.publish(STAGES, PathView.EMPTY);
        ElectionClient client = Clients.over(engine);
        client.start();
        AtomicInteger asked = new AtomicInteger();
        Companion companion = new Companion() {
            private Runnable changed = () -> {};

            @Override
            public void start() {
                asked.set(0);
                for (int i = 0; i < 1_000; i++) {
                    changed.run();
                }
            }

            @Override
            public void close() {}

            @Override
            public boolean hasLeadership() {
                asked.incrementAndGet();
                return false;
            }

            @Override
            public void onChange(Runnable wanted) {
                changed = wanted;
            }
        };
        TandemLatch.shadow(companion, client, PATH, "n1").start();
        while (executor.waiting() > 0) {
            executor.runNext();
        }
        assertThat(asked.get()).isBetween(1, 10);
    }

    @Test
    void itWarnsOfWhoeverIsOnTheOldSideAlone() throws Exception {
        tandem("n1");
        shadow("n2");
        old.member("stranger").start();
        cluster.advance(PATIENCE.multipliedBy(3));
        assertThat(log.lines("no tandem or shadow has their id: [stranger]")).hasSize(2);
    }

    // Its mark is known some time after it contends on the old side, and known for some time after it has left there.
    @Test
    void itDoesNotWarnOfThoseThatHaveJustCome() throws Exception {
        tandem("n1");
        for (int i = 0; i < 30; i++) {
            Companion passing = old.member("passing");
            passing.start();
            cluster.advance(Duration.ofMillis(900));
            passing.close();
            cluster.advance(Duration.ofMillis(2100));
        }
        assertThat(log.lines("no tandem or shadow has their id")).isEmpty();
    }

    // Without the voters it does not know who came.
    @Test
    void itDoesNotWarnOfWhatItCannotKnow() throws Exception {
        tandem("n1");
        cluster.isolate("n1");
        cluster.advance(PATIENCE);
        old.member("stranger").start();
        cluster.advance(PATIENCE.multipliedBy(3));
        assertThat(log.lines("no tandem or shadow has their id")).isEmpty();
        cluster.heal();
        cluster.advance(PATIENCE.multipliedBy(3));
        assertThat(log.lines("no tandem or shadow has their id: [stranger]")).hasSize(1);
    }

    @Test
    void itAsksAgainWhetherOrNotItIsTold() throws Exception {
        TandemLatch first = new TandemLatch(old.member("n1"), cluster.client("n1"), PATH, "n1");
        first.start();
        old.member("n1").forgetsToTell();
        cluster.advance(PATIENCE);
        assertThat(first.hasLeadership()).isTrue();
    }

    // The companion tells on the thread that starts and closes it, as often as it likes.
    @Test
    void aCompanionMayTellAndCloseWhileItStarts() throws Exception {
        List<String> calls = new ArrayList<>();
        List<TandemLatch> latches = new ArrayList<>();
        Companion companion = new Companion() {
            private Runnable changed = () -> {};
            private boolean isStarted;

            @Override
            public void start() throws Exception {
                calls.add("start");
                isStarted = true;
                changed.run();
                changed.run();
                latches.get(0).close();
            }

            @Override
            public void close() {
                calls.add("close");
                isStarted = false;
                changed.run();
            }

            @Override
            public boolean hasLeadership() {
                return isStarted;
            }

            @Override
            public void onChange(Runnable wanted) {
                changed = wanted;
            }
        };
        latches.add(new TandemLatch(companion, cluster.client("n1"), PATH, "n1"));
        started(latches.get(0));
        assertThat(calls).containsExactly("start", "close");
        assertThat(latches.get(0).hasLeadership()).isFalse();
        assertThat(listener.events).isEmpty();
    }

    @Test
    void twoOfOneClientLeadInTurns() throws Exception {
        TandemLatch first = tandem("n1");
        TandemLatch second = new TandemLatch(old.member("other"), cluster.client("n1"), PATH, "other");
        second.start();
        cluster.advance(SOON);
        long token = first.fencingToken();
        assertThat(second.hasLeadership()).isFalse();
        first.close();
        cluster.advance(SOON);
        assertThat(second.fencingToken()).isGreaterThan(token);
    }
}
