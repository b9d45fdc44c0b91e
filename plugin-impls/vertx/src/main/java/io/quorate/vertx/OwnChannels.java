package io.quorate.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.ReferenceCountUtil;
import io.quorate.jvm.Daemons;
import io.quorate.jvm.NodeLog;
import io.quorate.jvm.Printable;
import io.quorate.spi.NodeId;
import io.quorate.spi.Tls;
import io.quorate.spi.Transport.Standing;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.transport.Keyring;
import io.quorate.vertx.Callers.Caller;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.net.NetClient;
import io.vertx.core.spi.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The sockets of a Vertx of our own. A caller is admitted or rejected before Vert.x sees it, and received bytes are
 * checked before the event bus reads them; reasons in ADR-0094.
 *
 * <p>With keys TLS 1.3 lies below everything that Vert.x puts on the sockets. So each new connection uses the keys that
 * there are then: the event bus itself reads keys once, and offers no way to its sockets. Both sides show a
 * certificate. Reasons: ADR-0065.
 *
 * <p>Handlers run on the event loop of their channel, of which there is one; what takes long in a handshake runs on
 * threads of its own.
 */
final class OwnChannels implements Transport {

    // Users of the package know one logger, whichever class writes the line.
    private static final Logger LOG = NodeLog.of(VertxTransport.class);

    /**
     * The only hard close: 3 signs of life missed, and half of one. Shorter than that of {@link EmbeddedOptions} and
     * the wait for its answer would cut healthy idle links.
     */
    static final int SILENCE_MILLIS = 3500;

    /** How long both sides may take to show their certificates. */
    static final long HANDSHAKE_MILLIS = 2000;

    /** A connection ends after 12 to 24 hours: the keys may be others by then. */
    private static final long RENEWED_MILLIS = TimeUnit.HOURS.toMillis(24);

    /** So much of what a certificate of somebody else may hold stands in a line. */
    private static final int SHOWN_MAX = 256;

    /** The work of handshakes takes a millisecond each time, and would hold up the loop that carries the frames. */
    private static final int HANDSHAKE_THREADS = 2;

    /** The most handshakes that wait for work; one more is refused. Peers are few, and try again. */
    private static final int HANDSHAKES_MAX = 64;

    /** No node can listen there with keys. */
    static final int NAME_SERVER_PORT = 53;

    private static final String[] PROTOCOLS = {"TLSv1.3"};
    private static final String MISFIT = "this version of Vert.x does not make its sockets of ours, which have TLS and"
            + " limits; the transport 'tcp' (artifact quorate-tcp) needs the JDK alone";

    /** So much is read of a connection in one turn of the loop, and then of the next one. */
    private static final int READ_MAX = 64 * 1024;

    private final Transport plain = io.vertx.core.transport.Transport.NIO.implementation();
    private final String cluster;
    private final NodeId self;
    private final @Nullable Keyring keyring;
    private final Endpoint endpoint;
    private final LineLimit dialledLines = new LineLimit();
    private final LineLimit acceptedLines = new LineLimit();
    private final AtomicBoolean areKeysLookedAt = new AtomicBoolean();
    private final Executor handshakes;
    private volatile boolean hasListened;
    private volatile boolean hasDialled;

    /**
     * Sockets for one Vertx.
     *
     * @param keyring  null if nothing is encrypted
     * @param endpoint whose the frames are
     */
    OwnChannels(String cluster, NodeId self, @Nullable Keyring keyring, Endpoint endpoint) {
        this(cluster, self, keyring, endpoint, handshakes("quorate-tls-" + self));
    }

    /** @param handshakes where the work of handshakes runs; if it refuses some, the connection ends */
    OwnChannels(String cluster, NodeId self, @Nullable Keyring keyring, Endpoint endpoint, Executor handshakes) {
        this.cluster = cluster;
        this.self = self;
        this.keyring = keyring;
        this.endpoint = endpoint;
        this.handshakes = handshakes;
    }

    /** Daemon threads that end when they are idle. */
    private static Executor handshakes(String name) {
        ThreadPoolExecutor made = new ThreadPoolExecutor(
                HANDSHAKE_THREADS,
                HANDSHAKE_THREADS,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(HANDSHAKES_MAX),
                Daemons.named(name),
                (task, threads) -> {
                    throw new RejectedExecutionException("too many handshakes at one time");
                });
        made.allowCoreThreadTimeOut(true);
        return made;
    }

    /** Whether this is a channel of {@link EmbeddedOptions#knocker}, which says nothing. */
    private static boolean isKnock(Channel channel) {
        return Boolean.TRUE.equals(channel.config().getOption(ChannelOption.SO_KEEPALIVE));
    }

    /** The transport that a Vertx is built with. */
    io.vertx.core.transport.Transport toVertxTransport() {
        return new io.vertx.core.transport.Transport() {
            @Override
            public String name() {
                return "quorate";
            }

            @Override
            public boolean available() {
                return true;
            }

            @Override
            @SuppressWarnings("NullAway") // Vert.x says that there is none.
            public @Nullable Throwable unavailabilityCause() {
                return null;
            }

            @Override
            public Transport implementation() {
                return OwnChannels.this;
            }
        };
    }

    /** Looks at the files of the keys from now on, as long as the Vertx runs. */
    private void watchKeys(Vertx vertx, Keyring keys) {
        vertx.setPeriodic(0, Keyring.LOOK_EVERY.toMillis(), id -> {
            // A file may take for ever, and readers must not queue behind it.
            if (!areKeysLookedAt.getAndSet(true)) {
                vertx.executeBlocking(keys::look)
                        .onSuccess(news -> news.ifPresent(text -> LOG.warn("{}: {}", self, text)))
                        .onComplete(ignored -> areKeysLookedAt.set(false));
            }
        });
    }

    /**
     * A Vertx over these, which looks at the files of the keys as long as it runs.
     *
     * @param listens where it listens
     * @return failed if Vert.x makes its sockets elsewhere: it would speak in the clear, and with everybody
     */
    Future<Vertx> vertx(VertxBuilder builder, HostAndPort listens) {
        return builder.withTransport(toVertxTransport())
                .buildClustered()
                .compose(ready -> checked(ready, listens))
                .onSuccess(made -> {
                    if (keyring != null) {
                        watchKeys(made, keyring);
                    }
                });
    }

    /** The Vertx, if its sockets are of these, in both directions; else it is closed. */
    private Future<Vertx> checked(Vertx vertx, HostAndPort listens) {
        // The task belongs to no context: tasks of a loop of this Vertx would not hear that it is closed.
        Promise<Vertx> checked = Promise.promise();
        NetClient knocker = vertx.createNetClient(EmbeddedOptions.knocker());
        // Whether somebody is there does not matter, but whose channel it is that looks.
        knocker.connect(listens.port(), listens.host())
                .transform(ignored -> knocker.close())
                .onComplete(ignored -> {
                    if (hasListened && hasDialled) {
                        checked.complete(vertx);
                    } else {
                        vertx.close().onComplete(closed -> checked.fail(new IllegalStateException(MISFIT)));
                    }
                });
        return checked.future();
    }

    // ---------------------------------------------------------------- what Vert.x asks

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return plain.ioHandlerFactory();
    }

    @Override
    @SuppressWarnings("deprecation") // by Netty, of a type that Vert.x asks for
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        return plain.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends DatagramChannel> datagramChannelFactory() {
        return plain.datagramChannelFactory();
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
        ChannelFactory<? extends Channel> sockets = plain.channelFactory(domainSocket);
        return () -> {
            Channel channel = sockets.newChannel();
            channel.pipeline().addLast(dialling());
            return channel;
        };
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        ChannelFactory<? extends ServerChannel> sockets = plain.serverChannelFactory(domainSocket);
        return () -> {
            ServerChannel channel = sockets.newChannel();
            channel.pipeline().addLast(accepting());
            return channel;
        };
    }

    // ---------------------------------------------------------------- what happens to channels

    /** For a channel that is to connect. */
    ChannelHandler dialling() {
        return new Dialling();
    }

    /** For a channel that is to accept others. */
    ChannelHandler accepting() {
        return new Accepting();
    }

    private SslHandler tls(Keyring keys, boolean isDialled) {
        SSLEngine engine = keys.context().createSSLEngine();
        engine.setUseClientMode(isDialled);
        engine.setEnabledProtocols(PROTOCOLS);
        if (!isDialled) {
            engine.setNeedClientAuth(true);
        }
        SslHandler handler = new SslHandler(engine, handshakes);
        handler.setHandshakeTimeoutMillis(HANDSHAKE_MILLIS);
        return handler;
    }

    /**
     * Gives a channel that connects its TLS, if there are keys, and unless it leads to a name server, which has no
     * certificate.
     */
    private final class Dialling extends ChannelOutboundHandlerAdapter {
        private @Nullable Pongs pongs;

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            if (pongs != null) {
                pongs.isAwaited |= message instanceof ByteBuf bytes
                        && bytes.isReadable(Integer.BYTES)
                        && BusMessage.isPing(bytes.duplicate().skipBytes(Integer.BYTES));
            }
            context.write(message, promise);
        }

        @Override
        public void connect(
                ChannelHandlerContext context, SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            hasDialled = true;
            boolean isNameServer = remote instanceof InetSocketAddress address && address.getPort() == NAME_SERVER_PORT;
            Pongs dialled = new Pongs(remote);
            if (!isNameServer) {
                pongs = dialled;
                context.channel().config().setRecvByteBufAllocator(inTurns());
                context.pipeline().addFirst(dialled);
            }
            Keyring keys = keyring;
            if (keys != null) {
                if (!(remote instanceof InetSocketAddress address)) {
                    promise.setFailure(new SSLException("no TLS for " + remote + ": must be a host and a port"));
                    return;
                }
                if (!isNameServer && !isKnock(context.channel())) {
                    context.pipeline().addFirst(tls(keys, true), new Secured(true, address, dialled::onProved));
                }
            }
            // Before TLS, which would wait for its farewell when it closes.
            context.pipeline().addFirst(new Silence());
            context.connect(remote, local, promise);
        }
    }

    /** Sends away who may not come in, and puts on each other channel what stands before the event bus. */
    private final class Accepting extends ChannelDuplexHandler {

        @Override
        public void bind(ChannelHandlerContext context, SocketAddress local, ChannelPromise promise) {
            hasListened = true;
            endpoint.acceptsHere();
            context.bind(local, promise);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (!(message instanceof Channel accepted)) {
                context.fireChannelRead(message);
                return;
            }
            Optional<Caller> caller =
                    accepted.remoteAddress() instanceof InetSocketAddress address && address.getAddress() != null
                            ? endpoint.callers().enter(address.getAddress())
                            : Optional.empty();
            if (caller.isEmpty()) {
                sendAway(accepted);
                return;
            }
            accepted.closeFuture().addListener(closed -> caller.get().leave());
            accepted.config().setRecvByteBufAllocator(inTurns());
            Keyring keys = keyring;
            AcceptedConnection connection = new AcceptedConnection(
                    caller.get(), endpoint, reason -> say(false, accepted.remoteAddress(), reason), keys != null);
            accepted.pipeline().addFirst(connection);
            if (keys != null) {
                accepted.pipeline()
                        .addFirst(tls(keys, false), new Secured(false, accepted.remoteAddress(), connection::onProved));
            }
            accepted.pipeline().addFirst(new Silence());
            context.fireChannelRead(message);
        }

        private void sendAway(Channel accepted) {
            boolean isPeers = accepted.remoteAddress() instanceof InetSocketAddress address
                    && address.getAddress() != null
                    && endpoint.callers().areAt(address.getAddress());
            if (!isPeers) {
                // Without a trace in the tables of the system. If a peer is reset while it connects, its Vert.x logs
                // that with a stack trace.
                accepted.config().setOption(ChannelOption.SO_LINGER, 0);
            }
            accepted.unsafe().closeForcibly();
        }
    }

    /** Netty reads a connection up to 16 times before the next one has its turn. */
    private static RecvByteBufAllocator inTurns() {
        return new AdaptiveRecvByteBufAllocator(
                        AdaptiveRecvByteBufAllocator.DEFAULT_MINIMUM,
                        AdaptiveRecvByteBufAllocator.DEFAULT_INITIAL,
                        READ_MAX)
                .maxMessagesPerRead(1);
    }

    /**
     * Stands on a dialled connection, before the event bus, which takes each piece that arrives for a pong and sends
     * another ping for it. Lets one pong pass for each ping, gives answers to the node, and ends the connection at
     * anything else.
     */
    private final class Pongs extends ByteToMessageDecoder {
        private final SocketAddress other;
        private final Standing standing = new Standing() {
            @Override
            public boolean isForAnswers() {
                return true;
            }
        };
        private Optional<NodeId> proved = Optional.empty();
        private boolean isAwaited;

        private Pongs(SocketAddress other) {
            this.other = other;
        }

        /** The certificate of the other side names this node. */
        private boolean onProved(NodeId node) {
            proved = Optional.of(node);
            return true;
        }

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
            if (isAwaited && BusMessage.isPong(in)) {
                isAwaited = false;
                out.add(in.readRetainedSlice(1));
                return;
            }
            boolean isRight = BusMessage.isAnswer(in)
                    && BusMessage.takeAnswer(in)
                            .map(frame -> endpoint.answered(proved, frame, standing))
                            .orElse(true)
                    && !standing.isReplayed();
            if (!isRight) {
                in.skipBytes(in.readableBytes());
                if (context.channel().isActive()) {
                    say(
                            true,
                            other,
                            "it sent something other than pongs and refusals; check its address in the peers of this node");
                    context.close();
                }
            }
        }
    }

    /**
     * Ends a connection over which nothing comes. The bus has a time for that too, but of what comes it sees its signs
     * of life alone, which may wait behind many frames. A connection that the other side has reset ends here too,
     * without an error of the bus, because the transport reports unreachable peers.
     */
    private static final class Silence extends IdleStateHandler {

        private Silence() {
            super(SILENCE_MILLIS, 0, 0, TimeUnit.MILLISECONDS);
        }

        @Override
        protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
            context.close();
        }

        /** Exceptions of TLS begin behind this handler. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
            if (failure instanceof IOException) {
                context.close();
            } else {
                context.fireExceptionCaught(failure);
            }
        }
    }

    /** Says why TLS has failed, once and in one line, and ends a connection that has lasted for long. */
    private final class Secured extends ChannelInboundHandlerAdapter {

        private final boolean isDialled;
        private final SocketAddress other;
        private final Predicate<NodeId> hasRoom;
        private boolean isReady;
        private java.util.concurrent.@Nullable Future<?> renewal;

        /** @param hasRoom is told who is there, and whether that node may stay */
        private Secured(boolean isDialled, SocketAddress other, Predicate<NodeId> hasRoom) {
            this.isDialled = isDialled;
            this.other = other;
            this.hasRoom = hasRoom;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof SslHandshakeCompletionEvent completion) {
                if (completion.isSuccess()) {
                    onSecured(context);
                } else if (!isDialled) {
                    // The frame that has dialled is lost for the same reason, and the endpoint says it.
                    say(completion.cause());
                }
            }
            context.fireUserEventTriggered(event);
        }

        private void onSecured(ChannelHandlerContext context) {
            Optional<NodeId> node = named(context);
            if (node.isEmpty()) {
                say(new SSLPeerUnverifiedException("the certificate does not name a node of cluster " + cluster));
                context.close();
                return;
            }
            if (!hasRoom.test(node.get())) {
                say(new SSLException("there are " + endpoint.callers().provedMax() + " such connections"));
                context.close();
                return;
            }
            isReady = true;
            long lasts = RENEWED_MILLIS / 2 + ThreadLocalRandom.current().nextLong(RENEWED_MILLIS / 2);
            // The next frame opens another one.
            renewal = context.executor().schedule(() -> context.channel().close(), lasts, TimeUnit.MILLISECONDS);
        }

        /** The authority may have signed for others as well. */
        private Optional<NodeId> named(ChannelHandlerContext context) {
            try {
                return context.pipeline()
                                        .get(SslHandler.class)
                                        .engine()
                                        .getSession()
                                        .getPeerCertificates()[0]
                                instanceof X509Certificate certificate
                        ? Tls.nodeOf(certificate, cluster)
                        : Optional.empty();
            } catch (SSLPeerUnverifiedException e) {
                return Optional.empty();
            }
        }

        /** Bytes that came with the certificate wait until the certificate is checked. */
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (isReady) {
                context.fireChannelRead(message);
            } else {
                ReferenceCountUtil.release(message);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (renewal != null) {
                renewal.cancel(false);
            }
            context.fireChannelInactive();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
            Throwable inner = failure.getCause();
            Throwable cause = failure instanceof DecoderException && inner != null ? inner : failure;
            if (!(cause instanceof SSLException || cause instanceof RejectedExecutionException)) {
                context.fireExceptionCaught(failure);
                return;
            }
            // Before, the end of the handshake has said it.
            if (isReady) {
                say(cause);
            }
            context.close();
        }

        private void say(Throwable cause) {
            if (cause instanceof ClosedChannelException) {
                // Somebody has knocked, or has gone: the transport says who cannot be reached.
                return;
            }
            Keyring keys = keyring;
            OwnChannels.this.say(isDialled, other, keys == null ? cause.toString() : keys.reason(cause));
        }
    }

    /** Once a minute in each direction: strangers may call as often as they like. */
    private void say(boolean isDialled, SocketAddress other, String reason) {
        LineLimit lines = isDialled ? dialledLines : acceptedLines;
        if (isDialled) {
            endpoint.noteFailed(String.valueOf(other), reason);
        }
        lines.enter()
                .ifPresent(more -> LOG.warn(
                        "{}: {} {}: {}{}",
                        self,
                        isDialled ? "ends the connection with" : "closes the connection of",
                        other instanceof InetSocketAddress address && address.getAddress() != null
                                ? address.getAddress().getHostAddress() + ":" + address.getPort()
                                : other,
                        Printable.of(reason, SHOWN_MAX),
                        more));
    }
}
