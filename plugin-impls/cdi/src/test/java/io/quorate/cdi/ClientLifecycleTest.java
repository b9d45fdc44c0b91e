package io.quorate.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ElectionClient;
import io.quorate.leaderonly.LeaderOnly;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.Effort;
import io.quorate.testkit.FreePorts;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client lives as long as the application, over TCP, and leaves nothing behind. */
class ClientLifecycleTest {

    private static final int TIMES = Effort.of(20, 5);

    /** A machine may be busy. */
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    @TempDir
    private Path directory;

    private Map<String, String> settings(int port) {
        return new TreeMap<>(Map.of(
                "quorate.node-id",
                "n1",
                "quorate.peers",
                "n1=127.0.0.1:" + port,
                "quorate.profile",
                "fast",
                "quorate.data-directory",
                directory.toString()));
    }

    /** Leads, and says on which thread it hears so. */
    @Singleton
    static class Work {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CompletableFuture<Thread> hearing = new CompletableFuture<>();
        private final CompletableFuture<ClassLoader> loader = new CompletableFuture<>();
        private boolean hasHeardOfTheEnd;

        void gained(@Observes @LeaderPath("/work") LeadershipGained event) {
            hearing.complete(Thread.currentThread());
            loader.complete(Thread.currentThread().getContextClassLoader());
            begun.countDown();
        }

        void lost(@Observes @LeaderPath("/work") LeadershipLost event) {
            hasHeardOfTheEnd = true;
        }

        @LeaderOnly("/work")
        String work() {
            return "done";
        }

        void await() throws InterruptedException {
            assertThat(begun.await(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }

        CompletableFuture<Thread> hearing() {
            return hearing;
        }

        CompletableFuture<ClassLoader> loader() {
            return loader;
        }

        boolean hasHeardOfTheEnd() {
            return hasHeardOfTheEnd;
        }
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("quorate"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The files of our directory that this process has open, where the system tells that. */
    private List<String> openFiles() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        List<String> open = new ArrayList<>();
        if (Files.isDirectory(descriptors)) {
            try (Stream<Path> all = Files.list(descriptors)) {
                for (Path each : all.toList()) {
                    try {
                        open.add(Files.readSymbolicLink(each).toString());
                    } catch (IOException e) {
                        // It is closed by now.
                        continue;
                    }
                }
            }
        }
        return open.stream()
                .filter(file -> file.startsWith(directory.toString()))
                .toList();
    }

    // As a container does it in its mode for developers.
    @Test
    void anApplicationThatStartsAgainAndAgainLeavesNothing() throws Exception {
        int port = FreePorts.take();
        for (int i = 0; i < TIMES; i++) {
            Work led;
            try (Application application = Application.of(settings(port), Work.class)) {
                Work work = application.get(Work.class);
                led = work;
                work.await();
                // On a busy machine it may lose its lease now and then, and leads again.
                Deadline.until(() -> "done".equals(work.work()), "it works");
                assertThat(work.hearing().join().getName()).startsWith("quorate-callback");
                assertThat(work.loader().join()).isSameAs(Thread.currentThread().getContextClassLoader());
                assertThat(threads()).contains("quorate-tcp-n1");
            }
            assertThat(led.hasHeardOfTheEnd()).isTrue();
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
            assertThat(openFiles()).isEmpty();
        }
        // Those for callbacks, and the watch over them, rest for 10 s before they end.
        // Justification: to look at all threads is dear, and this waits for as long.
        Deadline.repeat(
                () -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200)),
                () -> threadsOfApplications().isEmpty(),
                () -> threadsOfApplications().toString());
    }

    /** One thread writes the log of the process. */
    private static Set<String> threadsOfApplications() {
        return threads().stream()
                .filter(name -> !name.equals("quorate-log"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void wrongSettingsFailTheStartWithAllFaults() {
        Map<String, String> wrong = settings(7400);
        wrong.put("quorate.support", "soon");
        wrong.put("quorate.priority", "high");
        assertThatThrownBy(() -> Application.of(wrong, Work.class).close())
                .hasStackTraceContaining("quorate.support 'soon': must be a duration")
                .hasStackTraceContaining("quorate.priority 'high': must be a whole number");
        Map<String, String> own = settings(7400);
        own.put("quorate.readiness", "soon");
        assertThatThrownBy(() -> Application.of(own, Work.class).close())
                .hasStackTraceContaining("quorate.readiness 'soon': must be one of joined, connected and none");
        assertThat(threads()).noneMatch(name -> name.startsWith("quorate-tcp"));
    }

    /** Has the last word about the client. */
    @Singleton
    static class Customizer {
        void customize(@Observes ElectionClient.Builder builder) {
            builder.clusterId("of-the-observer");
        }
    }

    @Test
    void anObserverOfTheBuilderHasTheLastWord() {
        Map<String, String> settings = settings(FreePorts.take());
        settings.put("quorate.cluster-id", "of-the-settings");
        try (Application application = Application.of(settings, Customizer.class)) {
            ElectionClient client = application.get(ElectionClient.class);
            assertThat(client.clusterId()).isEqualTo("of-the-observer");
            assertThat(client.getState()).isEqualTo(ElectionClient.State.STARTED);
            assertThat(application.get(ElectionClient.class)).isSameAs(client);
        }
    }

    /** Makes another client for each bean that asks. */
    @Singleton
    static class ManyClients {
        private static final AtomicInteger MADE = new AtomicInteger();

        @Produces
        ElectionClient client() {
            int number = MADE.incrementAndGet();
            return ElectionClient.builder()
                    .nodeId("n1")
                    .peers("n1=127.0.0.1:" + (7500 + number))
                    .transport("tcp")
                    .build();
        }
    }

    @Test
    void aClientThatIsMadeForEachUseFailsTheStart() {
        assertThatThrownBy(() ->
                        Application.of(Map.of(), ManyClients.class, Work.class).close())
                .hasMessageContaining("the ElectionClient of " + ManyClients.class.getName()
                        + " must not be @Dependent, which makes one for each use: make it a @Singleton");
        assertThat(ManyClients.MADE).hasValue(0);
    }

    @Singleton
    static class NoPath {
        @LeaderOnly("work")
        void work() {}
    }

    @Test
    void anApplicationThatFailsLaterGivesItsPortBack() throws Exception {
        int port = FreePorts.take();
        assertThatThrownBy(() -> Application.of(settings(port), NoPath.class).close())
                .hasStackTraceContaining("path 'work' of a bean: ");
        new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }
}
