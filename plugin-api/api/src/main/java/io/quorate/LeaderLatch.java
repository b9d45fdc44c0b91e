package io.quorate;

import io.quorate.client.CloseNotice;
import io.quorate.client.Drain;
import io.quorate.client.LatchCallbacks;
import io.quorate.client.LatchContender;
import io.quorate.client.Paths;
import io.quorate.client.Transfer;
import io.quorate.engine.Engine;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Elects one leader among all latches that the nodes of a cluster have started on one path. It takes the place of
 * Curator's class of this name: the methods, states, exceptions and messages are the same.
 *
 * <p>A latch is started once, contends until it is closed, and is never started again. Leadership is sticky: a leader
 * leads until its lease ends, or until it gives leadership up. The lease is the time for which a majority of the voters
 * lets it lead; heartbeats renew it. One time of leading, from its beginning to its end, is a <em>tenure</em>; it has
 * one fencing token. By default the latches lead in the order in which they joined. There may be many latches per path
 * and per client.
 *
 * <p><b>What a caller can get wrong.</b> {@code if (latch.hasLeadership()) write();} is not safe by itself, here as
 * with any leader election. Between the check and the moment at which the write takes effect, the process may be paused
 * for longer than its lease, and then somebody else leads. To exclude that, send the {@link #fencingToken()} with each
 * write, and let the receiver refuse every token below the highest that it has seen. Take the token <em>before</em> the
 * work that it protects.
 *
 * <p>All methods may be called from any thread, callbacks included. Only these can block: {@code await};
 * {@link #getLeader} and {@link #getParticipants}, for the first question about a path;
 * {@link #transferTo(String, long, TimeUnit)}; {@link #explain}, for 5 s at most; a {@code close} that notifies, for 30
 * s at most; and the {@code close} of a leader with work to {@linkplain #drain(Function, Duration) finish}. In place of
 * them, an event loop calls {@link #awaitAsync}, {@link #getLeaderAsync}, {@link #getParticipantsAsync},
 * {@link #transferTo(String)} and {@link #closeAsync(CloseMode)}.
 */
public class LeaderLatch implements Closeable {

    /** The life of a latch. */
    public enum State {
        /** Not started yet. */
        LATENT,
        /** Contends, or will contend as soon as its client is started and connected. */
        STARTED,
        /** Closed by the application, or with its client, or because its node has stopped. This is the last state. */
        CLOSED
    }

    /** Whether closing a latch that leads calls {@link LeaderLatchListener#notLeader}. */
    public enum CloseMode {
        /** It does not: the default. Choose the other mode if {@code notLeader} releases what the leader used. */
        SILENT,
        /** It does. */
        NOTIFY_LEADER
    }

    private final ElectionClient client;
    private final String latchPath;
    private final String id;
    private final CloseMode closeMode;
    private final LatchContender contender;

    /**
     * A latch with an empty id and the close mode {@link CloseMode#SILENT}.
     *
     * @param client    the node that the latch belongs to; may be in any state
     * @param latchPath the path to contend for, in the form of a ZooKeeper path; relative to the client's namespace
     * @throws NullPointerException     if {@code client} is null
     * @throws IllegalArgumentException if the path is null or not legal; the message names the rule
     */
    public LeaderLatch(ElectionClient client, String latchPath) {
        this(client, latchPath, "", CloseMode.SILENT);
    }

    /**
     * A latch with the close mode {@link CloseMode#SILENT}.
     *
     * @param client    the node that the latch belongs to; may be in any state
     * @param latchPath the path to contend for, in the form of a ZooKeeper path; relative to the client's namespace
     * @param id        the text that others see in {@link Participant#getId}, for example an address; need not be
     *                  unique
     * @throws NullPointerException     if {@code client} or {@code id} is null
     * @throws IllegalArgumentException if the path is null or not legal; the message names the rule
     */
    public LeaderLatch(ElectionClient client, String latchPath, String id) {
        this(client, latchPath, id, CloseMode.SILENT);
    }

    /**
     * A latch, which does nothing before {@link #start}. The arguments are checked in their order.
     *
     * @param client    the node that the latch belongs to; may be in any state
     * @param latchPath the path to contend for, in the form of a ZooKeeper path; relative to the client's namespace
     * @param id        the text that others see in {@link Participant#getId}, for example an address; need not be
     *                  unique
     * @param closeMode what {@link #close()} tells the listeners
     * @throws NullPointerException     if {@code client}, {@code id} or {@code closeMode} is null
     * @throws IllegalArgumentException if the path is null or not legal; the message names the rule
     */
    public LeaderLatch(ElectionClient client, String latchPath, String id, CloseMode closeMode) {
        this.client = Objects.requireNonNull(client, "client cannot be null");
        this.latchPath = Paths.validated(latchPath);
        this.id = Objects.requireNonNull(id, "id cannot be null");
        this.closeMode = Objects.requireNonNull(closeMode, "closeMode cannot be null");
        this.contender = new LatchContender(
                latchPath, id, closeMode == CloseMode.NOTIFY_LEADER, ElectionClient.latchCallbacks(client));
    }

    /**
     * A latch that leads under a further condition, and whose listeners always hear of the end. For artifacts of this
     * library alone, because the types of {@code maker} are no promise, and no module exports them to others.
     *
     * @param client the node that the latch belongs to; may be in any state
     * @param id     as of other latches
     * @param maker  makes what stands behind the latch
     * @throws NullPointerException if {@code client} or {@code id} is null
     */
    @SuppressWarnings("exports")
    protected LeaderLatch(ElectionClient client, String id, BiFunction<Engine, LatchCallbacks, LatchContender> maker) {
        this.client = Objects.requireNonNull(client, "client cannot be null");
        this.id = Objects.requireNonNull(id, "id cannot be null");
        this.closeMode = CloseMode.NOTIFY_LEADER;
        this.contender = client.contender(maker);
        this.latchPath = contender.path();
    }

    /**
     * Begins to contend. Never blocks, and never reports trouble of the connection. If the client is not started yet,
     * the latch joins when it starts. If the client is closed, this latch is closed too, because it can never lead.
     *
     * @throws IllegalStateException    "Cannot be started more than once", also after {@link #close}
     * @throws IllegalArgumentException if the path with its namespace is longer than 2048 bytes in UTF-8, or the id
     *                                  longer than 1024. The latch is closed then. If the client starts only later,
     *                                  this is logged instead
     * @throws Exception                never anything else; declared because Curator declares it
     */
    public void start() throws Exception {
        // Only a subclass can hear of connection states, so ten thousand plain latches are not told of each change.
        boolean isSubclass = getClass() != LeaderLatch.class;
        contender.start(isSubclass ? Optional.of(this::handleStateChange) : Optional.empty());
        client.register(contender);
    }

    /**
     * As {@link #close(CloseMode)}, in the mode that the constructor was given.
     *
     * @throws IllegalStateException "Already closed or has not been started"
     * @throws IOException           never; declared because Curator declares it
     */
    @Override
    public void close() throws IOException {
        close(closeMode);
    }

    /**
     * Gives leadership up and leaves the path. The work of a leader is {@linkplain #drain(Function, Duration) finished}
     * before, if there is any: this waits for that. When this returns, {@link #hasLeadership} is false, and threads in
     * {@code await} are woken. The successor hears of it in the background, before any callback runs. A callback may
     * call this.
     *
     * <p>{@link CloseMode#SILENT}: the listeners hear nothing of this close. An {@code isLeader} that has not begun is
     * taken back. Callbacks of an earlier tenure, which has ended by itself, still arrive. This waits for no callback.
     *
     * <p>{@link CloseMode#NOTIFY_LEADER}: {@code notLeader} is called if the latch led, then the listeners are dropped.
     * This returns when the listeners without an executor of their own have returned from it and from all earlier
     * callbacks, so their resources may be closed next. An interrupt does not shorten that. The callbacks run on
     * another thread: if one hangs, or needs a lock that the caller holds, this returns after 30 s and logs it. A
     * callback of this latch that closes the latch does not wait for itself.
     *
     * @param mode counts in place of the mode that the constructor was given
     * @throws NullPointerException  if {@code mode} is null; nothing has changed then
     * @throws IllegalStateException "Already closed or has not been started". The first call after the client has
     *                               closed the latch returns quietly instead
     * @throws IOException           never; declared because Curator declares it
     */
    public void close(CloseMode mode) throws IOException {
        Objects.requireNonNull(mode, "closeMode cannot be null");
        CompletableFuture<Void> finished = contender.finishWork(false, mode == CloseMode.NOTIFY_LEADER);
        contender.awaitWork(finished);
        contender.awaitCallbacks(leave(mode, finished != LatchContender.NO_WORK));
    }

    /**
     * As {@link #closeAsync(CloseMode)}, in the mode that the constructor was given.
     *
     * @return as {@link #closeAsync(CloseMode)}
     */
    public CompletionStage<Void> closeAsync() {
        return closeAsync(closeMode);
    }

    /**
     * As {@link #close(CloseMode)}, without a thread that waits. When this returns, {@link #hasLeadership} is false and
     * the hand-over is on its way, unless there is work that is finished before. Dependent stages run on a callback
     * thread and may block. This does not call {@code close}, so a subclass that overrides {@code close} overrides this
     * too.
     *
     * @param mode counts in place of the mode that the constructor was given
     * @return completed when {@link #close(CloseMode)} would return: after the callbacks for which that waits.
     *         Completed exceptionally with {@link IllegalStateException} if that would throw it
     * @throws NullPointerException if {@code mode} is null; nothing has changed then
     */
    public CompletionStage<Void> closeAsync(CloseMode mode) {
        Objects.requireNonNull(mode, "closeMode cannot be null");
        CompletableFuture<Void> finished = contender.finishWork(false, mode == CloseMode.NOTIFY_LEADER);
        if (!finished.isDone()) {
            // Not on a callback thread: work that hangs may have taken them all.
            return client.onCallbackThread(finished.thenCompose(nothing -> contender.orLimit(leave(mode, true))));
        }
        CompletableFuture<Void> told;
        try {
            told = leave(mode, finished != LatchContender.NO_WORK);
        } catch (IllegalStateException e) {
            return CompletableFuture.failedStage(e);
        }
        return client.onCallbackThread(contender.orLimit(told));
    }

    /** Closes it. The answer completes when the callbacks have returned for which closing waits. */
    private CompletableFuture<Void> leave(CloseMode mode, boolean hasWaited) {
        Optional<CloseNotice> notice = contender.close(mode == CloseMode.NOTIFY_LEADER, hasWaited);
        if (notice.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> told;
        try {
            cancelStartTask();
        } finally {
            client.unregister(contender);
            told = notice.get().tell();
        }
        return told;
    }

    /**
     * Cancels the joining of a started latch that still waits until its client is started and connected. Such a latch
     * never contends. {@link #close} calls this.
     *
     * @return whether the latch was still waiting; false once the client was connected
     */
    protected boolean cancelStartTask() {
        return contender.cancelJoining();
    }

    /**
     * Adds a listener that is called on a daemon thread of this library, after those that were added before it. If the
     * latch leads already, the listener hears only of the end of that leadership. If an equal listener is there, that
     * one keeps its place and is called on such a thread from now on. On a closed latch a listener is never called.
     *
     * @param listener compared by {@code equals}
     * @throws NullPointerException if {@code listener} is null
     */
    public void addListener(LeaderLatchListener listener) {
        contender.listeners().addListener(listener);
    }

    /**
     * As {@link #addListener(LeaderLatchListener)}, but the listener is called on the given executor, one callback at a
     * time. If an equal listener is there, its executor is replaced.
     *
     * <p>Each callback is handed to the executor at once. If it rejects one, only that callback is lost, and this is
     * logged. If it accepts one and never runs it, this listener hears of it together with the next. An executor that
     * is shut down after a close in the mode {@code NOTIFY_LEADER} still calls {@code notLeader}. Neither {@code await}
     * nor {@code close} waits for this listener.
     *
     * @param listener compared by {@code equals}
     * @param executor may run a callback on any thread, at any time
     * @throws NullPointerException if an argument is null
     */
    public void addListener(LeaderLatchListener listener, Executor executor) {
        contender.listeners().addListener(listener, executor);
    }

    /**
     * Removes a listener. Its callbacks that have not begun are dropped; one that has begun goes on.
     *
     * @param listener compared by {@code equals}; null and an unknown listener have no effect
     */
    public void removeListener(LeaderLatchListener listener) {
        contender.listeners().removeListener(listener);
    }

    /**
     * Waits until this latch leads and the listeners without an executor of their own have returned from {@code
     * isLeader}, so that what they prepare is ready. If one has not returned after 30 s, this waits for it no longer
     * and logs it. A callback of this latch waits for leadership only. By the time this returns, leadership may be lost
     * again.
     *
     * @throws InterruptedException if the thread is or gets interrupted while it has to wait
     * @throws EOFException         if the latch is not started, is closed, or gets closed meanwhile: by the
     *                              application, with its client, or because the node has stopped by itself. In the last
     *                              case the reason is its cause
     */
    public void await() throws InterruptedException, EOFException {
        if (!contender.await(Long.MAX_VALUE)) {
            throw contender.neverLeads();
        }
    }

    /**
     * As {@link #await()}, for a bounded time.
     *
     * @param timeout how long to wait, in {@code unit}; at 0 or less it looks once and does not wait
     * @param unit    the unit of {@code timeout}
     * @return whether the latch leads and its listeners have returned from {@code isLeader}; false if the time ran out
     *         before, or if the latch is not started, is closed, or gets closed meanwhile
     * @throws InterruptedException if the thread is or gets interrupted while it has to wait
     * @throws NullPointerException if {@code unit} is null
     */
    public boolean await(long timeout, TimeUnit unit) throws InterruptedException {
        return contender.await(unit.toNanos(timeout));
    }

    /**
     * As {@link #await()}, without a thread that waits. Dependent stages run on a callback thread, after {@code
     * isLeader} and in no order with later callbacks of the listeners. They may block.
     *
     * @return completed with the {@link #fencingToken} as soon as {@link #await()} would return. Completed
     *         exceptionally with {@link EOFException} if the latch is not started, is closed, or gets closed meanwhile
     */
    public CompletionStage<Long> awaitAsync() {
        return contender.awaitAsync();
    }

    /** {@return the id that the constructor was given, or an empty string} */
    public String getId() {
        return id;
    }

    /** {@return the state of this latch} It says nothing about leadership: see {@link #hasLeadership}. */
    public State getState() {
        return switch (contender.life()) {
            case LATENT -> State.LATENT;
            case STARTED -> State.STARTED;
            case CLOSED -> State.CLOSED;
        };
    }

    /**
     * Answers who contends on this path, as far as this node knows. The first question about a path waits for one voter
     * other than this node, for the client's connection time-out and one support time at most. Later ones are answered
     * from memory. This works in every state of the latch, even if it is never started. The node then watches the path
     * until the client is closed.
     *
     * @return the leader, then the others by rank; immutable, and never null
     * @throws IllegalStateException   "Expected state [STARTED] was [LATENT]" on a client that is not started; a {@link
     *                                 ClientClosedException} on a closed one
     * @throws ConnectionLossException if no voter has answered in time
     * @throws InterruptedException    if the thread is interrupted while it waits
     * @throws Exception               the reason why the node has stopped by itself, an unchecked exception
     */
    public Collection<Participant> getParticipants() throws Exception {
        return client.views().participants(latchPath);
    }

    /**
     * Answers who leads this path, as far as this node knows. While its client is {@link ConnectionState#LOST}, nobody
     * is known to lead: the former leader may be gone, and another may lead. Waits and throws as {@link
     * #getParticipants}.
     *
     * @return the leader, never null; if no leader is known, its id is empty and {@link Participant#isLeader} is
     *         false
     * @throws IllegalStateException   as {@link #getParticipants}
     * @throws ConnectionLossException if no voter has answered in time
     * @throws InterruptedException    if the thread is interrupted while it waits
     * @throws Exception               the reason why the node has stopped by itself, an unchecked exception
     */
    public Participant getLeader() throws Exception {
        return client.views().leader(latchPath);
    }

    /**
     * As {@link #getParticipants}, without a thread that waits. Dependent stages run on a callback thread and may
     * block.
     *
     * @return completed with the contenders, or exceptionally with what {@link #getParticipants} would throw
     */
    public CompletionStage<Collection<Participant>> getParticipantsAsync() {
        return client.views().participantsAsync(latchPath);
    }

    /**
     * As {@link #getLeader}, without a thread that waits. Dependent stages run on a callback thread and may block.
     *
     * @return completed with the leader, or exceptionally with what {@link #getLeader} would throw
     */
    public CompletionStage<Participant> getLeaderAsync() {
        return client.views().leaderAsync(latchPath);
    }

    /**
     * Answers whether this latch leads at the moment of the call. The answer is computed from the lease and the clock,
     * so it becomes false in time even if this process was paused, is cut off, or has a blocked callback. Once it is
     * false, it stays false for that tenure. This takes nanoseconds and never blocks.
     *
     * @return true if this latch leads; at no instant do two latches of a path answer true, as long as clocks keep to
     *         the configured drift
     */
    public boolean hasLeadership() {
        return contender.isLeading();
    }

    /**
     * Answers the fencing token of this latch's present tenure. Send it with each action that only the leader may take.
     * This throws if there is no token, because work that needs one must not begin without it. {@link #leadership} does
     * not throw, and tells the time that is left too. Never blocks.
     *
     * @return at least 1, and greater than the token of every earlier tenure of the path on any node
     * @throws IllegalStateException if this latch does not lead
     */
    public long fencingToken() {
        return contender
                .token()
                .orElseThrow(
                        () -> new IllegalStateException("Not leading " + latchPath + ": there is no fencing token"));
    }

    /**
     * Answers the token and the time that is left, both of one tenure and of one moment. It serves work that must end
     * before the lease does. This takes nanoseconds and never blocks.
     *
     * @return empty if this latch does not lead
     */
    public Optional<Leadership> leadership() {
        return contender.leadership();
    }

    /**
     * Sets what this latch finishes before a leadership of it ends on purpose: {@link #close}, {@link
     * ElectionClient#close}, {@link #resign}, {@link #transferTo}, standby, {@code eligibleWhile} and preemption. The
     * leadership goes on meanwhile, with its token and its lease, and {@link Leadership#isLeaving} is true. It ends
     * when the stage completes, at the bound, or when a second close wants no more waiting. A lease that runs out is
     * not held up: then the stage is cancelled. The successor is chosen at the end.
     *
     * <p>The work lets what is under way come to its end, and stops nothing for good: the leadership may go on after
     * it, if nobody can follow any more. It runs on a callback thread, behind the callbacks of this latch and before
     * later ones, and may block there: that delays this latch alone. Work that throws, answers null or completes with
     * an error counts as finished, and is logged. If the latch leaves no longer, for example because its client is back
     * from standby, the stage is cancelled and the leadership goes on. A callback of this latch that closes the latch
     * does not wait.
     *
     * @param work  begins to finish what is under way, and answers a stage that completes when nothing is. A stage that
     *              is a {@link java.util.concurrent.Future} is cancelled when leadership ends before
     * @param bound the longest wait; more than zero, and one day at most
     * @throws NullPointerException     if an argument is null
     * @throws IllegalArgumentException if {@code bound} is not legal; nothing has changed then
     */
    public void drain(Function<? super Leadership, ? extends CompletionStage<?>> work, Duration bound) {
        contender.drain(new Drain(
                Objects.requireNonNull(work, "work cannot be null"),
                Objects.requireNonNull(bound, "bound cannot be null")));
    }

    /**
     * As {@link #drain(Function, Duration)}, for as long as the client's {@code drainTimeout} says, 30 s by default; if
     * that is 0, leadership ends without waiting.
     *
     * @param work as there
     * @throws NullPointerException if {@code work} is null
     */
    public void drain(Function<? super Leadership, ? extends CompletionStage<?>> work) {
        contender.drain(Objects.requireNonNull(work, "work cannot be null"));
    }

    /**
     * Gives leadership up and contends again, behind all others. When this returns, {@link #hasLeadership} is false,
     * unless there is work that is {@linkplain #drain(Function, Duration) finished} before.
     * The next in the queue hears of it in the background, and {@code notLeader} follows. If nobody else contends, this
     * latch soon leads again. Never blocks.
     *
     * @return whether this latch led; if it did not, nothing happens
     */
    public boolean resign() {
        return contender.resign();
    }

    /**
     * Sets whether this latch {@linkplain #resign resigns} when a listener throws from {@code isLeader}, or its
     * executor refuses that callback. By default it does not, as with Curator, but leads on, although the work of the
     * leader may not run, and {@link ElectionClient#problems} and {@link #explain} name it until that leadership ends.
     * If it throws in three leaderships in a row, the latch ranks last for a while in either case, and if it resigns it
     * does not contend for as long, 10 s at first. Counts from the next such callback on.
     *
     * @param wanted whether it resigns
     */
    public void resignIfListenerThrows(boolean wanted) {
        contender.resignIfThrown(wanted);
    }

    /**
     * Hands leadership to one participant. This latch contends again in the place that it had, so it is the first in
     * the queue if the participant does not come to lead. When this returns, leadership has not ended yet; it ends
     * soon, or when the work of this leader is {@linkplain #drain(Function, Duration) finished}, and {@code notLeader}
     * follows. A transfer to this latch itself takes one back that waits for its work. Never blocks. Dependent stages
     * run on a callback thread and may block.
     *
     * @param participantId the id of exactly one participant of the path
     * @return completed when the participant leads; not, while nobody leads. Completed exceptionally, with leadership
     *         kept, with {@link IllegalArgumentException} unless exactly one participant has the id, and with {@link
     *         IllegalStateException} if this latch does not lead or the participant's node is not up. Completed
     *         exceptionally with {@link IllegalStateException} if another participant comes to lead in its place, this
     *         one included, or the latch or its client is closed meanwhile; and, while there is work to finish, if the
     *         transfer is taken back or replaced by another, the participant's node goes down, or leadership is lost
     * @throws NullPointerException if {@code participantId} is null
     */
    public CompletionStage<Void> transferTo(String participantId) {
        Objects.requireNonNull(participantId, "participantId cannot be null");
        return client.onCallbackThread(contender.transferTo(participantId));
    }

    /**
     * As {@link #transferTo(String)}, and waits until the participant leads. If the time runs out, this asks for the
     * reason as {@link #explain} does, so it may take up to 5 s longer than {@code timeout}.
     *
     * @param participantId the id of exactly one participant of the path
     * @param timeout       how long to wait, in {@code unit}
     * @param unit          the unit of {@code timeout}
     * @throws TimeoutException         if the participant does not lead in time; this latch contends again. The message
     *                                  says where this latch stands
     * @throws IllegalArgumentException unless exactly one participant has the id; leadership is kept
     * @throws IllegalStateException    if this latch does not lead, the participant's node is not up, another
     *                                  participant comes to lead in its place, or the latch or its client is closed
     *                                  meanwhile
     * @throws InterruptedException     if the thread is interrupted while it waits; the transfer goes on
     * @throws NullPointerException     if {@code participantId} or {@code unit} is null
     */
    public void transferTo(String participantId, long timeout, TimeUnit unit)
            throws InterruptedException, TimeoutException {
        Objects.requireNonNull(participantId, "participantId cannot be null");
        Transfer.await(
                contender,
                contender.transferTo(participantId).toCompletableFuture(),
                unit.toNanos(timeout),
                "'" + participantId + "' does not lead " + latchPath + " after " + timeout + " " + unit);
    }

    /**
     * Says why this latch leads or does not, and what its node knows: who leads with which token, who contends, and
     * which voters support the node. It is meant for logs and people; ask {@link #hasLeadership} before an action that
     * only the leader may take. This asks the node's thread and waits for it, usually for microseconds and for 5 s at
     * most, after which it says that the client is not running. So it does not suit a health check that runs often.
     *
     * @return works in every state of the latch, and is never null
     */
    public Explanation explain() {
        return contender.explain();
    }

    /**
     * Answers the name of this contender. The name may change at any time: its digits are the fencing token while the
     * latch leads, and zeros while it waits.
     *
     * @return {@code <path>/_c_<uuid>-latch-<19 digits>}; null while this latch does not contend
     */
    @SuppressWarnings("exports") // of an annotation that nobody needs
    public @Nullable String getOurPath() {
        return contender.ourPath();
    }

    /**
     * Answers the {@link #getOurPath} with which this latch led last. It keeps this name when its leadership has ended,
     * so the name does not tell who leads.
     *
     * @return ends in {@code -latch-} and the fencing token in 19 digits; null if this latch has never led
     */
    @SuppressWarnings("exports")
    public @Nullable String getLastPathIsLeader() {
        return contender.lastPathIsLeader();
    }

    /**
     * Hears of each change of the connection while this latch is started; does nothing here. A subclass may override
     * it. It is called in one queue with the latch's callbacks, one at a time, and may block. Leadership that the
     * client's {@link ConnectionStateErrorPolicy} ends has ended <em>before</em> this is called, so a subclass cannot
     * keep it by leaving out the call of {@code super}.
     *
     * @param newState never {@link ConnectionState#READ_ONLY}
     */
    protected void handleStateChange(ConnectionState newState) {
        // Justification: empty, because the lease must not depend on code that a subclass may replace.
    }
}
