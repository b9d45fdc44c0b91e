package io.quorate.jvm;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.ThreadFactory;

/**
 * Makes daemon threads, which do not keep an application alive, and keep nothing of their creators: neither a class
 * loader, nor inherited thread-local values. For engines and transports. Any thread may call this.
 */
public final class Daemons {

    private Daemons() {}

    /**
     * {@return a thread that is not started}
     *
     * @param name of the thread
     * @param work what it does
     */
    // A thread has the protection domains of all callers of its maker, and so their class loaders.
    @SuppressWarnings({"removal", "ThreadPriorityCheck"})
    public static Thread thread(String name, Runnable work) {
        Thread thread = AccessController.doPrivileged(
                (PrivilegedAction<Thread>) () -> new Thread(topmostGroup(), work, name, 0, false));
        thread.setDaemon(true);
        thread.setPriority(Thread.NORM_PRIORITY);
        thread.setContextClassLoader(Daemons.class.getClassLoader());
        return thread;
    }

    private static ThreadGroup topmostGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /**
     * {@return what makes such threads, all of this name}
     *
     * @param name of the threads
     */
    public static ThreadFactory named(String name) {
        return work -> thread(name, work);
    }
}
