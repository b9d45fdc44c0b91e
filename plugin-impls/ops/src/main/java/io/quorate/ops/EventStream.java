package io.quorate.ops;

import io.quorate.jvm.Daemons;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server-sent events for pages that are open: one each second, for as long as a page listens. One thread makes them for
 * all pages, while there are some. A stream ends after some minutes; the page then asks again by itself.
 */
final class EventStream implements AutoCloseable {

    /** Pages that listen at one time; a further one is told to ask again. */
    static final int STREAMS_MAX = 8;

    /** A page that was closed without a word is found out by then. */
    private static final Duration LENGTH = Duration.ofMinutes(2);

    private static final Duration PERIOD = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(OpsServer.class);

    private final Source source;
    private final ScheduledThreadPoolExecutor thread;

    // Both are guarded by this.
    private final Set<Stream> open = new LinkedHashSet<>();
    private boolean isTicking;

    @FunctionalInterface
    interface Source {
        String next() throws IOException;
    }

    private static final class Stream {
        private final Exchange exchange;
        private final long begunAt = System.nanoTime();

        /** Guarded by the EventStream. A page to which the piece before is still on its way misses an event. */
        private boolean isSending;

        private Stream(Exchange exchange) {
            this.exchange = exchange;
        }
    }

    EventStream(String name, Source source) {
        this.source = source;
        thread = new ScheduledThreadPoolExecutor(1, Daemons.named(name));
        thread.setKeepAliveTime(2 * PERIOD.toMillis(), TimeUnit.MILLISECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Begins to tell a page.
     *
     * @throws Refused if too many listen
     */
    void begin(Exchange exchange) throws Refused {
        Stream stream = new Stream(exchange);
        synchronized (this) {
            if (open.size() >= STREAMS_MAX) {
                throw new Refused(503, STREAMS_MAX + " pages listen already: close one");
            }
            open.add(stream);
        }
        new Answer(200, Map.of(Answer.TYPE, "text/event-stream"), "").headersTo(exchange.begin());
        // Pages come back so soon after the end of the stream.
        send(stream, "retry: 1000\n\n");
        try {
            thread.execute(() -> tell(Set.of(stream)));
            tick();
        } catch (RejectedExecutionException e) {
            // The server closes, and with it all connections.
            LOG.debug("closing", e);
        }
    }

    private synchronized void tick() {
        if (!isTicking && !open.isEmpty()) {
            thread.schedule(this::tellAll, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
            isTicking = true;
        }
    }

    private void tellAll() {
        Set<Stream> told;
        Set<Stream> over = new LinkedHashSet<>();
        synchronized (this) {
            for (Stream stream : open) {
                if (System.nanoTime() - stream.begunAt >= LENGTH.toNanos()) {
                    over.add(stream);
                }
            }
            open.removeAll(over);
            told = new LinkedHashSet<>(open);
        }
        over.forEach(stream -> {
            if (begins(stream)) {
                stream.exchange.end();
            } else {
                stream.exchange.abort(new IOException("the page does not read"));
            }
        });
        tell(told);
        synchronized (this) {
            isTicking = false;
            if (!thread.isShutdown()) {
                tick();
            }
        }
    }

    private void tell(Set<Stream> told) {
        try {
            String event = "data: " + source.next() + "\n";
            told.forEach(stream -> send(stream, event));
        } catch (Throwable e) {
            // Justification: it asks suppliers of the application. The pages come back, and hear of it again.
            LOG.error("The events of the page failed", e);
            told.forEach(stream -> end(stream, e));
        }
    }

    /** Whether nothing is on its way to this page; from now on something is. */
    private synchronized boolean begins(Stream stream) {
        boolean isFree = !stream.isSending;
        stream.isSending = true;
        return isFree;
    }

    private synchronized void sent(Stream stream) {
        stream.isSending = false;
    }

    private void send(Stream stream, String piece) {
        if (begins(stream)) {
            // A failure means that the page has gone.
            stream.exchange.sendPiece(piece, Callback.from(() -> sent(stream), cause -> end(stream, cause)));
        }
    }

    private void end(Stream stream, Throwable cause) {
        boolean wasOpen;
        synchronized (this) {
            wasOpen = open.remove(stream);
        }
        if (wasOpen) {
            stream.exchange.abort(cause);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
