package io.quorate.endtoend;

import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;

/** A transport of a node that can be cut off: then nothing leaves it and nothing arrives, as if it had crashed. */
final class SeverableTransport implements Transport {

    private final Transport transport;
    private volatile boolean isSevered;

    SeverableTransport(Transport transport) {
        this.transport = transport;
    }

    void sever() {
        isSevered = true;
    }

    void restore() {
        isSevered = false;
    }

    @Override
    public void start(Receiver receiver) {
        transport.start(frame -> {
            if (!isSevered) {
                receiver.received(frame);
            }
        });
    }

    @Override
    public void send(NodeId to, byte[] frame) {
        if (!isSevered) {
            transport.send(to, frame);
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}
