package io.quorate.spring;

import io.quorate.ElectionClient;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the client with the context and closes it with the context. It starts when the beans of usual phases and the
 * web server have, and closes before the web server begins to refuse requests, so that the successor leads while the
 * last requests are served.
 */
final class ElectionClientLifecycle implements SmartLifecycle {

    /**
     * Below {@link LeaderLatches#PHASE}, whose users stop before the client does, and above DEFAULT_PHASE - 1024, in
     * which Boot's web server waits for its last requests.
     */
    static final int PHASE = LeaderLatches.PHASE - 12;

    private final ElectionClient client;
    private final ApplicationEventPublisher events;
    private volatile boolean isStarted;

    ElectionClientLifecycle(ElectionClient client, ApplicationEventPublisher events) {
        this.client = client;
        this.events = events;
    }

    /** Waits for port and files, not for other nodes. */
    @Override
    public void start() {
        if (client.getState() == ElectionClient.State.STOPPED) {
            throw new IllegalStateException("The ElectionClient of node '" + client.nodeId()
                    + "' is closed and cannot be started again: close this context, and make another");
        }
        // The application may have started its own client.
        if (client.getState() == ElectionClient.State.LATENT) {
            try {
                client.start();
            } catch (RuntimeException e) {
                throw StartFailureAnalyzer.StartException.of(client.nodeId(), e);
            }
        }
        client.stopped()
                .thenAccept(failure -> failure.ifPresent(
                        cause -> AvailabilityChangeEvent.publish(events, cause, LivenessState.BROKEN)));
        isStarted = true;
    }

    /** Hands over, and waits until callbacks have returned, for 30 s at most: as long as Spring waits for a phase. */
    @Override
    public void stop() {
        client.close();
    }

    // Spring asks this before start, which a client that the application has started itself needs too.
    @Override
    public boolean isRunning() {
        return isStarted && client.getState() == ElectionClient.State.STARTED;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /**
     * Answers Spring 7, which pauses the contexts of tests that rest, that this is not to be paused: a client does not
     * start a second time. Spring 6 does not ask.
     */
    public boolean isPauseable() {
        return false;
    }
}
