package io.quorate.vertx;

import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.testkit.TransportConformance;

class VertxConformanceTest extends TransportConformance {

    @Override
    protected Transport transport(Settings settings) {
        return VertxTransport.embedded(settings);
    }
}
