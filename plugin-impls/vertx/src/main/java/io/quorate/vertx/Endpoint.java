package io.quorate.vertx;

import io.quorate.jvm.NodeLog;
import io.quorate.spi.EventLoop;
import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.transport.Problems;
import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.MessageProducer;
import io.vertx.core.net.NetClient;
import io.vertx.core.spi.cluster.NodeInfo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A node's place on the event bus, with a context of its own on which it receives and writes. A message is a Buffer:
 * the length of the sender's id in one byte, the id, the frame.
 *
 * <p>On a Vertx of our own the bus asks before each connection (see {@link StaticClusterManager.Connector}). It gets
 * its answer when somebody listens there, because it logs each connection that it cannot make, with a stack trace. On
 * an application's Vertx the addresses are not known, so there are pauses between the writes to a peer that is not
 * reached.
 *
 * <p>Deployed as a verticle, because that is the public way to a context that nobody else uses: connections opened on
 * it report their failures to its exception handler.
 */
final class Endpoint implements Deployable {

    // Users of the package know one logger, whichever class writes the line.
    private static final Logger LOG = NodeLog.of(VertxTransport.class);

    /** The most peers that are kept. Beyond that, the least recently used one is forgotten, which is never a voter. */
    static final int PEERS_MAX = 1024;

    private static final long MILLI = 1_000_000;

    /**
     * From one connection to a peer to the next one. A peer that accepts and closes in turns, because it finds our
     * frames or keys wrong, must neither keep both busy nor be called more often than it lets in.
     */
    private static final long CONNECT_NANOS = 200 * MILLI;

    private final String clusterId;
    private final NodeId self;
    /** Where the peers listen, on a Vertx of our own; else empty. */
    private final Map<NodeId, HostAndPort> addresses;

    private final Callers callers;
    /** Event bus addresses that lead here; on a Vertx of our own those of the other nodes too. */
    private final Set<String> consumed;

    private final byte[] prefix;
    private final Map<String, Peer> peers = new ConcurrentHashMap<>();
    private final Problems problems = new Problems(System::nanoTime);
    private final LongAdder sendsDropped = new LongAdder();
    private final LongAdder inputsDropped = new LongAdder();
    private final AtomicBoolean receiverFailed = new AtomicBoolean();
    /** For an application's Vertx, whose connections are not ours to end. */
    private final Transport.Standing shared = new Transport.Standing();

    @SuppressWarnings("NullAway.Init") // by prepare
    private Vertx vertx;

    @SuppressWarnings("NullAway.Init") // by prepare
    private Transport.Receiver receiver;

    private final List<MessageConsumer<Object>> consumers = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // by deploy
    private NetClient knocker;
    /** Null until it is deployed. */
    @SuppressWarnings("NullAway.Init")
    private volatile Context context;

    private volatile boolean stopped;
    /** Whether the Vertx was closed before this was stopped. */
    private volatile boolean isAbandoned;
    /** The threads that carry messages and accept connections; null as long as they are not known. */
    private volatile @Nullable Thread carrier;

    private volatile @Nullable Thread acceptor;
    /** What somebody on the loop waits for, by the number of its timer. Only the context touches it. */
    private final Map<Long, Runnable> scheduled = new HashMap<>();

    /** A peer that frames are written to. */
    private static final class Peer {
        private final NodeId id;
        private final MessageProducer<Buffer> producer;
        private final PeerGate gate = new PeerGate();
        private volatile long usedAt;
        /** The question of the bus that waits while nobody listens there. Only the context touches it. */
        private Optional<Runnable> attempt = Optional.empty();

        private long timer;
        /** When the bus may connect again. Only the context touches it. */
        private long connectAt;

        private Peer(NodeId id, MessageProducer<Buffer> producer) {
            this.id = id;
            this.producer = producer;
            this.connectAt = System.nanoTime();
        }
    }

    /**
     * Not yet on a Vertx.
     *
     * @param addresses where peers listen, as far as that is known: empty on an application's Vertx
     */
    Endpoint(String clusterId, NodeId self, Map<NodeId, HostAndPort> addresses) {
        this.clusterId = clusterId;
        this.self = self;
        this.addresses = addresses;
        this.callers = new Callers(self, addresses);
        // If the address of another node leads to us, the log must say so.
        this.consumed = ownsBus()
                ? addresses.keySet().stream().map(VertxTransport::address).collect(Collectors.toUnmodifiableSet())
                : Set.of(VertxTransport.address(clusterId, self));
        byte[] id = self.value().getBytes(StandardCharsets.US_ASCII);
        this.prefix = Buffer.buffer(1 + id.length)
                .appendByte((byte) id.length)
                .appendBytes(id)
                .getBytes();
    }

    /** Called before it is deployed on {@code where}. */
    void prepare(Vertx where, Transport.Receiver to) {
        vertx = where;
        receiver = to;
    }

    @Override
    public Future<?> deploy(Context own) {
        carrier = Thread.currentThread();
        own.exceptionHandler(failure -> LOG.debug("{}: in Vert.x", self, failure));
        knocker = vertx.createNetClient(EmbeddedOptions.knocker());
        if (!ownsBus()) {
            // On a bus of our own no message comes so far.
            consumed.forEach(this::consume);
        }
        context = own;
        return Future.all(consumers.stream().map(MessageConsumer::completion).toList());
    }

    private void consume(String address) {
        consumers.add(vertx.eventBus().consumer(address, this::received));
    }

    /** The callers of our own bus. */
    Callers callers() {
        return callers;
    }

    /** Whether messages to this address of the event bus are for here. */
    boolean isOurs(String address) {
        return consumed.contains(address);
    }

    private boolean ownsBus() {
        return !addresses.isEmpty();
    }

    @Override
    public Future<?> undeploy(Context own) {
        isAbandoned = !stopped;
        stop();
        // The deployment takes its timers with it, and code that lives here would sleep for ever.
        scheduled.values().forEach(task -> own.runOnContext(ignored -> task.run()));
        scheduled.clear();
        return Future.join(consumers.stream().map(MessageConsumer::unregister).toList())
                .eventually(knocker::close);
    }

    /** From now on nothing is sent or received. */
    void stop() {
        stopped = true;
    }

    /** Connections are accepted on this thread, which others cannot see from outside. */
    void acceptsHere() {
        acceptor = Thread.currentThread();
    }

    /** Why nothing arrives although this was not stopped; empty otherwise. Any thread. */
    Optional<String> failure() {
        if (isAbandoned) {
            return Optional.of("the Vertx on which it runs was closed before the client; close the client first");
        }
        return hasEnded(carrier) || hasEnded(acceptor)
                ? Optional.of("an event loop of its Vertx has ended")
                : Optional.empty();
    }

    private boolean hasEnded(@Nullable Thread thread) {
        return !stopped && thread != null && !thread.isAlive();
    }

    /** Stops; completes when the event bus has forgotten the address. */
    Future<?> undeployed() {
        stop();
        try {
            return vertx.undeploy(context.deploymentID());
        } catch (RejectedExecutionException e) {
            // The application closed its Vertx before this transport, and that undeployed everything.
            return Future.succeededFuture();
        }
    }

    long sendsDropped() {
        return sendsDropped.sum();
    }

    long inputsDropped() {
        return inputsDropped.sum();
    }

    void send(NodeId to, byte[] frame) {
        Context on = context;
        Peer peer = on == null || stopped ? null : peer(to);
        if (on == null || peer == null || !peer.gate.enter(System.nanoTime())) {
            sendsDropped.increment();
            return;
        }
        Buffer message =
                Buffer.buffer(prefix.length + frame.length).appendBytes(prefix).appendBytes(frame);
        if (Vertx.currentContext() == on) {
            write(peer, message);
            return;
        }
        try {
            on.runOnContext(ignored -> write(peer, message));
        } catch (RejectedExecutionException e) {
            // The application closed its Vertx before this transport.
            onFailed(peer, e);
        }
    }

    /** The context, for a node to live on; none on an application's Vertx. */
    Optional<EventLoop> loop() {
        Context on = context;
        return on == null || !ownsBus() ? Optional.empty() : Optional.of(new ContextLoop(on));
    }

    /** The thread of a Vertx of our own: nothing of the application runs there. */
    private final class ContextLoop implements EventLoop {
        private final Context on;

        private ContextLoop(Context on) {
            this.on = on;
        }

        @Override
        public void execute(Runnable task) {
            refuseWhenOver();
            on.runOnContext(ignored -> task.run());
        }

        @Override
        public void schedule(Runnable task, long nanos) {
            refuseWhenOver();
            if (Vertx.currentContext() == on) {
                setTimer(task, nanos);
            } else {
                // A timer belongs to the context on which it is set.
                on.runOnContext(ignored -> setTimer(task, nanos));
            }
        }

        private void setTimer(Runnable task, long nanos) {
            if (stopped) {
                // It was not refused.
                task.run();
                return;
            }
            long timer = vertx.setTimer(nanos / MILLI + 1, id -> {
                scheduled.remove(id);
                task.run();
            });
            scheduled.put(timer, task);
        }

        private void refuseWhenOver() {
            if (stopped) {
                throw new RejectedExecutionException("the transport is closed");
            }
        }
    }

    private void write(Peer peer, Buffer message) {
        if (!peer.gate.proceed(System.nanoTime())) {
            sendsDropped.increment();
            return;
        }
        try {
            peer.producer
                    .write(message)
                    .onSuccess(done -> onWritten(peer))
                    .onFailure(failure -> onFailed(peer, failure));
        } catch (Throwable e) {
            // Justification: the bus is foreign code. If it throws, the write has failed and counts as a failure.
            onFailed(peer, e);
        }
    }

    private @Nullable Peer peer(NodeId to) {
        Peer peer = peers.get(to.value());
        if (peer == null) {
            if (ownsBus() && !addresses.containsKey(to)) {
                return null;
            }
            if (peers.size() >= PEERS_MAX) {
                forgetOldest();
            }
            String address = ownsBus() ? VertxTransport.address(to) : VertxTransport.address(clusterId, to);
            peer = peers.computeIfAbsent(
                    to.value(), id -> new Peer(to, vertx.eventBus().sender(address)));
        }
        peer.usedAt = System.nanoTime();
        return peer;
    }

    private void forgetOldest() {
        long now = System.nanoTime();
        peers.values().stream()
                .max(Comparator.comparingLong(peer -> now - peer.usedAt))
                .ifPresent(oldest -> {
                    peers.remove(oldest.id.value());
                    oldest.producer.close();
                });
    }

    int peerCount() {
        return peers.size();
    }

    private void onFailed(Peer peer, Throwable failure) {
        sendsDropped.increment();
        if (failure instanceof SSLException || failure.getCause() instanceof SSLException) {
            noteFailed(peer.id.value(), failure.toString());
        } else {
            problems.remove(peer.id.value());
        }
        report(peer, peer.gate.onFailed(System.nanoTime()), failure);
    }

    /** A connection that this node has dialled fails for want of TLS, or of a node at its other end. Any thread. */
    void noteFailed(String where, String reason) {
        problems.note(
                where, Problem.Kind.TLS, "no connection with " + where + ": " + reason, Problems.AFTER_AN_ATTEMPT);
    }

    private void onWritten(Peer peer) {
        if (peer.gate.onWritten()) {
            problems.remove(peer.id.value());
        }
    }

    /** Any thread may ask. */
    List<Problem> problems() {
        return problems.list();
    }

    private void report(Peer peer, boolean isNews, Throwable failure) {
        if (stopped) {
            return;
        }
        if (peer.gate.isMissing(System.nanoTime())) {
            LOG.warn(
                    "{}: {} was never reached{} in {} s ({}): start it, fix the reported error, or correct its address in the"
                            + " peers of this node; retrying",
                    self,
                    peer.id,
                    addresses.containsKey(peer.id) ? " at " + addresses.get(peer.id) : "",
                    PeerGate.MISSING_NANOS / 1_000_000_000,
                    failure.toString());
        }
        if (!isNews) {
            return;
        }
        if (peer.gate.wasEverReached()) {
            LOG.warn("{}: cannot reach {} any more ({}); retrying", self, peer.id, failure.toString());
        } else {
            LOG.info("{}: {} is not there yet ({}); retrying", self, peer.id, failure.toString());
        }
    }

    // ---------------------------------------------------------------- connections of a bus of our own

    /** The bus wants to connect. It may do so when somebody listens there; until then frames wait in the bus. */
    void connect(String node, NodeInfo address, Completable<NodeInfo> promise) {
        Context on = context;
        Peer peer = peers.get(node);
        if (on == null || peer == null) {
            promise.succeed(address);
        } else {
            on.runOnContext(ignored -> knock(peer, address, promise));
        }
    }

    private void knock(Peer peer, NodeInfo address, Completable<NodeInfo> promise) {
        peer.attempt = Optional.empty();
        if (stopped) {
            // The bus closes too, and needs no answer.
            return;
        }
        long early = peer.connectAt - System.nanoTime();
        if (early > 0) {
            knockLater(peer, early, address, promise);
            return;
        }
        knocker.connect(address.port(), address.host())
                .compose(socket -> {
                    callers.found(peer.id, String.valueOf(socket.remoteAddress().hostAddress()));
                    return socket.close();
                })
                .onSuccess(there -> {
                    peer.connectAt = System.nanoTime() + CONNECT_NANOS;
                    promise.succeed(address);
                })
                .onFailure(failure -> {
                    report(peer, peer.gate.onUnreachable(System.nanoTime()), failure);
                    knockLater(peer, peer.gate.pause(), address, promise);
                });
    }

    private void knockLater(Peer peer, long nanos, NodeInfo address, Completable<NodeInfo> promise) {
        peer.attempt = Optional.of(() -> knock(peer, address, promise));
        peer.timer = vertx.setTimer(Math.max(1, nanos / MILLI), id -> knockAgain(peer));
    }

    private static void knockAgain(Peer peer) {
        peer.attempt.ifPresent(Runnable::run);
    }

    // ---------------------------------------------------------------- what arrives

    /** For a consumer on an application's Vertx: the event bus does not tell whose connection a message came over. */
    private void received(Message<Object> message) {
        received(Optional.empty(), body(message), shared);
    }

    private static Optional<byte[]> body(Message<Object> message) {
        try {
            return message.body() instanceof Buffer buffer ? Optional.of(buffer.getBytes()) : Optional.empty();
        } catch (Throwable e) {
            // Justification: the sender chose the codec, and it may throw anything at what the sender wrote.
            return Optional.empty();
        }
    }

    /**
     * Takes a message, on the loop.
     *
     * @param proved   who has sent it, if that is known
     * @param body     empty if it can be none of ours
     * @param standing that of its connection
     * @return whether the receiver has taken it
     */
    boolean received(Optional<NodeId> proved, Optional<byte[]> body, Transport.Standing standing) {
        if (stopped || context == null) {
            return true;
        }
        int idLength = body.filter(bytes -> bytes.length > 0)
                .map(bytes -> bytes[0] & 0xff)
                .orElse(0);
        int frameLength = body.map(bytes -> bytes.length).orElse(0) - 1 - idLength;
        if (body.isEmpty() || frameLength < 0 || frameLength > Transport.FRAME_LENGTH_MAX) {
            inputsDropped.increment();
            return false;
        }
        byte[] bytes = body.get();
        boolean isTaken = answered(proved, Arrays.copyOfRange(bytes, 1 + idLength, bytes.length), standing);
        if (isTaken) {
            // Before, it is a name that anybody can write.
            onHeard(proved.map(NodeId::value)
                    .orElseGet(() -> new String(bytes, 1, idLength, StandardCharsets.US_ASCII)));
        }
        return isTaken;
    }

    private void onHeard(String sender) {
        Peer peer = peers.get(sender);
        if (peer != null && peer.gate.onHeard()) {
            context.runOnContext(ignored -> {
                vertx.cancelTimer(peer.timer);
                knockAgain(peer);
            });
        }
    }

    /** As {@link #received}, for a frame without a name in front of it. */
    boolean answered(Optional<NodeId> proved, byte[] frame, Transport.Standing standing) {
        if (stopped || context == null) {
            return true;
        }
        try {
            return receiver.received(proved, frame, standing);
        } catch (Throwable e) {
            // Justification: the receiver must not throw; if it does, that must not look like a fault of the network.
            // Vert.x would say an Error to nobody.
            inputsDropped.increment();
            standing.onNews();
            if (receiverFailed.compareAndSet(false, true)) {
                LOG.error("{}: the receiver failed; further failures are counted only", self, e);
            }
            return true;
        }
    }
}
