package io.quorate.tandem;

import io.quorate.engine.Engine;
import io.quorate.engine.Epoch;
import io.quorate.engine.Lease;
import io.quorate.engine.Situation;
import io.quorate.engine.Tenure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The candidacy of a shadow while its condition is met. Its tenure has no voters and does not end by itself. */
final class ShadowCandidacy implements Engine.Candidacy {

    private final Engine engine;
    private final String path;
    private final Engine.ContenderListener listener;
    /** What was granted, and not reported as ended; null if there is none. Guarded by this. */
    private @Nullable Tenure present;

    ShadowCandidacy(Engine engine, String path, Engine.ContenderListener listener) {
        this.engine = engine;
        this.path = path;
        this.listener = listener;
        rejoin();
    }

    @Override
    public void rejoin() {
        long never = engine.clock().nanoTime() + Long.MAX_VALUE / 2; // 146 years
        Tenure granted = new Tenure(path, 0, new Lease(new Epoch[0], never));
        synchronized (this) {
            present = granted;
        }
        listener.granted(granted);
    }

    @Override
    public void tenureEnded(Tenure tenure) {
        // Once, and not for one of an earlier time on the path: who saw the loss may be late to report it.
        if (isOver(tenure)) {
            listener.ended(tenure, "its companion does not lead");
        }
    }

    private synchronized boolean isOver(Tenure tenure) {
        boolean isPresent = present == tenure;
        present = isPresent ? null : present;
        return isPresent;
    }

    @Override
    public Situation explain() {
        return Situation.outside("it is a shadow: its companion decides, and leads");
    }

    // The other methods have no meaning without voters.

    @Override
    public void resign(Tenure tenure) {}

    @Override
    public CompletionStage<Void> transferTo(String participantId) {
        return CompletableFuture.failedStage(new IllegalStateException("A shadow of " + path + " transfers nothing"));
    }

    @Override
    public void leave() {}

    @Override
    public void drains(boolean wanted) {}

    @Override
    public void leaves(Tenure tenure, String reason) {}

    @Override
    public void drained(Tenure tenure, long departure) {}

    @Override
    public void rankLast(Duration length, String reason) {}
}
