package io.quorate.vertx;

import io.quorate.jvm.BoundedWait;
import io.quorate.jvm.NodeLog;
import io.quorate.spi.Check;
import io.quorate.spi.EventLoop;
import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.Tls;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportException;
import io.quorate.spi.TransportProvider;
import io.quorate.transport.Keyring;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Carries frames over the event bus of a clustered Vertx: its own Vertx, or the application's. On the application's
 * Vertx each node consumes the address {@code quorate.<cluster id>.<node id>}. There is one transport per node id and
 * Vertx, and all nodes of a cluster use the same kind.
 *
 * <p>{@link #start} waits, and refuses to run on an event loop thread. {@link #close} waits too, except on an event
 * loop thread. A {@link #send} drops its frame if the peer has 32 writes under way, or one while it is unreachable, or
 * if an attempt to reach the peer failed within the last 0.1 to 1 s. The first frame from such a peer ends this pause.
 */
public final class VertxTransport implements Transport {

    private static final Logger LOG = NodeLog.of(VertxTransport.class);

    /** To listen takes milliseconds. With a name that does not resolve, or on a loaded machine, it takes seconds. */
    private static final long START_SECONDS = 15;

    private static final long CLOSE_SECONDS = 5;

    private final Opening opening;
    private final boolean ownsVertx;
    private final String where;
    private final String clusterId;
    private final NodeId self;
    private final Map<NodeId, TransportProvider.HostAndPort> addresses;
    private final Optional<Tls> tls;

    private boolean started;
    private @Nullable Vertx vertx;
    private volatile @Nullable Keyring keyring;
    /**
     * Null before the start, because it loads Vert.x and Netty. A node that starts has more time for that once its
     * quarantine runs.
     */
    private volatile @Nullable Endpoint endpoint;

    /** Where the Vertx comes from. */
    @FunctionalInterface
    private interface Opening {
        /** @param keyring null if there is no TLS, or not by us */
        Future<Vertx> open(Endpoint own, @Nullable Keyring keyring);
    }

    private VertxTransport(
            Opening opening,
            boolean ownsVertx,
            String where,
            String clusterId,
            NodeId self,
            Map<NodeId, TransportProvider.HostAndPort> addresses,
            Optional<Tls> tls) {
        this.opening = opening;
        this.ownsVertx = ownsVertx;
        this.where = where;
        this.clusterId = clusterId;
        this.self = self;
        this.addresses = addresses;
        this.tls = tls;
    }

    /**
     * Makes a transport on the application's Vertx. The application closes its Vertx itself, after this transport. The
     * description of this package has the EventBusOptions that this Vertx should have.
     *
     * @param clusteredVertx with any cluster manager; the Vertx of each other node must be in the same Vert.x cluster
     * @param clusterId      the cluster id of the client
     * @param self           the node id of the client
     * @return a transport that does nothing before {@link #start}
     * @throws IllegalArgumentException if the Vertx is not clustered
     */
    public static VertxTransport on(Vertx clusteredVertx, String clusterId, NodeId self) {
        Check.argument(
                clusteredVertx.isClustered(),
                "Vertx: must be clustered, or no other node can be reached. Build"
                        + " it with Vertx.builder().withClusterManager(...).buildClustered(), or use"
                        + " VertxTransport.embedded(...)");
        String where = "event bus address " + address(clusterId, self);
        return new VertxTransport(
                (own, keyring) -> Future.succeededFuture(clusteredVertx),
                false,
                where,
                clusterId,
                self,
                Map.of(),
                Optional.empty());
    }

    /**
     * Makes a transport that makes a Vertx of its own at {@link #start}: with one event loop, daemon threads and no
     * files. It sends only to the other nodes of {@code settings}. With keys it uses TLS 1.3, and both sides show a
     * certificate, which must name a node of this cluster: by the alternative name {@code quorate://<cluster id>/<node
     * id>} (a URI); a frame in the name of another node is not heard. The keys are read at the start, and again when a
     * file has changed.
     *
     * @param settings the node, the addresses of all nodes, and the keys
     * @return a transport that does nothing before {@link #start}
     * @throws NullPointerException     if {@code settings} is null
     * @throws IllegalArgumentException if the addresses lack the node; or if there are keys, and a node at port 53
     */
    public static VertxTransport embedded(TransportProvider.Settings settings) {
        TransportProvider.HostAndPort advertised = settings.addresses().get(settings.self());
        if (advertised == null) {
            throw new IllegalArgumentException("node " + settings.self() + ": is not among the addresses "
                    + settings.addresses() + ", and over the event bus each node listens: name it in the peers, or"
                    + " choose a transport that can do without, such as transport(\"tcp\")");
        }
        TransportProvider.HostAndPort listen = settings.listen().orElse(advertised);
        settings.tls().ifPresent(tls -> settings.addresses()
                .forEach((node, address) -> Check.argument(
                        address.port() != OwnChannels.NAME_SERVER_PORT,
                        "node %s at %s: must be at another port, with keys: this one is that of name servers",
                        node,
                        address)));
        Opening opening = (own, keyring) -> {
            StaticClusterManager nodes =
                    new StaticClusterManager(settings.clusterId(), settings.self(), settings.addresses());
            nodes.connector(own::connect);
            VertxBuilder builder =
                    Vertx.builder().with(EmbeddedOptions.vertx(listen)).withClusterManager(nodes);
            return new OwnChannels(settings.clusterId(), settings.self(), keyring, own)
                    .vertx(builder, listen)
                    .onSuccess(VertxTransport::refuseForeignObjects);
        };
        return new VertxTransport(
                opening,
                true,
                listen.toString(),
                settings.clusterId(),
                settings.self(),
                settings.addresses(),
                settings.tls());
    }

    /** The event bus address of the node on an application's Vertx, which other clusters may share. */
    static String address(String clusterId, NodeId node) {
        return "quorate." + clusterId + "." + node;
    }

    /**
     * The event bus address of the node on a Vertx of our own. It lacks the cluster id so that a frame of another
     * cluster, whose configuration leads here by mistake, arrives and is named in the log.
     */
    static String address(NodeId node) {
        return "quorate." + node;
    }

    /** A Vertx of ours gets nothing but buffers. Another sender must not choose which classes this process loads. */
    private static void refuseForeignObjects(Vertx vertx) {
        vertx.eventBus().serializableChecker(name -> false).clusterSerializableChecker(name -> false);
        vertx.exceptionHandler(failure -> LOG.debug("in Vert.x", failure));
    }

    /**
     * {@inheritDoc} Waits for about 15 s at most. An interrupt ends the wait with a {@link TransportException}, and the
     * thread keeps its flag.
     *
     * @throws IllegalStateException if the transport was started or closed before, or if this is an event loop thread,
     *                               which must not wait
     * @throws NullPointerException  if {@code receiver} is null
     */
    @Override
    public synchronized void start(Receiver receiver) {
        Objects.requireNonNull(receiver, "receiver");
        Check.state(!started, "%s: was started before", where);
        Check.state(
                !Context.isOnEventLoopThread(),
                "%s: starting waits, which an event loop must not; call ElectionClient.startAsync()",
                where);
        started = true;
        Keyring keys = keys();
        keyring = keys;
        Endpoint own = new Endpoint(clusterId, self, addresses);
        endpoint = own;
        Future<Vertx> opened = opening.open(own, keys);
        Future<?> listening = opened.compose(ready -> {
            own.prepare(ready, receiver);
            return ready.deployVerticle(own);
        });
        try {
            await(listening, START_SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw failed(own, opened, listening, String.valueOf(cause.getMessage()), cause);
        } catch (TimeoutException e) {
            throw failed(own, opened, listening, "no answer within " + START_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(own, opened, listening, "interrupted", e);
        }
        vertx = opened.result();
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if {@code frame} is longer than {@link #FRAME_LENGTH_MAX}
     * @throws IllegalStateException    before {@link #start}
     */
    @Override
    public void send(NodeId to, byte[] frame) {
        Transport.checkLength(frame);
        Endpoint own = endpoint;
        if (own == null) {
            throw new IllegalStateException("transport of node " + self + ": is not started");
        }
        own.send(to, frame);
    }

    /**
     * {@inheritDoc} Waits for about 10 s at most. On an event loop thread it does not wait, and logs that {@code
     * ElectionClient.closeAsync()} belongs there.
     */
    @Override
    public synchronized void close() {
        started = true;
        if (endpoint == null) {
            return;
        }
        endpoint.stop();
        if (vertx == null) {
            return;
        }
        if (Context.isOnEventLoopThread()) {
            LOG.warn(
                    "{}: closed on an event loop, which must not wait, so nothing tells when this is done; call"
                            + " ElectionClient.closeAsync()",
                    where);
        }
        Vertx closing = vertx;
        vertx = null;
        awaitClosed(endpoint.undeployed());
        if (ownsVertx) {
            awaitClosed(closing.close());
        }
    }

    /** {@inheritDoc} On an application's Vertx there is none: the application may block its event loop. */
    @Override
    public Optional<EventLoop> loop() {
        Endpoint running = endpoint;
        return running == null ? Optional.empty() : running.loop();
    }

    @Override
    public Optional<String> failure() {
        Endpoint running = endpoint;
        return running == null ? Optional.empty() : running.failure();
    }

    @Override
    public Optional<Instant> certificateEnd() {
        return Optional.ofNullable(keyring).map(Keyring::end);
    }

    @Override
    public List<Problem> problems() {
        Endpoint running = endpoint;
        List<Problem> all = new ArrayList<>(running == null ? List.of() : running.problems());
        Optional.ofNullable(keyring).flatMap(Keyring::problem).ifPresent(all::add);
        return List.copyOf(all);
    }

    /** {@return how many frames were not given to the network, or failed there} Any thread may call this. */
    public long sendsDropped() {
        return endpoint == null ? 0 : endpoint.sendsDropped();
    }

    /** {@return how many messages were no frames, or made the receiver throw} Any thread may call this. */
    public long inputsDropped() {
        return endpoint == null ? 0 : endpoint.inputsDropped();
    }

    /**
     * {@return how many connections were refused because too many came} On an application's Vertx it is 0: there nobody
     * is refused. Any thread may call this.
     */
    public long connectionsRefused() {
        return endpoint == null ? 0 : endpoint.callers().refused();
    }

    private @Nullable Keyring keys() {
        try {
            return tls.map(Keyring::new).orElse(null);
        } catch (IllegalArgumentException e) {
            throw new TransportException("cannot listen at " + where + ": " + e.getMessage(), e);
        }
    }

    private TransportException failed(
            Endpoint own, Future<Vertx> opened, Future<?> listening, String reason, Throwable cause) {
        own.stop();
        // A deployment that succeeds too late is taken back as well.
        listening.onSuccess(ignored -> own.undeployed());
        if (ownsVertx) {
            awaitClosed(opened.transform(
                    result -> result.succeeded() ? result.result().close() : Future.succeededFuture()));
        }
        return new TransportException("cannot listen at " + where + ": " + reason, cause);
    }

    private void awaitClosed(Future<?> closing) {
        if (Context.isOnEventLoopThread()) {
            return;
        }
        CompletableFuture<?> closed = closing.toCompletionStage().toCompletableFuture();
        if (!BoundedWait.isOver(TimeUnit.SECONDS.toNanos(CLOSE_SECONDS), closed)) {
            LOG.warn("{}: did not close within {} s; its threads end when it does", where, CLOSE_SECONDS);
        } else if (closed.isCompletedExceptionally()) {
            LOG.debug("{}: closing failed", where, closing.cause());
        }
    }

    private static void await(Future<?> future, long seconds)
            throws ExecutionException, TimeoutException, InterruptedException {
        future.toCompletionStage().toCompletableFuture().get(seconds, TimeUnit.SECONDS);
    }
}
