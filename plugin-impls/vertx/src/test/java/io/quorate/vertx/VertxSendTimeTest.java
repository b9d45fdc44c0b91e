package io.quorate.vertx;

import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.TransportConformance;
import java.time.Duration;

/** The conformance with the bound that the kit has for the time of a send. */
@RealTime
class VertxSendTimeTest extends TransportConformance {

    @Override
    protected Duration deadline() {
        return Duration.ofMinutes(10);
    }

    @Override
    protected Transport transport(Settings settings) {
        return VertxTransport.embedded(settings);
    }
}
