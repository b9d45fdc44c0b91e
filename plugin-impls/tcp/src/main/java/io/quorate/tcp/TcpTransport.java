package io.quorate.tcp;

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
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.transport.Keyring;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Carries frames over TCP, with the JDK alone: one connection for each pair of nodes, one thread for each node. Without
 * {@link Tls} it asks for no proof: anyone who reaches the port can speak for any node.
 *
 * <p>It sends to the nodes of its settings, to voters of which it was {@linkplain #reach told}, at most 64, and to
 * contenders that have called, at most 512. A {@link #send} drops its frame if an attempt to reach the peer failed
 * within the last 0.1 to 1 s; if 64 frames or 256 KiB wait for the peer, the oldest is dropped. A connection is opened
 * when there is something to send, and closed when it has carried nothing for 30 s.
 */
public final class TcpTransport implements Transport {

    private static final Logger LOG = NodeLog.of(TcpTransport.class);

    /** For the name of the address to listen at. */
    private static final long RESOLVE_SECONDS = 10;

    private static final long CLOSE_SECONDS = 5;
    /** Connections that the system holds until they are accepted. */
    private static final int BACKLOG = 128;

    private final TransportProvider.Settings settings;
    private final NodeId self;
    /** Where others reach this node; empty if it listens nowhere. */
    private final Optional<HostAndPort> advertised;

    private final Optional<HostAndPort> listen;

    private boolean started;
    private @Nullable Thread thread;
    private volatile @Nullable Loop loop;
    private volatile Optional<Keyring> keyring = Optional.empty();

    /**
     * A transport that does nothing before {@link #start}. With keys it uses TLS 1.3, on which both sides show a
     * certificate, and all nodes have keys. A certificate names its node: by the alternative name {@code
     * quorate://<cluster id>/<node id>} (a URI). The keys are read at the start, and again when a file has changed.
     *
     * <p>Without an address of its own the node listens nowhere: others send to it over the connections that it opens.
     *
     * @param settings the node, the addresses of nodes, and the keys
     * @throws NullPointerException     if {@code settings} is null
     * @throws IllegalArgumentException if the cluster id is longer than 64 bytes, or a host than 253
     */
    public TcpTransport(TransportProvider.Settings settings) {
        this.settings = settings;
        this.self = settings.self();
        this.advertised = Optional.ofNullable(settings.addresses().get(self));
        this.listen = settings.listen().or(() -> advertised);
        checkLength("cluster id", settings.clusterId(), Wire.CLUSTER_LENGTH_MAX);
        settings.addresses().values().forEach(address -> checkLength("host", address.host(), Wire.HOST_LENGTH_MAX));
    }

    private static void checkLength(String what, String value, int lengthMax) {
        int length = value.getBytes(StandardCharsets.UTF_8).length;
        Check.argument(length <= lengthMax, "%s '%s' of %d bytes: must be at most %d", what, value, length, lengthMax);
    }

    /**
     * {@inheritDoc} Waits for 10 s at most, for the name of the address to listen at. An interrupt ends the wait with a
     * {@link TransportException}, and the thread keeps its flag.
     *
     * @throws IllegalStateException if the transport was started or closed before
     * @throws NullPointerException  if {@code receiver} is null
     */
    @Override
    public synchronized void start(Receiver receiver) {
        Objects.requireNonNull(receiver, "receiver");
        Check.state(!started, "%s: was started before", where());
        started = true;
        start(receiver, new Resolver("quorate-tcp-names-" + self));
    }

    /** @param resolver closed with this transport */
    void start(Receiver receiver, Resolver resolver) {
        Optional<InetSocketAddress> address =
                listen.map(at -> new InetSocketAddress(resolved(resolver, at), at.port()));
        start(receiver, resolver, address);
        if (listen.isPresent() && address.isPresent()) {
            OwnName.warning(listen.get(), address.get().getAddress(), settings.addresses())
                    .ifPresent(text -> LOG.warn("{}: {}", self, text));
        }
    }

    private String where() {
        return listen.map(HostAndPort::toString).orElse("node " + self);
    }

    private InetAddress resolved(Resolver resolver, HostAndPort at) {
        CompletableFuture<InetAddress[]> found = new CompletableFuture<>();
        resolver.resolve(at.host(), 0, found::complete);
        InetAddress[] addresses = {};
        try {
            addresses = found.get(RESOLVE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw failed("the name was not resolved within " + RESOLVE_SECONDS + " s", e);
        } catch (ExecutionException e) {
            throw failed("the name does not resolve", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("interrupted", e);
        } finally {
            if (addresses.length == 0) {
                resolver.close();
            }
        }
        if (addresses.length == 0) {
            throw failed("the name does not resolve", new UnknownHostException(at.host()));
        }
        return addresses[0];
    }

    private void start(Receiver receiver, Resolver resolver, Optional<InetSocketAddress> address) {
        Selector selector = null;
        ServerSocketChannel server = null;
        boolean hasStarted = false;
        try {
            keyring = settings.tls().map(Keyring::new);
            if (address.isPresent()) {
                server = ServerSocketChannel.open();
                server.configureBlocking(false);
                server.bind(address.get(), BACKLOG);
            }
            selector = Selector.open();
            Loop made = new Loop(
                    settings.clusterId(),
                    self,
                    settings.addresses(),
                    advertised,
                    receiver,
                    selector,
                    server,
                    resolver,
                    keyring,
                    settings.proof());
            Thread fresh = new Thread(made, "quorate-tcp-" + self);
            // An election must not keep its application alive.
            fresh.setDaemon(true);
            fresh.start();
            thread = fresh;
            loop = made;
            hasStarted = true;
        } catch (IOException | RuntimeException e) {
            // Justification: an address of another family than the system has, among others, is no IOException.
            throw failed(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        } finally {
            // Also if the system has no thread left, which is an Error.
            if (!hasStarted) {
                resolver.close();
                close(selector);
                close(server);
            }
        }
    }

    private TransportException failed(String reason, Throwable cause) {
        return new TransportException(
                listen.map(at -> "cannot listen at " + at).orElse("cannot start") + ": " + reason, cause);
    }

    private static void close(@Nullable AutoCloseable opened) {
        try {
            if (opened != null) {
                opened.close();
            }
        } catch (Exception e) {
            // Justification: AutoCloseable.close declares it; the start has failed for another reason.
            LOG.debug("closing after a failed start", e);
        }
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
        started().send(to, frame);
    }

    private Loop started() {
        Loop running = loop;
        if (running == null) {
            throw new IllegalStateException("transport of node " + self + ": is not started");
        }
        return running;
    }

    /**
     * {@inheritDoc} From then on the node is a peer as those of the settings: what it says of its address itself, when
     * it calls, does not count. The 64 that were told last are kept.
     *
     * @throws IllegalArgumentException if {@code node} is this node, or the host is longer than 253 bytes
     * @throws IllegalStateException    before {@link #start}
     */
    @Override
    public void reach(NodeId node, HostAndPort address) {
        Check.argument(!node.equals(self), "node %s: is this node", node);
        checkLength("host", address.host(), Wire.HOST_LENGTH_MAX);
        started().reach(node, address);
    }

    /**
     * {@inheritDoc} What waits is sent first, for 0.25 s at most. Waits for 5 s at most, also on a thread that is
     * interrupted; on the transport's own thread it does not wait.
     */
    @Override
    public void close() {
        Thread ending;
        synchronized (this) {
            started = true;
            Loop running = loop;
            ending = thread;
            if (running == null || ending == null) {
                return;
            }
            thread = null;
            running.stop();
        }
        // Without the lock, so that the receiver may close the transport meanwhile.
        if (ending == Thread.currentThread()) {
            return;
        }
        boolean isOver = BoundedWait.isOver(TimeUnit.SECONDS.toNanos(CLOSE_SECONDS), nanos -> {
            TimeUnit.NANOSECONDS.timedJoin(ending, nanos);
            return !ending.isAlive();
        });
        if (!isOver) {
            LOG.warn("{}: did not close within {} s; its thread ends when the receiver returns", self, CLOSE_SECONDS);
        }
    }

    @Override
    public Optional<EventLoop> loop() {
        return Optional.ofNullable(loop);
    }

    @Override
    public Optional<Instant> certificateEnd() {
        return keyring.map(Keyring::end);
    }

    @Override
    public List<Problem> problems() {
        Loop running = loop;
        List<Problem> all = new ArrayList<>(running == null ? List.of() : running.problems());
        keyring.flatMap(Keyring::problem).ifPresent(all::add);
        return List.copyOf(all);
    }

    /** {@return how many frames were not given to the network} Any thread may call this. */
    public long sendsDropped() {
        Loop running = loop;
        return running == null ? 0 : running.counters().sendsDropped.sum();
    }

    /** {@return how much input was in no known form, or made the receiver throw} Any thread may call this. */
    public long inputsDropped() {
        Loop running = loop;
        return running == null ? 0 : running.counters().inputsDropped.sum();
    }

    /** {@return how many connections were refused, at the port or by their first frame} Any thread may call this. */
    public long connectionsRefused() {
        Loop running = loop;
        return running == null ? 0 : running.counters().connectionsRefused.sum();
    }
}
