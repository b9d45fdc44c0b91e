package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.VotersNotChangedException;
import io.quorate.core.message.VotersMessage.Ready;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * docs/reconfiguration.md#the-coordinator: which step comes next, or why none does. Lists after the first name the
 * directory 7 of each voter. A node that is ready has that directory, or the one behind its colon, where 0 is none; with
 * an exclamation mark its settings differ.
 */
class VoterPlanTest {

    private static final long HASH = 5;

    /** The nodes of "n1 n2:8", each with what stands behind the colon. */
    private static Map<NodeId, String> nodes(String text) {
        Map<NodeId, String> nodes = new TreeMap<>();
        for (String each : text.isEmpty() ? new String[0] : text.split(" ")) {
            nodes.put(new NodeId(each.replaceAll("[:!].*", "")), each.replaceAll("^[^:!]*:?", ""));
        }
        return nodes;
    }

    private static VoterList list(String text) {
        long number = Long.parseLong(text.replaceAll(":.*", ""));
        List<Member> members = nodes(text.replaceAll("^\\d+:? ?", "")).keySet().stream()
                .map(id -> new Member(id, number == 1 ? 0 : 7, Optional.empty()))
                .toList();
        return new VoterList(number, 0, members);
    }

    private static Ready ready(String text) {
        String store = text.replace("!", "");
        return new Ready(1, store.isEmpty() ? 7 : Long.parseLong(store), 0, text.endsWith("!") ? HASH + 1 : HASH, "");
    }

    private static VoterPlan plan(
            NodeSettings settings,
            VoterList first,
            VoterList now,
            Map<NodeId, Optional<HostAndPort>> wanted,
            String ready) {
        Map<NodeId, Ready> answers = new TreeMap<>();
        nodes(ready).forEach((id, text) -> answers.put(id, ready(text)));
        return new VoterPlan(settings, HASH, now.indexOf(settings.self()) >= 0, first, now, wanted, answers);
    }

    private static VoterPlan plan(String at, String now, String wanted, String ready) {
        return plan(Contexts.of(new NodeId(at)).settings(), list(now), list(now), wanted(wanted), ready);
    }

    private static Map<NodeId, Optional<HostAndPort>> wanted(String text) {
        Map<NodeId, Optional<HostAndPort>> wanted = new TreeMap<>();
        nodes(text)
                .forEach((id, port) -> wanted.put(
                        id,
                        port.isEmpty() ? Optional.empty() : Optional.of(new HostAndPort("h", Integer.parseInt(port)))));
        return wanted;
    }

    private static String ids(List<Member> members) {
        return members.stream().map(member -> member.id().value()).collect(Collectors.joining(" "));
    }

    private static String told(VoterPlan.Step step) {
        if (step instanceof VoterPlan.Step.Propose proposal) {
            return "propose " + ids(proposal.next());
        }
        if (step instanceof VoterPlan.Step.Await await) {
            return ("await " + ids(await.next())).strip();
        }
        return ((VoterPlan.Step.End) step).failure().map(Throwable::getMessage).orElse("done");
    }

    private static final String SIXTEEN = "n10 n11 n12 n13 n14 n15 n16 n17 n18 n19 n20 n21 n22 n23 n24 n25";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    n1 | 2: n1 n2 n3    | n1 n2 n3 n4 | n1 n2 n3 n4   | propose n1 n2 n3 n4
                    n1 | 2: n1 n2 n3    | n1 n2 n3 n4 | n1 n2 n4      | propose n1 n2 n3 n4
                    n1 | 2: n1 n2 n3    | n1 n2 n3 n4 | n1 n2 n3      | await
                    n1 | 2: n1 n2 n3    | n1 n2 n3 n4 | n1 n4         | await n1 n2 n3 n4
                    n1 | 2: n1 n2 n3    | n1 n2 n3 n4 | n1 n2 n3 n4:0 | n4 has no dataDirectory, and a voter needs one. Give it one, and start it again
                    n1 | 2: n1 n2 n3    | n1 n2 n3 n4 | n1 n2 n3 n4!  | n4: cluster id, support time or drift differ from those of n1
                    n1 | 2: n1 n2 n3    | n1 n2 n4    | n1 n2 n4      | propose n1 n2
                    n1 | 2: n1 n2 n3    | n1 n2 n4    | n1 n2 n3 n4   | propose n1 n2 n3 n4
                    n1 | 2: n1 n2 n3    | n1 n2 n3    | n1 n2 n3:8    | propose n1 n2
                    n1 | 2: n1 n2 n3    | n1 n2 n3    | n1 n2 n3:0    | propose n1 n2
                    n1 | 2: n1 n2 n3    | n2          | n1 n2 n3      | propose n1 n2
                    n1 | 3: n1 n2       | n2          | n1 n2         | propose n2
                    n1 | 2: n1 n2 n3    | n1 n3       | n1 n2         | await n1 n3
                    n1 | 2: n1 n2 n3    | n1 n2 n3    | n1            | done
                    n1 | 2: n1          | n1          | n1:8          | await
                    n4 | 2: n1 n2 n3    | n1 n2       | n1 n2 n3      | n4 no longer votes, and has no word in the rest. Ask a voter that stays
                    n4 | 1: n1 n2 n3    | n1 n2       | n1 n2 n3      | propose n1 n2
                    n1 | 1: n1 n2 n3    | n1 n2 n3 n4 | n1 n2 n4      | await n1 n2 n3 n4
                    n1 | 1: n1 n2 n3    | n1 n2       | n1 n2         | propose n1 n2
                    n1 | 1: n1 n2 n3    | n1 n2 n3    | n1 n2 n3      | done
                    n1 | 1: n1 n2 n3    | n1 n2 n3    | n1 n2         | await n1 n2 n3
                    n1 | 1: n1 n2 n3    | n1 n2       | n1 n2:0 n3    | voters cannot be changed: this cluster keeps its terms in memory, and a restart would forget who votes. Stop the whole cluster, give every node a dataDirectory, then change
                    n1 | 1: n1 n2 n3    | n1 n2       | n1 n2 n3:0    | propose n1 n2
                    """)
    void nextStep(String at, String now, String wanted, String ready, String step) {
        assertThat(told(plan(at, now, wanted, ready).next())).isEqualTo(step);
    }

    // A list has room for 15 voters: one leaves before one comes, and the coordinator must not be the one.
    @ParameterizedTest
    @CsvSource({
        "n24, propose n10 n11 n12 n13 n14 n16 n17 n18 n19 n20 n21 n22 n23 n24",
        "n15, 'n15 would have to leave before n25 comes, as the list is full, and would have no word in the rest. Ask a"
                + " voter that stays'"
    })
    void fullListLosesAVoterFirst(String at, String step) {
        String all = SIXTEEN.replace(" n25", "");
        assertThat(told(plan(at, "2: " + all, SIXTEEN.replace(" n15", ""), SIXTEEN)
                        .next()))
                .isEqualTo(step);
        assertThat(told(plan(at, "2: " + all, SIXTEEN, SIXTEEN).next())).isEqualTo("await " + SIXTEEN);
    }

    @Test
    void directoriesAreNamedAndAddressesKept() {
        VoterList now = new VoterList(1, 0, List.of(new Member(Contexts.N1, 0, Optional.of(new HostAndPort("h", 1)))));
        NodeSettings settings =
                Contexts.of(Contexts.N1).settings().reaching(Map.of(Contexts.N3, new HostAndPort("h", 3)));
        VoterPlan plan = plan(settings, now, now, wanted("n1 n2:2 n3"), "n1:8 n2:9 n3");
        assertThat(plan.next())
                .isEqualTo(new VoterPlan.Step.Propose(List.of(
                        new Member(Contexts.N1, 8, Optional.of(new HostAndPort("h", 1))),
                        new Member(Contexts.N2, 9, Optional.of(new HostAndPort("h", 2))))));
        assertThat(plan.addressOf(Contexts.N3)).contains(new HostAndPort("h", 3));
    }

    @Test
    void failureTellsWhichStepsAreDone() {
        NodeSettings settings = Contexts.of(Contexts.N1).settings();
        VoterPlan plan = plan(settings, list("2: n1 n2 n3"), list("3: n1 n2"), wanted("n1 n2 n4"), "n1 n2 n4:0");
        assertThat(told(plan.next()))
                .isEqualTo("number 3: [n1, n2] is in force, and [n1, n2, n4] is not: n4 has no dataDirectory, and a"
                        + " voter needs one. Give it one, and start it again. Ask again with the same list");
    }

    // It has been chosen before, so majorities of both lists are enough.
    @ParameterizedTest
    @CsvSource({"n1 n2, propose n1 n2 n4", "n2 n4, await n1 n2 n4", "n1 n4, await n1 n2 n4"})
    void listThatWasLeftOpen(String ready, String step) {
        VoterPlan plan = plan("n1", "2: n1 n2 n3", "n1 n2 n4", ready);
        List<Member> open = list("3: n1 n2 n4").members();
        assertThat(told(plan.propose(open))).isEqualTo(step);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    n1 | 2: n1 n2 n3 | n1 n2 n4   | 2 |       | no refusal
                    n2 | 1: n1 n2 n3 | n1 n2 n4   | 1 |       | no refusal
                    n3 | 1: n1 n2    | n1 n2      | 1 |       | no refusal
                    n1 | 0           | n1 n2      | 0 |       | this node has not been told yet who votes. Ask again when it is connected
                    n4 | 1: n1 n2 n3 | n1 n2      | 1 |       | this node does not vote, so the others would not listen. Ask a voter: [n1, n2, n3]
                    n3 | 2: n1 n2    | n1 n2      | 2 |       | this node does not vote, so the others would not listen. Ask a voter: [n1, n2]
                    n1 | 2: n1 n2 n3 | n1 n2 n3   | 1 | n1 n2 | another change of voters is under way at this node, to [n1, n2]. Wait for its end
                    n1 | 2: n1 n2 n3 | n1 n2 n3:3 | 2 |       | the address of n3 cannot change alone. Have the others vote without it, and then with it at its new address
                    n1 | 2: n1 n2 n3 | n1 n2:2    | 2 |       | no refusal
                    n1 | 2: n1 n2 n3 | n1 n2 n3   | 2 |       | no refusal
                    n1 | 2: n1 n2 n3 | n1 n2 n3   | 1 |       | no refusal
                    n1 | 2: n1 n2 n3 | n1 n2      | 1 |       | number 1 was expected, and the voters are number 2: [n1, n2, n3]. Look, and ask again if it is still wanted
                    """)
    void requestIsAnswered(String at, String now, String wanted, long number, String underWay, String answer) {
        Optional<Set<NodeId>> other =
                Optional.ofNullable(underWay).map(ids -> nodes(ids).keySet());
        VoterPlan plan = plan(at, now, wanted, "");
        assertThat(plan.refusal(number, other).map(Throwable::getMessage))
                .isEqualTo(answer.equals("no refusal") ? Optional.empty() : Optional.of(answer));
    }

    @Test
    void newVoterNeedsAnAddressIfNodesHaveAddresses() {
        VoterList now = list("2: n1 n2");
        NodeSettings settings =
                Contexts.of(Contexts.N1).settings().reaching(Map.of(Contexts.N3, new HostAndPort("h", 3)));
        Map<String, Boolean> begins = Map.of("n1 n2 n3", true, "n1 n2 n4:4", true, "n1 n4", false);
        begins.forEach((wanted, isRight) -> {
            Optional<RuntimeException> refusal =
                    plan(settings, now, now, wanted(wanted), "").refusal(2, Optional.empty());
            assertThat(refusal.isEmpty()).as(wanted).isEqualTo(isRight);
            refusal.ifPresent(failure -> assertThat(failure)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("voter 'n4': has no address; give it as n4=host:port, or name it in peers"));
        });
    }

    // An operator is told apart what is wrong with a request, with the cluster, and with the moment.
    @Test
    void kindsOfFailures() {
        assertThat(Stream.of(
                                plan("n1", "1: n1 n2", "n1 n2", "n1 n2:0").next(),
                                plan("n1", "2: n1 n2", "n1 n2 n3", "n1 n2 n3:0").next())
                        .map(step -> ((VoterPlan.Step.End) step)
                                .failure()
                                .orElseThrow()
                                .getClass())
                        .toList())
                .isEqualTo(Arrays.asList(IllegalStateException.class, VotersNotChangedException.class));
    }
}
