package io.quorate.tla;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Options;
import io.quorate.testkit.ModelChecker;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Spec and shipped object have the same number of distinct states, within the same bounds: two descriptions of one
 * faithful algorithm that know nothing of each other, explored by two programs that know nothing of each other.
 */
class CountsTest {

    static final List<String> CONFIGURATIONS = List.of("BullyF_3", "BullyF_4", "BullyF_5",
            "LcrF_7", "LcrF_7crash");

    private static final Duration LIMIT = Duration.ofMinutes(10);

    /** So many states, in so much CPU time. */
    private record Count(long states, Duration cpu) {

        double perSecond() {
            return states / Math.max(1e-3, cpu.toNanos() / 1e9);
        }
    }

    /** The algorithm that an application gets. */
    static ElectionAlgorithm algorithm(String name) {
        return ServiceLoader.load(ElectionAlgorithm.class).stream().map(ServiceLoader.Provider::get)
                .filter(algorithm -> algorithm.name().equals(name)).findFirst().orElseThrow();
    }

    /** The faithful variant, within the bounds of the configuration; process p of the spec is p - 1 here. */
    private static ModelChecker shipped(String configuration) {
        Cfg bounds = Cfg.of(configuration);
        int size = bounds.number("N");
        boolean isBully = Tlc.spec(configuration).equals("BullyF");
        ModelChecker checker = ModelChecker.of(algorithm(isBully ? "bully" : "lcr"), Options.FAITHFUL, size)
                .crashes(bounds.number("MaxCrash"));
        if (isBully) {
            return checker.initialLeader(size - 1).restarts(bounds.number("MaxRestart"))
                    .earlyTimeouts(bounds.number("MaxEarly"));
        }
        int leader = bounds.number("Leader0");
        return leader == 0 ? checker : checker.initialLeader(leader - 1);
    }

    private static Count countInJava(String configuration) {
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        int states = shipped(configuration).verify(1).states();
        long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        return new Count(states, Duration.ofNanos(end - start));
    }

    @Tag("tla")
    @ParameterizedTest
    @CsvSource({"BullyF_3, 49", "BullyF_4, 926", "BullyF_5, 48422", "LcrF_7, 198", "LcrF_7crash, 2821"})
    void shippedMachineHasTheStatesOfItsSpec(String configuration, int states) {
        Count java = countInJava(configuration);
        Count warm = countInJava(configuration);
        Tlc.Outcome outcome = Tlc.check(configuration, LIMIT);
        Count tlc = new Count(outcome.states(), outcome.cpu());
        System.out.printf("%s: %,d states in TLC, %,d in Java. Distinct states per CPU second: TLC %,.0f, Java %,.0f "
                        + "(the second time %,.0f), %.0f (%.0f) times TLC%n", configuration, tlc.states(),
                java.states(), tlc.perSecond(), java.perSecond(), warm.perSecond(),
                java.perSecond() / tlc.perSecond(), warm.perSecond() / tlc.perSecond());
        assertThat(outcome.violated()).isEmpty();
        assertThat(List.of(tlc.states(), java.states())).containsOnly((long) states);
    }
}
