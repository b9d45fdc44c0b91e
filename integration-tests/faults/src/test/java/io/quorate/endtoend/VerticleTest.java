package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatchListener;
import io.quorate.demo.Cluster;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.RealTime;
import io.quorate.vertx.StaticClusterManager;
import io.quorate.vertx.VertxTransport;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Clients of verticles, as docs/settings.md#start-and-close-on-an-event-loop has them. All share the one event loop of
 * the application's Vertx. Each start, each close and each {@code notLeader} needs this loop, so a call that holds it up
 * ends in a time-out.
 */
@RealTime
class VerticleTest {

    private static final String PATH = "/app/leader";
    private static final String CLUSTER = "own";
    private static final String[] VOTERS = {"n1", "n2", "n3"};

    private final Vertx vertx = oneLoop();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();

    private static Vertx oneLoop() {
        NodeId self = new NodeId("app");
        String address = Cluster.freeAddresses(List.of("app")).get("app");
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        return get(Vertx.builder()
                .with(new VertxOptions()
                        .setEventLoopPoolSize(1)
                        .setEventBusOptions(
                                new EventBusOptions().setHost("127.0.0.1").setPort(port)))
                .withClusterManager(
                        new StaticClusterManager("app", self, Map.of(self, new HostAndPort("127.0.0.1", port))))
                .buildClustered());
    }

    private static <T> T get(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(OneJvm.DEADLINE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @AfterEach
    void closeVertx() {
        get(vertx.close());
    }

    private ElectionClient client(String id) {
        return ElectionClient.builder()
                .nodeId(id)
                .clusterId(CLUSTER)
                .voters(VOTERS)
                .transport(VertxTransport.on(vertx, CLUSTER, new NodeId(id)))
                .build();
    }

    /** A verticle that leads, or waits to lead, for as long as it is deployed. */
    private final class LeaderVerticle extends VerticleBase {
        private final ElectionClient client;
        private final LeaderLatch latch;
        private volatile boolean hasCleanedUp;

        private LeaderVerticle(String id) {
            client = client(id);
            latch = new LeaderLatch(client, PATH, id, CloseMode.NOTIFY_LEADER);
        }

        @Override
        public Future<?> start() throws Exception {
            latch.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    // What it prepares is no concern of this test.
                }

                @Override
                public void notLeader() {
                    hasCleanedUp = runsOnTheLoop();
                }
            });
            latch.start();
            return backOnTheLoop(client.startAsync(), "start");
        }

        @Override
        public Future<?> stop() {
            return backOnTheLoop(client.closeAsync(), "stop");
        }

        private Future<Void> backOnTheLoop(CompletionStage<Void> stage, String what) {
            noteUnless(Context.isOnEventLoopThread(), what + " was not called on the loop");
            return Future.fromCompletionStage(stage, context)
                    .onComplete(done -> noteUnless(Context.isOnEventLoopThread(), what + " has not ended on the loop"));
        }

        /** The work of a callback that the loop has to do, which closing waits for. */
        private boolean runsOnTheLoop() {
            CountDownLatch isDone = new CountDownLatch(1);
            context.runOnContext(nothing -> isDone.countDown());
            try {
                return isDone.await(OneJvm.DEADLINE.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                return false;
            }
        }
    }

    private void noteUnless(boolean isSo, String fault) {
        if (!isSo) {
            faults.add(fault);
        }
    }

    @Test
    void verticlesStartElectAndCloseWithoutHoldingUpTheirLoop() {
        Map<String, LeaderVerticle> deployed = new LinkedHashMap<>();
        List<Future<String>> deployments = new ArrayList<>();
        for (String id : VOTERS) {
            LeaderVerticle verticle = new LeaderVerticle(id);
            deployments.add(vertx.deployVerticle(verticle).onSuccess(deployment -> deployed.put(deployment, verticle)));
        }
        get(Future.all(deployments));
        long token = 0;
        try (CapturedLog log = CapturedLog.atInfo(VertxTransport.class)) {
            while (!deployed.isEmpty()) {
                Map.Entry<String, LeaderVerticle> leader = awaitLeader(deployed);
                assertThat(leader.getValue().latch.fencingToken()).isGreaterThan(token);
                token = leader.getValue().latch.fencingToken();
                get(vertx.undeploy(leader.getKey()));
                deployed.remove(leader.getKey());
                assertThat(leader.getValue().client.getState()).isEqualTo(ElectionClient.State.STOPPED);
                assertThat(leader.getValue().hasCleanedUp)
                        .as("the verticle is gone after notLeader")
                        .isTrue();
                // One voter of three cannot lead.
                if (deployed.size() == 1) {
                    deployed.keySet().forEach(last -> get(vertx.undeploy(last)));
                    deployed.clear();
                }
            }
            assertThat(log.lines("closeAsync")).as(log.text()).isEmpty();
            assertThat(log.lines("did not close within")).as(log.text()).isEmpty();
        }
        assertThat(faults).isEmpty();
    }

    private static Map.Entry<String, LeaderVerticle> awaitLeader(Map<String, LeaderVerticle> deployed) {
        return Awaitility.await()
                .atMost(OneJvm.DEADLINE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(
                        () -> deployed.entrySet().stream()
                                .filter(entry -> entry.getValue().latch.hasLeadership())
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** What a call throws on the loop, or null. */
    private Exception onTheLoop(Callable<?> call) {
        CompletableFuture<Exception> outcome = new CompletableFuture<>();
        vertx.runOnContext(nothing -> {
            try {
                call.call();
                outcome.complete(null);
            } catch (Exception e) {
                // Justification: whatever it throws is the answer.
                outcome.complete(e);
            }
        });
        return outcome.orTimeout(OneJvm.DEADLINE.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Test
    void aStartThatWaitsIsRefusedOnTheLoopAndLeavesNothingBehind() {
        ElectionClient refused = client("n1");
        Exception refusal = onTheLoop(() -> {
            refused.start();
            return refused;
        });
        assertThat(refusal)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContaining("an event loop must not; call ElectionClient.startAsync()");
        assertThat(refused.getState()).isEqualTo(ElectionClient.State.STOPPED);
        ElectionClient next = client("n1");
        get(Future.fromCompletionStage(next.startAsync()));
        next.close();
    }

    @Test
    void aCloseThatWaitsIsWarnedOfOnTheLoopAndClosesAllTheSame() {
        ElectionClient client = client("n1");
        get(Future.fromCompletionStage(client.startAsync()));
        try (CapturedLog log = CapturedLog.atInfo(VertxTransport.class)) {
            Exception refusal = onTheLoop(() -> {
                client.close();
                return client;
            });
            assertThat(refusal).isNull();
            assertThat(log.lines("WARN", "call ElectionClient.closeAsync()"))
                    .as(log.text())
                    .hasSize(1);
        }
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
    }
}
