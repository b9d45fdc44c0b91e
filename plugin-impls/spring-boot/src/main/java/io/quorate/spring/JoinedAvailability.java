package io.quorate.spring;

import io.quorate.ElectionClient;
import io.quorate.Health;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.availability.ApplicationAvailabilityBean;
import org.springframework.boot.availability.AvailabilityState;
import org.springframework.boot.availability.ReadinessState;

/**
 * The availability of the application as Boot knows it, except that a process that accepts traffic is not ready before
 * its client is. It is asked, and no event is published: the application's own events keep their meaning.
 */
final class JoinedAvailability extends ApplicationAvailabilityBean {

    private final ElectionClient client;
    private final Predicate<Health> isReady;

    JoinedAvailability(ElectionClient client, Predicate<Health> isReady) {
        this.client = client;
        this.isReady = isReady;
    }

    // Boot's other questions come through this one.
    @Override
    public <S extends AvailabilityState> @Nullable S getState(Class<S> stateType) {
        S state = super.getState(stateType);
        boolean isToWait = state == ReadinessState.ACCEPTING_TRAFFIC && !isReady.test(client.probe());
        return isToWait ? stateType.cast(ReadinessState.REFUSING_TRAFFIC) : state;
    }
}
