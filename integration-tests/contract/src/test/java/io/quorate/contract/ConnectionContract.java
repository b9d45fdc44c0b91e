package io.quorate.contract;

import static io.quorate.ConnectionState.CONNECTED;
import static io.quorate.ConnectionState.LOST;
import static io.quorate.ConnectionState.RECONNECTED;
import static io.quorate.ConnectionState.SUSPENDED;
import static io.quorate.testkit.RecordingListener.IS_LEADER;
import static io.quorate.testkit.RecordingListener.NOT_LEADER;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ConnectionState;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.WaitingCall;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the connection does to leadership, under both policies. */
abstract class ConnectionContract extends Contract {

    @Test
    void aClientIsConnectedFirst() throws Exception {
        watched();
        awaitStates(CONNECTED);
    }

    @Test
    void clientThatIsClosedDoesNotTellItsListenersThatItIsLost() throws Exception {
        Client client = watched();
        awaitStates(CONNECTED);
        leads(joined(client, side.latch(client, path, "leader")));
        client.close();
        leads(joined(connected(), "next"));
        assertThat(states).containsExactly(CONNECTED);
    }

    @Test
    void withoutAServiceBlockUntilConnectedAnswersFalse() throws Exception {
        side.stopService();
        Client client = side.client();
        assertThat(client.blockUntilConnected(A_WHILE)).isFalse();
        side.startService();
        assertThat(client.blockUntilConnected(Real.DEADLINE)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(ConnectionState.class)
    void thePoliciesNameTheErrors(ConnectionState state) {
        assertThat(side.isErrorState(Policy.STANDARD, state)).isEqualTo(state == SUSPENDED || state == LOST);
        assertThat(side.isErrorState(Policy.SESSION, state)).isEqualTo(state == LOST);
    }

    @Test
    void aShortOutageIsSuspendedThenReconnected() throws Exception {
        Client client = watched();
        side.cut(client);
        awaitStates(CONNECTED, SUSPENDED);
        side.heal(client);
        awaitStates(CONNECTED, SUSPENDED, RECONNECTED);
    }

    @Test
    void withTheSessionPolicyAShortOutageChangesNothing() throws Exception {
        side.policy(Policy.SESSION);
        Client client = watched();
        Latch leader = side.latch(client, path, "leader");
        RecordingListener listener = new RecordingListener();
        leader.addListener(listener);
        leads(joined(client, leader));
        Latch follower = joined(connected(), "follower");
        String ourPath = leader.getOurPath();
        side.cut(client);
        awaitStates(CONNECTED, SUSPENDED);
        assertThat(leader.hasLeadership()).isTrue();
        side.heal(client);
        awaitStates(CONNECTED, SUSPENDED, RECONNECTED);
        hears(listener, IS_LEADER);
        assertThat(leader.hasLeadership()).isTrue();
        assertThat(leader.getOurPath()).isEqualTo(ourPath);
        assertThat(follower.hasLeadership()).isFalse();
    }

    @Test
    void withTheStandardPolicyLeadershipEndsWithSuspended() throws Exception {
        side.policy(Policy.STANDARD);
        Client client = watched();
        Latch leader = side.latch(client, path, "leader");
        RecordingListener listener = new RecordingListener();
        leader.addListener(listener);
        leads(joined(client, leader));
        side.cut(client);
        awaitStates(CONNECTED, SUSPENDED);
        leadsNoMore(leader);
        assertThat(states).doesNotContain(LOST);
        side.eventually("notLeader is called", () -> listener.hasSeen(IS_LEADER, NOT_LEADER));
        side.heal(client);
        leads(leader);
        side.eventually("isLeader is called again", () -> listener.hasSeen(IS_LEADER, NOT_LEADER, IS_LEADER));
    }

    @Test
    void afterAnExpiryAContenderStandsAtTheTail() throws Exception {
        Client client = watched();
        Latch leader = leading(client, "leader");
        Client other = connected();
        Latch second = joined(other, "second");
        Latch third = joined(other, "third");
        side.expire(client);
        try {
            leads(second);
            side.eventually("it contends again", () -> ids(third).equals(List.of("second", "third", "leader")));
        } catch (AssertionError e) {
            throw new AssertionError(
                    e.getMessage() + "\n" + leader.standing() + "\n" + second.standing() + "\n" + third.standing(), e);
        }
    }

    @Test
    void anOutageOfAFollowerDoesNotDisturbTheLeader() throws Exception {
        Client client = connected();
        Latch leader = side.latch(client, path, "leader");
        RecordingListener listener = new RecordingListener();
        leader.addListener(listener);
        leads(joined(client, leader));
        Client other = watched();
        Latch follower = joined(other, "follower");
        side.coordinationLost(other, A_WHILE);
        side.expire(other);
        side.eventually("it contends again", () -> ids(leader).equals(List.of("leader", "follower")));
        hears(listener, IS_LEADER);
        assertThat(follower.hasLeadership()).isFalse();
    }

    @Test
    void aSubclassIsToldOfTheConnection() throws Exception {
        Client client = connected();
        List<ConnectionState> handled = new CopyOnWriteArrayList<>();
        Latch latch = side.subclassed(client, path, handled::add, wasWaiting -> {});
        leads(joined(client, latch));
        side.cut(client);
        side.eventually("SUSPENDED is handled", () -> handled.contains(SUSPENDED));
        side.heal(client);
        side.eventually("RECONNECTED is handled", () -> handled.contains(RECONNECTED));
        assertThat(handled).containsSubsequence(SUSPENDED, RECONNECTED);
        latch.close();
        int before = handled.size();
        side.cut(client);
        side.pass(A_WHILE);
        assertThat(handled).hasSize(before);
    }

    @Test
    void aClosedLatchStaysClosedWhateverTheConnectionDoes() throws Exception {
        Client client = watched();
        Latch latch = leading(client, "leader");
        latch.close();
        side.expire(client);
        side.eventually("the client is back", () -> states.contains(RECONNECTED));
        side.pass(A_WHILE);
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(ids(latch)).isEmpty();
    }

    // While the application waits for it on the other side of a cut.
    @Test
    void awaitOutlastsAnOutage() throws Exception {
        Client client = watched();
        Latch leader = leading(connected(), "leader");
        Latch latch = joined(client, "waiting");
        WaitingCall<Boolean> waiting = side.waiting(() -> {
            latch.await();
            return latch.hasLeadership();
        });
        side.expire(client);
        side.eventually("the client is back", () -> states.contains(RECONNECTED));
        side.eventually("it contends again", () -> ids(leader).equals(List.of("leader", "waiting")));
        assertThat(waiting.isDone()).isFalse();
        leader.close();
        side.eventually("it leads", waiting::isDone);
        assertThat(waiting.answer()).isTrue();
    }

    // To the application, "connected again" comes before "you lead".
    @Test
    void reconnectedComesBeforeIsLeader() throws Exception {
        side.policy(Policy.STANDARD);
        Client client = side.newClient();
        List<String> events = new CopyOnWriteArrayList<>();
        client.onStateChange(state -> events.add(state.name()));
        client.start();
        Latch latch = side.latch(client, path);
        latch.addListener(new RecordingListener("", events));
        latch.start();
        leads(latch);
        side.eventually("isLeader is called", () -> events.contains(IS_LEADER));
        side.expire(client);
        side.eventually(
                "it leads again",
                () -> events.lastIndexOf(IS_LEADER) > events.indexOf(NOT_LEADER) && events.contains(NOT_LEADER));
        assertThat(events.indexOf(CONNECTED.name())).isLessThan(events.indexOf(IS_LEADER));
        assertThat(events.indexOf(RECONNECTED.name()))
                .as(events.toString())
                .isBetween(events.indexOf(SUSPENDED.name()), events.lastIndexOf(IS_LEADER));
    }
}
