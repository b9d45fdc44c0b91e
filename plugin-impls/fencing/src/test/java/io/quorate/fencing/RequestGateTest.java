package io.quorate.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.testkit.WaitingCall;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who may be inside at one time. */
class RequestGateTest {

    private static final String PATH = "/app/leader";

    private final RequestGate patient = new RequestGate(Duration.ofHours(1));
    private final RequestGate impatient = new RequestGate(Duration.ZERO);

    private static Fence fence(long token) {
        return new Fence(PATH, token);
    }

    @Test
    void requestsOfOneTokenAreInsideTogether() throws InterruptedException {
        assertThat(impatient.enter(fence(5))).isTrue();
        assertThat(impatient.enter(fence(5))).isTrue();
        impatient.leave();
        assertThat(impatient.enter(fence(6))).isFalse();
        impatient.leave();
        assertThat(impatient.enter(fence(6))).isTrue();
    }

    @Test
    void aLowerTokenIsRefusedEvenIfTheHigherOneWasNotLetIn() throws InterruptedException {
        impatient.enter(fence(5));
        assertThat(impatient.enter(fence(6))).isFalse();
        assertThatThrownBy(() -> impatient.enter(fence(5)))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("token 5 is refused")
                .hasMessageContaining("token 6");
    }

    @Test
    void aHigherTokenWaitsUntilTheLowerOnesHaveLeft() throws Exception {
        patient.enter(fence(5));
        patient.enter(fence(5));
        WaitingCall<Boolean> higher = WaitingCall.begun(() -> patient.enter(fence(6)));
        patient.leave();
        higher.awaitRest();
        assertThat(higher.isDone()).isFalse();
        patient.leave();
        assertThat(higher.awaitAnswer()).isTrue();
    }

    @Test
    void higherTokenRejectsWaitingRequests() throws Exception {
        patient.enter(fence(5));
        WaitingCall<Boolean> next = WaitingCall.begun(() -> patient.enter(fence(6)));
        WaitingCall<Boolean> last = WaitingCall.begun(() -> patient.enter(fence(7)));
        patient.leave();
        assertThat(last.awaitAnswer()).isTrue();
        assertThatThrownBy(next::awaitAnswer).isInstanceOf(StaleTokenException.class);
    }
}
