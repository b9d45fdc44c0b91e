package io.quorate.compare;

import com.sun.management.OperatingSystemMXBean;
import io.quorate.demo.PluginNames;
import io.quorate.process.NodeMain;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.openjdk.jmh.runner.RunnerException;

/**
 * A process that contends, on either side. Arguments: side, id, servers or peers, detection time in ms, algorithm, data
 * directory, voters, transport. It answers each command by a line that begins with {@code =}, and says
 * {@code ! leader <path> <nanos>} and {@code ! lost <path> <nanos>} when it happens. All times are
 * {@link System#nanoTime}, which is the same clock in all processes of a machine.
 */
public final class CompareNode {

    private static final long SETTLE_MILLIS = 50;
    private static final int SETTLE_EACH = 100;
    private static final int COLLECTIONS = 4;
    private static final long POLL_NANOS = 1_000_000;

    private final LatchClient client;
    private final Map<String, LatchClient.Latch> latches = new HashMap<>();
    private final List<LatchClient.Latch> many = new ArrayList<>();
    private final AtomicInteger led = new AtomicInteger();
    private final AtomicInteger losses = new AtomicInteger();
    private final AtomicInteger suspended = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicLong firstLed = new AtomicLong();
    private final AtomicLong lastLed = new AtomicLong();
    private Answers answers;

    private CompareNode(LatchClient client) {
        this.client = client;
    }

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws Exception {
        int detection = Integer.parseInt(arguments[3]);
        LatchClient client = arguments[0].equals("curator")
                ? new CuratorLatchClient(arguments[1], arguments[2], detection)
                : new QuorateLatchClient(
                        arguments[1],
                        arguments[2],
                        arguments[6],
                        detection,
                        new PluginNames(arguments[4], arguments[7]),
                        Path.of(arguments[5]));
        CompareNode node = new CompareNode(client);
        NodeMain.obeyToTheEnd(words -> NodeMain.say("= " + node.answer(words)));
    }

    // Justification: catches everything. A service that does not answer must not end the process that asked it.
    private String answer(String[] words) {
        try {
            return obey(words);
        } catch (Exception e) {
            e.printStackTrace();
            return "failed: " + e;
        }
    }

    private String obey(String[] words) throws Exception {
        switch (words[0]) {
            case "connect":
                client.connect(suspended::incrementAndGet, lost::incrementAndGet);
                return "connected";
            case "open":
                return open(words[1]);
            case "close":
                return close(words[1]);
            case "closeAll":
                return closeAll();
            case "await":
                return Boolean.toString(
                        hasAll(latches.get(words[1]), Integer.parseInt(words[2]), Long.parseLong(words[3])));
            case "view":
                return latches.get(words[1]).leader() + " "
                        + latches.get(words[1]).participants();
            case "has":
                return Boolean.toString(latches.containsKey(words[1]));
            case "awaitMany":
                return Boolean.toString(areContended(Integer.parseInt(words[1]), Long.parseLong(words[2])));
            case "openMany":
                return openMany(words[1], Integer.parseInt(words[2]));
            case "openCrowd":
                return openCrowd(words[1], Integer.parseInt(words[2]));
            case "closeAtOnce":
                return closeAtOnce();
            case "closeMany":
                return closeMany();
            case "mark":
                firstLed.set(0);
                lastLed.set(0);
                losses.set(0);
                return "marked";
            case "led":
                return led + " " + firstLed + " " + lastLed + " " + losses + " " + suspended + " " + lost;
            case "poll":
                return poll(latches.get(words[1]));
            case "answers":
                return answers.since(Long.parseLong(words[1]));
            case "spells":
                return answers.spellsSince(Long.parseLong(words[1])).toString();
            case "cost":
                return cost(latches.get(words[1]), words[2], Integer.parseInt(words[3]));
            case "usage":
                return usage();
            default:
                throw new IllegalArgumentException("unknown command: " + words[0]);
        }
    }

    private String poll(LatchClient.Latch latch) {
        stopPolling();
        answers = new Answers(latch::hasLeadership);
        answers.start();
        return "polling";
    }

    private void stopPolling() {
        if (answers != null) {
            answers.interrupt();
        }
    }

    private String open(String path) throws Exception {
        long now = System.nanoTime();
        latches.put(
                path,
                client.open(
                        path,
                        () -> NodeMain.say("! leader " + path + " " + System.nanoTime()),
                        () -> NodeMain.say("! lost " + path + " " + System.nanoTime())));
        return Long.toString(now);
    }

    private String close(String path) throws Exception {
        LatchClient.Latch latch = latches.remove(path);
        long now = System.nanoTime();
        latch.close();
        return Long.toString(now);
    }

    private String closeAll() throws Exception {
        stopPolling();
        for (String path : List.copyOf(latches.keySet())) {
            close(path);
        }
        return closeMany();
    }

    /** Whether so many contend, now or soon. */
    // Justification: catches everything. A service may fail to answer for a while, which is as good as no.
    private static boolean hasAll(LatchClient.Latch latch, int count, long nanosMax) {
        long deadline = System.nanoTime() + nanosMax;
        while (true) {
            try {
                if (latch.participants() == count) {
                    return true;
                }
            } catch (Exception e) {
                e.printStackTrace();
            }
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private String openMany(String prefix, int count) throws Exception {
        long now = System.nanoTime();
        for (int i = 0; i < count; i++) {
            many.add(client.open(prefix + i, this::onLeader, this::onLost));
        }
        return now + " " + System.nanoTime();
    }

    /** Many on one path, the first of which answers questions of the path. */
    private String openCrowd(String path, int count) throws Exception {
        open(path);
        for (int i = 1; i < count; i++) {
            many.add(client.open(path, this::onLeader, this::onLost));
        }
        return "opened";
    }

    /** Answers the moment before the first is closed. */
    private String closeAtOnce() throws Exception {
        long now = System.nanoTime();
        for (LatchClient.Latch latch : many) {
            latch.close();
        }
        many.clear();
        return Long.toString(now);
    }

    /** Closes them, and waits until all callbacks have run. */
    private String closeMany() throws Exception {
        closeAtOnce();
        while (led.get() > 0) {
            TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        }
        return "closed";
    }

    /** Whether many latches are contended for by so many nodes, now or soon, as far as some of them tell. */
    private boolean areContended(int nodes, long nanosMax) {
        long deadline = System.nanoTime() + nanosMax;
        boolean areContended = true;
        for (int i = many.size() - 1; i >= 0 && areContended; i -= SETTLE_EACH) {
            areContended = hasAll(many.get(i), nodes, deadline - System.nanoTime());
        }
        return areContended;
    }

    private void onLeader() {
        long now = System.nanoTime();
        firstLed.compareAndSet(0, now);
        lastLed.accumulateAndGet(now, Math::max);
        led.incrementAndGet();
    }

    private void onLost() {
        led.decrementAndGet();
        losses.incrementAndGet();
    }

    private static String cost(LatchClient.Latch latch, String method, int iterations) throws RunnerException {
        return LatchCost.measure(latch, method, iterations).stream()
                .map(nanos -> Double.toString(nanos))
                .collect(Collectors.joining(" "));
    }

    private static String usage() throws InterruptedException {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return system.getProcessCpuTime() + " " + heapAfterCollection() + " "
                + ManagementFactory.getThreadMXBean().getThreadCount();
    }

    /** One collection finds what the one before made unreachable: the least of several. */
    private static long heapAfterCollection() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        }
        return least;
    }
}
