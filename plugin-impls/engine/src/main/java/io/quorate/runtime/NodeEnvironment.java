package io.quorate.runtime;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.step.Jitter;
import io.quorate.engine.Clock;
import io.quorate.jvm.Daemons;
import io.quorate.jvm.NodeLog;
import io.quorate.spi.EventLoop;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;

/** The threads and the chance that a driver runs with. A simulation has its own. */
public interface NodeEnvironment {

    /** Real threads, and real chance. */
    NodeEnvironment REAL = new NodeEnvironment() {
        @Override
        public Mailbox mailbox(
                String name, Clock clock, Supplier<Optional<EventLoop>> loop, Consumer<Throwable> onBug) {
            return new NodeMailbox(name, clock, loop, onBug);
        }

        @Override
        public ExecutorService diskThread() {
            // Discards tasks that come after the close: nobody waits for them.
            ThreadPoolExecutor disk = new ThreadPoolExecutor(
                    1,
                    1,
                    0,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    Daemons.named("quorate-terms"),
                    new ThreadPoolExecutor.DiscardPolicy());
            // A thread that cannot be started fails the start here; later it would end a node that leads.
            disk.prestartCoreThread();
            return disk;
        }

        @Override
        public Jitter jitter() {
            return (min, max) -> min == max ? min : ThreadLocalRandom.current().nextLong(min, max + 1);
        }

        @Override
        public long name() {
            // Names have a generator of their own: the one above takes its seed from the clock.
            return 1 + (new SecureRandom().nextLong() & NodeMessage.NUMBER_MAX - 1);
        }
    };

    /**
     * Makes the mailbox of one node.
     *
     * @param loop  the thread that the transport offers, if it does; asked once, when the mailbox is started
     * @param onBug called once, on the thread, with what it threw; what this throws is ignored
     */
    Mailbox mailbox(String name, Clock clock, Supplier<Optional<EventLoop>> loop, Consumer<Throwable> onBug);

    /** One thread for what may block. */
    ExecutorService diskThread();

    /** Draws delays and the like. */
    Jitter jitter();

    /** Draws the name of a life, or of a data directory: from 1 to 2^62, and never one that was drawn before. */
    long name();

    /** Where a class of the driver writes. */
    default Logger log(Class<?> writer) {
        return NodeLog.of(writer);
    }

    /** Told, on the driver's thread, of what a frame has thrown; a simulation throws it on. */
    default void onHarmfulFrame(Throwable thrown) {
        // Counted and logged, and that is all.
    }
}
