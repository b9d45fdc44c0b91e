package io.quorate.engine;

import io.quorate.ClientMonitor;
import io.quorate.Voters;
import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A running node, as the application's classes see it. The engine of the class path runs it with a thread and real
 * time; a simulated cluster runs it in virtual time.
 *
 * <p>All methods may be called from any thread and return at once, except {@link #start} and {@link #close}.
 */
public interface Engine extends AutoCloseable {

    /** The most voters of a list. */
    int VOTERS_MAX = 15;

    /**
     * Opens the term store, starts the transport and begins to look for the voters; does not wait for them.
     * Called once.
     *
     * @throws IOException if the term store cannot be opened, or its disk does not answer, or this thread is
     *                     interrupted while it waits for that
     * @throws io.quorate.spi.TransportException if the transport cannot listen
     */
    void start() throws IOException;

    /**
     * Ends the wait of {@link #start} for the disk, present or future: the engine is about to be closed. By default
     * nothing waits.
     */
    default void abandonStart() {
        // No disk, no wait.
    }

    /**
     * Ends every tenure, hands each over, tells the voters that this node is gone, and stops. Every {@link
     * ContenderListener} is told of the end of its tenure before this returns. A second call has no effect. With
     * thousands of led paths it waits until the others have read what they are told, for 15 s at most; and for
     * 5 s more for a write to the term store that is under way.
     */
    @Override
    void close();

    /** The clock that tenures are measured with. */
    Clock clock();

    /**
     * Runs the application's callbacks that have no executor of their own. A callback that blocks delays only those of
     * its own latch, as long as fewer are blocked at one time than the engine has threads. It runs every task, later,
     * and never on the engine's thread.
     */
    Executor callbacks();

    /**
     * Runs work that waits, such as {@link #start} and {@link #close}, while the caller goes on. By default on a daemon
     * thread made for it: the callback threads are bounded, and the common pool is the application's. Simulated time
     * runs it as a callback, so that runs are repeatable.
     *
     * @param name of the thread
     * @param work throws nothing
     */
    default void runWaiting(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Called by a thread of the application that is about to wait, and holds no lock. Real time passes by itself, so
     * nothing is done by default; simulated time passes here, until {@code isOver} or for {@code nanosMax}.
     *
     * @return how many of {@code nanosMax} nanoseconds are left to wait; negative if waiting is in vain, because the
     *         simulated process was killed
     */
    default long letTimePass(long nanosMax, BooleanSupplier isOver) {
        return nanosMax;
    }

    /**
     * Completes the future with a {@link java.util.concurrent.TimeoutException} if it is not completed by then; in real
     * time by default.
     *
     * @return the same future
     */
    default <T> CompletableFuture<T> orTimeout(CompletableFuture<T> future, Duration limit) {
        return Timeouts.orTimeout(future, limit);
    }

    /** The id of this node. */
    NodeId self();

    /** The id of its cluster. */
    String clusterId();

    /** Where this node stands now; LOST after a support time without a turn. */
    Connection connection();

    /**
     * Which voters support this node, as of its last turn, and what the application was told of that last. After a
     * support time without a turn nobody does, and the reason says so.
     */
    Support support();

    /**
     * The voters' support for a node.
     *
     * @param connection as {@link #connection()}
     * @param reason     why the connection is as it is, in words; empty before the first majority
     * @param voters     all voters; nobody before the start
     * @param supporters those that support this node
     */
    record Support(Connection connection, String reason, List<NodeId> voters, List<NodeId> supporters) {
        /** Before the start. */
        public static final Support NONE = new Support(Connection.NONE, "", List.of(), List.of());

        public Support {
            voters = List.copyOf(voters);
            supporters = List.copyOf(supporters);
        }
    }

    /** Why the node has stopped by itself (another process under its id, a bug); empty while it runs. */
    Optional<RuntimeException> failure();

    /** Called on the engine's thread at each change, in order; must not block. Not told of the past. */
    void addConnectionListener(ConnectionListener listener);

    /**
     * From now on the monitor is told what happens, as {@link ClientMonitor} says. It is told first how things are: the
     * connection if there was one, each path on which this node contends or which it watches, with its leader, what
     * this node leads, which voters are heard, and the frames that were dropped. No effect on an engine that is closed
     * or has failed.
     *
     * @param monitor one that is not added at present
     * @param inClient turns a path of this engine into that of the client, without its namespace
     */
    void addMonitor(ClientMonitor monitor, UnaryOperator<String> inClient);

    /** No effect if this very monitor was not added. A call that is under way may still come. */
    void removeMonitor(ClientMonitor monitor);

    /**
     * Joins the contenders of a path, at the tail. The joining is repeated until a majority of voters knows, however
     * long that takes; on a closed engine it never happens.
     *
     * @param path          a validated path
     * @param participantId what others see; need not be unique
     * @param listener      called on the engine's thread, in order; must not block
     */
    Candidacy contend(String path, String participantId, ContenderListener listener);

    /**
     * The contenders of a path. Completed immediately if this node contends on the path or watches it; otherwise the
     * node begins to watch it, and the stage completes with the first voter's answer. Exceptionally with {@link
     * IllegalStateException} on an engine that is closed, gets closed or has failed; never if no voter answers: the
     * caller sets a time-out, and then cancels the future, which ends the asking.
     */
    CompletionStage<PathView> view(String path);

    /**
     * Stops watching a path that {@link #view} or {@link #observe} began to watch. No effect while somebody observes
     * the path or waits for a view of it: if two threads call at one moment, the last call decides.
     */
    void unwatch(String path);

    /**
     * Tells the listener what this node knows of a path, as soon as it knows, and each time that may have changed,
     * until {@link #unobserve}. The node watches the path until {@link #unwatch}. No effect on a closed engine.
     *
     * @param listener called on the engine's thread; must not block
     */
    void observe(String path, ViewListener listener);

    /** Ends what {@link #observe} has begun; a call that is under way may still come. */
    void unobserve(String path, ViewListener listener);

    /**
     * All contenders of this node rank last from now on, and those that lead hand over if an eligible contender is up;
     * or they rank as usual again. No effect on an engine that does not run.
     *
     * @param reason why they rank last, for logs and explanations; empty if they rank as usual. Asked on the engine's
     *               thread, so that of several calls at one moment the newest reason counts; must not block
     */
    void standBy(Supplier<Optional<String>> reason);

    /**
     * All contenders of this node have this priority from now on. It counts under the rank order {@code PRIORITY}
     * alone. No effect on an engine that does not run.
     *
     * @param value asked on the engine's thread, so that of several calls at one moment the newest counts
     */
    void priority(IntSupplier value);

    /**
     * How many contenders of this node lead although another one that is up ranks better. Waits for turns of the
     * engine's thread; empty if it does not run, or does not answer in time.
     */
    OptionalInt misplaced();

    /** The voters, as far as this node knows them; list number 0 before the start. */
    Voters voters();

    /**
     * Changes the voters.
     *
     * @param number of the voter list that is to be changed
     * @param wanted 1 to 15 nodes, and where each is reached if the settings do not say that
     * @return completed when a majority of them votes and knows it. Exceptionally with
     *         {@link io.quorate.VotersNotChangedException} if not all steps were done, with
     *         {@link io.quorate.VotersUnknownException} if that is not known, and with
     *         {@link IllegalStateException} on an engine that is closed, gets closed or has failed
     */
    CompletionStage<Void> changeVoters(long number, Map<NodeId, Optional<HostAndPort>> wanted);

    /**
     * The time since the last turn of this node's thread; zero if it does not run. There is a turn in each heartbeat
     * period.
     */
    Duration turnAge();

    /** The period of the heartbeats of this node. */
    Duration heartbeat();

    /** The end of the certificate that this node shows to the others; empty by default, if it shows none. */
    default Optional<Instant> certificateEnd() {
        return Optional.empty();
    }

    /**
     * The faults of this node that last until an operator repairs them; none by default. Does not wait for the node.
     */
    default List<Problem> problems() {
        return List.of();
    }

    /** In one line each: state, voters and which of them support this node, failures. For logs and error messages. */
    String describe();

    /** Told what a node knows of a path. */
    @FunctionalInterface
    interface ViewListener {
        void changed(PathView view);
    }

    /** Told of each change of connection, and of the end. */
    @FunctionalInterface
    interface ConnectionListener {

        void changed(Connection connection);

        /**
         * The node has stopped by itself, and does nothing more but answer questions: {@link Engine#failure} is there,
         * and every tenure was reported as ended before. Called once at most, and not for {@link Engine#close}.
         */
        default void stopped(RuntimeException cause) {
            // A listener for the connection alone has seen its last change.
        }
    }

    /** Told of the tenures of one candidacy, strictly in turns. */
    interface ContenderListener {

        /**
         * A tenure has begun. It may have ended again meanwhile: ask it. An exception is logged, and leadership is
         * given up.
         */
        void granted(Tenure tenure);

        /**
         * The tenure that was granted has ended. After this the candidacy is out of the queue until
         * {@link Candidacy#rejoin}, unless the engine is closed.
         *
         * @param reason a sentence for the log
         */
        void ended(Tenure tenure, String reason);

        /**
         * The tenure is to go to another contender; it goes on until {@link Candidacy#drained} is called. Only if
         * {@link Candidacy#drains} was; by default nothing is finished.
         *
         * @param departure tells it from others of this tenure; {@link Candidacy#drained} names it
         * @param reason    a sentence for the log
         */
        default void leaving(Tenure tenure, long departure, String reason) {
            // Nobody asked for it.
        }

        /** The tenure was to go to another contender, and does not: {@link #leaving} no longer holds. */
        default void stays(Tenure tenure, String reason) {
            // As above.
        }
    }

    /** A contender of this node. */
    interface Candidacy {

        /** Joins again at the tail, after a tenure that {@linkplain ContenderListener#ended ended} by itself. */
        void rejoin();

        /**
         * Tells the engine at once that the application found the lease of {@code tenure} over, or ended it.
         * {@link ContenderListener#ended} follows.
         */
        void tenureEnded(Tenure tenure);

        /**
         * Gives {@code tenure}, which the caller has ended, to the next contender. {@link ContenderListener#ended}
         * follows; a later {@link #rejoin} is behind all others.
         */
        void resign(Tenure tenure);

        /**
         * Sets whether the application finishes its work before a tenure ends on purpose. If so, the engine calls
         * {@link ContenderListener#leaving} and waits for {@link #drained}, without a limit of its own. Not by default.
         */
        void drains(boolean wanted);

        /** The caller is going to end {@code tenure} when its work is finished. For logs and explanations. */
        void leaves(Tenure tenure, String reason);

        /**
         * The work of {@code tenure} is finished: it may end, as {@link ContenderListener#leaving} has said. Only while
         * that holds.
         */
        void drained(Tenure tenure, long departure);

        /**
         * Hands leadership to the contender with this participant id. {@link ContenderListener#ended} follows, and a
         * {@link #rejoin} keeps the place in the queue. If this one {@linkplain #drains drains}, that is first.
         *
         * @return completed when that contender leads. Exceptionally, with nothing changed: with {@link
         *         IllegalArgumentException} unless exactly one contender has the id, with {@link IllegalStateException}
         *         if this one does not lead or that one's node is not up. Exceptionally with {@link
         *         IllegalStateException} if the engine is closed or fails, or this contender {@linkplain #leave leaves}
         *         meanwhile, or that one is not up any more when this one has drained, or another one comes to lead
         */
        CompletionStage<Void> transferTo(String participantId);

        /**
         * Leaves the path for good; a tenure is handed to the next contender. The caller has ended the tenure before
         * ({@link Tenure#end}), so nobody can believe in it any more. A second call has no effect.
         */
        void leave();

        /**
         * This contender ranks last for so long from now on. If it leads, it hands over at a heartbeat, as soon as an
         * eligible contender has been up for two support times.
         *
         * @param reason why, for the log and explanations
         */
        void rankLast(Duration length, String reason);

        /** Where this contender stands. */
        Situation explain();
    }
}
