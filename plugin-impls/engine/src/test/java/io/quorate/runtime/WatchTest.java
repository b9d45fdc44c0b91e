package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.jvm.Daemons;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The thread of the watch. */
class WatchTest {

    private static final int MANY = 100;

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Watch watch = new Watch(work -> {
        Thread thread = Daemons.thread("watch of the test", work);
        threads.add(thread);
        return thread;
    });

    /** Over when the test says so. */
    private static final class Node implements Watch.Watched {
        private final BlockingQueue<Boolean> looks = new LinkedBlockingQueue<>();
        private volatile boolean isOver;

        @Override
        public boolean look() {
            looks.add(Thread.currentThread().isInterrupted());
            return !isOver;
        }

        @Override
        public boolean isOver() {
            return isOver;
        }

        private boolean wasInterruptedAtTheNextLook() throws InterruptedException {
            Boolean look = looks.poll(10, TimeUnit.MINUTES);
            assertThat(look).as("it looks").isNotNull();
            return look;
        }
    }

    @Test
    void oneThreadLooksAfterManyAndEndsAfterTheLast() throws Exception {
        for (int round = 1; round <= 2; round++) {
            List<Node> nodes = new CopyOnWriteArrayList<>();
            for (int i = 0; i < MANY; i++) {
                nodes.add(new Node());
                watch.add(nodes.get(i));
            }
            assertThat(threads).hasSize(round);
            watch.wake();
            for (Node node : nodes) {
                node.wasInterruptedAtTheNextLook();
                node.isOver = true;
            }
            watch.wake();
            threads.get(round - 1).join(TimeUnit.MINUTES.toMillis(1));
            assertThat(threads.get(round - 1).isAlive()).isFalse();
        }
    }

    // An interrupt is meant for another thread. This one would look again and again without a pause.
    @Test
    void anInterruptDoesNotStay() throws Exception {
        Node node = new Node();
        watch.add(node);
        threads.get(0).interrupt();
        watch.wake();
        assertThat(node.wasInterruptedAtTheNextLook()).isFalse();
        node.isOver = true;
        watch.wake();
    }
}
