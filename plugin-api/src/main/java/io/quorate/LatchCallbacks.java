package io.quorate;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * How a latch's callbacks are run.
 *
 * @param executor runs those of listeners that have none of their own
 * @param limit    how long {@code notLeader} callbacks are waited for before the latch contends again
 */
record LatchCallbacks(Executor executor, Duration limit) {
}
