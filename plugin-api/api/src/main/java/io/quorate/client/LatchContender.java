package io.quorate.client;

import io.quorate.ConnectionState;
import io.quorate.Explanation;
import io.quorate.LeaderLatchListener;
import io.quorate.Leadership;
import io.quorate.Stage;
import io.quorate.engine.Engine;
import io.quorate.engine.Situation;
import io.quorate.engine.Tenure;
import io.quorate.jvm.NodeLog;
import io.quorate.spi.Check;
import io.quorate.spi.Problem;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The state of one latch, between the application's threads and the engine's.
 *
 * <p>Every transition happens under one lock, which is held for moments only: no foreign code and no call of the engine
 * runs under it. The question whether it leads takes none, but for the first that finds the lease over.
 */
public final class LatchContender extends LatchState implements Engine.ContenderListener, PathUser, PathContender {

    private static final Logger LOG = NodeLog.of(LatchContender.class);

    private final String id;
    private final boolean tellsWhenClosed;
    // Two numbers in place of a UUID and its text: there may be ten thousand latches.
    private final long memberHigh = ThreadLocalRandom.current().nextLong();
    private final long memberLow = ThreadLocalRandom.current().nextLong();

    private volatile Life life = Life.LATENT;
    private volatile @Nullable CurrentTenure currentTenure;
    private volatile long lastToken;
    private volatile Optional<Consumer<ConnectionState>> stateHandler = Optional.empty();
    private Joining joining = Joining.NOT_ASKED;
    private boolean isClosedByClient;

    /** The life of a latch; the names are those of {@code LeaderLatch.State}, which explanations show. */
    public enum Life {
        LATENT,
        STARTED,
        CLOSED
    }

    private enum Joining {
        NOT_ASKED,
        WAITS_FOR_CLIENT,
        /** The client runs, and has not been connected since this latch joined. */
        WAITS_FOR_CONNECTION,
        DONE,
        /** The latch has left, or its joining was cancelled. */
        LEFT
    }

    /** @param tellsWhenClosed whether the listeners of a leader hear of the end when its client is closed */
    public LatchContender(String path, String id, boolean tellsWhenClosed, LatchCallbacks callbacks) {
        super(path, callbacks);
        this.id = id;
        this.tellsWhenClosed = tellsWhenClosed;
    }

    @Override
    public Optional<PathContender> contender() {
        return Optional.of(this);
    }

    @Override
    public boolean isClosed() {
        return life == Life.CLOSED;
    }

    public Life life() {
        return life;
    }

    @Override
    boolean isStarted() {
        return life == Life.STARTED;
    }

    @Override
    boolean has(Tenure tenure) {
        CurrentTenure current = currentTenure;
        return current != null && current.tenure == tenure;
    }

    public ListenerSet<LeaderLatchListener> listeners() {
        return listeners;
    }

    /** Whether it leads at this moment. Nanoseconds while it does: no lock, no allocation. */
    public boolean isLeading() {
        return valid() != null;
    }

    /** The tenure with which it leads at this moment; null if it does not. */
    private @Nullable CurrentTenure valid() {
        CurrentTenure current = currentTenure;
        return current != null && current.isValid() ? current : null;
    }

    /** The token and the time left of the tenure with which it leads at this moment, if it does. */
    public Optional<Leadership> leadership() {
        CurrentTenure current = valid();
        long left = current == null ? 0 : current.tenure.remainingNanos(clock);
        return current == null || left == 0 || !current.hasVoters()
                ? Optional.empty()
                : Optional.of(new Leadership(current.tenure.token(), Duration.ofNanos(left), current.draining != null));
    }

    @Override
    public OptionalLong token() {
        CurrentTenure current = currentTenure;
        // A shadow is not asked whether it leads.
        return current != null && current.hasVoters() && current.isValid()
                ? OptionalLong.of(current.tenure.token())
                : OptionalLong.empty();
    }

    @Override
    public Optional<String> leaving() {
        return Optional.ofNullable(valid()).map(current -> current.draining).map(Draining::toString);
    }

    @Override
    public Optional<Stage> stage() {
        return callbacks.condition().stage();
    }

    /** The name under which it last led; null if it never did. */
    public @Nullable String lastPathIsLeader() {
        long token = lastToken;
        return token == 0 ? null : memberPath(token);
    }

    /** The name under which it contends now, with token 0 while it does not lead; null while it does not contend. */
    public @Nullable String ourPath() {
        CurrentTenure current = currentTenure;
        boolean contends = life == Life.STARTED && candidacy.isDone();
        return contends ? memberPath(current == null ? 0 : current.tenure.token()) : null;
    }

    private String memberPath(long token) {
        return Paths.child(
                path, String.format(Locale.ROOT, "_c_%s-latch-%019d", new UUID(memberHigh, memberLow), token));
    }

    /**
     * Begins its life; it contends once its client calls {@link #join}.
     *
     * @param handler hears of each connection state, behind the callbacks that are queued by then
     * @throws IllegalStateException unless it is latent
     */
    public void start(Optional<Consumer<ConnectionState>> handler) {
        lock.lock();
        try {
            if (life != Life.LATENT) {
                throw new IllegalStateException("Cannot be started more than once");
            }
            life = Life.STARTED;
            stateHandler = handler;
            joining = Joining.WAITS_FOR_CLIENT;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean needsNoNode() {
        return callbacks.condition().needsNoNode();
    }

    @Override
    public void begin(Engine own, String pathInCluster) {
        if (needsNoNode()) {
            contend(own, pathInCluster);
        }
    }

    @Override
    public void join(Engine joined, String pathInCluster) {
        contend(joined, pathInCluster);
        callbacks.condition().nodeRuns(joined, pathInCluster);
    }

    /** Begins to contend, unless that was done, cancelled, or the latch is closed. */
    private void contend(Engine joined, String pathInCluster) {
        lock.lock();
        try {
            if (joining != Joining.WAITS_FOR_CLIENT || life != Life.STARTED) {
                return;
            }
            joining = Joining.WAITS_FOR_CONNECTION;
            engine = joined;
            clock = joined.clock();
            // After the line above: a change that comes from here on finds it.
            noteConnection(joined.connection().state());
        } finally {
            lock.unlock();
        }
        // The engine may report a tenure, and the application may close, before this is complete: both wait for it.
        candidacy.complete(callbacks.condition().contend(joined, pathInCluster, id, this, callbacks.executor()));
    }

    private void noteConnection(Optional<ConnectionState> connection) {
        if (joining == Joining.WAITS_FOR_CONNECTION
                && connection.filter(ConnectionState::isConnected).isPresent()) {
            joining = Joining.DONE;
        }
    }

    /** Gives up the joining if it still waits for the client or for its connection. Answers whether it did. */
    public boolean cancelJoining() {
        lock.lock();
        try {
            if (joining != Joining.WAITS_FOR_CLIENT && joining != Joining.WAITS_FOR_CONNECTION) {
                return false;
            }
        } finally {
            lock.unlock();
        }
        leave();
        return true;
    }

    @Override
    public void granted(Tenure tenure) {
        CurrentTenure begun = new CurrentTenure(tenure, this);
        CompletableFuture<Void> heard;
        CompletableFuture<Void> told;
        lock.lock();
        try {
            if (life != Life.STARTED) {
                // Closed while the grant was on its way; the candidacy has been told to leave.
                tenure.end();
                return;
            }
            Check.state(currentTenure == null, "%s: granted before the last tenure was reported as ended", tenure);
            lastToken = tenure.token();
            joining = Joining.DONE;
            currentTenure = begun;
            heard = listeners.deliver("isLeader", begun);
            told = listeners.haveReturned();
            // A thread that begins to wait later sets the bound. Most latches are never waited for and need no timer.
            begun.isBounded = stages.isAwaited() && !told.isDone();
            stages.wake();
        } finally {
            lock.unlock();
        }
        heard.thenRun(begun::heard);
        (begun.isBounded ? engine.orTimeout(told, callbacks.limit()) : told)
                .whenComplete((nothing, late) -> begun.announced(late != null));
    }

    /** Bounds the wait for the callbacks of the present tenure, and of later ones. Not called under the lock. */
    private void boundTheWait() {
        lock.lock();
        try {
            // First: a tenure that is granted from here on finds that somebody waits, and sets the bound itself.
            stages = stages.orNew();
        } finally {
            lock.unlock();
        }
        CurrentTenure current = currentTenure;
        if (current != null && !current.isBounded && !isPrepared(current)) {
            current.isBounded = true;
            engine.orTimeout(new CompletableFuture<Void>(), callbacks.limit())
                    .whenComplete((nothing, late) -> current.announced(true));
        }
    }

    @Override
    public void ended(Tenure tenure, String reason) {
        tenure.end();
        CompletableFuture<Void> returned;
        CurrentTenure over;
        lock.lock();
        try {
            over = currentTenure;
            if (over == null || over.tenure != tenure) {
                // Closed meanwhile: the candidacy has left.
                return;
            }
            // This comes first, because the engine reports the end again if memory is lacking for it.
            returned = listeners.deliver("notLeader", LeaderLatchListener::notLeader);
            currentTenure = null;
        } finally {
            lock.unlock();
        }
        Draining open = over.draining;
        if (open != null) {
            open.cut();
        }
        rejoinAfter(returned, over.pause);
    }

    // A slow notLeader must not become the leader again while it still cleans up; a hanging one must not stay out.
    private void rejoinAfter(CompletableFuture<Void> returned, Duration pause) {
        engine.orTimeout(returned, callbacks.limit()).whenComplete((nothing, timeout) -> {
            if (life != Life.STARTED) {
                // Closed meanwhile.
                return;
            }
            if (timeout != null) {
                LOG.warn("{}: a notLeader callback has not returned for {}; contending again", this, callbacks.limit());
            }
            if (pause.isZero()) {
                rejoin();
            } else {
                engine.orTimeout(new CompletableFuture<Void>(), pause).whenComplete((none, due) -> rejoin());
            }
        });
    }

    private void rejoin() {
        if (life == Life.STARTED) {
            candidacy.thenAccept(Engine.Candidacy::rejoin);
        }
    }

    /** The engine reports the end of the tenure, if it ends. */
    @Override
    public void connectionChanged(ConnectionState connection, boolean endsLeadership) {
        lock.lock();
        try {
            noteConnection(Optional.of(connection));
        } finally {
            lock.unlock();
        }
        CurrentTenure current = currentTenure;
        if (endsLeadership && current != null && current.hasVoters()) {
            current.tenure.end();
            current.report();
        }
        stateHandler.ifPresent(handler -> dispatcher.execute(() -> {
            if (life == Life.STARTED) {
                handler.accept(connection);
            }
        }));
    }

    /**
     * Closes it on the application's behalf: leadership has ended when this returns.
     *
     * @param tells whether the listeners of a leader hear of the end
     * @param hasWaited whether this caller has waited for the work of a leader: then it may be closed meanwhile
     * @return what is left to do after {@link #leave}; empty if the client had closed it before, which is no error once
     * @throws IllegalStateException if it is not started
     */
    public Optional<CloseNotice> close(boolean tells, boolean hasWaited) {
        Parting notice;
        lock.lock();
        try {
            if (isClosedByClient || life == Life.CLOSED && hasWaited) {
                isClosedByClient = false;
                return hasWaited && tells ? Optional.of(closedByOther()) : Optional.empty();
            }
            if (life != Life.STARTED) {
                throw new IllegalStateException("Already closed or has not been started");
            }
            notice = shut(tells);
        } finally {
            lock.unlock();
        }
        notice.cut();
        return Optional.of(notice);
    }

    @Override
    public CloseNotice closeWithClient() {
        Parting notice;
        lock.lock();
        try {
            if (life != Life.STARTED) {
                return tellsWhenClosed ? closedByOther() : CloseNotice.NONE;
            }
            isClosedByClient = true;
            notice = shut(tellsWhenClosed);
        } finally {
            lock.unlock();
        }
        notice.cut();
        return notice;
    }

    /** Another one has closed this, and tells the listeners. A callback does not wait for itself. Under the lock. */
    private CloseNotice closedByOther() {
        CompletableFuture<Void> byOther = told;
        // A silent one waits for no callback, and notLeader is queued if the lease was lost before.
        CompletableFuture<Void> settled = byOther == null || dispatcher.isRunningHere()
                ? dispatcher.settled()
                : byOther.thenCompose(nothing -> dispatcher.settled());
        return () -> settled;
    }

    private Parting shut(boolean wantsToTell) {
        CurrentTenure last = currentTenure;
        Draining open = last == null ? null : last.draining;
        boolean tells = wantsToTell || open != null && open.tells;
        // Memory is taken first, so that the latch is closed as a whole or not.
        Parting parting = new Parting(this, wantsToTell, tells ? last : null, open);
        told = new CompletableFuture<>();
        life = Life.CLOSED;
        currentTenure = null;
        if (last != null) {
            last.tenure.end();
            // Silence also takes back an isLeader that has not begun: its notLeader would never follow.
            last.isSilenced = !tells;
        }
        stages.wake();
        return parting;
    }

    /** Waits for the future that {@link CloseNotice#tell} has answered, up to the limit. */
    public void awaitCallbacks(CompletableFuture<Void> returned) {
        Engine joined = engine;
        if (joined != null && !returned.isDone() && !callbacks.haveReturned(joined, returned, dispatcher::isExiting)) {
            warnOfLateCallback();
        }
    }

    /** As {@link #awaitCallbacks}, without a thread that waits: completes when that would return. */
    public CompletableFuture<Void> orLimit(CompletableFuture<Void> returned) {
        Engine joined = engine;
        if (joined == null) {
            // It has not led: it was only told of connection states, before it could join.
            return CompletableFuture.completedFuture(null);
        }
        return returned.isDone()
                ? returned
                : joined.orTimeout(returned, callbacks.limit()).exceptionally(late -> {
                    warnOfLateCallback();
                    return null;
                });
    }

    private void warnOfLateCallback() {
        LOG.warn("{}: a callback has not returned for {}; it is closed anyway", this, callbacks.limit());
    }

    // ---------------------------------------------------------------- the work of a leader, before it leaves

    /** As {@link #drain(Drain)}, for as long as the client says; nothing, if that is 0. */
    public void drain(Function<? super Leadership, ? extends CompletionStage<?>> work) {
        Duration bound = callbacks.drainTimeout();
        drain(bound.isZero() ? null : new Drain(work, bound));
    }

    /** Sets what is finished before a tenure ends on purpose; null for nothing. The next such end finds it. */
    public void drain(@Nullable Drain wanted) {
        drain = wanted;
        candidacy.thenAccept(joined -> joined.drains(drain != null));
    }

    /**
     * Lets the work of a leader be finished, before the caller closes this. The second caller of its kind ends the
     * work, and so does a callback of this latch, which the work may wait for. None begins behind one that ends the
     * JVM.
     *
     * @param tells whether the caller wants the listeners to hear of the end
     * @return completed when the caller may go on; {@link #NO_WORK} if there is nothing to finish
     */
    public CompletableFuture<Void> finishWork(boolean isByClient, boolean tells) {
        CurrentTenure current = currentTenure;
        return current == null ? NO_WORK : current.finishWork(isByClient, tells);
    }

    @Override
    public CompletableFuture<Void> finishWork() {
        return finishWork(true, tellsWhenClosed);
    }

    /** Waits until {@link #finishWork(boolean, boolean)} has completed the future; an interrupt does not end the wait. */
    public void awaitWork(CompletableFuture<Void> finished) {
        LatchCallbacks.awaitWork(engine, finished);
    }

    /** Gives leadership up: at once, unless there is work to be finished before. Answers whether it led. */
    public boolean resign() {
        CurrentTenure current = valid();
        return current != null && current.resign();
    }

    @Override
    public void leaving(Tenure tenure, long departure, String reason) {
        CurrentTenure current = currentTenure;
        if (current != null && current.tenure == tenure) {
            current.leaving(departure, reason);
        }
    }

    @Override
    public void stays(Tenure tenure, String reason) {
        CurrentTenure current = currentTenure;
        if (current != null && current.tenure == tenure) {
            current.stays();
        }
    }

    /** Returns remarks on the leadership that it has. */
    private Optional<String> remarks() {
        return Stream.of(leaving(), problem().map(Problem::text))
                .flatMap(Optional::stream)
                .reduce((before, next) -> before + "; " + next);
    }

    /** Whether it resigns when a listener throws at {@code isLeader}. */
    public void resignIfThrown(boolean wanted) {
        resignsIfThrown = wanted;
    }

    @Override
    public Optional<Problem> problem() {
        // Only the name of the class, because the rest is code of others, and in the log.
        return Optional.ofNullable(valid())
                .map(current -> current.failure)
                .map(failure -> new Problem(
                        Problem.Kind.CALLBACK,
                        path + ": the isLeader callback of the leader threw "
                                + failure.getClass().getName() + ", so the work of the leader may not run"));
    }

    @Override
    public CompletionStage<Void> transferTo(String participantId) {
        if (!isLeading()) {
            return CompletableFuture.failedFuture(new IllegalStateException(
                    "Not leading " + path + ": leadership cannot be transferred to '" + participantId + "'"));
        }
        // Composed only when that is needed, so that the engine sees when the caller cancels the answer.
        return candidacy.isDone()
                ? candidacy.join().transferTo(participantId)
                : candidacy.thenCompose(joined -> joined.transferTo(participantId));
    }

    @Override
    public Explanation explain() {
        if (life == Life.STARTED && candidacy.isDone()) {
            return Explanations.of(toString(), candidacy.join().explain(), remarks(), clock);
        }
        String reason = life == Life.STARTED
                ? "its client is not running"
                : failure().map(RuntimeException::getMessage).orElse("it is " + life);
        return Explanations.of(toString(), Situation.outside(reason), Optional.empty(), clock);
    }

    /** Leaves the path for good, if it contends or will contend. A second call has no effect. */
    @Override
    public void leave() {
        lock.lock();
        try {
            if (joining == Joining.LEFT) {
                return;
            }
            joining = Joining.LEFT;
        } finally {
            lock.unlock();
        }
        if (candidacy.isDone()) {
            tellThatItLeaves(candidacy.join());
        } else {
            candidacy.thenAccept(this::tellThatItLeaves);
        }
    }

    private void tellThatItLeaves(Engine.Candidacy joined) {
        try {
            joined.leave();
        } catch (Throwable e) {
            // Justification: catches everything. It wakes a thread of the transport, which is foreign code. Listeners
            // must hear of the end, and a client must close, all the same.
            LOG.error("{}: its node may not have heard that it leaves", this, e);
        }
    }

    /** Waits until it leads, but for no listener; otherwise as {@link #await}. */
    public boolean awaitTenure(long timeoutNanos) throws InterruptedException {
        return await(timeoutNanos, current -> true);
    }

    /**
     * Waits until it leads, and the listeners without an executor have returned from {@code isLeader} or had their
     * time; one of its own callbacks does not wait for that.
     *
     * @return whether it leads; false if it is not started or closed, or the time ran out
     */
    public boolean await(long timeoutNanos) throws InterruptedException {
        boundTheWait();
        return await(timeoutNanos, this::isPrepared);
    }

    private boolean isPrepared(CurrentTenure current) {
        return current.isAnnounced || dispatcher.isRunningHere();
    }

    private boolean await(long timeoutNanos, Predicate<CurrentTenure> isEnough) throws InterruptedException {
        long remaining = letTimePass(timeoutNanos, () -> {
            CurrentTenure current = currentTenure;
            return life != Life.STARTED || current != null && current.holds() && isEnough.test(current);
        });
        while (true) {
            CurrentTenure current;
            lock.lock();
            try {
                current = currentTenure;
                boolean holds = current != null && current.holds();
                if (life != Life.STARTED || holds && isEnough.test(current)) {
                    return life == Life.STARTED;
                }
                if (current == null || holds || current.tenure.isEnded()) {
                    if (remaining <= 0) {
                        return false;
                    }
                    stages = stages.orNew();
                    remaining = stages.changed(lock).awaitNanos(remaining);
                    continue;
                }
            } finally {
                lock.unlock();
            }
            // Ends it, and tells the engine, unless it was renewed meanwhile: of that nobody who waits would hear.
            current.isValid();
        }
    }

    /** As {@code LeaderLatch.awaitAsync}. */
    public CompletionStage<Long> awaitAsync() {
        boundTheWait();
        while (true) {
            CurrentTenure current;
            lock.lock();
            try {
                if (life != Life.STARTED) {
                    return CompletableFuture.failedStage(neverLeads());
                }
                current = currentTenure;
                boolean holds = current != null && current.holds();
                if (current != null && holds && isPrepared(current)) {
                    return CompletableFuture.completedStage(current.tenure.token());
                }
                if (current == null || holds || current.tenure.isEnded()) {
                    return stages.add();
                }
            } finally {
                lock.unlock();
            }
            current.isValid();
        }
    }

    /** As {@link Engine#letTimePass}. */
    long letTimePass(long nanosMax, BooleanSupplier isOver) {
        Engine current = engine;
        return current == null ? nanosMax : current.letTimePass(nanosMax, isOver);
    }

    @Override
    public String toString() {
        return "Latch " + path + (id.isEmpty() ? "" : " of " + id);
    }
}
