package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.Health.Readiness;
import io.quorate.Health.State;
import io.quorate.engine.Connection;
import io.quorate.spi.NodeId;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.HighestUp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a client says of itself in each of its states, and what a probe makes of that. */
class ClientHealthTest {

    private static final Duration LEASE = Profile.DEFAULT.supportDuration();

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));
    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient fake = Clients.over(engine);

    @AfterEach
    void close() {
        fake.close();
        cluster.close();
    }

    private Health health(String node) {
        return cluster.client(node).health();
    }

    private static void isNotReadyAndLive(Health health, State state) {
        assertThat(health.state()).as(health.toString()).isEqualTo(state);
        assertThat(health.isLive()).isTrue();
        assertThat(health.isReady(Readiness.JOINED)).isFalse();
        assertThat(health.isReady(Readiness.CONNECTED)).isFalse();
        assertThat(health.supporters()).isEmpty();
        assertThat(health.leads()).isEmpty();
    }

    private void awaitUp(String node) {
        cluster.awaitUntil(node + " is up", () -> health(node).state() == State.UP);
    }

    // Everything else is the same: a probe and a status page must not contradict each other.
    @Test
    void aProbeIsTheHealthWithoutThePathsThatAreLed() throws Exception {
        fake.start();
        engine.connect(Connection.CONNECTED);
        try (LeaderLatch latch = new LeaderLatch(fake, "/app/leader", "me")) {
            latch.start();
            engine.last().grant(7);
            Health health = fake.health();
            assertThat(health.leads()).containsOnlyKeys("/app/leader");
            assertThat(fake.probe())
                    .isEqualTo(new Health(
                            health.state(),
                            health.reason(),
                            health.voters(),
                            health.supporters(),
                            new TreeMap<>(),
                            health.turnAge()));
        }
    }

    @Test
    void beforeItsStartAClientIsNotReady() {
        Health health = fake.health();
        isNotReadyAndLive(health, State.JOINING);
        assertThat(health.reason()).isEqualTo("it is not started");
        assertThat(health.voters()).isEmpty();
    }

    @Test
    void aClientThatHasNotFoundAMajorityIsNotReady() {
        cluster.partition("n1", "n2,n3");
        cluster.advance(LEASE.multipliedBy(5));
        Health alone = health("n1");
        assertThat(alone.state()).isEqualTo(State.JOINING);
        assertThat(alone.reason()).isEqualTo("no majority of voters has supported this node since its start");
        assertThat(alone.voters()).containsExactly("n1", "n2", "n3");
        // Its own voter is no majority.
        assertThat(alone.supporters()).containsExactly("n1");
        assertThat(alone.isLive()).isTrue();
        assertThat(alone.isReady(Readiness.JOINED)).isFalse();
        assertThat(alone.isReady(Readiness.CONNECTED)).isFalse();
        assertThat(health("n2").state()).isEqualTo(State.UP);
    }

    @Test
    void aSupportedClientIsUpWhetherItLeadsOrNot() throws Exception {
        for (String node : cluster.nodes()) {
            for (String path : List.of("/b", "/a")) {
                new LeaderLatch(cluster.client(node), path, node).start();
            }
        }
        String leader = cluster.awaitLeader("/a");
        cluster.awaitLeader("/b");
        cluster.advance(LEASE);
        SortedMap<String, Long> led = new TreeMap<>();
        for (String node : cluster.nodes()) {
            Health health = health(node);
            assertThat(health.state()).isEqualTo(State.UP);
            assertThat(health.isLive()).isTrue();
            assertThat(health.isReady(Readiness.JOINED)).isTrue();
            assertThat(health.isReady(Readiness.CONNECTED)).isTrue();
            assertThat(health.voters()).containsExactly("n1", "n2", "n3");
            assertThat(health.supporters()).containsExactly("n1", "n2", "n3");
            assertThat(health.reason()).isEqualTo("a majority of voters supports this node");
            led.putAll(health.leads());
        }
        assertThat(led).containsOnlyKeys("/a", "/b");
        assertThat(health(leader).leads()).containsKey("/a");
        assertThat(led.get("/a")).isPositive();
    }

    @Test
    void supportersAreThoseOfThisMoment() {
        awaitUp("n1");
        cluster.advance(LEASE);
        assertThat(health("n1").supporters()).containsExactly("n1", "n2", "n3");
        cluster.crash("n3");
        cluster.advance(LEASE.multipliedBy(2));
        assertThat(health("n1").supporters()).containsExactly("n1", "n2");
        assertThat(health("n1").state()).isEqualTo(State.UP);
    }

    @Test
    void anOutageAfterItHasJoinedKeepsItReadyUnlessTheConnectionIsAskedFor() throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client("n1"), "/a", "n1");
        latch.start();
        cluster.awaitLeader("/a");
        cluster.isolate("n1");
        cluster.awaitUntil("it is suspended", () -> health("n1").state() == State.DISCONNECTED);
        Health suspended = health("n1");
        assertThat(suspended.reason()).startsWith("SUSPENDED: no majority of voters was heard for ");
        // Its lease runs: it leads.
        assertThat(suspended.leads()).containsOnlyKeys("/a");
        cluster.advance(LEASE.multipliedBy(2));
        Health lost = health("n1");
        assertThat(lost.state()).isEqualTo(State.DISCONNECTED);
        assertThat(lost.reason()).startsWith("LOST: no majority of voters supports this node any more; ");
        assertThat(lost.leads()).isEmpty();
        assertThat(lost.supporters()).containsExactly("n1");
        for (Health outage : List.of(suspended, lost)) {
            assertThat(outage.isLive()).isTrue();
            assertThat(outage.isReady(Readiness.JOINED)).isTrue();
            assertThat(outage.isReady(Readiness.CONNECTED)).isFalse();
        }
        cluster.heal();
        awaitUp("n1");
        assertThat(health("n1").isReady(Readiness.CONNECTED)).isTrue();
    }

    @Test
    void aRestartHasToJoinAgain() {
        awaitUp("n1");
        cluster.crash("n1");
        cluster.isolate("n1");
        cluster.restart("n1");
        cluster.advance(LEASE.multipliedBy(5));
        assertThat(health("n1").state()).isEqualTo(State.JOINING);
        assertThat(health("n1").isReady(Readiness.JOINED)).isFalse();
    }

    @Test
    void aClosedClientIsLiveAndNotReady() throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client("n1"), "/a", "n1");
        latch.start();
        cluster.awaitLeader("/a");
        ElectionClient client = cluster.client("n1");
        client.close();
        isNotReadyAndLive(client.health(), State.CLOSED);
        assertThat(client.health().reason()).isEqualTo("it is closed");
    }

    @Test
    void aNodeThatHasStoppedByItselfIsBroken() {
        fake.start();
        engine.connect(Connection.CONNECTED);
        assertThat(fake.health().state()).isEqualTo(State.UP);
        DuplicateNodeException cause = new DuplicateNodeException(new NodeId("n1"), 1, 2);
        engine.fail(cause);
        Health health = fake.health();
        assertThat(health.state()).isEqualTo(State.FAILED);
        assertThat(health.reason()).isEqualTo(cause.getMessage());
        assertThat(health.isLive()).isFalse();
        assertThat(health.isReady(Readiness.JOINED)).isFalse();
        assertThat(health.isReady(Readiness.CONNECTED)).isFalse();
        // Why it has ended stays the news after the application has cleaned up.
        fake.close();
        assertThat(fake.health().state()).isEqualTo(State.FAILED);
    }

    @Test
    void aClientWhoseStartHasFailedIsBroken() {
        engine.failStart(new IOException("term file is locked"));
        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(fake::start);
        Health health = fake.health();
        assertThat(health.state()).isEqualTo(State.FAILED);
        assertThat(health.reason()).isEqualTo("its start has failed: term file is locked");
        assertThat(health.isLive()).isFalse();
    }

    // A process that stands still cannot say so: whoever asks meanwhile learns it from the age of its last turn.
    @Test
    void aNodeWhoseThreadIsStuckIsDisconnectedAndAfterHalfAMinuteNotLive() {
        awaitUp("n2");
        assertThat(health("n2").turnAge()).isLessThanOrEqualTo(Profile.DEFAULT.supportDuration());
        cluster.pause("n2");
        cluster.advance(LEASE.plusMillis(500));
        Health stuck = health("n2");
        assertThat(stuck.state()).isEqualTo(State.DISCONNECTED);
        assertThat(stuck.reason())
                .isEqualTo("LOST: the thread of this node has had no turn for 1 s: something blocks it");
        assertThat(stuck.supporters()).isEmpty();
        assertThat(stuck.isLive()).isTrue();
        assertThat(stuck.isReady(Readiness.JOINED)).isTrue();
        assertThat(stuck.isReady(Readiness.CONNECTED)).isFalse();
        assertThat(cluster.client("n2").connectionState()).contains(ConnectionState.LOST);
        cluster.advance(Duration.ofSeconds(30));
        assertThat(health("n2").isLive()).isFalse();
        assertThat(cluster.client("n2").turnAge()).isGreaterThan(Duration.ofSeconds(30));
        cluster.resume("n2");
        awaitUp("n2");
        assertThat(health("n2").isLive()).isTrue();
    }

    @Test
    void aNodeThatIsStuckBeforeItHasJoinedSaysSo() {
        Health health = new Health(
                State.JOINING,
                "",
                List.of(),
                List.of(),
                new TreeMap<>(),
                Duration.ofSeconds(30).plusNanos(1));
        assertThat(health.isLive()).isFalse();
    }

    @Test
    void aHealthDoesNotChange() {
        TreeMap<String, Long> leads = new TreeMap<>();
        Health health = new Health(State.UP, "", List.of(), List.of(), leads, Duration.ZERO);
        leads.put("/a", 1L);
        assertThat(health.leads()).isEmpty();
        assertThatThrownBy(() -> health.leads().put("/a", 1L)).isInstanceOf(UnsupportedOperationException.class);
    }
}
