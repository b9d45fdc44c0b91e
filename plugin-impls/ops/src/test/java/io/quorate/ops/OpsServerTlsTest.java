package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.quorate.ElectionClient;
import io.quorate.spi.Tls;
import io.quorate.testkit.Certificates;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.transport.Keyring;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS with the client of the JDK, which checks the certificate and the name in it. */
class OpsServerTlsTest {

    private static final String TOKEN = "token-of-the-tests";

    private final ElectionClient client = Clients.over(new FakeEngine());
    private final List<OpsServer> opened = new ArrayList<>();

    @TempDir
    Path folder;

    private Certificates certificates;
    private Certificates.Identity authority;
    private Path tokenFile;

    @BeforeEach
    void make() throws IOException, GeneralSecurityException {
        certificates = new Certificates(folder);
        authority = Certificates.authority("CN=authority");
        tokenFile = Files.writeString(folder.resolve("token"), TOKEN);
        client.start();
    }

    @AfterEach
    void close() {
        opened.forEach(OpsServer::close);
        client.close();
    }

    private Certificates.Identity identity(String subject) throws IOException, GeneralSecurityException {
        return authority.signs(subject).hosts("localhost").sign();
    }

    private Tls keys() throws IOException, GeneralSecurityException {
        return certificates.pem(identity("CN=n1"), authority.certificate());
    }

    /** Nothing of it is cut off in real time, however slow the machine is. */
    private OpsServer.Builder builder(Tls tls) {
        return OpsServer.builder(client).port(0).timeout(Duration.ofHours(1)).tls(tls);
    }

    private OpsServer started(OpsServer.Builder builder) {
        OpsServer server = builder.start();
        opened.add(server);
        return server;
    }

    /** Of a client that believes the authority. */
    private HttpClient browser() throws IOException, GeneralSecurityException {
        return believing(authority);
    }

    private HttpClient believing(Certificates.Identity trusted) throws IOException, GeneralSecurityException {
        // The keys are not shown: the server asks for none.
        SSLContext context = certificates
                .pem(authority.signs("CN=nobody").sign(), trusted.certificate())
                .read()
                .context();
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private static HttpRequest.Builder request(OpsServer server, String target) {
        return HttpRequest.newBuilder(
                        URI.create("https://localhost:" + server.address().getPort() + target))
                .timeout(Duration.ofMillis(Web.PATIENCE_MILLIS));
    }

    private HttpResponse<String> answer(HttpRequest.Builder request) throws Exception {
        return browser().send(request.build(), BodyHandlers.ofString());
    }

    /** From a server with little time: a handshake that a busy machine does not end within it is cut off. */
    private HttpResponse<String> answerInTime(HttpRequest.Builder request) throws Exception {
        while (true) {
            try {
                return answer(request);
            } catch (HttpTimeoutException | ConnectException e) {
                throw e;
            } catch (IOException e) {
                // It is asked again.
            }
        }
    }

    private static String shown(HttpResponse<?> answer) throws SSLException {
        SSLSession session = answer.sslSession().orElseThrow();
        return ((X509Certificate) session.getPeerCertificates()[0])
                .getSubjectX500Principal()
                .getName();
    }

    // ---------------------------------------------------------------- what it answers

    @Test
    void endpointsAnswerOverHttps() throws Exception {
        OpsServer server = started(builder(keys()));
        HttpResponse<String> answer = answer(request(server, "/live"));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(Web.field(answer, "state")).isEqualTo("JOINING");
        assertThat(shown(answer)).isEqualTo("CN=n1");
        assertThat(answer.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
    }

    @Test
    void aTokenMayLeaveTheMachine() throws Exception {
        OpsServer server = started(builder(keys()).address("0.0.0.0").tokenFile(tokenFile));
        HttpRequest.Builder change = request(server, "/standby?on=true").POST(BodyPublishers.noBody());
        assertThat(answer(change).statusCode()).isEqualTo(401);
        assertThat(answer(change.header("Authorization", "Bearer " + TOKEN)).statusCode())
                .isEqualTo(200);
    }

    @Test
    void clientsThatKnowOnlyOldVersionsAreServed() throws Exception {
        OpsServer server = started(builder(keys()));
        SSLParameters old = new SSLParameters();
        old.setProtocols(new String[] {"TLSv1.2"});
        old.setEndpointIdentificationAlgorithm("HTTPS");
        HttpClient browser = HttpClient.newBuilder()
                .sslContext(certificates
                        .pem(authority.signs("CN=nobody").sign(), authority.certificate())
                        .read()
                        .context())
                .sslParameters(old)
                .build();
        HttpResponse<String> answer = browser.send(request(server, "/live").build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.2");
    }

    @Test
    void clientThatDistrustsTheAuthorityGetsNoAnswer() throws Exception {
        OpsServer server = started(builder(keys()));
        HttpClient stranger = believing(Certificates.authority("CN=other"));
        assertThatThrownBy(() -> stranger.send(request(server, "/live").build(), BodyHandlers.ofString()))
                .isInstanceOf(SSLException.class);
        assertThat(answer(request(server, "/live")).statusCode()).isEqualTo(200);
    }

    // In plain text nothing is said, and slow or wrong handshakes end.
    @Test
    void plainTextAndHalfHandshakesHurtNobody() throws Exception {
        // Justification: the time has to end; what is cut off for a slow machine is asked again.
        OpsServer server = started(builder(keys()).timeout(Duration.ofSeconds(1)));
        String plain = Web.received(Web.sent(server, "GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        assertThat(plain).doesNotContain("state");
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            // The head of a TLS record that says more than comes.
            slow.add(Web.sent(server, new byte[] {0x16, 3, 1, 1, 0, 1}));
        }
        assertThat(answerInTime(request(server, "/live")).statusCode()).isEqualTo(200);
        slow.forEach(socket -> assertThat(Web.received(socket)).doesNotContain("state"));
        assertThat(answerInTime(request(server, "/live")).statusCode()).isEqualTo(200);
    }

    // ---------------------------------------------------------------- other files

    @Test
    void newConnectionsShowWhatTheFilesHoldNow() throws Exception {
        Certificates.Identity first = identity("CN=first");
        Path shown = Certificates.certificates(folder.resolve("own.crt"), first.certificate());
        Path key = Certificates.key(folder.resolve("own.key"), first);
        Path trust = Certificates.certificates(folder.resolve("ca.crt"), authority.certificate());
        AtomicLong now = new AtomicLong();
        List<String> news = new ArrayList<>();
        SSLContext context = HttpsKeys.context(new Keyring(Tls.pem(shown, key, trust)), now::get, news::add);
        assertThat(subject(context)).isEqualTo("CN=first");

        Certificates.Identity second = identity("CN=second");
        Certificates.certificates(shown, second.certificate());
        now.addAndGet(Keyring.LOOK_EVERY.toNanos());
        assertThat(subject(context)).isEqualTo("CN=first");
        assertThat(news).hasSize(1).allMatch(line -> line.contains("own.key"));
        Certificates.key(key, second);
        now.addAndGet(Keyring.LOOK_EVERY.toNanos() - 1);
        assertThat(subject(context)).isEqualTo("CN=first");
        now.incrementAndGet();
        assertThat(subject(context)).isEqualTo("CN=second");
        assertThat(news).hasSize(1);
    }

    /** What a new connection to a server with these keys is shown. */
    private String subject(SSLContext context) throws Exception {
        HttpsServer server = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 1);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(
                            "https://localhost:" + server.getAddress().getPort() + "/"))
                    .build();
            return shown(browser().send(request, BodyHandlers.discarding()));
        } finally {
            server.stop(0);
        }
    }

    // ---------------------------------------------------------------- settings

    @Test
    void filesThatAreNoKeysAreNamed() throws Exception {
        Path missing = folder.resolve("missing");
        assertThatThrownBy(() -> builder(Tls.pem(missing, missing, missing)).start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Bad configuration: tls certificate '" + missing + "': cannot be read");
        assertThatThrownBy(() -> OpsServer.builder(client)
                        .tls(Tls.pem(missing, missing, missing))
                        .start())
                .hasMessageStartingWith("Bad configuration: port -1: must be 0 to 65535")
                .hasMessageContaining("; tls certificate '" + missing);
        assertThatNullPointerException().isThrownBy(() -> builder(null)).withMessage("tls");
    }

    @Test
    void itsThreadsEndWithIt() throws Exception {
        OpsServer server = started(builder(keys()));
        answer(request(server, "/live"));
        server.close();
        assertThatThrownBy(() -> answer(request(server, "/live"))).isInstanceOf(IOException.class);
    }
}
