package io.quorate.shedlock;

import io.quorate.ElectionClient;
import io.quorate.camel.QuorateClusterService;
import io.quorate.camel.Ticker;
import io.quorate.process.NodeMain;
import io.quorate.testkit.Deadline;
import io.quorate.vertx.SingletonVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.impl.cluster.ClusteredRoutePolicy;

/**
 * A process with something that runs on one node of the cluster. It says that all three voters support it, and when each
 * run begins and ends. Arguments: node id, peers, data directory, kind. It ends when its input does.
 */
public final class JobNode {

    /** The job of one node. */
    public enum Kind {
        /** A job of 200 ms each second, under a lock of ShedLock. */
        LOCK,
        /** A route of Camel, whose exchanges take 150 ms. */
        ROUTE,
        /** A verticle, as long as it is deployed. */
        VERTICLE
    }

    static final Duration PERIOD = Duration.ofSeconds(1);
    private static final int VOTERS = 3;
    // Much longer than the test: what frees the lock of a killed process is its lease.
    private static final Duration LOCK_AT_MOST = Duration.ofHours(1);

    private JobNode() {}

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws Exception {
        ElectionClient client = NodeMain.client(arguments).build();
        client.start();
        NodeMain.awaitSupport(client, VOTERS);
        NodeMain.say("connected " + System.nanoTime());
        switch (Kind.valueOf(arguments[3])) {
            case LOCK -> schedule(client);
            case ROUTE -> route(client);
            case VERTICLE ->
                Deadline.get(SingletonVerticle.deploy(
                                Vertx.vertx(),
                                client,
                                "/app/singleton",
                                token -> new Singleton(),
                                new DeploymentOptions())
                        .toCompletionStage()
                        .toCompletableFuture());
        }
        // Nobody says anything.
        NodeMain.obeyToTheEnd(words -> {});
    }

    private static void schedule(ElectionClient client) {
        LockingTaskExecutor locks = new DefaultLockingTaskExecutor(new QuorateLockProvider(client));
        Runnable job = () -> work(200);
        Executors.newSingleThreadScheduledExecutor()
                .scheduleAtFixedRate(
                        () -> locks.executeWithLock(
                                job, new LockConfiguration(ClockProvider.now(), "job", LOCK_AT_MOST, Duration.ZERO)),
                        0,
                        PERIOD.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private static void route(ElectionClient client) throws Exception {
        DefaultCamelContext context = new Ticker().context(new QuorateClusterService(client));
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() throws Exception {
                from("ticker:a")
                        .routePolicy(ClusteredRoutePolicy.forNamespace("killed"))
                        .process(exchange -> work(150));
            }
        });
        context.start();
    }

    private static void work(long millis) {
        NodeMain.say("begin " + System.nanoTime());
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        NodeMain.say("end " + System.nanoTime());
    }

    private static final class Singleton extends VerticleBase {

        @Override
        public Future<?> start() {
            NodeMain.say("begin " + System.nanoTime());
            return Future.succeededFuture();
        }

        @Override
        public Future<?> stop() {
            NodeMain.say("end " + System.nanoTime());
            return Future.succeededFuture();
        }
    }
}
