package io.quorate;

import io.quorate.client.LatchContender;
import io.quorate.engine.SerialDispatcher;
import io.quorate.testkit.Deadline;
import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;

/** A latch's queue of callbacks. No other package sees it, on purpose; a test has no other way to know that no more will come. */
final class CallbackQueue {

    private CallbackQueue() {}

    /** Waits until it has run everything that was queued by now. */
    static void drain(LeaderLatch latch) {
        CountDownLatch isDrained = new CountDownLatch(1);
        ((SerialDispatcher) read(
                        read(latch, LeaderLatch.class, "contender"),
                        LatchContender.class.getSuperclass(),
                        "dispatcher"))
                .execute(isDrained::countDown);
        Deadline.await(isDrained, latch);
    }

    private static Object read(Object object, Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(object);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
