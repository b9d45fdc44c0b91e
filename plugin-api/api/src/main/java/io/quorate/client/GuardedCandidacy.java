package io.quorate.client;

import io.quorate.core.directory.PathView;
import io.quorate.core.path.Situation;
import io.quorate.core.step.Tenure;
import io.quorate.runtime.Engine;
import io.quorate.runtime.SerialDispatcher;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A plain contender that is off its path while a tandem or a shadow of the path runs: docs/migration.md#the-guard. It
 * watches the path on which these stand, and joins its own when it has seen that nobody is there.
 */
final class GuardedCandidacy implements Engine.Candidacy {

    private final Engine engine;
    private final String path;
    private final String stages;
    private final String id;
    private final Engine.ContenderListener listener;
    private final Engine.ViewListener watch = this::changed;
    private final SerialDispatcher joins;

    // All four are guarded by this.
    /** Who stands in the way; empty if nobody has been asked yet. */
    private Optional<PathView> inTheWay = Optional.empty();
    /** Whether a tenure has ended, and the latch has not rejoined since. */
    private boolean isOut;

    private boolean hasLeft;
    private @Nullable Stay stay;

    private volatile boolean isDraining;

    /** One time on the path. What the engine says of a former one is not passed on. */
    private final class Stay implements Engine.ContenderListener {
        private final CompletableFuture<Engine.Candidacy> candidacy = new CompletableFuture<>();
        private @Nullable Tenure tenure;

        @Override
        public void granted(Tenure granted) {
            if (begins(this, granted)) {
                listener.granted(granted);
            } else {
                granted.end();
            }
        }

        @Override
        public void ended(Tenure over, String reason) {
            if (ends(this)) {
                listener.ended(over, reason);
            }
        }

        @Override
        public void leaving(Tenure leaving, long departure, String reason) {
            listener.leaving(leaving, departure, reason);
        }

        @Override
        public void stays(Tenure staying, String reason) {
            listener.stays(staying, reason);
        }

        private void leave() {
            candidacy.thenAccept(Engine.Candidacy::leave);
        }
    }

    /** @param executor runs what joins the path */
    GuardedCandidacy(Engine engine, String path, String id, Engine.ContenderListener listener, Executor executor) {
        this.engine = engine;
        this.path = path;
        this.stages = Paths.stages(path);
        this.id = id;
        this.listener = listener;
        this.joins = new SerialDispatcher(executor);
    }

    /** Begins to watch, and to contend if it may. */
    GuardedCandidacy begin() {
        engine.observe(stages, watch);
        return this;
    }

    // On the engine's thread, as all that the engine says of tenures.
    private void changed(PathView view) {
        Stay over = null;
        Tenure cut = null;
        synchronized (this) {
            inTheWay = Optional.of(view);
            if (!view.contenders().isEmpty() && stay != null) {
                over = stay;
                cut = over.tenure;
                stay = null;
                isOut |= cut != null;
            }
        }
        if (cut != null) {
            cut.end();
        }
        if (over != null) {
            over.leave();
        }
        if (cut != null) {
            listener.ended(cut, "it makes way: " + standing(view));
        }
        joins.execute(this::joinIfFree);
    }

    private void joinIfFree() {
        Stay next;
        synchronized (this) {
            boolean isFree =
                    inTheWay.filter(view -> view.contenders().isEmpty()).isPresent();
            if (!isFree || isOut || hasLeft || stay != null) {
                return;
            }
            next = new Stay();
            stay = next;
        }
        Engine.Candidacy joined = engine.contend(path, id, next);
        joined.drains(isDraining);
        next.candidacy.complete(joined);
    }

    private synchronized boolean begins(Stay granted, Tenure tenure) {
        granted.tenure = tenure;
        return stay == granted;
    }

    private synchronized boolean ends(Stay over) {
        over.tenure = null;
        boolean isPresent = stay == over;
        isOut |= isPresent;
        return isPresent;
    }

    private synchronized @Nullable Stay stay() {
        return stay;
    }

    private void tell(Consumer<Engine.Candidacy> told) {
        Stay present = stay();
        if (present != null) {
            present.candidacy.thenAccept(told);
        }
    }

    @Override
    public long number() {
        Stay present = stay();
        return present != null && present.candidacy.isDone()
                ? present.candidacy.join().number()
                : 0;
    }

    @Override
    public void rejoin() {
        synchronized (this) {
            isOut = false;
        }
        tell(Engine.Candidacy::rejoin);
        joins.execute(this::joinIfFree);
    }

    @Override
    public void tenureEnded(Tenure tenure) {
        tell(joined -> joined.tenureEnded(tenure));
    }

    @Override
    public void resign(Tenure tenure) {
        tell(joined -> joined.resign(tenure));
    }

    @Override
    public void drains(boolean wanted) {
        isDraining = wanted;
        tell(joined -> joined.drains(wanted));
    }

    @Override
    public void leaves(Tenure tenure, String reason) {
        tell(joined -> joined.leaves(tenure, reason));
    }

    @Override
    public void drained(Tenure tenure, long departure) {
        tell(joined -> joined.drained(tenure, departure));
    }

    @Override
    public CompletionStage<Void> transferTo(String participantId) {
        Stay present = stay();
        return present == null
                ? CompletableFuture.failedStage(new IllegalStateException("Not leading " + path + ": " + reason()))
                : present.candidacy.thenCompose(joined -> joined.transferTo(participantId));
    }

    @Override
    public void leave() {
        Stay over;
        synchronized (this) {
            hasLeft = true;
            over = stay;
            stay = null;
        }
        if (over != null) {
            over.leave();
        }
        engine.unobserve(stages, watch);
        engine.unwatch(stages);
    }

    @Override
    public void rankLast(Duration length, String reason) {
        tell(joined -> joined.rankLast(length, reason));
    }

    @Override
    public Situation explain() {
        Stay present = stay();
        return present != null && present.candidacy.isDone()
                ? present.candidacy.join().explain()
                : Situation.outside(reason());
    }

    private synchronized String reason() {
        return inTheWay.map(GuardedCandidacy::standing)
                .orElse("it has not heard yet whether tandems or shadows of the path run");
    }

    private static String standing(PathView view) {
        return "these run, and lead by the old side too: "
                + String.join(
                        ", ",
                        view.contenders().stream()
                                .map(each -> each.participantId() + " at " + each.node())
                                .toList());
    }
}
