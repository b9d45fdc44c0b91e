package io.quorate.contract;

import static io.quorate.ConnectionState.LOST;
import static io.quorate.testkit.RecordingListener.IS_LEADER;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.LeaderLatch.State;
import io.quorate.testkit.RecordingListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Processes, connections and the coordination service fail: never two leaders, and one again when it is over. */
abstract class FaultContract extends Contract {

    @Test
    void aLeaderThatExpiresIsReplacedAndComesBack() throws Exception {
        Client client = connected();
        Latch first = leading(client, "first");
        Latch second = joined(connected(), "second");
        side.expire(client);
        side.eventually("the second leads", second::hasLeadership);
        leadsNoMore(first);
        second.close();
        leads(first);
    }

    @Test
    void afterAShortOutageOfTheServiceTheSameLeads() throws Exception {
        side.policy(Policy.SESSION);
        Latch first = leading(watched(), "first");
        Latch second = joined(connected(), "second");
        side.ensembleDown(Duration.ofMillis(100));
        oneLeads(first, second);
        // On a busy machine the service may be back too late, and the outage was none of the short ones.
        if (side.isPunctual() || !states.contains(LOST)) {
            leads(first);
        }
    }

    @Test
    void repeatedOutagesEndWithOneLeader() throws Exception {
        Latch first = leading(connected(), "first");
        Latch second = joined(connected(), "second");
        for (int i = 0; i < 3; i++) {
            side.ensembleDown(Duration.ofMillis(50));
            side.pass(Duration.ofMillis(50));
        }
        oneLeads(first, second);
        side.eventually("both contend", () -> contenders(second) == 2);
    }

    @Test
    void theServiceMayComeLate() throws Exception {
        side.stopService();
        Client client = side.client();
        Latch latch = side.latch(client, path, "early");
        RecordingListener listener = new RecordingListener();
        latch.addListener(listener);
        latch.start();
        assertThat(latch.getState()).isEqualTo(State.STARTED);
        // Justification: a latch does not lead without a service, however long it waits.
        assertThat(latch.await(50, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(listener.events).isEmpty();
        side.startService();
        leads(latch);
        hears(listener, IS_LEADER);
    }

    @Test
    void aServiceThatForgotEverythingElectsOneAgain() throws Exception {
        Client client = connected();
        Latch first = leading(client, "first");
        Latch second = joined(connected(), "second");
        side.wipeService();
        side.eventually("both contend again", () -> {
            assertThat(bothLead(first, second)).isFalse();
            return leaders(first, second) == 1 && contenders(second) == 2;
        });
        Latch leader = first.hasLeadership() ? first : second;
        Latch other = leader == first ? second : first;
        leader.close();
        leads(other);
    }

    @Test
    void aLatchClosedDuringAnOutageIsGoneAfterwards() throws Exception {
        Client client = connected();
        Latch first = leading(client, "first");
        Latch second = joined(connected(), "second");
        side.cut(client);
        first.close();
        assertThat(first.hasLeadership()).isFalse();
        side.heal(client);
        leads(second);
        side.eventually("one contends", () -> ids(second).equals(List.of("second")));
    }
}
