package io.quorate;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.engine.Tenure;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a latch says of its tenure: computed from the lease, whatever the engine has or has not told yet. */
class LeaderLatchTenureTest {

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = Clients.over(engine);
    private final LeaderLatch latch = new LeaderLatch(client, "/p", "me");

    @BeforeEach
    void startClient() {
        client.start();
    }

    @AfterEach
    void closeClient() {
        client.close();
    }

    @Test
    void leadershipIsComputedFromTheLeaseWithoutAnyEvent() throws Exception {
        latch.start();
        Tenure tenure = engine.last().grant(7, Duration.ofSeconds(1));
        assertThat(latch.hasLeadership()).isTrue();
        assertThat(latch.fencingToken()).isEqualTo(7);
        engine.clock().advance(Duration.ofSeconds(1).minusNanos(1));
        assertThat(latch.hasLeadership()).isTrue();
        engine.clock().advance(Duration.ofNanos(1));
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(latch.await(0, SECONDS)).isFalse();
        assertThat(tenure.isEnded()).isTrue();
    }

    // The engine must learn of the end, so that notLeader follows; once, though the question is asked again and again.
    @Test
    void anExpiredLeaseIsReportedToTheEngineOnce() throws Exception {
        latch.start();
        Tenure tenure = engine.last().grant(7, Duration.ofSeconds(1));
        engine.clock().advance(Duration.ofSeconds(1));
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(latch.hasLeadership()).isFalse();
        assertThatIllegalStateException().isThrownBy(latch::fencingToken);
        assertThat(engine.last().reported()).containsExactly(tenure);
    }

    @Test
    void fencingTokenNeedsLeadership() throws Exception {
        assertThatIllegalStateException()
                .isThrownBy(latch::fencingToken)
                .withMessage("Not leading /p: there is no fencing token");
        latch.start();
        engine.last().grant(3);
        assertThat(latch.fencingToken()).isEqualTo(3);
        latch.close();
        assertThatIllegalStateException().isThrownBy(latch::fencingToken);
    }

    // Read one after the other, a token and a time could belong to two tenures.
    @Test
    void leadershipIsTokenAndTimeLeftOfOneTenure() throws Exception {
        assertThat(latch.leadership()).isEmpty();
        latch.start();
        assertThat(latch.leadership()).isEmpty();
        engine.last().grant(7, Duration.ofSeconds(1));
        assertThat(latch.leadership()).contains(new Leadership(7, Duration.ofSeconds(1)));
        engine.clock().advance(Duration.ofMillis(999));
        assertThat(latch.leadership()).contains(new Leadership(7, Duration.ofMillis(1)));
        engine.clock().advance(Duration.ofMillis(1));
        assertThat(latch.leadership()).isEmpty();
        engine.last().end();
        engine.last().grant(8, Duration.ofSeconds(1));
        latch.close();
        assertThat(latch.leadership()).isEmpty();
    }

    @Test
    void pathsEndInTheTokenOf19Digits() throws Exception {
        latch.start();
        assertThat(latch.getOurPath()).matches("/p/_c_[0-9a-f-]{36}-latch-0{19}");
        assertThat(latch.getLastPathIsLeader()).isNull();
        engine.last().grant(42);
        assertThat(latch.getOurPath())
                .matches("/p/_c_[0-9a-f-]{36}-latch-0{17}42")
                .isEqualTo(latch.getLastPathIsLeader());
        engine.last().end();
        assertThat(latch.getOurPath()).endsWith("-latch-0000000000000000000");
        latch.close();
        assertThat(latch.getOurPath()).isNull();
        assertThat(latch.getLastPathIsLeader()).endsWith("-latch-0000000000000000042");
    }

    // Not only for this latch: the engine asks the tenure, too.
    @Test
    void closingEndsTheTenureBeforeItReturns() throws Exception {
        latch.start();
        Tenure tenure = engine.last().grant(1);
        latch.close();
        assertThat(tenure.isEnded()).isTrue();
        assertThat(engine.last().leaves()).isEqualTo(1);
        LeaderLatch other = new LeaderLatch(client, "/p");
        other.start();
        Tenure last = engine.last().grant(2);
        client.close();
        assertThat(last.isEnded()).isTrue();
    }

    // The grant was on its way when the latch was closed: it must not be believed by anybody.
    @Test
    void aGrantAfterCloseIsEndedAndTellsNobody() throws Exception {
        RecordingListener listener = new RecordingListener();
        latch.addListener(listener);
        latch.start();
        latch.close();
        latch.addListener(listener);
        Tenure late = engine.last().grant(9);
        CallbackQueue.drain(latch);
        assertThat(late.isEnded()).isTrue();
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(listener.events).isEmpty();
    }
}
