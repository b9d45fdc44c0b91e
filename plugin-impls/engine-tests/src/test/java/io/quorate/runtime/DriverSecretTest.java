package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.SupportMessage.Goodbye;
import io.quorate.engine.Connection;
import io.quorate.engine.Tenure;
import io.quorate.runtime.Drivers.Listener;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.LocalNetwork;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes with a secret elect among themselves, and hear nobody else. */
class DriverSecretTest {

    private static final String OURS = "the secret of this cluster";
    private static final String THEIRS = "the secret of somebody else";

    private static final Set<Connection> CONNECTED = Set.of(Connection.CONNECTED, Connection.RECONNECTED);

    private final Drivers drivers = new Drivers(3);

    @AfterEach
    void close() {
        drivers.close();
    }

    private static Optional<ClusterSecret> secret(String text) {
        return Optional.of(ClusterSecret.of(text.getBytes(StandardCharsets.UTF_8), Optional.empty()));
    }

    /** The third node has this secret, the two others have ours. */
    private void start(Optional<ClusterSecret> third) throws IOException {
        drivers.secret(third);
        drivers.driver(3).start();
        drivers.secret(secret(OURS));
        drivers.startAll();
    }

    @Test
    void nodesThatShareASecretElect() throws IOException {
        start(secret(OURS));
        drivers.awaitLeader(drivers.contend(1), drivers.contend(2), drivers.contend(3));
        assertThat(drivers.get(1).describe()).doesNotContain("MAC", "SECRET");
    }

    // The two elect without the third. Both sides say why, once, and nobody shows a secret.
    @Test
    void aNodeWithoutTheSecretIsNotHeard() throws IOException {
        try (CapturedLog log = new CapturedLog()) {
            start(Optional.empty());
            Listener third = drivers.contend(3);
            drivers.awaitLeader(drivers.contend(1), drivers.contend(2));
            drivers.await(
                    "n1 has dropped frames", () -> drivers.get(1).describe().contains("WITHOUT_MAC="));
            drivers.await(
                    "n3 says it of n1",
                    () -> lines(log, "node n3: frames of node n1 carry a MAC").size() == 1);
            assertThat(drivers.get(3).describe()).contains("WITH_MAC=");
            assertThat(third.calls).isEmpty();
            assertThat(lines(log, "node n1: frames without a MAC")).hasSize(1);
            showsNoSecret(log);
        }
    }

    @Test
    void aNodeWithAnotherSecretIsNotHeard() throws IOException {
        try (CapturedLog log = new CapturedLog()) {
            start(secret(THEIRS));
            Listener third = drivers.contend(3);
            drivers.awaitLeader(drivers.contend(1), drivers.contend(2));
            drivers.await(
                    "n1 has dropped frames", () -> drivers.get(1).describe().contains("OTHER_SECRET="));
            drivers.await(
                    "n3 has dropped frames", () -> drivers.get(3).describe().contains("OTHER_SECRET="));
            assertThat(third.calls).isEmpty();
            assertThat(drivers.get(3).problems()).extracting(Problem::kind).containsOnly(Problem.Kind.SECRET);
            assertThat(third.candidacy.explain().reason()).contains("give all nodes of the cluster the same secret");
            assertThat(lines(log, "node n1: frames of an unknown sender are dropped, whose MAC"))
                    .hasSize(1);
            assertThat(lines(log, "node n3: frames of an unknown sender are dropped, whose MAC"))
                    .hasSize(1);
            showsNoSecret(log);
        }
    }

    // Anyone who reaches an event bus can send such frames. As long as all voters are heard, there is nothing to
    // repair.
    @Test
    void strangersDoNotMakeProblems() throws IOException {
        start(secret(OURS));
        drivers.awaitLeader(drivers.contend(1), drivers.contend(2), drivers.contend(3));
        drivers.network.inject(drivers.id(1), frameUnder(THEIRS));
        drivers.await("n1 has dropped it", () -> drivers.get(1).describe().contains("OTHER_SECRET="));
        assertThat(drivers.get(1).problems()).isEmpty();
        // They can be the frames of a voter that is not heard.
        drivers.get(3).close();
        drivers.await("it is a problem", () -> {
            drivers.network.inject(drivers.id(1), frameUnder(THEIRS));
            return drivers.get(1).problems().toString().contains("whose MAC is not that");
        });
    }

    private static List<String> lines(CapturedLog log, String part) {
        return log.lines().stream().filter(line -> line.contains(part)).toList();
    }

    private void showsNoSecret(CapturedLog log) {
        assertThat(log.lines()).noneMatch(line -> line.contains("the secret of"));
        for (int number = 1; number <= 3; number++) {
            assertThat(drivers.get(number).describe()).doesNotContain("the secret of");
        }
    }

    // Whoever reaches the port and knows all names, but not the secret, ends no leadership: here by a scan of goodbyes.
    @RealTime
    @Test
    void goodbyesOfAStrangerAreNotHeard() throws IOException {
        start(secret(OURS));
        Listener leader = drivers.contend(1);
        drivers.awaitLeader(leader);
        WireWriter goodbye = new WireWriter();
        new MessageCodec(new HighestUp()).write(new Goodbye(), goodbye);
        Links stranger = new Links("test", drivers.id(1), 1L << 40, 1, 4, List.of(), Optional.empty());
        for (int i = 0; i < 100; i++) {
            for (int to = 2; to <= 3; to++) {
                drivers.network.inject(
                        drivers.id(to),
                        stranger.seal(drivers.id(to), goodbye.toBytes(), goodbye.length(), i * 1_000_000_000L)
                                .orElseThrow());
            }
        }
        drivers.await("n2 has dropped them", () -> drivers.get(2).describe().contains("WITHOUT_MAC=100"));
        assertThat(leader.calls).containsExactly("granted");
        assertThat(leader.leads()).isTrue();
    }

    private static void await(CountDownLatch gate) {
        try {
            assertThat(gate.await(600, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** From a node that does not vote, to n1; nothing can be read from it, and what came of it is counted. */
    private byte[] frameUnder(String theirSecret) {
        return new Links("test", new NodeId("p1"), 1, 1, 4, List.of(), secret(theirSecret))
                .seal(drivers.id(1), new byte[] {99}, 1, 0)
                .orElseThrow();
    }

    // The node's thread stands still. More forged frames than the mailbox holds come before one of a member, which is
    // read all the same. Of all the others together the node is told at once.
    @Test
    void forgedFramesTakeNoRoomFromThoseOfMembers() throws IOException {
        int many = 20_000;
        assertThat(many).isGreaterThan(Mailbox.FRAMES_MAX);
        CountDownLatch isHeldUp = new CountDownLatch(1);
        CountDownLatch isReleased = new CountDownLatch(1);
        try (Drivers alone = new Drivers(1);
                CapturedLog log = new CapturedLog()) {
            alone.secret(secret(OURS));
            ElectionDriver driver = alone.driver(1);
            driver.addConnectionListener(connection -> {
                isHeldUp.countDown();
                await(isReleased);
            });
            driver.start();
            await(isHeldUp);
            byte[] forged = frameUnder(THEIRS);
            for (int i = 0; i < many; i++) {
                alone.network.inject(alone.id(1), forged);
            }
            // Of a member that is not known yet the newest frame is kept, and a copy of it is counted.
            alone.network.inject(alone.id(1), frameUnder(OURS));
            alone.network.inject(alone.id(1), frameUnder(OURS));
            isReleased.countDown();
            alone.await("the member's frames are read", () -> driver.describe().contains("STALE_SEQUENCE=1"));
            assertThat(driver.describe()).contains("OTHER_SECRET=" + many, " and 0 unread");
            assertThat(lines(log, "frames of an unknown sender are dropped, whose MAC"))
                    .hasSize(1);
        } finally {
            isReleased.countDown();
        }
    }

    // All that passed between the nodes while they elected is played to them again, twice, in its order.
    @RealTime
    @Test
    void aRecordedSessionIsNotHeard() throws IOException {
        List<LocalNetwork.Flight> recorded = new CopyOnWriteArrayList<>();
        drivers.network.drop(flight -> {
            recorded.add(flight);
            return false;
        });
        start(secret(OURS));
        Listener leader = drivers.contend(1);
        drivers.awaitLeader(leader);
        drivers.await("enough is recorded", () -> recorded.size() > 300);
        drivers.network.heal();
        Tenure tenure = leader.tenure;
        for (int time = 0; time < 2; time++) {
            recorded.forEach(flight -> drivers.network.inject(flight.to(), flight.frame()));
        }
        for (int number = 1; number <= 3; number++) {
            ElectionDriver driver = drivers.get(number);
            drivers.await(
                    "all is dropped", () -> dropped(driver, "STALE_SEQUENCE") + dropped(driver, "OTHER_LIFE") > 100);
        }
        assertThat(leader.calls).containsExactly("granted");
        assertThat(leader.tenure).isEqualTo(tenure);
        assertThat(leader.leads()).isTrue();
    }

    private static int dropped(ElectionDriver driver, String reason) {
        Matcher count = Pattern.compile(reason + "[A-Z_]*=(\\d+)").matcher(driver.describe());
        return count.find() ? Integer.parseInt(count.group(1)) : 0;
    }

    private static Optional<ClusterSecret> secrets(String current, String former) {
        return Optional.of(ClusterSecret.of(
                current.getBytes(StandardCharsets.UTF_8), Optional.of(former.getBytes(StandardCharsets.UTF_8))));
    }

    // The rounds of docs/security.md#change-the-secret: every node that is restarted is connected again at once.
    @Test
    void theSecretIsChangedByThreeRoundsOfRestarts() throws IOException {
        start(secret(OURS));
        drivers.awaitLeader(drivers.contend(1), drivers.contend(2), drivers.contend(3));
        for (Optional<ClusterSecret> round : List.of(secrets(OURS, THEIRS), secrets(THEIRS, OURS), secret(THEIRS))) {
            drivers.secret(round);
            for (int number = 1; number <= 3; number++) {
                ElectionDriver driver = drivers.driver(number);
                driver.start();
                // Again, if the machine was too busy for a while.
                drivers.await("it is connected", () -> CONNECTED.contains(driver.connection()));
                for (int each = 1; each <= 3; each++) {
                    assertThat(drivers.get(each).describe()).doesNotContain("MAC", "SECRET");
                }
            }
        }
        drivers.awaitLeader(drivers.contend(1), drivers.contend(2), drivers.contend(3));
    }
}
