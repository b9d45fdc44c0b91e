package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.directory.PathView;
import io.quorate.core.step.NodeEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a node is asked to watch a path, and when to stop. */
class PathViewsTest {

    private static final String PATH = "/p";

    private final List<Boolean> wanted = new ArrayList<>();
    private final PathViews views = new PathViews(
            new Turns(new InlineMailbox(), this::note, path -> Optional.empty(), Optional::empty), Runnable::run);

    private void note(NodeEvent event) {
        wanted.add(((NodeEvent.WatchPath) event).wanted());
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
        Engine.ViewListener listener = view -> {};
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

    // No voter answers, and somebody asks again and again, each time with a time-out.
    @Test
    void whoeverHasGivenUpIsForgottenByTheNextQuestion() {
        for (int i = 0; i < 1_000; i++) {
            views.view(PATH).toCompletableFuture().cancel(false);
        }
        CompletableFuture<PathView> asker = views.view(PATH).toCompletableFuture();
        assertThat(views.waiting(PATH)).isEqualTo(1);
        views.onChanged(PATH, PathView.EMPTY);
        assertThat(asker).isCompletedWithValue(PathView.EMPTY);
        assertThat(views.waiting(PATH)).isZero();
    }
}
