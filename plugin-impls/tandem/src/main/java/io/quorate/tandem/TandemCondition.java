package io.quorate.tandem;

import io.quorate.ConnectionState;
import io.quorate.LeaderLatchListener;
import io.quorate.Stage;
import io.quorate.client.ConditionalCandidacy;
import io.quorate.client.LatchCallbacks;
import io.quorate.client.LatchContender;
import io.quorate.client.LeadCondition;
import io.quorate.client.Paths;
import io.quorate.engine.Engine;
import io.quorate.engine.PathView;
import io.quorate.engine.SerialDispatcher;
import io.quorate.jvm.NodeLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The condition of the latch of a tandem or shadow: it is met while the companion leads. The latch of a tandem contends
 * for Quorate's path meanwhile. That of a shadow leads at once, and another one contends beside it. Looks at the
 * companion, and the calls that start and close it, come one at a time.
 */
final class TandemCondition implements LeadCondition {

    private static final Logger LOG = NodeLog.of(TandemCondition.class);

    /** How often it looks without being told: what a companion forgot to tell is seen after a second. */
    private static final int ROUND_HEARTBEATS = 5;

    /**
     * So many rounds may pass, 25 heartbeats, before Quorate follows the companion: more than four support times of
     * each profile, in which a lost leader is replaced. Too few: companions are given up for nothing. Too many: where
     * this node alone is cut off from the voters, nobody leads for so long.
     */
    private static final int PATIENCE_ROUNDS = 5;

    private static final String NO_COMPANION = "its companion does not lead";

    private final String id;
    private final boolean isShadow;
    private final String name;
    private final Engine engine;
    private final LatchCallbacks callbacks;
    /** Tells the listeners, and whether this leads. */
    private final LatchContender latch;
    /** Contends for Quorate's path; the latch itself, unless this is a shadow. */
    private final LatchContender quorate;
    /** The word that this runs, for plain latches and operators: it stands on a path of its own. */
    private final LatchContender mark;

    private final CompanionGuard old;
    private final SerialDispatcher looks;
    private final List<ConditionalCandidacy> candidacies = new CopyOnWriteArrayList<>();
    private final AtomicLong differences = new AtomicLong();
    private final AtomicBoolean isAsking = new AtomicBoolean();
    private final AtomicBoolean isLookDue = new AtomicBoolean();
    private volatile String pathInCluster = "";
    /** What this node knows of Quorate's path, and of the path of the marks; null before it does. */
    private volatile @Nullable PathView contenders;

    private volatile @Nullable PathView marks;
    private final Engine.ViewListener contendersListener = view -> {
        contenders = view;
        look();
    };
    private final Engine.ViewListener marksListener = view -> {
        marks = view;
        look();
    };
    private volatile boolean hasEnded;
    /** Whether Quorate has led since the companion does, or it was said that it does not follow. */
    private volatile boolean isSettled;

    // All for looks alone.
    private boolean isTried;
    private boolean isLate;
    private int rounds;
    private int roundsInVain;
    private Set<String> foundBefore = Set.of();
    private Set<String> strangers = Set.of();

    /** Quorate's leadership beside a shadow. */
    private final class Beside implements LeaderLatchListener {
        @Override
        public void isLeader() {
            isSettled = true;
        }

        @Override
        public void notLeader() {
            if (latch.isLeading()) {
                differs("Quorate's leadership has ended, and the companion leads on");
            }
        }
    }

    /** The condition of a tandem or a shadow, which does nothing before {@link #contend}. */
    TandemCondition(
            String path, String id, Companion companion, boolean isShadow, Engine engine, LatchCallbacks callbacks) {
        this.id = id;
        this.isShadow = isShadow;
        this.engine = engine;
        this.callbacks = callbacks;
        this.latch = new LatchContender(path, id, true, callbacks.under(this));
        this.quorate = isShadow ? new LatchContender(path, id, false, callbacks.under(this::contendBeside)) : latch;
        this.mark = new LatchContender(Paths.stages(path), id, false, callbacks.under(LeadCondition.NONE));
        this.name = (isShadow ? "Shadow " : "Tandem ") + path + (id.isEmpty() ? "" : " of " + id);
        this.old = new CompanionGuard(companion, name);
        this.looks = new SerialDispatcher(callbacks.executor());
    }

    /** The latch behind this. */
    LatchContender latch() {
        return latch;
    }

    boolean isShadow() {
        return isShadow;
    }

    /** How often the two sides differed, as a shadow has seen. */
    long differences() {
        return differences.get();
    }

    // ---------------------------------------------------------------- as a condition

    @Override
    public Engine.Candidacy contend(
            Engine joined, String path, String joinedId, Engine.ContenderListener listener, Executor executor) {
        Engine.Candidacy candidacy = joining(
                stay -> isShadow ? new ShadowCandidacy(joined, path, stay) : joined.contend(path, id, stay), listener);
        look();
        nextRound();
        return candidacy;
    }

    @Override
    public void nodeRuns(Engine joined, String path) {
        mark.start(Optional.empty());
        mark.join(joined, Paths.stages(path));
        joined.observe(Paths.stages(path), marksListener);
        if (isShadow) {
            quorate.listeners().addListener(new Beside());
            quorate.start(Optional.empty());
            quorate.join(joined, path);
            joined.observe(path, contendersListener);
        }
        pathInCluster = path;
        if (hasEnded) {
            // Before the line above: then its end has found nothing to leave.
            looks.execute(this::leave);
        }
        look();
    }

    private Engine.Candidacy contendBeside(
            Engine joined, String path, String joinedId, Engine.ContenderListener listener, Executor executor) {
        return joining(stay -> joined.contend(path, joinedId, stay), listener);
    }

    private Engine.Candidacy joining(
            Function<Engine.ContenderListener, Engine.Candidacy> joins, Engine.ContenderListener listener) {
        ConditionalCandidacy candidacy =
                new ConditionalCandidacy(joins, listener, callbacks.executor(), this, NO_COMPANION);
        candidacies.add(candidacy);
        return candidacy;
    }

    @Override
    public boolean isMet() {
        boolean leads = old.leads();
        if (!leads) {
            // At once: a look may have to wait.
            candidacies.forEach(each -> each.set(NO_COMPANION));
            look();
        }
        return leads;
    }

    @Override
    public Optional<Stage> stage() {
        boolean isOneOfTwo = old.leads() != quorate.isLeading();
        return Optional.of(new Stage(isShadow ? "shadow" : "tandem", isOneOfTwo, differences.get()));
    }

    @Override
    public boolean needsNoNode() {
        return isShadow;
    }

    @Override
    public void resigned() {
        looks.execute(this::closeCompanion);
    }

    @Override
    public CompletableFuture<Void> end(Supplier<CompletableFuture<Void>> settled) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        hasEnded = true;
        // There it is no callback, and a callback that closes the latch is waited for.
        looks.execute(() -> engine.orTimeout(settled.get(), callbacks.limit())
                .whenComplete((nothing, late) -> looks.execute(() -> {
                    old.close();
                    leave();
                    done.complete(null);
                })));
        return looks.isRunningHere() ? CompletableFuture.completedFuture(null) : done;
    }

    private void leave() {
        if (pathInCluster.isEmpty()) {
            return;
        }
        mark.leave();
        engine.unobserve(Paths.stages(pathInCluster), marksListener);
        if (isShadow) {
            quorate.leave();
            engine.unobserve(pathInCluster, contendersListener);
            engine.unwatch(pathInCluster);
        }
    }

    // ---------------------------------------------------------------- looks

    /** By the companion, on a thread of its own. */
    private void changed() {
        // Noted here: by the time of the look it may lead again.
        latch.isLeading();
        look();
    }

    private void look() {
        // One at most waits: a companion that hangs, or flaps, may tell of changes for ever.
        if (!isLookDue.getAndSet(true)) {
            looks.execute(() -> {
                isLookDue.set(false);
                lookNow();
            });
        }
    }

    private void lookNow() {
        if (!hasEnded && !isTried && mayOpen()) {
            isTried = true;
            roundsInVain = 0;
            old.open(this::changed);
        }
        boolean leads = old.leads();
        candidacies.forEach(each -> each.set(leads ? "" : NO_COMPANION));
        isSettled &= leads;
    }

    /**
     * A tandem needs Quorate to lead. A shadow does not: it must not begin beside those that it sees lead by Quorate
     * alone, and what it cannot see does not keep it.
     */
    private boolean mayOpen() {
        if (!isShadow) {
            return !pathInCluster.isEmpty();
        }
        return contenders == null || marks == null ? isLate : alone().isEmpty();
    }

    /** The contenders that are neither tandem nor shadow. One with this name is neither, because this has not begun. */
    private Set<String> alone() {
        Set<String> names = names(contenders);
        String own = id + " at " + engine.self();
        names(marks).stream().filter(each -> !each.equals(own)).forEach(names::remove);
        return names;
    }

    private static Set<String> names(@Nullable PathView view) {
        Set<String> names = new TreeSet<>();
        if (view != null) {
            view.contenders().forEach(each -> names.add(each.name()));
        }
        return names;
    }

    // ---------------------------------------------------------------- rounds

    private void nextRound() {
        CompletableFuture<Void> round = new CompletableFuture<>();
        engine.orTimeout(round, engine.heartbeat().multipliedBy(ROUND_HEARTBEATS))
                .whenComplete((nothing, due) -> looks.execute(this::round));
    }

    private void round() {
        if (hasEnded) {
            return;
        }
        rounds++;
        boolean isFollowed = isSettled || !old.leads() || quorate.isLeading();
        roundsInVain = old.isOpen() && isFollowed ? 0 : roundsInVain + 1;
        if (roundsInVain == PATIENCE_ROUNDS) {
            roundsInVain = 0;
            beginAnew();
        }
        if (rounds % PATIENCE_ROUNDS == 0 && !isAsking.getAndSet(true)) {
            callbacks.executor().execute(this::lookForStrangers);
        }
        lookNow();
        nextRound();
    }

    private void beginAnew() {
        if (!old.isOpen()) {
            isTried = false;
            isLate = true;
            sayWhyItWaits();
        } else if (isShadow) {
            isSettled = true;
            differs("the companion has led for " + patience() + ", and Quorate does not follow");
        } else {
            LOG.warn(
                    "{}: the companion has led for {}, and Quorate does not follow; the companion is closed and started"
                            + " again, so that another process may lead",
                    this,
                    patience());
            closeCompanion();
        }
    }

    /** The next look starts it again. */
    private void closeCompanion() {
        candidacies.forEach(each -> each.set(NO_COMPANION));
        old.close();
        isTried = false;
        look();
    }

    private void sayWhyItWaits() {
        if (isShadow && (contenders == null || marks == null)) {
            LOG.warn("{}: no voter has told who contends by Quorate alone; its companion starts anyway", this);
        } else if (isShadow && !alone().isEmpty()) {
            LOG.warn(
                    "{}: its companion waits, because these contend by Quorate alone: {}. Make them tandems first",
                    this,
                    alone());
        }
    }

    private void lookForStrangers() {
        Set<String> those = old.participants();
        PathView known = marks;
        isAsking.set(false);
        boolean isConnected =
                engine.connection().state().filter(ConnectionState::isConnected).isPresent();
        if (known == null || !isConnected) {
            // Marks that the voters have, and this node does not know, would be missing.
            those.clear();
        } else {
            those.remove(id);
            known.contenders().forEach(each -> those.remove(each.participantId()));
        }
        looks.execute(() -> warnOf(those));
    }

    /**
     * A process contends on the old side before its mark is known, and may be listed there for a while after its end.
     * So only those count that this node has found in two looks in a row, both while it was connected.
     */
    private void warnOf(Set<String> found) {
        Set<String> those = new TreeSet<>(found);
        those.retainAll(foundBefore);
        foundBefore = found;
        if (!those.isEmpty() && !those.equals(strangers)) {
            LOG.warn(
                    "{}: these contend on the old side, and no tandem or shadow has their id: {}. If they lead by the old"
                            + " side alone, no process may lead by Quorate alone",
                    this,
                    those);
        }
        strangers = those;
    }

    private void differs(String how) {
        LOG.warn("{}: difference {}: {}", this, differences.incrementAndGet(), how);
    }

    private Duration patience() {
        return engine.heartbeat().multipliedBy(ROUND_HEARTBEATS * PATIENCE_ROUNDS);
    }

    @Override
    public String toString() {
        return name;
    }
}
