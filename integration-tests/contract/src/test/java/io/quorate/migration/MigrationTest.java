package io.quorate.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.history.HistoryEvent.Kind;
import io.quorate.history.Report;
import io.quorate.history.Report.Rule;
import io.quorate.history.Report.Violation;
import io.quorate.migration.Applications.Work;
import io.quorate.process.ChildJvm;
import io.quorate.tcp.TcpTransport;
import io.quorate.testkit.Effort;
import io.quorate.testkit.RealTime;
import io.quorate.vertx.VertxTransport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One application, written for Curator and carried over to Quorate, does the same on both; in processes of its own. */
class MigrationTest {

    private static final List<String> IDS = List.of("n1", "n2", "n3");
    private static final int TERMINATED = 128 + 15;
    private static final int TURNS = 3;

    @TempDir
    private Path directory;

    @Test
    void onCurator() throws Exception {
        runOnCurator();
    }

    // A starved process answers true to hasLeadership() until it hears of the end of its session.
    @Test
    @RealTime
    void onCuratorOneProcessWorksAtATime() throws Exception {
        assertNeverTwo(runOnCurator());
    }

    private Report runOnCurator() throws Exception {
        // The shortest session that a server grants is two ticks.
        InstanceSpec server = new InstanceSpec(null, -1, -1, -1, true, -1, 500, -1);
        try (TestingServer zooKeeper = new TestingServer(server, true)) {
            Map<String, String> connectTo =
                    IDS.stream().collect(Collectors.toMap(id -> id, id -> zooKeeper.getConnectString()));
            return assertBehaves(new Applications(
                    com.example.migration.curator.ReportApplication.class, new TreeMap<>(connectTo), directory));
        }
    }

    /** The class of the transport that an application does not have. The one that it has is the only one then. */
    static Stream<Class<?>> others() {
        return Effort.isWhole() ? Stream.of(VertxTransport.class, TcpTransport.class) : Stream.of(VertxTransport.class);
    }

    @ParameterizedTest
    @MethodSource("others")
    void onQuorate(Class<?> other) throws Exception {
        Path without = Path.of(
                other.getProtectionDomain().getCodeSource().getLocation().toURI());
        String peers = peers(IDS);
        Map<String, String> connectTo = IDS.stream().collect(Collectors.toMap(id -> id, id -> peers));
        assertNeverTwo(assertBehaves(new Applications(
                com.example.migration.quorate.ReportApplication.class,
                new TreeMap<>(connectTo),
                directory,
                Optional.of(without))));
    }

    private static String peers(List<String> ids) {
        return Cluster.peers(Cluster.freeAddresses(ids));
    }

    private static void assertNeverTwo(Report report) {
        assertThat(report.violations()).as(report::toString).isEmpty();
        assertThat(report.count(Kind.BELIEVED_TO)).as(report::story).isGreaterThanOrEqualTo(TURNS * IDS.size());
    }

    private static Report assertBehaves(Applications started) throws Exception {
        try (Applications applications = started) {
            applications.startAll();
            applications.awaitAgreement();
            applications.awaitTurns(TURNS);
            aKilledLeaderIsReplaced(applications);
            aClosedLeaderHandsOver(applications);
            aTerminatedLeaderHandsOver(applications);
            theRestEndsWithItsInput(applications);
            return applications.report();
        }
    }

    /** Another thread says it a while after the leader is known to all. On a busy machine another one may lead by then. */
    private static ChildJvm awaitLeaderThatSaid(Applications applications, String words) {
        AtomicReference<ChildJvm> leader = new AtomicReference<>();
        applications.await("the leader said: " + words, () -> {
            leader.set(applications.awaitAgreement());
            return !leader.get().said(words).isEmpty();
        });
        return leader.get();
    }

    private static void aKilledLeaderIsReplaced(Applications applications) throws InterruptedException {
        ChildJvm leader = applications.awaitAgreement();
        leader.kill();
        leader.awaitExit();
        applications.awaitJobBesides(leader);
        ChildJvm next = awaitLeaderThatSaid(applications, "await returned");
        assertThat(next.said("await returned")).as(applications::describe).hasSize(1);
        applications.start(Applications.id(leader));
    }

    private static void aClosedLeaderHandsOver(Applications applications) throws InterruptedException {
        ChildJvm leader = awaitLeaderThatSaid(applications, "job started");
        leader.send("close");
        applications.await("the leader is closed", () -> !leader.said("closed").isEmpty());
        applications.awaitJobBesides(leader);
        leader.send("exit");
        assertThat(leader.awaitExit()).as(applications::describe).isZero();
        assertThat(leader.said("job started"))
                .as(applications::describe)
                .isNotEmpty()
                .hasSameSizeAs(leader.said("job stopped"));
        applications.awaitAgreement();
        applications.start(Applications.id(leader));
    }

    private static void aTerminatedLeaderHandsOver(Applications applications) throws InterruptedException {
        ChildJvm leader = applications.awaitAgreement();
        leader.terminate();
        assertThat(leader.awaitExit()).as(applications::describe).isEqualTo(TERMINATED);
        assertThat(leader.said("closed")).as(applications::describe).hasSize(1);
        applications.awaitJobBesides(leader);
    }

    private static void theRestEndsWithItsInput(Applications applications) throws InterruptedException {
        List<ChildJvm> rest = applications.running();
        assertThat(rest).as(applications::describe).hasSize(IDS.size() - 1);
        for (ChildJvm process : rest) {
            process.endInput();
            assertThat(process.awaitExit()).as(applications::describe).isZero();
            assertThat(process.said("closed")).as(applications::describe).hasSize(1);
        }
        assertThat(applications.running()).isEmpty();
    }

    // Two that do not know of each other: what the processes of the tests above would do without any election.
    @Test
    @RealTime
    void twoJobsAtOnceAreNoticed() throws Exception {
        Map<String, String> connectTo = new TreeMap<>(Map.of("n1", peers(List.of("n1")), "n2", peers(List.of("n2"))));
        try (Applications applications =
                new Applications(com.example.migration.quorate.ReportApplication.class, connectTo, directory)) {
            applications.startAll();
            applications.await(
                    "both do everything",
                    () -> applications.report().violations().stream()
                                    .map(violation -> violation.events().get(0).path())
                                    .distinct()
                                    .count()
                            == 2);
            assertThat(applications.report().violations())
                    .extracting(Violation::rule)
                    .containsOnly(Rule.M);
        }
    }

    // A selector that leads again and again takes one turn.
    @Test
    void onlyAChangeOfTheProcessIsATurn() {
        List<Work> refreshed = Stream.of("n1", "n1", "n2", "n2", "n1", "n3", "n3")
                .map(process -> new Work(process, 1, 0))
                .toList();
        assertThat(Applications.turns(refreshed)).isEqualTo(Map.of("n1", 2, "n2", 1, "n3", 1));
    }
}
