package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node says of the leader while it is LOST: whoever led may be dead, and another may lead. */
class LostViewTest {

    private static final String PATH = "/app/leader";

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));
    private LeaderLatch survivor;

    @BeforeEach
    void n1Leads() throws Exception {
        latch("n1");
        cluster.awaitLeader(PATH);
        survivor = latch("n3");
        cluster.advance(Duration.ofSeconds(2));
        assertThat(cluster.leader(PATH)).contains("n1");
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private LeaderLatch latch(String node) throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client(node), PATH, "on " + node);
        latch.start();
        return latch;
    }

    private void lose() {
        cluster.isolate("n3");
        cluster.awaitUntil(
                "it is lost", () -> cluster.client("n3").connectionState().equals(Optional.of(ConnectionState.LOST)));
    }

    private void find() {
        cluster.heal();
        cluster.advance(Duration.ofSeconds(3));
    }

    private Participant leader() throws Exception {
        return survivor.getLeader();
    }

    @Test
    void nobodyIsKnownToLeadAfterTheMajorityIsLostForGood() throws Exception {
        cluster.crash("n1");
        cluster.crash("n2");
        cluster.awaitUntil(
                "it is lost", () -> cluster.client("n3").connectionState().equals(Optional.of(ConnectionState.LOST)));
        assertThat(leader()).isEqualTo(new Participant("", false));
        cluster.advance(Duration.ofMinutes(10));
        assertThat(leader()).isEqualTo(new Participant("", false));
    }

    // The lease may still run while the node is only suspended.
    @Test
    void aLeaderIsKnownUntilTheMajorityIsLost() throws Exception {
        cluster.isolate("n3");
        cluster.awaitUntil(
                "it is suspended",
                () -> cluster.client("n3").connectionState().equals(Optional.of(ConnectionState.SUSPENDED)));
        assertThat(leader().getId()).isEqualTo("on n1");
    }

    @Test
    void contendersAreRememberedAndNoneOfThemLeads() throws Exception {
        lose();
        Collection<Participant> participants = survivor.getParticipants();
        assertThat(participants).extracting(Participant::getId).contains("on n1");
        assertThat(participants).noneMatch(Participant::isLeader);
    }

    @Test
    void theExplanationSaysWhoWasLastKnownToLead() {
        long token = survivor.explain().fencingToken().orElseThrow();
        lose();
        Explanation lost = survivor.explain();
        assertThat(lost.leader()).isEmpty();
        assertThat(lost.fencingToken()).isEmpty();
        assertThat(lost.reason()).endsWith("; n1 was the last that was known to lead, with token " + token);
        find();
        assertThat(survivor.explain().fencingToken()).hasValue(token);
    }

    // Also where this node does not contend: nothing but the connection tells of it.
    @Test
    void observersAndMonitorsAreTold() {
        List<String> observed = new ArrayList<>();
        List<String> monitored = new ArrayList<>();
        LeaderObserver observer = new LeaderObserver(cluster.client("n3"), PATH);
        observer.getListenable().addListener((leader, token) -> observed.add(leader.getId() + "=" + token));
        observer.start();
        survivor.closeAsync();
        cluster.client("n3").addMonitor(new ClientMonitor() {
            @Override
            public void leaderChanged(String path, Optional<Leader> former, Optional<Leader> leader) {
                monitored.add(leader.map(Leader::node).orElse("nobody"));
            }
        });
        cluster.advance(Duration.ofSeconds(1));
        long token = observer.fencingToken().orElseThrow();
        lose();
        cluster.advance(Duration.ofSeconds(1));
        assertThat(observer.getLeader()).isEqualTo(new Participant("", false));
        find();
        assertThat(observed).containsExactly("on n1=" + token, "=0", "on n1=" + token);
        assertThat(monitored).containsExactly("n1", "nobody", "n1");
    }

    // The old leader was a voter: dead by now, it takes back nothing of what it has told.
    @Test
    void aLeaderOfLongAgoIsNotToldAgain() throws Exception {
        try (SimulatedCluster five =
                new SimulatedCluster(ClusterSettings.ofVoters(5).algorithm(new HighestUp()))) {
            contend(five, "n1");
            five.awaitLeader(PATH);
            List<String> monitored = new ArrayList<>();
            five.client("n5").addMonitor(new ClientMonitor() {
                @Override
                public void leaderChanged(String path, Optional<Leader> former, Optional<Leader> leader) {
                    monitored.add(leader.map(Leader::node).orElse("nobody"));
                }
            });
            List<String> observed = new ArrayList<>();
            LeaderObserver observer = new LeaderObserver(five.client("n5"), PATH);
            observer.getListenable().addListener((leader, token) -> observed.add(leader.getId()));
            observer.start();
            five.advance(Duration.ofSeconds(2));
            // A leader may be known only some time after a client begins to use a path.
            assertThat(monitored).last().isEqualTo("n1");
            monitored.clear();
            contend(five, "n2");
            five.advance(Duration.ofSeconds(2));
            five.isolate("n5");
            five.awaitUntil(
                    "n5 is lost", () -> five.client("n5").connectionState().equals(Optional.of(ConnectionState.LOST)));
            five.crash("n1");
            five.awaitUntil("n2 leads", () -> five.leader(PATH).equals(Optional.of("n2")));
            five.advance(Duration.ofMinutes(1));
            five.heal();
            five.advance(Duration.ofSeconds(5));
            assertThat(monitored).containsExactly("nobody", "n2");
            assertThat(observed).containsExactly("on n1", "", "on n2");
        }
    }

    private static void contend(SimulatedCluster cluster, String node) throws Exception {
        new LeaderLatch(cluster.client(node), PATH, "on " + node).start();
    }

    // A stuck thread tells nobody, but whoever asks is answered at once.
    @Test
    void anObserverOfANodeWhoseThreadIsStuckNamesNobody() throws Exception {
        LeaderObserver observer = new LeaderObserver(cluster.client("n3"), PATH);
        observer.start();
        cluster.advance(Duration.ofSeconds(1));
        assertThat(observer.getLeader().getId()).isEqualTo("on n1");
        cluster.pause("n3");
        cluster.awaitUntil(
                "it is lost", () -> cluster.client("n3").connectionState().equals(Optional.of(ConnectionState.LOST)));
        cluster.advance(Duration.ofMinutes(1));
        assertThat(observer.getLeader()).isEqualTo(new Participant("", false));
    }
}
