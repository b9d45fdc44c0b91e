package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.core.step.Tenure;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.FakeEngine.FakeCandidacy;
import java.io.EOFException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that start, wait, listen and close at the same time as the engine grants and ends tenures. */
@Timeout(60)
class LeaderLatchRaceTest {

    private static final int ROUNDS = 1_500;

    private final long seed = Long.getLong("seed", new Random().nextLong());
    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = ElectionClient.over(engine);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CyclicBarrier start = new CyclicBarrier(4);

    @AfterEach
    void close() throws InterruptedException {
        client.close();
        threads.shutdownNow();
        assertThat(threads.awaitTermination(Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    // Each round: one thread grants and ends, one closes, one waits, one adds and removes a listener. Afterwards no
    // tenure is valid, await has returned, and the permanent listener was told strictly in turns.
    @Test
    void racesLeaveNoLeaderNoWaiterAndNoHalfToldTenure() throws Exception {
        client.start();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            race(new Random(random.nextLong()), round);
        }
    }

    private void race(Random random, int round) throws Exception {
        boolean isNotifying = random.nextBoolean();
        LeaderLatch latch = new LeaderLatch(client, "/p", "",
                isNotifying ? CloseMode.NOTIFY_LEADER : CloseMode.SILENT);
        Recorder recorder = new Recorder();
        List<Tenure> tenures = new ArrayList<>();
        if (random.nextBoolean()) {
            latch.addListener(recorder);
        } else {
            latch.addListener(recorder, threads);
        }
        latch.start();
        FakeCandidacy candidacy = engine.last();
        int turns = random.nextInt(4);
        int closeAfter = random.nextInt(200);
        List<Future<?>> actors = List.of(grants(candidacy, turns, tenures), closes(latch, closeAfter), waits(latch),
                listens(latch));
        String state = "seed=" + seed + " round=" + round + "; rerun: mvn test -Dseed=" + seed;
        for (Future<?> actor : actors) {
            try {
                actor.get(Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS);
            } catch (Exception e) {
                fail(state + " latch " + latch.getState() + " events " + recorder.events, e);
            }
        }
        assertThat(tenures).as(state).allMatch(Tenure::isEnded);
        assertThat(candidacy.leaves()).as(state).isEqualTo(1);
        settle(latch, recorder, isNotifying);
        for (int index = 0; index < recorder.events.size(); index++) {
            assertThat(recorder.events.get(index)).as(state + " " + recorder.events)
                    .isEqualTo(index % 2 == 0 ? "isLeader" : "notLeader");
        }
    }

    // After a notifying close every isLeader has its notLeader, however late it comes.
    private static void settle(LeaderLatch latch, Recorder recorder, boolean isNotifying) {
        Recorder.drain(latch);
        if (isNotifying) {
            Recorder.until(() -> recorder.events.size() % 2 == 0, recorder.events);
        }
    }

    private Future<?> grants(FakeCandidacy candidacy, int turns, List<Tenure> tenures) {
        return atOnce(() -> {
            for (int turn = 1; turn <= turns; turn++) {
                tenures.add(candidacy.grant(turn));
                if (turn < turns) {
                    candidacy.end();
                }
            }
        });
    }

    private Future<?> closes(LeaderLatch latch, int closeAfter) {
        return atOnce(() -> {
            for (int spin = 0; spin < closeAfter; spin++) {
                latch.hasLeadership();
            }
            latch.close();
            assertThat(latch.hasLeadership()).isFalse();
        });
    }

    private Future<?> waits(LeaderLatch latch) {
        return atOnce(() -> {
            try {
                latch.await();
            } catch (EOFException e) {
                assertThat(latch.getState()).isEqualTo(LeaderLatch.State.CLOSED);
            }
        });
    }

    private Future<?> listens(LeaderLatch latch) {
        return atOnce(() -> {
            Recorder passing = new Recorder();
            latch.addListener(passing);
            latch.removeListener(passing);
        });
    }

    /** Runs the actor as soon as all of its round are there. */
    private Future<?> atOnce(Actor actor) {
        return threads.submit(() -> {
            start.await();
            actor.act();
            return null;
        });
    }

    private interface Actor {
        void act() throws Exception;
    }

    // A client that starts or closes while latches start: each latch joins once or is closed, and none hangs.
    @Test
    void latchesStartedWhileTheClientStartsAndClosesJoinAtMostOnce() throws Exception {
        for (int round = 0; round < 300; round++) {
            FakeEngine own = new FakeEngine();
            ElectionClient racing = ElectionClient.over(own);
            LeaderLatch latch = new LeaderLatch(racing, "/p");
            List<Future<?>> actors = List.of(atOnce(racing::start), atOnce(latch::start), atOnce(latch::hasLeadership),
                    atOnce(racing::getState));
            for (Future<?> actor : actors) {
                actor.get(Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS);
            }
            assertThat(own.candidacies()).as("round %d", round).hasSize(1);
            if (round % 2 == 0) {
                racing.close();
                assertThat(latch.getState()).isEqualTo(LeaderLatch.State.CLOSED);
            }
            latch.close();
            racing.close();
        }
    }

    @Test
    void twoThousandLatchesDoNotNeedTwoThousandThreads() throws Exception {
        client.start();
        int before = Thread.activeCount();
        int count = 2_000;
        CountDownLatch left = new CountDownLatch(2 * count);
        AtomicBoolean isWrong = new AtomicBoolean();
        List<LeaderLatch> latches = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            LeaderLatch latch = new LeaderLatch(client, "/p/" + number);
            latch.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    left.countDown();
                }

                @Override
                public void notLeader() {
                    isWrong.compareAndSet(false, latch.hasLeadership());
                    left.countDown();
                }
            });
            latch.start();
            latches.add(latch);
        }
        assertThat(Thread.activeCount() - before).isLessThan(100);
        engine.candidacies().forEach(candidacy -> candidacy.grant(1));
        engine.candidacies().forEach(FakeCandidacy::end);
        Recorder.await(left, latches.size());
        assertThat(Thread.activeCount() - before).isLessThan(100);
        assertThat(isWrong).isFalse();
    }
}
