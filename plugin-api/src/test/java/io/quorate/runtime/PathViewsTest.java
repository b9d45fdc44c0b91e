package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.NodeEvent;
import io.quorate.core.PathView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** When a node is asked to watch a path, and when to stop. */
class PathViewsTest {

    private static final String PATH = "/p";

    private final List<Boolean> wanted = new ArrayList<>();
    private final PathViews views = new PathViews(new Turns(new Inline(), this::note, path -> Optional.empty(),
            Optional::empty), Runnable::run);

    private void note(NodeEvent event) {
        wanted.add(((NodeEvent.WatchPath) event).wanted());
    }

    /** Does at once what is posted. */
    private static final class Inline implements Mailbox {
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
        public void postFrame(Runnable turn) {
            turn.run();
        }

        @Override
        public <T> Optional<T> ask(Supplier<T> question) {
            return Optional.of(question.get());
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

    @Test
    void aPathIsWatchedUntilItIsNot() {
        views.view(PATH);
        views.onChanged(PATH, PathView.EMPTY);
        views.unwatch(PATH);
        assertThat(wanted).containsExactly(true, false);
    }

    // It was closed by one thread while another began to observe or to ask.
    @Test
    void whoeverObservesOrAsksKeepsItWatched() {
        Engine.ViewListener listener = view -> { };
        views.observe(PATH, listener);
        views.unwatch(PATH);
        views.unobserve(PATH, listener);
        CompletableFuture<PathView> asker = views.view(PATH).toCompletableFuture();
        views.unwatch(PATH);
        assertThat(wanted).containsExactly(true, true);
        views.onChanged(PATH, PathView.EMPTY);
        assertThat(asker).isCompletedWithValue(PathView.EMPTY);
        views.unwatch(PATH);
        assertThat(wanted).containsExactly(true, true, false);
    }

    @Test
    void whoeverHasGivenUpDoesNot() {
        views.view(PATH).toCompletableFuture().cancel(false);
        views.unwatch(PATH);
        assertThat(wanted).containsExactly(true, false);
        assertThat(views.isAwaited(PATH)).isFalse();
    }
}
