package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderSelector;
import io.quorate.LeaderSelectorListenerAdapter;
import io.quorate.Participant;
import io.quorate.process.ChildJvm;
import io.quorate.testkit.FreePorts;
import io.quorate.testkit.RealTime;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server takes an application out of service that brings this library, and nothing of it stays: its class loader can
 * be collected. Further JDKs run it with {@code -Dplatforms.jdks=HOME,HOME}.
 */
@RealTime
class RedeployTest {

    /** Callback threads and the timer end after 10 idle seconds; the rest is for a machine that is busy. */
    private static final long COLLECTED_SECONDS = 240;

    /** A server that hangs says where it does before the test gives up. */
    private static final long SERVER_SECONDS = 540;

    @TempDir
    private Path directory;

    static Stream<Path> jdks() {
        return Stream.concat(
                        Stream.of(System.getProperty("java.home")),
                        Stream.of(System.getProperty("platforms.jdks", "").split(",")))
                .map(String::strip)
                .filter(home -> !home.isEmpty())
                .map(Path::of);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void nothingOfAnApplicationStaysAfterItsClientsAreClosed(Path jdk) throws Exception {
        List<String> words =
                new ArrayList<>(ChildJvm.Command.of(Server.class, List.of(directory.toString()), ChildJvm.SMALL)
                        .words());
        words.set(0, jdk.resolve("bin").resolve("java").toString());
        // What is held softly goes when memory is short. Here that is always.
        words.add(1, "-XX:SoftRefLRUPolicyMSPerMB=0");
        ChildJvm server = ChildJvm.start("server", words, Map.of(), directory.resolve("log"));
        try {
            assertThat(server.awaitExit()).as(server.describe()).isZero();
            assertThat(server.said())
                    .as(server.describe())
                    .containsExactly("application 1 led", "application 2 led", "collected [true, true]");
        } finally {
            server.end();
        }
    }

    /** The server: it has the classes of this test, and gives each application a copy of its own. */
    static final class Server {

        private Server() {}

        public static void main(String[] arguments) throws Exception {
            Thread watch = new Thread(Server::endLate);
            watch.setDaemon(true);
            watch.start();
            try {
                serve(arguments);
            } catch (Exception e) {
                // Nodes that were not closed have threads that would keep this JVM alive.
                e.printStackTrace();
                Runtime.getRuntime().halt(2);
            }
        }

        private static void endLate() {
            try {
                TimeUnit.SECONDS.sleep(SERVER_SECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            Thread.getAllStackTraces()
                    .forEach((thread, frames) -> System.err.println("late " + thread + " " + List.of(frames)));
            Runtime.getRuntime().halt(3);
        }

        private static void serve(String[] arguments) throws Exception {
            List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
            for (int number = 1; number <= 2; number++) {
                loaders.add(deploy(Path.of(arguments[0])));
                System.out.println("application " + number + " led");
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(COLLECTED_SECONDS);
            while (loaders.stream().anyMatch(loader -> loader.get() != null) && System.nanoTime() < end) {
                System.gc();
                TimeUnit.MILLISECONDS.sleep(200);
            }
            System.out.println("collected "
                    + loaders.stream().map(loader -> loader.get() == null).toList());
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                System.err.println(thread + " with " + thread.getContextClassLoader());
            }
        }

        private static WeakReference<ClassLoader> deploy(Path directory) throws Exception {
            List<URL> classPath = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
                classPath.add(Path.of(entry).toUri().toURL());
            }
            Thread thread = Thread.currentThread();
            ClassLoader own = thread.getContextClassLoader();
            try (URLClassLoader loader =
                    new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
                thread.setContextClassLoader(loader);
                loader.loadClass(Application.class.getName())
                        .getMethod("run", Path.class)
                        .invoke(null, directory);
                return new WeakReference<>(loader);
            } finally {
                thread.setContextClassLoader(own);
            }
        }
    }

    /** The application: three nodes over {@code tcp}, latches and a selector, and in the end all of them are closed. */
    public static final class Application {

        private Application() {}

        public static void run(Path directory) throws Exception {
            List<String> ids = List.of("n1", "n2", "n3");
            String peers = ids.stream()
                    .map(id -> id + "=127.0.0.1:" + FreePorts.take())
                    .collect(Collectors.joining(","));
            List<ElectionClient> clients = new ArrayList<>();
            List<LeaderLatch> latches = new ArrayList<>();
            for (String id : ids) {
                ElectionClient client = ElectionClient.builder()
                        .nodeId(id)
                        .peers(peers)
                        .transport("tcp")
                        .dataDirectory(Files.createDirectories(directory.resolve(id)))
                        .build();
                client.start();
                clients.add(client);
                LeaderLatch latch = new LeaderLatch(client, "/app/leader", id);
                latch.start();
                latches.add(latch);
            }
            clients.get(0).blockUntilConnected();
            while (latches.stream().noneMatch(LeaderLatch::hasLeadership)) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            // Two such, which are equal: the JDK makes the method for that when it is called for the first time.
            Participant leader = latches.get(0).getLeader();
            if (!leader.equals(new Participant(leader.getId(), leader.isLeader()))) {
                throw new IllegalStateException("is not equal to itself: " + leader);
            }
            CountDownLatch hasLed = new CountDownLatch(1);
            LeaderSelector selector =
                    new LeaderSelector(clients.get(1), "/app/turns", new LeaderSelectorListenerAdapter() {
                        @Override
                        public void takeLeadership(ElectionClient client) {
                            hasLed.countDown();
                        }
                    });
            // A stall ends a tenure before its listener hears of it. Without this the selector would contend no more.
            selector.autoRequeue();
            selector.start();
            hasLed.await();
            selector.close();
            for (LeaderLatch latch : latches) {
                latch.close();
            }
            clients.forEach(ElectionClient::close);
        }
    }
}
