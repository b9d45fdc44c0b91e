package io.quorate.vertx;

import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.testkit.TransportConformance;
import java.time.Duration;

class VertxConformanceTest extends TransportConformance {

    @Override
    protected Duration deadline() {
        return Duration.ofMinutes(5);
    }

    @Override
    protected Transport transport(Settings settings) {
        return VertxTransport.embedded(settings);
    }
}
