package io.quorate.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the judge of the acts must find, and what it must not. */
class ObservationsTest {

    private static final List<String> PODS = List.of("app-0", "app-1", "app-2");

    private final Observations observations = new Observations();

    @BeforeEach
    void beginAll() {
        PODS.forEach(pod -> observations.begin(pod, 0));
    }

    @Test
    void aPodMayBeUnreadyUntilItWasReady() {
        observations.onReady("app-0", observations.life("app-0"), 503, 0);
        assertThat(observations.violations()).isEmpty();
        observations.onReady("app-0", observations.life("app-0"), 200, 10);
        assertThat(observations.isReadyFor("app-0", 5, 15)).isTrue();
        assertThat(observations.isReadyFor("app-0", 6, 15)).isFalse();
        observations.onReady("app-0", observations.life("app-0"), 503, 20);
        assertThat(observations.violations()).hasSize(1);
        assertThat(observations.isReadyFor("app-0", 0, 20)).isFalse();
    }

    @Test
    void aPodThatIsTakenOutMayEnd() {
        observations.onReady("app-0", observations.life("app-0"), 200, 0);
        observations.takeOut("app-0");
        observations.onReady("app-0", observations.life("app-0"), 503, 1);
        observations.onSupporters("app-0", observations.life("app-0"), List.of(), 0);
        assertThat(observations.violations()).isEmpty();
    }

    @Test
    void aProcessThatIsOverIsNotTheNextOne() {
        int life = observations.life("app-0");
        observations.takeOut("app-0");
        assertThat(observations.life("app-0")).isZero();
        observations.onReady("app-0", observations.life("app-0"), 200, 0);
        observations.begin("app-0", 0);
        observations.onReady("app-0", life, 200, 0);
        observations.onSupporters("app-0", life, PODS, 0);
        assertThat(observations.isInService("app-0")).isFalse();
        assertThat(observations.haveAllVoters(List.of("app-0"))).isFalse();
        observations.onReady("app-0", observations.life("app-0"), 200, 0);
        assertThat(observations.isInService("app-0")).isTrue();
    }

    @Test
    void tokensRise() {
        observations.onLeads("app-0", 2);
        observations.onLeads("app-0", 2);
        observations.onLeads("app-1", 3);
        assertThat(observations.violations()).isEmpty();
        assertThat(observations.reigns()).hasSize(2);
        observations.onLeads("app-0", 2);
        assertThat(observations.violations()).hasSize(1);
    }

    @Test
    void oneTokenIsNotThatOfTwo() {
        observations.onLeads("app-0", 2);
        observations.onLeads("app-1", 2);
        assertThat(observations.violations()).hasSize(1);
    }

    @Test
    void twoVotersAreNotOut() {
        observations.onSupporters("app-0", observations.life("app-0"), List.of("app-0"), 0);
        assertThat(observations.violations()).isEmpty();
        observations.onReady("app-0", observations.life("app-0"), 200, 0);
        observations.onSupporters("app-0", observations.life("app-0"), List.of("app-0", "app-2"), 0);
        assertThat(observations.violations()).isEmpty();
        observations.onSupporters("app-0", observations.life("app-0"), List.of("app-0"), 0);
        assertThat(observations.violations()).hasSize(1);
    }

    @Test
    void theNextVoterGoesWhenAnotherPodHasTheSupportOfTheLastOne() {
        PODS.forEach(pod -> observations.onReady(pod, observations.life(pod), 200, 0));
        observations.takeOut("app-2");
        observations.onSupporters("app-0", observations.life("app-0"), List.of("app-0", "app-1"), 0);
        observations.begin("app-2", 0);
        observations.onReady("app-2", observations.life("app-2"), 200, 1);
        observations.onSupporters("app-0", observations.life("app-0"), PODS, Observations.SUPPORT_NANOS_MAX + 1);
        observations.takeOut("app-1");
        assertThat(observations.violations()).isEmpty();
    }

    // The support that is left was given by the process before.
    @Test
    void aReadyPodIsOutAsLongAsItsSupportIsThatOfTheProcessBefore() {
        PODS.forEach(pod -> observations.onReady(pod, observations.life(pod), 200, 0));
        observations.takeOut("app-2");
        observations.begin("app-2", 0);
        observations.onReady("app-2", observations.life("app-2"), 200, 1);
        observations.onSupporters("app-0", observations.life("app-0"), PODS, Observations.SUPPORT_NANOS_MAX);
        observations.takeOut("app-1");
        assertThat(observations.violations()).containsExactly(Observations.TWO_OUT + "[app-1, app-2]");
    }

    @Test
    void allVotersAreThereIfEachPodHasThem() {
        observations.onSupporters("app-0", observations.life("app-0"), PODS, 0);
        observations.onSupporters("app-1", observations.life("app-1"), PODS, 0);
        observations.onSupporters("app-2", observations.life("app-2"), List.of("app-0", "app-1"), 0);
        assertThat(observations.haveAllVoters(PODS)).isFalse();
        observations.onSupporters("app-2", observations.life("app-2"), PODS, 0);
        assertThat(observations.haveAllVoters(PODS)).isTrue();
    }
}
