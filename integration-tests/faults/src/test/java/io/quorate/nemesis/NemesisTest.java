package io.quorate.nemesis;

import static io.quorate.testkit.CodeChange.in;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.demo.PluginNames;
import io.quorate.engine.LeaseTiming;
import io.quorate.history.HistoryEvent;
import io.quorate.history.HistoryEvent.Kind;
import io.quorate.history.HistoryFile;
import io.quorate.history.Report.Rule;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.simulation.Seeds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few rounds of faults on real processes, and proof that they find what is wrong; see {@link NemesisLongTest}. */
@RealTime
class NemesisTest {

    static final List<String> ALGORITHMS = List.of("ballot", "bully", "lcr", "token-ring", "three-phase");

    private static final int SEEDS = 1_000_000;
    private static final int PAUSES = 5;
    private static final int ANSWERS = 200;
    private static final Duration LONGER = Duration.ofMillis(300);

    @TempDir
    private Path directory;

    // docs/architecture.md#promises: never two leaders, tokens that rise, a leader whenever one is possible.
    @Test
    void aFewFaultsBreakNoRuleAndALeaderComesAfterEach() {
        Seeds.each(1, ThreadLocalRandom.current().nextInt(SEEDS), seed -> {
            Random random = new Random(seed);
            PluginNames plugins = new PluginNames(pick(ALGORITHMS, random), pick(PluginNames.TRANSPORTS, random));
            List<LastingFault.Kind> cuts = List.of(
                    LastingFault.Kind.ISOLATION,
                    LastingFault.Kind.SPLIT,
                    LastingFault.Kind.DEAFNESS,
                    LastingFault.Kind.MUTENESS,
                    LastingFault.Kind.CUT,
                    LastingFault.Kind.ONE_WAY_CUT);
            List<LastingFault.Kind> others = List.of(
                    LastingFault.Kind.KILL,
                    LastingFault.Kind.KILL_OF_ALL,
                    LastingFault.Kind.WIPE,
                    LastingFault.Kind.OVERTAKING,
                    LastingFault.Kind.REFUSAL,
                    LastingFault.Kind.SLOWNESS,
                    LastingFault.Kind.SHORT_PAUSE);
            ArrayDeque<LastingFault.Kind> deck = new ArrayDeque<>(Stream.of(
                            pick(cuts, random),
                            LastingFault.Kind.LONG_PAUSE,
                            pick(others, random),
                            LastingFault.Kind.COMBINATION)
                    .toList());
            System.out.println("nemesis: seed=" + seed);
            try (Rounds rounds = new Rounds(3, plugins, random, deck, UnaryOperator.identity())) {
                rounds.start();
                rounds.isolateLeaderUntilAnotherLeads(LONGER);
                while (!deck.isEmpty()) {
                    rounds.next();
                }
                System.out.println("nemesis: " + rounds.describe() + rounds.traffic());
                assertThat(rounds.traffic().bytes()).isPositive();
                assertThat(rounds.traffic().heldBytes()).as(rounds::describe).isPositive();
                assertASecondLeaderIsNoticed(rounds);
            }
        });
    }

    private static <T> T pick(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }

    /** If there were the history of another node that led while the present leader does. */
    private static void assertASecondLeaderIsNoticed(Rounds rounds) {
        rounds.cluster()
                .await(
                        "the leader has answered for a while",
                        () -> rounds.cluster()
                                        .history()
                                        .lastLeader()
                                        .orElseThrow()
                                        .count()
                                >= ANSWERS);
        List<Path> files = rounds.cluster().historyFiles();
        List<HistoryEvent> events = HistoryFile.merge(files);
        HistoryEvent last = events.stream()
                .filter(event -> event.kind() == Kind.BELIEVED_TO)
                .reduce((one, other) -> other.invoked() > one.invoked() ? other : one)
                .orElseThrow();
        try (HistoryFile forged = HistoryFile.create(files.get(0).resolveSibling("n9-1.history"))) {
            long now = last.invoked();
            forged.add(
                    new HistoryEvent(Kind.BELIEVED_FROM, "n9-1", last.path(), last.token() + 1, now - 1, now - 1),
                    new HistoryEvent(Kind.BELIEVED_TO, "n9-1", last.path(), last.token() + 1, now, now));
        }
        assertThatThrownBy(rounds::check)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("M is broken by")
                .hasMessageContaining("n9-1")
                .hasMessageContaining("-> ");
    }

    /** What the change puts in. */
    public static final class Faults {

        private Faults() {}

        public static long twentyTimes(long nanos) {
            return 20 * nanos;
        }
    }

    // A leader that believes in its lease for too long goes on leading when it is resumed.
    @Test
    void nodesThatBelieveInTheirLeaseForTooLongAreFound() {
        Mutants.write(in(LeaseTiming.class, "belief()").call("belief").passes(Faults.class, "twentyTimes"), directory);
        try (Rounds rounds = Rounds.altered(
                new PluginNames("ballot", PluginNames.TCP),
                new Random(1),
                links -> new Altered(links, List.of(directory), Map.of()))) {
            assertThatThrownBy(() -> {
                        rounds.start();
                        for (int pause = 0; pause < PAUSES; pause++) {
                            rounds.pauseLeaderUntilAnotherLeads();
                        }
                    })
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("M is broken by");
            assertThat(rounds.cluster().report().violations()).anyMatch(violation -> violation.rule() == Rule.M);
        }
    }
}
