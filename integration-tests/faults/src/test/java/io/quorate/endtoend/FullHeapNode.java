package io.quorate.endtoend;

import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.ops.OpsServer;
import io.quorate.process.NodeMain;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that contends for a path and fills its own heap. Arguments: node id, peers, path, transport. The commands
 * are {@code state}, which asks, and {@code fill SECONDS}, which answers when the heap has been full for that time and
 * is empty again; each has one line as its answer. The end of the input ends the process.
 */
public final class FullHeapNode {

    /** Larger than the heap when each piece is of {@link #PIECE} bytes. */
    private static final int PIECES = 1 << 16;

    private static final int PIECE = 16 << 10;
    /** What the node allocates is larger than this, so it does not fit either. */
    private static final int SMALL_PIECE = 64;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private FullHeapNode() {}

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws Exception {
        byte[][] held = new byte[PIECES][];
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        AtomicBoolean isLost = new AtomicBoolean();
        AtomicBoolean isStopped = new AtomicBoolean();
        ElectionClient client = ElectionClient.builder()
                .nodeId(arguments[0])
                .peers(arguments[1])
                .transport(arguments[3])
                .build();
        client.getConnectionStateListenable().addListener((of, state) -> isLost.set(state == ConnectionState.LOST));
        client.stopped().thenAccept(cause -> isStopped.set(true));
        client.start();
        OpsServer server = OpsServer.builder(client).port(0).start();
        LeaderLatch latch = new LeaderLatch(client, arguments[2], arguments[0]);
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                begun.incrementAndGet();
            }

            @Override
            public void notLeader() {
                ended.incrementAndGet();
            }
        });
        latch.start();
        NodeMain.obeyToTheEnd(words -> {
            if (words[0].equals("fill")) {
                fill(held, TimeUnit.SECONDS.toNanos(Long.parseLong(words[1])));
                NodeMain.say("fill done");
            } else {
                NodeMain.say("state " + client.health().state() + " leads=" + latch.hasLeadership() + " told="
                        + (begun.get() - ended.get()) + " lost=" + isLost + " stopped=" + isStopped + " port="
                        + server.address().getPort() + " supporters="
                        + client.health().supporters().size());
            }
        });
    }

    /** Allocates nothing but what fills the heap. */
    private static void fill(byte[][] held, long nanos) {
        long begun = System.nanoTime();
        int count = 0;
        int length = PIECE;
        while (System.nanoTime() - begun < nanos) {
            try {
                held[count] = new byte[length];
                count = Math.min(count + 1, PIECES - 1);
            } catch (OutOfMemoryError e) {
                // Another thread may give some back.
                length = Math.max(SMALL_PIECE, length / 4);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        Arrays.fill(held, null);
    }
}
