package io.quorate.tla;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.machine.Patience;
import io.quorate.ring.Attempt;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.NormalForm;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Spec and shipped object have the same number of distinct states, within the same bounds: two descriptions of one
 * algorithm that know nothing of each other, explored by two programs that know nothing of each other.
 */
class CountsTest {

    static final List<String> CONFIGURATIONS = List.of(
            "BullyF_3",
            "BullyF_4",
            "BullyF_5",
            "LcrF_7",
            "LcrF_7crash",
            "TokenRingF_6",
            "TokenRingF_4crash",
            "TokenRingF_4restart",
            "TokenRingF_4faults",
            "TokenRing_3",
            "TokenRing_3start",
            "TokenRing_3early",
            "TokenRing_3faults",
            "TokenRing_4",
            "TokenRing_storm",
            "BullyH_3",
            "BullyH_4",
            "BullyH_restart",
            "LcrH_3",
            "LcrH_3start",
            "LcrH_3early",
            "LcrH_3faults",
            "LcrH_3restart",
            "LcrH_4",
            "LcrH_storm");

    /** The spec's name, and the algorithm and the variant that it describes. */
    private record Described(String algorithm, Options options) {
        private static final Map<String, Described> SPECS = Map.of(
                "BullyF", new Described("bully", Options.FAITHFUL),
                "BullyH", new Described("bully", Options.HARDENED),
                "LcrF", new Described("lcr", Options.FAITHFUL),
                "LcrH", new Described("lcr", Options.HARDENED),
                "TokenRingF", new Described("token-ring", Options.FAITHFUL),
                "TokenRing", new Described("token-ring", Options.HARDENED));
    }

    private static final Duration LIMIT = Duration.ofMinutes(10);

    /** So many states, in so much CPU time. */
    private record Count(long states, Duration cpu) {

        double perSecond() {
            return states / Math.max(1e-3, cpu.toNanos() / 1e9);
        }
    }

    /** The algorithm that an application gets. */
    static ElectionAlgorithm algorithm(String name) {
        return ServiceLoader.load(ElectionAlgorithm.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(algorithm -> algorithm.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** What the spec describes, within the bounds of the configuration; process p of the spec is p - 1 here. */
    private static ModelChecker shipped(String configuration) {
        Cfg bounds = Cfg.of(configuration);
        int size = bounds.number("N");
        Described described = Described.SPECS.get(Tlc.spec(configuration));
        // In BullyF and BullyH the highest always leads at first.
        int leader = bounds.numberOr("Leader0", size);
        ModelChecker checker = ModelChecker.of(algorithm(described.algorithm), described.options, size)
                .crashes(bounds.number("MaxCrash"))
                .restarts(bounds.numberOr("MaxRestart", 0))
                .losses(bounds.numberOr("MaxLoss", 0))
                .earlyTimeouts(bounds.numberOr("MaxEarly", 0))
                .falseSuspicions(bounds.numberOr("MaxFalse", 0))
                .normalForm(bounds.has("Circle") ? new Circle(bounds.number("Circle")) : NormalForm.NONE);
        return leader == 0 ? checker : checker.initialLeader(leader - 1);
    }

    /**
     * The attempts of a ring, counted from 1 to {@code length} and then from 1 again, as LcrH.tla counts them. How
     * patient a process is (K8) is forgotten, because timers have no length in the spec. All other fields stay.
     */
    private record Circle(long length) implements NormalForm {

        @Override
        public Election.State of(Election.State state, long elapsed) {
            return (Election.State) inCircle(Tla.with((Record) state, "patience", Patience.BASE));
        }

        @Override
        public Message of(Message message) {
            return Tla.type(message).equals("PROBE") ? (Message) inCircle((Record) message) : message;
        }

        private Record inCircle(Record fields) {
            Attempt attempt = (Attempt) Tla.component(fields, "attempt");
            return attempt.number() == 0
                    ? fields
                    : Tla.with(
                            fields, "attempt", new Attempt(attempt.incarnation(), (attempt.number() - 1) % length + 1));
        }
    }

    private static Count countInJava(String configuration) {
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        int states = shipped(configuration).verify(1).states();
        long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        return new Count(states, Duration.ofNanos(end - start));
    }

    @Tag("tla")
    @ParameterizedTest
    @CsvSource({
        "BullyF_3, 49",
        "BullyF_4, 926",
        "BullyF_5, 48422",
        "LcrF_7, 198",
        "LcrF_7crash, 2821",
        "TokenRingF_6, 4882",
        "TokenRingF_4crash, 23244",
        "TokenRingF_4restart, 96684",
        "TokenRingF_4faults, 101819",
        "TokenRing_3, 1836",
        "TokenRing_3start, 12225",
        "TokenRing_3early, 3555",
        "TokenRing_3faults, 71194",
        "TokenRing_4, 1450",
        "TokenRing_storm, 17550",
        "BullyH_3, 111",
        "BullyH_4, 4771",
        "BullyH_restart, 940",
        "LcrH_3, 383",
        "LcrH_3start, 13207",
        "LcrH_3early, 697",
        "LcrH_3faults, 884",
        "LcrH_3restart, 2594",
        "LcrH_4, 823",
        "LcrH_storm, 10153"
    })
    void shippedMachineHasTheStatesOfItsSpec(String configuration, int states) {
        Count java = countInJava(configuration);
        Count warm = countInJava(configuration);
        Tlc.Outcome outcome = Tlc.check(configuration, LIMIT);
        Count tlc = new Count(outcome.states(), outcome.cpu());
        System.out.printf(
                "%s: %,d states in TLC, %,d in Java. Distinct states per CPU second: TLC %,.0f, Java %,.0f "
                        + "(the second time %,.0f), %.0f (%.0f) times TLC%n",
                configuration,
                tlc.states(),
                java.states(),
                tlc.perSecond(),
                java.perSecond(),
                warm.perSecond(),
                java.perSecond() / tlc.perSecond(),
                warm.perSecond() / tlc.perSecond());
        assertThat(outcome.violated()).isEmpty();
        assertThat(List.of(tlc.states(), java.states())).containsOnly((long) states);
    }

    // ---------------------------------------------------------------- speed of the Java checker by itself

    private static Count explore(ModelChecker checker) {
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        int states = checker.run().states();
        long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        return new Count(states, Duration.ofNanos(end - start));
    }

    /** Four processes; two may crash and twice somebody comes back. Only the first two million states are looked at. */
    private static ModelChecker large(String algorithm, Options options) {
        return ModelChecker.of(algorithm(algorithm), options, 4)
                .initialLeader(3)
                .crashes(2)
                .restarts(2)
                .statesMax(2_000_000)
                .stopAtStatesMax();
    }

    // The aim is half a million; half of it is the least, as a machine may be slower than the one it was set on.
    @Tag("tla")
    @ParameterizedTest
    @CsvSource({"bully", "lcr"})
    void largeModelIsExploredQuickly(String algorithm) {
        Count cold = explore(large(algorithm, Options.FAITHFUL));
        Count warm = explore(large(algorithm, Options.FAITHFUL));
        System.out.printf(
                "%s, N=4: %,d states. Distinct states per CPU second: %,.0f, the second time %,.0f%n",
                algorithm, cold.states(), cold.perSecond(), warm.perSecond());
        assertThat(cold.states()).isEqualTo(warm.states()).isGreaterThan(2_000_000);
        assertThat(warm.perSecond()).isGreaterThan(250_000);
    }
}
