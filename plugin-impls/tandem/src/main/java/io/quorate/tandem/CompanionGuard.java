package io.quorate.tandem;

import io.quorate.jvm.NodeLog;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;

/** The companion of a tandem, as code of others: what it throws is logged, and counts as not leading. */
final class CompanionGuard {

    private static final Logger LOG = NodeLog.of(CompanionGuard.class);

    private final Companion companion;
    private final String owner;
    private boolean isListening;
    /** Whether it was started, well or not, and not closed since. */
    private boolean isBegun;

    private volatile boolean isOpen;

    /** @param owner for the log */
    CompanionGuard(Companion companion, String owner) {
        this.companion = companion;
        this.owner = owner;
    }

    /** Whether it contends. */
    boolean isOpen() {
        return isOpen;
    }

    /** Starts it; on one thread at a time, as {@link #close}. */
    // Justification: catches everything. The companion is the application's.
    void open(Runnable changed) {
        try {
            if (!isListening) {
                companion.onChange(changed);
                isListening = true;
            }
            isBegun = true;
            companion.start();
            isOpen = true;
        } catch (Throwable e) {
            LOG.error("{}: its companion did not start, and is started again after a while", owner, e);
            close();
        }
    }

    // Justification: catches everything. The companion is the application's.
    void close() {
        // Before: it must not count as leading while it ends.
        isOpen = false;
        if (!isBegun) {
            return;
        }
        isBegun = false;
        try {
            companion.close();
        } catch (Throwable e) {
            LOG.error("{}: its companion threw when it was closed", owner, e);
        }
    }

    /** The companion's contenders, as far as it knows them; the list is the caller's. */
    // Justification: catches everything. The companion is the application's.
    Set<String> participants() {
        try {
            return isOpen ? new TreeSet<>(companion.participants()) : new TreeSet<>();
        } catch (Throwable e) {
            LOG.warn("{}: its companion threw when it was asked who contends on the old side", owner, e);
            return new TreeSet<>();
        }
    }

    /** Whether it leads at this moment. */
    // Justification: catches everything. The companion is the application's.
    boolean leads() {
        try {
            return isOpen && companion.hasLeadership();
        } catch (Throwable e) {
            LOG.error("{}: its companion threw when it was asked whether it leads, which counts as no", owner, e);
            return false;
        }
    }
}
