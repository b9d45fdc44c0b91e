package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.election.RollCall;
import io.quorate.lab.RuleSearch.Found;
import io.quorate.spi.Election;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.testkit.model.AlgorithmFailed;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.simulation.HighestUp;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The shortest run that breaks a rule, and how far it is looked for. */
class RuleSearchTest {

    private static RuleSearch rollCall(int statesMax) {
        return new RuleSearch(new RollCall(), Variant.HARDENED, 2, statesMax);
    }

    @Test
    void theShortestRunWins() {
        Found found = rollCall(20_000).run(ElectionRule.ONE_LEADER);
        int shortest = found.violation().orElseThrow().run().size();
        ModelChecker all = ElectionRule.ONE_LEADER.in(ModelChecker.of(new RollCall(), Options.HARDENED, 2)
                .withoutDetector()
                .crashes(1)
                .restarts(1)
                .losses(1)
                .duplicates(1)
                .earlyTimeouts(1)
                .falseSuspicions(1));
        assertThat(all.mustBreak("OneLeader").run()).hasSize(shortest);
        assertThat(found.violation().orElseThrow().faults()).isNotEmpty();
    }

    @Test
    void aRuleThatHoldsSaysHowFarItWasLookedAt() {
        Found whole = rollCall(100_000).run(ElectionRule.TYPE_OK);
        assertThat(whole.violation()).isEmpty();
        assertThat(whole.unfinished()).isEmpty();
        Found part = rollCall(50).run(ElectionRule.TYPE_OK);
        assertThat(part.unfinished()).isNotEmpty().isSubsetOf(RuleSearch.cases());
        // The last state that is left may have some that follow.
        assertThat(part.states())
                .isLessThan(whole.states())
                .isLessThan(RuleSearch.cases().size() * 100L);
    }

    /** Cannot do what it is asked for. */
    private static final class Broken extends HighestUp {
        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            Election inner = super.create(membership, timing, options);
            return (Election) Proxy.newProxyInstance(
                    RuleSearchTest.class.getClassLoader(),
                    new Class<?>[] {Election.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("on")) {
                            throw new AssertionError("not today");
                        }
                        return method.invoke(inner, arguments);
                    });
        }
    }

    // Nobody would trust it again otherwise, and a rule of what must come in the end were broken for that alone.
    @Test
    void aWrongSuspicionIsTakenBack() {
        ModelChecker check = ModelChecker.of(new HighestUp(), Options.HARDENED, 2)
                .withoutDetector()
                .falseSuspicions(1);
        assertThat(ElectionRule.SAME_LEADER.in(check).run().violation()).isEmpty();
    }

    /** Follows somebody who is not there. */
    private static final class Lost extends HighestUp {
        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            Election inner = super.create(membership, timing, options);
            return (Election) Proxy.newProxyInstance(
                    RuleSearchTest.class.getClassLoader(),
                    new Class<?>[] {Election.class},
                    (proxy, method, arguments) -> method.getName().equals("leader")
                            ? OptionalInt.of(membership.contenders() + 6)
                            : method.invoke(inner, arguments));
        }
    }

    @Test
    void absentProcessIsNotAlive() {
        for (ElectionRule rule : List.of(ElectionRule.TYPE_OK, ElectionRule.EVENTUALLY_ELECTION, ElectionRule.BLE1)) {
            Found found = new RuleSearch(new Lost(), Variant.HARDENED, 2, 1000).run(rule);
            assertThat(found.violation()).as(rule.written()).isPresent();
        }
    }

    @Test
    void aMachineThatThrowsIsNamedWithItsEvent() {
        RuleSearch search = new RuleSearch(new Broken(), Variant.HARDENED, 2, 100);
        assertThatThrownBy(() -> search.run(ElectionRule.TYPE_OK))
                .isInstanceOf(AlgorithmFailed.class)
                .hasMessageContaining("algorithm highest-up failed at Start[")
                .hasMessageEndingWith("java.lang.AssertionError: not today");
    }
}
