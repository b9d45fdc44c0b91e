package io.quorate.leaderonly.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What a leader waits for before it leaves. */
class RunningWorkTest {

    private final RunningWork work = new RunningWork();

    private static boolean isDone(CompletionStage<Void> stage) {
        return stage.toCompletableFuture().isDone();
    }

    private boolean entersElsewhere() {
        return CompletableFuture.supplyAsync(() -> work.enter(isNested -> isNested))
                .join();
    }

    @Test
    void nothingThatRunsIsNotWaitedFor() {
        assertThat(isDone(work.finish())).isTrue();
        assertThat(work.enter(isNested -> false)).isFalse();
        assertThat(isDone(work.finish())).isTrue();
    }

    @Test
    void theOutermostMethodIsWaitedFor() {
        assertThat(work.enter(isNested -> !isNested)).isTrue();
        assertThat(work.enter(isNested -> isNested)).as("on its thread").isTrue();
        assertThat(entersElsewhere()).as("on another").isFalse();
        CompletionStage<Void> finished = work.finish();
        work.leave();
        assertThat(isDone(finished)).isFalse();
        work.leave();
        assertThat(isDone(finished)).isTrue();
    }

    // Otherwise a method could begin between the question and the wait.
    @Test
    void finishAwaitsWorkThatIsBeingAdmitted() {
        CompletableFuture<Void> finished = new CompletableFuture<>();
        assertThat(work.enter(isNested -> {
                    work.finish().thenRun(() -> finished.complete(null));
                    return !finished.isDone();
                }))
                .isTrue();
        assertThat(finished).isNotDone();
        work.leave();
        assertThat(finished).isDone();
    }

    @Test
    void aQuestionThatThrowsLeavesNothing() {
        assertThatIllegalStateException()
                .isThrownBy(() -> work.enter(isNested -> {
                    throw new IllegalStateException("thrown by the test");
                }));
        assertThat(isDone(work.finish())).isTrue();
    }
}
