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

    /** Those of the client, which all its latches share. */
    static LatchCallbacks of(ElectionClient client) {
        LatchCallbacks shared = client.latchCallbacks();
        // A mocked client has none.
        return shared != null ? shared : new LatchCallbacks(client::runCallback, LatchContender.CALLBACK_LIMIT);
    }
}
