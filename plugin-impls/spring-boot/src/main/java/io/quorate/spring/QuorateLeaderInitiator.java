package io.quorate.spring;

import io.quorate.ElectionClient;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;
import org.springframework.context.SmartLifecycle;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.leader.event.LeaderEventPublisher;

/**
 * Elects the leader of a role of Spring Integration; a bean that takes the place of a {@code
 * LockRegistryLeaderInitiator}. It calls its {@link Candidate} and publishes leader events in the same order, from a
 * thread of its own, so that endpoints in a role start and stop with leadership.
 *
 * <p>{@code onGranted} may do all the work of the leader, and is interrupted when leadership ends. {@code onRevoked}
 * follows when it has returned. A planned end interrupts {@code onGranted} first, and leadership ends when it has
 * returned, or has had the client's {@linkplain io.quorate.ElectionSettings#drainTimeout drain time-out}, 30 s by
 * default. If {@code onGranted} throws something else, the initiator gives leadership up, and contends again after a
 * pause: 50 ms, then twice as long each time, up to 10 s. Failures of event listeners are logged.
 *
 * <p>It contends on the path that has the name of the role, with a slash before it unless it begins with one. All
 * methods may be called from any thread.
 */
public class QuorateLeaderInitiator implements SmartLifecycle, DisposableBean, ApplicationEventPublisherAware {

    /** That of {@code LockRegistryLeaderInitiator}: among the last to start, and among the first to stop. */
    public static final int DEFAULT_INITIATOR_PHASE = LeaderLatches.PHASE;

    private final ElectionClient client;
    private final Candidate candidate;

    private volatile @Nullable LeaderEventPublisher leaderEventPublisher;
    private volatile @Nullable ApplicationEventPublisher applicationEventPublisher;
    private volatile boolean publishFailedEvents;
    private volatile boolean autoStartup = true;
    private volatile int phase = DEFAULT_INITIATOR_PHASE;

    /** From a start to the next stop; guarded by this. */
    private @Nullable Candidacy candidacy;

    /**
     * An initiator with a candidate that only logs, for applications that listen to events.
     *
     * @param client carries it; may be started later
     * @throws NullPointerException if {@code client} is null
     */
    public QuorateLeaderInitiator(ElectionClient client) {
        this(client, new DefaultCandidate());
    }

    /**
     * An initiator, which does nothing before {@link #start}.
     *
     * @param client    carries it; may be started later
     * @param candidate hears of its leadership; its id is what others see, and need not be unique
     * @throws NullPointerException if an argument is null
     */
    public QuorateLeaderInitiator(ElectionClient client, Candidate candidate) {
        this.client = Objects.requireNonNull(client, "client");
        this.candidate = Objects.requireNonNull(candidate, "candidate");
    }

    /**
     * Sets who publishes the events from now on.
     *
     * @param publisher by default one that publishes them in the application context
     */
    public void setLeaderEventPublisher(LeaderEventPublisher publisher) {
        leaderEventPublisher = publisher;
    }

    /** Called by Spring. */
    @Override
    public void setApplicationEventPublisher(ApplicationEventPublisher publisher) {
        applicationEventPublisher = publisher;
    }

    /**
     * Sets whether to publish {@code OnFailedToAcquireMutexEvent}: once for each leadership that another candidate of
     * the role gains. From the next start on.
     *
     * @param wanted default false
     */
    public void setPublishFailedEvents(boolean wanted) {
        publishFailedEvents = wanted;
    }

    /** {@return whether {@code OnFailedToAcquireMutexEvent} is published} */
    public boolean isPublishFailedEvents() {
        return publishFailedEvents;
    }

    /**
     * Answers the leadership of the moment, or of the last one.
     *
     * @return a context that does not lead if this has not led since its start
     */
    public synchronized FencedContext getContext() {
        return candidacy == null ? Tenure.none(candidate.getRole()) : candidacy.tenure();
    }

    /**
     * Begins to contend; returns at once. It has no effect while this is running. On a client that is not started yet,
     * it begins when the client starts.
     *
     * @throws IllegalArgumentException if the role is no legal name of a path; the message names the rule
     */
    @Override
    public synchronized void start() {
        if (isRunning()) {
            return;
        }
        if (candidacy != null) {
            // Closed with its client.
            candidacy.close();
        }
        Events events = new Events(this, candidate.getRole(), this::publisher, applicationEventPublisher);
        Candidacy next = new Candidacy(client, candidate, events, publishFailedEvents);
        candidacy = next;
        next.start();
    }

    private @Nullable LeaderEventPublisher publisher() {
        LeaderEventPublisher given = leaderEventPublisher;
        ApplicationEventPublisher context = applicationEventPublisher;
        return given != null || context == null ? given : new DefaultLeaderEventPublisher(context);
    }

    /**
     * Gives leadership up, and waits until the candidate has returned from {@code onRevoked}, for 30 s at most; before
     * that for {@code onGranted}, for the drain time-out at most. If the candidate itself calls this, it does not
     * wait.
     */
    @Override
    public void stop() {
        Candidacy last = current();
        if (last != null) {
            last.close();
        }
    }

    private synchronized @Nullable Candidacy current() {
        return candidacy;
    }

    /** As {@link #stop()}. */
    @Override
    public void destroy() {
        stop();
    }

    /** {@return whether this contends or leads} */
    @Override
    public boolean isRunning() {
        Candidacy present = current();
        return present != null && present.isOpen();
    }

    @Override
    public boolean isAutoStartup() {
        return autoStartup;
    }

    /**
     * Sets whether this starts with the context.
     *
     * @param autoStartup default true
     */
    public void setAutoStartup(boolean autoStartup) {
        this.autoStartup = autoStartup;
    }

    @Override
    public int getPhase() {
        return phase;
    }

    /**
     * Sets when this starts and stops, beside the other beans of the context.
     *
     * @param phase default {@link #DEFAULT_INITIATOR_PHASE}
     */
    public void setPhase(int phase) {
        this.phase = phase;
    }
}
