package io.quorate.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A share of one processor for one process, by a control group of its own. It is what a container has that is given so
 * many cores: in each 100 ms the process may run for its share, and then stands still. Linux only, and only where this
 * process may make control groups.
 */
final class CpuQuota implements AutoCloseable {

    private static final Path ROOT_V2 = Path.of("/sys/fs/cgroup");
    private static final Path ROOT_V1 = ROOT_V2.resolve("cpu");

    /** That of a container, unless somebody has chosen another one. */
    private static final int PERIOD_MICROS = 100_000;
    /** The least that the kernel takes is 1 ms. */
    private static final int PERCENT_MIN = 1;

    private static final int PERCENT_MAX = 100;

    private static final int REMOVALS_MAX = 100;
    private static final long REMOVAL_MILLIS = 20;

    /** The shell enters the group before it becomes the program: so the program sees its quota from the beginning. */
    private static final String ENTER = "echo $$ > \"$0\"/cgroup.procs && exec \"$@\"";

    private final Path group;

    private CpuQuota(Path group) {
        this.group = group;
    }

    /** Where groups can be made that have a quota; empty if nowhere. */
    private static Optional<Path> root() {
        for (Path root : List.of(ROOT_V1, ROOT_V2)) {
            try {
                in(root, "quorate-" + ProcessHandle.current().pid() + "-probe", PERCENT_MAX)
                        .close();
                return Optional.of(root);
            } catch (UncheckedIOException e) {
                // Justification: there is none, or it belongs to somebody else; that is an answer.
            }
        }
        return Optional.empty();
    }

    static boolean isPossible() {
        return root().isPresent();
    }

    /**
     * A new group.
     *
     * @param percent of one processor, 1 to 100
     * @throws IllegalArgumentException if the share is none of these
     * @throws IllegalStateException    if no group can be made
     */
    static CpuQuota of(String name, int percent) {
        if (percent < PERCENT_MIN || percent > PERCENT_MAX) {
            throw new IllegalArgumentException(
                    "quota " + percent + " %: must be " + PERCENT_MIN + " to " + PERCENT_MAX + " % of a processor");
        }
        return in(
                root().orElseThrow(() -> new IllegalStateException("no control group can be made in " + ROOT_V2)),
                "quorate-" + ProcessHandle.current().pid() + "-" + name,
                percent);
    }

    private static CpuQuota in(Path root, String name, int percent) {
        Path group = root.resolve(name);
        int quota = PERIOD_MICROS / 100 * percent;
        try {
            Files.createDirectory(group);
            try {
                if (root.equals(ROOT_V1)) {
                    Files.writeString(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
                    Files.writeString(group.resolve("cpu.cfs_quota_us"), Integer.toString(quota));
                } else {
                    Files.writeString(group.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
                }
            } catch (IOException e) {
                Files.delete(group);
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new CpuQuota(group);
    }

    /** The command that runs that one under the quota. It has the process id of the program. */
    List<String> limit(List<String> command) {
        List<String> words = new ArrayList<>(List.of("sh", "-c", ENTER, group.toString()));
        words.addAll(command);
        return words;
    }

    /** All processes of the group must have ended, or end now: the kernel removes no other. */
    @Override
    public void close() {
        for (int i = 0; Files.exists(group); i++) {
            try {
                Files.delete(group);
            } catch (IOException e) {
                if (i >= REMOVALS_MAX) {
                    throw new UncheckedIOException(e);
                }
                try {
                    TimeUnit.MILLISECONDS.sleep(REMOVAL_MILLIS);
                } catch (InterruptedException interrupt) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }
}
