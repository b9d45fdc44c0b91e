package io.quorate.runtime;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Does at once what is posted. */
final class InlineMailbox implements Mailbox {
    @Override
    public void start(Runnable firstTurn, LongSupplier betweenTurns, Runnable afterTurns) {
        firstTurn.run();
    }

    @Override
    public boolean post(Runnable turn) {
        turn.run();
        return true;
    }

    @Override
    public void postFrame(int length, Runnable first, Runnable rest) {
        first.run();
        rest.run();
    }

    @Override
    public boolean isBehind() {
        return false;
    }

    @Override
    public <T> Optional<T> ask(Supplier<T> question) {
        return Optional.of(question.get());
    }

    @Override
    public void await(CompletableFuture<?> done, long nanosMax) {
        // What is posted is done.
    }

    @Override
    public void stop(Runnable last) {
        last.run();
    }

    @Override
    public long dropped() {
        return 0;
    }
}
