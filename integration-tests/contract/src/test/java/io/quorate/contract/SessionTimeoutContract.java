package io.quorate.contract;

import static io.quorate.ConnectionState.CONNECTED;
import static io.quorate.ConnectionState.LOST;
import static io.quorate.ConnectionState.RECONNECTED;
import static io.quorate.ConnectionState.SUSPENDED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens when nothing is heard of a client, or of the service, for as long as a session lasts. */
abstract class SessionTimeoutContract extends Contract {

    /** Lets time pass until the successor leads; at no moment do both. */
    private void handsOver(Latch from, Latch to) {
        side.eventually("'" + to.getId() + "' leads", () -> {
            assertThat(bothLead(from, to)).as("both lead").isFalse();
            return to.hasLeadership();
        });
        assertThat(from.hasLeadership()).isFalse();
    }

    @Test
    void aLongOutageIsLostInBetween() throws Exception {
        Client client = watched();
        side.cut(client);
        awaitStates(CONNECTED, SUSPENDED, LOST);
        side.heal(client);
        awaitStates(CONNECTED, SUSPENDED, LOST, RECONNECTED);
    }

    @ParameterizedTest
    @EnumSource(
            value = Policy.class,
            names = {"STANDARD", "SESSION"})
    void withEitherPolicyLeadershipEndsWithLost(Policy policy) throws Exception {
        side.policy(policy);
        Client client = watched();
        Latch leader = leading(client, "leader");
        Latch follower = joined(connected(), "follower");
        side.cut(client);
        leads(follower);
        if (policy == Policy.SESSION && side.isCurator()) {
            // Its own timer runs from SUSPENDED, the server's from what it heard last: for a moment, two lead.
            leadsNoMore(leader);
        }
        assertThat(leader.hasLeadership()).isFalse();
        side.eventually("the client is LOST", () -> states.contains(LOST));
        side.heal(client);
        side.eventually("it contends again, at the tail", () -> ids(follower).equals(List.of("follower", "leader")));
        side.pass(A_WHILE);
        assertThat(follower.hasLeadership()).isTrue();
        assertThat(leader.hasLeadership()).isFalse();
    }

    @Test
    void aLeaderThatIsCutOffIsReplacedAndStopsBefore() throws Exception {
        Client client = connected();
        Latch first = leading(client, "first");
        Latch second = joined(connected(), "second");
        side.cut(client);
        handsOver(first, second);
        side.heal(client);
        side.eventually("it contends again", () -> ids(second).equals(List.of("second", "first")));
        assertThat(first.hasLeadership()).isFalse();
        second.close();
        leads(first);
    }

    @Test
    void aLeaderWhoseProcessDiesIsReplaced() throws Exception {
        Client client = connected();
        Latch first = leading(client, "first");
        Latch second = joined(connected(), "second");
        long last = number(first.getLastPathIsLeader());
        side.crash(client);
        handsOver(first, second);
        assertThat(number(second.getLastPathIsLeader())).isGreaterThan(last);
        side.eventually("the dead one is gone", () -> ids(second).equals(List.of("second")));
    }

    @Test
    void aFollowerWhoseProcessDiesDoesNotDisturb() throws Exception {
        Client other = connected();
        Latch leader = leading(other, "leader");
        Client client = connected();
        joined(client, "follower");
        Latch last = joined(other, "last");
        side.crash(client);
        side.eventually("the dead one is gone", () -> ids(leader).equals(List.of("leader", "last")));
        assertThat(leader.hasLeadership()).isTrue();
        leader.close();
        leads(last);
    }

    @Test
    void afterALongOutageOfTheServiceOneLeads() throws Exception {
        Latch first = leading(connected(), "first");
        Latch second = joined(connected(), "second");
        side.stopService();
        leadsNoMore(first);
        side.pass(side.session().plus(A_WHILE));
        assertThat(leaders(first, second)).isZero();
        side.startService();
        oneLeads(first, second);
        side.eventually("both contend", () -> contenders(second) == 2);
    }

    @Test
    void aClientThatIsClosedDuringAnOutageIsReplaced() throws Exception {
        Client client = connected();
        Latch first = leading(client, "first");
        Latch second = joined(connected(), "second");
        side.cut(client);
        first.close();
        client.close();
        handsOver(first, second);
    }
}
