package io.quorate.contract;

import io.quorate.ConnectionState;
import io.quorate.LeaderLatch;
import io.quorate.testkit.WaitingCall;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One library on one host, as a test of the contract sees it: what it opens, how time passes, and what can go wrong.
 * One for each test; everything that it has opened is closed with it.
 *
 * <p>The methods of {@link LeaderLatch} and its listeners are called through the types of Quorate, because these are
 * Curator's to the letter; a side only delegates.
 */
interface Side extends AutoCloseable {

    /** Whether this is Curator: for the few facts in which the two are meant to differ. */
    boolean isCurator();

    // ---------------------------------------------------------------- what it opens

    /** Decides about the clients that are opened from now on. */
    void policy(Policy chosen);

    /** A client that is not started. */
    Client newClient();

    /** A client that is started, connected or not. */
    default Client client() {
        Client client = newClient();
        client.start();
        return client;
    }

    Latch latch(Client client, String path);

    Latch latch(Client client, String path, String id);

    Latch latch(Client client, String path, String id, LeaderLatch.CloseMode closeMode);

    /** A latch of a subclass that notes what {@code handleStateChange} and {@code cancelStartTask} do. */
    Latch subclassed(Client client, String path, Consumer<ConnectionState> handled, Consumer<Boolean> cancelled);

    Selector selector(Client client, String path, Selector.Turn turn);

    Selector selector(Client client, String path, ExecutorService executor, Selector.Turn turn);

    /** The library's own {@code Participant}. */
    Object participant(String id, boolean leader);

    /** Whether the library's policy of this name calls the state an error. */
    boolean isErrorState(Policy policy, ConnectionState state);

    // ---------------------------------------------------------------- time

    /**
     * Whether threads do in time what they should. Else a client may be SUSPENDED and RECONNECTED without a fault that
     * the test has made.
     */
    boolean isPunctual();

    /** Lets so much time pass. */
    void pass(Duration duration);

    /** Lets time pass until the condition holds; fails if it does not in a long time. */
    void eventually(String what, BooleanSupplier condition);

    /** What {@code call} answers; runs in a thread of its own while time passes. */
    <T> T inThread(Callable<T> call) throws Exception;

    /** A call in a thread of its own, which has begun to wait when this returns. */
    <T> WaitingCall<T> waiting(Callable<T> call);

    // ---------------------------------------------------------------- faults

    /** A client that reaches nobody for this long is LOST. */
    Duration session();

    /** Cuts this client off from the coordination service, until {@link #heal}. */
    void cut(Client client);

    void heal(Client client);

    /** {@link #cut} for so long. */
    default void coordinationLost(Client client, Duration duration) {
        cut(client);
        pass(duration);
        heal(client);
    }

    /** Ends what the coordination service grants to this client, which may then go on. */
    void expire(Client client);

    /** The client's process is gone without a word. */
    void crash(Client client);

    /** Stops the coordination service, or enough of it. */
    void stopService();

    /** Starts it again, with what it remembers. */
    void startService();

    default void ensembleDown(Duration duration) {
        stopService();
        pass(duration);
        startService();
    }

    /** Stops the coordination service and starts it with nothing that it remembers. */
    void wipeService();

    @Override
    void close();
}
