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

    private volatile boolean isRunning;
    /** Why the contenders rank last. The engine's thread reads it, so no lock is needed for that. */
    private volatile Optional<String> objection = Optional.empty();

    // Guarded by this; the engine is never called under it, because it calls in its turn.
    private boolean isOnStandby;
    private @Nullable Question question;

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
    void start() {
        isRunning = true;
        if (objection.isPresent()) {
            tell();
        }
        ask(present());
    }

    /** Nothing that was asked for has an effect any more. */
    void stop() {
        isRunning = false;
    }

    void standby(boolean wanted) {
        change(() -> isOnStandby = wanted);
    }

    void eligibleWhile(BooleanSupplier supplier) {
        Question asked = new Question(supplier);
        change(() -> question = asked);
        ask(asked);
    }

    /** Why the contenders rank last; empty if they rank as usual. */
    Optional<String> objection() {
        return objection;
    }

    private synchronized @Nullable Question present() {
        return question;
    }

    private void change(Runnable change) {
        boolean isNews;
        synchronized (this) {
            change.run();
            Optional<String> next = isOnStandby
                    ? Optional.of(ON_STANDBY)
                    : Optional.ofNullable(question).flatMap(asked -> asked.objection);
            isNews = !next.equals(objection);
            objection = next;
        }
        if (isNews && isRunning) {
            tell();
        }
    }

    // The engine's thread reads what holds by then: calls that overtake each other change nothing.
    private void tell() {
        engine.standBy(this::objection);
    }

    /** Asks now, if the last answer has come, and again after a heartbeat. */
    private void ask(@Nullable Question asked) {
        if (!isRunning || asked == null || asked != present()) {
            return;
        }
        boolean isLate;
        synchronized (this) {
            isLate = asked.isAsking;
            asked.isAsking = true;
        }
        if (isLate) {
            object(asked, "its application has not answered within a heartbeat whether it is eligible", null);
        } else {
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
            change(() -> asked.isAsking = false);
            object(asked, "its application threw when it was asked whether it is eligible: " + e, e);
            return;
        }
        change(() -> {
            asked.isAsking = false;
            asked.isNoted = false;
            asked.objection = isEligible ? Optional.empty() : Optional.of(SAYS_NO);
        });
    }

    private void object(Question asked, String reason, @Nullable Throwable cause) {
        boolean[] wasNoted = {false};
        change(() -> {
            wasNoted[0] = asked.isNoted;
            asked.isNoted = true;
            asked.objection = Optional.of(reason);
        });
        if (!wasNoted[0]) {
            LOG.warn("The supplier of eligibleWhile is asked again with each heartbeat: {}", reason, cause);
        }
    }
}
