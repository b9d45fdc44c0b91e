package io.quorate.contract;

import io.quorate.testkit.WaitingCall;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;

/** A side on which time passes by itself. */
interface RealTime extends Side {

    /** The machine may be busy. */
    @Override
    default boolean isPunctual() {
        return false;
    }

    @Override
    default void pass(Duration duration) {
        Real.sleep(duration.toMillis());
    }

    @Override
    default void eventually(String what, BooleanSupplier condition) {
        Real.eventually(what, condition);
    }

    @Override
    default <T> T inThread(Callable<T> call) throws Exception {
        WaitingCall<T> waiting = new WaitingCall<>(call);
        Real.eventually("the call returns", waiting::isDone);
        return waiting.answer();
    }

    @Override
    default <T> WaitingCall<T> waiting(Callable<T> call) {
        return WaitingCall.begun(call);
    }
}
