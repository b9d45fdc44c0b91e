package io.quorate.client;

import io.quorate.engine.Engine;
import io.quorate.engine.SerialDispatcher;
import io.quorate.engine.Situation;
import io.quorate.engine.Tenure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A contender that is off its path while something stands in the way. Its events and the calls of its listener come one
 * after the other, on threads of the executor.
 */
public class ConditionalCandidacy implements Engine.Candidacy {

    private final Function<Engine.ContenderListener, Engine.Candidacy> joins;
    private final Engine.ContenderListener listener;
    private final LeadCondition condition;
    private final SerialDispatcher turns;
    /** What stands in the way; empty for nothing. */
    private volatile String obstacle;

    private volatile boolean hasLeft;
    private volatile boolean isDraining;
    // Turns alone write it.
    private volatile @Nullable Stay stay;
    /** Whether a tenure has ended, and the listener has not asked for the next one. For turns alone. */
    private boolean isOut;

    /** One time on the path. */
    private final class Stay implements Engine.ContenderListener {
        // Set before anything but a turn, which comes later, can see this.
        @SuppressWarnings("NullAway.Init")
        private Engine.Candidacy candidacy;
        /** What the listener has heard of, and not the end of. For turns alone. */
        private @Nullable Tenure tenure;

        @Override
        public void granted(Tenure granted) {
            turns.execute(() -> begins(this, granted));
        }

        @Override
        public void ended(Tenure over, String reason) {
            turns.execute(() -> ends(this, over, reason));
        }

        @Override
        public void leaving(Tenure leaving, long departure, String reason) {
            turns.execute(() -> listener.leaving(leaving, departure, reason));
        }

        @Override
        public void stays(Tenure staying, String reason) {
            turns.execute(() -> listener.stays(staying, reason));
        }
    }

    /**
     * A contender that is off its path until {@link #set}.
     *
     * @param joins joins the path; what the given listener is told is passed on
     * @param condition  asked again before a tenure begins
     */
    public ConditionalCandidacy(
            Function<Engine.ContenderListener, Engine.Candidacy> joins,
            Engine.ContenderListener listener,
            Executor executor,
            LeadCondition condition,
            String obstacle) {
        this.joins = joins;
        this.listener = listener;
        this.condition = condition;
        this.turns = new SerialDispatcher(executor);
        this.obstacle = obstacle;
    }

    /** From now on this stands in the way; nothing if it is empty. */
    public final void set(String wanted) {
        if (!obstacle.equals(wanted)) {
            obstacle = wanted;
            turns.execute(this::look);
        }
    }

    private void look() {
        Stay present = stay;
        boolean isWanted = obstacle.isEmpty() && !hasLeft;
        if (present != null && !isWanted) {
            stay = null;
            Tenure cut = present.tenure;
            isOut |= cut != null;
            if (cut != null) {
                cut.end();
            }
            present.candidacy.leave();
            if (cut != null) {
                listener.ended(cut, "it makes way: " + obstacle);
            }
        } else if (present == null && isWanted && !isOut) {
            Stay next = new Stay();
            next.candidacy = joins.apply(next);
            stay = next;
            // After the line above: a change from here on finds it.
            next.candidacy.drains(isDraining);
        }
    }

    private void begins(Stay granted, Tenure tenure) {
        if (stay == granted && condition.isMet()) {
            granted.tenure = tenure;
            listener.granted(tenure);
        } else {
            tenure.end();
            granted.candidacy.tenureEnded(tenure);
        }
    }

    private void ends(Stay over, Tenure tenure, String reason) {
        if (stay != over) {
            return;
        }
        if (over.tenure == tenure) {
            over.tenure = null;
            isOut = true;
            listener.ended(tenure, reason);
        } else {
            over.candidacy.rejoin();
        }
    }

    private String outside() {
        String present = obstacle;
        return present.isEmpty() ? "its listeners have not returned from notLeader" : present;
    }

    private void tell(Consumer<Engine.Candidacy> told) {
        Stay present = stay;
        if (present != null) {
            told.accept(present.candidacy);
        }
    }

    @Override
    public void rejoin() {
        turns.execute(() -> {
            isOut = false;
            tell(Engine.Candidacy::rejoin);
            look();
        });
    }

    @Override
    public void tenureEnded(Tenure tenure) {
        tell(joined -> joined.tenureEnded(tenure));
    }

    @Override
    public void resign(Tenure tenure) {
        tell(joined -> joined.resign(tenure));
        condition.resigned();
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
        Stay present = stay;
        return present == null
                ? CompletableFuture.failedStage(new IllegalStateException("Not leading: " + outside()))
                : present.candidacy.transferTo(participantId);
    }

    @Override
    public void leave() {
        hasLeft = true;
        // At once: the engine may be about to close. The look lets go.
        tell(Engine.Candidacy::leave);
        turns.execute(this::look);
    }

    @Override
    public void rankLast(Duration length, String reason) {
        tell(joined -> joined.rankLast(length, reason));
    }

    @Override
    public Situation explain() {
        Stay present = stay;
        return present == null ? Situation.outside(outside()) : present.candidacy.explain();
    }
}
