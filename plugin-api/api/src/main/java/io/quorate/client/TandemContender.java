package io.quorate.client;

import io.quorate.Companion;
import io.quorate.ConnectionState;
import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatchListener;
import io.quorate.Leadership;
import io.quorate.Stage;
import io.quorate.client.LatchContender.Life;
import io.quorate.core.directory.PathView;
import io.quorate.core.step.Tenure;
import io.quorate.runtime.Engine;
import io.quorate.runtime.SerialDispatcher;
import io.quorate.spi.NodeId;
import io.quorate.spi.NodeLog;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The state of one tandem. Whatever happens asks for a look, and a look makes things as they should be: it leaves
 * Quorate's path if the companion does not lead, joins it if the companion leads, and tells the listeners. Looks, and
 * the calls that start and close the companion, come one at a time.
 */
public final class TandemContender implements PathUser, ListenerSet.Owner {

    private static final Logger LOG = NodeLog.of(TandemContender.class);

    /**
     * So many heartbeats may pass before Quorate follows the companion: more than four support times of each profile,
     * in which a lost leader is replaced. Too few: companions are given up for nothing. Too many: where this node alone
     * is cut off from the voters, nobody leads for so long.
     */
    private static final int PATIENCE_HEARTBEATS = 25;

    private final String path;
    private final String id;
    private final boolean isShadow;
    private final String name;
    private final Engine engine;
    private final LatchCallbacks callbacks;
    private final BooleanSupplier isClientClosing;
    private final OldSide old;
    private final SerialDispatcher looks;
    private final SerialDispatcher dispatcher;
    private final ListenerSet<LeaderLatchListener> listeners;
    private final AtomicReference<Life> life = new AtomicReference<>(Life.LATENT);
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile @Nullable String pathInCluster;
    private volatile Optional<Mark> mark = Optional.empty();
    private volatile @Nullable Drain drain;
    private final AtomicLong differences = new AtomicLong();

    // Looks alone write it.
    private volatile @Nullable Turn turn;
    /** Completed when the listeners have returned from the last {@code notLeader}, or had their time. For looks alone. */
    private CompletableFuture<Void> heard = LatchContender.NO_WORK;

    /** One time for which the companion leads. In a tandem it has one tenure of Quorate at most. */
    private final class Turn implements LeaderLatchListener {
        private final LatchContender contender = new LatchContender(path, id, false, callbacks);
        /** Completed when Quorate has followed, or the turn has ended. */
        private final CompletableFuture<Void> followed = new CompletableFuture<>();
        /** Whether anybody has seen that the companion does not lead: what was seen holds. */
        private volatile boolean isOver;

        private volatile boolean hasLed;

        // Both for looks alone.
        private boolean isJoined;
        private boolean isTold;

        @Override
        public void isLeader() {
            hasLed = true;
            followed.complete(null);
            look();
        }

        @Override
        public void notLeader() {
            if (isShadow && turn == this && leadsOnOldSide(this)) {
                differs("Quorate's leadership has ended, and the companion leads on");
            }
            look();
        }
    }

    /** The word that this tandem or shadow runs, for plain latches and operators: it stands on a path of its own. */
    private final class Mark implements Engine.ContenderListener {
        private final CompletableFuture<Engine.Candidacy> candidacy = new CompletableFuture<>();

        private Mark(Engine joined, String path) {
            candidacy.complete(joined.contend(Paths.stages(path), kind(), this));
        }

        @Override
        public void granted(Tenure tenure) {
            // One of them leads that path, which means nothing.
        }

        @Override
        public void ended(Tenure over, String reason) {
            candidacy.thenAccept(Engine.Candidacy::rejoin);
        }

        private void leave() {
            candidacy.thenAccept(Engine.Candidacy::leave);
        }
    }

    /**
     * A tandem or a shadow, which does nothing before {@link #start}.
     *
     * @param isClientClosing whether nobody of the client comes to lead any more
     */
    public TandemContender(
            String path,
            String id,
            Companion companion,
            boolean isShadow,
            Engine engine,
            LatchCallbacks callbacks,
            BooleanSupplier isClientClosing) {
        this.path = path;
        this.id = id;
        this.isShadow = isShadow;
        this.engine = engine;
        this.callbacks = callbacks.unguarded();
        this.isClientClosing = isClientClosing;
        this.name = (isShadow ? "Shadow " : "Tandem ") + path + (id.isEmpty() ? "" : " of " + id);
        this.old = new OldSide(companion, name);
        this.looks = new SerialDispatcher(callbacks.executor());
        this.dispatcher = new SerialDispatcher(callbacks.executor());
        this.listeners = new ListenerSet<>(dispatcher, this);
    }

    // ---------------------------------------------------------------- questions

    @Override
    public String path() {
        return path;
    }

    public boolean isShadow() {
        return isShadow;
    }

    public Life life() {
        return Objects.requireNonNull(life.get());
    }

    public ListenerSet<LeaderLatchListener> listeners() {
        return listeners;
    }

    /** How often the two sides differed, as a shadow has seen. */
    public long differences() {
        return differences.get();
    }

    /** Whether it leads at this moment: both sides for a tandem, the companion for a shadow. */
    public boolean isLeading() {
        Turn now = turn;
        return now != null && leads(now);
    }

    // The clock is asked last, because that is the exact answer.
    private boolean leads(Turn now) {
        return leadsOnOldSide(now) && (isShadow || now.contender.isLeading());
    }

    /** What was once seen as over stays over, although the companion may lead again before a look. */
    private boolean leadsOnOldSide(Turn now) {
        if (now.isOver) {
            return false;
        }
        if (!old.leads()) {
            now.isOver = true;
            look();
            return false;
        }
        return true;
    }

    /** Of Quorate's tenure, if this leads; a shadow has none. */
    public Optional<Leadership> leadership() {
        Turn now = turn;
        return now == null || isShadow || !leads(now) ? Optional.empty() : now.contender.leadership();
    }

    @Override
    public OptionalLong token() {
        Turn now = turn;
        return now == null || isShadow || !leads(now) ? OptionalLong.empty() : now.contender.token();
    }

    @Override
    public Optional<String> leaving() {
        Turn now = turn;
        return now == null || isShadow ? Optional.empty() : now.contender.leaving();
    }

    @Override
    public Optional<Stage> stage() {
        Turn now = turn;
        boolean isOneOfTwo = now != null && leadsOnOldSide(now) != now.contender.isLeading();
        return Optional.of(new Stage(kind(), isOneOfTwo, differences.get()));
    }

    private String kind() {
        return isShadow ? "shadow" : "tandem";
    }

    @Override
    public ClientMonitors monitors() {
        return callbacks.monitors();
    }

    @Override
    public boolean watches() {
        return false;
    }

    @Override
    public Optional<PathContender> contender() {
        Turn now = turn;
        return now == null ? Optional.empty() : Optional.of(now.contender);
    }

    @Override
    public boolean isClosed() {
        return life.get() == Life.CLOSED;
    }

    /** Whether the caller is a callback of this, or was called by the companion while that starts or closes. */
    public boolean isRunningHere() {
        return dispatcher.isRunningHere() || looks.isRunningHere();
    }

    // ---------------------------------------------------------------- its life

    /**
     * Begins its life; Quorate's part follows when the client runs, and the companion's with {@link #open}.
     *
     * @throws IllegalStateException unless it is latent
     */
    public void start() {
        if (!life.compareAndSet(Life.LATENT, Life.STARTED)) {
            throw new IllegalStateException("Cannot be started more than once");
        }
    }

    /** Starts the companion: at once, but for a shadow when no plain latch is on the path any more. */
    public void open() {
        looks.execute(isShadow ? this::openIfAlone : this::openNow);
    }

    private void openNow() {
        if (life.get() != Life.STARTED) {
            return;
        }
        if (!old.open(this::changed)) {
            afterPatience(new CompletableFuture<>(), this::openNow);
        }
        lookNow();
    }

    /** A shadow leads without Quorate, so it must not begin beside those that lead by Quorate alone. */
    private void openIfAlone() {
        String joined = pathInCluster;
        if (joined == null) {
            openNow();
            return;
        }
        CompletableFuture<PathView> contenders = engine.view(joined).toCompletableFuture();
        // These come first to their own path.
        CompletableFuture<PathView> tandems = engine.view(Paths.stages(joined)).toCompletableFuture();
        CompletableFuture<Set<NodeId>> alone = contenders.thenCombine(tandems, TandemContender::alone);
        engine.orTimeout(alone, patience()).whenComplete((nodes, failure) -> {
            contenders.cancel(false);
            tandems.cancel(false);
            engine.unwatch(joined);
            engine.unwatch(Paths.stages(joined));
            looks.execute(() -> opensBeside(nodes == null ? Set.of() : nodes, failure));
        });
    }

    private static Set<NodeId> alone(PathView contenders, PathView tandems) {
        Set<NodeId> nodes = new TreeSet<>();
        contenders.contenders().forEach(each -> nodes.add(each.node()));
        tandems.contenders().forEach(each -> nodes.remove(each.node()));
        return nodes;
    }

    private void opensBeside(Set<NodeId> alone, @Nullable Throwable unknown) {
        if (!alone.isEmpty()) {
            LOG.warn(
                    "{}: its companion waits, because these contend by Quorate alone: {}. Make them tandems first",
                    this,
                    alone);
            afterPatience(new CompletableFuture<>(), this::openIfAlone);
            return;
        }
        if (unknown != null) {
            LOG.warn("{}: no voter has told who contends by Quorate alone; its companion starts all the same", this);
        }
        openNow();
    }

    @Override
    public void join(Engine joined, String joinedPath) {
        mark = Optional.of(new Mark(joined, joinedPath));
        pathInCluster = joinedPath;
        look();
    }

    /** Sets what is finished before a planned end. */
    public void drain(Drain wanted) {
        drain = wanted;
        Turn now = turn;
        if (now != null) {
            drains(now);
        }
    }

    /** A shadow leads nothing of Quorate, so it has nothing to finish there. */
    private void drains(Turn now) {
        Drain wanted = drain;
        if (wanted != null && !isShadow) {
            now.contender.drain(wanted);
        }
    }

    /** By the companion, on a thread of its own. */
    private void changed() {
        Turn now = turn;
        if (now != null) {
            // Noted here: by the time of the look it may lead again.
            leadsOnOldSide(now);
        }
        look();
    }

    private void look() {
        looks.execute(this::lookNow);
    }

    private void lookNow() {
        Turn now = turn;
        if (now != null && hasEnded(now)) {
            end(now);
            now = null;
        }
        if (now == null && mayBegin()) {
            now = new Turn();
            turn = now;
        }
        if (now != null && life.get() == Life.STARTED) {
            joinQuorate(now);
            tellOfBegin(now);
        }
    }

    private boolean hasEnded(Turn now) {
        return !leadsOnOldSide(now) || !isShadow && now.hasLed && !now.contender.isLeading();
    }

    private boolean mayBegin() {
        return life.get() == Life.STARTED && heard.isDone() && (isShadow || canJoin()) && old.leads();
    }

    /** Whether the client runs. Without that a tandem can never lead, and a shadow leads all the same. */
    private boolean canJoin() {
        return pathInCluster != null && !isClientClosing.getAsBoolean();
    }

    private void joinQuorate(Turn now) {
        String joined = pathInCluster;
        if (now.isJoined || joined == null || !canJoin()) {
            return;
        }
        now.isJoined = true;
        drains(now);
        now.contender.listeners().addListener(now);
        now.contender.start(Optional.empty());
        now.contender.join(engine, joined);
        afterPatience(now.followed, () -> patienceEnded(now));
    }

    private void tellOfBegin(Turn now) {
        if (now.isTold || !leads(now)) {
            return;
        }
        OptionalLong token = now.contender.token();
        if (!isShadow && token.isEmpty()) {
            // Its lease ran out after the line above, and its latch asks for the next look.
            return;
        }
        now.isTold = true;
        listeners.deliver("isLeader", listener -> {
            if (listener instanceof FencedLeaderLatchListener fenced) {
                // A shadow has no such listener.
                fenced.isLeader(token.getAsLong());
            } else {
                listener.isLeader();
            }
        });
    }

    /** Leadership ends first, the successor hears of it next, and the listeners last. */
    private void end(Turn over) {
        over.isOver = true;
        turn = null;
        over.followed.complete(null);
        if (over.contender.life() == Life.STARTED) {
            Optional<Farewell> farewell = over.contender.close(false);
            over.contender.leave();
            farewell.ifPresent(Farewell::tell);
        }
        if (over.isTold) {
            heard = engine.orTimeout(listeners.deliver("notLeader", LeaderLatchListener::notLeader), callbacks.limit())
                    .exceptionally(late -> {
                        LOG.warn("{}: a notLeader callback has not returned for {}", this, callbacks.limit());
                        return null;
                    });
            heard.thenRun(this::look);
        }
    }

    /** The companion has led for so long, and Quorate has not followed. */
    private void patienceEnded(Turn now) {
        if (turn != now || now.hasLed) {
            return;
        }
        Duration waited = patience();
        if (isShadow) {
            differs("the companion has led for " + waited + ", and Quorate does not follow");
        } else {
            LOG.warn(
                    "{}: the companion has led for {}, and Quorate does not follow; the companion is closed and started"
                            + " again, so that another process may lead",
                    this,
                    waited);
            end(now);
            old.close();
            openNow();
        }
    }

    private void differs(String how) {
        LOG.warn("{}: difference {}: {}", this, differences.incrementAndGet(), how);
    }

    private Duration patience() {
        return engine.heartbeat().multipliedBy(PATIENCE_HEARTBEATS);
    }

    /** Runs the task as a look does, unless the future is completed before. */
    private void afterPatience(CompletableFuture<Void> unless, Runnable task) {
        engine.orTimeout(unless, patience()).whenComplete((nothing, late) -> {
            if (late != null) {
                looks.execute(task);
            }
        });
    }

    // ---------------------------------------------------------------- its end

    /**
     * Closes it on the application's behalf. The work of a leader is finished first; then its leadership ends, Quorate's
     * path is left, the listeners hear of it, and at last the companion is closed. A second call has no effect.
     *
     * @return completed when that is done, or when it has had its time
     */
    public CompletableFuture<Void> close() {
        Life before = life.getAndSet(Life.CLOSED);
        if (before == Life.LATENT) {
            closed.complete(null);
        } else if (before == Life.STARTED) {
            looks.execute(this::finish);
        }
        Drain wanted = drain;
        Duration limit = callbacks.limit().multipliedBy(2).plus(wanted == null ? Duration.ZERO : wanted.bound());
        return engine.orTimeout(closed.copy(), limit).exceptionally(late -> {
            LOG.warn("{}: its companion, or a callback, has held up the closing for {}", this, limit);
            return null;
        });
    }

    /** The work of this turn, as its latch finishes it; none of a shadow. */
    private CompletableFuture<Void> finishWork(boolean isByClient) {
        Turn now = turn;
        if (now == null || isShadow) {
            return LatchContender.NO_WORK;
        }
        return now.contender.finishWork(isByClient, true);
    }

    private void finish() {
        finishWork(false).whenComplete((nothing, failure) -> looks.execute(this::leavePath));
    }

    private void leavePath() {
        Turn now = turn;
        if (now != null) {
            end(now);
        }
        heard.thenRun(() -> looks.execute(() -> {
            old.close();
            listeners.clear();
            closed.complete(null);
        }));
    }

    @Override
    public CompletableFuture<Void> finishWork() {
        return finishWork(true);
    }

    @Override
    public Farewell closeWithClient() {
        Turn now = turn;
        if (now != null) {
            now.contender.closeWithClient().tell();
        }
        if (isShadow && engine.failure().isPresent()) {
            // A node that has failed must not touch what is led without it.
            return Farewell.NONE;
        }
        if (now != null) {
            // Others may lead by Quorate alone as soon as the node has left.
            now.isOver = true;
        }
        return life.compareAndSet(Life.STARTED, Life.CLOSED) ? this::sayFarewell : closed::copy;
    }

    private CompletableFuture<Void> sayFarewell() {
        looks.execute(this::leavePath);
        return closed.copy();
    }

    /** Takes no part in Quorate any more. */
    @Override
    public void leave() {
        Turn now = turn;
        if (now != null) {
            now.contender.leave();
        }
        mark.ifPresent(Mark::leave);
    }

    @Override
    public void connectionChanged(ConnectionState connection, boolean endsLeadership) {
        Turn now = turn;
        if (now != null) {
            now.contender.connectionChanged(connection, endsLeadership);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
