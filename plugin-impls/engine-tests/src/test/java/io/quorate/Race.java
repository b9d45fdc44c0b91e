package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.quorate.client.PathUsers;
import io.quorate.testkit.Deadline;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that begin at one moment and do what a seed says, with pauses between that it draws too. */
final class Race {

    /** What one thread does; anything that it throws is a finding. */
    interface Actor {
        void act(Random random) throws Exception;
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final long seed = Long.getLong("seed", new Random().nextLong());
    private final Random seeds = new Random(seed);
    private int round;

    /** Runs the actors, each on a thread of its own, and waits for their end. */
    void run(Object state, List<Actor> actors) throws Exception {
        round++;
        CyclicBarrier start = new CyclicBarrier(actors.size());
        List<Future<?>> futures = new ArrayList<>();
        for (Actor actor : actors) {
            Random random = new Random(seeds.nextLong());
            futures.add(threads.submit(() -> {
                start.await();
                actor.act(random);
                return null;
            }));
        }
        for (Future<?> future : futures) {
            try {
                Deadline.get(future);
            } catch (Exception e) {
                fail(this + ", " + state, e);
            }
        }
    }

    /** Draws what holds for a whole round. */
    Random random() {
        return seeds;
    }

    /** Runs the application's tasks of the round. */
    ExecutorService threads() {
        return threads;
    }

    static void pause(Random random) {
        int spins = random.nextInt(60);
        for (int spin = 0; spin < spins; spin++) {
            Thread.onSpinWait();
        }
        if (random.nextInt(8) == 0) {
            Thread.yield();
        }
    }

    /** Runs what may be refused with this message, and with no other. Answers whether it was not. */
    static boolean isAccepted(String refusal, Call call) throws Exception {
        try {
            call.run();
            return true;
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage(refusal);
            return false;
        }
    }

    /** As {@link Actor}, for a single call. */
    interface Call {
        void run() throws Exception;
    }

    /** How many contenders a client has not let go. */
    static int kept(ElectionClient client) {
        try {
            // Private on purpose; a leak has no other symptom that a short run could show.
            Field field = ElectionClient.class.getDeclaredField("users");
            field.setAccessible(true);
            PathUsers users = (PathUsers) field.get(client);
            // The client's own lock for them.
            synchronized (users) {
                return users.all().size();
            }
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String toString() {
        return "seed=" + seed + " round=" + round + "; rerun: mvn test -Dseed=" + seed;
    }

    /** Ends all threads. */
    void close() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(Deadline.SECONDS_MAX, TimeUnit.SECONDS))
                .as(toString())
                .isTrue();
    }
}
