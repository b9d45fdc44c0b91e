package io.quorate.cdi;

import io.quorate.ElectionClient;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Shutdown;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the client of an application that has none of its own. Starts the client with the application, when its own
 * observers of that have returned, and closes it after them.
 */
@Singleton
class ClientLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(ClientLifecycle.class);

    private final Instance<ElectionClient> client;
    private final LeaderLatches latches;
    private final DeclaredPaths declared;
    private final ConfigSettings settings;
    private final Event<ElectionClient.Builder> customizers;

    private volatile @Nullable ElectionClient started;

    @Inject
    ClientLifecycle(
            Instance<ElectionClient> client,
            LeaderLatches latches,
            DeclaredPaths declared,
            ConfigSettings settings,
            Event<ElectionClient.Builder> customizers) {
        this.client = client;
        this.latches = latches;
        this.declared = declared;
        this.settings = settings;
        this.customizers = customizers;
    }

    /** Observers of the builder have the last word. */
    ElectionClient make() {
        if (!settings.isEnabled()) {
            throw new IllegalStateException("quorate.enabled=false: there is no client");
        }
        ElectionClient.Builder builder = settings.make(ElectionClient.builder());
        customizers.fire(builder);
        return builder.build();
    }

    /** Waits for port and files, not for other nodes. */
    void start(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) Startup event) {
        if (!settings.isEnabled()) {
            if (!declared.led().isEmpty()) {
                LOG.warn(
                        "quorate.enabled=false: this process leads none of {}, and their methods do not run",
                        declared.led());
            }
            return;
        }
        settings.check();
        declared.channels().keySet().forEach(settings::checkPausable);
        ElectionClient found = client.get();
        // The application may have started its own client.
        if (found.getState() == ElectionClient.State.LATENT) {
            found.start();
        }
        started = found;
        try {
            latches.start(declared);
        } catch (RuntimeException e) {
            found.close();
            throw e;
        }
    }

    /** Hands over, and waits until callbacks have returned, for 30 s at most. */
    void stop(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) Shutdown event) {
        ElectionClient open = started;
        // None is to be made now, where the application did not start.
        if (open != null) {
            latches.stop();
            open.close();
        }
    }
}
