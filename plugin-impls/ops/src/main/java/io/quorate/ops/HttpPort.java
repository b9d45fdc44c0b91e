package io.quorate.ops;

import io.quorate.jvm.Daemons;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP server: Jetty, which reads requests without a thread for each, and {@link Callers}, which bound connections
 * and time. Its few daemon threads run nothing that waits: what waits has a {@link Lane}.
 */
final class HttpPort implements AutoCloseable {

    /** Connections that the system holds until they are accepted. */
    private static final int BACKLOG = 128;

    /** One accepts, one looks for what has come, the others read, answer and shake hands, while there is work. */
    private static final int THREADS_MAX = 8;

    private static final int THREADS_MIN = 3;

    private static final int IDLE_MILLIS = 10_000;

    /** Idle threads end at once; none is busy for longer. */
    private static final int STOP_MILLIS = 1000;

    private final String name;
    private final ServerSocketChannel channel;
    private final InetSocketAddress address;
    private final ScheduledExecutorScheduler scheduler;
    private final Callers callers;
    private final Server server;

    /** Tells {@link Callers} who comes and goes. */
    private static final class Connector extends ServerConnector {
        private final Callers callers;

        private Connector(Server server, Callers callers, ConnectionFactory... factories) {
            super(server, 1, 1, factories);
            this.callers = callers;
        }

        @Override
        protected void onEndPointOpened(EndPoint endPoint) {
            super.onEndPointOpened(endPoint);
            callers.opened(endPoint);
        }

        @Override
        protected void onEndPointClosed(EndPoint endPoint) {
            callers.closed(endPoint);
            super.onEndPointClosed(endPoint);
        }
    }

    /**
     * Binds the port, and answers nothing yet.
     *
     * @param ssl   what HTTPS is spoken with; null for HTTP
     * @param limit for a request to come, and for its answer to be sent
     * @param name  of the threads
     * @param news  is told what an operator should read
     */
    HttpPort(InetSocketAddress at, @Nullable SSLContext ssl, Duration limit, String name, Consumer<String> news)
            throws IOException {
        this.name = name;
        channel = ServerSocketChannel.open();
        try {
            channel.bind(at, BACKLOG);
            address = (InetSocketAddress) channel.getLocalAddress();
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        scheduler = new ScheduledExecutorScheduler(name, true);
        callers = new Callers(limit, scheduler, System::nanoTime, news);
        QueuedThreadPool threads = new QueuedThreadPool(THREADS_MAX, THREADS_MIN, IDLE_MILLIS);
        threads.setName(name);
        threads.setDaemon(true);
        threads.setReservedThreads(0);
        threads.setStopTimeout(STOP_MILLIS);
        server = new Server(threads, scheduler, null);
        server.setStopTimeout(0);
        server.setErrorHandler(HttpPort::refuse);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        // The headers that it remembers for a connection are compared without regard to case, tokens too.
        http.setHeaderCacheSize(0);
        HttpConnectionFactory requests = new HttpConnectionFactory(http);
        Connector connector = ssl == null
                ? new Connector(server, callers, requests)
                : new Connector(server, callers, new SslConnectionFactory(keys(ssl), requests.getProtocol()), requests);
        // Callers bound all times.
        connector.setIdleTimeout(0);
        connector.open(channel);
        server.addConnector(connector);
    }

    private static SslContextFactory.Server keys(SSLContext ssl) {
        SslContextFactory.Server keys = new SslContextFactory.Server();
        keys.setSslContext(ssl);
        keys.setRenegotiationAllowed(false);
        return keys;
    }

    InetSocketAddress address() {
        return address;
    }

    /**
     * Makes threads for requests that may wait.
     *
     * @param threads how many requests are answered at one time
     * @param crowd   the reason that those are told who get no turn
     */
    Lane lane(int threads, String crowd) {
        return new Lane(name, threads, crowd, scheduler);
    }

    /**
     * Makes a thread for requests that wait for nothing, so that no others hold them up. Each connection has one
     * request there at most; if more of them wait, because their connections have gone, the caller's thread runs the
     * next.
     */
    ThreadPoolExecutor ownThread() {
        return new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(Callers.MAX),
                Daemons.named(name),
                new ThreadPoolExecutor.CallerRunsPolicy());
    }

    void open(Consumer<Exchange> endpoints) {
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Exchange exchange = new Exchange(request, response, callback, callers);
                // Requests have their turns in the order in which they came, one of each connection. Without this the
                // server's thread would answer all requests of a connection, as long as more of them come.
                server.getThreadPool().execute(() -> {
                    try {
                        endpoints.accept(exchange);
                    } catch (Throwable e) {
                        // Justification: catches everything, as the server does with what a handler throws.
                        callback.failed(e);
                    }
                });
                return true;
            }
        });
        try {
            server.start();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP server does not start", e);
        }
    }

    /** Malformed requests get an answer as all others do. */
    private static boolean refuse(Request request, Response response, Callback callback) {
        Object cause = request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
        int status = cause instanceof HttpException known ? known.getCode() : response.getStatus();
        Answer answer = Answer.of(
                new Refused(status, "no request of HTTP that is read here: " + HttpStatus.getMessage(status)));
        response.setStatus(status);
        answer.headersTo(response.getHeaders());
        response.write(true, answer.bytes(), callback);
        return true;
    }

    /** Closes the port and all connections. */
    @Override
    public void close() {
        // Reads and writes fail before the server would answer.
        callers.close();
        try {
            server.stop();
            channel.close();
        } catch (Exception e) {
            // Justification: the server throws the errors of its parts when it stops them. Nobody can do more about
            // them.
            throw new IllegalStateException("the HTTP server does not stop", e);
        }
    }
}
