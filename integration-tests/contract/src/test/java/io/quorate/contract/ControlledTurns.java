package io.quorate.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Leads until the test says how that ends, and counts. */
class ControlledTurns implements Selector.Turn {

    final AtomicInteger begun = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    final AtomicInteger interrupted = new AtomicInteger();
    final AtomicInteger atOnce = new AtomicInteger();
    final AtomicInteger atOnceMax = new AtomicInteger();
    volatile Thread thread;
    private final SynchronousQueue<Runnable> endings = new SynchronousQueue<>();

    @Override
    public void takeLeadership() {
        thread = Thread.currentThread();
        atOnceMax.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
        begun.incrementAndGet();
        try {
            endings.take().run();
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
        } finally {
            atOnce.decrementAndGet();
            ended.incrementAndGet();
        }
    }

    boolean isLeading() {
        return atOnce.get() > 0;
    }

    void end() throws InterruptedException {
        end(() -> {});
    }

    /** The turn that is under way does this and returns. */
    void end(Runnable last) throws InterruptedException {
        assertThat(endings.offer(last, Real.DEADLINE.toSeconds(), TimeUnit.SECONDS))
                .as("it leads")
                .isTrue();
    }
}
