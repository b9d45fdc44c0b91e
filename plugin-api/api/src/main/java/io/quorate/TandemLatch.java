package io.quorate;

import io.quorate.client.Drain;
import io.quorate.client.Paths;
import io.quorate.client.TandemContender;
import java.io.Closeable;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Leads if and only if both do: the election that an application used before, its {@link Companion}, and Quorate. With
 * it an application moves to Quorate release by release, without a stop. docs/migration.md has the steps, and what to
 * look at before each.
 *
 * <p>The two come one after the other. A tandem joins Quorate's path only while its companion leads, and leaves the path
 * when the companion does not lead any more. If both were free to lead anywhere, one process would hold one of them and
 * another process the other, for ever. If the companion leads and Quorate does not follow for 25 heartbeats, the
 * companion is closed and started again, so that another process may lead.
 *
 * <p>A {@linkplain #shadow shadow} is the step before. It leads if the companion does, as the application did before.
 * Quorate elects beside it and leads nothing, and each difference between the two is logged and counted.
 *
 * <p>Nodes with the companion alone, with a shadow, and with a tandem may run together, and so may a tandem and a plain
 * {@link LeaderLatch}: each side by itself is exclusive. <b>What leads by the companion alone must never run together
 * with what leads by Quorate alone.</b>
 *
 * <p>It is started once, and closed once. All methods may be called from any thread, callbacks included. Only {@link
 * #close} can block.
 */
public final class TandemLatch implements Closeable {

    private final ElectionClient client;
    private final String id;
    private final TandemContender contender;

    /**
     * A tandem, which does nothing before {@link #start}.
     *
     * @param companion what the application was led by before; for this tandem alone
     * @param client    the node that the tandem belongs to; may be in any state
     * @param path      the path of Quorate, in the form of a ZooKeeper path; relative to the client's namespace
     * @param id        the text that others see in {@link Participant#getId}; need not be unique
     * @throws NullPointerException     if an argument but the path is null
     * @throws IllegalArgumentException if the path is null or not legal; the message names the rule. Also if the client
     *                                  lacks {@link ElectionSettings#migration migration=tandem}
     */
    public TandemLatch(Companion companion, ElectionClient client, String path, String id) {
        this(companion, client, path, id, false);
    }

    private TandemLatch(Companion companion, ElectionClient client, String path, String id, boolean isShadow) {
        Objects.requireNonNull(companion, "companion cannot be null");
        this.client = Objects.requireNonNull(client, "client cannot be null");
        this.id = Objects.requireNonNull(id, "id cannot be null");
        this.contender = client.tandem(Paths.validated(path), id, companion, isShadow);
    }

    /**
     * A shadow, which does nothing before {@link #start}: it leads if the companion does, whatever Quorate does, and has
     * no fencing token.
     *
     * @param companion as of a tandem
     * @param client    as of a tandem
     * @param path      as of a tandem
     * @param id        as of a tandem
     * @return a latch that can only be told from a tandem by {@link #isShadow}
     * @throws NullPointerException     as of a tandem
     * @throws IllegalArgumentException as of a tandem
     */
    public static TandemLatch shadow(Companion companion, ElectionClient client, String path, String id) {
        return new TandemLatch(companion, client, path, id, true);
    }

    /**
     * Begins to contend. Never blocks, and reports no trouble of the companion, which is started in the background. If
     * the client is not started yet, Quorate's part follows when it is. If the client is closed, this is closed too.
     *
     * @throws IllegalStateException    "Cannot be started more than once", also after {@link #close}
     * @throws IllegalArgumentException if the path with its namespace is longer than 2048 bytes in UTF-8, or the id
     *                                  longer than 1024. This is closed then. If the client starts only later, this is
     *                                  logged instead
     */
    public void start() {
        contender.start();
        client.register(contender);
        contender.open();
    }

    /**
     * Gives leadership up and leaves both sides. The work of a leader is {@linkplain #drain finished} before, if there
     * is any. Then leadership ends, Quorate's path is left, {@link LeaderLatchListener#notLeader} is called if this led,
     * and at last the companion is closed. This waits for all of that, and for a minute at most after the work. A
     * callback of this latch that closes it waits for nothing. An interrupt does not shorten the wait. A second call
     * waits for the first.
     */
    @Override
    public void close() {
        CompletableFuture<Void> closed = closing();
        if (!contender.isRunningHere()) {
            client.await(closed);
        }
    }

    /**
     * As {@link #close}, without a thread that waits. Dependent stages run on a callback thread and may block.
     *
     * @return completed when {@link #close} would return
     */
    public CompletionStage<Void> closeAsync() {
        return client.onCallbackThread(closing());
    }

    private CompletableFuture<Void> closing() {
        return contender.close().whenComplete((nothing, failure) -> client.unregister(contender));
    }

    /**
     * Adds a listener that is called on a daemon thread of this library, after those that were added before it, as
     * {@link LeaderLatch#addListener(LeaderLatchListener)} says: strictly in turns, {@code isLeader} after both sides
     * lead, and {@code notLeader} once, after the first of them is lost or this is closed.
     *
     * @param listener compared by {@code equals}
     * @throws NullPointerException     if {@code listener} is null
     * @throws IllegalArgumentException for a {@link FencedLeaderLatchListener} of a shadow, which has no token
     */
    public void addListener(LeaderLatchListener listener) {
        contender.listeners().addListener(checked(listener));
    }

    /**
     * As {@link #addListener(LeaderLatchListener)}, but the listener is called on the given executor, one callback at a
     * time. No close waits for it.
     *
     * @param listener compared by {@code equals}
     * @param executor may run a callback on any thread, at any time
     * @throws NullPointerException     if an argument is null
     * @throws IllegalArgumentException for a {@link FencedLeaderLatchListener} of a shadow, which has no token
     */
    public void addListener(LeaderLatchListener listener, Executor executor) {
        contender.listeners().addListener(checked(listener), executor);
    }

    private LeaderLatchListener checked(LeaderLatchListener listener) {
        if (contender.isShadow() && listener instanceof FencedLeaderLatchListener) {
            throw new IllegalArgumentException("listener " + listener
                    + ": a shadow has no fencing token, so it must not be a" + " FencedLeaderLatchListener");
        }
        return listener;
    }

    /**
     * Removes a listener. Its callbacks that have not begun are dropped; one that has begun goes on.
     *
     * @param listener compared by {@code equals}; null and an unknown listener have no effect
     */
    public void removeListener(LeaderLatchListener listener) {
        contender.listeners().removeListener(listener);
    }

    /** {@return the id that it was made with} */
    public String getId() {
        return id;
    }

    /** {@return the state of this latch} It says nothing about leadership: see {@link #hasLeadership}. */
    public LeaderLatch.State getState() {
        return switch (contender.life()) {
            case LATENT -> LeaderLatch.State.LATENT;
            case STARTED -> LeaderLatch.State.STARTED;
            case CLOSED -> LeaderLatch.State.CLOSED;
        };
    }

    /** {@return whether the companion alone decides} */
    public boolean isShadow() {
        return contender.isShadow();
    }

    /**
     * Answers whether this leads at the moment of the call: the companion says so, and Quorate's lease and the clock do.
     * It is false as soon as either ends, and then stays false until {@code isLeader} is called again. Never blocks, if
     * the companion's answer does not. A shadow asks the companion alone.
     *
     * @return true if it leads; at no instant do two tandems of a path answer true, as {@link LeaderLatch#hasLeadership}
     *         says
     */
    public boolean hasLeadership() {
        return contender.isLeading();
    }

    /**
     * Answers the fencing token of the present leadership, which is Quorate's. Never blocks.
     *
     * @return as {@link LeaderLatch#fencingToken}
     * @throws IllegalStateException if this does not lead, and always of a shadow
     */
    public long fencingToken() {
        return contender
                .token()
                .orElseThrow(() -> new IllegalStateException(
                        contender.isShadow()
                                ? "A shadow of " + contender.path() + " has no fencing token"
                                : "Not leading " + contender.path() + ": there is no fencing token"));
    }

    /**
     * Answers the token and the time that is left of Quorate's tenure, both of one moment. Never blocks.
     *
     * @return empty if this does not lead, and always of a shadow
     */
    public Optional<Leadership> leadership() {
        return contender.leadership();
    }

    /**
     * Sets what this latch finishes before a leadership of it ends on purpose, as {@link LeaderLatch#drain(Function,
     * Duration)} says. The companion is kept meanwhile. If the companion is lost, leadership ends at once, and the stage
     * is cancelled. A shadow finishes nothing.
     *
     * @param work  as there
     * @param bound as there
     * @throws NullPointerException     if an argument is null
     * @throws IllegalArgumentException if {@code bound} is not legal; nothing has changed then
     */
    public void drain(Function<? super Leadership, ? extends CompletionStage<?>> work, Duration bound) {
        contender.drain(new Drain(
                Objects.requireNonNull(work, "work cannot be null"),
                Objects.requireNonNull(bound, "bound cannot be null")));
    }

    /**
     * Answers how often the two sides have differed: the companion led and Quorate did not follow for 25 heartbeats, or
     * Quorate's leadership ended and the companion's did not. The log has one line for each.
     *
     * @return 0 or more since {@link #start}; always 0 of a tandem
     */
    public long differences() {
        return contender.differences();
    }

    @Override
    public String toString() {
        return contender.toString();
    }
}
