package io.quorate.tcp;

import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider;

/** Makes a {@link TcpTransport} under the name {@code tcp}. */
public final class TcpTransportProvider implements TransportProvider {

    /** For the service loader. */
    public TcpTransportProvider() {}

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public Transport create(Settings settings) {
        return new TcpTransport(settings);
    }
}
