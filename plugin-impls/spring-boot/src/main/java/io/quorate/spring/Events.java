package io.quorate.spring;

import io.quorate.Participant;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.LeaderEventPublisher;

/**
 * The events of an initiator. A listener that throws does not affect leadership, as with other initiators; only the
 * candidate does.
 *
 * @param leaders     of Spring Integration, asked for each event; null if nobody is told
 * @param application gets {@link LeaderChangedEvent}; null if nobody is told
 */
record Events(
        Object source,
        String role,
        Supplier<@Nullable LeaderEventPublisher> leaders,
        @Nullable ApplicationEventPublisher application) {

    private static final Logger LOG = LoggerFactory.getLogger(QuorateLeaderInitiator.class);

    void granted(Context context) {
        tell("OnGranted", publisher -> publisher.publishOnGranted(source, context, role));
    }

    void revoked(Context context) {
        tell("OnRevoked", publisher -> publisher.publishOnRevoked(source, context, role));
    }

    void failedToAcquire(Context context) {
        tell("OnFailedToAcquire", publisher -> publisher.publishOnFailedToAcquire(source, context, role));
    }

    private void tell(String event, Consumer<LeaderEventPublisher> publication) {
        LeaderEventPublisher publisher = leaders.get();
        if (publisher != null) {
            publish(event, () -> publication.accept(publisher));
        }
    }

    void changed(Participant leader, long token) {
        if (application != null) {
            publish(
                    "LeaderChanged",
                    () -> application.publishEvent(new LeaderChangedEvent(source, role, leader.getId(), token)));
        }
    }

    // Justification: catches everything. The listeners are the application's.
    private void publish(String event, Runnable publication) {
        try {
            publication.run();
        } catch (Throwable e) {
            LOG.warn("Role {}: a listener of the event {} threw", role, event, e);
        }
    }
}
