package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.runtime.ElectionDriver;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LocationAwareLogger;

/** What an operator reads: little while all is well, and path, node and token when leadership changes. */
class LoggingTest {

    private static final String PATH = "/app/leader";

    private final PrintStream original = System.err;
    private final ByteArrayOutputStream captured = new ByteArrayOutputStream();
    private final SimulatedCluster cluster = new SimulatedCluster(ClusterSettings.ofVoters(3)
            .algorithm(new HighestUp()));

    private int levelBefore;

    @BeforeEach
    void capture() throws Exception {
        levelBefore = level(LocationAwareLogger.INFO_INT);
        System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void release() throws Exception {
        cluster.close();
        System.setErr(original);
        level(levelBefore);
    }

    private List<String> lines() {
        return captured.toString(StandardCharsets.UTF_8).lines().map(line -> line.replaceFirst("^\\[[^]]*] ", ""))
                .toList();
    }

    // slf4j-simple reads its settings once, and other tests have logged before.
    private static int level(int level) throws ReflectiveOperationException {
        Logger logger = LoggerFactory.getLogger(ElectionDriver.class);
        Field field = logger.getClass().getDeclaredField("currentLogLevel");
        field.setAccessible(true);
        int before = field.getInt(logger);
        field.setInt(logger, level);
        return before;
    }

    private LeaderLatch latch(String node, String path) throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client(node), path, "on " + node);
        latch.start();
        return latch;
    }

    @Test
    void aNodeSaysThatItStartsAndIsConnectedAndNoMore() throws Exception {
        for (int i = 0; i < 100; i++) {
            for (String node : cluster.nodes()) {
                latch(node, "/p" + i);
            }
        }
        cluster.advance(Duration.ofMinutes(2));
        assertThat(cluster.leader("/p99")).isPresent();
        assertThat(lines()).as(captured.toString(StandardCharsets.UTF_8)).hasSizeBetween(17, 20);
        assertThat(lines()).filteredOn(line -> line.contains(" leads with token ")).hasSize(10);
        assertThat(lines()).filteredOn(line -> line.contains(" more paths and has ceased to ")).hasSizeBetween(1, 4);
        assertThat(lines()).filteredOn(line -> line.contains("starts: voters [n1, n2, n3], algorithm")).hasSize(3);
        assertThat(lines()).filteredOn(line -> line.matches(".*: CONNECTED: supported by \\[n1?.*] of 3 voters"))
                .hasSize(3);
        assertThat(lines()).allMatch(line -> line.startsWith("INFO "));
    }

    @Test
    void changesOfLeadershipHaveALineEachWithPathNodeTokenAndReason() throws Exception {
        LeaderLatch latch = latch("n2", PATH);
        cluster.awaitUntil("it leads", latch::hasLeadership);
        long token = latch.fencingToken();
        cluster.isolate("n2");
        cluster.advance(Duration.ofSeconds(2));
        assertThat(lines())
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
        captured.reset();
        cluster.isolate("n1");
        cluster.advance(Duration.ofMinutes(5));
        cluster.heal();
        cluster.advance(Duration.ofSeconds(5));
        assertThat(lines()).hasSizeBetween(20, 40)
                .anyMatch(line -> line.endsWith("node n1: SUSPENDED: no majority of voters was heard for 450 ms;"
                        + " heard: [n1]"))
                .anyMatch(line -> line.endsWith("node n1: LOST: no majority of voters supports this node any more;"
                        + " supported by [n1] of 3 voters"))
                .anyMatch(line -> line.contains("node n1: RECONNECTED: supported by [n1, "))
                .anyMatch(line -> line.matches(".*node n1 leads 0 more paths and has ceased to lead \\d\\d others,"
                        + " within a second; DEBUG has a line for each"))
                .anyMatch(line -> line.endsWith("node n2: voter n1 does not answer: nothing was heard of it for"
                        + " 450 ms"))
                .anyMatch(line -> line.endsWith("node n2: voter n1 answers again"));
        assertThat(lines()).filteredOn(line -> line.contains("answer")).as("two links, both ends").hasSize(8);
    }

    @Test
    void aNodeThatIsClosedSaysThatAndNothingOfItsConnection() {
        cluster.client("n3");
        cluster.advance(Duration.ofSeconds(3));
        captured.reset();
        cluster.client("n3").close();
        cluster.advance(Duration.ofSeconds(3));
        assertThat(lines()).filteredOn(line -> line.contains("node n3")).hasSize(1).first().asString()
                .endsWith("node n3 is closed");
    }
}
