package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Clock;
import io.quorate.engine.Engine;
import io.quorate.engine.PathView;
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
    void observersAndRequestsKeepAPathWatched() {
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
    void cancelledRequestsDoNotKeepAPathWatched() {
        views.view(PATH).toCompletableFuture().cancel(false);
        views.unwatch(PATH);
        assertThat(wanted).containsExactly(true, false);
        assertThat(views.isAwaited(PATH)).isFalse();
    }

    // The node has stopped by itself, or was closed when the observer began: the application closes it all the same.
    @Test
    void unobserveMayBeRepeatedAfterTheEnd() {
        Engine.ViewListener listener = view -> {};
        views.unobserve(PATH, listener);
        views.observe(PATH, listener);
        views.end(new IllegalStateException("ended by the test"));
        assertThat(views.isAwaited(PATH)).isFalse();
        views.unobserve(PATH, listener);
        views.unobserve(PATH, listener);
        assertThat(views.isAwaited(PATH)).isFalse();
    }

    @Test
    void newObserverGetsTheKnownViewImmediately() {
        List<PathView> told = new ArrayList<>();
        new PathViews(
                        new Turns(
                                new InlineMailbox(), this::note, path -> Optional.of(PathView.EMPTY), Optional::empty),
                        Runnable::run)
                .observe(PATH, told::add);
        assertThat(told).containsExactly(PathView.EMPTY);
        assertThat(wanted).containsExactly(true);
    }

    // The node was closed, and the thread that answers has gone.
    @Test
    void requestToAStoppedNodeFailsWithTheReason() {
        IllegalStateException cause = new IllegalStateException("over");
        NodeMailbox closed = new NodeMailbox("closed", Clock.SYSTEM, Optional::empty, bug -> {});
        closed.stop(() -> {});
        Turns over = new Turns(closed, this::note, path -> Optional.empty(), () -> Optional.of(cause));
        assertThatThrownBy(() -> new PathViews(over, Runnable::run)
                        .view(PATH)
                        .toCompletableFuture()
                        .join())
                .hasCause(cause);
    }

    @Test
    void anObserverThatEndsLeavesTheOthers() {
        List<PathView> told = new ArrayList<>();
        Engine.ViewListener ending = view -> {
            throw new AssertionError("told of " + view);
        };
        views.observe(PATH, ending);
        views.observe(PATH, told::add);
        views.unobserve(PATH, ending);
        assertThat(views.isAwaited(PATH)).isTrue();
        views.onChanged(PATH, PathView.EMPTY);
        assertThat(told).containsExactly(PathView.EMPTY);
    }

    @Test
    void theEndIsToldToWhoeverAsks() {
        CompletableFuture<PathView> asker = views.view(PATH).toCompletableFuture();
        IllegalStateException cause = new IllegalStateException("ended by the test");
        views.end(cause);
        assertThat(asker).isCompletedExceptionally();
        assertThatThrownBy(asker::join).hasCause(cause);
        assertThat(views.isAwaited(PATH)).isFalse();
    }

    // No voter answers, and somebody asks again and again, each time with a time-out.
    @Test
    void nextQuestionForgetsCancelledOnes() {
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
