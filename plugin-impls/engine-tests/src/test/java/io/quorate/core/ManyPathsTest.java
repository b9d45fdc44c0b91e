package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.spi.NodeId;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Thousands of paths that lose their leader at one moment. */
class ManyPathsTest {

    private static final long MILLI = 1_000_000;
    private static final long HEARTBEAT_MILLIS = 200;
    private static final int PATHS = 2000;
    private static final NodeEvent HEARTBEAT =
            new NodeEvent.Received(N2, 1, new Heartbeat(1, 0, 1, Optional.empty(), true, false, 0, 1, false, -1));
    private static final int TRIALS = 12;
    private static final int PATHS_OF_TRIAL = 200;

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 2, new HighestUp());

    private static String path(int i) {
        return "/many/" + i;
    }

    private void contend(int paths) {
        cluster.advance(1500);
        for (int i = 0; i < paths; i++) {
            cluster.contend(N1, path(i));
        }
        // Each millisecond looks only at those that n1 was not seen to lead. The last one looks at all.
        int[] led = {0};
        cluster.await("n1 leads all", 4000, () -> {
            while (led[0] < paths && cluster.leaders(path(led[0])).contains(N1)) {
                led[0]++;
            }
            return led[0] == paths && leads(N1, paths);
        });
    }

    private boolean leads(NodeId node, int paths) {
        for (int i = 0; i < paths; i++) {
            if (!cluster.leaders(path(i)).contains(node)) {
                return false;
            }
        }
        return true;
    }

    // Between the steps, the driver sends what has gathered, and takes frames: heartbeats are among them.
    @Test
    void noStepLooksAtAllOfThem() {
        Node alone = new Node(
                VirtualCluster.settings(N1, List.of(N1)), new HighestUp(), new Birth(1, 0, false), (min, max) -> min);
        List<NodeEffect> effects = new ArrayList<>(alone.start(0));
        for (int i = 0; i < PATHS; i++) {
            effects.addAll(alone.step(i, new NodeEvent.Contend(path(i), i, "n1")));
        }
        int led = granted(effects);
        long now = 1000 * MILLI;
        List<Integer> perStep = new ArrayList<>();
        long known = 0;
        while (led < PATHS && perStep.size() < PATHS) {
            assertThat(granted(alone.step(now, HEARTBEAT)))
                    .as("what overtakes others takes little time")
                    .isZero();
            int granted = granted(alone.step(now, NodeEvent.Wake.INSTANCE));
            perStep.add(granted);
            led += granted;
            long before = known;
            known = IntStream.range(0, PATHS)
                    .filter(i -> alone.view(path(i)).isPresent())
                    .count();
            assertThat(known - before).as("paths that its own voter tells of").isLessThan(PATHS / 2);
            now = Math.max(now, alone.nextWake());
        }
        assertThat(led).isEqualTo(PATHS);
        assertThat(now).as("one step follows the other at once").isEqualTo(1000 * MILLI);
        assertThat(perStep)
                .allMatch(granted -> granted <= Node.PATHS_PER_WAKE)
                .as("few claims at first, and twice as many each time")
                .hasSizeLessThan(15);
    }

    static IntStream pathsBehindMuteOnes() {
        return Effort.isWhole() ? IntStream.of(1_000, 5_000) : IntStream.of(1_000);
    }

    // A voter has no room for the votes of some paths, say: the others must not wait behind their questions.
    @ParameterizedTest
    @MethodSource("pathsBehindMuteOnes")
    void pathsThatAreNeverAnsweredLetOthersAsk(int paths) {
        cluster.isolate(N3);
        contend(paths);
        cluster.heal();
        Set<String> mute = new HashSet<>();
        Set<String> won = new HashSet<>();
        cluster.drop(f -> {
            boolean isAsked = f.message() instanceof Claim && f.to().equals(N3);
            return isAsked
                    && (mute.contains(((Claim) f.message()).path())
                            || mute.size() < 16 && mute.add(((Claim) f.message()).path()));
        });
        cluster.network(f -> {
            if (f.message() instanceof Vote vote && f.from().equals(N3)) {
                won.add(vote.path());
            }
        });
        cluster.advance(10_000);
        assertThat(won).hasSize(paths - 16);
    }

    // The last leader asks n3 in each period, and is never answered. So all the others have had their turn there, and
    // not at n2.
    @Test
    void silentVoterDoesNotBlockQuestionsToAnother() {
        int paths = 1000;
        String last = path(paths);
        cluster.isolate(N2);
        contend(paths);
        cluster.heal();
        Set<String> mute = new HashSet<>();
        Set<String> won = new HashSet<>();
        cluster.drop(f -> {
            if (!(f.message() instanceof Claim claim)) {
                return false;
            }
            boolean isMuteAtN2 = f.to().equals(N2)
                    && !claim.path().equals(last)
                    && (mute.contains(claim.path()) || mute.size() < 16 && mute.add(claim.path()));
            return isMuteAtN2 || f.to().equals(N3) && claim.path().equals(last);
        });
        cluster.network(f -> {
            if (f.message() instanceof Vote vote && f.from().equals(N2)) {
                won.add(vote.path());
            }
        });
        cluster.contend(N1, last);
        cluster.advance(10_000);
        assertThat(cluster.leaders(last)).containsExactly(N1);
        assertThat(won).hasSize(paths - 16 + 1);
    }

    // n3 has no room for new paths, say, and there are always some.
    @Test
    void newLeadersLetThoseAskThatWaitAlready() {
        int paths = 100;
        cluster.isolate(N3);
        contend(paths);
        cluster.heal();
        Map<String, Long> lost = new HashMap<>();
        Set<String> won = new HashSet<>();
        cluster.drop(f -> {
            if (!(f.message() instanceof Claim claim) || !f.to().equals(N3)) {
                return false;
            }
            boolean isNew = Integer.parseInt(claim.path().substring("/many/".length())) >= paths;
            return isNew
                    || lost.size() < 16 && lost.putIfAbsent(claim.path(), cluster.nowMillis()) == null
                    || cluster.nowMillis() - lost.getOrDefault(claim.path(), 0L) < HEARTBEAT_MILLIS / 2;
        });
        cluster.network(f -> {
            if (f.message() instanceof Vote vote && f.from().equals(N3)) {
                won.add(vote.path());
            }
        });
        for (int i = 0; i < 500; i++) {
            cluster.contend(N1, path(paths + i));
            cluster.advance(20);
        }
        assertThat(lost).hasSize(16);
        assertThat(won).hasSize(paths);
    }

    // Its terms begin where no restart can have forgotten one, so each leader has to raise its term for it.
    @Test
    void aTermIsRaisedOnlyWhereTheVoteIsMissing() {
        contend(500);
        cluster.advance(1500);
        cluster.crash(N2);
        cluster.start(N2);
        Set<String> won = new HashSet<>();
        int[] asked = new int[1];
        cluster.network(f -> {
            if (f.message() instanceof Vote vote && f.from().equals(N2)) {
                won.add(vote.path());
            } else if (f.message() instanceof Claim && f.to().equals(N3)) {
                asked[0]++;
            }
        });
        cluster.await("n2 has voted for all", 20_000, () -> won.size() == 500);
        assertThat(asked[0]).as("claims that n3 has voted for already").isZero();
    }

    // All its tenures have ended with the first portion.
    @Test
    void aNodeThatClosesWinsNoVotesBack() {
        cluster.isolate(N3);
        contend(PATHS);
        cluster.heal();
        cluster.advance(1200);
        cluster.step(N1, new NodeEvent.Close());
        cluster.forgetMessages();
        cluster.advance(3 * HEARTBEAT_MILLIS);
        assertThat(cluster.messages()).containsKey("Heartbeat").doesNotContainKey("Claim");
    }

    // Terms rise because of another voter, as fast as that one answers.
    @Test
    void raisedTermDoesNotHurryABusyVoter() {
        NodeId quick = new NodeId("n4");
        NodeId busy = new NodeId("n5");
        VirtualCluster five = VirtualCluster.ofVoters(5, 2, new HighestUp());
        five.advance(1500);
        for (int i = 0; i < 1000; i++) {
            five.contend(N1, path(i));
        }
        five.advance(4000);
        five.crash(quick);
        five.crash(busy);
        five.start(quick);
        five.start(busy);
        Set<String> won = new HashSet<>();
        int[] asked = new int[1];
        five.drop(f -> f.message() instanceof Claim && f.to().equals(busy));
        five.network(f -> {
            if (f.message() instanceof Vote vote && f.from().equals(quick)) {
                won.add(vote.path());
            } else if (f.message() instanceof Claim && f.to().equals(busy)) {
                asked[0]++;
            }
        });
        five.await("n4 has voted for all", 20_000, () -> won.size() == 1000);
        assertThat(asked[0]).as("claims at the voter that answers none").isLessThanOrEqualTo(5 * 16);
    }

    // n3 has no votes for most, because its disk is full, say.
    @Test
    void aVoteThatWasLostIsAskedForSoonHoweverManyLackThatOfAnother() {
        int paths = 12_000;
        cluster.isolate(N3);
        contend(paths);
        cluster.heal();
        Map<String, List<Long>> asked = new TreeMap<>();
        cluster.drop(f -> {
            if (!(f.message() instanceof Claim claim)) {
                return false;
            }
            boolean isOneOfMany = Integer.parseInt(claim.path().substring("/many/".length())) < paths;
            if (f.to().equals(N2) && !isOneOfMany) {
                List<Long> times = asked.computeIfAbsent(claim.path(), path -> new ArrayList<>());
                times.add(cluster.nowMillis());
                return times.size() == 1;
            }
            return f.to().equals(N3) && isOneOfMany;
        });
        cluster.advance(1500);
        int unlucky = 4;
        for (int i = 0; i < unlucky; i++) {
            cluster.contend(N1, path(paths + i));
            cluster.advance(HEARTBEAT_MILLIS);
        }
        cluster.advance(1000);
        assertThat(asked).hasSize(unlucky).allSatisfy((path, times) -> assertThat(times.get(1) - times.get(0))
                .as("milliseconds until n2 is asked again: " + times)
                .isLessThanOrEqualTo(HEARTBEAT_MILLIS));
    }

    // Votes for new leaders come all the time, and are no answer to the questions that were lost with a connection.
    @Test
    void questionsThatWereLostAreAskedAgainWhateverElseIsAnswered() {
        int paths = 2000;
        cluster.isolate(N3);
        contend(paths);
        cluster.heal();
        Set<String> won = new HashSet<>();
        boolean[] isLossy = {false};
        cluster.drop(f -> isLossy[0] && f.message() instanceof Claim && f.to().equals(N3));
        cluster.network(f -> {
            if (f.message() instanceof Vote vote && f.from().equals(N3)) {
                won.add(vote.path());
            }
        });
        cluster.await("n3 was asked for some hundreds", 4000, () -> won.size() >= 16 + 32 + 64 + 128);
        isLossy[0] = true;
        cluster.advance(HEARTBEAT_MILLIS + 1);
        isLossy[0] = false;
        int others = 100;
        for (int i = 0; i < others; i++) {
            cluster.contend(N1, path(paths + i));
            cluster.advance(100);
        }
        assertThat(won).hasSize(paths + others);
    }

    // A tenure without the vote of a voter ends when the voters that it rests on stop: it has no time to wait for
    // others.
    @Test
    void aVoteThatWasLostIsAskedForSoonHoweverManyLead() {
        int paths = 16_000;
        String unlucky = path(paths - 1);
        List<Long> asked = new ArrayList<>();
        cluster.drop(f -> {
            boolean isAsked = f.to().equals(N3)
                    && f.message() instanceof Claim claim
                    && claim.path().equals(unlucky);
            if (isAsked) {
                asked.add(cluster.nowMillis());
            }
            return isAsked && asked.size() == 1;
        });
        contend(paths);
        cluster.advance(500);
        assertThat(asked.get(1) - asked.get(0))
                .as("milliseconds until n3 is asked again: " + asked)
                .isLessThanOrEqualTo(HEARTBEAT_MILLIS);
    }

    private static int granted(List<NodeEffect> effects) {
        return (int)
                effects.stream().filter(NodeEffect.Granted.class::isInstance).count();
    }

    // To claim again while the first claim waits for a busy voter makes it busier.
    @Test
    void claimsAreNotRepeatedWhereVotesTakeLong() {
        cluster.advance(1500);
        cluster.delays(60_000, 60_001);
        Map<String, Integer> claims = new HashMap<>();
        cluster.drop(f -> {
            if (f.message() instanceof Claim claim) {
                claims.merge(claim.path(), 1, Integer::sum);
            }
            return false;
        });
        int last = 20;
        for (int i = 0; i <= last; i++) {
            String path = path(i);
            cluster.contend(N1, path);
            cluster.await("n1 leads " + path, 4000, () -> cluster.leaders(path).contains(N1));
            cluster.advance(500);
        }
        assertThat(claims.get(path(0))).as("40 ms are too short for the first").isGreaterThan(claims.get(path(last)));
    }

    // Of a dozen clusters, because in one of them the patience of others may end at an unlucky moment.
    @Test
    void eachPathIsClaimedOnceWhenTheLeaderOfAllDies() {
        int claims = 0;
        int nacks = 0;
        for (int seed = 1; seed <= TRIALS; seed++) {
            VirtualCluster mortal = VirtualCluster.ofVoters(3, seed, new HighestUp());
            killTheLeaderOfAll(mortal);
            claims += mortal.messages().get("Claim");
            nacks += mortal.messages().getOrDefault("Nack", 0);
        }
        assertThat(claims).isLessThan(TRIALS * PATHS_OF_TRIAL * 11 / 10);
        assertThat(nacks).isLessThan(TRIALS * PATHS_OF_TRIAL / 20);
    }

    private static void killTheLeaderOfAll(VirtualCluster mortal) {
        mortal.advance(1500);
        contend(mortal, i -> N1);
        mortal.await("n1 leads all", 4000, () -> areLed(mortal, Set.of(N1)));
        contend(mortal, i -> i % 2 == 0 ? N2 : N3);
        mortal.advance(500);
        contend(mortal, i -> i % 2 == 0 ? N3 : N2);
        mortal.advance(2000);
        mortal.forgetMessages();
        mortal.crash(N1);
        mortal.await("all are led", 4000, () -> areLed(mortal, Set.of(N2, N3)));
    }

    private static void contend(VirtualCluster nodes, IntFunction<NodeId> who) {
        for (int i = 0; i < PATHS_OF_TRIAL; i++) {
            nodes.contend(who.apply(i), path(i));
        }
    }

    private static boolean areLed(VirtualCluster nodes, Set<NodeId> by) {
        return IntStream.range(0, PATHS_OF_TRIAL)
                .allMatch(i -> nodes.leaders(path(i)).stream().anyMatch(by::contains));
    }
}
