package io.quorate.vertx;

import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider;

/** Makes a {@link VertxTransport} with its own Vertx, under the name {@code vertx}. */
public final class VertxTransportProvider implements TransportProvider {

    /** For the service loader. */
    public VertxTransportProvider() {}

    @Override
    public String name() {
        return "vertx";
    }

    @Override
    public Transport create(Settings settings) {
        return VertxTransport.embedded(settings);
    }
}
