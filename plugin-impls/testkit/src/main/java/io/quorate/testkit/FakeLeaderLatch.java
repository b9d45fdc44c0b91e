package io.quorate.testkit;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.engine.Connection;
import io.quorate.engine.PathView;
import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A latch without a cluster, for unit tests: it is the latch of production, and the test says when it leads. It
 * contends from {@link #start} on, against nobody.
 *
 * <p>Callbacks of listeners that have no executor run on the calling thread, before {@link #grant}, {@link #revoke} or
 * {@link #close} returns. All methods may be called from any thread, but only one thread at a time may grant and
 * revoke.
 */
public final class FakeLeaderLatch extends LeaderLatch {

    private static final NodeId SELF = new NodeId("fake");

    private final FakeEngine engine;
    private final Queue<Runnable> callbacks;
    private final String path;
    private long lastToken;
    private int revocations;

    /** The parts that must exist before the latch. */
    private record Parts(FakeEngine engine, ElectionClient client, Queue<Runnable> callbacks) {

        private static Parts create() {
            Queue<Runnable> callbacks = new ConcurrentLinkedQueue<>();
            FakeEngine engine = new FakeEngine();
            engine.callbacksQueuedIn(callbacks);
            ElectionClient client = Clients.over(engine);
            client.start();
            engine.connect(Connection.CONNECTED);
            return new Parts(engine, client, callbacks);
        }
    }

    /**
     * A latch with an empty id and the close mode {@link LeaderLatch.CloseMode#SILENT}.
     *
     * @param path in the form of a ZooKeeper path
     * @throws IllegalArgumentException if the path is null or not legal; the message names the rule
     */
    public FakeLeaderLatch(String path) {
        this(path, "", CloseMode.SILENT);
    }

    /**
     * As {@link LeaderLatch#LeaderLatch(ElectionClient, String, String, LeaderLatch.CloseMode)}, without a client.
     *
     * @param path      in the form of a ZooKeeper path
     * @param id        the text that others see in {@link io.quorate.Participant#getId}
     * @param closeMode what {@link #close()} tells the listeners
     * @throws NullPointerException     if {@code id} or {@code closeMode} is null
     * @throws IllegalArgumentException if the path is null or not legal; the message names the rule
     */
    public FakeLeaderLatch(String path, String id, CloseMode closeMode) {
        this(Parts.create(), path, id, closeMode);
    }

    private FakeLeaderLatch(Parts parts, String path, String id, CloseMode closeMode) {
        super(parts.client, path, id, closeMode);
        this.engine = parts.engine;
        this.callbacks = parts.callbacks;
        this.path = path;
        publish();
    }

    /** Publishes the contenders that {@link #getParticipants} returns. */
    private void publish() {
        boolean leads = hasLeadership();
        List<PathView.Entry> entries =
                getState() == State.STARTED ? List.of(new PathView.Entry(SELF, 1, getId(), leads, 1)) : List.of();
        engine.publish(path, new PathView(entries, leads ? OptionalLong.of(lastToken) : OptionalLong.empty()));
    }

    // ---------------------------------------------------------------- what the test says

    /**
     * Makes it the leader, with the next fencing token.
     *
     * @return the token: 1 the first time, and one more than the last token each later time
     * @throws IllegalStateException as {@link #grant(long)}
     */
    public long grant() {
        grant(lastToken + 1);
        return lastToken;
    }

    /**
     * Makes it the leader, with this fencing token.
     *
     * @param token above all former tokens, as it would be in a cluster; at least 1
     * @throws IllegalArgumentException if the token is not above all former tokens
     * @throws IllegalStateException    if the latch is not started, is closed, leads already, or has a {@code
     *                                  notLeader} that has not returned: a latch contends again only when it has
     */
    public void grant(long token) {
        checkStarted();
        Check.state(!hasLeadership(), "it leads already, with token %d", lastToken);
        Check.state(engine.last().rejoins() == revocations, "a notLeader callback has not returned");
        Check.argument(token > lastToken, "token %d: must be above the last one, %d", token, lastToken);
        lastToken = token;
        engine.last().grant(token);
        settle();
    }

    /**
     * Ends its leadership, as the loss of the connection or of the lease does.
     *
     * @throws IllegalStateException if the latch does not lead
     */
    public void revoke() {
        checkStarted();
        Check.state(hasLeadership(), "it does not lead");
        revocations++;
        engine.last().end();
        settle();
    }

    private void checkStarted() {
        Check.state(getState() == State.STARTED, "the latch is %s: must be STARTED", getState());
    }

    private void settle() {
        publish();
        for (Runnable callback = callbacks.poll(); callback != null; callback = callbacks.poll()) {
            callback.run();
        }
    }

    // ---------------------------------------------------------------- what the application does

    @Override
    public void start() throws Exception {
        super.start();
        settle();
    }

    @Override
    public void close(CloseMode mode) throws IOException {
        super.close(mode);
        settle();
    }

    @Override
    public CompletionStage<Void> closeAsync(CloseMode mode) {
        CompletionStage<Void> closed = super.closeAsync(mode);
        settle();
        return closed;
    }
}
