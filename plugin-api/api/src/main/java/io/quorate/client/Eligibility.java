package io.quorate.client;

import io.quorate.engine.Engine;
import io.quorate.jvm.NodeLog;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Whether the contenders of a client rank as usual: not while it is on standby, nor while its application says that it
 * is not eligible. The application is asked on a callback thread, so what it does there costs no lease.
 */
public final class Eligibility {

    private static final Logger LOG = NodeLog.of(Eligibility.class);

    static final String ON_STANDBY = "its client is on standby";
    static final String SAYS_NO = "its application says that it is not eligible";

    private final Engine engine;
    private final Executor callbacks;

    /** An answer is late after so many heartbeats: less than a support time, and more than a pause or two. */
    private static final int HEARTBEATS_LATE = 4;

    private volatile boolean isStarted;
    /** For good: a client may be closed while it starts. */
    private volatile boolean isStopped;
    /** Why the contenders rank last. The engine's thread reads it, so no lock is needed for that. */
    private volatile Optional<String> objection = Optional.empty();

    // Guarded by this; the engine is never called under it, because it calls in its turn.
    private boolean isOnStandby;
    private @Nullable Question question;

    /** Asks one supplier, again and again. Guarded by the eligibility. */
    private static final class Question {
        private final BooleanSupplier supplier;
        private Optional<String> objection = Optional.empty();
        private boolean isBegun;
        /** Whether a callback thread is to ask, or asks. */
        private boolean isAsking;
        /** Whether the supplier works on its answer; what waits for a thread is nobody's fault. */
        private boolean isAnswering;
        /** How long it does. */
        private int heartbeats;
        /** Whether the log knows that the supplier does not answer as it should. */
        private boolean isNoted;

        private Question(BooleanSupplier supplier) {
            this.supplier = supplier;
        }
    }

    /** Asks nobody, and tells the engine nothing, before {@link #start}. */
    public Eligibility(Engine engine, Executor callbacks) {
        this.engine = engine;
        this.callbacks = callbacks;
    }

    /** The engine runs. */
    public void start() {
        isStarted = true;
        if (objection.isPresent() && isRunning()) {
            tell();
        }
        begin(present());
    }

    /** Nothing that was asked for has an effect any more. */
    public void stop() {
        isStopped = true;
    }

    private boolean isRunning() {
        return isStarted && !isStopped;
    }

    public void standby(boolean wanted) {
        change(() -> isOnStandby = wanted);
    }

    public void eligibleWhile(BooleanSupplier supplier) {
        Question asked = new Question(supplier);
        change(() -> question = asked);
        begin(asked);
    }

    /** Why the contenders rank last; empty if they rank as usual. */
    public Optional<String> objection() {
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
        if (isNews && isRunning()) {
            tell();
        }
    }

    // The engine's thread reads what holds by then: calls that overtake each other change nothing.
    private void tell() {
        engine.standBy(this::objection);
    }

    /** Logs once per question; the thread that finds it first does. */
    private void begin(@Nullable Question asked) {
        if (asked == null || !isRunning()) {
            return;
        }
        synchronized (this) {
            if (asked.isBegun) {
                return;
            }
            asked.isBegun = true;
        }
        ask(asked);
    }

    /** Asks now, if the last answer has come, and again after a heartbeat. */
    private void ask(Question asked) {
        if (!isRunning() || asked != present()) {
            return;
        }
        // The next question is scheduled first: no failure below may end the asking.
        engine.orTimeout(new CompletableFuture<Void>(), engine.heartbeat()).whenComplete((nothing, late) -> ask(asked));
        boolean isFree;
        boolean isLate;
        synchronized (this) {
            isFree = !asked.isAsking;
            asked.isAsking = true;
            isLate = asked.isAnswering && ++asked.heartbeats >= HEARTBEATS_LATE;
        }
        if (isFree) {
            boolean isGiven = false;
            try {
                callbacks.execute(() -> answer(asked));
                isGiven = true;
            } finally {
                if (!isGiven) {
                    answered(asked);
                }
            }
        } else if (isLate) {
            object(
                    asked,
                    () -> asked.isAnswering,
                    "its application has not answered within four heartbeats whether it is eligible",
                    null);
        }
    }

    // Justification: catches everything. The supplier is the application's, and what it throws is an answer.
    private void answer(Question asked) {
        synchronized (this) {
            asked.isAnswering = true;
            asked.heartbeats = 0;
        }
        boolean isEligible;
        try {
            isEligible = asked.supplier.getAsBoolean();
        } catch (Throwable e) {
            answered(asked);
            String reason = "its application threw when it was asked whether it is eligible: " + e;
            object(asked, () -> true, reason, e);
            return;
        }
        change(() -> {
            answered(asked);
            asked.isNoted = false;
            asked.objection = isEligible ? Optional.empty() : Optional.of(SAYS_NO);
        });
    }

    private synchronized void answered(Question asked) {
        asked.isAsking = false;
        asked.isAnswering = false;
    }

    /** @param isSo whether the reason still holds, asked under the lock */
    private void object(Question asked, BooleanSupplier isSo, String reason, @Nullable Throwable cause) {
        boolean[] isNews = {false};
        change(() -> {
            if (isSo.getAsBoolean()) {
                isNews[0] = !asked.isNoted;
                asked.isNoted = true;
                asked.objection = Optional.of(reason);
            }
        });
        if (isNews[0]) {
            LOG.warn("The supplier of eligibleWhile is asked again with each heartbeat: {}", reason, cause);
        }
    }
}
