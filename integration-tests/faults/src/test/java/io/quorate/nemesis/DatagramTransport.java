package io.quorate.nemesis;

import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportException;
import io.quorate.spi.TransportProvider;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A datagram per frame, on one machine. What carries streams never loses, doubles or reorders a frame while a connection
 * lasts; of this each frame fares for itself, which the contract of transports allows.
 */
final class DatagramTransport implements Transport {

    private static final int ROOM = 1 << 20;
    /** The longest that a datagram carries; a frame that is longer is lost. */
    private static final int LENGTH_MAX = 65_507;

    private final Map<NodeId, InetSocketAddress> addresses = new HashMap<>();
    private final InetSocketAddress own;
    private DatagramSocket socket;

    DatagramTransport(TransportProvider.Settings settings) {
        settings.addresses()
                .forEach((node, address) ->
                        addresses.put(node, new InetSocketAddress(InetAddress.getLoopbackAddress(), address.port())));
        own = addresses.get(settings.self());
    }

    @Override
    public void start(Receiver receiver) {
        try {
            socket = new DatagramSocket(own);
            socket.setReceiveBufferSize(ROOM);
        } catch (SocketException e) {
            throw new TransportException("cannot listen at " + own, e);
        }
        Thread thread = new Thread(() -> receive(receiver), "datagrams");
        thread.setDaemon(true);
        thread.start();
    }

    private void receive(Receiver receiver) {
        DatagramPacket packet = new DatagramPacket(new byte[LENGTH_MAX], LENGTH_MAX);
        while (!socket.isClosed()) {
            try {
                packet.setLength(LENGTH_MAX);
                socket.receive(packet);
                receiver.received(Optional.empty(), Arrays.copyOf(packet.getData(), packet.getLength()));
            } catch (IOException e) {
                // Closed, or one that is lost.
            }
        }
    }

    @Override
    public void send(NodeId to, byte[] frame) {
        Transport.checkLength(frame);
        InetSocketAddress address = addresses.get(to);
        if (address == null || frame.length > LENGTH_MAX) {
            return;
        }
        try {
            socket.send(new DatagramPacket(frame, frame.length, address));
        } catch (IOException e) {
            // It is lost.
        }
    }

    @Override
    public void close() {
        if (socket != null) {
            socket.close();
        }
    }
}
