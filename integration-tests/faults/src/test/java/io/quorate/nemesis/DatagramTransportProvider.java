package io.quorate.nemesis;

import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider;

/** Makes a {@link DatagramTransport} under the name {@value #NAME}. */
public final class DatagramTransportProvider implements TransportProvider {

    /** How nodes choose it. */
    static final String NAME = "datagrams";

    /** For the service loader. */
    public DatagramTransportProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Transport create(Settings settings) {
        return new DatagramTransport(settings);
    }
}
