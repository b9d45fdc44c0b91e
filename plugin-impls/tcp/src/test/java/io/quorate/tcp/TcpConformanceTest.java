package io.quorate.tcp;

import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.testkit.TransportConformance;

class TcpConformanceTest extends TransportConformance {

    @Override
    protected Transport transport(Settings settings) {
        return new TcpTransport(settings);
    }
}
