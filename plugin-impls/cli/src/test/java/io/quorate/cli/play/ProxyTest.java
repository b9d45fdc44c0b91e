package io.quorate.cli.play;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class ProxyTest {

    // What comes back, and has come behind what is held, shows that the proxy had time to pass it.
    @Test
    void whatIsCutWaitsAndTheOtherWayIsWhole() throws Exception {
        Valve there = new Valve();
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 1, loopback);
                Proxy proxy = new Proxy(server.getLocalPort(), there, new Valve());
                Socket near = new Socket(loopback, proxy.port());
                Socket far = server.accept()) {
            near.getOutputStream().write(1);
            assertThat(far.getInputStream().read()).isEqualTo(1);
            there.cut();
            there.cut();
            near.getOutputStream().write(2);
            far.getOutputStream().write(3);
            assertThat(near.getInputStream().read()).isEqualTo(3);
            there.heal();
            far.getOutputStream().write(4);
            assertThat(near.getInputStream().read()).isEqualTo(4);
            assertThat(far.getInputStream().available()).isZero();
            there.heal();
            assertThat(far.getInputStream().read()).isEqualTo(2);
        }
    }

    @Test
    void anEndPassesToo() throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 1, loopback);
                Proxy proxy = new Proxy(server.getLocalPort(), new Valve(), new Valve());
                Socket near = new Socket(loopback, proxy.port());
                Socket far = server.accept()) {
            near.shutdownOutput();
            assertThat(far.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aCutThatEndsAfterTheEndHoldsNobody() throws Exception {
        Valve valve = new Valve();
        valve.cut();
        valve.end();
        valve.heal();
        valve.awaitOpen();
    }
}
