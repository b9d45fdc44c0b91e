package io.quorate;

import io.quorate.runtime.Engine;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the contenders of a client rank as usual: not while it is on standby, nor while its application says that it
 * is not eligible. The application is asked on a callback thread, so what it does there costs no lease.
 */
final class Eligibility {

    private static final Logger LOG = LoggerFactory.getLogger(Eligibility.class);

    static final String ON_STANDBY = "its client is on standby";
    static final String SAYS_NO = "its application says that it is not eligible";

    private final Engine engine;
    private final Executor callbacks;

    // Guarded by this.
    private boolean isRunning;
    private boolean isOnStandby;
    private @Nullable Question question;
    private Optional<String> told = Optional.empty();

    /** Asks one supplier, again and again. Guarded by the eligibility. */
    private static final class Question {
        private final BooleanSupplier supplier;
        private Optional<String> objection = Optional.empty();
        private boolean isAsking;
        /** Whether the log knows that the supplier does not answer as it should. */
        private boolean isNoted;

        private Question(BooleanSupplier supplier) {
            this.supplier = supplier;
        }
    }

    /** Asks nobody, and tells the engine nothing, before {@link #start}. */
    Eligibility(Engine engine, Executor callbacks) {
        this.engine = engine;
        this.callbacks = callbacks;
    }

    /** The engine runs. */
    synchronized void start() {
        isRunning = true;
        tell();
        ask(question);
    }

    /** Nothing that was asked for has an effect any more. */
    synchronized void stop() {
        isRunning = false;
    }

    synchronized void standby(boolean wanted) {
        isOnStandby = wanted;
        tell();
    }

    synchronized void eligibleWhile(BooleanSupplier supplier) {
        question = new Question(supplier);
        tell();
        ask(question);
    }

    /** Why the contenders rank last; empty if they rank as usual. */
    synchronized Optional<String> objection() {
        return isOnStandby
                ? Optional.of(ON_STANDBY)
                : Optional.ofNullable(question).flatMap(asked -> asked.objection);
    }

    // The engine queues it: in the order of these calls, because they come under the lock.
    private void tell() {
        Optional<String> wanted = objection();
        if (isRunning && !wanted.equals(told)) {
            told = wanted;
            engine.standBy(wanted);
        }
    }

    /** Asks now, if the last answer has come, and again after a heartbeat. */
    private synchronized void ask(@Nullable Question asked) {
        if (!isRunning || asked == null || asked != question) {
            return;
        }
        if (asked.isAsking) {
            object(asked, "its application has not answered within a heartbeat whether it is eligible", null);
        } else {
            asked.isAsking = true;
            callbacks.execute(() -> answer(asked));
        }
        engine.orTimeout(new CompletableFuture<Void>(), engine.heartbeat()).whenComplete((nothing, late) -> ask(asked));
    }

    // Justification: catches everything. The supplier is the application's, and what it throws is an answer.
    private void answer(Question asked) {
        boolean isEligible;
        try {
            isEligible = asked.supplier.getAsBoolean();
        } catch (Throwable e) {
            synchronized (this) {
                asked.isAsking = false;
                object(asked, "its application threw when it was asked whether it is eligible: " + e, e);
            }
            return;
        }
        synchronized (this) {
            asked.isAsking = false;
            asked.isNoted = false;
            asked.objection = isEligible ? Optional.empty() : Optional.of(SAYS_NO);
            tell();
        }
    }

    private void object(Question asked, String objection, @Nullable Throwable cause) {
        if (!asked.isNoted) {
            asked.isNoted = true;
            LOG.warn("It counts as not eligible from now on: {}", objection, cause);
        }
        asked.objection = Optional.of(objection);
        tell();
    }
}
