package io.quorate.testkit;

import io.quorate.spi.EventLoop;
import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A transport that can be cut: then nothing leaves its node and nothing arrives, as if the process had crashed. */
public final class CuttableTransport implements Transport {

    private final Transport transport;
    private volatile boolean isCut;

    /** Passes everything on to the other. */
    public CuttableTransport(Transport transport) {
        this.transport = transport;
    }

    /** Drops all frames from now on, in both directions. */
    public void cut() {
        isCut = true;
    }

    /** Ends the cut. */
    public void heal() {
        isCut = false;
    }

    @Override
    public void start(Receiver receiver) {
        transport.start(new Receiver() {
            @Override
            public boolean received(Optional<NodeId> sender, byte[] frame) {
                // What a cut keeps away is nobody's fault.
                return isCut || receiver.received(sender, frame);
            }

            @Override
            public boolean received(Optional<NodeId> sender, byte[] frame, Standing standing) {
                return isCut || receiver.received(sender, frame, standing);
            }

            @Override
            public boolean isBehind() {
                return receiver.isBehind();
            }

            @Override
            public Life life() {
                return receiver.life();
            }

            @Override
            public void onPlaceTaken(NodeId by, long life) {
                receiver.onPlaceTaken(by, life);
            }
        });
    }

    @Override
    public Optional<EventLoop> loop() {
        return transport.loop();
    }

    @Override
    public Optional<Instant> certificateEnd() {
        return transport.certificateEnd();
    }

    @Override
    public Optional<String> failure() {
        return transport.failure();
    }

    @Override
    public void reach(NodeId node, HostAndPort address) {
        transport.reach(node, address);
    }

    @Override
    public void send(NodeId to, byte[] frame) {
        if (!isCut) {
            transport.send(to, frame);
        }
    }

    @Override
    public void close() {
        transport.close();
    }

    @Override
    public List<Problem> problems() {
        return transport.problems();
    }
}
