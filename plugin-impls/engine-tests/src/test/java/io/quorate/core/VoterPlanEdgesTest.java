package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VotersMessage.Ready;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** docs/reconfiguration.md#the-coordinator: requests that are repeated, nodes that are not named, and addresses. */
class VoterPlanEdgesTest {

    private static final Optional<HostAndPort> AT = Optional.of(new HostAndPort("h", 3));

    private static NodeSettings settings(boolean joins) {
        return new NodeSettings(
                "test",
                Contexts.N1,
                Contexts.VOTERS,
                new LeaseTiming(100, 1100, 10),
                new Timing(10),
                RankOrder.JOIN_ORDER,
                0,
                false,
                joins,
                Map.of());
    }

    private static Map<NodeId, Optional<HostAndPort>> wanted(NodeId... ids) {
        Map<NodeId, Optional<HostAndPort>> wanted = new TreeMap<>();
        for (NodeId id : ids) {
            wanted.put(id, Optional.empty());
        }
        return wanted;
    }

    private static VoterPlan plan(
            boolean joins,
            boolean votes,
            VoterList first,
            VoterList now,
            Map<NodeId, Optional<HostAndPort>> wanted,
            NodeId... ready) {
        Map<NodeId, Ready> answers = new TreeMap<>();
        for (NodeId id : ready) {
            answers.put(id, new Ready(1, 7, 0, 5, ""));
        }
        return new VoterPlan(settings(joins), 5, votes, first, now, wanted, answers);
    }

    // An operator repeats "n1 n2 n3=h:3", whose answer was lost.
    @Test
    void repeatedRequestWithTheSameAddressIsDone() {
        VoterList now = new VoterList(
                3, 0, List.of(new Member(Contexts.N1, 7, Optional.empty()), new Member(Contexts.N3, 7, AT)));
        Map<NodeId, Optional<HostAndPort>> wanted = wanted(Contexts.N1);
        wanted.put(Contexts.N3, AT);
        assertThat(plan(false, true, now, now, wanted).refusal(2, Optional.empty()))
                .isEmpty();
    }

    // R10, although its settings name it.
    @Test
    void joiningNodeDoesNotVoteUnderTheFirstList() {
        VoterList now = VoterList.first(Contexts.VOTERS);
        assertThat(plan(true, false, now, now, wanted(Contexts.N1)).refusal(1, Optional.empty()))
                .isPresent();
    }

    // The ids are in force, so the operator need not ask again.
    @Test
    void failureAfterTheLastStepDoesNotSayThatTheListIsMissing() {
        VoterList first = Contexts.list(2, Contexts.N1);
        VoterList now = Contexts.list(3, Contexts.N1, Contexts.N2);
        assertThat(plan(false, true, first, now, wanted(Contexts.N1, Contexts.N2))
                        .refusal("x")
                        .orElseThrow())
                .hasMessage("x");
    }

    // R9, because list 2 names directories.
    @Test
    void unnamedVoterIsNotThere() {
        VoterList now = new VoterList(
                2,
                0,
                List.of(new Member(Contexts.N1, 7, Optional.empty()), new Member(Contexts.N2, 0, Optional.empty())));
        assertThat(plan(false, true, now, now, wanted(Contexts.N1), Contexts.N1, Contexts.N2)
                        .there(now.members()))
                .containsExactly(Contexts.N1);
    }

    @Test
    void addressOfTheListIsKept() {
        VoterList now = new VoterList(
                2, 0, List.of(new Member(Contexts.N1, 7, Optional.empty()), new Member(Contexts.N3, 7, AT)));
        assertThat(plan(false, true, Contexts.list(1, Contexts.N1), now, wanted(Contexts.N1, Contexts.N3))
                        .addressOf(Contexts.N3))
                .isEqualTo(AT);
    }
}
