package io.quorate.nemesis;

import io.quorate.ClientMonitor;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.Leadership;
import io.quorate.process.NodeMain;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A process that writes one report after the other while it leads, as an application does: docs/operations.md#a-leader-that-leaves.
 *
 * <p>Arguments: node id, peers, where it listens, a file that all processes share, the time of a report, and how long a
 * report may hold up a planned end, 0 for not at all. During a report it holds the lock of the file, and says {@code overlaps} if another
 * process has that: so no clock decides. It also says {@code leads}, {@code begins} and {@code ends}, {@code drains} when
 * a planned end waits for a report, and {@code drained} with the outcome. The commands are
 * {@code transfer ID}, {@code standby true} and {@code standby false}. SIGTERM closes the client; the end of the input
 * ends the process.
 */
public final class ReportNode {

    private static final String PATH = "/app/reports";

    private final ElectionClient client;
    private final LeaderLatch latch;
    private final Path shared;
    private final Duration length;
    /** Of the report that runs, or the last one. */
    private final AtomicReference<CompletableFuture<Void>> end =
            new AtomicReference<>(CompletableFuture.completedFuture(null));

    private ReportNode(ElectionClient client, Path shared, Duration length) {
        this.client = client;
        this.latch = new LeaderLatch(client, PATH, client.nodeId());
        this.shared = shared;
        this.length = length;
    }

    /** Runs until the input ends, or SIGTERM. */
    public static void main(String[] arguments) throws Exception {
        ElectionClient client = ElectionClient.builder()
                .nodeId(arguments[0])
                .peers(arguments[1])
                .transport("tcp")
                .listen(arguments[2])
                // A lease that a pause of a busy machine costs would be no planned end.
                .supportDuration(Duration.ofSeconds(3))
                .build();
        ReportNode node = new ReportNode(client, Path.of(arguments[3]), Duration.parse(arguments[4]));
        node.start(Duration.parse(arguments[5]));
        NodeMain.obeyToTheEnd(client, node::obey);
    }

    private void start(Duration drain) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(client::close));
        if (!drain.isZero()) {
            // A copy: if it is cancelled, the report still runs.
            latch.drain(
                    leadership -> {
                        NodeMain.say("drains");
                        return end.get().copy();
                    },
                    drain);
        }
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                NodeMain.say("leads");
            }

            @Override
            public void notLeader() {
                NodeMain.say("leads no more");
            }
        });
        client.addMonitor(new ClientMonitor() {
            @Override
            public void drained(String path, DrainOutcome outcome, Duration took) {
                NodeMain.say("drained " + outcome);
            }
        });
        client.start();
        latch.start();
        Thread reports = new Thread(this::writeReports, "reports");
        reports.setDaemon(true);
        reports.start();
    }

    private void writeReports() {
        try (FileChannel file = FileChannel.open(shared, StandardOpenOption.WRITE)) {
            while (true) {
                latch.await();
                CompletableFuture<Void> ended = new CompletableFuture<>();
                // Before the question: a leader that begins to leave waits for this report, or this sees that it
                // leaves.
                end.set(ended);
                boolean mayBegin =
                        latch.leadership().filter(each -> !each.isLeaving()).isPresent();
                if (mayBegin) {
                    writeReport(file);
                }
                ended.complete(null);
                // The next tick.
                Thread.sleep(10);
            }
        } catch (EOFException e) {
            NodeMain.say("closed");
        } catch (IOException | InterruptedException e) {
            NodeMain.say("fails: " + e);
        }
    }

    private void writeReport(FileChannel file) throws IOException, InterruptedException {
        NodeMain.say("begins");
        FileLock alone = file.tryLock();
        if (alone == null) {
            NodeMain.say("overlaps");
        }
        Thread.sleep(length.toMillis());
        if (alone != null) {
            alone.release();
        }
        NodeMain.say("ends " + latch.leadership().map(Leadership::isLeaving));
    }

    private void obey(String[] words) {
        switch (words[0]) {
            case "transfer" ->
                latch.transferTo(words[1])
                        .whenComplete((nothing, failure) ->
                                NodeMain.say(failure == null ? "transferred" : "did not transfer: " + failure));
            case "standby" -> client.standby(Boolean.parseBoolean(words[1]));
            default -> throw new IllegalArgumentException("unknown command: " + words[0]);
        }
    }
}
