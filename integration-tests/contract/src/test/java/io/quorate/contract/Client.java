package io.quorate.contract;

import io.quorate.ConnectionState;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What an application touches of a client next to its latches. */
interface Client {

    void start();

    void close();

    /** Whether it was connected within this time, which passes only as far as needed. */
    boolean blockUntilConnected(Duration longest) throws InterruptedException;

    /** It ranks last, or as usual again. Curator cannot do that. */
    default void standby(boolean wanted) {
        throw new UnsupportedOperationException("this side has no standby");
    }

    /** It ranks last while the supplier says false. Curator cannot do that. */
    default void eligibleWhile(BooleanSupplier eligible) {
        throw new UnsupportedOperationException("this side asks nobody");
    }

    /** The listener is called for each change from now on. */
    void onStateChange(Consumer<ConnectionState> listener);
}
