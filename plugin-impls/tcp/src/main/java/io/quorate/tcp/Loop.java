package io.quorate.tcp;

import io.quorate.spi.EventLoop;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.Proof;
import io.quorate.spi.Tls;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.tcp.Connection.State;
import io.quorate.tcp.Wire.Hello;
import io.quorate.transport.Keyring;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of a transport, which accepts, connects, reads, writes and keeps the times: it waits, hands what has
 * come to its parts, and decides when connections begin and end. Methods that name no other thread run on it.
 */
final class Loop implements Runnable, EventLoop, ConnectionEvents {

    /** How long a connection may take to come about, and a greeting to be answered. */
    static final long GREETING_NANOS = 1_000_000_000;
    /** How long both sides may take to show their certificates. */
    static final long SECURING_NANOS = 2_000_000_000;
    /** A connection with TLS ends after 12 to 24 hours: the keys may be others by then. */
    static final long RENEWED_NANOS = 24 * 3_600_000_000_000L;
    /** How often somebody looks whether the files of the keys have changed. */
    static final long KEYS_NANOS = Keyring.LOOK_EVERY.toNanos();
    /** After so long without a word the other side is asked for a sign of life. */
    static final long PING_NANOS = 1_000_000_000;
    /** After so long without a word a connection is closed: three signs of life missed, and half of one. */
    static final long IDLE_NANOS = 3_500_000_000L;
    /** How long the last words have when the transport closes. */
    static final long FAREWELL_NANOS = 250_000_000;

    /** How long frames are held back before the receiver is asked again. */
    private static final long HELD_BACK_NANOS = 1_000_000;
    /** The pause after a fault outside of all connections: if it recurs at once, it must not keep a processor busy. */
    private static final long REST_NANOS = 100_000_000;

    /** The number of tasks that are done before the sockets have their turn. */
    private static final int TASKS_PER_STEP = 64;
    /** The same in time, but for the task that exceeds it: a node that has much to do takes as long for each. */
    static final long TASKS_NANOS_PER_STEP = 1_000_000;

    private static final byte[] NOTHING = {};
    private static final long MILLI = 1_000_000;
    private static final int HANDSHAKE_THREADS = 2;

    private final Selector selector;
    /** Null if this node listens nowhere. */
    private final @Nullable ServerSocketChannel server;

    private final Resolver resolver;
    private final Optional<Keyring> keyring;
    private final String cluster;
    private final Transport.Receiver receiver;
    private final Transport.Life life;
    /** Where the work of handshakes runs. */
    private final ThreadPoolExecutor handshakes;

    // ---------------------------------------------------------------- of all threads
    private final Peers peers;
    private final Counters counters = new Counters();
    private final Queue<Peer> toSend = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isWoken = new AtomicBoolean();
    /** Addresses that this node was told and that the loop has not taken up. */
    private final Map<NodeId, HostAndPort> told = new ConcurrentHashMap<>();

    private volatile boolean isStopping;

    // ---------------------------------------------------------------- of the loop
    private final Alarm alarm = new Alarm();
    private final Set<Connection> connections = new HashSet<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>((a, b) -> Long.signum(a.due - b.due));
    private final Reports reports;
    private final Acceptor acceptor;
    private final Traffic traffic;
    private final Dialling dialling;
    private final Greeter greeter;

    private long keysCheckedAt = alarm.now() - KEYS_NANOS;
    /**
     * Completed unless somebody reads the files at this moment. Reading may take for ever, and must hold one thread
     * only.
     */
    private Future<?> keysLook = Resolver.ANSWERED;

    private boolean hasFarewellBegun;
    private long endAt;

    /** The thread that runs this; null before. */
    private volatile @Nullable Thread thread;

    /** A task with its time. */
    private record Timer(long due, Runnable task) {}

    /** Takes over what is open. */
    Loop(
            String cluster,
            NodeId self,
            Map<NodeId, HostAndPort> addresses,
            Optional<HostAndPort> advertised,
            Transport.Receiver receiver,
            Selector selector,
            @Nullable ServerSocketChannel server,
            Resolver resolver,
            Optional<Keyring> keyring,
            Optional<Proof> proof)
            throws IOException {
        this.cluster = cluster;
        this.selector = selector;
        this.server = server;
        this.resolver = resolver;
        this.keyring = keyring;
        handshakes = Resolver.threads(HANDSHAKE_THREADS, "quorate-tcp-tls-" + self);
        peers = new Peers(self, addresses, resolver, counters);
        reports = new Reports(self, alarm::now);
        acceptor = new Acceptor(server, selector, alarm, peers, counters, reports, this);
        traffic = new Traffic(receiver, handshakes, alarm, counters, reports, this);
        this.receiver = receiver;
        life = receiver.life();
        greeter = new Greeter(
                cluster, self, advertised, proof, alarm, peers, counters, reports, acceptor, traffic, this, life);
        dialling = new Dialling(selector, resolver, keyring, alarm, peers, traffic, greeter, this);
    }

    // ---------------------------------------------------------------- called by other threads

    /** Any thread. */
    List<Problem> problems() {
        return reports.problems();
    }

    /** Any thread. */
    void send(NodeId to, byte[] frame) {
        Peer peer = isStopping ? null : peers.get(to);
        int gone = peer == null ? Peer.REFUSED : peer.offer(frame, System.nanoTime());
        if (peer == null || gone == Peer.REFUSED) {
            counters.sendsDropped.increment();
            return;
        }
        counters.sendsDropped.add(gone);
        if (peer.mark()) {
            boolean isTold = false;
            try {
                toSend.add(peer);
                isTold = true;
            } finally {
                if (!isTold) {
                    // Memory is lacking: without this the loop would never be told of this peer again.
                    peer.unmark();
                }
            }
            wake();
        }
    }

    /** Any thread. */
    void reach(NodeId node, HostAndPort address) {
        if (!isStopping && (told.size() < Peers.TOLD_MAX || told.containsKey(node))) {
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
    Counters counters() {
        return counters;
    }

    @Override
    public void later(Runnable task) {
        tasks.add(task);
        wake();
    }

    @Override
    public void execute(Runnable task) {
        give(() -> runOfOthers(task));
    }

    @Override
    public void schedule(Runnable task, long nanos) {
        long due = System.nanoTime() + nanos;
        give(() -> timers.add(new Timer(due, task)));
    }

    private void give(Runnable task) {
        later(task);
        // Asked behind: the loop may have ended in between, and then has looked at what waits before.
        if (isStopping && tasks.remove(task)) {
            throw new RejectedExecutionException("the transport is closed");
        }
    }

    /** Runs foreign code: its exceptions and errors end nothing but itself. */
    private void runOfOthers(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            // Justification: code of others, and nobody would start this thread again.
            reports.onReceiverFailed(e);
        }
    }

    @Override
    public boolean isStopping() {
        return isStopping;
    }

    private void wake() {
        // The loop finds its own tasks before it waits.
        if (Thread.currentThread() != thread && isWoken.compareAndSet(false, true)) {
            selector.wakeup();
        }
    }

    // ---------------------------------------------------------------- the loop

    @Override
    public void run() {
        thread = Thread.currentThread();
        try {
            while (!isOver()) {
                try {
                    step();
                } catch (IOException e) {
                    throw e;
                } catch (Throwable e) {
                    // Justification: nobody would start this thread again. A fault of one connection ends that
                    // connection. The rest is code of others, such as a logger, or a full heap.
                    reports.onFault(e);
                    LockSupport.parkNanos(REST_NANOS);
                }
            }
        } catch (IOException e) {
            // Justification: without its selector the transport is dead, and the node stops when it learns that.
            reports.onEnd(e);
        } finally {
            isStopping = true;
            try {
                runRest();
            } finally {
                closeAll();
            }
        }
    }

    private void runRest() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            runOfOthers(task);
        }
        timers.forEach(timer -> runOfOthers(timer.task));
    }

    private boolean isOver() {
        return hasFarewellBegun && (connections.isEmpty() || alarm.now() - endAt >= 0);
    }

    private void step() throws IOException {
        // The interrupt is meant for another thread: this one has nothing to give up, and would never wait again.
        Thread.interrupted();
        long wait = alarm.left();
        if (!timers.isEmpty()) {
            wait = Math.min(wait, Math.max(0, timers.element().due - System.nanoTime()));
        }
        if (traffic.isTurnDue() || hasWorkLeft()) {
            wait = 0;
        } else if (traffic.isHeldBack()) {
            wait = Math.min(wait, HELD_BACK_NANOS);
        }
        if (wait == 0) {
            selector.selectNow();
        } else {
            selector.select(wait / MILLI + 1);
        }
        isWoken.set(false);
        alarm.read();
        Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
        while (ready.hasNext()) {
            SelectionKey key = ready.next();
            // Cleared before, because a fault must not leave it here as ready for good.
            ready.remove();
            if (acceptor.owns(key)) {
                acceptor.accept();
            } else if (key.attachment() instanceof Connection connection) {
                guarded(connection, () -> onReady(connection, key));
            }
        }
        runTimers();
        runTasks();
        told.keySet().forEach(node -> {
            HostAndPort address = told.remove(node);
            if (address != null) {
                peers.tell(node, address);
            }
        });
        if (isStopping && !hasFarewellBegun) {
            beginFarewell();
        }
        for (Peer peer = toSend.poll(); peer != null; peer = toSend.poll()) {
            peer.unmark();
            push(peer);
        }
        traffic.takeTurns();
        if (alarm.isRinging()) {
            checkTimes();
        }
    }

    /** The loop's own tasks, and those left over by a bound or a fault, do not wake it. */
    private boolean hasWorkLeft() {
        return !tasks.isEmpty() || !toSend.isEmpty() || !told.isEmpty() || isStopping && !hasFarewellBegun;
    }

    private void runTimers() {
        while (!timers.isEmpty() && alarm.now() - timers.element().due >= 0) {
            runOfOthers(timers.remove().task);
        }
    }

    private void runTasks() {
        long begun = System.nanoTime();
        Runnable task = tasks.poll();
        for (int done = 1; task != null; done++) {
            task.run();
            // A task that adds another one each time must not keep the thread from everything else.
            boolean isEnough = done >= TASKS_PER_STEP || System.nanoTime() - begun >= TASKS_NANOS_PER_STEP;
            task = isEnough ? null : tasks.poll();
        }
    }

    /** Something waits for this peer: it is written, or the peer is dialled. */
    private void push(Peer peer) {
        Connection open = peer.open;
        if (open == null) {
            dialling.begin(peer);
        } else if (!open.wantsToWrite()) {
            // Waiting frames are written when the socket has room again.
            guarded(open, () -> traffic.write(open));
        }
    }

    @Override
    public void guarded(Connection connection, Action action) {
        if (connection.state() == State.CLOSED) {
            return;
        }
        try {
            action.run();
        } catch (MalformedInputException e) {
            counters.inputsDropped.increment();
            end(connection, "not in the form of this library: " + LogLimit.printable(String.valueOf(e.getMessage())));
        } catch (IOException e) {
            end(
                    connection,
                    connection.secured == null
                            ? Reports.reason(e)
                            : keyring.map(keys -> Reports.printable(keys.reason(e)))
                                    .orElse(""),
                    e instanceof SSLException);
        } catch (Throwable e) {
            // Justification: an engine of TLS may throw what it likes at what strangers send, and for a full heap it is
            // a help that a connection ends. The others go on.
            reports.onFault(e);
            end(connection, "internal error: " + e.getClass().getSimpleName());
        }
    }

    private void onReady(Connection connection, SelectionKey key) throws IOException, MalformedInputException {
        if (key.isValid() && key.isConnectable()) {
            dialling.onConnected(connection);
        }
        if (key.isValid() && connection.state() == State.SECURING) {
            traffic.secure(connection, key.isReadable());
            return;
        }
        if (key.isValid() && key.isReadable()) {
            traffic.read(connection);
        }
        if (key.isValid() && key.isWritable()) {
            traffic.write(connection);
        }
    }

    /** Looks at all times that may be over, and finds out when the next one is. */
    private void checkTimes() {
        alarm.restart(alarm.now() + IDLE_NANOS);
        acceptor.checkTimes();
        if (hasFarewellBegun) {
            alarm.due(endAt);
        }
        keyring.ifPresent(this::checkKeys);
        for (Connection connection : List.copyOf(connections)) {
            guarded(connection, () -> checkTimes(connection));
        }
    }

    /** Files are read on another thread; what they say is for the log. */
    private void checkKeys(Keyring keys) {
        if (!keysLook.isDone() || alarm.now() - keysCheckedAt < KEYS_NANOS || hasFarewellBegun) {
            return;
        }
        keysCheckedAt = alarm.now();
        keysLook = handshakes.submit(
                () -> keys.look().ifPresent(text -> later(() -> reports.warn("keys " + text, "{}", text))));
    }

    private void checkTimes(Connection connection) throws IOException {
        if (connection.isBehind) {
            // It has said more than was read.
            connection.heardAt = alarm.now();
        }
        long quiet = alarm.now() - connection.heardAt;
        switch (connection.state()) {
            case SECURING -> {
                if (quiet >= SECURING_NANOS) {
                    // A process that stands still lets the system accept, and says nothing about TLS.
                    end(connection, "no TLS within 2 s", false);
                } else {
                    alarm.due(connection.heardAt + SECURING_NANOS);
                }
            }
            case CONNECTING, GREETING -> {
                if (quiet >= GREETING_NANOS) {
                    end(connection, "no answer within 1 s");
                } else {
                    alarm.due(connection.heardAt + GREETING_NANOS);
                }
            }
            case OPEN -> {
                boolean isOld = connection.secured != null && alarm.now() - connection.renewAt >= 0;
                if (connection.isUnused(alarm.now()) || isOld) {
                    closeForNow(connection);
                } else if (quiet >= IDLE_NANOS) {
                    end(connection, "not a word for 3.5 s");
                } else if (quiet < PING_NANOS) {
                    alarm.due(connection.heardAt + PING_NANOS);
                } else {
                    if (!connection.isPinged) {
                        connection.isPinged = true;
                        connection.owePing();
                        traffic.write(connection);
                    }
                    alarm.due(connection.heardAt + IDLE_NANOS);
                }
            }
            case ENDING -> {
                if (quiet >= GREETING_NANOS) {
                    close(connection);
                } else {
                    alarm.due(connection.heardAt + GREETING_NANOS);
                }
            }
            case CLOSED -> {
                // Nothing is left to wait for.
            }
        }
    }

    // ---------------------------------------------------------------- connections begin

    @Override
    public void onAccepted(Connection connection) {
        connections.add(connection);
        alarm.due(alarm.now() + GREETING_NANOS);
        keyring.ifPresent(keys -> {
            connection.become(State.SECURING);
            guarded(connection, () -> connection.secured = new Secured(keys.context(), false));
        });
    }

    @Override
    public void onDialled(Connection connection) {
        connections.add(connection);
        alarm.due(alarm.now() + GREETING_NANOS);
    }

    @Override
    public void onSecured(Connection connection) throws IOException {
        X509Certificate certificate = connection.secured == null ? null : connection.secured.peerCertificate();
        connection.proven = certificate == null ? Optional.empty() : Tls.nodeOf(certificate, cluster);
        connection.renewAt =
                alarm.now() + RENEWED_NANOS / 2 + ThreadLocalRandom.current().nextLong(RENEWED_NANOS / 2);
        connection.heardAt = alarm.now();
        alarm.due(alarm.now() + GREETING_NANOS);
        Peer peer = connection.peer;
        if (connection.proven.isEmpty()) {
            end(connection, "the certificate there does not name a node of cluster " + cluster);
        } else if (peer == null) {
            connection.become(State.GREETING);
        } else if (!connection.proven.equals(Optional.of(peer.id()))) {
            end(connection, "the certificate there is that of node " + connection.proven.get());
        } else {
            greeter.sayHello(connection, peer);
        }
    }

    @Override
    public void onGreeting(Connection connection, int type, byte[] body) throws IOException, MalformedInputException {
        greeter.onFrame(connection, type, body);
    }

    @Override
    public void onAdmitted(Connection connection, Peer peer) throws IOException {
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
        connection.open(alarm.now());
        alarm.due(alarm.now() + PING_NANOS);
        peer.open = connection;
        peer.heardAt = alarm.now();
        peer.attempts = 0;
        peer.reachedAt = connection.isDialled() ? connection.remote() : peer.reachedAt;
        peer.onReached();
        reports.reached(peer);
        traffic.write(connection);
    }

    // ---------------------------------------------------------------- connections end

    @Override
    public void end(Connection connection, String reason) {
        end(connection, reason, connection.state() == State.SECURING || reason.endsWith(Tls.ONE_SIDE));
    }

    private void end(Connection connection, String reason, boolean isOfTls) {
        Peer peer = connection.peer;
        State state = connection.state();
        boolean isSilentStranger = peer == null && !connection.hasSpoken;
        close(connection);
        if (hasFarewellBegun || state == State.ENDING) {
            return;
        }
        if (peer == null) {
            // A caller that only checks whether the port is open gets no line.
            if (!isSilentStranger && !isCrossed(connection)) {
                reports.warnOfStranger(
                        connection,
                        "no greeting",
                        "closes the connection of {}: {}{}",
                        connection,
                        reason,
                        connection.hello == null ? "" : "; it has not shown that it knows our secret");
            }
        } else if (state == State.OPEN) {
            // A peer that accepts and closes in turns must not keep both busy.
            peer.pauseShortly(alarm.now());
            reports.lost(peer, reason);
        } else if (peer.open == null && isOfTls) {
            onFailed(peer);
            reports.notSecured(peer, reason);
        } else if (peer.open == null) {
            onNotReached(peer, reason);
        }
    }

    /**
     * Whether the node that called, as it says, is connected over another one now, or will be: it has closed this one.
     */
    private boolean isCrossed(Connection connection) {
        try {
            Peer peer = connection.hello == null
                    ? null
                    : peers.get(Hello.read(connection.hello).from());
            return peer != null && !peer.isAway();
        } catch (MalformedInputException e) {
            // It was read before.
            return false;
        }
    }

    @Override
    public void onBye(Connection connection, byte[] body) {
        Peer peer = connection.peer;
        if (body.length > 0) {
            close(connection);
            if (peer != null && peer.open == null) {
                // A peer that says this again and again must not keep both busy.
                peer.pauseShortly(alarm.now());
            }
            return;
        }
        if (peer != null) {
            peer.onLeft(connection.life);
        }
        if (peer != null && !hasFarewellBegun) {
            reports.left(peer);
        }
        end(connection, "closed by the other side");
    }

    @Override
    public void onPlaceTaken(Peer by, long taker) {
        // It is called again soon, because this node votes when it has not been refused for some time.
        by.pauseShortly(alarm.now());
        runOfOthers(() -> receiver.onPlaceTaken(by.id(), taker));
    }

    /** The peer lives, and so does this node: neither has a line to write. The next frame opens another connection. */
    private void closeForNow(Connection connection) throws IOException {
        Peer peer = connection.peer;
        connection.oweBye(Wire.BYE_FOR_NOW);
        // Waiting frames that do not fit into the socket go over the next one.
        traffic.write(connection);
        if (connection.state() == State.OPEN) {
            close(connection);
        } else if (peer != null && peer.open == connection) {
            peer.open = null;
        }
    }

    @Override
    public void onNotReached(Peer peer, String reason) {
        onFailed(peer);
        reports.lost(peer, reason);
    }

    @Override
    public void onFailed(Peer peer) {
        peer.attempts++;
        counters.sendsDropped.add(peer.onFailed(alarm.now(), life.placeNanos(), Math::random));
    }

    @Override
    public void close(Connection connection) {
        if (connection.state() == State.CLOSED) {
            return;
        }
        acceptor.leave(connection);
        Peer peer = connection.peer;
        if (peer != null && peer.open == connection) {
            peer.open = null;
            peers.onClosed(peer);
        }
        if (peer != null && peer.dialled == connection) {
            peer.dialled = null;
        }
        connections.remove(connection);
        connection.close();
        traffic.forget(connection);
    }

    @Override
    public boolean isLeaving() {
        return hasFarewellBegun;
    }

    private void beginFarewell() {
        hasFarewellBegun = true;
        endAt = alarm.now() + FAREWELL_NANOS;
        alarm.due(endAt);
        for (Connection connection : List.copyOf(connections)) {
            if (connection.state() == State.OPEN) {
                connection.oweBye(NOTHING);
                guarded(connection, () -> traffic.write(connection));
            } else {
                close(connection);
            }
        }
    }

    private void closeAll() {
        // Port and selector are closed even if the rest fails.
        try (selector;
                server) {
            List.copyOf(connections).forEach(this::close);
            resolver.close();
            handshakes.shutdownNow();
            peers.all().forEach(peer -> counters.sendsDropped.add(peer.clear()));
            reports.onClosed();
        } catch (IOException e) {
            reports.onClosingFailed(e);
        }
    }
}
