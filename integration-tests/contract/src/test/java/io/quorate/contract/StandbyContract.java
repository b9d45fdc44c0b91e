package io.quorate.contract;

import static io.quorate.testkit.RecordingListener.IS_LEADER;
import static io.quorate.testkit.RecordingListener.NOT_LEADER;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.LeaderLatchListener;
import io.quorate.testkit.RecordingListener;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A client that is not to lead, as long as somebody else can. Quorate alone has that. */
abstract class StandbyContract extends Contract {

    @Test
    void aLeaderOnStandbyHandsOverAndIsTold() throws Exception {
        Client client = connected();
        Latch leader = side.latch(client, path, "leader");
        RecordingListener listener = new RecordingListener();
        leader.addListener(listener);
        leads(joined(client, leader));
        Latch second = joined(connected(), "second");
        side.eventually("both contend", () -> ids(leader).equals(List.of("leader", "second")));
        client.standby(true);
        leads(second);
        leadsNoMore(leader);
        side.eventually("notLeader is called", () -> listener.hasSeen(IS_LEADER, NOT_LEADER));
        side.eventually("it contends, and ranks last", () -> ids(second).equals(List.of("second", "leader")));
        second.close();
        leads(leader);
    }

    @Test
    void aNewcomerGoesBeforeAContenderOnStandby() throws Exception {
        Latch leader = leading(connected(), "leader");
        Client client = connected();
        client.standby(true);
        joined(client, "standby");
        side.eventually("it contends", () -> ids(leader).equals(List.of("leader", "standby")));
        Latch newcomer = joined(connected(), "newcomer");
        side.eventually(
                "the newcomer is before it", () -> ids(leader).equals(List.of("leader", "newcomer", "standby")));
        client.standby(false);
        side.eventually("it has its old place", () -> ids(leader).equals(List.of("leader", "standby", "newcomer")));
        client.standby(true);
        side.eventually(
                "the newcomer is before it", () -> ids(leader).equals(List.of("leader", "newcomer", "standby")));
        leader.close();
        leads(newcomer);
    }

    @Test
    void soleContenderLeadsEvenOnStandby() throws Exception {
        Client client = connected();
        client.standby(true);
        Latch alone = leading(client, "alone");
        side.pass(A_WHILE);
        assertThat(alone.hasLeadership()).isTrue();
        leads(joined(connected(), "eligible"));
        leadsNoMore(alone);
    }

    @Test
    void aLeaderThatIsNotEligibleHandsOver() throws Exception {
        Client client = connected();
        AtomicBoolean isEligible = new AtomicBoolean(true);
        client.eligibleWhile(isEligible::get);
        Latch leader = leading(client, "leader");
        Latch second = joined(connected(), "second");
        side.eventually("both contend", () -> ids(leader).equals(List.of("leader", "second")));
        side.pass(A_WHILE);
        assertThat(leader.hasLeadership()).isTrue();
        isEligible.set(false);
        leads(second);
        side.eventually("it ranks last", () -> ids(second).equals(List.of("second", "leader")));
        isEligible.set(true);
        Latch third = joined(connected(), "third");
        side.eventually("it ranks as usual", () -> ids(second).equals(List.of("second", "leader", "third")));
        assertThat(third.hasLeadership()).isFalse();
    }

    @Test
    void aLeaderWhoseCallbackThrowsInThreeTenuresMakesWay() throws Exception {
        Client client = connected();
        Latch failing = side.latch(client, path, "failing");
        failing.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                throw new IllegalStateException("as the test wants");
            }

            @Override
            public void notLeader() {
                // Nothing has begun.
            }
        });
        leads(joined(client, failing));
        Client others = connected();
        for (String next : List.of("second", "third")) {
            Latch other = joined(others, next);
            side.eventually("both contend", () -> ids(failing).equals(List.of("failing", next)));
            client.standby(true);
            leads(other);
            side.eventually("it is back", () -> ids(other).equals(List.of(next, "failing")));
            client.standby(false);
            Latch waiting = joined(others, "waiting");
            side.eventually("it has its place", () -> ids(waiting).equals(List.of(next, "failing", "waiting")));
            other.close();
            if (next.equals("second")) {
                leads(failing);
                waiting.close();
            } else {
                leads(waiting);
                side.eventually("it ranks last", () -> ids(waiting).equals(List.of("waiting", "failing")));
            }
        }
    }
}
