package io.quorate.camel;

import java.util.concurrent.locks.ReentrantLock;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterEventListener.Leadership;
import org.apache.camel.cluster.CamelClusterEventListener.Membership;
import org.apache.camel.cluster.CamelClusterMember;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener of a view, and what it was told last. It is told how things are at the moment of the call, and nothing
 * but a loss twice from one start of the view to its next stop. Its lock keeps its calls in order. It is taken before
 * others can know of this object, so a thread that has locks of its own while it adds a listener waits for nobody; and
 * the removal does not take it.
 */
final class Registration {

    private static final Logger LOG = LoggerFactory.getLogger(QuorateClusterView.class);
    private static final String NOBODY = "";

    private final QuorateClusterView view;
    private final CamelClusterEventListener listener;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean isEnded;
    // Both are guarded by the lock: the id of the leader, and the start of the view since which it was told.
    private String told = NOBODY;
    private @Nullable Object toldSince;

    Registration(QuorateClusterView view, CamelClusterEventListener listener) {
        this.view = view;
        this.listener = listener;
    }

    /** Tells the listener how things are, if the view is started, before anything that happens once it is added. */
    void begin(Runnable add) {
        lock.lock();
        try {
            add.run();
            if (view.isRunAllowed()) {
                Object start = view.contention();
                tell(view.getLeader().orElse(null), start);
                if (listener instanceof Membership membership) {
                    view.getMembers().forEach(member -> call(() -> membership.memberAdded(view, member)));
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Tells the listener who leads, if that has changed since this start of the view, before which nobody led. */
    void tell(Object start) {
        lock.lock();
        try {
            CamelClusterMember leader = view.getLeader().orElse(null);
            String before = toldSince == start ? told : NOBODY;
            if (!before.equals(id(leader)) && view.isRunAllowed()) {
                tell(leader, start);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Tells a listener of this start again how things are, unless the local member leads. */
    void remind(Object start) {
        lock.lock();
        try {
            if (toldSince == start && !view.getLocalMember().isLeader() && view.isRunAllowed()) {
                tell(view.getLeader().orElse(null), start);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Tells the loss to a listener for which the local member led when the view stopped. */
    void stopped(Object ended) {
        lock.lock();
        try {
            if (toldSince == ended && told.equals(view.getLocalMember().getId())) {
                tell(null, ended);
            }
        } finally {
            lock.unlock();
        }
    }

    private void tell(@Nullable CamelClusterMember leader, @Nullable Object start) {
        told = id(leader);
        toldSince = start;
        if (listener instanceof Leadership leadership) {
            call(() -> leadership.leadershipChanged(view, leader));
        }
    }

    private static String id(@Nullable CamelClusterMember leader) {
        return leader == null ? NOBODY : leader.getId();
    }

    /** Ends it if it is that of this listener. Answers whether it is. A call that has begun goes on. */
    boolean end(@Nullable CamelClusterEventListener removed) {
        if (listener != removed) {
            return false;
        }
        isEnded = true;
        return true;
    }

    // Justification: catches everything. The listener is the application's, and others wait for their turn.
    private void call(Runnable event) {
        if (isEnded) {
            return;
        }
        try {
            event.run();
        } catch (Throwable e) {
            LOG.warn("Namespace {}: a listener threw", view.getNamespace(), e);
        }
    }
}
