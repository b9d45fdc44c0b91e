package io.quorate.adapters;

import io.quorate.ElectionClient;
import io.quorate.camel.QuorateClusterService;
import io.quorate.camel.Ticker;
import io.quorate.shedlock.QuorateLockProvider;
import io.quorate.testkit.Deadline;
import io.quorate.vertx.SingletonVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.impl.cluster.ClusteredRoutePolicy;

/** The ways to keep work to one node, with default settings. */
enum Adapter {
    /** A job every 20 ms under a lock of ShedLock. */
    LOCK("/shedlock/job") {
        @Override
        Application start(ElectionClient client, Work work) {
            client.start();
            QuorateLockProvider provider = new QuorateLockProvider(client);
            LockingTaskExecutor locks = new DefaultLockingTaskExecutor(provider);
            ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
            Runnable job = () -> work.run(client.nodeId());
            scheduler.scheduleWithFixedDelay(
                    () -> locks.executeWithLock(
                            job, new LockConfiguration(ClockProvider.now(), "job", LOCK_AT_MOST, Duration.ZERO)),
                    0,
                    PERIOD_MILLIS,
                    TimeUnit.MILLISECONDS);
            return ending(client, () -> {
                client.close();
                scheduler.shutdownNow();
                // Its thread would last for hours, and other tests count such threads.
                provider.close();
            });
        }
    },

    /** A clustered route of Camel. */
    ROUTE("/camel/ns") {
        @Override
        Application start(ElectionClient client, Work work) throws Exception {
            return route(client, work, "ticker:a", true);
        }
    },

    /** A master endpoint of Camel. */
    MASTER("/camel/ns") {
        @Override
        Application start(ElectionClient client, Work work) throws Exception {
            return route(client, work, "master:ns:ticker:a", false);
        }
    },

    /** A verticle that takes its time to stop. */
    VERTICLE("/app/singleton") {
        @Override
        Application start(ElectionClient client, Work work) throws Exception {
            client.start();
            Vertx vertx = Vertx.vertx();
            join(SingletonVerticle.deploy(
                    vertx, client, path(), token -> new Working(client.nodeId(), work), new DeploymentOptions()));
            return ending(client, () -> {
                client.close();
                join(vertx.close());
            });
        }
    },

    /** A {@code @LeaderOnly} method that Spring schedules. */
    LEADER_ONLY("/app/reports") {
        @Override
        Application start(ElectionClient client, Work work) {
            return SpringApplications.leaderOnly(client, work);
        }
    },

    /** A candidate of Spring Integration. */
    INITIATOR("/reports") {
        @Override
        Application start(ElectionClient client, Work work) {
            return SpringApplications.initiator(client, work);
        }
    };

    static final long PERIOD_MILLIS = 20;

    // Much longer than the test, so that no lock ends by itself.
    private static final Duration LOCK_AT_MOST = Duration.ofHours(1);

    private final String path;

    Adapter(String path) {
        this.path = path;
    }

    /** Which path decides where the work is. */
    String path() {
        return path;
    }

    /** Starts a process of the application; the client has not started. */
    abstract Application start(ElectionClient client, Work work) throws Exception;

    private static Application route(ElectionClient client, Work work, String from, boolean isClustered)
            throws Exception {
        client.start();
        DefaultCamelContext context = new Ticker().context(new QuorateClusterService(client));
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() throws Exception {
                var route = from(from);
                if (isClustered) {
                    route.routePolicy(ClusteredRoutePolicy.forNamespace("ns"));
                }
                route.process(exchange -> work.run(client.nodeId()));
            }
        });
        context.start();
        return ending(client, () -> {
            client.close();
            context.stop();
        });
    }

    static Application ending(ElectionClient client, Runnable end) {
        return new Application() {
            @Override
            public ElectionClient client() {
                return client;
            }

            @Override
            public void close() {
                end.run();
            }
        };
    }

    private static <T> T join(Future<T> future) {
        try {
            return Deadline.get(future.toCompletionStage().toCompletableFuture());
        } catch (Exception e) {
            // Justification: whatever ended the future ends the test, with its cause.
            throw new AssertionError(e);
        }
    }

    /** At work from its start until it has stopped. */
    private static final class Working extends VerticleBase {
        private final String node;
        private final Work work;

        private Working(String node, Work work) {
            this.node = node;
            this.work = work;
        }

        @Override
        public Future<?> start() {
            work.begin(node);
            return Future.succeededFuture();
        }

        @Override
        public Future<?> stop() {
            return vertx.timer(Work.MILLIS, TimeUnit.MILLISECONDS).andThen(done -> work.end());
        }
    }
}
