package io.quorate.core.support;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.step.StepContext;
import io.quorate.engine.Epoch;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** docs/protocol.md#support, the voter's half. Support lasts 1100. */
class SupportGivenTest {

    private final StepContext context = Contexts.of(N1);
    private final SupportGiven support = new SupportGiven(context);

    private Optional<Epoch> heartbeat(long at, long incarnation) {
        context.setNow(at);
        return support.onHeartbeat(N2, incarnation, Optional.empty());
    }

    // ADR-0005: in quarantine nobody is supported, this node included.
    @Test
    void nobodyIsSupportedDuringQuarantine() {
        assertThat(heartbeat(0, 7)).isEmpty();
        assertThat(support.epochOf(N1, 1)).isNull();
        support.endQuarantine();
        assertThat(heartbeat(1, 7)).isPresent();
        assertThat(support.epochOf(N1, 1)).isEqualTo(support.own());
    }

    @Test
    void supportLastsFromTheLastReceipt() {
        support.endQuarantine();
        Epoch first = heartbeat(0, 7).orElseThrow();
        assertThat(heartbeat(1099, 7)).contains(first);
        context.setNow(2198);
        assertThat(support.epochOf(N2, 7)).isEqualTo(first);
        context.setNow(2199);
        assertThat(support.epochOf(N2, 7)).isNull();
    }

    // A lapse is final: what was voted in the old epoch stays dead.
    @Test
    void lapseBeginsANewEpoch() {
        support.endQuarantine();
        Epoch first = heartbeat(0, 7).orElseThrow();
        assertThat(heartbeat(1100, 7).orElseThrow()).isNotEqualTo(first);
    }

    @Test
    void renouncedEpochEndsAndAnotherBegins() {
        support.endQuarantine();
        Epoch first = heartbeat(0, 7).orElseThrow();
        Epoch second = support.onHeartbeat(N2, 7, Optional.of(first)).orElseThrow();
        assertThat(second).isNotEqualTo(first);
        assertThat(support.onHeartbeat(N2, 7, Optional.of(first)))
                .as("an old renunciation")
                .contains(second);
    }

    @Test
    void secondLifeIsNotSupportedWhileTheFirstIs() {
        support.endQuarantine();
        Epoch first = heartbeat(0, 7).orElseThrow();
        assertThat(heartbeat(1, 8)).isEmpty();
        assertThat(support.epochOf(N2, 7)).isEqualTo(first);
        assertThat(support.epochOf(N2, 8)).isNull();
        assertThat(heartbeat(1100, 8).orElseThrow()).isNotEqualTo(first);
    }

    // Names of lives have no order. Which one is the present one is a matter of the links.
    @Test
    void expiredSupportMakesRoomForAnyLife() {
        support.endQuarantine();
        Epoch first = heartbeat(0, 8).orElseThrow();
        assertThat(heartbeat(1099, 7)).isEmpty();
        assertThat(heartbeat(1100, 7).orElseThrow()).isNotEqualTo(first);
        assertThat(heartbeat(1101, 8)).isEmpty();
    }

    @Test
    void goodbyeEndsSupportAtOnceButOnlyOfTheLifeThatSaysIt() {
        support.endQuarantine();
        heartbeat(0, 8);
        assertThat(support.onGoodbye(N2, 7)).isFalse();
        assertThat(support.isSupported(N2, 8)).isTrue();
        assertThat(support.onGoodbye(N2, 8)).isTrue();
        assertThat(support.isSupported(N2, 8)).isFalse();
        assertThat(heartbeat(2, 9)).as("the id is free at once").isPresent();
    }

    // ADR-0002: a former life of this node holds no vote of this voter.
    @Test
    void ownSupportIsForThisLifeOnly() {
        support.endQuarantine();
        assertThat(support.epochOf(N1, 1)).isNotNull();
        assertThat(support.epochOf(N1, 2)).isNull();
    }

    @Test
    void lapseIsReportedOnce() {
        support.endQuarantine();
        heartbeat(0, 7);
        assertThat(support.takeLapse(N2)).isFalse();
        context.setNow(1100);
        assertThat(support.takeLapse(N2)).isTrue();
        assertThat(support.takeLapse(N2)).isFalse();
    }

    // Epochs of two lives of a voter never compare equal, or an old vote would count again.
    @Test
    void epochsOfTwoLivesOfTheVoterDiffer() {
        support.endQuarantine();
        Epoch before = heartbeat(0, 7).orElseThrow();
        StepContext later = Contexts.of(N1, Contexts.VOTERS, 2);
        SupportGiven restarted = new SupportGiven(later);
        restarted.endQuarantine();
        assertThat(restarted.onHeartbeat(N2, 7, Optional.empty()).orElseThrow()).isNotEqualTo(before);
    }
}
