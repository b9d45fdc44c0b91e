package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.engine.Tenure;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.TenureFixture;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** ADR-0010: once false, never true again for the same token. Here, because only the core may renew a lease. */
class ExpiredLeaseTest {

    @Test
    void leadershipSeenAsExpiredStaysFalseAlthoughTheLeaseIsRenewed() throws Exception {
        FakeEngine engine = new FakeEngine();
        try (ElectionClient client = Clients.over(engine)) {
            client.start();
            LeaderLatch latch = new LeaderLatch(client, "/p");
            latch.start();
            Tenure tenure = engine.last().grant(1, Duration.ofSeconds(1));
            engine.clock().advance(Duration.ofSeconds(1));
            assertThat(latch.hasLeadership()).isFalse();
            TenureFixture.renew(tenure, engine.clock().nanoTime() + 1_000_000_000);
            assertThat(latch.hasLeadership()).isFalse();
        }
    }

    @Test
    void aLeaseRenewedInTimeKeepsLeadership() throws Exception {
        FakeEngine engine = new FakeEngine();
        try (ElectionClient client = Clients.over(engine)) {
            client.start();
            LeaderLatch latch = new LeaderLatch(client, "/p");
            latch.start();
            Tenure tenure = engine.last().grant(1, Duration.ofSeconds(1));
            TenureFixture.renew(tenure, engine.clock().nanoTime() + 2_000_000_000);
            engine.clock().advance(Duration.ofSeconds(1));
            assertThat(latch.hasLeadership()).isTrue();
        }
    }
}
