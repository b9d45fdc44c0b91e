package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Several processes of one voter id, all of which hear and are heard by everybody. Two never lead. */
class TwinSafetyTest {

    private static final String PATH = "/app/leader";
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final NodeId SECOND = new NodeId("n3-second");
    private static final NodeId THIRD = new NodeId("n3-third");
    private static final List<NodeId> VOTERS = List.of(N1, N2, N3);

    private VirtualCluster cluster;
    private final Set<NodeId> here = new HashSet<>();

    /** Of the runs that broke a rule, the first. */
    private String first = "";

    private void note(String found) {
        first = first.isEmpty() ? found : first;
    }

    private void cluster(long seed) {
        here.clear();
        cluster = new VirtualCluster(seed, new HighestUp());
        VOTERS.forEach(id -> cluster.addDriver(VirtualCluster.settings(id, VOTERS), Optional.empty()));
        for (NodeId other : List.of(SECOND, THIRD)) {
            cluster.addDriver(VirtualCluster.settings(other, VOTERS), Optional.empty());
            cluster.process(other).host().configure(VirtualCluster.settings(N3, VOTERS), new HighestUp());
        }
        cluster.network(flight -> {
            if (flight.to().equals(N3)
                    && VOTERS.contains(flight.from())
                    && !flight.from().equals(N3)) {
                for (NodeId other : List.of(SECOND, THIRD)) {
                    cluster.time().at(cluster.time().now() + 500_000, () -> {
                        if (here.contains(other)) {
                            cluster.deliver(new Flight(flight.from(), other, flight.message(), 0, 0));
                        }
                    });
                }
            }
        });
    }

    private void start(NodeId other) {
        here.add(other);
        cluster.start(other);
    }

    private void crash(NodeId other) {
        here.remove(other);
        cluster.crash(other);
    }

    private void leads(long seed) {
        cluster(seed);
        VOTERS.forEach(cluster::start);
        cluster.advance(2_000);
        cluster.contend(N1, PATH);
        cluster.await("n1 leads", 3_000, () -> cluster.leaders(PATH).equals(List.of(N1)));
    }

    /** Empty if all is well. */
    private Optional<String> watch(String what, int millis) {
        try {
            for (int i = 0; i < millis; i++) {
                cluster.advance(1);
                if (cluster.leaders(PATH).size() > 1) {
                    return Optional.of(what + ": two lead: " + cluster.leaders(PATH));
                }
            }
        } catch (AssertionError e) {
            return Optional.of(what + ": " + e.getMessage().lines().findFirst().orElse(""));
        }
        return Optional.empty();
    }

    private void near(NodeId first, NodeId second) {
        cluster.network().trouble(first, N1, VirtualNetwork.Trouble.DELAY, 60);
        cluster.network().trouble(second, N2, VirtualNetwork.Trouble.DELAY, 60);
    }

    private int resumes(boolean isBiased) {
        int broken = 0;
        for (long seed = 1; seed <= 1; seed++) {
            for (int after = 0; after <= 1_500; after += 100) {
                leads(seed);
                cluster.contend(N2, PATH);
                cluster.advance(1_000);
                cluster.cut(N1, N2);
                cluster.pause(N3);
                cluster.advance(4_000);
                if (isBiased) {
                    near(N3, SECOND);
                }
                start(SECOND);
                cluster.advance(after);
                cluster.resume(N3);
                Optional<String> found = watch("seed " + seed + ", after " + after, 3_000);
                broken += found.isPresent() ? 1 : 0;
                found.ifPresent(this::note);
            }
        }
        return broken;
    }

    /** The first one stood still through the quarantine of the second one, and resumes at its end. */
    @Test
    void twoNeverLeadWhenTheFirstResumesAsTheSecondBeginsToVote() {
        int broken = resumes(false);
        assertThat(broken).as(first).isZero();
    }

    @Test
    void twoNeverLeadWhenTheFirstResumesAsTheSecondBeginsToVoteAndEachIsNearerToAnother() {
        int broken = resumes(true);
        assertThat(broken).as(first).isZero();
    }

    /** Both run and are heard, the second one votes. A voter restarts, and meets them in another order. */
    @Test
    void twoNeverLeadWhenAVoterRestartsWhileTwoProcessesAreHeard() {
        int broken = 0;
        for (long seed = 1; seed <= 8; seed++) {
            leads(seed);
            cluster.pause(N3);
            cluster.advance(4_000);
            start(SECOND);
            cluster.advance(5_000);
            cluster.resume(N3);
            cluster.advance(5_000);
            cluster.contend(N2, PATH);
            cluster.advance(1_000);
            cluster.crash(N1);
            cluster.await("n2 leads", 5_000, () -> cluster.leaders(PATH).equals(List.of(N2)));
            cluster.cut(N1, N2);
            cluster.start(N1);
            cluster.contend(N1, PATH);
            Optional<String> found = watch("seed " + seed, 20_000);
            broken += found.isPresent() ? 1 : 0;
            found.ifPresent(this::note);
        }
        assertThat(broken).as(first).isZero();
    }

    /** Both run and are heard, the second one votes; a third one comes for a moment and dies. */
    @Test
    void twoNeverLeadWhenAThirdProcessComesForAMoment() {
        int broken = 0;
        for (long seed = 1; seed <= 8; seed++) {
            leads(seed);
            cluster.contend(N2, PATH);
            cluster.pause(N3);
            cluster.advance(4_000);
            start(SECOND);
            cluster.advance(5_000);
            cluster.resume(N3);
            cluster.advance(5_000);
            cluster.cut(N1, N2);
            cluster.advance(5_000);
            assertThat(cluster.leaders(PATH)).hasSize(1);
            Optional<String> found = Optional.empty();
            for (int i = 0; i < 10 && found.isEmpty(); i++) {
                start(THIRD);
                found = watch("seed " + seed + " with the third " + i, 100);
                crash(THIRD);
                found = found.isPresent() ? found : watch("seed " + seed, 4_000);
            }
            broken += found.isPresent() ? 1 : 0;
            found.ifPresent(this::note);
        }
        assertThat(broken).as(first).isZero();
    }

    /** The first one stood still while n2 was made the leader by the second one; n1 restarts, and meets it last. */
    @Test
    void twoNeverLeadWhenAVoterRestartsAndMeetsTheProcessThatHasNotVoted() {
        int broken = 0;
        for (long seed = 1; seed <= 8; seed++) {
            leads(seed);
            cluster.pause(N3);
            cluster.advance(4_000);
            start(SECOND);
            cluster.advance(5_000);
            cluster.contend(N2, PATH);
            cluster.advance(1_000);
            cluster.crash(N1);
            cluster.await("n2 leads", 5_000, () -> cluster.leaders(PATH).equals(List.of(N2)));
            cluster.resume(N3);
            cluster.advance(5_000);
            cluster.cut(N1, N2);
            cluster.start(N1);
            cluster.contend(N1, PATH);
            Optional<String> found = watch("restart, seed " + seed, 20_000);
            broken += found.isPresent() ? 1 : 0;
            found.ifPresent(this::note);
        }
        assertThat(broken).as(first).isZero();
    }

    /** Nobody is cut off. All of a cluster of three claim at once when the leader is gone. */
    @Test
    void twoNeverLeadWhenNobodyIsCutOff() {
        int broken = 0;
        for (long seed = 1; seed <= 1; seed++) {
            for (int after = 0; after <= 1_500; after += 100) {
                leads(seed);
                cluster.contend(N2, PATH);
                cluster.advance(1_000);
                cluster.pause(N3);
                cluster.advance(4_000);
                start(SECOND);
                cluster.pause(N1);
                cluster.pause(N2);
                cluster.advance(after);
                cluster.resume(N3);
                cluster.advance(seed * 10);
                cluster.resume(N1);
                cluster.resume(N2);
                Optional<String> found = watch("nocut, seed " + seed + ", after " + after, 3_000);
                broken += found.isPresent() ? 1 : 0;
                found.ifPresent(this::note);
            }
        }
        assertThat(broken).as(first).isZero();
    }

    /** Both processes contend. */
    @Test
    void theTwoNeverLeadBoth() {
        int broken = 0;
        for (long seed = 1; seed <= 1; seed++) {
            for (int after = -900; after <= 1_500; after += 120) {
                cluster(seed);
                VOTERS.forEach(cluster::start);
                cluster.advance(2_000);
                cluster.contend(N3, PATH);
                cluster.await("n3 leads", 3_000, () -> cluster.leaders(PATH).equals(List.of(N3)));
                cluster.pause(N3);
                if (after < 0) {
                    // It stands still for less than its support lasts.
                    cluster.advance(-after);
                    start(SECOND);
                    cluster.contend(SECOND, PATH);
                } else {
                    cluster.advance(4_000);
                    start(SECOND);
                    cluster.contend(SECOND, PATH);
                    cluster.advance(after);
                }
                cluster.resume(N3);
                Optional<String> found = watch("both, seed " + seed + ", after " + after, 3_000);
                broken += found.isPresent() ? 1 : 0;
                found.ifPresent(this::note);
            }
        }
        assertThat(broken).as(first).isZero();
    }

    /** They stand still in turns, each for longer than a support time, with somebody who claims all the time. */
    @Test
    void twoNeverLeadWhenTheProcessesStandStillInTurns() {
        int broken = 0;
        for (long seed = 1; seed <= 4; seed++) {
            leads(seed);
            cluster.contend(N2, PATH);
            cluster.pause(N3);
            cluster.advance(4_000);
            start(SECOND);
            cluster.advance(5_000);
            cluster.cut(N1, N2);
            Optional<String> found = Optional.empty();
            for (int i = 0; i < 20 && found.isEmpty(); i++) {
                NodeId rests = i % 2 == 0 ? SECOND : N3;
                NodeId works = i % 2 == 0 ? N3 : SECOND;
                int overlap = (int) ((seed * 37 + i * 91) % 300);
                cluster.pause(rests);
                cluster.advance(seed % 2 == 0 ? 950 + overlap : 1_100 + overlap);
                cluster.resume(works);
                found = watch("turns, seed " + seed + ", turn " + i, 20 + overlap);
                if (found.isEmpty() && i % 3 == 2) {
                    cluster.resume(rests);
                    found = watch("turns, seed " + seed + ", both in turn " + i, 2_000);
                    if (found.isEmpty()) {
                        cluster.pause(works);
                        cluster.advance(1_100);
                        cluster.resume(works);
                        cluster.pause(rests == N3 ? SECOND : N3);
                        cluster.resume(rests == N3 ? SECOND : N3);
                        found = watch("turns, seed " + seed + ", after turn " + i, 1_000);
                        cluster.pause(works == N3 ? SECOND : N3);
                        cluster.resume(works == N3 ? SECOND : N3);
                    }
                }
            }
            broken += found.isPresent() ? 1 : 0;
            found.ifPresent(this::note);
        }
        assertThat(broken).as(first).isZero();
    }

    /** The first one stood still for a short time only before the second one began. */
    @Test
    void twoNeverLeadWhenTheFirstStoodStillForAShortTime() {
        int broken = 0;
        for (long seed = 1; seed <= 1; seed++) {
            for (int before : new int[] {1, 50, 150, 250, 400, 600, 900}) {
                for (int after = 100; after <= 1_600; after += 150) {
                    leads(seed);
                    cluster.contend(N2, PATH);
                    cluster.advance(1_000);
                    cluster.cut(N1, N2);
                    cluster.advance(4_000);
                    cluster.pause(N3);
                    cluster.advance(before);
                    start(SECOND);
                    cluster.advance(after);
                    cluster.resume(N3);
                    Optional<String> found = watch("short, seed " + seed + " " + before + " " + after, 3_000);
                    broken += found.isPresent() ? 1 : 0;
                    found.ifPresent(this::note);
                }
            }
        }
        assertThat(broken).as(first).isZero();
    }

    /** The second one is started beside the first one, and one of five messages is lost. */
    @Test
    void twoNeverLeadWhenASecondIsStartedAndMessagesAreLost() {
        int broken = 0;
        for (long seed = 1; seed <= 10; seed++) {
            leads(seed);
            cluster.contend(N2, PATH);
            cluster.advance(1_000);
            cluster.cut(N1, N2);
            for (NodeId from : List.of(N1, N2, N3, SECOND)) {
                for (NodeId to : List.of(N1, N2, N3)) {
                    if (!from.equals(to)) {
                        cluster.network().trouble(from, to, VirtualNetwork.Trouble.LOSS, 20);
                    }
                }
            }
            cluster.advance(3_000);
            start(SECOND);
            Optional<String> found = watch("loss, seed " + seed, 8_000);
            broken += found.isPresent() ? 1 : 0;
            found.ifPresent(this::note);
        }
        assertThat(broken).as(first).isZero();
    }

    /** The machine of the first one is cut off from all, and is back while the second one is in its quarantine. */
    @Test
    void twoNeverLeadWhenTheFirstWasCutOff() {
        int broken = 0;
        for (long seed = 1; seed <= 1; seed++) {
            for (int after = 0; after <= 1_500; after += 100) {
                leads(seed);
                cluster.contend(N2, PATH);
                cluster.advance(1_000);
                cluster.isolate(N3);
                cluster.advance(4_000);
                start(SECOND);
                cluster.advance(after);
                cluster.heal();
                cluster.cut(N1, N2);
                Optional<String> found = watch("off, seed " + seed + ", after " + after, 4_000);
                broken += found.isPresent() ? 1 : 0;
                found.ifPresent(this::note);
            }
        }
        assertThat(broken).as(first).isZero();
    }

    private int cold(boolean isCut, int apart, boolean isBiased) {
        int broken = 0;
        for (long seed = 1; seed <= 3; seed++) {
            cluster(seed);
            if (isBiased) {
                near(N3, SECOND);
            }
            VOTERS.forEach(cluster::start);
            cluster.advance(apart);
            start(SECOND);
            cluster.contend(N1, PATH);
            cluster.contend(N2, PATH);
            if (isCut) {
                cluster.cut(N1, N2);
            }
            Optional<String> found = watch("cold, seed " + seed + ", cut " + isCut, 6_000);
            broken += found.isPresent() ? 1 : 0;
            found.ifPresent(this::note);
        }
        return broken;
    }

    /** Two pods were given one id, and all are started at once. */
    @Test
    void twoNeverLeadWhenAllAreStartedAtOnceAndAVoterTwice() {
        int broken = 0;
        for (int apart : new int[] {0, 1, 100, 300, 700}) {
            broken += cold(false, apart, false);
            broken += cold(true, apart, false);
            broken += cold(true, apart, true);
        }
        assertThat(broken).as(first).isZero();
    }

    private int without(int millis) {
        int without = 0;
        for (int t = 0; t < millis; t += 5) {
            cluster.advance(5);
            without += cluster.leaders(PATH).isEmpty() ? 5 : 0;
        }
        return without;
    }

    /** n3 runs, n2 is down. Others of n3's id are started by turns, each before the one before has died. */
    @Test
    void theFirstIsAVoterThoughTwoOthersAreStartedByTurns() {
        for (long seed = 1; seed <= 2; seed++) {
            leads(seed);
            cluster.crash(N2);
            cluster.advance(3_000);
            int without = 0;
            start(SECOND);
            for (int i = 0; i < 20; i++) {
                without += without(150);
                start(THIRD);
                without += without(100);
                crash(SECOND);
                without += without(150);
                start(SECOND);
                without += without(100);
                crash(THIRD);
            }
            assertThat(without)
                    .as("ms without a leader of 10,000, seed %d", seed)
                    .isZero();
        }
    }

    /** n2 is down. The process of n3 is replaced by another one every so often, by turns on two machines. */
    @Test
    void eachIsAVoterSoonWhenTwoReplaceEachOther() {
        for (long seed = 1; seed <= 2; seed++) {
            for (int gap : new int[] {0, 50, 400, 1_200}) {
                leads(seed);
                cluster.crash(N2);
                cluster.advance(3_000);
                boolean isSecond = false;
                for (int i = 0; i < 8; i++) {
                    if (isSecond) {
                        crash(SECOND);
                        cluster.advance(gap);
                        cluster.start(N3);
                    } else {
                        cluster.crash(N3);
                        cluster.advance(gap);
                        start(SECOND);
                    }
                    isSecond = !isSecond;
                    cluster.advance(i % 2 == 0 ? 300 : 3_000);
                }
                int without = 0;
                for (; without < 6_000 && cluster.leaders(PATH).isEmpty(); without += 5) {
                    cluster.advance(5);
                }
                assertThat(without).as("ms, seed %d gap %d", seed, gap).isLessThan(3_000);
            }
        }
    }

    /** n2 is down. A second one takes the place of the first, votes, and dies; the first one was cut off or stood still. */
    @Test
    void theFirstIsAVoterSoonAfterASecondHasVotedAndDied() {
        for (long seed = 1; seed <= 2; seed++) {
            for (int overlap : new int[] {0, 300, 1_500, 4_000}) {
                leads(seed);
                cluster.crash(N2);
                cluster.pause(N3);
                cluster.advance(3_000);
                start(SECOND);
                cluster.advance(4_000);
                assertThat(cluster.leaders(PATH)).containsExactly(N1);
                cluster.resume(N3);
                cluster.advance(overlap);
                crash(SECOND);
                cluster.advance(800);
                start(THIRD);
                cluster.advance(200);
                crash(THIRD);
                int without = 0;
                cluster.advance(1_500);
                without = without(20_000);
                assertThat(without).as("ms, seed %d overlap %d", seed, overlap).isLessThan(3_000);
            }
        }
    }

    /** No second process: all are restarted by turns, soon and late, and frames are late, doubled and lost. */
    @Test
    void nobodySpeaksOfASecondProcessWhenThereIsNone() {
        int said = 0;
        for (long seed = 1; seed <= 3; seed++) {
            leads(seed);
            cluster.contend(N2, PATH);
            cluster.contend(N3, PATH);
            for (NodeId from : VOTERS) {
                for (NodeId to : VOTERS) {
                    if (!from.equals(to)) {
                        cluster.network().trouble(from, to, VirtualNetwork.Trouble.DELAY, (int) (10 * (seed % 20)));
                        cluster.network().trouble(from, to, VirtualNetwork.Trouble.DUPLICATION, 30);
                        cluster.network().trouble(from, to, VirtualNetwork.Trouble.LOSS, 10);
                    }
                }
            }
            for (int i = 0; i < 12; i++) {
                NodeId victim = VOTERS.get((int) ((i + seed) % 3));
                cluster.crash(victim);
                cluster.advance(1 + (i * 37 + seed * 11) % 400);
                cluster.start(victim);
                cluster.contend(victim, PATH);
                cluster.advance(i % 2 == 0 ? 150 : 1_700);
                for (NodeId each : VOTERS) {
                    String text = cluster.process(each).host().describe();
                    boolean isFalse = text.contains("another process under this node's id") || text.contains("stopped");
                    said += isFalse ? 1 : 0;
                    if (isFalse) {}
                }
            }
        }
        assertThat(said).isZero();
    }
}
