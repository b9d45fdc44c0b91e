package io.quorate;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Elects one leader among all latches that were started on one path by the nodes of a cluster. Stands in for Curator's
 * class of this name: the same methods, states, exceptions and messages.
 *
 * <p>A latch is started once, contends until it is closed, and is never started again. Leadership is sticky, and goes
 * to the latches in the order in which they joined. Many latches per path and per client are possible.
 *
 * <p><b>What a caller can get wrong.</b> {@code if (latch.hasLeadership()) write();} is not safe by itself, here as
 * with any leader election: between the check and the moment at which the write takes effect, the process may be paused
 * for longer than its lease, and somebody else leads by then. Whoever must exclude that sends the {@link
 * #fencingToken()} along, and the receiver refuses a token lower than the highest that it has seen. Take the token
 * <em>before</em> the work that it protects.
 *
 * <p>All methods may be called from any thread, also from callbacks. These can block, and no others: {@code await};
 * {@link #getLeader} and {@link #getParticipants}, for the first question about a path; {@link
 * #transferTo(String, long, TimeUnit)}; and {@link #explain}, which asks the node's thread and waits for 5 s at most.
 */
public class LeaderLatch implements Closeable {

    /** The life of a latch. */
    public enum State {
        /** Not started yet. */
        LATENT,
        /** Contends, or will as soon as its client is started and connected. */
        STARTED,
        /** Closed, by itself or with its client, or its node has stopped by itself; for ever. */
        CLOSED
    }

    /** What closing a leading latch tells its listeners. */
    public enum CloseMode {
        /** Nothing: the default. Whoever releases things in {@code notLeader} wants the other mode. */
        SILENT,
        /** {@link LeaderLatchListener#notLeader} is called, if the latch led. */
        NOTIFY_LEADER
    }

    private final ElectionClient client;
    private final String latchPath;
    private final String id;
    private final CloseMode closeMode;
    private final LatchContender contender;

    /** A latch with an empty id that is closed silently; errors as with the constructor of four parameters. */
    public LeaderLatch(ElectionClient client, String latchPath) {
        this(client, latchPath, "", CloseMode.SILENT);
    }

    /** A latch that is closed silently; errors as with the constructor of four parameters. */
    public LeaderLatch(ElectionClient client, String latchPath, String id) {
        this(client, latchPath, id, CloseMode.SILENT);
    }

    /**
     * A latch; nothing happens before {@link #start}. The client may be in any state.
     *
     * @param client    the node that the latch belongs to
     * @param latchPath what is contended for, in the form of a ZooKeeper path; relative to the client's namespace
     * @param id        what {@link Participant#getId} answers to others, say an address; need not be unique
     * @param closeMode what {@link #close()} tells the listeners
     * @throws NullPointerException     if {@code client}, {@code id} or {@code closeMode} is null
     * @throws IllegalArgumentException if the path is null or not legal; the message names the rule
     */
    public LeaderLatch(ElectionClient client, String latchPath, String id, CloseMode closeMode) {
        this.client = Objects.requireNonNull(client, "client cannot be null");
        this.latchPath = Paths.validated(latchPath);
        this.id = Objects.requireNonNull(id, "id cannot be null");
        this.closeMode = Objects.requireNonNull(closeMode, "closeMode cannot be null");
        this.contender = new LatchContender(latchPath, id, closeMode == CloseMode.NOTIFY_LEADER,
                ElectionClient.latchCallbacks(client));
    }

    /**
     * Begins to contend; returns at once and never reports trouble of the connection. If the client is not started yet,
     * the latch joins when it is; on a closed client it is closed at once, because it can never lead.
     *
     * @throws IllegalStateException    "Cannot be started more than once", also after {@link #close}
     * @throws IllegalArgumentException if the path or the id is too long to be sent, and the latch is closed then; if
     *                                  the client is started only later, that is logged then
     * @throws Exception                never anything else; declared because Curator declares it
     */
    public void start() throws Exception {
        // A method that does nothing need not be queued ten thousand times at each change of the connection.
        boolean mayBeOverridden = getClass() != LeaderLatch.class;
        contender.start(mayBeOverridden ? Optional.of(this::handleStateChange) : Optional.empty());
        client.register(contender);
    }

    /**
     * Gives up leadership and leaves, in the mode given to the constructor; {@link #close(CloseMode)} says the rest.
     *
     * @throws IllegalStateException "Already closed or has not been started"
     * @throws IOException           never; declared because Curator declares it
     */
    @Override
    public void close() throws IOException {
        close(closeMode);
    }

    /**
     * Gives up leadership and leaves. When this returns, {@link #hasLeadership} is false, and blocked {@code await}s
     * are woken; the successor is told in the background, before any callback is called. May be called from a callback.
     *
     * <p>{@link CloseMode#SILENT}: the listeners are dropped first. An {@code isLeader} that has not begun is taken
     * back; the callbacks of an earlier tenure that has ended by itself still arrive. Waits for no callback.
     *
     * <p>{@link CloseMode#NOTIFY_LEADER}: {@code notLeader} is called if the latch led, then the listeners are dropped.
     * Returns when the listeners that have no executor of their own have returned from it and from all earlier
     * callbacks, so what they use may be closed next; an interrupt does not shorten that. They run on another thread:
     * one that hangs, or wants a lock that the caller holds, holds this up for 30 s, after which it returns all the
     * same and that is logged. A callback of this latch that closes it does not wait for itself.
     *
     * @param mode replaces the mode given to the constructor
     * @throws NullPointerException  if {@code mode} is null; nothing has changed then
     * @throws IllegalStateException "Already closed or has not been started". The first call after the client has
     *                               closed the latch returns quietly instead
     * @throws IOException           never; declared because Curator declares it
     */
    public void close(CloseMode mode) throws IOException {
        Objects.requireNonNull(mode, "closeMode cannot be null");
        Optional<Farewell> farewell = contender.close(mode == CloseMode.NOTIFY_LEADER);
        if (farewell.isEmpty()) {
            return;
        }
        CompletableFuture<Void> told;
        try {
            cancelStartTask();
        } finally {
            client.unregister(contender);
            told = farewell.get().tell();
        }
        contender.awaitCallbacks(told);
    }

    /**
     * Cancels the joining of a started latch, which waits for its client to be started and connected; called by {@link
     * #close}. If it did, the latch never contends.
     *
     * @return whether joining was still under way: false once the client was connected
     */
    protected boolean cancelStartTask() {
        return contender.cancelJoining();
    }

    /**
     * Adds a listener, called on a daemon thread of this library, after those added before. It is not told of a
     * leadership that has begun already, but of its end. If an equal listener is there, it is called once, and from now
     * on on that thread. On a closed latch it is never called.
     *
     * @throws NullPointerException if {@code listener} is null
     */
    public void addListener(LeaderLatchListener listener) {
        contender.listeners().addListener(listener);
    }

    /**
     * Adds a listener that is called on the given executor, one callback at a time; otherwise as
     * {@link #addListener(LeaderLatchListener)}. If an equal listener is there, its executor is replaced.
     *
     * <p>A callback that the executor rejects is logged and lost, nothing else. An executor that accepts a callback and
     * never runs it gets no further one of this listener, because callbacks of one listener never overlap.
     *
     * @throws NullPointerException if an argument is null
     */
    public void addListener(LeaderLatchListener listener, Executor executor) {
        contender.listeners().addListener(listener, executor);
    }

    /** Removes a listener; callbacks that have not begun are dropped. No effect for null or an unknown listener. */
    public void removeListener(LeaderLatchListener listener) {
        contender.listeners().removeListener(listener);
    }

    /**
     * Waits until this latch leads and the listeners that have no executor of their own have returned from
     * {@code isLeader}; so what that prepares may be used. One that does not return within 30 s is waited for no
     * longer, which is logged. A callback of this latch waits for leadership only. Leadership may be lost again by the
     * time this returns.
     *
     * @throws InterruptedException if the thread is or gets interrupted while it would have to wait
     * @throws EOFException         if the latch is not started, is closed, or gets closed meanwhile: by itself, with
     *                              its client, or because the node has stopped by itself, which is then the cause
     */
    public void await() throws InterruptedException, EOFException {
        if (!contender.await(Long.MAX_VALUE)) {
            throw contender.neverLeads();
        }
    }

    /**
     * As {@link #await()}, for a bounded time.
     *
     * @return whether the latch leads and its listeners were told; false if the time ran out before, or it is not
     *         started, is closed or gets closed meanwhile
     * @throws InterruptedException if the thread is or gets interrupted while it would have to wait
     * @throws NullPointerException if {@code unit} is null
     */
    public boolean await(long timeout, TimeUnit unit) throws InterruptedException {
        return contender.await(unit.toNanos(timeout));
    }

    /**
     * As {@link #await()}, without a thread that waits. What follows on the stage runs on a callback thread after
     * {@code isLeader}, in no order with later callbacks of the listeners, and may block.
     *
     * @return completed with the {@link #fencingToken} when {@link #await()} would return, at once if it would.
     *         Exceptionally with {@link EOFException} if it is not started, is closed, or gets closed meanwhile
     */
    public CompletionStage<Long> awaitAsync() {
        return contender.awaitAsync();
    }

    /** The id given to the constructor, or an empty string. */
    public String getId() {
        return id;
    }

    /** The state of this latch; says nothing about leadership. */
    public State getState() {
        return switch (contender.life()) {
            case LATENT -> State.LATENT;
            case STARTED -> State.STARTED;
            case CLOSED -> State.CLOSED;
        };
    }

    /**
     * Who contends on this path, as far as this node knows: in the order of rank, the leader first. The list does not
     * change. Works in every state of the latch, so also on one that is never started; each path asked for in that way
     * is watched until the client is closed. The first question about a path waits for one voter other than this node,
     * for the client's connection time-out at most; later ones are answered from memory.
     *
     * @throws IllegalStateException   "Expected state [STARTED] was [LATENT]" on a client that is not started;
     *                                 {@link ClientClosedException} on a closed one
     * @throws ConnectionLossException if no voter has answered in time
     * @throws InterruptedException    if interrupted while waiting
     * @throws Exception               the reason why the node has stopped by itself, an unchecked one
     */
    public Collection<Participant> getParticipants() throws Exception {
        return client.views().participants(latchPath);
    }

    /**
     * Who leads this path, as far as this node knows; never null. If nobody does, the answer has an empty id and does
     * not lead. Waits and throws as {@link #getParticipants}.
     */
    public Participant getLeader() throws Exception {
        return client.views().leader(latchPath);
    }

    /** As {@link #getParticipants}, without waiting; what follows runs on a callback thread, and may block. */
    public CompletionStage<Collection<Participant>> getParticipantsAsync() {
        return client.views().participantsAsync(latchPath);
    }

    /** As {@link #getLeader}, without waiting; what follows runs on a callback thread, and may block. */
    public CompletionStage<Participant> getLeaderAsync() {
        return client.views().leaderAsync(latchPath);
    }

    /**
     * Whether this latch leads at the moment of the call. Computed from its lease and the clock: it becomes false in
     * time even if this process was paused, cut off, or has a blocked callback. Once false, it stays false for that
     * tenure. Takes nanoseconds and never blocks.
     */
    public boolean hasLeadership() {
        return contender.isLeading();
    }

    /**
     * The number of this latch's present tenure, at least 1: greater than that of every earlier tenure of the path, on
     * any node. To be sent along with whatever only the leader may do. Throws where {@link LeaderObserver#fencingToken}
     * answers that there is none: work that needs a token must not begin without one, and a watcher may well see nobody
     * lead. {@link #leadership} does not throw, and tells the time left too.
     *
     * @throws IllegalStateException if this latch does not lead
     */
    public long fencingToken() {
        return contender.token().orElseThrow(() ->
                new IllegalStateException("Not leading " + latchPath + ": there is no fencing token"));
    }

    /**
     * The token and the time that is left, read of one tenure at one moment; empty if this latch does not lead. For
     * work that must fit into what is left of the lease. Takes nanoseconds and never blocks.
     */
    public Optional<Leadership> leadership() {
        return contender.leadership();
    }

    /**
     * Gives leadership up and contends again, behind all others. When this returns, {@link #hasLeadership} is false;
     * the next in the queue is told in the background, and {@code notLeader} follows. If nobody else contends, this
     * latch leads again before long.
     *
     * @return whether it led; if not, nothing happens
     */
    public boolean resign() {
        return contender.resign();
    }

    /**
     * Hands leadership to the participant with this id, and contends again in the place that this latch had: if that
     * one does not come to lead, this one is the first in the queue. Leadership has not ended when this returns, but
     * will; {@code notLeader} follows.
     *
     * @return completed when the participant leads. Exceptionally, with leadership kept: with
     *         {@link IllegalArgumentException} unless exactly one participant has the id, with
     *         {@link IllegalStateException} if this latch does not lead or the participant's node is not up. Not by
     *         itself if the participant does not come to lead
     */
    public CompletionStage<Void> transferTo(String participantId) {
        Objects.requireNonNull(participantId, "participantId cannot be null");
        return client.onCallbackThread(contender.transferTo(participantId));
    }

    /**
     * As {@link #transferTo(String)}, and waits until the participant leads. If it fails, it asks for the reason as
     * {@link #explain} does, so it may take up to 5 s longer than {@code timeout}.
     *
     * @throws TimeoutException         if it did not come to lead in time; this latch contends again
     * @throws IllegalArgumentException unless exactly one participant has the id; leadership is kept
     * @throws IllegalStateException    if this latch does not lead, the participant's node is not up, or the client is
     *                                  closed meanwhile
     * @throws InterruptedException     if interrupted while waiting; the transfer goes on
     */
    public void transferTo(String participantId, long timeout, TimeUnit unit)
            throws InterruptedException, TimeoutException {
        Objects.requireNonNull(participantId, "participantId cannot be null");
        Transfer.await(contender, contender.transferTo(participantId).toCompletableFuture(), unit.toNanos(timeout),
                "'" + participantId + "' does not lead " + latchPath + " after " + timeout + " " + unit);
    }

    /**
     * Who leads and with which token, who contends, who supports this node, and why this latch leads or does not; as
     * far as its node knows. For logs and people; what only the leader may do is decided by {@link #hasLeadership}.
     * Asks the node's thread, and waits for it: microseconds usually, 5 s at most, after which it says that the client
     * is not running. Not for a health check that runs often.
     */
    public Explanation explain() {
        return contender.explain();
    }

    /**
     * The name of this contender: {@code <path>/_c_<uuid>-latch-<19 digits>}; null while it does not contend. The
     * digits are the token while it leads and zeros while it waits, so the name may change at any time.
     */
    public String getOurPath() {
        return contender.ourPath();
    }

    /**
     * The {@link #getOurPath} with which this latch led last, ending in {@code -latch-} and the fencing token in 19
     * digits; null if it never led. Is kept after the leadership, so it does not tell who leads.
     */
    public String getLastPathIsLeader() {
        return contender.lastPathIsLeader();
    }

    /**
     * Called for each change of the connection while this latch is started, one after the other in the latch's own
     * order with its callbacks; for subclasses. Does nothing. Leadership that the client's
     * {@link ConnectionStateErrorPolicy} ends has ended <em>before</em> this is called, so overriding it, or leaving
     * out the call of {@code super}, keeps no leadership alive. It may block.
     */
    protected void handleStateChange(ConnectionState newState) {
        // Justification: empty, because the lease must not depend on code that a subclass may replace.
    }
}
