package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.runtime.ElectionDriver;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an operator reads: little while all is well, and path, node and token when leadership changes. */
class LoggingTest {

    private static final String PATH = "/app/leader";

    private final CapturedLog log = CapturedLog.atInfo(ElectionDriver.class);
    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));

    @AfterEach
    void close() {
        cluster.close();
        log.close();
    }

    private LeaderLatch latch(String node, String path) throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client(node), path, "on " + node);
        latch.start();
        return latch;
    }

    @Test
    void aNodeSaysThatItStartsAndIsConnectedAndNoMore() throws Exception {
        for (String node : cluster.nodes()) {
            for (int i = 0; i < 100; i++) {
                latch(node, "/p" + i);
            }
            // One node leads all: else there are ten lines of each.
            cluster.advance(Duration.ofSeconds(5));
        }
        cluster.advance(Duration.ofMinutes(2));
        assertThat(cluster.leader("/p99")).isPresent();
        assertThat(log.lines()).as(log.text()).hasSizeBetween(39, 44);
        assertThat(log.lines(": node n1 leads with token ")).hasSize(10);
        assertThat(log.lines(": node n2 hears that node n1 leads with token ")).hasSize(10);
        assertThat(log.lines(": node n3 hears that node n1 leads with token ")).hasSize(10);
        assertThat(log.lines(" hears that others lead 90 more paths, ")).hasSize(2);
        assertThat(log.lines(" more paths and has ceased to ")).hasSizeBetween(1, 4);
        assertThat(log.lines("starts, with an empty data directory: voters [n1, n2, n3], algorithm"))
                .hasSize(3);
        assertThat(log.lines())
                .filteredOn(line -> line.matches(".*: CONNECTED: supported by \\[n1?.*] of 3 voters"))
                .hasSize(3);
        assertThat(log.lines()).allMatch(line -> line.startsWith("INFO "));
    }

    @Test
    void changesOfLeadershipHaveALineEachWithPathNodeTokenAndReason() throws Exception {
        LeaderLatch latch = latch("n2", PATH);
        cluster.awaitUntil("it leads", latch::hasLeadership);
        long token = latch.fencingToken();
        cluster.isolate("n2");
        cluster.advance(Duration.ofSeconds(2));
        assertThat(log.lines())
                .anyMatch(line -> line.endsWith(PATH + ": node n2 leads with token " + token))
                .anyMatch(line -> line.contains(PATH + ": node n2 no longer leads with token " + token + ": "));
    }

    @Test
    void anOutageIsSomeLinesNotThousands() throws Exception {
        for (int i = 0; i < 100; i++) {
            latch("n1", "/p" + i);
            latch("n2", "/p" + i);
        }
        cluster.advance(Duration.ofSeconds(5));
        log.forget();
        cluster.isolate("n1");
        cluster.advance(Duration.ofMinutes(5));
        cluster.heal();
        cluster.advance(Duration.ofSeconds(5));
        assertThat(log.lines())
                .hasSizeBetween(30, 50)
                .anyMatch(line -> line.endsWith(
                        "node n1: SUSPENDED: no majority of voters was heard for 600 ms;" + " heard: [n1]"))
                .anyMatch(line -> line.endsWith("node n1: LOST: no majority of voters supports this node any more;"
                        + " supported by [n1] of 3 voters"))
                .anyMatch(line -> line.contains("node n1: RECONNECTED: supported by [n1, "))
                .anyMatch(line -> line.matches(".*node n1 leads 0 more paths and has ceased to lead \\d\\d others,"
                        + " within a second; DEBUG has a line for each"))
                .anyMatch(line ->
                        line.endsWith("node n2: voter n1 does not answer: nothing was heard of it for" + " 600 ms"))
                .anyMatch(line -> line.endsWith("node n2: voter n1 answers again"));
        assertThat(log.lines(": voter n")).as("two links, both ends").hasSize(8);
        assertThat(log.lines("no majority of voters has supported this node for 30 s"))
                .hasSize(1);
    }

    // Each round trip takes longer than the one before, until the answers are older than what they are good for.
    @Test
    void answersThatComeTooLateAreNotCalledSilence() {
        cluster.client("n1");
        cluster.advance(Duration.ofSeconds(3));
        log.forget();
        for (int millis = 50; millis <= 600; millis += 50) {
            cluster.delay(Duration.ofMillis(millis), Duration.ofMillis(millis));
            cluster.advance(Duration.ofMillis(400));
        }
        assertThat(log.lines("SUSPENDED: "))
                .isNotEmpty()
                .noneMatch(line -> line.matches(".*no majority of voters was heard .* heard: \\[n\\d, n.*"))
                .anyMatch(line -> line.contains("SUSPENDED: a majority of voters answers too late: an answer counts"
                        + " for 818 ms from the sending of the heartbeat that it answers; heard: [n1, n2, n3]"));
    }

    @Test
    void aNodeThatIsClosedSaysThatAndNothingOfItsConnection() {
        cluster.client("n3");
        cluster.advance(Duration.ofSeconds(3));
        log.forget();
        cluster.client("n3").close();
        cluster.advance(Duration.ofSeconds(3));
        assertThat(log.lines("node n3")).hasSize(1).first().asString().endsWith("node n3 is closed");
    }
}
