package io.quorate.vertx;

import static io.quorate.testkit.Deadline.await;
import static io.quorate.testkit.Deadline.repeat;
import static io.quorate.vertx.Nodes.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.spi.NodeId;
import io.quorate.testkit.CapturedLog;
import io.quorate.vertx.Nodes.Inbox;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.KeyStoreOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mutual TLS: members talk, and nobody else is heard or talked to. */
@Timeout(120)
class VertxTransportTlsTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final String PASSWORD = "changeit";

    @TempDir
    private static Path directory;

    private static PfxOptions member;
    private static PfxOptions stranger;

    @BeforeAll
    static void makeKeys() throws IOException, InterruptedException {
        member = selfSigned("member");
        stranger = selfSigned("stranger");
    }

    /** A key with its certificate. As a trust store it stands for exactly that certificate. */
    private static PfxOptions selfSigned(String name) throws IOException, InterruptedException {
        Path store = directory.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).as(output).isZero();
        return new PfxOptions().setPath(store.toString()).setPassword(PASSWORD);
    }

    private static EmbeddedOptions members() {
        return EmbeddedOptions.mutualTls(member, member);
    }

    @Test
    void membersTalk() throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            Inbox inboxA = new Inbox();
            Inbox inboxB = new Inbox();
            VertxTransport a = nodes.start("a", inboxA, members());
            VertxTransport b = nodes.start("b", inboxB, members());
            a.send(B, frame("to b"));
            b.send(A, frame("to a"));
            await(() -> inboxA.has("to a") && inboxB.has("to b"), () -> inboxA.all() + " " + inboxB.all());
        }
    }

    // A write to a server that refuses the certificate may succeed, so nothing tells the intruder. Therefore a member
    // sends too, and after many of its frames none of the intruder's may have come.
    private static void assertNotHeard(Nodes nodes, Runnable intrude, Inbox inbox, CapturedLog log) {
        VertxTransport a = nodes.start("a", new Inbox(), members());
        for (int i = 0; i < 6; i++) {
            String good = "good " + i;
            repeat(
                    () -> {
                        intrude.run();
                        a.send(B, frame(good));
                    },
                    () -> inbox.has(good),
                    log::text);
        }
        assertThat(inbox.all()).doesNotContain("bad");
    }

    /** What a node in the clear writes to send "bad" to node b. */
    private static Buffer recorded(Nodes nodes, Vertx tool) {
        Buffer written = Buffer.buffer();
        AtomicInteger length = new AtomicInteger();
        join(tool.createNetServer()
                .connectHandler(socket -> socket.handler(bytes -> {
                    written.appendBuffer(bytes);
                    length.set(written.length());
                }))
                .listen(nodes.address("b").port(), "127.0.0.1"));
        VertxTransport x = nodes.start("x", new Inbox());
        x.send(B, frame("bad"));
        await(() -> length.get() > 4 && length.get() == 4 + written.getInt(0), length::get);
        x.close();
        return written;
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    private static void replay(NetClient client, Nodes nodes, Buffer bytes) {
        client.connect(nodes.address("b").port(), "127.0.0.1").onSuccess(socket -> socket.write(bytes.copy()));
    }

    @Test
    void aClientWithoutCertificateIsNotHeard() throws IOException {
        Vertx recorder = Vertx.vertx();
        Vertx tool = Vertx.vertx();
        try (Nodes nodes = new Nodes("a", "b", "x");
                CapturedLog log = new CapturedLog()) {
            Buffer bytes = recorded(nodes, recorder);
            Nodes.closeVertx(recorder);
            Inbox clear = new Inbox();
            VertxTransport b = nodes.start("b", clear);
            repeat(() -> replay(tool.createNetClient(), nodes, bytes), () -> clear.has("bad"), log::text);
            b.close();
            Inbox inbox = new Inbox();
            nodes.start("b", inbox, members());
            NetClient intruder = tool.createNetClient(
                    new NetClientOptions().setSsl(true).setTrustAll(true).setHostnameVerificationAlgorithm(""));
            assertNotHeard(nodes, () -> replay(intruder, nodes, bytes), inbox, log);
        } finally {
            Nodes.closeVertx(recorder);
            Nodes.closeVertx(tool);
        }
    }

    @Test
    void aClientWithAnotherCertificateIsNotHeard() throws IOException {
        try (Nodes nodes = new Nodes("a", "b", "x");
                CapturedLog log = new CapturedLog()) {
            Inbox inbox = new Inbox();
            nodes.start("b", inbox, members());
            VertxTransport intruder = nodes.start("x", new Inbox(), EmbeddedOptions.mutualTls(stranger, member));
            assertNotHeard(nodes, () -> intruder.send(B, frame("bad")), inbox, log);
        }
    }

    @Test
    void aClientInTheClearIsNotHeard() throws IOException {
        try (Nodes nodes = new Nodes("a", "b", "x");
                CapturedLog log = new CapturedLog()) {
            Inbox inbox = new Inbox();
            nodes.start("b", inbox, members());
            VertxTransport intruder = nodes.start("x", new Inbox());
            assertNotHeard(nodes, () -> intruder.send(B, frame("bad")), inbox, log);
        }
    }

    @Test
    void aServerWithAnotherCertificateIsToldNothing() throws IOException {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            Inbox impostor = new Inbox();
            nodes.start("b", impostor, EmbeddedOptions.mutualTls(stranger, member));
            VertxTransport a = nodes.start("a", new Inbox(), members());
            repeat(
                    () -> a.send(B, frame("secret")),
                    () -> !log.lines("b is not there yet").isEmpty(),
                    log::text);
            assertThat(impostor.all()).isEmpty();
        }
    }

    @Test
    void optionsThatTheEventBusWouldLoseAreRefused() {
        KeyStoreOptions generic =
                new KeyStoreOptions().setType("PKCS12").setPath("x").setPassword(PASSWORD);
        assertThatIllegalArgumentException().isThrownBy(() -> EmbeddedOptions.mutualTls(generic, member));
        assertThatIllegalArgumentException().isThrownBy(() -> EmbeddedOptions.mutualTls(member, generic));
        assertThatIllegalArgumentException().isThrownBy(() -> EmbeddedOptions.mutualTls(null, member));
    }
}
