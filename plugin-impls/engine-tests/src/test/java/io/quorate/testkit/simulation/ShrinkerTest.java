package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.BrokenRule.Rule;
import io.quorate.testkit.simulation.Fault.Kind;
import io.quorate.testkit.simulation.Scenario.Setup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Planted bugs: what breaks a rule is a predicate here, so that the smallest scenario is known. */
class ShrinkerTest {

    private static final int MANY = 100_000;
    private static final Rule RULE = Rule.ONE_LEADER;
    private static final Setup LARGE = new Setup(7, 2, false, RankOrder.PRIORITY, true, 200, 1000, 10, 40_000);

    private int runs;

    private Function<Scenario, Optional<BrokenRule>> stub(Predicate<Scenario> breaks) {
        return scenario -> {
            runs++;
            return breaks.test(scenario) ? Optional.of(new BrokenRule(RULE, "planted")) : Optional.empty();
        };
    }

    private static Scenario thirtyFaults(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            long at = random.nextInt(10_000);
            Kind kind = List.of(Kind.CRASH, Kind.PAUSE, Kind.CUT).get(random.nextInt(3));
            String node = "n" + (1 + random.nextInt(7));
            faults.add(new Fault(at, at + 100 + random.nextInt(1000), kind, kind == Kind.CUT ? node + "-*" : node, 0));
        }
        return new Scenario(seed, LARGE, faults);
    }

    private static long count(Scenario scenario, Kind kind, String where) {
        return scenario.faults().stream()
                .filter(f -> f.kind() == kind && f.where().startsWith(where))
                .count();
    }

    private static boolean isMinimal(Scenario small, Predicate<Scenario> breaks) {
        for (int i = 0; i < small.faults().size(); i++) {
            List<Fault> fewer = new ArrayList<>(small.faults());
            fewer.remove(i);
            if (breaks.test(small.withFaults(fewer))) {
                return false;
            }
        }
        return true;
    }

    // Two crashes and a cut anywhere, or three pauses: no fault of the result can be left out.
    @Test
    void thirtyFaultsBecomeOneMinimal() {
        Predicate<Scenario> breaks =
                scenario -> count(scenario, Kind.CRASH, "") >= 2 && count(scenario, Kind.CUT, "") >= 1
                        || count(scenario, Kind.PAUSE, "") >= 3;
        for (long seed = 1; seed <= 200; seed++) {
            Scenario scenario = thirtyFaults(seed);
            if (breaks.test(scenario)) {
                Scenario small = Shrinker.shrink(scenario, RULE, MANY, stub(breaks));
                assertThat(breaks.test(small)).as("seed %d", seed).isTrue();
                assertThat(isMinimal(small, breaks))
                        .as("seed %d: %s", seed, small)
                        .isTrue();
                assertThat(small.faults()).as("seed %d", seed).hasSize(3);
            }
        }
    }

    // Faults that only break the rule together, and far apart, cannot be taken out in halves.
    @Test
    void faultsThatNeedEachOtherAreKept() {
        Scenario scenario = thirtyFaults(7);
        List<Fault> needed = List.of(
                scenario.faults().get(0),
                scenario.faults().get(14),
                scenario.faults().get(29));
        List<String> places = needed.stream().map(Fault::toString).toList();
        Predicate<Scenario> breaks =
                s -> s.faults().stream().map(Fault::toString).toList().containsAll(places);
        assertThat(Shrinker.shrink(scenario, RULE, MANY, stub(breaks)).faults()).isEqualTo(needed);
    }

    @Test
    void aFaultThatIsNotNeededGoesEvenIfItIsTheOnlyOne() {
        for (int size : List.of(1, 2, 3, 30)) {
            Scenario scenario =
                    thirtyFaults(1).withFaults(thirtyFaults(1).faults().subList(0, size));
            assertThat(Shrinker.shrink(scenario, RULE, MANY, stub(s -> true)).faults())
                    .as("%d faults", size)
                    .isEmpty();
        }
    }

    @Test
    void scenariosThatBreakAnotherRuleAreDiscarded() {
        Scenario scenario = thirtyFaults(3);
        Scenario small = Shrinker.shrink(
                scenario,
                RULE,
                MANY,
                s -> Optional.of(new BrokenRule(s.faults().size() > 20 ? RULE : Rule.NO_FAILURE, "planted")));
        assertThat(small.faults()).hasSize(21);
    }

    // However few attempts there are: what is returned was seen to break the rule.
    @Test
    void resultBreaksTheRuleUnderEachBound() {
        Predicate<Scenario> breaks = scenario -> count(scenario, Kind.CRASH, "") >= 2
                && scenario.setup().voters() >= 5
                && scenario.faults().size() % 2 == 1;
        Scenario scenario = thirtyFaults(5).withFaults(thirtyFaults(5).faults().subList(0, 29));
        assertThat(breaks.test(scenario)).isTrue();
        for (int runsMax = 0; runsMax < 100; runsMax++) {
            runs = 0;
            Scenario small = Shrinker.shrink(scenario, RULE, runsMax, stub(breaks));
            assertThat(breaks.test(small)).as("at most %d runs", runsMax).isTrue();
            assertThat(runs).isLessThanOrEqualTo(runsMax);
        }
    }

    @Test
    void faultsBecomeShorterAndContendersStay() {
        List<Fault> faults =
                List.of(new Fault(1000, 5000, Kind.CUT, "n1-*", 0), new Fault(700, 900, Kind.CONTEND, "n2/a", 0));
        Predicate<Scenario> breaks = s -> count(s, Kind.CONTEND, "n2/a") == 1
                && s.faults().stream().anyMatch(f -> f.kind() == Kind.CUT && f.until() - f.at() >= 1200);
        Scenario small = Shrinker.shrink(new Scenario(1, LARGE, faults), RULE, MANY, stub(breaks));
        assertThat(small.faults()).hasSize(2);
        assertThat(small.faults().get(0).until() - small.faults().get(0).at()).isBetween(1200L, 1700L);
        assertThat(small.faults().get(1)).isEqualTo(new Fault(0, Storm.FOR_EVER, Kind.CONTEND, "n2/a", 0));
    }

    // A node that is named must be there.
    @Test
    void theClusterBecomesAsSimpleAsTheFaultsAllow() {
        assertThat(setupAfterShrinking("n3-*")).isEqualTo(Setup.DEFAULT);
        assertThat(setupAfterShrinking("!n7>n1,n2")).isEqualTo(Setup.DEFAULT.withVoters(7));
        assertThat(setupAfterShrinking("leader-o2")).isEqualTo(LARGE);
    }

    private Setup setupAfterShrinking(String where) {
        Scenario scenario = new Scenario(1, LARGE, List.of(new Fault(1, 2, Kind.CUT, where, 0)));
        return Shrinker.shrink(scenario, RULE, MANY, stub(s -> count(s, Kind.CUT, where) == 1))
                .setup();
    }
}
