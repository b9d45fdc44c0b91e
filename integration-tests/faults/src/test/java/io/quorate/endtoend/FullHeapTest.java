package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.demo.Cluster;
import io.quorate.process.ChildJvm;
import io.quorate.process.Http;
import io.quorate.testkit.RealTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * docs/faults.md: a leader whose heap was full for seconds is in service afterwards, or it has failed, its listeners
 * know that, and its probe has it restarted.
 */
@RealTime
class FullHeapTest {

    private static final String PATH = "/full/leader";
    private static final int TRIALS = Integer.getInteger("heap.trials", 2);
    private static final List<String> SMALL_HEAP = List.of("-Xmx48m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** The node looks again each second, and joins within seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(45);

    private static final Duration LOOK = Duration.ofMillis(500);

    /** It is in service if it is found so this number of times in a row. */
    private static final int LOOKS = 6;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"tcp, 2", "tcp, 8", "tcp, 20", "vertx, 2", "vertx, 8", "vertx, 20"})
    void aLeaderWithAFullHeapComesBackOrFails(String transport, int seconds) throws Exception {
        Map<String, Integer> outcomes = new TreeMap<>();
        StringBuilder silent = new StringBuilder();
        for (int trial = 0; trial < TRIALS; trial++) {
            Optional<String> outcome = outcome(folder, transport, seconds, silent);
            outcomes.merge(outcome.orElse("SILENT"), 1, Integer::sum);
        }
        System.out.printf("%s, full for %d s, %d trials: %s%n", transport, seconds, TRIALS, outcomes);
        assertThat(silent.toString())
                .as("%s, %d s: %s", transport, seconds, outcomes)
                .isEmpty();
    }

    /** Returns how a leader fared whose heap was full; empty if it did neither, which is added to {@code silent}. */
    static Optional<String> outcome(Path folder, String transport, int seconds, StringBuilder silent) throws Exception {
        try (OneJvm others = new OneJvm("ballot", "n1", "n2", "n3")) {
            ChildJvm leader = ChildJvm.start(
                    "n1",
                    ChildJvm.Command.of(
                            FullHeapNode.class,
                            List.of("n1", Cluster.peers(others.addresses()), PATH, transport),
                            SMALL_HEAP),
                    folder.resolve("n1.log"));
            try {
                for (String id : List.of("n2", "n3")) {
                    others.start(
                            id,
                            ElectionClient.builder().peers(others.addresses()).transport(transport));
                }
                others.await("n1 leads", () -> leader.ask("state").contains(" leads=true told=1 "));
                LeaderLatch next = others.latch("n2", PATH, "n2");
                others.await("n2 contends", () -> next.explain().contenders().size() == 2);
                String port = leader.ask("state").replaceAll(".* port=(\\d+) .*", "$1");
                leader.ask("fill " + seconds);
                long begun = System.nanoTime();
                String state = "";
                int inARow = 0;
                while (System.nanoTime() - begun < PATIENCE.toNanos()) {
                    state = leader.ask("state");
                    inARow = isInService(state, next) ? inARow + 1 : 0;
                    if (inARow == LOOKS) {
                        return Optional.of("in service");
                    }
                    if (isFailedAndTold(state) && !isLive(port)) {
                        return Optional.of("failed and told");
                    }
                    LockSupport.parkNanos(LOOK.toNanos());
                }
                silent.append('\n')
                        .append(state)
                        .append(", live ")
                        .append(isLive(port))
                        .append(", n2 sees ")
                        .append(next.explain().contenders())
                        .append(leader.describe());
                return Optional.empty();
            } finally {
                leader.end();
            }
        }
    }

    private static boolean isInService(String state, LeaderLatch next) {
        return state.startsWith("UP ")
                && state.endsWith("supporters=3")
                && state.contains(state.contains("leads=true") ? " told=1 " : " told=0 ")
                && next.explain().contenders().size() == 2;
    }

    private static boolean isFailedAndTold(String state) {
        return state.startsWith("FAILED ") && state.contains(" leads=false told=0 lost=true stopped=true ");
    }

    private static boolean isLive(String port) {
        return Http.get("http://127.0.0.1:" + port + "/live", Duration.ofSeconds(5))
                .filter(answer -> answer.statusCode() == 200)
                .isPresent();
    }
}
