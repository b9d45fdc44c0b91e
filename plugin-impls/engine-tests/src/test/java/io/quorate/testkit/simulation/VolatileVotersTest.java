package io.quorate.testkit.simulation;

import static io.quorate.testkit.CodeChange.in;
import static io.quorate.testkit.Mutants.mutant;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The production driver without disks: voters keep nothing, and all that a new life has of its own is its random name.
 * Clocks of the wall may say anything. The watchdog of the cluster fails a run in which two lead.
 */
class VolatileVotersTest {

    private static final String PATH = "/app/leader";
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final NodeId C1 = new NodeId("c1");
    private static final List<NodeId> VOTERS = List.of(N1, N2, N3);

    private VirtualCluster cluster;

    private void cluster(long seed, NodeId... contenders) {
        cluster = new VirtualCluster(seed, new HighestUp());
        VOTERS.forEach(id -> cluster.addDriver(VirtualCluster.settings(id, VOTERS), Optional.empty()));
        for (NodeId contender : contenders) {
            cluster.addDriver(VirtualCluster.settings(contender, VOTERS), Optional.empty());
        }
    }

    private void wall(NodeId node, long millis) {
        cluster.process(node).clock.stepWall(millis);
    }

    private void restart(NodeId node) {
        cluster.crash(node);
        cluster.start(node);
    }

    // A voter comes back twice with a clock that is behind. What its first process voted must not count as what the
    // second one supports.
    @Test
    void noEpochComesTwiceWhateverTheClocksShow() {
        for (long seed = 1; seed <= 40; seed++) {
            Random random = new Random(seed);
            cluster(seed, C1);
            VOTERS.forEach(cluster::start);
            cluster.advance(1_500);
            cluster.start(C1);
            cluster.contend(N1, PATH);
            cluster.await("n1 leads", 3_000, () -> cluster.leaders(PATH).equals(List.of(N1)));
            cluster.contend(N2, PATH);
            cluster.advance(1_000 + random.nextInt(200));
            wall(N3, -3_600_000);
            cluster.crash(N3);
            cluster.cut(N2, N3);
            cluster.start(N3);
            cluster.advance(1_050);
            // It hears the contender first.
            cluster.drop(f -> f.from().equals(N1) && f.to().equals(N3));
            cluster.advance(500);
            cluster.heal();
            cluster.cut(N2, N3);
            cluster.advance(1_000 + random.nextInt(500));
            cluster.crash(N3);
            cluster.crash(C1);
            cluster.heal();
            cluster.advance(random.nextInt(200));
            cluster.start(N3);
            cluster.advance(2_000 + random.nextInt(8_000));
            cluster.cut(N1, N2);
            cluster.advance(5_000);
            cluster.heal();
            cluster.await("one leads", 5_000, () -> cluster.leaders(PATH).size() == 1);
        }
    }

    // A contender that hears a voter which the others do not hear: that voter's clock, and so its terms, are ahead.
    @Test
    void aVoterThatOnlyContendersHearKeepsNobodyFromLeading() {
        for (long ahead : new long[] {200, 3_600_000, 5L * 365 * 86_400_000}) {
            cluster(1, C1);
            cluster.start(N1);
            cluster.start(N2);
            cluster.advance(200);
            wall(N3, ahead);
            cluster.start(N3);
            cluster.start(C1);
            cluster.drop(f -> f.from().equals(N3) && !f.to().equals(C1)
                    || f.to().equals(N3) && !f.from().equals(C1));
            cluster.advance(1_500);
            cluster.contend(C1, PATH);
            cluster.await("somebody leads", 10_000, () -> cluster.leaders(PATH).equals(List.of(C1)));
        }
    }

    // The voters have heard its former life, and go on. Neither its clock nor its name orders the lives of a node.
    @Test
    void aContenderWhoseClockWasAheadOnceTakesPartAgain() {
        for (long ahead : new long[] {3_600_000, 5L * 365 * 86_400_000}) {
            cluster(1, C1);
            VOTERS.forEach(cluster::start);
            wall(C1, ahead);
            cluster.start(C1);
            cluster.advance(1_500);
            cluster.contend(C1, PATH);
            cluster.await("c1 leads", 5_000, () -> cluster.leaders(PATH).equals(List.of(C1)));
            cluster.crash(C1);
            wall(C1, -ahead);
            cluster.start(C1);
            cluster.contend(C1, PATH);
            cluster.await("c1 leads again", 5_000, () -> cluster.leaders(PATH).equals(List.of(C1)));
        }
    }

    @Test
    void aVoterThatWasRestartedAndIsHeardByContendersAloneKeepsNobodyFromFollowing() {
        NodeId second = new NodeId("c2");
        cluster(1, C1, second);
        VOTERS.forEach(cluster::start);
        cluster.start(C1);
        cluster.start(second);
        cluster.advance(1_500);
        cluster.contend(C1, PATH);
        cluster.await("c1 leads", 5_000, () -> cluster.leaders(PATH).equals(List.of(C1)));
        cluster.contend(second, PATH);
        cluster.advance(1_000);
        cluster.crash(N3);
        cluster.drop(f -> VOTERS.contains(f.from())
                && VOTERS.contains(f.to())
                && (f.from().equals(N3) || f.to().equals(N3)));
        cluster.start(N3);
        cluster.advance(3_000);
        cluster.crash(C1);
        cluster.await("c2 leads", 10_000, () -> cluster.leaders(PATH).equals(List.of(second)));
    }

    // Whoever was away for long is nobody's old acquaintance, and its clock proves nothing.
    @Test
    void aVoterThatComesBackWithAnEarlierClockIsBelieved() {
        for (long back : new long[] {-1, -3_600_000, -5L * 365 * 86_400_000}) {
            cluster(1, C1);
            VOTERS.forEach(cluster::start);
            cluster.start(C1);
            cluster.advance(1_500);
            cluster.contend(C1, PATH);
            cluster.await("c1 leads", 5_000, () -> cluster.leaders(PATH).equals(List.of(C1)));
            cluster.crash(N3);
            cluster.advance(11_000);
            wall(N3, back - 11_000);
            cluster.start(N3);
            cluster.advance(3_000);
            cluster.crash(N2);
            cluster.advance(30_000);
            assertThat(cluster.leaders(PATH)).containsExactly(C1);
        }
    }

    // All at once, in any order, with clocks that jump: one leader in the end, each time.
    @Test
    void clocksThatJumpByYearsCostNoMajority() {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            cluster(seed, C1);
            VOTERS.forEach(cluster::start);
            cluster.start(C1);
            cluster.advance(1_500);
            cluster.contend(C1, PATH);
            for (int round = 0; round < 6; round++) {
                NodeId voter = VOTERS.get(random.nextInt(3));
                wall(voter, (long) (random.nextGaussian() * Math.pow(10, 1 + random.nextInt(11))));
                restart(voter);
                cluster.advance(random.nextInt(4_000));
            }
            cluster.await("c1 leads", 6_000, () -> cluster.leaders(PATH).equals(List.of(C1)));
        }
    }

    /** What the mutants are run against; Surefire leaves it out. */
    static class Killers {

        // They name the lives that they are for, which still run: only what they acknowledge shows that they are late.
        @Test
        void lateFramesOfADeadLife() {
            VolatileVotersTest test = new VolatileVotersTest();
            test.cluster(1);
            VirtualCluster cluster = test.cluster;
            VOTERS.forEach(cluster::start);
            cluster.advance(3_000);
            List<Flight> late = new ArrayList<>();
            cluster.drop(flight -> flight.from().equals(N3) && late.add(flight));
            cluster.advance(500);
            cluster.heal();
            List<Flight> recorded = List.copyOf(late);
            test.restart(N3);
            cluster.advance(4_000);
            // The next one has the place while it is heard, so it is cut off for a while.
            cluster.isolate(N3);
            cluster.advance(1_200);
            for (int round = 0; round < 3; round++) {
                for (Flight flight : recorded) {
                    cluster.deliver(flight);
                    cluster.advance(10);
                }
            }
            cluster.heal();
            cluster.advance(300);
            assertThat(recorded).hasSizeGreaterThan(3);
            assertThat(cluster.failure(N3)).isEmpty();
            assertThat(cluster.process(N3).host().describe()).contains("RECONNECTED, supported by [n1, n2, n3]");
        }
    }

    @Test
    void lateFramesOfADeadLifeAreNoneOfTheNextOnes() {
        new Killers().lateFramesOfADeadLife();
    }

    @TestFactory
    Stream<DynamicTest> aLifeHasToAnswerWhatIsFresh() {
        return Mutants.tests(List.of(mutant(
                "a life need not answer anything fresh",
                "io.quorate.testkit.simulation.VolatileVotersTest$Killers#lateFramesOfADeadLife",
                in("io.quorate.runtime.Link", "judge").call("Link.isFresh").answers(true))));
    }
}
