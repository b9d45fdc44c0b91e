package io.quorate.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.demo.DemoNode;
import io.quorate.demo.Launch;
import io.quorate.demo.NodeProcess;
import io.quorate.demo.PluginNames;
import io.quorate.demo.RunHistory.Answers;
import io.quorate.history.Report;
import io.quorate.testkit.RealTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * docs/reconfiguration.md on JVMs: five contend for a few paths without a pause, of which three vote at first. What was
 * seen has to keep every rule after each step.
 */
class ChangingVotersTest {

    private static final int NODES = 5;
    private static final int FURTHER_PATHS = 3;
    private static final String THREE = "n1,n2,n3";

    /** A machine that stalls ends a leadership as well. A fault of the change does so each time. */
    private static final int ATTEMPTS = 3;

    private final List<String> story = new ArrayList<>();
    private Cluster cluster;

    /** The first voters vote by their settings, and the others wait to be told. */
    private record ByRole(String firstVoters) implements Launch {

        @Override
        public Map<String, String> environment(String node) {
            boolean votes = List.of(firstVoters.split(",")).contains(node);
            return Map.of(
                    votes ? "QUORATE_VOTERS" : "QUORATE_JOINS",
                    votes ? firstVoters : "true",
                    DemoNode.FURTHER_PATHS,
                    Integer.toString(FURTHER_PATHS));
        }
    }

    private void start(String firstVoters) {
        cluster = new Cluster(NODES, new PluginNames("ballot", "tcp"), new ByRole(firstVoters));
        cluster.startAll();
        agree("all start");
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    /** All agree on a leader, and no rule was broken so far. Answers who leads. */
    private Answers agree(String what) {
        Answers leader = cluster.await("all agree after " + story + ", " + what, new Agreement(cluster));
        story.add(what + " -> " + leader.life() + " with token " + leader.token());
        Report report = cluster.report();
        assertThat(report.violations()).as(() -> story + "\n" + report).isEmpty();
        assertThat(cluster.history().faults()).as(story::toString).isEmpty();
        return leader;
    }

    private String change(String asked, String... voters) {
        NodeProcess process = cluster.node(asked);
        long number = process.changeVoters(List.of(voters));
        return cluster.await(asked + " has " + List.of(voters) + " vote, after " + story, () -> process.change(number));
    }

    private void kill(String node) {
        cluster.node(node).kill();
        cluster.await(node + " has ended", () -> !cluster.node(node).isAlive());
    }

    private String leader() {
        return cluster.leader().life().node();
    }

    /** One of these that does not lead. */
    private String follower(String... among) {
        return List.of(among).stream()
                .filter(node -> !node.equals(leader()))
                .findFirst()
                .orElseThrow();
    }

    private void theLeaderStays(BooleanSupplier scenario) {
        for (int attempt = 1; !scenario.getAsBoolean(); attempt++) {
            assertThat(attempt).as(story::toString).isLessThan(ATTEMPTS);
            System.out.println("changing voters, attempt " + attempt + ": " + story);
            cluster.close();
            story.clear();
        }
    }

    // RECONFIG: replace a living voter, grow, shrink, remove the leader's own node; nobody is killed, so the token
    // stays.
    @RealTime
    @Test
    void leadersGoOnWhileVotersComeAndGo() {
        theLeaderStays(this::votersComeAndGo);
    }

    /** Whether the leader has the same tenure from the beginning to the end. */
    private boolean votersComeAndGo() {
        start(THREE);
        Answers first = agree("it is quiet");
        String leader = leader();
        String other = follower("n1", "n2", "n3");
        assertThat(change("n1", "n1", "n2", "n4")).isEqualTo("number 3: [n1, n2, n4]");
        assertThat(change(other, "n1", "n2", "n3", "n4", "n5")).isEqualTo("number 5: [n1, n2, n3, n4, n5]");
        String[] withoutLeader = IntStream.rangeClosed(1, NODES)
                .mapToObj(i -> "n" + i)
                .filter(node -> !node.equals(leader))
                .limit(3)
                .toArray(String[]::new);
        assertThat(change("n4", withoutLeader)).startsWith("number 7: ");
        Answers last = agree("voters have come and gone");
        return last.token() == first.token() && last.life().equals(first.life());
    }

    // All three are replaced, one of them dead, and the first ones are killed in the end. Whoever votes then restarts.
    @Test
    @Tag("nemesis")
    void allVotersAreReplacedAndTheFirstAreKilled() {
        start(THREE);
        agree("it is quiet");
        kill("n3");
        assertThat(change("n1", "n1", "n2", "n4")).isEqualTo("number 3: [n1, n2, n4]");
        cluster.start("n3");
        long token = agree("n3 is replaced dead, and back").token();
        assertThat(change("n1", "n4", "n5", "n3")).isEqualTo("number 7: [n3, n4, n5]");
        kill("n1");
        kill("n2");
        cluster.start("n1");
        cluster.start("n2");
        agree("n1 and n2 vote no more, and are killed");
        // It has its number, and what it promised, from its directory: else it would take itself for no voter.
        for (String voter : List.of("n3", "n4", "n5")) {
            kill(voter);
            cluster.start(voter);
            agree(voter + " is killed");
        }
        assertThat(cluster.history().lastLeader().orElseThrow().token()).isGreaterThanOrEqualTo(token);
        System.out.println("changing voters: " + String.join("\n  ", story));
    }

    // From one voter to two nobody may fail; then the first one is killed, and is not needed. Two operators ask for
    // different voters at the same time, while a third node is killed.
    @Test
    @Tag("nemesis")
    void oneVoterGrowsToThreeAndOfTwoOperatorsOneIsTold() {
        theLeaderStays(() -> {
            start("n1");
            Answers first = agree("it is quiet");
            assertThat(change("n1", "n1", "n2", "n3")).isEqualTo("number 3: [n1, n2, n3]");
            return agree("three vote").token() == first.token();
        });
        kill("n1");
        cluster.await("another leads", () -> cluster.history()
                .lastLeader()
                .filter(led -> !led.life().node().equals("n1")));
        cluster.start("n1");
        agree("the first voter was killed, and is back");
        long one = cluster.node("n2").changeVoters(List.of("n1", "n2", "n3", "n4"));
        long other = cluster.node("n3").changeVoters(List.of("n1", "n2", "n3", "n5"));
        kill("n1");
        cluster.start("n1");
        String ofOne = cluster.await("n2 answers", () -> cluster.node("n2").change(one));
        String ofOther = cluster.await("n3 answers", () -> cluster.node("n3").change(other));
        story.add("the operator at n2 hears: " + ofOne + ", and that at n3: " + ofOther);
        assertThat(List.of(ofOne, ofOther).stream()
                        .filter(end -> end.startsWith("number 4: "))
                        .count())
                .as(story::toString)
                .isEqualTo(1);
        assertThat(ofOne + ofOther).as(story::toString).contains("failed").contains("Look, and ask again");
        agree("one of them has got what he wanted");
        System.out.println("growing voters: " + String.join("\n  ", story));
    }
}
