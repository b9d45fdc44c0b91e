package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.quorate.ElectionClient;
import io.quorate.spi.Tls;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.Certificates;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever reaches the port and says nothing, or too little: no probe waits for them, and they hold few descriptors. */
class OpsServerStrangersTest {

    private static final byte[] HALF_A_HEAD = "GET /live HT".getBytes(StandardCharsets.US_ASCII);

    private static final int PROBES = 10;

    private final ElectionClient client = Clients.over(new FakeEngine());
    private final List<Socket> strangers = new ArrayList<>();

    @TempDir
    Path folder;

    /** What a stranger does before it says no more. */
    private enum Kind {
        SILENT(false),
        HALF_A_HEAD(false),
        A_BYTE_NOW_AND_THEN(false),
        SILENT_OVER_TLS(true),
        HALF_A_CLIENT_HELLO(true),
        HANDSHAKE_AND_NO_MORE(true);

        private final boolean isTls;

        Kind(boolean isTls) {
            this.isTls = isTls;
        }
    }

    @BeforeEach
    void start() {
        client.start();
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : strangers) {
            socket.close();
        }
        client.close();
    }

    private OpsServer serving(boolean isTls, Duration timeout) throws IOException, GeneralSecurityException {
        OpsServer.Builder builder = OpsServer.builder(client).port(0).timeout(timeout);
        return (isTls ? builder.tls(keys()) : builder).start();
    }

    private Tls keys() throws IOException, GeneralSecurityException {
        Certificates.Identity authority = Certificates.authority("CN=authority");
        return new Certificates(folder)
                .pem(authority.signs("CN=n1").hosts("localhost").sign(), authority.certificate());
    }

    // ---------------------------------------------------------------- who calls

    /** Believes everybody, as somebody does who only wants to be in the way. */
    private static SSLContext credulous() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                null,
                new TrustManager[] {
                    new X509TrustManager() {
                        @Override
                        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

                        @Override
                        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

                        @Override
                        public X509Certificate[] getAcceptedIssuers() {
                            return new X509Certificate[0];
                        }
                    }
                },
                new SecureRandom());
        return context;
    }

    private static byte[] clientHello() throws GeneralSecurityException, SSLException {
        SSLEngine engine = credulous().createSSLEngine();
        engine.setUseClientMode(true);
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), out);
        byte[] hello = new byte[out.flip().remaining()];
        out.get(hello);
        return hello;
    }

    private static Socket connected(OpsServer server) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        socket.setSoTimeout(Web.PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    private void call(OpsServer server, Kind kind, int many) throws IOException, GeneralSecurityException {
        byte[] hello = clientHello();
        SSLContext tls = credulous();
        for (int i = 0; i < many; i++) {
            Socket socket = connected(server);
            strangers.add(socket);
            try {
                switch (kind) {
                    case SILENT, SILENT_OVER_TLS -> {}
                    case HALF_A_HEAD, A_BYTE_NOW_AND_THEN ->
                        socket.getOutputStream().write(HALF_A_HEAD);
                    case HALF_A_CLIENT_HELLO -> socket.getOutputStream().write(hello, 0, hello.length / 2);
                    case HANDSHAKE_AND_NO_MORE -> {
                        SSLSocket secure =
                                (SSLSocket) tls.getSocketFactory().createSocket(socket, "localhost", 0, true);
                        // The finalizer of JDK 17 closes one that is lost, and the socket below with it.
                        strangers.set(strangers.size() - 1, secure);
                        secure.startHandshake();
                    }
                }
            } catch (IOException e) {
                // The server closes some of them meanwhile.
            }
        }
    }

    /** All that are still connected send one byte more. */
    private void sendAByteEach() {
        for (Socket socket : strangers) {
            try {
                socket.getOutputStream().write('x');
            } catch (IOException e) {
                // This one was closed.
            }
        }
    }

    /** How many of the strangers the server has not closed. */
    private long connected() throws IOException {
        long open = 0;
        for (Socket socket : strangers) {
            try {
                // Justification: a connection that is closed says so; one that a slow machine closes later is counted
                // again.
                socket.setSoTimeout(1);
                while (socket.getInputStream().read() >= 0) {
                    // What came before the end, as the session tickets of a handshake.
                }
            } catch (SocketTimeoutException e) {
                open++;
            } catch (IOException e) {
                // Reset.
            }
        }
        return open;
    }

    // ---------------------------------------------------------------- probes

    /** As the probe of a platform asks: one connection, one request. */
    private static String probe(OpsServer server, boolean isTls) throws IOException, GeneralSecurityException {
        Socket plain = connected(server);
        try (Socket socket = isTls
                ? credulous()
                        .getSocketFactory()
                        .createSocket(plain, "localhost", server.address().getPort(), true)
                : plain) {
            OutputStream out = socket.getOutputStream();
            out.write("GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    /** Strangers that fill each thread of a server, some beyond the bound of connections, and many more. */
    private static Stream<Arguments> crowds() {
        List<Arguments> all = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            // A thousand handshakes would take too long.
            List<Integer> counts = kind == Kind.HANDSHAKE_AND_NO_MORE ? List.of(24, 270) : List.of(24, 270, 1000);
            counts.stream()
                    .filter(count -> Effort.isWhole() || count == 270)
                    .forEach(count -> all.add(arguments(kind, count)));
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("crowds")
    void noProbeWaitsForStrangers(Kind kind, int many) throws Exception {
        // No stranger is cut off for its time: a probe that waited for one would get no answer.
        try (OpsServer server = serving(kind.isTls, Duration.ofHours(1))) {
            probe(server, kind.isTls);
            call(server, kind, many);
            for (int i = 0; i < PROBES; i++) {
                if (kind == Kind.A_BYTE_NOW_AND_THEN) {
                    sendAByteEach();
                }
                assertThat(probe(server, kind.isTls)).startsWith("HTTP/1.1 200 ");
            }
            await().atMost(Duration.ofMinutes(10)).untilAsserted(() -> assertThat(connected())
                    .as("strangers that are still connected")
                    .isLessThanOrEqualTo(256));
        }
    }

    // However many there are. They may come back all day.
    @Test
    void strangersBeyondTheBoundAreOneLineOfTheLog() throws Exception {
        try (CapturedLog log = new CapturedLog();
                OpsServer server = serving(false, Duration.ofHours(1))) {
            call(server, Kind.SILENT, 400);
            await().atMost(Duration.ofMinutes(10))
                    .untilAsserted(() -> assertThat(connected()).isLessThanOrEqualTo(256));
            assertThat(log.lines("WARN"))
                    .containsExactly("WARN io.quorate.ops.OpsServer - Node fake: HTTP server: more than 256 connections"
                            + " at one time: those that have been without a request for the longest time are closed,"
                            + " 1 by now");
        }
    }

    // The bodies never come.
    @Test
    void noProbeWaitsForBodies() throws Exception {
        try (OpsServer server = serving(false, Duration.ofHours(1))) {
            for (int i = 0; i < 300; i++) {
                strangers.add(Web.sent(server, "GET /leader HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"));
            }
            for (int i = 0; i < PROBES; i++) {
                assertThat(probe(server, false)).startsWith("HTTP/1.1 200 ");
            }
            await().atMost(Duration.ofMinutes(10)).untilAsserted(() -> assertThat(connected())
                    .as("strangers that are still connected")
                    .isLessThanOrEqualTo(256));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void strangersAreCutOffInTheEnd(Kind kind) throws Exception {
        try (OpsServer server = serving(kind.isTls, Duration.ofSeconds(1))) {
            call(server, kind, 3);
            await().atMost(Duration.ofMinutes(10)).untilAsserted(() -> {
                if (kind == Kind.A_BYTE_NOW_AND_THEN) {
                    // Each byte shows that somebody is there, and earns no more time.
                    sendAByteEach();
                }
                assertThat(connected()).as("strangers that are still connected").isZero();
            });
        }
    }

    @Test
    void malformedRequestIsRejectedAsJson() throws Exception {
        try (OpsServer server = serving(false, Duration.ofSeconds(1))) {
            for (String wrong : List.of(
                    "rubbish\r\n\r\n",
                    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                    "CONNECT localhost:1 HTTP/1.1\r\nHost: localhost:1\r\nConnection: close\r\n\r\n",
                    "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                    "GET /live/%2e%2e/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                    "GET /live\r\n\r\n",
                    "GET /live HTTP/7.5\r\nHost: localhost\r\n\r\n",
                    "GET /li%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                    "GET /live HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
                    "GET /live HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: rubbish\r\n\r\n",
                    "GET /live HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                    "GET /live HTTP/1.1\r\nno colon\r\nHost: localhost\r\n\r\n",
                    "GET /live?" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
                    "GET /live HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(20_000) + "\r\n\r\n")) {
                String answer = Web.received(Web.sent(server, wrong));
                String shown = wrong.substring(0, Math.min(60, wrong.length()));
                if (answer.isEmpty() || answer.equals("reset")) {
                    // Cut off, without a word that a browser could take for something else.
                    continue;
                }
                assertThat(answer).as(shown).containsIgnoringCase("X-Content-Type-Options: nosniff");
                assertThat(answer).as(shown).containsIgnoringCase("Content-Type: application/json");
                assertThat(answer).as(shown).matches("(?s)HTTP/1\\.1 [45]\\d\\d .*\r\n\r\n\\{\"error\":\"[^\"]+\"}\n");
            }
        }
    }
}
