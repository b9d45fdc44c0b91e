package io.quorate.cost;

import static io.quorate.testkit.CodeChange.in;
import static io.quorate.testkit.Mutants.mutant;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** However many contend, a few elect for all: else every contender would be connected with every other. */
class ElectorsTest {

    private static final String PATH = "/app/leader";
    private static final int CONTENDERS = 20;
    private static final int ELECTORS = 7;

    private final List<NodeId> contenders = new ArrayList<>();
    private final Set<String> links = new TreeSet<>();
    private VirtualCluster cluster;

    static List<String> algorithms() {
        return ServiceLoader.load(ElectionAlgorithm.class).stream()
                .map(p -> p.get().name())
                .sorted()
                .toList();
    }

    private void twentyContendAndTheFirstLeads(String algorithm) {
        contendAndTheFirstLeads(CONTENDERS, algorithm);
    }

    private void contendAndTheFirstLeads(int count, String algorithm) {
        cluster = new VirtualCluster(
                5,
                ServiceLoader.load(ElectionAlgorithm.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(a -> a.name().equals(algorithm))
                        .findFirst()
                        .orElseThrow());
        List<NodeId> voters = List.of(new NodeId("v1"), new NodeId("v2"), new NodeId("v3"));
        for (int i = 0; i < count; i++) {
            contenders.add(new NodeId("c" + (char) ('a' + i)));
        }
        Stream.concat(voters.stream(), contenders.stream()).forEach(node -> {
            cluster.add(VirtualCluster.settings(node, voters));
            cluster.start(node);
        });
        cluster.advance(2000);
        cluster.contend(contenders.get(0), PATH);
        cluster.await("the first leads", 2000, () -> cluster.leaders(PATH).contains(contenders.get(0)));
        for (NodeId contender : contenders.subList(1, count)) {
            cluster.contend(contender, PATH);
            cluster.advance(20);
        }
        cluster.advance(1000);
        cluster.drop(f -> f.message() instanceof Elect
                && !voters.contains(f.from())
                && !voters.contains(f.to())
                && links.add(f.from() + " to " + f.to())
                && false);
    }

    private NodeId crashTheFirst(int count) {
        contenders.subList(0, count).forEach(cluster::crash);
        cluster.await("another leads", 4000, () -> cluster.leaders(PATH).stream()
                .anyMatch(leader -> contenders.indexOf(leader) >= count));
        return cluster.leaders(PATH).get(0);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void fewElectWhenTheLeaderDies(String algorithm) {
        twentyContendAndTheFirstLeads(algorithm);
        long before = cluster.nowMillis();
        crashTheFirst(1);
        assertThat(cluster.nowMillis() - before).as("milliseconds").isLessThan(1050);
        cluster.advance(3000);
        assertThat(links).isNotEmpty().hasSizeLessThanOrEqualTo((ELECTORS + 1) * ELECTORS);
    }

    // Whoever else is alive elects as soon as the dead are not listed any more.
    @ParameterizedTest
    @MethodSource("algorithms")
    void othersElectWhenAllWhoDidAreDead(String algorithm) {
        twentyContendAndTheFirstLeads(algorithm);
        long before = cluster.nowMillis();
        NodeId next = crashTheFirst(ELECTORS + 2);
        assertThat(contenders.indexOf(next)).isBetween(ELECTORS + 2, 2 * ELECTORS + 1);
        assertThat(cluster.nowMillis() - before).as("milliseconds").isLessThan(2000);
    }

    @Test
    void firstInRankLeadsNext() {
        twentyContendAndTheFirstLeads("bully");
        assertThat(crashTheFirst(1)).isEqualTo(contenders.get(1));
    }

    // Its entry disappears the moment the votes are free: just when the nominee is needed.
    @ParameterizedTest
    @MethodSource("algorithms")
    void electionIsNotHeldAgainWhenTheDeadLeaderIsForgotten(String algorithm) {
        contendAndTheFirstLeads(5, algorithm);
        Set<Long> elections = new TreeSet<>();
        cluster.drop(f -> f.message() instanceof Elect elect && elections.add(elect.election()) && false);
        crashTheFirst(1);
        cluster.advance(1000);
        assertThat(elections).hasSize(1);
    }

    /** What the changes put in. */
    public static final class Faults {

        private Faults() {}

        public static int all(int electors, int contenders) {
            return contenders;
        }
    }

    private static final List<Mutant> MUTANTS = List.of(
            mutant(
                    "an election is held again when its electors change",
                    ElectorsTest.class.getName() + "#electionIsNotHeldAgainWhenTheDeadLeaderIsForgotten",
                    in("io.quorate.core.election.PathNomination", "isDecidedAmong")
                            .returns(false)),
            mutant(
                    "all elect",
                    ElectorsTest.class.getName() + "#fewElectWhenTheLeaderDies",
                    in("io.quorate.core.election.Elections", "electors")
                            .call("Math.min")
                            .runs(Faults.class, "all")));

    @TestFactory
    Stream<DynamicTest> noticesWhatCostsMore() {
        return Mutants.tests(MUTANTS);
    }
}
