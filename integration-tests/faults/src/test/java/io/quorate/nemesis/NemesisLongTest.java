package io.quorate.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Profile;
import io.quorate.demo.Cluster;
import io.quorate.demo.DemoNode;
import io.quorate.demo.PluginNames;
import io.quorate.history.HistoryEvent.Kind;
import io.quorate.testkit.FreePorts;
import io.quorate.testkit.simulation.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Hundreds of rounds: {@code mvn verify -Dsuite=nemesis}, {@code -Dnemesis.rounds=N} for another number, {@code -Dseed=N} for
 * one cluster.
 */
@Tag("nemesis")
class NemesisLongTest {

    private static final int ROUNDS = Integer.getInteger("nemesis.rounds", 200);
    /** Of one cluster; more than there are kinds of faults. */
    private static final int ROUNDS_OF_CLUSTER = 20;

    private static final int SEEDS = 1_000_000;
    private static final List<String> PROFILES = List.of(Profile.DEFAULT.name(), Profile.FAST.name());
    private static final Duration LONGER = Duration.ofMillis(500);

    private static void eachSeed(int count, SeededTest test) {
        Seeds.each(count, ThreadLocalRandom.current().nextInt(SEEDS), seed -> {
            PluginNames plugins = new PluginNames(each(NemesisTest.ALGORITHMS, seed), transport(seed));
            System.out.println("nemesis: seed=" + seed + ", " + plugins);
            test.run(seed, plugins);
        });
    }

    private static String each(List<String> names, long number) {
        return names.get((int) (number % names.size()));
    }

    /** Neighbouring seeds have different ones, and so have those of one algorithm. */
    private static String transport(long seed) {
        return each(PluginNames.TRANSPORTS, seed);
    }

    private interface SeededTest {
        void run(long seed, PluginNames plugins);
    }

    /** Each profile in turn for all algorithms. */
    private static String profile(long seed) {
        return PROFILES.get((int) (seed / NemesisTest.ALGORITHMS.size() % PROFILES.size()));
    }

    @Test
    void noFaultBreaksARuleAndALeaderComesAfterEach() {
        eachSeed((ROUNDS + ROUNDS_OF_CLUSTER - 1) / ROUNDS_OF_CLUSTER, (seed, plugins) -> {
            Map<String, Integer> ports = new TreeMap<>();
            Map<String, Map<String, String>> environments = new TreeMap<>();
            for (String node : List.of("n1", "n2", "n3")) {
                ports.put(node, FreePorts.take());
                environments.put(
                        node, Map.of(DemoNode.PROFILE, profile(seed), DemoNode.HTTP_PORT, ports.get(node) + ""));
            }
            try (Rounds rounds = Rounds.altered(
                            plugins, new Random(seed), links -> new Altered(links, List.of(), environments));
                    LeaderAnswers answers = new LeaderAnswers(ports, DemoNode.PATH)) {
                rounds.start();
                rounds.isolateLeaderUntilAnotherLeads(LONGER);
                for (int round = 0; round < ROUNDS_OF_CLUSTER; round++) {
                    rounds.next();
                }
                System.out.println(profile(seed) + " " + rounds.describe() + rounds.traffic());
                assertThatAnswersOverHttpAreInOrder(answers.all());
                assertThat(rounds.traffic().heldBytes()).as(rounds::describe).isPositive();
                assertThat(rounds.traffic().refused()).as(rounds::describe).isPositive();
                assertThat(rounds.cluster().report().count(Kind.ACQUIRED))
                        .as(rounds::describe)
                        .isGreaterThan(2);
            }
        });
    }

    // docs/operations.md#endpoints: of two answers that do not overlap, the later one has the higher token.
    private static void assertThatAnswersOverHttpAreInOrder(List<LeaderAnswers.Answer> answers) {
        System.out.println("answers of leaders over HTTP: " + answers.size());
        assertThat(answers.stream().map(LeaderAnswers.Answer::node).distinct())
                .as("nodes that have answered that they lead")
                .hasSizeGreaterThan(1);
        assertThat(LeaderAnswers.violations(answers)).isEmpty();
    }

    // docs/architecture.md#number-of-nodes: three voters survive the loss of one, five of two, and so nine of four.
    @Test
    void fourOfNineMayDieAtOnce() {
        eachSeed(NemesisTest.ALGORITHMS.size(), (seed, plugins) -> {
            Random random = new Random(seed);
            try (Rounds rounds = new Rounds(9, plugins, random)) {
                rounds.start();
                rounds.kill(victims(rounds.cluster(), random));
                rounds.next(LastingFault.Kind.SPLIT);
                System.out.println(rounds.describe() + rounds.traffic());
            }
        });
    }

    /** The leader and three others. */
    private static List<String> victims(Cluster cluster, Random random) {
        String leader = cluster.leader().life().node();
        List<String> others = new ArrayList<>(cluster.ids());
        others.remove(leader);
        Collections.shuffle(others, random);
        List<String> victims = new ArrayList<>(others.subList(0, 3));
        victims.add(leader);
        return victims;
    }
}
