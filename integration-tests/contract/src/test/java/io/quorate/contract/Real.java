package io.quorate.contract;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Real time. */
final class Real {

    /** Generous, because a machine may be busy; the usual wait is a second. */
    static final Duration DEADLINE = Duration.ofMinutes(10);

    private Real() {}

    static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    static void eventually(String what, BooleanSupplier condition) {
        try {
            Awaitility.await()
                    .atMost(DEADLINE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .until(condition::getAsBoolean);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("not within " + DEADLINE.toSeconds() + " s: " + what, e);
        }
    }
}
