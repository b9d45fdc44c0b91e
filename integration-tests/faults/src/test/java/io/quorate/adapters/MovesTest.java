package io.quorate.adapters;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.demo.Cluster;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.RepeatedWhenStalled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * With default settings, a planned end waits until a node has finished its run. There are three nodes over sockets, and
 * each end comes in the middle of a run.
 */
class MovesTest {

    private static final List<String> IDS = List.of("n1", "n2", "n3");

    private final Map<String, String> addresses = Cluster.freeAddresses(IDS);
    private final Map<String, Application> nodes = new LinkedHashMap<>();
    private final Work work = new Work();
    private final List<String> refused = new ArrayList<>();

    @AfterEach
    void close() {
        nodes.values().forEach(Application::close);
    }

    private void start(Adapter adapter, String node, ElectionClient.Builder settings) {
        ElectionClient client =
                settings.nodeId(node).peers(addresses).transport("tcp").build();
        try {
            nodes.put(node, adapter.start(client, work));
        } catch (Exception e) {
            // Justification: an application that does not start ends the test, with its cause.
            throw new AssertionError(node + " does not start", e);
        }
        // As a readiness probe keeps a roll from the next node.
        Deadline.await(
                () -> client.health().supporters().size() == nodes.size(),
                () -> node + " is supported by " + client.health().supporters() + " of " + nodes.keySet());
    }

    private void startAll(Adapter adapter, Supplier<ElectionClient.Builder> settings) {
        IDS.forEach(node -> start(adapter, node, settings.get()));
    }

    private String awaitWork(Predicate<String> isWanted, String what) {
        AtomicReference<String> found = new AtomicReference<>();
        Deadline.await(
                () -> {
                    found.set(work.busy().filter(isWanted).orElse(null));
                    return found.get() != null;
                },
                () -> what + "; " + work.busy() + " is at work after " + work.runs() + " runs, and leadership is "
                        + nodes.values().stream()
                                .map(node -> node.client().leaving().toString())
                                .toList());
        return found.get();
    }

    /**
     * An operator moves the work away from the node that has it: to the next node, or to whichever takes it over. Returns
     * false if that was refused.
     */
    private boolean move(Adapter adapter, boolean isTransfer) {
        String former = awaitWork(node -> true, "nobody works");
        ElectionClient client = nodes.get(former).client();
        if (isTransfer) {
            String next = IDS.get((IDS.indexOf(former) + 1) % IDS.size());
            CompletableFuture<Void> told =
                    client.transferTo(adapter.path(), next).toCompletableFuture();
            Deadline.await(told::isDone, () -> former + " hands over to " + next);
            // The successor may just have started, or the machine may have stalled. Then nothing has moved.
            if (told.isCompletedExceptionally()) {
                refused.add(former + " to " + next + ": "
                        + told.handle((nothing, failure) -> failure).join());
                return false;
            }
        } else {
            client.standby(true);
            awaitWork(node -> !node.equals(former), former + " is on standby");
            client.standby(false);
        }
        return true;
    }

    /** Each node ends and starts again before the next one does. A worker ends in the middle of a run. */
    private void roll(Adapter adapter) {
        for (String node : IDS) {
            awaitWork(any -> true, "nobody works");
            nodes.remove(node).close();
            start(adapter, node, ElectionClient.builder());
        }
    }

    private void run(Adapter adapter, int moves, int rolls) {
        startAll(adapter, ElectionClient::builder);
        for (int moved = 0; moved < moves; ) {
            moved += move(adapter, moved % 2 == 0) ? 1 : 0;
        }
        for (int i = 0; i < rolls; i++) {
            roll(adapter);
        }
        System.out.printf(
                "%s: %d moves, and refused ones %s; %d rolling deployments, %d runs, %d overlaps%n",
                adapter, moves, refused, rolls, work.runs(), work.overlaps().size());
        assertThat(work.overlaps()).isEmpty();
    }

    @RealTime
    @ParameterizedTest
    @EnumSource
    void noRunOverlapsWhenTheWorkMoves(Adapter adapter) {
        run(adapter, 4, 1);
    }

    @Tag("nemesis")
    @ExtendWith(RepeatedWhenStalled.class)
    @ParameterizedTest
    @EnumSource
    void noRunOverlapsInSixtyMovesAndTenDeployments(Adapter adapter) {
        run(adapter, 60, 10);
    }

    /**
     * Shows that the tests above would notice a planned end that does not wait. A verticle waits by its own setting, and
     * Camel may hang where a route flaps.
     */
    @RealTime
    @ParameterizedTest
    @EnumSource(names = {"LOCK", "LEADER_ONLY"})
    void withoutADrainRunsOverlap(Adapter adapter) {
        startAll(adapter, () -> ElectionClient.builder().drainTimeout(Duration.ZERO));
        AtomicInteger moves = new AtomicInteger();
        Deadline.repeat(
                () -> move(adapter, moves.getAndIncrement() % 2 == 0),
                () -> !work.overlaps().isEmpty(),
                () -> moves + " moves without an overlap");
    }
}
