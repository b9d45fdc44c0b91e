package io.quorate.tcp;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.tcp.Connection.State;
import io.quorate.transport.Keyring;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Optional;

/** Looks a peer's name up, and dials it. Confined to the loop. */
final class Dialling {

    private final Selector selector;
    private final Resolver resolver;
    private final Optional<Keyring> keyring;
    private final Alarm alarm;
    private final Peers peers;
    private final Traffic traffic;
    private final Greeter greeter;
    private final ConnectionEvents events;

    Dialling(
            Selector selector,
            Resolver resolver,
            Optional<Keyring> keyring,
            Alarm alarm,
            Peers peers,
            Traffic traffic,
            Greeter greeter,
            ConnectionEvents events) {
        this.selector = selector;
        this.resolver = resolver;
        this.keyring = keyring;
        this.alarm = alarm;
        this.peers = peers;
        this.traffic = traffic;
        this.greeter = greeter;
        this.events = events;
    }

    /** Unless an attempt is under way, or the pause after the last one. */
    void begin(Peer peer) {
        if (peer.dialled != null || !peer.lookUp.isDone() || peer.isPaused(alarm.now()) || events.isLeaving()) {
            return;
        }
        if (peer.address.isEmpty()) {
            events.onNotReached(peer, "it listens nowhere, and has to call");
            return;
        }
        HostAndPort address = peer.address.get();
        // There is no mark that has to be taken away: after any exception the next attempt asks again.
        peer.lookUp = resolver.resolve(
                address.host(), peer.attempts, found -> events.later(() -> dial(peer, address, found)));
    }

    private void dial(Peer peer, HostAndPort address, InetAddress[] found) {
        if (peer.open != null
                || peer.dialled != null
                || peer.isPaused(alarm.now())
                || events.isLeaving()
                || peers.get(peer.id()) != peer) {
            return;
        }
        if (found.length == 0) {
            events.onNotReached(peer, "the name " + LogLimit.printable(address.host()) + " does not resolve");
            return;
        }
        peers.onFound(peer, found);
        // If there are several addresses, each has its attempt; the one at which the peer was reached last comes first.
        int first = Math.max(0, Arrays.asList(found).indexOf(peer.reachedAt));
        try {
            dial(peer, found[(first + peer.attempts) % found.length], address.port());
        } catch (IOException e) {
            events.onNotReached(peer, Reports.reason(e));
        } catch (RuntimeException e) {
            // Justification: an address that this system cannot dial (of another family) is no fault of ours.
            events.onNotReached(peer, e.toString());
        }
    }

    private void dial(Peer peer, InetAddress to, int port) throws IOException {
        SocketChannel channel = SocketChannel.open();
        boolean isDialled = false;
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            boolean isThere = channel.connect(new InetSocketAddress(to, port));
            Connection connection = new Connection(channel, true, to, selector, alarm.now());
            connection.peer = peer;
            peer.dialled = connection;
            events.onDialled(connection);
            isDialled = true;
            if (isThere) {
                events.guarded(connection, () -> onConnected(connection));
            }
        } finally {
            if (!isDialled) {
                // After an Error, too: nobody else knows this connection, and its peer would not be dialled any more.
                peer.dialled = null;
                channel.close();
            }
        }
    }

    /** The connection has come about. */
    void onConnected(Connection connection) throws IOException, MalformedInputException {
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
        connection.heardAt = alarm.now();
        alarm.due(alarm.now() + Loop.GREETING_NANOS);
        if (keyring.isPresent()) {
            connection.become(State.SECURING);
            connection.secured = new Secured(keyring.get().context(), true);
            traffic.secure(connection, false);
        } else {
            greeter.sayHello(connection, peer);
        }
    }
}
