package io.quorate.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** That what is measured is the call that is asked for, of the latch that is given. */
class LatchCostTest {

    private static final long MILLI = 1_000_000;

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger leadersAsked = new AtomicInteger();

    private final LatchClient.Latch latch = new LatchClient.Latch() {
        @Override
        public boolean hasLeadership() {
            asked.incrementAndGet();
            return true;
        }

        @Override
        public void close() {
            throw new AssertionError("is not measured");
        }

        @Override
        public String leader() {
            leadersAsked.incrementAndGet();
            // Justification: a lower bound.
            LockSupport.parkNanos(MILLI);
            return "n1";
        }

        @Override
        public int participants() {
            throw new AssertionError("is not measured");
        }
    };

    @Test
    void theCallThatIsAskedForIsMeasured() throws Exception {
        assertThat(LatchCost.measure(latch, "getLeader", 2)).hasSize(2).allMatch(nanos -> nanos >= MILLI);
        assertThat(asked).hasValue(0);
        int leaders = leadersAsked.get();
        assertThat(LatchCost.measure(latch, "hasLeadership", 1)).singleElement().matches(nanos -> nanos > 0);
        assertThat(asked).hasPositiveValue();
        assertThat(leadersAsked).as("not asked again").hasValue(leaders);
    }
}
