package io.quorate.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which paths a node watches for its client, and when it may stop. */
class WatchedPathsTest {

    private final WatchedPaths paths = new WatchedPaths();

    @Test
    void aPathIsLeftOnce() {
        assertThat(paths.leave("/p")).as("it is not watched").isFalse();
        paths.add("/p");
        assertThat(paths.leave("/other")).isFalse();
        assertThat(paths.leave("/p")).isTrue();
        assertThat(paths.leave("/p")).isFalse();
    }

    // Whoever asks and waits no longer keeps a path that somebody uses.
    @Test
    void aQuestionAloneEndsNothing() {
        paths.asked("/p");
        assertThat(paths.answered("/p", false)).as("its last user has not gone").isFalse();
        assertThat(paths.leave("/p")).isTrue();
    }

    @Test
    void aPathIsLeftWithTheLastQuestionThatWaits() {
        paths.add("/p");
        paths.asked("/p");
        paths.asked("/p");
        paths.asked("/p");
        assertThat(paths.leave("/p")).isFalse();
        assertThat(paths.answered("/p", false)).isFalse();
        assertThat(paths.answered("/p", false)).isFalse();
        assertThat(paths.answered("/p", false)).isTrue();
        assertThat(paths.answered("/p", false)).as("nobody asks").isFalse();
    }

    @Test
    void aPathThatIsUsedAgainStays() {
        paths.add("/p");
        paths.asked("/p");
        assertThat(paths.leave("/p")).isFalse();
        assertThat(paths.answered("/p", true)).isFalse();
        paths.asked("/p");
        assertThat(paths.leave("/p")).isFalse();
        paths.add("/p");
        assertThat(paths.answered("/p", false)).as("it was taken back").isFalse();
        assertThat(paths.leave("/p")).isTrue();
    }

    @Test
    void nothingIsWatchedAfterTheEnd() {
        paths.add("/p");
        paths.add("/q");
        paths.asked("/q");
        paths.leave("/q");
        paths.clear();
        assertThat(paths.leave("/p")).isFalse();
        assertThat(paths.answered("/q", false)).isFalse();
    }
}
