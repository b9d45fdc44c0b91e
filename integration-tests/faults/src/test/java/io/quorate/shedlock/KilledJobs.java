package io.quorate.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.process.ChildJvm;
import io.quorate.process.ChildJvms;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Three processes, and when each began and ended what runs once in the cluster. The clock of {@code System.nanoTime} is one for all JVMs of a machine. */
public final class KilledJobs implements AutoCloseable {

    /** A run of the job; one that was killed ends when its process was gone. */
    public record Run(String node, long begin, long end) {}

    private final JobNode.Kind kind;
    private final Path directory;
    private final Map<String, String> addresses = Cluster.freeAddresses(List.of("n1", "n2", "n3"));
    private final ChildJvms processes = new ChildJvms();

    // All are guarded by this.
    private final Map<String, Long> connected = new LinkedHashMap<>();

    private final Map<String, Long> begun = new LinkedHashMap<>();
    private final List<Run> runs = new ArrayList<>();

    KilledJobs(JobNode.Kind kind, Path directory) {
        this.kind = kind;
        this.directory = directory;
        addresses.keySet().forEach(this::start);
    }

    public void start(String node) {
        List<String> arguments =
                List.of(node, Cluster.peers(addresses), directory.resolve(node).toString(), kind.name());
        processes.add(ChildJvm.start(
                node,
                ChildJvm.Command.of(JobNode.class, arguments, ChildJvm.SMALL),
                directory.resolve(node + ".log"),
                line -> said(node, line)));
    }

    private synchronized void said(String node, String line) {
        String[] words = line.split(" ");
        switch (words[0]) {
            case "connected" -> connected.put(node, Long.parseLong(words[1]));
            case "begin" -> begun.put(node, Long.parseLong(words[1]));
            case "end" -> runs.add(new Run(node, begun.remove(node), Long.parseLong(words[1])));
            default -> {
                // A warning of the JVM, say: it is in describe().
            }
        }
    }

    /** Waits until all processes are connected. Answers when the last one was. */
    public long awaitConnected() {
        processes.await("all are connected", () -> connected().size() == addresses.size());
        return Collections.max(connected().values());
    }

    private synchronized Map<String, Long> connected() {
        return Map.copyOf(connected);
    }

    /** Waits for a run that began after this moment. Answers it, or what is known of it while it runs. */
    public Run awaitRunAfter(long nanos) {
        processes.await("a run", () -> runAfter(nanos).isPresent());
        return runAfter(nanos).orElseThrow();
    }

    private synchronized Optional<Run> runAfter(long nanos) {
        List<Run> all = new ArrayList<>(runs);
        begun.forEach((node, begin) -> all.add(new Run(node, begin, Long.MAX_VALUE)));
        return all.stream().filter(run -> run.begin > nanos).min(Comparator.comparingLong(Run::begin));
    }

    /** Kills the process of a node, waits until it is gone, and answers the moment before the kill. */
    public long kill(String node) {
        long before = processes.get(node).kill();
        processes.end(node);
        synchronized (this) {
            connected.remove(node);
            Long begin = begun.remove(node);
            if (begin != null) {
                runs.add(new Run(node, begin, System.nanoTime()));
            }
        }
        return before;
    }

    public synchronized List<Run> runs() {
        return runs.stream().sorted(Comparator.comparingLong(Run::begin)).toList();
    }

    /** Each begins when the one before has ended. */
    public static void assertNeverTwice(List<Run> runs) {
        for (int i = 1; i < runs.size(); i++) {
            assertThat(runs.get(i).begin())
                    .as("%s", runs)
                    .isGreaterThan(runs.get(i - 1).end());
        }
    }

    /**
     * Kills the process of what runs again and again, and starts it anew. Prints how long it took from each kill to the
     * next run, and answers that in the order of the values. There are never two.
     *
     * @param what for the line that is printed
     */
    public static List<Duration> gapsAfterKills(JobNode.Kind kind, String what, int count, Path directory) {
        Random random = new Random(1);
        List<Duration> gaps = new ArrayList<>();
        try (KilledJobs jobs = new KilledJobs(kind, directory)) {
            long earlier = Long.MIN_VALUE;
            for (int i = 0; i < count; i++) {
                // All three vote when the next one is killed.
                jobs.awaitConnected();
                Run run = jobs.awaitRunAfter(earlier);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(400)));
                long killed = jobs.kill(run.node());
                Run next = jobs.awaitRunAfter(killed);
                assertThat(next.node()).as(jobs::describe).isNotEqualTo(run.node());
                gaps.add(Duration.ofNanos(next.begin() - killed));
                jobs.start(run.node());
                earlier = killed;
            }
            assertNeverTwice(jobs.runs());
            assertThat(jobs.runs()).as("those that were killed").hasSizeGreaterThanOrEqualTo(count);
        }
        gaps.sort(null);
        System.out.printf(
                "From SIGKILL of the process of %s to the next one: %d values, median %d ms, longest %d ms%n",
                what, count, gaps.get(count / 2).toMillis(), gaps.get(count - 1).toMillis());
        return gaps;
    }

    public String describe() {
        return processes.describe();
    }

    @Override
    public void close() {
        processes.close();
    }
}
