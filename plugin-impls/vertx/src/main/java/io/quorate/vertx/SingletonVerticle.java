package io.quorate.vertx;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongFunction;

/**
 * A verticle that is deployed on one node of the cluster: on the leader of a path, and on no other. It is undeployed
 * before the next leader deploys it, where leadership ends on purpose: this is undeployed, its client is closed, an
 * operator moves the leader. Where the lease is lost, it is undeployed at once, and the next leader does not wait for
 * that: so each write carries the fencing token, which the verticle is made with.
 *
 * <p>These faults may happen on a node, each with one line at WARN:
 * <ul>
 * <li>The verticle cannot be deployed: leadership is handed on, and this node tries again after 5 s at the earliest.
 * <li>It fails as it stops: that counts as stopped.
 * <li>It does not stop in time: leadership is not held up any longer. Until it has stopped, this node hands each
 *     leadership on.
 * </ul>
 *
 * <p>A verticle that does not complete its start holds the path, as it would hold a deployment: let it fail. A verticle
 * that the application undeploys by its deployment id is not deployed again during this leadership. All methods may be
 * called from any thread, and none blocks.
 */
public final class SingletonVerticle {

    /** How long a planned end waits for the verticle to stop, if nothing else is said. */
    public static final Duration STOP_TIMEOUT_DEFAULT = Duration.ofSeconds(30);

    private static final Duration STOP_TIMEOUT_MIN = Duration.ofMillis(1);
    /** Less than the longest drain of a latch. */
    private static final Duration STOP_TIMEOUT_MAX = Duration.ofHours(12);

    private static final int JAVA_OF_VIRTUAL_THREADS = 21;

    private final SingletonContender contender;

    private SingletonVerticle(SingletonContender contender) {
        this.contender = contender;
    }

    /**
     * As {@link #deploy(Vertx, ElectionClient, String, LongFunction, DeploymentOptions, Duration)}, with
     * {@link #STOP_TIMEOUT_DEFAULT}.
     *
     * @param vertx    as there
     * @param client   as there
     * @param path     as there
     * @param supplier as there
     * @param options  as there
     * @return as there
     */
    public static Future<SingletonVerticle> deploy(
            Vertx vertx,
            ElectionClient client,
            String path,
            LongFunction<? extends Deployable> supplier,
            DeploymentOptions options) {
        return deploy(vertx, client, path, supplier, options, STOP_TIMEOUT_DEFAULT);
    }

    /**
     * Contends for a path, and deploys a verticle for as long as this node leads it. On a verticle's context it belongs
     * to that verticle, as any deployment does, and ends with it.
     *
     * @param vertx       where the verticle is deployed
     * @param client      contends for the path; the application starts and closes it, and may do either at any time
     * @param path        the path to lead, in the form of a ZooKeeper path; equal on all nodes; relative to the
     *                    client's namespace
     * @param supplier    makes a new verticle, from the fencing token of the leadership that it is for; called once per
     *                    instance, on the context that this is called on
     * @param options     as for any deployment; they are copied
     * @param stopTimeout how long a planned end waits for the verticle to stop; 1 ms to 12 hours
     * @return completed when this node contends, if its client is started, and not when it leads. Failed if the path
     *         with its namespace is too long, or if Vert.x is closed
     * @throws NullPointerException     if an argument is null
     * @throws IllegalArgumentException if the path is null or not legal, the options have less than one instance or
     *                                  need a newer Java, or the time is out of its range; the message has the value
     */
    public static Future<SingletonVerticle> deploy(
            Vertx vertx,
            ElectionClient client,
            String path,
            LongFunction<? extends Deployable> supplier,
            DeploymentOptions options,
            Duration stopTimeout) {
        return deploy(
                vertx,
                client,
                path,
                supplier,
                options,
                new SingletonContender.Limits(checked(stopTimeout), SingletonContender.Limits.PAUSE_DEFAULT));
    }

    static Future<SingletonVerticle> deploy(
            Vertx vertx,
            ElectionClient client,
            String path,
            LongFunction<? extends Deployable> supplier,
            DeploymentOptions options,
            SingletonContender.Limits limits) {
        Objects.requireNonNull(vertx, "vertx cannot be null");
        Objects.requireNonNull(client, "client cannot be null");
        Objects.requireNonNull(supplier, "supplier cannot be null");
        DeploymentOptions checked = checked(options);
        // A client that closes tells it, if it did not wait for the end of the verticle.
        LeaderLatch latch = new LeaderLatch(client, path, client.nodeId(), LeaderLatch.CloseMode.NOTIFY_LEADER);
        SingletonContender contender = new SingletonContender(
                latch,
                path,
                // The deployment has the parent that it would have if the caller deployed it.
                vertx.getOrCreateContext(),
                token -> vertx.deployVerticle(() -> supplier.apply(token), checked),
                limits);
        return vertx.deployVerticle(contender).map(id -> new SingletonVerticle(contender));
    }

    private static DeploymentOptions checked(DeploymentOptions options) {
        Objects.requireNonNull(options, "options cannot be null");
        if (options.getInstances() < 1) {
            throw new IllegalArgumentException("options: " + options.getInstances() + " instances: must be 1 or more");
        }
        if (options.getThreadingModel() == ThreadingModel.VIRTUAL_THREAD
                && Runtime.version().feature() < JAVA_OF_VIRTUAL_THREADS) {
            throw new IllegalArgumentException("options: threading model VIRTUAL_THREAD: needs Java "
                    + JAVA_OF_VIRTUAL_THREADS + " or newer, and this is Java "
                    + Runtime.version().feature());
        }
        return new DeploymentOptions(options);
    }

    private static Duration checked(Duration stopTimeout) {
        Objects.requireNonNull(stopTimeout, "stopTimeout cannot be null");
        if (stopTimeout.compareTo(STOP_TIMEOUT_MIN) < 0 || stopTimeout.compareTo(STOP_TIMEOUT_MAX) > 0) {
            throw new IllegalArgumentException("stopTimeout " + stopTimeout + ": must be " + STOP_TIMEOUT_MIN
                    + " or more, and at most " + STOP_TIMEOUT_MAX);
        }
        return stopTimeout;
    }

    /**
     * {@return whether the verticle is deployed on this node: all instances have started, and none was told to stop}
     */
    public boolean isDeployed() {
        return contender.isDeployed();
    }

    /**
     * Undeploys the verticle, if it is deployed here, then gives leadership up and leaves the path. To undeploy the
     * verticle that has deployed this, or to close Vert.x, does the same.
     *
     * @return completed when leadership has ended and the verticle has stopped, or has not done so in time. A second
     *         call gets the same
     */
    public Future<Void> undeploy() {
        return contender.undeploy();
    }
}
