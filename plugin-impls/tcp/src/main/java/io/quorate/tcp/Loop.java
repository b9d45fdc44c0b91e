package io.quorate.tcp;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.tcp.Connection.State;
import io.quorate.tcp.Wire.Answer;
import io.quorate.tcp.Wire.Hello;
import io.quorate.tcp.Wire.Welcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The one thread of a transport, which accepts, connects, reads, writes and keeps the times. Whatever has no other
 * thread in its description runs on it.
 */
final class Loop implements Runnable {

    /** How long a connection may take to come about, and a greeting to be answered. */
    static final long GREETING_NANOS = 1_000_000_000;
    /** How long both sides may take to show their certificates. */
    static final long SECURING_NANOS = 2_000_000_000;
    /** A connection with TLS ends after 12 to 24 hours: the keys may be others by then. */
    static final long RENEWED_NANOS = 24 * 3_600_000_000_000L;
    /** How often somebody looks whether the files of the keys have changed. */
    static final long KEYS_NANOS = 10_000_000_000L;
    /** After so long without a word the other side is asked for a sign of life. */
    static final long PING_NANOS = 1_000_000_000;
    /** After so long without a word a connection is closed: three signs of life missed, and half of one. */
    static final long IDLE_NANOS = 3_500_000_000L;
    /**
     * After so long without a word another connection of the peer takes the place of this one. A connection that works
     * is never so quiet, so nobody can push it aside; and a peer that lost its own end gets in before the idle close.
     */
    static final long REPLACED_NANOS = 2_000_000_000;
    /** How long the last words have when the transport closes. */
    static final long FAREWELL_NANOS = 250_000_000;
    /** So many frames of one peer go to the receiver; then it is the next peer's turn. */
    static final int TURN_FRAMES = 64;
    /** Nodes that have called and that the node's own list does not name. */
    static final int CONTENDERS_MAX = 512;
    /** What has been read of all of these together and that is not handed on: 64 of the longest frames. */
    static final int CONTENDERS_BYTES_MAX = 4 << 20;

    private static final long ACCEPT_PAUSE_NANOS = 100_000_000;
    /** How long frames are held back before the receiver is asked again. */
    private static final long HELD_BACK_NANOS = 1_000_000;
    /** After a fault outside of all connections: if it comes again at once, it shall not keep a processor busy. */
    private static final long REST_NANOS = 100_000_000;
    /** Two of the longest frames, and what they have around them. */
    private static final int SCRATCH = 2 * (Wire.HEAD + Transport.FRAME_LENGTH_MAX) + 64;
    /** What is read at once of a connection that has not said who it is. */
    private static final int READ_BEFORE_ADMISSION = 4096;

    private static final int READ = 64 * 1024;
    private static final byte[] NOTHING = {};
    private static final long MILLI = 1_000_000;
    private static final int HANDSHAKE_THREADS = 2;

    /** The class that applications know. */
    private static final Logger LOG = LoggerFactory.getLogger(TcpTransport.class);

    private final String cluster;
    private final NodeId self;
    private final HostAndPort advertised;
    private final Transport.Receiver receiver;
    private final Selector selector;
    private final ServerSocketChannel server;
    private final SelectionKey accepting;
    private final Resolver resolver;
    private final Optional<Keyring> keyring;
    /** Where the work of handshakes runs. */
    private final ThreadPoolExecutor handshakes;

    // ---------------------------------------------------------------- of all threads
    private final Map<NodeId, Peer> peers = new ConcurrentHashMap<>();
    private final Queue<Peer> toSend = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isWoken = new AtomicBoolean();
    /** Addresses that somebody has told and that the loop has not taken up; at most one for each contender. */
    private final Map<NodeId, HostAndPort> told = new ConcurrentHashMap<>();

    private final LongAdder sendsDropped = new LongAdder();
    private final LongAdder inputsDropped = new LongAdder();
    private final LongAdder connectionsRefused = new LongAdder();
    private volatile boolean isStopping;

    // ---------------------------------------------------------------- of the loop
    private final Set<Connection> connections = new HashSet<>();
    /** Connections with whole frames that were read and that wait for their turn. */
    private final Deque<Connection> behind = new ArrayDeque<>();
    /** In the order in which they came. */
    private final Map<NodeId, Peer> contenders = new LinkedHashMap<>();
    /** Where peers of the list were found last. */
    private final Set<InetAddress> peerAddresses = new HashSet<>();

    private final Admission admission;
    private final LogLimit lines = new LogLimit();
    private final ByteBuffer in = ByteBuffer.allocateDirect(READ);
    private final ByteBuffer nothing = ByteBuffer.allocate(0);
    private final ByteBuffer out = ByteBuffer.allocateDirect(SCRATCH);
    private long now = System.nanoTime();
    /** When a time may be over next. */
    private long wakeAt = now + IDLE_NANOS;

    private long keysCheckedAt = now - KEYS_NANOS;
    /** Whether somebody looks at the files at this moment. A file may take for ever, and shall hold one thread then. */
    private boolean areKeysLookedAt;

    private boolean hasFarewellBegun;
    private long endAt;
    private int contendersBytes;
    private boolean isAcceptPaused;
    private long acceptAt;
    private boolean hasReceiverFailed;
    private boolean hasFailed;

    /** Takes over what is open. */
    Loop(
            String cluster,
            NodeId self,
            Map<NodeId, HostAndPort> addresses,
            HostAndPort advertised,
            Transport.Receiver receiver,
            Selector selector,
            ServerSocketChannel server,
            Resolver resolver,
            Optional<Keyring> keyring)
            throws IOException {
        this.cluster = cluster;
        this.self = self;
        this.advertised = advertised;
        this.receiver = receiver;
        this.selector = selector;
        this.server = server;
        this.resolver = resolver;
        this.keyring = keyring;
        this.handshakes = Resolver.threads(HANDSHAKE_THREADS, "quorate-tcp-tls-" + self);
        addresses.forEach((id, address) -> {
            if (!id.equals(self)) {
                Peer peer = new Peer(id, address, true);
                peers.put(id, peer);
                if (Resolver.isLiteral(address.host())) {
                    resolver.resolve(address.host(), 0, found -> peer.found = found);
                }
            }
        });
        rememberAddresses();
        this.admission = new Admission(peers.size(), now);
        this.accepting = server.register(selector, SelectionKey.OP_ACCEPT);
    }

    // ---------------------------------------------------------------- called by other threads

    /** Any thread. */
    void send(NodeId to, byte[] frame) {
        Peer peer = isStopping ? null : peers.get(to);
        int gone = peer == null ? Peer.REFUSED : peer.offer(frame, System.nanoTime());
        if (peer == null || gone == Peer.REFUSED) {
            sendsDropped.increment();
            return;
        }
        sendsDropped.add(gone);
        if (peer.mark()) {
            toSend.add(peer);
            wake();
        }
    }

    /** Any thread. */
    void reach(NodeId node, HostAndPort address) {
        if (!isStopping && (told.size() < CONTENDERS_MAX || told.containsKey(node))) {
            told.put(node, address);
            wake();
        }
    }

    /** From now on nothing is received; what waits is sent, for a short time. Any thread. */
    void stop() {
        isStopping = true;
        wake();
    }

    /** Any thread. */
    long sendsDropped() {
        return sendsDropped.sum();
    }

    /** Any thread. */
    long inputsDropped() {
        return inputsDropped.sum();
    }

    /** Any thread. */
    long connectionsRefused() {
        return connectionsRefused.sum();
    }

    private void wake() {
        if (isWoken.compareAndSet(false, true)) {
            selector.wakeup();
        }
    }

    // ---------------------------------------------------------------- the loop

    @Override
    public void run() {
        try {
            while (!isOver()) {
                try {
                    step();
                } catch (RuntimeException | Error e) {
                    // Justification: nobody would start this thread again. What goes wrong with one connection ends
                    // that connection; this is what is left: code of others, such as a logger, or a full heap.
                    onFault(e);
                    LockSupport.parkNanos(REST_NANOS);
                }
            }
        } catch (IOException e) {
            // Justification: without its selector the transport is dead; the node hears nobody, and its lease ends.
            say(() -> LOG.error("{}: the transport has failed and is closed", self, e));
        } finally {
            isStopping = true;
            closeAll();
        }
    }

    private void onFault(Throwable fault) {
        if (!hasFailed) {
            hasFailed = true;
            say(() -> LOG.error("{}: a fault of the transport; it goes on, and says no more of such", self, fault));
        }
    }

    /** A logger is code of others: what it throws ends a line of the log, and nothing else. */
    private static void say(Runnable line) {
        try {
            line.run();
        } catch (RuntimeException | Error e) {
            // Justification: whoever would be told is the one that throws.
        }
    }

    private boolean isOver() {
        return hasFarewellBegun && (connections.isEmpty() || now - endAt >= 0);
    }

    private void step() throws IOException {
        // Whoever interrupts this thread means another: it has nothing to give up, and would never wait again.
        Thread.interrupted();
        long wait = Math.max(0, wakeAt - System.nanoTime());
        if (!behind.isEmpty()) {
            wait = Math.min(wait, isReceiverBehind() ? HELD_BACK_NANOS : 0);
        }
        if (wait == 0) {
            selector.selectNow();
        } else {
            selector.select(wait / MILLI + 1);
        }
        isWoken.set(false);
        now = System.nanoTime();
        for (SelectionKey key : selector.selectedKeys()) {
            if (key == accepting) {
                accept();
            } else if (key.attachment() instanceof Connection connection) {
                guarded(connection, () -> onReady(connection, key));
            }
        }
        selector.selectedKeys().clear();
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        told.keySet().forEach(node -> {
            HostAndPort address = told.remove(node);
            if (address != null) {
                contender(node, address);
            }
        });
        if (isStopping && !hasFarewellBegun) {
            beginFarewell();
        }
        for (Peer peer = toSend.poll(); peer != null; peer = toSend.poll()) {
            peer.unmark();
            push(peer);
        }
        takeTurns();
        if (now - wakeAt >= 0) {
            checkTimes();
        }
    }

    /** What can go wrong with one connection. */
    @FunctionalInterface
    private interface Action {
        void run() throws IOException, MalformedInputException;
    }

    private void guarded(Connection connection, Action action) {
        if (connection.state() == State.CLOSED) {
            return;
        }
        try {
            action.run();
        } catch (MalformedInputException e) {
            inputsDropped.increment();
            onMalformed(connection, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            end(connection, reason(e));
        } catch (RuntimeException | Error e) {
            // Justification: an engine of TLS may throw what it likes at what strangers send, and for a full heap it is
            // a help that a connection ends. The others go on.
            onFault(e);
            end(connection, "internal error: " + e.getClass().getSimpleName());
        }
    }

    private static String reason(IOException e) {
        // A certificate of somebody else may be in it.
        return LogLimit.printable(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
    }

    private void onReady(Connection connection, SelectionKey key) throws IOException, MalformedInputException {
        if (key.isValid() && key.isConnectable()) {
            onConnected(connection);
        }
        if (key.isValid() && connection.state() == State.SECURING) {
            secure(connection, key.isReadable());
            return;
        }
        if (key.isValid() && key.isReadable()) {
            read(connection);
        }
        if (key.isValid() && key.isWritable()) {
            write(connection);
        }
    }

    private void due(long at) {
        if (at - wakeAt < 0) {
            wakeAt = at;
        }
    }

    /** Looks at all times that may be over, and finds out when the next one is. */
    private void checkTimes() {
        wakeAt = now + IDLE_NANOS;
        if (isAcceptPaused) {
            if (now - acceptAt >= 0) {
                isAcceptPaused = false;
                accepting.interestOps(SelectionKey.OP_ACCEPT);
            } else {
                due(acceptAt);
            }
        }
        if (hasFarewellBegun) {
            due(endAt);
        }
        keyring.ifPresent(this::checkKeys);
        for (Connection connection : List.copyOf(connections)) {
            guarded(connection, () -> checkTimes(connection));
        }
    }

    /** Files are read on another thread; what they say is for the log. */
    private void checkKeys(Keyring keys) {
        if (areKeysLookedAt || now - keysCheckedAt < KEYS_NANOS || hasFarewellBegun) {
            return;
        }
        keysCheckedAt = now;
        areKeysLookedAt = true;
        handshakes.execute(() -> {
            Optional<String> news = keys.look();
            tasks.add(() -> {
                areKeysLookedAt = false;
                news.ifPresent(text -> warn("keys " + text, "{}", text));
            });
            wake();
        });
    }

    private void checkTimes(Connection connection) throws IOException {
        if (connection.isBehind) {
            // It has said more than was read.
            connection.heardAt = now;
        }
        long quiet = now - connection.heardAt;
        switch (connection.state()) {
            case SECURING -> {
                if (quiet >= SECURING_NANOS) {
                    end(connection, "no TLS within 2 s");
                } else {
                    due(connection.heardAt + SECURING_NANOS);
                }
            }
            case CONNECTING, GREETING -> {
                if (quiet >= GREETING_NANOS) {
                    end(connection, "no answer within 1 s");
                } else {
                    due(connection.heardAt + GREETING_NANOS);
                }
            }
            case OPEN -> {
                boolean isOld = connection.secured != null && now - connection.renewAt >= 0;
                if (connection.isUnused(now) || isOld) {
                    closeForNow(connection);
                } else if (quiet >= IDLE_NANOS) {
                    end(connection, "not a word for 3.5 s");
                } else if (quiet < PING_NANOS) {
                    due(connection.heardAt + PING_NANOS);
                } else {
                    if (!connection.isPinged) {
                        connection.isPinged = true;
                        connection.owePing();
                        write(connection);
                    }
                    due(connection.heardAt + IDLE_NANOS);
                }
            }
            case ENDING -> {
                if (quiet >= GREETING_NANOS) {
                    close(connection);
                } else {
                    due(connection.heardAt + GREETING_NANOS);
                }
            }
            case CLOSED -> {
                // Nothing is left to wait for.
            }
        }
    }

    // ---------------------------------------------------------------- connections come

    private void accept() {
        try {
            // No more at once than pass in a second: the others wait in the system.
            for (int i = 0; i < Admission.RATE; i++) {
                SocketChannel channel = server.accept();
                if (channel == null) {
                    return;
                }
                accepted(channel);
            }
        } catch (IOException e) {
            // As a rule the process has no file descriptor left: whoever waits is accepted later.
            warn("accept", "cannot accept connections: {}", reason(e));
            isAcceptPaused = true;
            acceptAt = now + ACCEPT_PAUSE_NANOS;
            due(acceptAt);
            accepting.interestOps(0);
        }
    }

    private void accepted(SocketChannel channel) throws IOException {
        InetAddress from =
                channel.getRemoteAddress() instanceof InetSocketAddress address ? address.getAddress() : null;
        boolean isFromPeers = from != null && peerAddresses.contains(from);
        if (from == null || hasFarewellBegun || !admission.enter(from, isFromPeers, now)) {
            connectionsRefused.increment();
            reset(channel);
            return;
        }
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Connection connection = new Connection(channel, false, from, selector, now);
            connection.isFromPeers = isFromPeers;
            connections.add(connection);
            due(now + GREETING_NANOS);
            if (keyring.isPresent()) {
                connection.become(State.SECURING);
                guarded(
                        connection,
                        () -> connection.secured = new Secured(keyring.get().context(), false));
            }
        } catch (IOException e) {
            // It has gone already.
            admission.leave(from, isFromPeers);
            reset(channel);
        }
    }

    /** Closes without a word and without a trace in the system's tables. */
    private static void reset(SocketChannel channel) {
        try (channel) {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            // Justification: it has gone already, which is what is wanted.
        }
    }

    // ---------------------------------------------------------------- connections are made

    /** Something waits for this peer: it is written, or the peer is dialled. */
    private void push(Peer peer) {
        Connection open = peer.open;
        if (open != null) {
            // What waits for the socket to take more is written when it does.
            if (!open.wantsToWrite()) {
                guarded(open, () -> write(open));
            }
        } else if (peer.dialled == null && !peer.isResolving && !peer.isPaused(now) && !hasFarewellBegun) {
            peer.isResolving = true;
            resolver.resolve(peer.address.host(), peer.attempts, found -> {
                tasks.add(() -> dial(peer, found));
                wake();
            });
        }
    }

    private void dial(Peer peer, InetAddress[] found) {
        peer.isResolving = false;
        if (peer.open != null || peer.dialled != null || hasFarewellBegun || peers.get(peer.id()) != peer) {
            return;
        }
        if (found.length == 0) {
            failed(peer, "the name " + LogLimit.printable(peer.address.host()) + " does not resolve");
            return;
        }
        peer.found = found;
        if (peer.isConfigured()) {
            rememberAddresses();
        }
        // Of several addresses each has its attempt.
        InetAddress to = found[peer.attempts % found.length];
        try {
            SocketChannel channel = SocketChannel.open();
            try {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                boolean isThere = channel.connect(new InetSocketAddress(to, peer.address.port()));
                Connection connection = new Connection(channel, true, to, selector, now);
                connection.peer = peer;
                peer.dialled = connection;
                connections.add(connection);
                due(now + GREETING_NANOS);
                if (isThere) {
                    guarded(connection, () -> onConnected(connection));
                }
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            failed(peer, reason(e));
        } catch (RuntimeException e) {
            // Justification: an address that this system cannot dial (of another family) is no fault of ours.
            failed(peer, e.toString());
        }
    }

    private void rememberAddresses() {
        peerAddresses.clear();
        for (Peer peer : peers.values()) {
            if (peer.isConfigured()) {
                peerAddresses.addAll(Arrays.asList(peer.found));
            }
        }
    }

    private void onConnected(Connection connection) throws IOException, MalformedInputException {
        if (!connection.channel().finishConnect()) {
            // The selector was wrong, which it may be.
            return;
        }
        Peer peer = connection.peer;
        if (peer == null
                || connection
                        .channel()
                        .getLocalAddress()
                        .equals(connection.channel().getRemoteAddress())) {
            // A system may connect a port of the loopback interface with itself while nobody listens there.
            throw new SocketException("Connection refused");
        }
        connection.heardAt = now;
        due(now + GREETING_NANOS);
        if (keyring.isPresent()) {
            connection.become(State.SECURING);
            connection.secured = new Secured(keyring.get().context(), true);
            secure(connection, false);
        } else {
            sayHello(connection, peer);
        }
    }

    private void sayHello(Connection connection, Peer peer) throws IOException {
        connection.become(State.GREETING);
        connection.nonce = ThreadLocalRandom.current().nextLong();
        connection.greet(
                Wire.HELLO,
                new Hello(Wire.VERSION_MIN, Wire.VERSION_MAX, cluster, self, peer.id(), connection.nonce, advertised)
                        .toBytes());
        write(connection);
    }

    // ---------------------------------------------------------------- reading and writing

    /** Goes on with a handshake; when it is over, with the greeting. */
    private void secure(Connection connection, boolean isReadable) throws IOException, MalformedInputException {
        Secured secured = connection.secured;
        if (secured == null || secured.isBusy()) {
            return;
        }
        in.clear();
        Runnable done = goingOn(connection, secured);
        if (isReadable) {
            connection.hasSpoken = true;
            if (secured.read(connection.channel(), in, handshakes, done)) {
                end(connection, "closed by the other side");
                return;
            }
        } else {
            secured.write(connection.channel(), nothing);
            secured.advance(connection.channel(), in, handshakes, done);
        }
        // While the other thread works there is nothing to write but what was written before.
        connection.watch(secured.hasUnwritten() && !secured.isBusy());
        if (!secured.isReady() || connection.state() != State.SECURING) {
            return;
        }
        X509Certificate certificate = secured.peerCertificate();
        connection.proven = certificate == null ? Optional.empty() : Identity.of(certificate, cluster);
        connection.renewAt =
                now + RENEWED_NANOS / 2 + ThreadLocalRandom.current().nextLong(RENEWED_NANOS / 2);
        connection.heardAt = now;
        due(now + GREETING_NANOS);
        Peer peer = connection.peer;
        if (connection.proven.isEmpty()) {
            end(connection, "the certificate there names no node of cluster " + cluster);
        } else if (peer == null) {
            connection.become(State.GREETING);
            connection.reader().append(in.flip());
            takeTurn(connection);
        } else if (!connection.proven.equals(Optional.of(peer.id()))) {
            end(connection, "the certificate there is that of node " + connection.proven.get());
        } else {
            sayHello(connection, peer);
        }
    }

    /** What the other thread does when its work for this connection is done. */
    private Runnable goingOn(Connection connection, Secured secured) {
        return () -> {
            tasks.add(() -> guarded(connection, () -> {
                secured.onDone();
                if (connection.state() == State.SECURING) {
                    secure(connection, false);
                } else {
                    read(connection);
                }
            }));
            wake();
        };
    }

    private void write(Connection connection) throws IOException {
        boolean hasMore = connection.write(out);
        if (!hasMore && connection.hasSaidBye() && connection.state() == State.OPEN) {
            // All is said. Closing at once would take the last words back if the other side has said something.
            connection.channel().shutdownOutput();
            connection.become(State.ENDING);
            connection.heardAt = now;
            due(now + GREETING_NANOS);
        }
        connection.watch(hasMore);
    }

    private void read(Connection connection) throws IOException, MalformedInputException {
        in.clear();
        Secured secured = connection.secured;
        boolean isEnded;
        if (secured != null) {
            // It reads one packet at most.
            isEnded = secured.read(connection.channel(), in, handshakes, goingOn(connection, secured));
        } else {
            if (connection.state() == State.GREETING) {
                in.limit(READ_BEFORE_ADMISSION);
            }
            isEnded = connection.channel().read(in) < 0;
        }
        if (isEnded && in.position() == 0) {
            end(connection, "closed by the other side");
            return;
        }
        connection.hasSpoken = true;
        if (connection.state() == State.OPEN) {
            connection.heardAt = now;
            connection.isPinged = false;
            Peer peer = connection.peer;
            if (peer != null) {
                peer.heardAt = now;
            }
        }
        connection.reader().append(in.flip());
        takeTurn(connection);
        if (count(connection) && contendersBytes > CONTENDERS_BYTES_MAX) {
            // Each could begin a long frame and never end it.
            end(connection, "too much of contenders waits");
        }
    }

    /** Counts the bytes that a contender's connection holds; answers whether they have become more. */
    private boolean count(Connection connection) {
        Peer peer = connection.peer;
        boolean isCounted = connection.state() == State.OPEN && peer != null && !peer.isConfigured();
        int more = (isCounted ? connection.reader().capacity() : 0) - connection.bytesCounted;
        connection.bytesCounted += more;
        contendersBytes += more;
        return more > 0;
    }

    /** Whether frames shall wait with their connections for a while. */
    private boolean isReceiverBehind() {
        try {
            return receiver.isBehind();
        } catch (RuntimeException | Error e) {
            // Justification: as in deliver.
            onReceiverFailed(e);
            return false;
        }
    }

    private void takeTurns() {
        if (!behind.isEmpty() && isReceiverBehind()) {
            return;
        }
        for (int i = behind.size(); i > 0; i--) {
            Connection connection = behind.remove();
            guarded(connection, () -> takeTurn(connection));
        }
    }

    /** Takes what was read, up to so many frames; then nothing is read until the rest has been taken. */
    private void takeTurn(Connection connection) throws IOException, MalformedInputException {
        int taken = 0;
        while (connection.state() != State.CLOSED
                && connection.reader().hasFrame(lengthMax(connection))
                && taken < TURN_FRAMES
                && (connection.state() != State.OPEN || !isReceiverBehind())) {
            taken++;
            int type = connection.reader().type();
            byte[] body = connection.reader().take();
            onFrame(connection, type, body);
        }
        if (connection.state() == State.CLOSED) {
            return;
        }
        connection.isBehind = connection.reader().hasFrame(lengthMax(connection));
        if (connection.isBehind) {
            behind.add(connection);
        }
        // TLS may have had to say something because of what it has read.
        boolean isLeft = connection.secured != null && connection.secured.hasUnwritten();
        connection.watch(isLeft || connection.wantsToWrite());
    }

    private static int lengthMax(Connection connection) {
        return connection.state() == State.GREETING ? Wire.GREETING_LENGTH_MAX : Wire.LENGTH_MAX;
    }

    private void onFrame(Connection connection, int type, byte[] body) throws IOException, MalformedInputException {
        boolean isGreeting = connection.state() == State.GREETING;
        int expected = connection.isDialled() ? Wire.WELCOME : Wire.HELLO;
        if (isGreeting != (type == expected)) {
            throw new MalformedInputException("frame of type " + type + ": not at this moment");
        }
        switch (type) {
            case Wire.HELLO -> onHello(connection, Hello.read(body));
            case Wire.WELCOME -> onWelcome(connection, Welcome.read(body));
            case Wire.DATA -> {
                connection.onCarried();
                deliver(connection.proven, body);
            }
            case Wire.PING -> {
                if (connection.state() == State.OPEN) {
                    connection.owePong();
                    write(connection);
                }
            }
            case Wire.PONG -> {
                // That it came is all.
            }
            case Wire.BYE -> onBye(connection, body);
            default -> throw new MalformedInputException("frame of type " + type + ": is not known");
        }
    }

    private void deliver(Optional<NodeId> sender, byte[] frame) {
        if (isStopping) {
            return;
        }
        try {
            // Without TLS whoever reaches the port may say in HELLO that it is anybody: that is no proof.
            receiver.received(sender, frame);
        } catch (RuntimeException | Error e) {
            // Justification: the receiver must not throw; if it does, that must not look like a fault of the network.
            onReceiverFailed(e);
        }
    }

    private void onReceiverFailed(Throwable e) {
        inputsDropped.increment();
        if (!hasReceiverFailed) {
            hasReceiverFailed = true;
            say(() -> LOG.error("{}: the receiver failed; further failures are counted only", self, e));
        }
    }

    // ---------------------------------------------------------------- admission

    private void onHello(Connection connection, Hello hello) throws IOException {
        leave(connection);
        Answer answer = judge(connection, hello);
        Peer peer = answer == Answer.ADMITTED ? peer(hello) : null;
        if (answer == Answer.ADMITTED && peer == null) {
            answer = Answer.NO_ROOM;
        }
        boolean isAdmitted = peer != null;
        connection.greet(
                Wire.WELCOME,
                new Welcome(
                                answer,
                                isAdmitted ? Math.min(Wire.VERSION_MAX, hello.versionMax()) : 0,
                                hello.nonce(),
                                mine(connection, answer),
                                yours(answer, hello))
                        .toBytes());
        if (peer == null) {
            connectionsRefused.increment();
            refuse(connection, hello, answer);
            return;
        }
        opened(connection, peer);
    }

    /** A refusal is small and the socket empty, so it is written at once. */
    private void refuse(Connection connection, Hello hello, Answer answer) throws IOException {
        connection.write(out);
        close(connection);
        if (answer == Answer.CROSSED) {
            return;
        }
        warn(
                connection + " " + answer,
                "refuses {}, which says that it is {}: it {}",
                connection,
                hello.from(),
                refusal(answer, yours(answer, hello), mine(connection, answer)));
    }

    private static String refusal(Answer answer, String theirs, String ours) {
        String said = LogLimit.printable(theirs);
        return switch (answer) {
            case VERSION -> "speaks wire versions " + said + ", this node " + ours;
            case CLUSTER -> "is of cluster '" + said + "', this node of '" + ours + "'; check clusterId and the peers";
            case NOT_FOR_US -> "looks for node " + said + ", this is " + ours + "; check the peers";
            case OWN_ID -> "has the id of this node; check nodeId and the peers";
            case BUSY -> "is connected already; two processes may have this node id";
            case CERTIFICATE -> "has the certificate of node " + ours;
            case NO_ROOM -> "is one contender too many";
            case CROSSED, ADMITTED -> "is connected";
        };
    }

    private Answer judge(Connection connection, Hello hello) {
        if (hello.versionMax() < Wire.VERSION_MIN || hello.versionMin() > Wire.VERSION_MAX) {
            return Answer.VERSION;
        }
        if (!hello.cluster().equals(cluster)) {
            return Answer.CLUSTER;
        }
        if (!hello.to().equals(self)) {
            return Answer.NOT_FOR_US;
        }
        if (hello.from().equals(self)) {
            return Answer.OWN_ID;
        }
        if (connection.secured != null && !connection.proven.equals(Optional.of(hello.from()))) {
            return Answer.CERTIFICATE;
        }
        Peer peer = peers.get(hello.from());
        if (peer == null) {
            return Answer.ADMITTED;
        }
        Connection open = peer.open;
        if (open != null
                && now - open.heardAt < REPLACED_NANOS
                && (!isAtHome(connection, peer) || isAtHome(open, peer))) {
            return Answer.BUSY;
        }
        // Both dial: the connection stays that was dialled by the smaller id. Before our HELLO has left, theirs wins.
        Connection ours = peer.dialled;
        boolean isCrossed = ours != null && ours.state() == State.GREETING && self.compareTo(hello.from()) < 0;
        return isCrossed ? Answer.CROSSED : Answer.ADMITTED;
    }

    /**
     * Whether a connection comes from where the peer was found. Somebody elsewhere who says that it is the peer gives
     * way when the peer itself calls.
     */
    private static boolean isAtHome(Connection connection, Peer peer) {
        return Arrays.asList(peer.found).contains(connection.remote());
    }

    private String mine(Connection connection, Answer answer) {
        return switch (answer) {
            case CERTIFICATE -> connection.proven.map(NodeId::value).orElse("");
            case VERSION -> Wire.VERSION_MIN + "-" + Wire.VERSION_MAX;
            case CLUSTER -> cluster;
            case NOT_FOR_US, OWN_ID -> self.value();
            case ADMITTED, BUSY, CROSSED, NO_ROOM -> "";
        };
    }

    private static String yours(Answer answer, Hello hello) {
        return switch (answer) {
            case VERSION -> hello.versionMin() + "-" + hello.versionMax();
            case CLUSTER -> hello.cluster();
            case NOT_FOR_US -> hello.to().value();
            case OWN_ID, CERTIFICATE -> hello.from().value();
            case ADMITTED, BUSY, CROSSED, NO_ROOM -> "";
        };
    }

    /** Who has called; null if it is a contender for whom there is no room. */
    private @Nullable Peer peer(Hello hello) {
        return contender(hello.from(), hello.advertised());
    }

    /** A node that is reached there, unless the own list names it; null if there is no room for one more contender. */
    private @Nullable Peer contender(NodeId id, HostAndPort address) {
        Peer known = peers.get(id);
        if (known != null) {
            if (!known.isConfigured()) {
                known.address = address;
            }
            return known;
        }
        if (contenders.size() >= CONTENDERS_MAX && !forgetContender()) {
            return null;
        }
        Peer fresh = new Peer(id, address, false);
        fresh.heardAt = now;
        contenders.put(fresh.id(), fresh);
        peers.put(fresh.id(), fresh);
        return fresh;
    }

    /** Of the contenders that are not connected, the one that was not heard for longest is forgotten. */
    private boolean forgetContender() {
        Peer oldest = null;
        for (Peer each : contenders.values()) {
            boolean isAway = each.open == null && each.dialled == null;
            if (isAway && (oldest == null || now - each.heardAt > now - oldest.heardAt)) {
                oldest = each;
            }
        }
        if (oldest == null) {
            return false;
        }
        contenders.remove(oldest.id());
        peers.remove(oldest.id());
        sendsDropped.add(oldest.clear());
        return true;
    }

    private void onWelcome(Connection connection, Welcome welcome) throws IOException, MalformedInputException {
        Peer peer = connection.peer;
        if (peer == null || welcome.nonce() != connection.nonce) {
            throw new MalformedInputException("WELCOME that answers another HELLO");
        }
        if (welcome.answer() == Answer.CROSSED) {
            // The peer's own connection comes, so what waits may go on waiting.
            close(connection);
            peer.pauseShortly(now);
        } else if (welcome.answer() == Answer.ADMITTED) {
            if (welcome.version() < Wire.VERSION_MIN || welcome.version() > Wire.VERSION_MAX) {
                throw new MalformedInputException("WELCOME of wire version " + welcome.version());
            }
            opened(connection, peer);
        } else {
            String reason = "the node there " + welcome.answer().text() + values(welcome);
            if (welcome.answer() != Answer.BUSY) {
                // It is somebody's mistake, and said also if the peer was away before.
                peer.isReportedLost = true;
                warn("refused by " + peer.id(), "{} at {}: {}", peer.id(), peer.address, reason);
            }
            end(connection, reason);
        }
    }

    private static String values(Welcome welcome) {
        if (welcome.mine().isEmpty() && welcome.yours().isEmpty()) {
            return "";
        }
        return "; there '" + LogLimit.printable(welcome.mine()) + "', here '" + LogLimit.printable(welcome.yours())
                + "'";
    }

    private void opened(Connection connection, Peer peer) throws IOException {
        Connection former = peer.open;
        peer.open = null;
        if (former != null) {
            close(former);
        }
        Connection ours = peer.dialled;
        peer.dialled = null;
        if (ours != null && ours != connection) {
            close(ours);
        }
        connection.peer = peer;
        connection.open(now);
        due(now + PING_NANOS);
        peer.open = connection;
        peer.heardAt = now;
        peer.attempts = 0;
        peer.onReached();
        reportReached(peer);
        write(connection);
    }

    // ---------------------------------------------------------------- connections end

    /** A connection ends by itself or by the other side. */
    private void end(Connection connection, String reason) {
        Peer peer = connection.peer;
        State state = connection.state();
        boolean isSilentStranger = peer == null && !connection.hasSpoken;
        close(connection);
        if (hasFarewellBegun || state == State.ENDING) {
            return;
        }
        if (peer == null) {
            // Whoever only looks whether the port is open gets no line.
            if (!isSilentStranger) {
                warn(connection + " no greeting", "closes the connection of {}: {}", connection, reason);
            }
        } else if (state == State.OPEN) {
            // A peer that accepts and closes in turns shall not keep both busy.
            peer.pauseShortly(now);
            reportLost(peer, reason);
        } else if (peer.open == null) {
            failed(peer, reason);
        }
    }

    private void onBye(Connection connection, byte[] body) {
        Peer peer = connection.peer;
        if (Arrays.equals(body, Wire.BYE_FOR_NOW)) {
            close(connection);
            if (peer != null && peer.open == null) {
                // Whoever says this again and again shall not keep both busy.
                peer.pauseShortly(now);
            }
            return;
        }
        if (peer != null && peer.isConfigured() && !hasFarewellBegun && !peer.isReportedLost) {
            // What follows, that nobody listens there, is no news then.
            peer.isReportedLost = lines.enter("lost " + peer.id(), now).isPresent();
            if (peer.isReportedLost) {
                say(() -> LOG.info("{}: {} has closed", self, peer.id()));
            }
        }
        end(connection, "closed by the other side");
    }

    /** The peer lives, and so does this node: neither has a line to write. The next frame opens another connection. */
    private void closeForNow(Connection connection) throws IOException {
        Peer peer = connection.peer;
        connection.oweBye(Wire.BYE_FOR_NOW);
        // What waits and finds no room in the socket goes over the next one.
        write(connection);
        if (connection.state() == State.OPEN) {
            close(connection);
        } else if (peer != null && peer.open == connection) {
            peer.open = null;
        }
    }

    private void onMalformed(Connection connection, String reason) {
        end(connection, "not in the form of this library: " + LogLimit.printable(reason));
    }

    private void failed(Peer peer, String reason) {
        peer.attempts++;
        sendsDropped.add(peer.onFailed(now, ThreadLocalRandom.current()::nextDouble));
        reportLost(peer, reason);
    }

    private void close(Connection connection) {
        if (connection.state() == State.CLOSED) {
            return;
        }
        leave(connection);
        Peer peer = connection.peer;
        if (peer != null && peer.open == connection) {
            peer.open = null;
        }
        if (peer != null && peer.dialled == connection) {
            peer.dialled = null;
        }
        connections.remove(connection);
        connection.close();
        count(connection);
    }

    /** It is no longer one that has not said who it is. */
    private void leave(Connection connection) {
        if (connection.isWaiting) {
            connection.isWaiting = false;
            admission.leave(connection.remote(), connection.isFromPeers);
        }
    }

    private void beginFarewell() {
        hasFarewellBegun = true;
        endAt = now + FAREWELL_NANOS;
        due(endAt);
        for (Connection connection : List.copyOf(connections)) {
            if (connection.state() == State.OPEN) {
                connection.oweBye(NOTHING);
                guarded(connection, () -> write(connection));
            } else {
                close(connection);
            }
        }
    }

    private void closeAll() {
        List.copyOf(connections).forEach(this::close);
        resolver.close();
        handshakes.shutdownNow();
        peers.values().forEach(peer -> sendsDropped.add(peer.clear()));
        try (selector;
                server) {
            LOG.debug("{}: closed", self);
        } catch (IOException e) {
            LOG.debug("{}: closing failed", self, e);
        }
    }

    // ---------------------------------------------------------------- the log

    private void reportReached(Peer peer) {
        peer.wasReached = true;
        if (!peer.isReportedLost) {
            return;
        }
        peer.isReportedLost = false;
        lines.enter("reached " + peer.id(), now)
                .ifPresent(leftOut -> say(() -> LOG.info("{}: {} is reached again{}", self, peer.id(), more(leftOut))));
    }

    /** Says once that a peer of the list is not reached; contenders come and go. */
    private void reportLost(Peer peer, String reason) {
        if (!peer.isConfigured()) {
            say(() -> LOG.debug("{}: contender {} is not connected ({})", self, peer.id(), reason));
            return;
        }
        if (peer.isReportedLost) {
            return;
        }
        OptionalLong leftOut = lines.enter("lost " + peer.id(), now);
        if (leftOut.isEmpty()) {
            return;
        }
        peer.isReportedLost = true;
        String line = peer.wasReached
                ? "{}: cannot reach {} at {} any more ({}); trying on{}"
                : "{}: {} at {} is not there yet ({}); trying on{}";
        Object[] values = {self, peer.id(), peer.address, reason, more(leftOut.getAsLong())};
        say(() -> LOG.atLevel(peer.wasReached ? Level.WARN : Level.INFO).log(line, values));
    }

    private void warn(String subject, String line, Object... values) {
        OptionalLong leftOut = lines.enter(subject, now);
        if (leftOut.isPresent()) {
            List<Object> all = new ArrayList<>(List.of(self));
            all.addAll(Arrays.asList(values));
            all.add(more(leftOut.getAsLong()));
            say(() -> LOG.warn("{}: " + line + "{}", all.toArray()));
        }
    }

    private static String more(long leftOut) {
        return leftOut == 0 ? "" : " (and " + leftOut + " lines like this one, left out)";
    }
}
