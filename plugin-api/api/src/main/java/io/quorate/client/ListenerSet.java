package io.quorate.client;

import io.quorate.Listenable;
import io.quorate.engine.SerialDispatcher;
import io.quorate.jvm.NodeLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Listeners in the order in which they were added. Each listener gets its notices one at a time and in order, with any
 * executor.
 *
 * <p>Registering and {@link #deliver} return at once and may be called from any thread; they run no foreign code but
 * {@code equals}.
 */
public final class ListenerSet<T> implements Listenable<T> {

    /** So many calls wait for one task of an executor that refuses others; a connection that comes back needs three. */
    private static final int WAITING_MAX = 8;
    /** So many wait for an executor that takes tasks and does not run them, or for a listener that does not return. */
    private static final int GATHERED_MAX = 1_000;

    private static final Logger LOG = NodeLog.of(ListenerSet.class);

    private final SerialDispatcher dispatcher;
    private final Owner owner;

    /** The owner of listeners; its text goes to the log. */
    public interface Owner {

        /** The path that the listeners hear of; empty if they hear of none. */
        String path();

        /** The monitors that are told how long the listeners take. */
        ClientMonitors monitors();
    }

    /** A call of a listener. */
    public interface Notice<T> {

        void tell(T listener);

        /** A listener has thrown this, or its executor has. That does not count as its return yet. */
        default void threw(Throwable thrown) {}
    }

    // Replaced as a whole, so that a delivery goes to the listeners of one moment.
    private volatile List<Registration> registrations = List.of();

    /**
     * @param dispatcher runs the calls that have no executor, and hands the others to their executors
     * @param owner      the owner of these listeners
     */
    public ListenerSet(SerialDispatcher dispatcher, Owner owner) {
        this.dispatcher = dispatcher;
        this.owner = owner;
    }

    @Override
    public void addListener(T listener) {
        register(Objects.requireNonNull(listener, "listener cannot be null"), Optional.empty());
    }

    @Override
    public void addListener(T listener, Executor executor) {
        Objects.requireNonNull(listener, "listener cannot be null");
        register(listener, Optional.of(Objects.requireNonNull(executor, "executor cannot be null")));
    }

    private void register(T listener, Optional<Executor> executor) {
        Registration replaced = replaced(listener, executor);
        if (replaced != null && replaced.oldest() != null) {
            // The former executor may have thrown their tasks away.
            dispatcher.execute(replaced::submitWaiting);
        }
    }

    /** Answers the registration of this listener that has another executor now; null if this is a new one. */
    private synchronized @Nullable Registration replaced(T listener, Optional<Executor> executor) {
        for (Registration registration : registrations) {
            if (registration.listener.equals(listener)) {
                registration.executor = executor;
                return registration;
            }
        }
        List<Registration> replacement = new ArrayList<>(registrations);
        replacement.add(new Registration(listener, executor));
        registrations = List.copyOf(replacement);
        return null;
    }

    @Override
    public void removeListener(T listener) {
        Registration removed = removed(listener);
        if (removed != null && removed.oldest() != null) {
            // Perhaps its executor has thrown their tasks away, and somebody waits until they are over.
            dispatcher.execute(removed::forgetWaiting);
        }
    }

    private synchronized @Nullable Registration removed(T listener) {
        Registration removed = null;
        List<Registration> replacement = new ArrayList<>();
        for (Registration registration : registrations) {
            if (registration.listener.equals(listener)) {
                registration.isRemoved = true;
                removed = registration;
            } else {
                replacement.add(registration);
            }
        }
        registrations = List.copyOf(replacement);
        return removed;
    }

    /** Forgets all listeners. Notices that {@link #deliver} has queued still arrive. */
    public synchronized void clear() {
        registrations = List.of();
    }

    /**
     * Queues a notice to every listener of this moment. The answer completes when each listener has returned from it,
     * was removed before it, or cannot be called because its executor refused. If there is no listener, it completes at
     * once and without a thread.
     *
     * @param callback the name of the method that the notice calls
     */
    public CompletableFuture<Void> deliver(String callback, Notice<T> notice) {
        List<Registration> due = registrations;
        if (due.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        Delivery<T> delivery =
                new Delivery<>(callback, notice, new AtomicInteger(due.size()), new CompletableFuture<>());
        for (Registration registration : due) {
            dispatcher.execute(new Call<>(delivery, registration));
        }
        return delivery.allReturned;
    }

    /**
     * Completed when the listeners without an executor have returned from all notices that were queued before.
     * Completed at once if there are no listeners, and if a callback asks, because it would wait for itself.
     */
    CompletableFuture<Void> haveReturned() {
        return registrations.isEmpty() ? CompletableFuture.completedFuture(null) : dispatcher.settled();
    }

    /** A notice to all listeners of one moment. */
    private record Delivery<T>(
            String callback, Notice<T> notice, AtomicInteger missing, CompletableFuture<Void> allReturned) {

        /** Once for each listener, when it has returned or cannot be called. */
        void returned() {
            if (missing.decrementAndGet() == 0) {
                allReturned.complete(null);
            }
        }
    }

    /** A notice to one listener. The dispatcher runs it to offer it, and monitors to have the listener called. */
    private record Call<T>(Delivery<T> delivery, ListenerSet<T>.Registration registration)
            implements Runnable, BooleanSupplier {

        @Override
        public void run() {
            registration.offer(this);
        }

        @Override
        public boolean getAsBoolean() {
            return registration.throwsAt(delivery.notice);
        }
    }

    /**
     * A listener, its executor, and the calls that wait for it.
     *
     * <p>Each call is handed to the executor at once, as a task of its own, so that an executor that is shut down after
     * that still runs it. A task is no certain call: it takes the oldest one that waits. A task that finds the listener
     * busy leaves its call to the one that is at it, so that calls neither overlap nor hold up a thread.
     *
     * <p>Few calls wait: a latch begins no tenure before {@code notLeader} has returned or has had its time, and
     * observers and connection listeners hear of changes only.
     */
    private final class Registration {
        private final T listener;
        private volatile Optional<Executor> executor;
        private volatile boolean isRemoved;
        // Null while no call waits, which saves a queue in each of ten thousand latches. Guarded by this.
        private @Nullable Queue<Call<T>> waiting;
        /** Whether a thread calls the listener, or is about to. Guarded by this. */
        private boolean isBusy;
        /** Whether the log knows that too many calls wait. The dispatcher's tasks alone change it. */
        private boolean isOverflowNoted;

        Registration(T listener, Optional<Executor> executor) {
            this.listener = listener;
            this.executor = executor;
        }

        // The dispatcher's tasks alone come here, so that the executor gets the tasks one after the other.
        void offer(Call<T> call) {
            Call<T> displaced = add(call);
            if (displaced != null) {
                if (!isOverflowNoted) {
                    LOG.error("{}: too many callbacks wait for listener {}: the oldest are lost", owner, listener);
                }
                isOverflowNoted = true;
                lose(displaced, new RejectedExecutionException("too many callbacks wait"));
            }
            submit(call);
        }

        void submitWaiting() {
            Call<T> oldest = oldest();
            if (oldest != null) {
                submit(oldest);
            }
        }

        // Justification: catches everything. The executor is the application's; it must not stop the other listeners.
        private void submit(Call<T> call) {
            // A removed listener is not called, and its executor may be gone.
            if (isRemoved) {
                forgetWaiting();
                return;
            }
            Optional<Executor> chosen = executor;
            if (chosen.isEmpty()) {
                callAll();
                return;
            }
            try {
                chosen.get().execute(this::callAll);
            } catch (Throwable e) {
                Call<T> lost = withdraw(call);
                if (lost != null) {
                    LOG.error("{}: the executor of listener {} refused a callback", owner, listener, e);
                    lose(lost, e);
                }
            }
        }

        /** As if it had thrown: what it should have done is not done. */
        private void lose(Call<T> lost, Throwable thrown) {
            if (!isRemoved) {
                lost.delivery.notice.threw(thrown);
            }
            lost.delivery.returned();
        }

        /** It was removed: nobody waits for the calls that it does not get, whatever it does with the last one. */
        private void forgetWaiting() {
            for (Call<T> call = poll(); call != null; call = poll()) {
                call.delivery.returned();
            }
        }

        private synchronized @Nullable Call<T> poll() {
            return waiting == null ? null : waiting.poll();
        }

        private void callAll() {
            for (Call<T> call = begin(); call != null; call = next()) {
                call(call);
            }
        }

        /** Answers the call that gives its place to this one; null as a rule. */
        private synchronized @Nullable Call<T> add(Call<T> call) {
            if (waiting == null) {
                waiting = new ArrayDeque<>(1);
                isOverflowNoted = false;
            }
            waiting.add(call);
            return waiting.size() > GATHERED_MAX ? waiting.poll() : null;
        }

        private synchronized @Nullable Call<T> oldest() {
            return waiting == null ? null : waiting.peek();
        }

        /**
         * Answers the call that is lost; null if none is. A task may have taken the refused one, and the thread at the
         * listener will take it, or the accepted task of a call that waits before it. Where so many wait, that task was
         * thrown away: the oldest one is lost, so that the last one is made if a task comes at last.
         */
        private synchronized @Nullable Call<T> withdraw(Call<T> refused) {
            if (isBusy || waiting == null) {
                return null;
            }
            return waiting.peek() == refused || waiting.size() > WAITING_MAX ? waiting.poll() : null;
        }

        private synchronized @Nullable Call<T> begin() {
            return isBusy ? null : next();
        }

        private synchronized @Nullable Call<T> next() {
            Call<T> oldest = poll();
            if (oldest == null) {
                waiting = null;
            }
            isBusy = oldest != null;
            return oldest;
        }

        private void call(Call<T> call) {
            try {
                if (!isRemoved) {
                    owner.monitors().watch(owner.path(), call.delivery.callback, call);
                }
            } finally {
                call.delivery.returned();
            }
        }

        // Justification: catches everything. The listener is the application's; the next callback must run.
        /** Answers whether the listener has thrown. */
        private boolean throwsAt(Notice<T> notice) {
            try {
                notice.tell(listener);
                return false;
            } catch (Throwable e) {
                LOG.error("{}: listener {} threw", owner, listener, e);
                if (!isRemoved) {
                    notice.threw(e);
                }
                return true;
            }
        }
    }
}
