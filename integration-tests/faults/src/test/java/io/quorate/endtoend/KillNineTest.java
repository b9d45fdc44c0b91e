package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.demo.NodeProcess;
import io.quorate.demo.PluginNames;
import io.quorate.demo.RunHistory;
import io.quorate.history.HistoryEvent.Kind;
import io.quorate.history.Report;
import io.quorate.testkit.RealTime;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three JVMs with real sockets and files, and what no test inside one JVM can do to them. */
@RealTime
class KillNineTest {

    /** After a resumption each node is asked about every millisecond. */
    private static final int ANSWERS_AFTER_PAUSE = 200;

    @TempDir
    private Path directory;

    // docs/protocol.md#timing: how long a fail-over takes. ADR-0003 and ADR-0007: tokens rise over restarts.
    @ParameterizedTest
    @CsvSource({"bully, tcp", "ballot, vertx"})
    void killedLeadersAreReplacedAndTokensRise(String algorithm, String transport) {
        try (Cluster cluster = new Cluster(3, new PluginNames(algorithm, transport))) {
            cluster.startAll();
            RunHistory history = cluster.history();
            for (int round = 0; round < 2; round++) {
                NodeProcess leader = cluster.leader();
                long token = history.lastLeader().orElseThrow().token();
                leader.kill();
                RunHistory.Answers next = cluster.awaitLeaderAfter(token);
                assertThat(next.life()).as(cluster::describe).isNotEqualTo(leader.life());

                String restarted = leader.life().node();
                cluster.start(restarted);
                cluster.awaitContends(restarted);
            }
            assertThat(history.reigns()).as(cluster::describe).hasSizeGreaterThanOrEqualTo(3);
            assertThat(history.faults()).as(cluster::describe).isEmpty();
            assertGood(cluster.report(), 3);
            Corruptions.assertEachIsFound(cluster.historyFiles(), directory);
        }
    }

    // LeaderLatch.hasLeadership: "becomes false in time even if this process was paused".
    @ParameterizedTest
    @CsvSource({"bully, tcp", "ballot, vertx"})
    void aPausedLeaderNeverAnswersTrueAgain(String algorithm, String transport) {
        try (Cluster cluster = new Cluster(3, new PluginNames(algorithm, transport))) {
            cluster.startAll();
            RunHistory history = cluster.history();
            NodeProcess paused = cluster.leader();
            String id = paused.life().node();
            long token = history.lastLeader().orElseThrow().token();

            paused.pause();
            cluster.awaitLeaderAfter(token);
            long resumedAt = paused.resume();

            cluster.await("the resumed node answers", () -> history.answersSince(id, resumedAt) >= ANSWERS_AFTER_PAUSE);
            assertThat(history.trueAnswersSince(id, resumedAt, token))
                    .as(cluster::describe)
                    .isZero();
            cluster.awaitContends(id);
            assertThat(history.faults()).as(cluster::describe).isEmpty();
            assertGood(cluster.report(), 2);
        }
    }

    /** What the processes and the resource wrote down keeps every rule, and tells of something. */
    private static void assertGood(Report report, int tenuresMin) {
        assertThat(report.violations()).as(report::toString).isEmpty();
        assertThat(report.count(Kind.ACQUIRED)).as(report::story).isGreaterThanOrEqualTo(tenuresMin);
        assertThat(report.count(Kind.ACCEPTED)).as(report::story).isGreaterThanOrEqualTo(tenuresMin);
    }
}
