package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.link.LinkProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three nodes of one JVM over plain TCP, each with a latch on each of 100,000 paths: {@code -Dpaths=N} for another
 * number. Whatever happens, all are led again, and then nothing is lost any more. Prints how long it took.
 */
@Tag("many")
class HundredThousandPathsTest {

    private static final int PATHS = Integer.getInteger("paths", 100_000);
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration QUIET = Duration.ofMinutes(1);
    private static final Duration OUTAGE = Duration.ofSeconds(3);

    private final OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3");
    private final List<LinkProxy> links = new ArrayList<>();
    private final Map<String, List<LeaderLatch>> latches = new LinkedHashMap<>();
    private final AtomicInteger losses = new AtomicInteger();
    private final AtomicBoolean isOver = new AtomicBoolean();

    @AfterEach
    void close() {
        isOver.set(true);
        nodes.close();
        links.forEach(LinkProxy::close);
    }

    /** Each reaches the others over links that can be cut. */
    private void startNodes() {
        for (String id : nodes.ids()) {
            Map<String, String> addresses = new LinkedHashMap<>(nodes.addresses());
            addresses.replaceAll((other, address) -> other.equals(id) ? address : linkTo(address));
            ElectionClient client = nodes.start(
                    id,
                    ElectionClient.builder()
                            .peers(addresses)
                            .transport("tcp")
                            .listen(nodes.addresses().get(id)));
            client.getConnectionStateListenable()
                    .addListener((who, state) -> losses.addAndGet(state == ConnectionState.LOST ? 1 : 0));
        }
    }

    private String linkTo(String address) {
        LinkProxy link = new LinkProxy(address);
        links.add(link);
        return link.address();
    }

    /** All latches start at once. Returns when each path is led. */
    private void startLatches() throws Exception {
        long begin = System.nanoTime();
        for (int i = 0; i < PATHS; i++) {
            for (String id : nodes.ids()) {
                LeaderLatch latch = new LeaderLatch(nodes.client(id), "/many/" + i, id);
                latch.start();
                latches.computeIfAbsent(id, node -> new ArrayList<>()).add(latch);
            }
        }
        awaitAllLed("started", begin);
    }

    private int led() {
        int led = 0;
        for (int i = 0; i < PATHS; i++) {
            int path = i;
            led += latches.values().stream().anyMatch(of -> of.get(path).hasLeadership()) ? 1 : 0;
        }
        return led;
    }

    private void awaitAllLed(String what, long begin) {
        nodes.await(what + ": all are led", PATIENCE, LOOK, () -> led() == PATHS);
        long nanos = System.nanoTime() - begin;
        System.out.printf(
                "%d paths, %s: all are led after %d ms; lost so far: %d%n",
                PATHS, what, nanos / 1_000_000, losses.get());
    }

    private void assertAllStayLed(Duration time) {
        int before = losses.get();
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            assertThat(led()).as("paths that are led").isEqualTo(PATHS);
            LockSupport.parkNanos(LOOK.toNanos());
        }
        assertThat(losses).as("leases lost meanwhile").hasValue(before);
    }

    @Test
    void allPathsAreLedAgainAfterEachEvent() throws Exception {
        startNodes();
        startLatches();
        assertAllStayLed(QUIET);

        long begin = System.nanoTime();
        links.forEach(link -> {
            link.cut(LinkProxy.Way.THERE);
            link.cut(LinkProxy.Way.BACK);
        });
        nodes.await("nobody leads", PATIENCE, LOOK, () -> led() == 0);
        LockSupport.parkNanos(OUTAGE.toNanos() - (System.nanoTime() - begin));
        links.forEach(LinkProxy::heal);
        awaitAllLed("after an outage of 3 s", System.nanoTime());
        assertAllStayLed(QUIET.dividedBy(4));

        String leader = latches.entrySet().stream()
                .filter(of -> of.getValue().get(0).hasLeadership())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        begin = System.nanoTime();
        nodes.client(leader).close();
        latches.remove(leader);
        awaitAllLed("after the close of " + leader, begin);
        assertAllStayLed(QUIET.dividedBy(4));
    }

    // As many threads as there are processors want all of them.
    @Test
    void aStartWithHalfOfTheProcessorEnds() throws Exception {
        startNodes();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            Thread busy = new Thread(
                    () -> {
                        while (!isOver.get()) {
                            Thread.onSpinWait();
                        }
                    },
                    "busy " + i);
            busy.setDaemon(true);
            busy.start();
        }
        startLatches();
        assertAllStayLed(QUIET.dividedBy(4));
    }
}
