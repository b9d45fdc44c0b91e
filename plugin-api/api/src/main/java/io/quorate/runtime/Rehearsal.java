package io.quorate.runtime;

import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.Tenure;
import io.quorate.spi.Check;
import io.quorate.spi.Daemons;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.NodeLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;

/**
 * Elections and hand-overs among three nodes in memory, after the start of the first client of a process: a voter keeps
 * quiet then for a support time. A JVM runs new code slowly, and without the rehearsal the first real hand-over would
 * be new code. Nothing of it is seen outside (ADR-0076).
 *
 * <p>A thread of its own plays a little and pauses longer, because Linux ignores thread priorities: the start must not
 * get slower, and the node must not wait for a processor.
 */
public final class Rehearsal {

    /** The time for which the thread is busy, in total. */
    private static final long BUSY_NANOS_MAX = 250_000_000;
    /** After so long a pause. */
    private static final long SCENE_NANOS = 2_000_000;
    /** A pause is so many times as long as the work before it. */
    private static final int PAUSE_FACTOR = 3;

    /** In support times: if nobody leads for so long, something is wrong. */
    private static final int PATIENCE = 20;
    /** A bound where the clock stands. */
    private static final int CHANGES_MAX = 10_000;
    /** The leader hands over, except that it is cut off once in so many times. */
    private static final int CUT_EVERY = 4;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final String PATH = "/rehearsal";
    private static final List<NodeId> NODES = List.of(new NodeId("a"), new NodeId("b"), new NodeId("c"));

    private static final Logger LOG = NodeLog.of(Rehearsal.class);
    private static final AtomicBoolean HAS_BEGUN = new AtomicBoolean();

    private final NodeSettings like;
    private final Optional<ClusterSecret> secret;
    private final ElectionAlgorithm algorithm;
    private volatile boolean isOver;

    // Confined to its thread.
    private long busyNanos;
    private long busySince;
    private int changes;

    private static final class Actor implements Engine.ContenderListener {
        private final NodeId node;
        private final Engine engine;
        private final SerialDispatcher callbacks;
        private Engine.Candidacy candidacy;
        private boolean leads;

        private Actor(NodeId node, Engine engine) {
            this.node = node;
            this.engine = engine;
            this.callbacks = new SerialDispatcher(engine.callbacks());
            this.candidacy = enter();
        }

        private Engine.Candidacy enter() {
            return engine.contend(PATH, node.value(), this);
        }

        private void handOver() {
            leads = false;
            candidacy.leave();
            candidacy = enter();
        }

        @Override
        public void granted(Tenure tenure) {
            leads = true;
            callbacks.execute(() -> {});
        }

        @Override
        public void ended(Tenure tenure, String reason) {
            leads = false;
            candidacy.rejoin();
        }
    }

    /** @param like a node of the real cluster: the rehearsal has its times and ranks */
    public Rehearsal(NodeSettings like, Optional<ClusterSecret> secret, ElectionAlgorithm algorithm) {
        this.like = like;
        this.secret = secret;
        this.algorithm = algorithm;
    }

    /** Begins on a daemon thread, if this is the first in its process. */
    public void begin() {
        if (!HAS_BEGUN.getAndSet(true)) {
            // The thread keeps nothing of the application whose call has started it.
            Thread thread = Daemons.thread("quorate-rehearsal", this::play);
            try {
                thread.start();
            } catch (OutOfMemoryError e) {
                // Justification: the system has no thread left, and the client has started without this one.
                LOG.debug("No thread for the rehearsal, and nothing depends on it", e);
            }
        }
    }

    /** Ends the rehearsal soon. Any thread. */
    public void end() {
        isOver = true;
    }

    /** Plays until it is enough, and keeps nothing of it. Answers how often the leadership has changed. */
    int play() {
        busySince = System.nanoTime();
        try {
            playOn(new Stage(NODES, like, secret, algorithm));
        } catch (Throwable e) {
            // Justification: catches everything. The algorithm is foreign code, and nothing depends on it here; the
            // node logs its faults where something does.
            LOG.debug("The rehearsal ends early, and nothing depends on it", e);
        }
        LOG.debug("Rehearsed {} changes of leadership in {} ms", changes, busyNanos / NANOS_PER_MILLI);
        return changes;
    }

    private void playOn(Stage stage) throws IOException {
        List<Actor> actors = new ArrayList<>();
        for (int i = 0; i < NODES.size(); i++) {
            Engine engine = stage.engines().get(i);
            engine.start();
            actors.add(new Actor(NODES.get(i), engine));
            rest();
        }
        while (!isEnough()) {
            awaitLeader(stage, actors, Optional.empty()).ifPresent(leader -> change(stage, actors, leader));
        }
    }

    private void change(Stage stage, List<Actor> actors, Actor leader) {
        changes++;
        if (changes % CUT_EVERY == 0) {
            stage.cutOff(leader.node, true);
            awaitLeader(stage, actors, Optional.of(leader));
            stage.cutOff(leader.node, false);
        } else {
            leader.handOver();
        }
    }

    /** Lets time pass until a contender other than the former leader leads; empty if the rehearsal is over before. */
    private Optional<Actor> awaitLeader(Stage stage, List<Actor> actors, Optional<Actor> former) {
        long patience = PATIENCE * like.lease().support();
        boolean isEnd =
                stage.play(patience, () -> isEnough() || leader(actors, former).isPresent());
        Check.state(isEnd, "nobody leads for %d ns", patience);
        return leader(actors, former);
    }

    private static Optional<Actor> leader(List<Actor> actors, Optional<Actor> former) {
        return actors.stream()
                .filter(actor -> actor.leads && former.filter(actor::equals).isEmpty())
                .findFirst();
    }

    private boolean isEnough() {
        rest();
        return isOver || busyNanos >= BUSY_NANOS_MAX || changes >= CHANGES_MAX;
    }

    /** Pauses, if it was busy for long enough, and has more to do. */
    private void rest() {
        long now = System.nanoTime();
        long busy = now - busySince;
        if (busy < SCENE_NANOS) {
            return;
        }
        busyNanos += busy;
        busySince = now;
        if (busyNanos >= BUSY_NANOS_MAX) {
            // A process that was stopped meanwhile may seem to have been busy for days: no pause is that long.
            return;
        }
        try {
            Thread.sleep(PAUSE_FACTOR * busy / NANOS_PER_MILLI);
        } catch (InterruptedException e) {
            // Nobody but us has this thread, and it is to end.
            isOver = true;
        }
        busySince = System.nanoTime();
    }
}
