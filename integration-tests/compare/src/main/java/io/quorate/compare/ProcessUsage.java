package io.quorate.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What Linux counts, in /proc. */
public final class ProcessUsage {

    /** The unit of the times in /proc/&lt;pid&gt;/stat, which is 10 ms on every Linux since long ago. */
    private static final long TICK_NANOS = 10_000_000;

    private static final boolean COUNTS_NANOS = Files.exists(Path.of("/proc/self/schedstat"));

    private ProcessUsage() {}

    /** CPU time of a process, in user and kernel mode. */
    static long cpuNanos(long pid) {
        String stat = read(Path.of("/proc", Long.toString(pid), "stat")).get(0);
        // The second field is the name, in parentheses, and may contain spaces; the 14th and 15th are the times.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_NANOS;
    }

    /**
     * CPU time of each thread of a process, where the kernel tells (to the nanosecond, where {@link #cpuNanos} has
     * ticks); of the whole process under its own id where it does not.
     */
    static Map<Long, Long> cpuNanosOfThreads(long pid) {
        if (!COUNTS_NANOS) {
            return Map.of(pid, cpuNanos(pid));
        }
        Map<Long, Long> nanos = new HashMap<>();
        for (Path thread : list(Path.of("/proc", Long.toString(pid), "task"))) {
            try {
                nanos.put(
                        Long.parseLong(thread.getFileName().toString()),
                        Long.parseLong(
                                Files.readString(thread.resolve("schedstat")).split(" ")[0]));
            } catch (IOException e) {
                // Justification: the thread has ended since the directory was read.
            }
        }
        return nanos;
    }

    static long threads(long pid) {
        return status(read(Path.of("/proc", Long.toString(pid), "status")), "Threads:");
    }

    /** How often each thread of a process has waited so far: as often it was woken. */
    static Map<Long, Long> waitsOfThreads(long pid) {
        Map<Long, Long> waits = new HashMap<>();
        for (Path thread : list(Path.of("/proc", Long.toString(pid), "task"))) {
            try {
                waits.put(
                        Long.parseLong(thread.getFileName().toString()),
                        status(Files.readAllLines(thread.resolve("status")), "voluntary_ctxt_switches:"));
            } catch (IOException e) {
                // Justification: the thread has ended since the directory was read.
            }
        }
        return waits;
    }

    private static long status(List<String> lines, String field) {
        return lines.stream()
                .filter(line -> line.startsWith(field))
                .mapToLong(line -> Long.parseLong(line.substring(field.length()).strip()))
                .findFirst()
                .orElseThrow();
    }

    /** How many sockets the process has open. */
    static long sockets(long pid) {
        return list(Path.of("/proc", Long.toString(pid), "fd")).stream()
                .filter(ProcessUsage::isSocket)
                .count();
    }

    private static List<Path> list(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException e) {
            // Justification: it was closed since the directory was read.
            return false;
        }
    }

    /** What was received on the loopback interface of this network namespace, with all headers. */
    public static long loopbackBytes() {
        return read(Path.of("/proc/net/dev")).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("lo:"))
                .mapToLong(line -> Long.parseLong(line.substring(3).strip().split(" +")[0]))
                .findFirst()
                .orElseThrow();
    }

    /** The same, in the next second. */
    static double loopbackBytesPerSecond() {
        long bytes = loopbackBytes();
        long begin = System.nanoTime();
        try {
            TimeUnit.SECONDS.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        return (loopbackBytes() - bytes) * 1e9 / (System.nanoTime() - begin);
    }

    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
