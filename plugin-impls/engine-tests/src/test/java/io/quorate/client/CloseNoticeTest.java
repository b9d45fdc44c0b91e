package io.quorate.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A client that closes asks its notices again and again whether they are over. */
class CloseNoticeTest {

    private final List<Runnable> tasks = new ArrayList<>();
    private final LatchContender latch =
            new LatchContender("/p", "", true, new LatchCallbacks(tasks::add, LatchCallbacks.LIMIT));

    // A question that queues a task each time would wait for itself, because none of these tasks has run yet.
    @Test
    void latchesThatAnotherThreadHasClosedAreToldOnce() {
        latch.start(Optional.empty());
        CloseNotice byApplication = latch.close(true, false).orElseThrow();
        latch.listeners().deliver("notLeader", listener -> {});
        CloseNotice byClient = latch.closeWithClient();
        assertThat(byClient.tell()).isSameAs(byClient.tell());
        assertThat(byApplication.tell()).isSameAs(byApplication.tell());
        tasks.forEach(Runnable::run);
        assertThat(byClient.tell()).isCompleted();
    }
}
