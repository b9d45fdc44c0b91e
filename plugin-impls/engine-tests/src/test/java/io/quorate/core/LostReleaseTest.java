package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A leader goes, and what it says to the only one that is left is lost: that one's own vote is the leader's. */
class LostReleaseTest {

    private static final String PATH = "/app/leader";

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 11, new HighestUp());

    private int n1LeadsAndN2Waits() {
        cluster.advance(1500);
        int number = cluster.contend(N1, PATH);
        cluster.await("n1 leads", 1000, () -> cluster.leaders(PATH).contains(N1));
        cluster.contend(N2, PATH);
        cluster.advance(1000);
        // That it has left tells its voters the same, a little later.
        cluster.drop(f -> f.to().equals(N2)
                && (f.message() instanceof Release
                        || f.message() instanceof Handover
                        || f.message() instanceof Registrations));
        return number;
    }

    @Test
    void closedLeaderIsFollowedSoonAlthoughItsReleaseWasLost() {
        int number = n1LeadsAndN2Waits();
        cluster.withdraw(N1, number);
        cluster.advance(20);
        cluster.heal();
        assertThat(cluster.await("n2 leads", 4000, () -> cluster.leaders(PATH).contains(N2)))
                .isLessThan(400);
    }

    // The other voters' votes, which the release names n2 for, are lost too. With them n2 would lead at once; and that
    // n1 has left does not free its vote, for it is not gone.
    @Test
    void leaderThatStaysOutIsFollowedSoonAlthoughItsReleaseWasLost() {
        cluster.holdsBack(N1);
        int number = n1LeadsAndN2Waits();
        cluster.drop(f -> f.to().equals(N2) && f.message() instanceof Vote);
        cluster.resign(N1, number);
        cluster.advance(20);
        cluster.heal();
        assertThat(cluster.await("n2 leads", 4000, () -> cluster.leaders(PATH).contains(N2)))
                .isLessThan(400);
    }

    // It renounces its votes, and reconnects before the voters' support has lapsed, with no contender to report.
    @Test
    void leaderThatClosedWhileItWasCutOffIsNotListedForEver() {
        for (int cutOff = 700; cutOff <= 1000; cutOff += 10) {
            VirtualCluster other = VirtualCluster.ofVoters(3, cutOff, new HighestUp());
            other.advance(1500);
            int number = other.contend(N1, PATH);
            other.await("n1 leads", 1000, () -> other.leaders(PATH).contains(N1));
            other.contend(N2, PATH);
            other.advance(1000);
            other.isolate(N1);
            other.advance(20);
            other.withdraw(N1, number);
            other.advance(cutOff);
            other.heal();
            other.await("n2 leads", 3000, () -> other.leaders(PATH).contains(N2));
        }
    }

    // The first questions are lost too: it is asked again after 200 ms, and each time after twice as long.
    @Test
    void itIsAskedAgain() {
        int number = n1LeadsAndN2Waits();
        cluster.drop(f -> f.to().equals(N2) && f.message() instanceof Vote);
        cluster.withdraw(N1, number);
        cluster.advance(1000);
        assertThat(cluster.leaders(PATH)).isEmpty();
        cluster.heal();
        assertThat(cluster.await("n2 leads", 4000, () -> cluster.leaders(PATH).contains(N2)))
                .isLessThan(600);
        assertThat(cluster.messages().get("Challenge")).isBetween(3, 7);
    }

    // A path is looked at whenever a contender joins or leaves.
    @Test
    void itIsNotAskedWheneverThePathIsLookedAt() {
        int number = n1LeadsAndN2Waits();
        cluster.drop(f -> f.to().equals(N2) && f.message() instanceof Vote);
        cluster.forgetMessages();
        cluster.withdraw(N1, number);
        for (int i = 0; i < 100; i++) {
            cluster.contend(N2, PATH);
            cluster.advance(10);
        }
        assertThat(cluster.messages().get("Challenge")).isBetween(3, 7);
    }

    @Test
    void manyPathsAreLedSoonAlthoughAllReleasesWereLost() {
        cluster.advance(1500);
        List<String> paths = IntStream.range(0, 1000).mapToObj(i -> PATH + i).toList();
        List<Integer> numbers =
                paths.stream().map(path -> cluster.contend(N1, path)).toList();
        cluster.await("n1 leads", 20_000, () -> areLed(paths));
        for (String path : paths) {
            cluster.contend(N2, path);
            cluster.contend(N3, path);
        }
        cluster.advance(8000);
        cluster.drop(
                f -> f.message() instanceof Release || f.message() instanceof Handover || f.message() instanceof Vote);
        numbers.forEach(number -> cluster.resign(N1, number));
        cluster.advance(100);
        cluster.heal();
        assertThat(cluster.await("all are led", 4000, () -> areLed(paths))).isLessThan(400);
    }

    private boolean areLed(List<String> paths) {
        return paths.stream().allMatch(path -> cluster.leaders(path).size() == 1);
    }

    // n1 reaches n2, which no longer reaches n1. The heartbeats of n1 go on, so n2 supports it, and the challenges of
    // n2 do not arrive. Only the renunciation in the heartbeats frees the vote.
    @Test
    void voteThatIsLeftBehindAOneWayLinkIsGivenBack() {
        int number = n1LeadsAndN2Waits();
        cluster.drop(f -> f.from().equals(N2) && f.to().equals(N1));
        cluster.advance(5000);
        cluster.withdraw(N1, number);
        cluster.await("n2 leads", 4000, () -> cluster.leaders(PATH).contains(N2));
    }

    // Nobody asks the dead: their votes run out.
    @Test
    void deadLeaderIsNotAsked() {
        n1LeadsAndN2Waits();
        cluster.heal();
        cluster.forgetMessages();
        cluster.crash(N1);
        cluster.await("n2 leads", 4000, () -> cluster.leaders(PATH).contains(N2));
        assertThat(cluster.messages()).doesNotContainKey("Challenge");
    }
}
