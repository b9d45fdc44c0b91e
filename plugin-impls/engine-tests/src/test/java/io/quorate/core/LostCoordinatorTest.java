package io.quorate.core;

import static io.quorate.core.ChangingCluster.node;
import static io.quorate.core.ChangingCluster.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.Acceptance;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.message.VotersMessage.ReadyQuery;
import io.quorate.core.voters.VoterList;
import io.quorate.spi.NodeId;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.VirtualCluster;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * docs/reconfiguration.md, R11: n1 brings a change about, and is lost between two steps. While a majority lives, a list
 * that a living voter has accepted reaches everybody without an operator.
 */
class LostCoordinatorTest {

    private static final String PATH = "/app";
    private static final NodeId COORDINATOR = node(1);
    private static final long SUPPORT_MILLIS = 1000;
    /** Two support times of patience, one for older support, and for those that were shut out what any outage takes. */
    private static final long BOUND_MILLIS = 10 * SUPPORT_MILLIS;

    /** An undisturbed change takes some 10 ms; one whose end nobody hears of is told again and again. */
    private static final int CHANGE_MILLIS = 200;

    /** What becomes of n1. */
    private enum Loss {
        KILLED,
        KILLED_WHILE_THE_OTHERS_RESTART,
        CUT_OFF,
        STOPPED_FOR_A_WHILE
    }

    private static boolean tellsOfLists(Flight flight) {
        return flight.message() instanceof DecidedVoters
                || flight.message() instanceof Heartbeat heartbeat && heartbeat.number() > 1;
    }

    private static boolean isOfTheChange(Flight flight) {
        return flight.from().equals(COORDINATOR)
                && (flight.message() instanceof ReadyQuery
                        || flight.message() instanceof Prepare
                        || flight.message() instanceof Accept
                        || flight.message() instanceof DecidedVoters);
    }

    // Only n1 knows list 2 when n1 dies. It has told two contenders, which wait until more voters say so.
    @Test
    void contendersThatHeardOfAListBeforeTheVotersAreServed() {
        Run run = new Run(3, 0, nodes(1, 2, 3, 4), true);
        run.ask();
        run.cluster.await("n1 knows", 20_000, () -> run.nodes.number(1) == 2);
        run.cluster.advance(2000);
        assertThat(run.contenders).allMatch(contender -> run.numberOf(contender) < 2);
        assertThat(run.nodes.number(2)).isEqualTo(1);
        assertThat(run.nodes.number(3)).isEqualTo(1);
        run.cluster.crash(COORDINATOR);
        run.cluster.advance(BOUND_MILLIS);
        assertThat(run.cluster.leaders(PATH)).as(run.cluster::describe).hasSize(1);
    }

    // At each message of n1 about the change, from the first question to the last time that it tells the list. What
    // becomes of n1 takes turns: the suite "storms" has each loss at each message. A sample has every second message.
    @ParameterizedTest
    @EachChange
    void listAcceptedByALivingVoterComesIntoForce(int voters, int alsoDead, String wanted, boolean isUntold) {
        assertComesIntoForce(voters, alsoDead, wanted, isUntold, message -> {
            Loss[] all = Loss.values();
            int turn = message + voters + (isUntold ? 1 : 0);
            if (Effort.isWhole()) {
                return List.of(all[turn % all.length]);
            }
            return turn % 2 == 0 ? List.of() : List.of(all[turn / 2 % all.length]);
        });
    }

    @ParameterizedTest
    @EachChange
    @Tag("storms")
    void listAcceptedByALivingVoterComesIntoForceAfterEachLoss(
            int voters, int alsoDead, String wanted, boolean isUntold) {
        assertComesIntoForce(voters, alsoDead, wanted, isUntold, message -> List.of(Loss.values()));
    }

    private static void assertComesIntoForce(
            int voters, int alsoDead, String wanted, boolean isUntold, IntFunction<List<Loss>> losses) {
        List<NodeId> next = IntStream.of(List.of(wanted.split(" ")).stream()
                        .mapToInt(Integer::parseInt)
                        .toArray())
                .mapToObj(ChangingCluster::node)
                .toList();
        int steps = 0;
        int runs = 0;
        int accepted = 0;
        for (boolean isOver = false; !isOver; steps++) {
            for (Loss loss : losses.apply(steps)) {
                Run run = new Run(voters, alsoDead, next, isUntold);
                isOver = !run.loseCoordinatorAfter(steps, loss);
                run.assertEnded(loss + " after message " + steps);
                runs++;
                accepted += run.isAccepted ? 1 : 0;
            }
        }
        assertThat(steps).as("messages of a change").isGreaterThan(2 * voters);
        assertThat(accepted).as("runs in which somebody accepted, of %d", runs).isGreaterThan(runs / 4);
    }

    /** How many vote, how many are dead beside n1, who shall vote, and whether n1 tells voters nothing of the list. */
    @Retention(RetentionPolicy.RUNTIME)
    @CsvSource({
        "3, 0, 1 2 3 4, false",
        "3, 0, 1 2 3 4, true",
        "3, 0, 2 3, false",
        "3, 0, 2 3, true",
        "5, 0, 1 2 3 4 5 6, false",
        "5, 1, 1 2 3 4 5 6, true",
        "5, 0, 1 2 3 4, true",
        "5, 1, 1 2 3 4, false",
        "5, 1, 2 3 4 5, false",
        "5, 1, 2 3 4 5, true",
    })
    private @interface EachChange {}

    /** One cluster, in which two contend that no list names, and that listen nowhere: only those hear them that they call. */
    private static final class Run {

        private final ChangingCluster nodes = new ChangingCluster(7);
        private final VirtualCluster cluster = nodes.cluster;
        private final int voters;
        private final int alsoDead;
        private final List<NodeId> wanted;
        private final List<NodeId> contenders;
        private final List<NodeId> all;
        private final Set<List<NodeId>> calls = new HashSet<>();
        private final Set<Flight> lost = Collections.newSetFromMap(new IdentityHashMap<>());
        private int said;
        private int last = Integer.MAX_VALUE;
        private boolean isAccepted;

        Run(int voters, int alsoDead, List<NodeId> wanted, boolean isUntold) {
            this.voters = voters;
            this.alsoDead = alsoDead;
            this.wanted = wanted;
            contenders = nodes(voters + 2, voters + 3);
            all = ChangingCluster.from1to(voters + 3);
            cluster.network(this::onSent);
            cluster.drop(lost::contains);
            cluster.drop(
                    flight -> contenders.contains(flight.to()) && !calls.contains(List.of(flight.to(), flight.from())));
            if (isUntold) {
                cluster.drop(flight ->
                        flight.from().equals(COORDINATOR) && !contenders.contains(flight.to()) && tellsOfLists(flight));
            }
            nodes.start(voters, voters + 3);
            contenders.forEach(contender -> cluster.contend(contender, PATH));
            cluster.await("one leads", 20_000, () -> !cluster.leaders(PATH).isEmpty());
        }

        private void onSent(Flight flight) {
            calls.add(List.of(flight.from(), flight.to()));
            if (flight.from().equals(COORDINATOR) && said >= last) {
                lost.add(flight);
            } else if (isOfTheChange(flight)) {
                said++;
            }
            isAccepted |= flight.message() instanceof Acceptance && flight.to().equals(COORDINATOR);
        }

        void ask() {
            cluster.changeVoters(COORDINATOR, 1, wanted);
        }

        long numberOf(NodeId node) {
            return cluster.node(node).voters().number();
        }

        /** Answers whether it said so much before the change was over. */
        boolean loseCoordinatorAfter(int messages, Loss loss) {
            last = messages;
            ask();
            for (int i = 0; i < CHANGE_MILLIS && said < messages; i++) {
                cluster.advance(1);
            }
            boolean isInTime = said >= messages;
            last = 0;
            if (loss == Loss.KILLED || loss == Loss.KILLED_WHILE_THE_OTHERS_RESTART) {
                cluster.crash(COORDINATOR);
            } else if (loss == Loss.STOPPED_FOR_A_WHILE) {
                cluster.pause(COORDINATOR);
            }
            for (int dead = 0; dead < alsoDead; dead++) {
                cluster.crash(node(voters - dead));
            }
            if (loss == Loss.KILLED_WHILE_THE_OTHERS_RESTART) {
                cluster.advance(20);
                living().forEach(cluster::crash);
                living().forEach(node -> {
                    cluster.start(node);
                    if (contenders.contains(node)) {
                        cluster.contend(node, PATH);
                    }
                });
            }
            if (loss == Loss.STOPPED_FOR_A_WHILE) {
                cluster.advance(10 * SUPPORT_MILLIS);
                last = Integer.MAX_VALUE;
                cluster.resume(COORDINATOR);
            }
            long end = cluster.nowMillis() + BOUND_MILLIS;
            // What nobody has accepted leaves no trace, and a lease that cannot be renewed is over by then.
            cluster.advance(3 * SUPPORT_MILLIS);
            while (isAccepted && !isInForce() && cluster.nowMillis() < end) {
                cluster.advance(100);
            }
            return isInTime;
        }

        private boolean isInForce() {
            return living().stream().allMatch(node -> numberOf(node) == 2)
                    && cluster.leaders(PATH).size() == 1;
        }

        private List<NodeId> living() {
            return all.stream()
                    .filter(node -> !node.equals(COORDINATOR))
                    .filter(node -> !isDead(node))
                    .toList();
        }

        private boolean isDead(NodeId node) {
            return IntStream.range(0, alsoDead).anyMatch(dead -> node.equals(node(voters - dead)));
        }

        void assertEnded(String what) {
            String where = what + "\n" + cluster.describe();
            Set<String> known = new TreeSet<>();
            for (NodeId node : living()) {
                VoterList list = cluster.node(node).voters();
                known.add(list + " " + list.hash());
            }
            assertThat(known).as(where).hasSize(1);
            assertThat(cluster.leaders(PATH)).as(where).hasSize(1);
            if (isAccepted) {
                assertThat(numberOf(node(2))).as(where).isEqualTo(2);
                assertThat(cluster.node(node(2)).voters().ids()).as(where).isEqualTo(wanted);
            }
        }
    }
}
