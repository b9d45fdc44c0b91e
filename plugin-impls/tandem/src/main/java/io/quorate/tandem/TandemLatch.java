package io.quorate.tandem;

import io.quorate.ElectionClient;
import io.quorate.ElectionSettings;
import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.Participant;
import io.quorate.client.LatchCallbacks;
import io.quorate.client.LatchContender;
import io.quorate.client.Paths;
import io.quorate.engine.Engine;
import io.quorate.engine.Migration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

/**
 * Leads if and only if both do: the election that an application used before, its {@link Companion}, and Quorate. With
 * it an application moves to Quorate release by release, without a stop. docs/migration.md has the steps, and what to
 * look at before each. In all else it is the latch that takes its place at the end.
 *
 * <p>The two come one after the other. A tandem joins Quorate's path only while its companion leads, and leaves the
 * path when the companion does not lead any more. If both were free to lead anywhere, one process would hold one of
 * them and another process the other, for ever. If the companion leads and Quorate does not follow for 25 heartbeats,
 * the companion is closed and started again, so that another process may lead.
 *
 * <p>A {@linkplain #shadow shadow} is the step before. It leads if the companion does, as the application did before.
 * Quorate elects beside it and leads nothing, and each difference between the two is logged and counted.
 *
 * <p>Nodes with the companion alone, with a shadow, and with a tandem may run together, and so may a tandem and a plain
 * {@link LeaderLatch}: each side by itself is exclusive. <b>What leads by the companion alone must never run together
 * with what leads by Quorate alone.</b>
 *
 * <p><b>What differs from a plain latch.</b> The companion is started when the client runs, in the background; what it
 * throws is logged. That of a shadow is also started if the client does not run, after 25 heartbeats.
 * {@link #hasLeadership} asks the companion too, and blocks if its answer does: what was once seen as lost stays lost,
 * and {@code notLeader} follows. If the companion is lost, leadership ends at once, and work that is being
 * {@linkplain #drain(java.util.function.Function) finished} is cancelled. {@link #resign} closes the companion and
 * starts it again. {@link #transferTo(String)} fails, because the other tandems are not on the path. Closing it, in the
 * mode {@code NOTIFY_LEADER} unless another is given, or closing its client tells the listeners, and closes the
 * companion after that.
 */
public final class TandemLatch extends LeaderLatch {

    private final TandemCondition condition;

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
        this(client, id, new Behind(companion, client, path, id, false));
    }

    private TandemLatch(ElectionClient client, String id, Behind behind) {
        super(client, id, behind);
        this.condition = behind.condition;
    }

    /** Makes the condition, and with it the contender, of which the latch asks once. */
    private static final class Behind implements BiFunction<Engine, LatchCallbacks, LatchContender> {
        private final Companion companion;
        private final ElectionClient client;
        private final String path;
        private final String id;
        private final boolean isShadow;

        // The latch has asked before anything reads it.
        @SuppressWarnings("NullAway.Init")
        private TandemCondition condition;

        private Behind(Companion companion, ElectionClient client, String path, String id, boolean isShadow) {
            this.companion = Objects.requireNonNull(companion, "companion cannot be null");
            this.client = Objects.requireNonNull(client, "client cannot be null");
            this.id = Objects.requireNonNull(id, "id cannot be null");
            this.path = Paths.validated(path);
            this.isShadow = isShadow;
        }

        @Override
        public LatchContender apply(Engine engine, LatchCallbacks callbacks) {
            if (!Migration.isTandem(engine.clusterId())) {
                throw new IllegalArgumentException(
                        "the client of node '" + client.nodeId()
                                + "' has no migration=tandem: set it on all nodes, so that no plain latch leads beside a tandem");
            }
            condition = new TandemCondition(path, id, companion, isShadow, engine, callbacks);
            return condition.latch();
        }
    }

    /**
     * A shadow, which does nothing before {@link #start}: it leads if the companion does, whatever Quorate does. So it
     * also leads with a client that was not started, could not start, or whose node has failed; if the application
     * closes the client, it ends. Its companion waits for 25 heartbeats at most to see whether somebody contends by
     * Quorate alone, and for as long as it sees that. It has no fencing token, which is 0 in {@link #awaitAsync}, no
     * {@link #leadership}, and no work to finish.
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
        return new TandemLatch(client, id, new Behind(companion, client, path, id, true));
    }

    /** {@return whether the companion alone decides} */
    public boolean isShadow() {
        return condition.isShadow();
    }

    /**
     * Answers how often the two sides have differed: the companion led and Quorate did not follow for 25 heartbeats, or
     * Quorate's leadership ended and the companion's did not. The log has one line for each.
     *
     * @return 0 or more since {@link #start}; always 0 of a tandem
     */
    public long differences() {
        return condition.differences();
    }

    /**
     * As {@link LeaderLatch#addListener(LeaderLatchListener)}.
     *
     * @throws NullPointerException     if {@code listener} is null
     * @throws IllegalArgumentException for a {@link FencedLeaderLatchListener} of a shadow, which has no token
     */
    @Override
    public void addListener(LeaderLatchListener listener) {
        super.addListener(checked(listener));
    }

    /**
     * As {@link LeaderLatch#addListener(LeaderLatchListener, Executor)}.
     *
     * @throws NullPointerException     if an argument is null
     * @throws IllegalArgumentException for a {@link FencedLeaderLatchListener} of a shadow, which has no token
     */
    @Override
    public void addListener(LeaderLatchListener listener, Executor executor) {
        super.addListener(checked(listener), executor);
    }

    private LeaderLatchListener checked(LeaderLatchListener listener) {
        if (isShadow() && listener instanceof FencedLeaderLatchListener) {
            throw new IllegalArgumentException("listener " + listener
                    + ": a shadow has no fencing token, so it must not be a FencedLeaderLatchListener");
        }
        return listener;
    }
}
