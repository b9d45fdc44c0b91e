package io.quorate.demo;

import io.quorate.history.HistoryEvent;
import io.quorate.history.HistoryEvent.Kind;
import io.quorate.history.HistoryFile;

/**
 * What the leader writes to: refuses a token below the highest that it has seen, and writes down what it did. Writes of
 * a paused or killed process arrive late, as they would over a network. Safe for any thread.
 */
final class Resource implements AutoCloseable {

    private final HistoryFile file;
    private long highest;
    private boolean isClosed;

    Resource(HistoryFile file) {
        this.file = file;
    }

    /** No effect after {@link #close}. */
    synchronized void write(String client, long token) {
        if (isClosed) {
            return;
        }
        long now = System.nanoTime();
        boolean isAccepted = token >= highest;
        if (isAccepted) {
            highest = token;
        }
        file.add(new HistoryEvent(isAccepted ? Kind.ACCEPTED : Kind.REJECTED, client, DemoNode.PATH, token, now, now));
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        file.close();
    }
}
