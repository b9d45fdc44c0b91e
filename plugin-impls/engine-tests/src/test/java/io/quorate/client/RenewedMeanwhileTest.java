package io.quorate.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.Engine;
import io.quorate.engine.Tenure;
import io.quorate.testkit.simulation.FakeEngine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** A lease is over when a wait looks at it under the lock, and is renewed before it looks again: the leader leads on. */
class RenewedMeanwhileTest {

    private static final Duration LEASE = Duration.ofSeconds(1);

    private final FakeEngine engine = new FakeEngine();
    private Runnable meanwhile = () -> {};

    /** It is asked between the two looks. */
    private final class Renewing implements LeadCondition {

        @Override
        public Engine.Candidacy contend(
                Engine joined, String path, String id, Engine.ContenderListener listener, Executor executor) {
            return joined.contend(path, id, listener);
        }

        @Override
        public boolean isMet() {
            meanwhile.run();
            return true;
        }
    }

    private LatchContender leader() {
        LatchContender contender =
                new LatchContender("/p", "", false, new LatchCallbacks(Runnable::run, LEASE).under(new Renewing()));
        contender.start(Optional.empty());
        contender.join(engine, "/p");
        Tenure tenure = engine.last().grant(7, LEASE);
        engine.clock().advance(LEASE);
        meanwhile = () -> tenure.lease().setUntil(engine.clock().nanoTime() + LEASE.toNanos());
        return contender;
    }

    @Test
    void awaitEndsNothing() throws Exception {
        assertThat(leader().await(0)).isTrue();
        assertThat(engine.last().reported()).isEmpty();
    }

    @Test
    void aStageIsCompleted() {
        assertThat(leader().awaitAsync()).isCompletedWithValue(7L);
        assertThat(engine.last().reported()).isEmpty();
    }
}
