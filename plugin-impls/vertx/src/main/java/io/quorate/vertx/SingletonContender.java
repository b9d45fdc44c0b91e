package io.quorate.vertx;

import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.Leadership;
import io.quorate.jvm.NodeLog;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Contends for the path of a {@link SingletonVerticle}, and deploys the verticle of the leader. It is a verticle
 * itself, so that it hears of the end of what it was deployed by, and of Vert.x.
 *
 * <p>It is told that something has changed, and then asks the latch what is true: so what it hears late, twice or never
 * does no harm. All of it happens on its context, one thing after the other.
 */
final class SingletonContender extends VerticleBase implements FencedLeaderLatchListener {

    private static final Logger LOG = NodeLog.of(SingletonVerticle.class);

    /** The latch ends a drain by itself only if this context hangs. */
    private static final Duration SLACK = Duration.ofSeconds(1);

    /** How often it looks for what nobody tells. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private static final long NO_TIMER = -1;

    /**
     * How long it waits.
     *
     * @param stop  for a verticle to stop
     * @param pause before it deploys again what could not be deployed
     */
    record Limits(Duration stop, Duration pause) {

        /** A verticle that fails everywhere goes around a cluster of three every 5 s, and not as fast as it fails. */
        static final Duration PAUSE_DEFAULT = Duration.ofSeconds(5);
    }

    /** The verticle, on this node. */
    private enum Phase {
        NONE,
        STARTING,
        DEPLOYED,
        STOPPING
    }

    private final LeaderLatch latch;
    private final String path;
    private final Context home;
    private final LongFunction<Future<String>> deployment;
    private final Limits limits;
    private final Promise<Void> ended = Promise.promise();
    private volatile boolean isDeployed;

    /** Set before {@code isDeployed}, and used on the context otherwise. */
    private String deploymentId = "";

    // All are used on the context only.
    private Phase phase = Phase.NONE;
    private long token;
    private long stopTimer = NO_TIMER;
    /** Whether it has not stopped in time. */
    private boolean isOverdue;
    /** Whether it waits before it deploys again. */
    private boolean isPaused;

    private boolean isEnding;
    private boolean looksAgain;
    private CompletableFuture<Void> gone = CompletableFuture.completedFuture(null);

    /**
     * Does nothing before it is deployed.
     *
     * @param home       where the verticle is deployed
     * @param deployment deploys it, for the leadership with this token
     */
    SingletonContender(
            LeaderLatch latch, String path, Context home, LongFunction<Future<String>> deployment, Limits limits) {
        this.latch = latch;
        this.path = path;
        this.home = home;
        this.deployment = deployment;
        this.limits = limits;
    }

    // ---------------------------------------------------------------- its life

    @Override
    public Future<?> start() throws Exception {
        latch.addListener(this, this::onContext);
        latch.drain(leadership -> awaitGone(), limits.stop.plus(SLACK));
        latch.start();
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        isEnding = true;
        // Without leadership nothing was waited for, and the verticle of a lease that was lost may still stop.
        CompletionStage<Void> end = latch.closeAsync(CloseMode.SILENT).thenCompose(nothing -> awaitGone());
        return Future.fromCompletionStage(end, context).onComplete(ended);
    }

    /** The application may have undeployed it, which nobody tells. */
    boolean isDeployed() {
        return isDeployed && vertx.deploymentIDs().contains(deploymentId);
    }

    Future<Void> undeploy() {
        // It fails if another has undeployed it, or is about to.
        return ended.future().isComplete()
                ? ended.future()
                : vertx.undeploy(context.deploymentID()).recover(failure -> ended.future());
    }

    // ---------------------------------------------------------------- what it hears

    @Override
    public void isLeader(long fencingToken) {
        look();
    }

    @Override
    public void notLeader() {
        look();
    }

    /** Begins to undeploy, and answers when nothing is deployed, or it takes too long. May be called on any thread. */
    private CompletableFuture<Void> awaitGone() {
        CompletableFuture<Void> wanted = new CompletableFuture<>();
        // It is cancelled if leadership goes on, for example because the client is back from standby.
        wanted.whenComplete((nothing, failure) -> onContext(this::look));
        onContext(() -> {
            CompletableFuture<Void> before = gone;
            wanted.whenComplete((nothing, failure) -> before.complete(null));
            gone = wanted;
            look();
        });
        return wanted;
    }

    private void onContext(Runnable call) {
        context.runOnContext(nothing -> call.run());
    }

    // ---------------------------------------------------------------- what it does

    /** The token of the leadership that the verticle is to be deployed for. */
    private OptionalLong wanted() {
        Optional<Leadership> leadership = latch.leadership();
        return isEnding || leadership.isEmpty() || leadership.get().isLeaving()
                ? OptionalLong.empty()
                : OptionalLong.of(leadership.get().fencingToken());
    }

    /** Compares what is with what is wanted, and begins one change. */
    private void look() {
        OptionalLong wanted = wanted();
        boolean isRight = phase == Phase.NONE || phase != Phase.STOPPING && wanted.equals(OptionalLong.of(token));
        watch(!isRight);
        switch (phase) {
            case NONE -> {
                if (wanted.isPresent() && !isPaused) {
                    deploy(wanted.getAsLong());
                }
            }
            case DEPLOYED -> {
                if (!isRight) {
                    stopVerticle();
                }
            }
            case STARTING, STOPPING -> {
                // It looks again when that is over.
            }
        }
        if (isOverdue && wanted.isPresent() && !isPaused) {
            handOn();
        }
        if (phase == Phase.NONE || isOverdue) {
            gone.complete(null);
            lookAgainWhileLeaving();
        }
    }

    /** Sees to it that what is to end ends in time. */
    private void watch(boolean isToEnd) {
        if (!isToEnd) {
            vertx.cancelTimer(stopTimer);
            stopTimer = NO_TIMER;
            isOverdue = false;
        } else if (stopTimer == NO_TIMER) {
            stopTimer = vertx.setTimer(limits.stop.toMillis(), this::overdue);
        }
    }

    /** A leader that has finished its work may stay, because nobody can follow any more. Nobody tells that. */
    private void lookAgainWhileLeaving() {
        boolean isLeaving = latch.leadership().filter(Leadership::isLeaving).isPresent();
        if (isLeaving && !looksAgain) {
            looksAgain = true;
            vertx.setTimer(LOOK_AGAIN.toMillis(), id -> {
                looksAgain = false;
                look();
            });
        }
    }

    private void deploy(long newToken) {
        phase = Phase.STARTING;
        token = newToken;
        Promise<String> deployed = Promise.promise();
        deployed.future()
                .onSuccess(id -> onContext(() -> deployed(id)))
                .onFailure(failure -> onContext(() -> failed(failure)));
        home.runOnContext(nothing -> deployAtHome(newToken, deployed));
    }

    // Justification: catches everything. The verticle is made by the application.
    private void deployAtHome(long newToken, Promise<String> deployed) {
        try {
            deployment.apply(newToken).onComplete(deployed);
        } catch (Throwable e) {
            deployed.tryFail(e);
        }
    }

    private void deployed(String id) {
        phase = Phase.DEPLOYED;
        deploymentId = id;
        isDeployed = true;
        look();
    }

    private void failed(Throwable failure) {
        if (!wanted().equals(OptionalLong.of(token))) {
            // So leadership with another token has failed nowhere, and stays.
            LOG.info(
                    "{}: its verticle, which is no longer to be deployed with token {}, did not start ({})",
                    path,
                    token,
                    failure.toString(),
                    failure);
            cleared();
            return;
        }
        LOG.warn(
                "{}: its verticle cannot be deployed ({}): leadership with token {} is handed on, and this node tries"
                        + " again after {} at the earliest",
                path,
                failure.toString(),
                token,
                limits.pause,
                failure);
        handOn();
        cleared();
    }

    /** Gives leadership up, and deploys nothing for a while: a node that is alone leads again at once. */
    private void handOn() {
        if (!isPaused) {
            isPaused = true;
            vertx.setTimer(limits.pause.toMillis(), id -> {
                isPaused = false;
                look();
            });
        }
        latch.resign();
    }

    private void stopVerticle() {
        phase = Phase.STOPPING;
        isDeployed = false;
        long delayMillis = Math.min(LOOK_AGAIN.toMillis(), limits.stop.toMillis() / 2);
        if (isEnding && delayMillis > 0) {
            // The verticle has the same parent, or Vert.x itself. If that ends, Vert.x begins to undeploy one verticle
            // after the other. At one that another has begun to undeploy meanwhile it logs an error, or fails without a
            // stop of the parent. The timer is the parent's: if this is overdue, it ends before the verticle, and so
            // would its timers.
            home.runOnContext(nothing -> vertx.setTimer(delayMillis, id -> onContext(this::undeployVerticle)));
        } else {
            undeployVerticle();
        }
    }

    private void undeployVerticle() {
        if (!vertx.deploymentIDs().contains(deploymentId)) {
            // Undeployed by another, and not deployed again while this leadership lasts.
            cleared();
            return;
        }
        vertx.undeploy(deploymentId)
                .onComplete(outcome -> onContext(() -> stopped(outcome.failed() ? outcome.cause() : null)));
    }

    private void stopped(@Nullable Throwable failure) {
        if (vertx.deploymentIDs().contains(deploymentId)) {
            // Another has begun to undeploy it, and only that one is told when it is over.
            vertx.setTimer(LOOK_AGAIN.toMillis(), id -> stopped(null));
            return;
        }
        if (failure != null) {
            LOG.warn(
                    "{}: its verticle, deployed with token {}, failed as it stopped ({}), which counts as stopped",
                    path,
                    token,
                    failure.toString(),
                    failure);
        }
        cleared();
    }

    /** Nothing is deployed any more. */
    private void cleared() {
        phase = Phase.NONE;
        look();
    }

    private void overdue(long timer) {
        if (timer != stopTimer) {
            // Cancelled while it was on its way.
            return;
        }
        isOverdue = true;
        LOG.warn(
                "{}: its verticle, deployed with token {}, has not {} for {}: leadership does not wait for it any"
                        + " longer, and this node hands each one on until it has",
                path,
                token,
                phase == Phase.STOPPING ? "stopped" : "started, so that it could stop,",
                limits.stop);
        look();
    }
}
