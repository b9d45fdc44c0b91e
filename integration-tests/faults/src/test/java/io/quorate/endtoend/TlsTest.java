package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.spi.Tls;
import io.quorate.testkit.Certificates;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.TlsProbe;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients over real sockets with TLS, on both transports; with the files that the document on security makes. */
@RealTime
class TlsTest {

    private static final String PATH = "/tls/leader";
    private static final Path DOCUMENT = Path.of("..", "..", "plugin-api", "docs", "security.md");
    private static final Pattern SETTING = Pattern.compile("`(quorate\\.[a-z.-]+)=([^`]+)`");
    private static final Pattern LISTING = Pattern.compile("(?s)```java\n(.*?)```\n");
    private static final Pattern COMMANDS = Pattern.compile("(?s)```sh\n(.*?)```\n");

    private static Path directory;

    /** From the beginning on, because keytool takes its time. */
    private static CompletableFuture<Path> stores;

    @BeforeAll
    static void beginToMakeStores(@TempDir Path made) {
        directory = made;
        stores = CompletableFuture.supplyAsync(() -> made("keytool"));
    }

    // ---------------------------------------------------------------- files as the document makes them

    /** The commands of the document that use this tool. */
    private static String commands(String tool) throws IOException {
        Matcher blocks = COMMANDS.matcher(Files.readString(DOCUMENT));
        while (blocks.find()) {
            if (blocks.group(1).contains("\n" + tool + " ")) {
                return blocks.group(1);
            }
        }
        throw new AssertionError("no commands for " + tool + " in " + DOCUMENT);
    }

    /** Runs them as they stand there, in a directory of their own. */
    private static Path made(String tool) {
        try {
            Path where = Files.createDirectory(directory.resolve(tool));
            ProcessBuilder shell = new ProcessBuilder("sh", "-e", "-c", commands(tool)).directory(where.toFile());
            shell.environment()
                    .merge(
                            "PATH",
                            Path.of(System.getProperty("java.home"), "bin").toString(),
                            (path, java) -> java + ":" + path);
            // Half the time of each keytool goes into a compiler that is not worth it.
            shell.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
            Path output = directory.resolve(tool + ".txt");
            Process process = shell.redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean hasEnded = process.waitFor(600, TimeUnit.SECONDS);
            process.destroyForcibly();
            assertThat(hasEnded).as(Files.readString(output)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
            return where;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static ElectionClient.Builder member(OneJvm nodes, String transport) {
        return ElectionClient.builder().peers(nodes.addresses()).transport(transport);
    }

    /** A column of the table of properties, as the document prints it for node n1, and as node {@code id} has it. */
    private static Properties printed(String form, Path files, String id) {
        try {
            List<String> rows = Files.readString(DOCUMENT)
                    .lines()
                    .dropWhile(line -> !line.equals("| PEM | store |"))
                    .takeWhile(line -> line.startsWith("|"))
                    .toList();
            int column = List.of(rows.get(0).split("\\s*\\|\\s*")).indexOf(form);
            Properties properties = new Properties();
            for (String row : rows.subList(2, rows.size())) {
                Matcher setting = SETTING.matcher(row.split("\\|")[column]);
                if (setting.find()) {
                    String value = setting.group(2).replace("n1", id);
                    Path file = files.resolve(value);
                    properties.setProperty(setting.group(1), Files.exists(file) ? file.toString() : value);
                }
            }
            return properties;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // The same cluster in all that is printed: else a reader's nodes refuse each other's certificates.
    @Test
    void theListingsNameTheClusterOfTheCertificates() throws IOException {
        String cluster = printed("PEM", directory, "n1").getProperty("quorate.cluster-id");
        List<String> listings = LISTING.matcher(Files.readString(DOCUMENT))
                .results()
                .map(block -> block.group(1))
                .filter(block -> block.contains(".tls("))
                .toList();
        assertThat(listings).isNotEmpty().allMatch(block -> block.contains(".clusterId(\"" + cluster + "\")"));
        assertThat(commands("keytool")).contains("quorate://" + cluster + "/");
        assertThat(commands("openssl")).contains("quorate://" + cluster + "/");
    }

    /** Three nodes with these files elect, and hand over. */
    private static void assertElect(String form, Path files, String transport, boolean hasSecret) {
        try (OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3")) {
            for (String id : nodes.ids()) {
                ElectionClient.Builder described = member(nodes, transport).from(printed(form, files, id));
                nodes.start(
                        id,
                        hasSecret
                                ? described.secret("correct horse battery".getBytes(StandardCharsets.UTF_8))
                                : described);
            }
            List<LeaderLatch> latches = new ArrayList<>(nodes.latchesOn(PATH));
            LeaderLatch first = nodes.awaitLeader(latches);
            assertThat(nodes.client(first.getId()).certificateEnd()).isPresent();
            nodes.client(first.getId()).close();
            latches.remove(first);
            assertThat(nodes.awaitLeader(latches).getId()).isNotEqualTo(first.getId());
        } catch (Exception e) {
            // Justification: LeaderLatch.start declares it, as Curator's does.
            throw new AssertionError(transport + " with " + files, e);
        }
    }

    // Each transport has each form, with and without the secret.
    @Test
    void theCommandsWithKeytoolMakeFilesThatElect() {
        assertElect("store", stores.join(), "tcp", true);
        assertElect("store", stores.join(), "vertx", false);
    }

    @Test
    void theCommandsWithOpensslMakeFilesThatElect() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(each -> Files.isExecutable(Path.of(each, "openssl"))),
                "there is no openssl on this machine");
        Path pem = made("openssl");
        assertElect("PEM", pem, "tcp", false);
        assertElect("PEM", pem, "vertx", true);
    }

    // ---------------------------------------------------------------- files that change under load

    private static final String CLUSTER = "cluster-that-renews";

    /** Three nodes of one transport, whose files the test replaces. */
    private final class Renewing implements AutoCloseable {

        private final String transport;
        private final OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3");
        private final Map<String, Certificates.Identity> shown = new LinkedHashMap<>();
        private final AtomicInteger losses = new AtomicInteger();
        private final AtomicInteger elections = new AtomicInteger();
        private volatile boolean isOver;

        private Renewing(String transport) {
            this.transport = transport;
        }

        private Path file(String name) {
            return directory.resolve(transport + "-" + name);
        }

        private void trust(X509Certificate... authorities) throws IOException {
            for (String id : nodes.ids()) {
                Certificates.certificates(file(id + "-ca.crt"), authorities);
            }
        }

        private void show(Certificates.Identity authority) throws IOException, GeneralSecurityException {
            for (String id : nodes.ids()) {
                Certificates.Identity own = authority
                        .signs("CN=" + id)
                        .uris("quorate://" + CLUSTER + "/" + id)
                        .sign();
                shown.put(id, own);
                Certificates.key(file(id + ".key"), own);
                Certificates.certificates(file(id + ".crt"), own.certificate());
            }
        }

        /** A support that a busy machine does not end: a leader must not be lost for another reason. */
        private void start(String id) {
            nodes.start(
                    id,
                    member(nodes, transport)
                            .clusterId(CLUSTER)
                            .supportDuration(Duration.ofSeconds(3))
                            .tls(Tls.pem(file(id + ".crt"), file(id + ".key"), file(id + "-ca.crt"))));
        }

        private TlsProbe probe(String id) {
            return new TlsProbe(nodes.addresses().get(id));
        }

        /** Each node shows its new certificate to whoever connects. */
        private void awaitShown() {
            for (String id : nodes.ids()) {
                X509Certificate certificate = shown.get(id).certificate();
                await(id + " shows its new certificate", () -> probe(id).shows(certificate));
                assertThat(nodes.client(id).certificateEnd())
                        .contains(certificate.getNotAfter().toInstant());
            }
        }

        /** Each node takes whoever shows this. */
        private void awaitTaken(Certificates.Identity caller) {
            for (String id : nodes.ids()) {
                await(id + " trusts the new authority", () -> probe(id).takes(caller));
            }
        }

        /** Strangers that come more often than this are not let in at all. */
        private void await(String what, BooleanSupplier condition) {
            nodes.await(transport + ": " + what, OneJvm.DEADLINE, Duration.ofMillis(300), condition);
        }

        /** Elects on new paths all the time, until it is over. */
        private void elect() {
            for (int i = 0; !isOver; i++) {
                try (LeaderLatch latch =
                        new LeaderLatch(nodes.client(nodes.ids().get(i % 2)), "/load/" + i)) {
                    latch.start();
                    if (latch.await(30, TimeUnit.SECONDS)) {
                        elections.incrementAndGet();
                    }
                } catch (Exception e) {
                    // Justification: start declares it, as Curator's does.
                    throw new AssertionError(e);
                }
                LockSupport.parkNanos(20_000_000);
            }
        }

        private LeaderLatch awaitWatchedLeader() throws Exception {
            LeaderLatch leader = nodes.latch("n1", PATH, "n1");
            leader.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    // Waited for below.
                }

                @Override
                public void notLeader() {
                    losses.incrementAndGet();
                }
            });
            return nodes.awaitLeader(List.of(leader));
        }

        /** From one authority to another, by way of a bundle of both. */
        private void run() throws Exception {
            Certificates.Identity old = Certificates.authority("CN=old");
            Certificates.Identity fresh = Certificates.authority("CN=fresh");
            trust(old.certificate());
            show(old);
            nodes.ids().forEach(this::start);
            LeaderLatch leader = awaitWatchedLeader();
            long token = leader.fencingToken();
            ExecutorService load = Executors.newSingleThreadExecutor();
            try {
                Future<?> running = load.submit(this::elect);
                Certificates.Identity newcomer = fresh.signs("CN=n3")
                        .uris("quorate://" + CLUSTER + "/n3")
                        .sign();
                assertThat(probe("n1").takes(newcomer)).isFalse();
                trust(old.certificate(), fresh.certificate());
                awaitTaken(newcomer);
                show(fresh);
                awaitShown();
                // The last round. A node that comes anew has new connections in both directions, and trusts no old one.
                trust(fresh.certificate());
                nodes.client("n3").close();
                start("n3");
                nodes.client("n3").blockUntilConnected();
                await("n3 takes the newcomer", () -> probe("n3").takes(newcomer));
                assertThat(probe("n3")
                                .takes(old.signs("CN=n1")
                                        .uris("quorate://" + CLUSTER + "/n1")
                                        .sign()))
                        .isFalse();
                isOver = true;
                running.get(600, TimeUnit.SECONDS);
            } finally {
                isOver = true;
                load.shutdownNow();
            }
            assertThat(leader.hasLeadership()).isTrue();
            assertThat(leader.fencingToken()).isEqualTo(token);
            assertThat(losses).hasValue(0);
            assertThat(elections).hasValueGreaterThan(10);
        }

        @Override
        public void close() {
            nodes.close();
        }
    }

    // Both transports at once, because most of the time is waiting for the next look at the files.
    @Test
    void certificatesAndAuthorityChangeUnderLoadAndNoLeaderDoes() throws Exception {
        ExecutorService both = Executors.newFixedThreadPool(2);
        try (Renewing tcp = new Renewing("tcp");
                Renewing vertx = new Renewing("vertx")) {
            List<Future<?>> runs = new ArrayList<>();
            for (Renewing each : List.of(tcp, vertx)) {
                runs.add(both.submit(() -> {
                    each.run();
                    return null;
                }));
            }
            for (Future<?> run : runs) {
                run.get(600, TimeUnit.SECONDS);
            }
        } finally {
            both.shutdownNow();
        }
    }
}
