package io.quorate.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What Linux counts, in /proc. */
final class ProcessUsage {

    /** The unit of the times in /proc/&lt;pid&gt;/stat, which is 10 ms on every Linux since long ago. */
    private static final long TICK_NANOS = 10_000_000;

    private ProcessUsage() {
    }

    /** CPU time of a process, in user and kernel mode. */
    static long cpuNanos(long pid) {
        String stat = read(Path.of("/proc", Long.toString(pid), "stat")).get(0);
        // The second field is the name, in parentheses, and may contain spaces; the 14th and 15th are the times.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_NANOS;
    }

    static long threads(long pid) {
        return read(Path.of("/proc", Long.toString(pid), "status")).stream()
                .filter(line -> line.startsWith("Threads:"))
                .mapToLong(line -> Long.parseLong(line.substring("Threads:".length()).strip()))
                .findFirst().orElseThrow();
    }

    /** How many sockets the process has open. */
    static long sockets(long pid) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            long count = 0;
            for (Path descriptor : descriptors) {
                count += isSocket(descriptor) ? 1 : 0;
            }
            return count;
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
    static long loopbackBytes() {
        return read(Path.of("/proc/net/dev")).stream().map(String::strip).filter(line -> line.startsWith("lo:"))
                .mapToLong(line -> Long.parseLong(line.substring(3).strip().split(" +")[0])).findFirst().orElseThrow();
    }

    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
