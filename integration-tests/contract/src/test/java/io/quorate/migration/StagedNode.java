package io.quorate.migration;

import com.example.migration.companion.CuratorCompanion;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.process.NodeMain;
import io.quorate.tandem.TandemLatch;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;

/**
 * A process that can be at each stage of docs/migration.md#stages. Arguments: id, ZooKeeper, peers, address to listen at,
 * directory. Reads one command per line: {@code stage R1}, {@code exit}. Asks 500 times a second whether it leads, and
 * says from when to when.
 */
final class StagedNode {

    static final String PATH = "/app/leader";
    /** Of ZooKeeper, in milliseconds. */
    static final int SESSION_MILLIS = 4_000;

    private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    /** A streak is said so often, so that little of it is lost with a killed process. */
    private static final long SAID_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final String[] arguments;
    private final Deque<Closeable> open = new ArrayDeque<>();
    private volatile BooleanSupplier leads = () -> false;
    private volatile LongSupplier token = () -> 0;

    private StagedNode(String[] arguments) {
        this.arguments = arguments;
    }

    /** Runs until its input ends or says so. */
    public static void main(String[] arguments) throws Exception {
        StagedNode node = new StagedNode(arguments);
        Thread sampler = new Thread(node::sample, "sampler");
        sampler.setDaemon(true);
        sampler.start();
        NodeMain.obey(node::obey);
        node.exit();
    }

    private void obey(String[] words) throws Exception {
        if (words[0].equals("exit")) {
            exit();
        }
        close();
        begin(words[1]);
        NodeMain.say("stage " + words[1]);
    }

    private void exit() throws Exception {
        close();
        NodeMain.say("closed");
        System.exit(0);
    }

    private void begin(String stage) throws Exception {
        switch (stage) {
            case "R0" -> {
                org.apache.curator.framework.recipes.leader.LeaderLatch latch =
                        new org.apache.curator.framework.recipes.leader.LeaderLatch(zooKeeper(), PATH, arguments[0]);
                open.push(latch);
                latch.start();
                leads = latch::hasLeadership;
            }
            case "R0.5", "R1" -> {
                CuratorCompanion companion = new CuratorCompanion(zooKeeper(), PATH, arguments[0]);
                ElectionClient client = client();
                TandemLatch latch = stage.equals("R1")
                        ? new TandemLatch(companion, client, PATH, arguments[0])
                        : TandemLatch.shadow(companion, client, PATH, arguments[0]);
                open.push(latch);
                latch.start();
                leads = latch::hasLeadership;
                token = () -> latch.leadership()
                        .map(io.quorate.Leadership::fencingToken)
                        .orElse(0L);
            }
            case "R2" -> {
                LeaderLatch latch = new LeaderLatch(client(), PATH, arguments[0]);
                open.push(latch);
                latch.start();
                leads = latch::hasLeadership;
                token = () -> latch.leadership()
                        .map(io.quorate.Leadership::fencingToken)
                        .orElse(0L);
            }
            default -> throw new IllegalArgumentException("stage '" + stage + "': must be R0, R0.5, R1 or R2");
        }
    }

    private CuratorFramework zooKeeper() {
        CuratorFramework client =
                CuratorFrameworkFactory.newClient(arguments[1], SESSION_MILLIS, 2_000, new RetryForever(100));
        open.push(client);
        client.start();
        return client;
    }

    private ElectionClient client() {
        ElectionClient client = ElectionClient.builder()
                .nodeId(arguments[0])
                .peers(arguments[2])
                .listen(arguments[3])
                .transport("tcp")
                .migration("tandem")
                .plaintext(true)
                .dataDirectory(Path.of(arguments[4]))
                .build();
        open.push(client);
        client.start();
        return client;
    }

    /** The latest first: the latch, and what it needs after it. */
    private void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        leads = () -> false;
        token = () -> 0;
    }

    private void sample() {
        long from = 0;
        long to = 0;
        long said = 0;
        long held = 0;
        while (true) {
            long asked = System.nanoTime();
            boolean isLeader = leads.getAsBoolean();
            long answered = System.nanoTime();
            if (isLeader && from == 0) {
                from = answered;
                said = answered;
                held = token.getAsLong();
            }
            if (isLeader) {
                to = Math.max(from, asked);
            }
            if (from != 0 && (!isLeader || asked - said > SAID_NANOS)) {
                NodeMain.say("led " + held + " " + from + " " + to);
                said = asked;
                from = isLeader ? to : 0;
            }
            LockSupport.parkNanos(SAMPLE_NANOS);
        }
    }
}
