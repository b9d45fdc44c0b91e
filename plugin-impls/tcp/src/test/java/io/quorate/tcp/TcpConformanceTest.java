package io.quorate.tcp;

import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.testkit.TransportConformance;
import java.time.Duration;

class TcpConformanceTest extends TransportConformance {

    @Override
    protected Duration deadline() {
        return Duration.ofMinutes(10);
    }

    // How fast it is, is no claim of a build on a busy machine.
    @Override
    protected Duration sendMax() {
        return deadline();
    }

    @Override
    protected Transport transport(Settings settings) {
        return new TcpTransport(settings);
    }
}
