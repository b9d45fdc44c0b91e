package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.testkit.Certificates;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A probe over TLS needs two round trips before its request. Strangers at many addresses connect meanwhile, and say
 * nothing. By docs/security.md probes are answered.
 */
class EvictedProbesTest {

    private final ElectionClient client = Clients.over(new FakeEngine());
    private final List<Socket> strangers = new ArrayList<>();

    @TempDir
    private Path folder;

    @BeforeEach
    void start() {
        client.start();
    }

    @AfterEach
    void close() throws IOException {
        for (Socket each : strangers) {
            each.close();
        }
        client.close();
    }

    @Test
    void probesAreAnsweredWhileStrangersAtManyAddressesConnect() throws Exception {
        Certificates.Identity authority = Certificates.authority("CN=authority");
        Certificates certificates = new Certificates(folder);
        SSLContext probes = certificates
                .pem(authority.signs("CN=nobody").sign(), authority.certificate())
                .read()
                .context();
        try (OpsServer server = OpsServer.builder(client)
                        .port(0)
                        .timeout(Duration.ofHours(1))
                        .tls(certificates.pem(
                                authority.signs("CN=n1").hosts("localhost").sign(), authority.certificate()))
                        .start();
                SSLSocket probe = (SSLSocket) probes.getSocketFactory()
                        .createSocket("localhost", server.address().getPort())) {
            probe.startHandshake();
            for (int i = 0; i < Callers.MAX; i++) {
                Socket stranger = new Socket();
                stranger.bind(new InetSocketAddress(
                        InetAddress.getByAddress(new byte[] {127, 1, (byte) (i / 128), (byte) (1 + i % 128)}), 0));
                stranger.connect(
                        new InetSocketAddress("127.0.0.1", server.address().getPort()));
                strangers.add(stranger);
            }
            probe.getOutputStream()
                    .write("GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(probe.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 200");
        }
    }
}
