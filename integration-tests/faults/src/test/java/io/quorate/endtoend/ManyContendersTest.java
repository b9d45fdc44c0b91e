package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.CuttableTransport;
import io.quorate.testkit.RealTime;
import io.quorate.vertx.VertxTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three nodes vote and fifty others contend, over real sockets: docs/architecture.md#scale. */
@RealTime
class ManyContendersTest {

    private static final String CLUSTER = "many";
    private static final String PATH = "/app/leader";
    private static final List<String> VOTERS = List.of("n1", "n2", "n3");
    private static final List<String> CONTENDERS =
            IntStream.rangeClosed(1, 50).mapToObj(i -> "c" + i).toList();

    // Three times the defaults: fifty-three nodes share one process, and a busy machine must not depose their leader.
    private static final Duration HEARTBEAT = Duration.ofMillis(450);
    private static final Duration SUPPORT = Duration.ofSeconds(3);
    /** All of it is computing, with hardly a wait: half a minute may become minutes where much else runs. */
    private static final Duration DEADLINE = Duration.ofMinutes(10);
    /** Each look asks all of them. */
    private static final Duration POLL = Duration.ofMillis(100);

    private final OneJvm nodes = new OneJvm(
            "ballot", Stream.concat(VOTERS.stream(), CONTENDERS.stream()).toArray(String[]::new));
    private final Map<String, CuttableTransport> transports = new HashMap<>();
    private final List<LeaderLatch> latches = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        nodes.ids().forEach(this::start);
        for (String id : CONTENDERS) {
            latches.add(nodes.latch(id, PATH, id));
        }
    }

    private void start(String id) {
        Map<NodeId, HostAndPort> addresses = new HashMap<>();
        nodes.addresses()
                .forEach((node, address) -> addresses.put(
                        new NodeId(node), new HostAndPort("127.0.0.1", Integer.parseInt(address.split(":")[1]))));
        CuttableTransport transport = new CuttableTransport(
                VertxTransport.embedded(new TransportProvider.Settings(CLUSTER, new NodeId(id), addresses)));
        transports.put(id, transport);
        nodes.start(
                id,
                ElectionClient.builder()
                        .clusterId(CLUSTER)
                        .voters(VOTERS)
                        .transport(transport)
                        .heartbeat(HEARTBEAT)
                        .supportDuration(SUPPORT));
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    /** Somebody's leadership. */
    private record Reign(LeaderLatch latch, long token) {}

    // docs/architecture.md#scale. A node that is cut off knows less than the others: so agreement is no accident.
    @Test
    void allAgreeOnOneLeaderWhateverIsLost() {
        Reign first = awaitAgreement(latches, 0);

        transports.get("n1").cut();
        // Before, all agree because nobody has noticed.
        nodes.await("the leader is supported without n1", DEADLINE, POLL, () -> List.of("n2", "n3")
                .equals(first.latch.explain().supporters()));
        Reign afterVoter = awaitAgreement(latches, first.token);
        transports.get("n1").heal();

        Reign second = loseLeader(afterVoter);

        transports.get("n2").cut();
        Reign third = loseLeader(second);

        transports.values().forEach(CuttableTransport::heal);
        awaitAgreement(latches, third.token);
    }

    /** Cuts the leader off, and waits for the next one, of whom all others know. */
    private Reign loseLeader(Reign reign) {
        LeaderLatch old = reign.latch;
        transports.get(old.getId()).cut();
        Reign next =
                awaitAgreement(latches.stream().filter(latch -> latch != old).toList(), reign.token + 1);
        assertThat(old.hasLeadership()).as(nodes::describe).isFalse();
        assertThat(leaderSeenBy(old)).as("who is cut off cannot know").isNotEqualTo(next.latch.getId());
        transports.get(old.getId()).heal();
        return next;
    }

    /** Waits until one of them leads with at least that token, and all of them name it. */
    private Reign awaitAgreement(List<LeaderLatch> among, long tokenMin) {
        AtomicReference<Reign> agreed = new AtomicReference<>();
        nodes.await("all agree who leads", DEADLINE, POLL, () -> {
            agreed.set(agreed(among).orElse(null));
            return agreed.get() != null;
        });
        assertThat(agreed.get().token).as(nodes::describe).isGreaterThanOrEqualTo(tokenMin);
        return agreed.get();
    }

    private Optional<Reign> agreed(List<LeaderLatch> among) {
        List<Reign> reigns = latches.stream()
                .map(ManyContendersTest::reign)
                .flatMap(Optional::stream)
                .toList();
        if (reigns.size() > 1) {
            // Each but the last was asked before: it may have ended before the next one began.
            for (Reign former : reigns.subList(0, reigns.size() - 1)) {
                assertThat(reign(former.latch)).as(nodes::describe).isNotEqualTo(Optional.of(former));
            }
            return Optional.empty();
        }
        return reigns.stream()
                .findFirst()
                .filter(reign -> among.contains(reign.latch)
                        && among.stream().allMatch(latch -> leaderSeenBy(latch).equals(reign.latch.getId()))
                        && reign(reign.latch).equals(Optional.of(reign)));
    }

    private static Optional<Reign> reign(LeaderLatch latch) {
        try {
            return latch.hasLeadership() ? Optional.of(new Reign(latch, latch.fencingToken())) : Optional.empty();
        } catch (IllegalStateException e) {
            // Justification: leadership may end between the two calls.
            return Optional.empty();
        }
    }

    private static String leaderSeenBy(LeaderLatch latch) {
        try {
            return latch.getLeader().getId();
        } catch (Exception e) {
            // Justification: getLeader declares it, as Curator's does; who gets no answer sees nobody.
            return "";
        }
    }
}
