package io.quorate.engine;

import io.quorate.jvm.NodeLog;
import io.quorate.spi.NodeId;
import org.slf4j.Logger;

/** Runs foreign code, listeners and callbacks; their exceptions harm nobody else. */
public final class Guard {

    private static final Logger LOG = NodeLog.of(Guard.class);

    private Guard() {}

    /**
     * Runs a listener. Its exceptions and errors are logged: a broken class path or an endless recursion is the
     * listener's own fault. A {@link VirtualMachineError}, such as a full heap, is thrown on: the next allocation of
     * the node may fail as well.
     *
     * @return whether it returned without throwing
     * @throws VirtualMachineError what it threw, unless that is a {@link StackOverflowError}
     */
    public static boolean tell(NodeId self, Runnable listener) {
        try {
            listener.run();
            return true;
        } catch (Throwable e) {
            threw(self, e);
            return false;
        }
    }

    /** Handles an exception of a listener as {@link #tell} does, for a caller that has caught it. */
    public static void threw(NodeId self, Throwable e) {
        Fatal.throwIfFatal(e);
        LOG.error("node {}: a listener threw", self, e);
    }

    // Justification: catches everything. The application's code may throw what it likes; the next callback must run.
    /** Runs a callback on a thread that serves others afterwards. Its exceptions and errors are logged. */
    public static void callback(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            NodeLog.lastWords(LOG, "{} threw", "A callback", e);
        } finally {
            // An interrupt that a callback left behind was not meant for the next one.
            Thread.interrupted();
        }
    }
}
