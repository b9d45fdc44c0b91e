package io.quorate.vertx;

import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.MessageProducer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's place on the event bus, with a context of its own on which it receives and writes. A message is a Buffer:
 * the length of the sender's id in one byte, the id, the frame.
 *
 * <p>Deployed as a verticle, because that is the public way to a context that nobody else uses: connections opened on
 * it report their failures to its exception handler.
 */
final class Endpoint implements Deployable {

    // One logger for the package's users; the split of the class is nobody's business.
    private static final Logger LOG = LoggerFactory.getLogger(VertxTransport.class);

    /** The most peers that are written to. */
    private static final int PEERS_MAX = 4096;

    private final String clusterId;
    private final NodeId self;
    private final Map<NodeId, HostAndPort> addresses;
    private final byte[] prefix;
    private final Map<String, Peer> peers = new ConcurrentHashMap<>();
    private final LongAdder sendsDropped = new LongAdder();
    private final LongAdder inputsDropped = new LongAdder();
    private final AtomicBoolean receiverFailed = new AtomicBoolean();

    private Vertx vertx;
    private Transport.Receiver receiver;
    private MessageConsumer<Object> consumer;
    private NetClient knocker;
    private volatile Context context;
    private volatile boolean stopped;

    /** A peer that frames are written to. */
    private static final class Peer {
        private final MessageProducer<Buffer> producer;
        private final PeerGate gate = new PeerGate();
        /** The attempt to find out whether it is there, for all frames that wait for that. Of the context alone. */
        private Optional<Future<Void>> knock = Optional.empty();

        private Peer(MessageProducer<Buffer> producer) {
            this.producer = producer;
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
        byte[] id = self.value().getBytes(StandardCharsets.US_ASCII);
        this.prefix = Buffer.buffer(1 + id.length).appendByte((byte) id.length).appendBytes(id).getBytes();
    }

    /** Called before it is deployed on {@code where}. */
    void prepare(Vertx where, Transport.Receiver to) {
        vertx = where;
        receiver = to;
    }

    @Override
    public Future<?> deploy(Context own) {
        own.exceptionHandler(failure -> LOG.debug("{}: in Vert.x", self, failure));
        consumer = vertx.eventBus().consumer(VertxTransport.address(clusterId, self), this::received);
        knocker = vertx.createNetClient(
                new NetClientOptions().setConnectTimeout(EmbeddedOptions.CONNECT_TIMEOUT_MILLIS));
        context = own;
        return consumer.completion();
    }

    @Override
    public Future<?> undeploy(Context own) {
        stop();
        return consumer.unregister().eventually(knocker::close);
    }

    /** From now on nothing is sent or received. */
    void stop() {
        stopped = true;
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
        if (peer == null || !peer.gate.enter(System.nanoTime())) {
            sendsDropped.increment();
            return;
        }
        Buffer message = Buffer.buffer(prefix.length + frame.length).appendBytes(prefix).appendBytes(frame);
        try {
            on.runOnContext(ignored -> write(to, peer, message));
        } catch (RejectedExecutionException e) {
            // The application closed its Vertx before this transport.
            onFailed(to, peer, e);
        }
    }

    private void write(NodeId to, Peer peer, Buffer message) {
        if (!peer.gate.proceed(System.nanoTime())) {
            sendsDropped.increment();
            return;
        }
        HostAndPort address = addresses.get(to);
        Future<Void> written = peer.gate.isUnproved() && address != null
                ? knock(peer, address).compose(open -> peer.producer.write(message))
                : peer.producer.write(message);
        written.onSuccess(done -> onWritten(to, peer))
                .onFailure(failure -> onFailed(to, peer, failure));
    }

    /**
     * Fails if nobody listens. The event bus logs each connection that it cannot make, with a stack trace and no option
     * to turn that off; so while a peer is not known to be there, somebody else tries first.
     */
    private Future<Void> knock(Peer peer, HostAndPort address) {
        if (peer.knock.isPresent()) {
            return peer.knock.get();
        }
        Future<Void> knock = knocker.connect(address.port(), address.host()).compose(NetSocket::close);
        peer.knock = Optional.of(knock);
        knock.onComplete(done -> peer.knock = Optional.empty());
        return knock;
    }

    private Peer peer(NodeId to) {
        Peer known = peers.get(to.value());
        if (known != null || peers.size() >= PEERS_MAX) {
            return known;
        }
        MessageProducer<Buffer> producer = vertx.eventBus().sender(VertxTransport.address(clusterId, to));
        return peers.computeIfAbsent(to.value(), id -> new Peer(producer));
    }

    private void onWritten(NodeId to, Peer peer) {
        if (peer.gate.onWritten()) {
            logReached(to.value());
        }
    }

    private void onFailed(NodeId to, Peer peer, Throwable failure) {
        sendsDropped.increment();
        if (!peer.gate.onFailed(System.nanoTime()) || stopped) {
            return;
        }
        if (peer.gate.wasEverReached()) {
            LOG.warn("{}: cannot reach {} any more ({}); trying on", self, to, failure.toString());
        } else {
            LOG.info("{}: {} is not there yet ({}); trying on", self, to, failure.toString());
        }
    }

    private void logReached(String peer) {
        LOG.info("{}: {} is reached", self, peer);
    }

    private void received(Message<Object> message) {
        if (stopped) {
            return;
        }
        Optional<Buffer> frame = body(message);
        if (frame.isEmpty()) {
            inputsDropped.increment();
            return;
        }
        int idLength = frame.get().getUnsignedByte(0);
        String sender = frame.get().getString(1, 1 + idLength, StandardCharsets.US_ASCII.name());
        Peer peer = peers.get(sender);
        if (peer != null && peer.gate.onReached()) {
            logReached(sender);
        }
        deliver(frame.get().getBytes(1 + idLength, frame.get().length()));
    }

    /** The message, if it can be one of ours. */
    private static Optional<Buffer> body(Message<Object> message) {
        Object body;
        try {
            body = message.body();
        } catch (RuntimeException e) {
            // Justification: the sender chose the codec, and it may throw anything at what the sender wrote.
            return Optional.empty();
        }
        if (!(body instanceof Buffer buffer) || buffer.length() < 1) {
            return Optional.empty();
        }
        int frameLength = buffer.length() - 1 - buffer.getUnsignedByte(0);
        return 0 <= frameLength && frameLength <= Transport.FRAME_LENGTH_MAX ? Optional.of(buffer) : Optional.empty();
    }

    private void deliver(byte[] frame) {
        try {
            receiver.received(frame);
        } catch (RuntimeException e) {
            // Justification: the receiver must not throw; if it does, that must not look like a fault of the network.
            inputsDropped.increment();
            if (receiverFailed.compareAndSet(false, true)) {
                LOG.error("{}: the receiver failed; further failures are counted only", self, e);
            }
        }
    }
}
